"""Profiles a player keeps under a name: one mechanism for every game that has some.

A game brings its model (owner, kind, name, values; the two fields may be called otherwise) and a function that checks
the values of a kind. Everything here is about who may do it, how many there may be, and all or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from django.core.exceptions import ValidationError
from django.db import models, transaction

from apps.accounts.models import Player

Saved = TypeVar("Saved", bound=models.Model)
MOST_SAVED = 200
MOST_CHARACTERS = 60


class Item(NamedTuple):
    """One profile of a file: what to call it in a message, and what to save."""

    label: str
    kind: str
    name: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SavedProfiles(Generic[Saved]):
    """The profiles of one game."""

    model: type[Saved]
    kind_field: str
    values_field: str
    check: Callable[[str, Mapping[str, Any]], dict[str, Any]]

    def visible_to(self, player: Player | None) -> list[Saved]:
        """A player's own; a visitor has none."""
        return list(self._all().filter(owner=player)) if player else []

    @transaction.atomic
    def save(self, player: Player, kind: str, name: str, values: Mapping[str, Any]) -> Saved:
        """Keep a profile under its name; the same name again replaces it."""
        name = " ".join(name.split())
        if not 1 <= len(name) <= MOST_CHARACTERS:
            raise ValidationError(f"A name has 1–{MOST_CHARACTERS} characters; you entered {len(name)}.")
        checked = self.check(kind, values)
        # The owner is locked before anything is counted: two requests at once could both find room for the last one.
        Player.objects.select_for_update().get(pk=player.pk)
        mine = self._all().filter(owner=player)
        same: dict[str, Any] = {self.kind_field: kind, "name": name}
        if mine.count() >= MOST_SAVED and not mine.filter(**same).exists():
            raise ValidationError(f"You can keep {MOST_SAVED} profiles; delete one first.")
        return self._all().update_or_create(owner=player, **same, defaults={self.values_field: checked})[0]

    def delete(self, player: Player | None, pk: Any) -> bool:
        """Forget one of a player's own; False when it is not theirs or not there."""
        return bool(player) and bool(self._all().filter(owner=player, pk=pk).delete()[0])

    @transaction.atomic
    def import_all(self, player: Player, items: Iterable[Item]) -> int:
        """Save every profile of a file, or none of them with the reason."""
        count = 0
        for item in items:
            try:
                self.save(player, item.kind, item.name, item.values)
            except ValidationError as error:
                raise ValidationError(f"{item.label}: {' '.join(error.messages)}") from None
            count += 1
        return count

    def _all(self) -> models.QuerySet[Saved]:
        return self.model._default_manager.all()

"""What the apps keep of a player, and what becomes of it: handed over, exported, removed.

Each app registers its sections in ``AppConfig.ready`` from its own ``player_data`` module. A section that needs another
one dealt with first says so in ``after``; the order of INSTALLED_APPS does not matter.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from django.db.models import Model

from apps.accounts.models import Player


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of data that belongs to players."""

    name: str  # the heading it is exported under
    hand_over: Callable[[Player, Player], None]  # (guest, account): a guest signs in, the account gets what was theirs
    export: Callable[[Player], Any]  # everything kept about a player, ready for JSON
    remove: Callable[[Player, uuid.UUID], None]  # (player, tombstone): see ruling D17 for what must stay, nameless
    after: tuple[str, ...] = ()  # sections that are handed over and removed before this one
    losses: Callable[[Player], list[str]] = lambda player: []  # sentences: what other people would lose with a player


_sections: dict[str, Section] = {}


def register(section: Section) -> None:
    _sections[section.name] = section


def sections() -> list[Section]:
    """All sections, each after those it names."""
    order = TopologicalSorter({name: section.after for name, section in _sections.items()}).static_order()
    return [_sections[name] for name in order if name in _sections]


def owned_rows(name: str, model: type[Model], *identity: str, export: Callable[[Player], Any]) -> Section:
    """The section of rows that have an ``owner``. On a merge, the account's row of the same identity stands."""
    rows = model._default_manager

    def hand_over(guest: Player, account: Player) -> None:
        taken = set(rows.filter(owner=account).values_list(*identity))
        for pk, *named in rows.filter(owner=guest).values_list("pk", *identity):
            if tuple(named) not in taken:
                rows.filter(pk=pk).update(owner=account)

    def remove(player: Player, tombstone: uuid.UUID) -> None:
        rows.filter(owner=player).delete()

    return Section(name, hand_over, export, remove)


def hand_over(guest: Player, account: Player) -> None:
    """Everything of a guest becomes the account's."""
    for section in sections():
        section.hand_over(guest, account)


def export(player: Player) -> dict[str, Any]:
    """Everything the apps keep about a player, section by section."""
    return {section.name: section.export(player) for section in sections()}


def losses(player: Player) -> list[str]:
    """What goes with a player beside the player's own, in sentences."""
    return [sentence for section in sections() for sentence in section.losses(player)]


def remove(player: Player) -> None:
    """Remove what is a player's own; events of games with others keep their place under a random id (ruling D17)."""
    tombstone = uuid.uuid4()
    for section in sections():
        section.remove(player, tombstone)

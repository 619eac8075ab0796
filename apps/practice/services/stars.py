"""Positions a player has starred: a collection of their own that practice asks about."""

from __future__ import annotations

from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee import decisions
from apps.practice.models import Drill, Source
from apps.practice.services.questions import NotReadyError, text_of
from apps.practice.services.run import MOST_DRILLS
from engine.dicee import notation
from engine.dicee.learning.concepts import touched
from engine.wire import refuse


def star(player: Player, text: str) -> Drill:
    """Put a position among a player's starred ones; it is asked about from now on."""
    position = notation.read(text)
    if not position.dice:
        refuse("There is nothing to decide before the first roll.", field="position", constraint="dice", actual=text)
    if decisions.solved(position.variant) is None:
        raise NotReadyError
    if Drill.objects.filter(player=player).count() >= MOST_DRILLS:
        refuse(f"{MOST_DRILLS} positions are in practice: take one out first.", field="position", constraint="at most")
    concept = touched(position, decisions.analyze(position))[0].value
    fields = {"concept": concept, "source": Source.STAR, "due_at": timezone.now()}
    drill, _ = Drill.objects.get_or_create(player=player, position=text_of(position), defaults=fields)
    Drill.objects.filter(pk=drill.pk).update(starred=True)
    return drill


def unstar(player: Player, text: str) -> None:
    """Take a star away. A position that was only starred leaves practice with it."""
    drills = Drill.objects.filter(player=player, position=text_of(notation.read(text)))
    drills.filter(source=Source.STAR).delete()
    drills.update(starred=False)


def starred(player: Player | None) -> list[Drill]:
    """A player's starred positions, newest first."""
    return list(Drill.objects.filter(player=player, starred=True).order_by("-made_at", "-pk")) if player else []

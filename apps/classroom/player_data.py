"""A player's classes when the player signs in elsewhere, asks for a copy of everything, or leaves; for practice see
``kept``."""

from __future__ import annotations

import uuid
from typing import Any

from apps.accounts.models import Player
from apps.accounts.player_data import Section, register
from apps.classroom.models import ClassGame, Classroom, Membership
from apps.classroom.services import classes, students


def hand_over(guest: Player, account: Player) -> None:
    """Classes and memberships become the account's. In a class where both are, the account's membership stands."""
    Classroom.objects.filter(teacher=guest).update(teacher=account)
    standing = {member.classroom_id: member for member in Membership.objects.filter(player=account)}
    for member in Membership.objects.filter(player=guest):
        if kept := standing.get(member.classroom_id):
            known = list(kept.games.values_list("game_id", flat=True))
            ClassGame.objects.filter(member=member).exclude(game__in=known).update(member=kept, work=None)
            member.delete()
        else:
            Membership.objects.filter(pk=member.pk).update(player=account)


def export(player: Player) -> dict[str, Any]:
    """Classes taught without anything about their students; places in classes with all of one's own."""
    return {
        "classesTaught": [
            {
                "name": taught.name,
                "createdAt": taught.created_at.isoformat(),
                "expiresOn": taught.expires_on.isoformat(),
                "students": taught.students,  # type: ignore[attr-defined]
                "assignments": taught.assignments.count(),
                "rounds": taught.rounds.count(),
            }
            for taught in classes.taught_by(player)
        ],
        "memberships": [
            students.document(member) for member in player.memberships.select_related("classroom").order_by("joined_at")
        ],
    }


def losses(player: Player) -> list[str]:
    """What a class loses with its teacher, and the other way out."""
    return [
        f"Your class {taught.name} goes with you, with the work of {taught.students} students. "  # type: ignore[attr-defined]
        "You can hand it to a colleague on its page, under Settings, first."
        for taught in classes.taught_by(player)
    ]


def forget(player: Player, tombstone: uuid.UUID) -> None:
    """A teacher's classes go; a student's place stays under a name that says nothing (ruling D17)."""
    for taught in Classroom.objects.filter(teacher=player):
        classes.delete(taught)
    for member in Membership.objects.filter(player=player).select_related("classroom"):
        students.anonymise(member)


register(Section("classroom", hand_over, export, forget, after=("diceeGames",), losses=losses))

"""A player's practice and profile when the player signs in elsewhere, asks for everything, or leaves."""

from __future__ import annotations

import uuid
from typing import Any

from apps.accounts.models import Player
from apps.accounts.player_data import Section, register
from apps.practice.models import Answer, Drill, PlayedGame, SkillProfile, Source
from apps.practice.services import progress, record


def hand_over(guest: Player, account: Player) -> None:
    """Practice joins the account's; where both have the same, the account's stands. The profile is made anew."""
    known = Drill.objects.filter(player=account).values("position")
    Drill.objects.filter(player=guest).exclude(position__in=list(known.values_list("position", flat=True))).update(
        player=account
    )
    mine = Answer.objects.filter(player=guest)
    attempts = set(Answer.objects.filter(player=account, source=Source.DAILY).values_list("place", "position"))
    twice = [
        pk
        for pk, *attempt in mine.filter(source=Source.DAILY).values_list("pk", "place", "position")
        if tuple(attempt) in attempts
    ]
    mine.exclude(pk__in=twice).update(player=account)
    progress.refresh(account)  # the seats are the account's by now: see ``after``


def export(player: Player) -> dict[str, Any]:
    """Drills, answers, what was learnt of each game, and the profile."""
    drills = Drill.objects.filter(player=player).order_by("made_at", "pk")
    answers = Answer.objects.filter(player=player).exclude(source=Source.WORK).order_by("created_at", "pk")
    played = PlayedGame.objects.filter(seat__player=player).order_by("finished_at", "pk").select_related("seat")
    profile = SkillProfile.objects.filter(player=player).first()
    return {
        "profile": profile.profile if profile else None,
        "games": [
            {
                "gameId": str(row.seat.game_id),
                "finishedAt": row.finished_at.isoformat(),
                "digest": row.digest,
                "slips": row.slips,
                "guesses": row.guesses,
            }
            for row in played
        ],
        "drills": [
            {
                "position": row.position,
                "concept": row.concept,
                "source": row.source,
                "starred": row.starred,
                "streak": row.streak,
                "dueAt": row.due_at.isoformat(),
            }
            for row in drills
        ],
        "answers": [record.document(answer) for answer in answers],
    }


def remove(player: Player, tombstone: uuid.UUID) -> None:
    """Everything learnt about a player goes with the player; the games stay, nameless (ruling D17)."""
    # Dicee's section came first, so the player's seats are nobody's by now; nobody's games teach nothing.
    PlayedGame.objects.filter(seat__player__isnull=True).delete()
    PlayedGame.objects.filter(seat__player=player).delete()
    Drill.objects.filter(player=player).delete()
    Answer.objects.filter(player=player).exclude(source=Source.WORK).delete()  # what was set is its class's
    SkillProfile.objects.filter(player=player).delete()


register(Section("practice", hand_over, export, remove, after=("diceeGames", "classroom")))

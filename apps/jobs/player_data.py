"""A player's jobs when the player signs in elsewhere, asks for a copy of everything, or leaves."""

from __future__ import annotations

import uuid
from typing import Any

from apps.accounts.models import Player
from apps.accounts.player_data import Section, register
from apps.jobs import services
from apps.jobs.models import LIVE, Job


def hand_over(guest: Player, account: Player) -> None:
    Job.objects.filter(owner=guest).update(owner=account)


def export(player: Player) -> list[dict[str, Any]]:
    return [
        {
            "id": str(job.id),
            "kind": job.kind,
            "state": job.state,
            "createdAt": job.created_at.isoformat(),
            "document": job.document,
            "result": job.result,
            "error": job.error,
        }
        for job in services.visible_to(player)
    ]


def remove(player: Player, tombstone: uuid.UUID) -> None:
    """Nothing of a job is anybody else's: it goes, and a worker that has one stops."""
    for job in services.visible_to(player).filter(state__in=LIVE):
        services.cancel(job, by=player)
    services.visible_to(player).delete()


register(Section("jobs", hand_over, export, remove))

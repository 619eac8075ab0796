"""What a player's practice adds up to, and an answer as its owner takes it along."""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from apps.accounts.models import Player
from apps.practice.models import Answer
from apps.practice.services.questions import CLOSE, is_right
from engine.dicee.learning import CONCEPTS, Concept

LOOK_BACK = datetime.timedelta(days=30)
MOST_ROWS = 2000


@dataclass(frozen=True)
class Line:
    """A concept: how often it was practised lately, and how often right."""

    title: str
    n: int
    right: int

    @property
    def share(self) -> float:
        return self.right / self.n


@dataclass(frozen=True)
class Figures:
    n: int
    right: int
    lines: tuple[Line, ...]

    @property
    def share(self) -> float:
        return self.right / self.n if self.n else 0.0


def figures(player: Player | None) -> Figures:
    """The last month of practice, concept by concept; one read."""
    tally: dict[str, list[bool]] = defaultdict(list)
    since = timezone.now() - LOOK_BACK
    rows = Answer.objects.filter(player=player, created_at__gte=since).order_by("-created_at") if player else None
    found = rows.values_list("concept", "lost", "predicted", "truth")[:MOST_ROWS] if rows is not None else []
    for concept, lost, predicted, truth in found:
        tally[concept].append(is_right(lost) if lost is not None else abs((predicted or 0) - (truth or 0)) <= CLOSE)
    lines = tuple(
        Line(CONCEPTS[concept].title, len(tally[concept]), sum(tally[concept])) for concept in Concept if tally[concept]
    )
    every = [right for answers in tally.values() for right in answers]
    return Figures(len(every), sum(every), lines)


def document(answer: Answer) -> dict[str, Any]:
    """An answer as the copy of a player's data lists it."""
    return {
        "source": answer.source,
        "place": answer.place,
        "position": answer.position,
        "concept": answer.concept,
        "choice": answer.choice,
        "lost": answer.lost,
        "box": answer.box,
        "predicted": answer.predicted,
        "truth": answer.truth,
        "tookMs": answer.took_ms,
        "at": answer.created_at.isoformat(),
    }

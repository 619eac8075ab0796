"""A profile as a page shows it: the answer in words, then rows, then what to practise. For a player and a teacher."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from apps.accounts.models import Player
from apps.core.formats import number
from apps.dicee.decisions import box_title
from apps.practice.models import Answer, PlayedGame, SkillProfile
from apps.practice.services.progress.learning import Slip, fold
from engine.dicee.boxes import BOXES
from engine.dicee.learning import CONCEPTS, PATTERNS, Concept, Direction, FoundPattern, Kind, Profile, Tally
from engine.dicee.learning.rating import PAR, SETTLED_GAMES

EXAMPLES = 3  # links per pattern
LOOK_BACK = 40  # games to look for examples in, as far as the patterns look
FEW = 5  # decisions: fewer say nothing about a box
#: Said only of a difference beyond its margin (``engine.dicee.learning.trends``).
TREND_WORDS = {Direction.STEADY: "Steady", Direction.BETTER: "Getting better", Direction.WORSE: "Slipping"}
#: When no idea stands out: value, title, what it is about.
NOTHING_STANDS_OUT = ("mixed", "A bit of everything", "No idea costs clearly more than the others.")
KIND_WORDS = {Kind.KEEP: "What to keep", Kind.BOX: "Which box"}


@dataclass(frozen=True)
class Row:
    """A line of accuracy: of a concept, a kind of decision, a box."""

    key: str
    title: str
    text: str
    tally: Tally

    @property
    def share(self) -> float:
        return self.tally.right / self.tally.n if self.tally.n else 0.0

    @property
    def lost_each(self) -> float:
        return self.tally.lost / self.tally.n if self.tally.n else 0.0

    @property
    def thin(self) -> bool:
        return self.tally.n < FEW


@dataclass(frozen=True)
class Example:
    """A decision in a replay."""

    game: uuid.UUID
    player_ref: uuid.UUID
    slip: Slip


@dataclass(frozen=True)
class Habit:
    """A mistake pattern with decisions that show it."""

    found: FoundPattern
    concept: Concept
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Page:
    """Everything ``practice/components/profile.html`` prints. Pass it as ``profile``."""

    found: Profile
    examples: tuple[Example, ...]

    @property
    def par(self) -> float:
        return PAR

    @property
    def games_to_settle(self) -> int:
        return max(0, SETTLED_GAMES - self.found.games)

    @property
    def trend(self) -> str:
        """Where it is going, in a sentence."""
        lost = self.found.lost_per_decision
        if lost is None or lost.direction is Direction.UNKNOWN:
            return "Too few games for a trend."
        figures = f"{number(lost.ewma)} points lost per decision lately, {number(lost.overall)} over all games."
        return f"{TREND_WORDS[lost.direction]}: {figures}"

    @cached_property
    def concepts(self) -> list[Row]:
        return [
            Row(concept.value, text.title, text.text, self.found.concepts.get(concept, Tally()))
            for concept, text in CONCEPTS.items()
        ]

    @cached_property
    def kinds(self) -> list[Row]:
        return [Row(k.value, words, "", self.found.kinds.get(k, Tally())) for k, words in KIND_WORDS.items()]

    @cached_property
    def boxes(self) -> list[Row]:
        tallies = self.found.categories
        return [Row(box, box_title(box), "", tallies.get(box, Tally())) for box in BOXES]

    @cached_property
    def habits(self) -> list[Habit]:
        return [
            Habit(pattern, PATTERNS[pattern.key].concept, self._showing(pattern.key)) for pattern in self.found.patterns
        ]

    def _showing(self, pattern: str) -> tuple[Example, ...]:
        """The costliest of the recent decisions that fell for a pattern."""
        fitting = [example for example in self.examples if pattern in example.slip.patterns]
        return tuple(sorted(fitting, key=lambda example: -example.slip.lost)[:EXAMPLES])

    @property
    def costliest(self) -> tuple[Example, ...]:
        return tuple(sorted(self.examples, key=lambda example: -example.slip.lost)[:EXAMPLES])

    @property
    def strengths(self) -> list[tuple[str, float]]:
        rows = {row.key: row for row in self.concepts}
        return [(CONCEPTS[concept].title, rows[concept.value].share) for concept in self.found.strengths]

    @property
    def next(self) -> tuple[str, str, str]:
        """What to practise: value, title, what it is about."""
        concept = self.found.practise_next
        if concept is None:
            return NOTHING_STANDS_OUT
        return concept.value, CONCEPTS[concept].title, CONCEPTS[concept].text

    @property
    def speed(self) -> list[tuple[str, float]]:
        """Seconds a decision usually takes, by kind."""
        return [(KIND_WORDS[kind], ms / 1000) for kind, ms in self.found.speed.items()]

    @property
    def guess_words(self) -> str:
        """Calibration in a sentence."""
        told = self.found.calibration
        if told is None:
            return ""
        off = abs(told.bias)
        if off < 0.02:
            return "Guesses are neither too high nor too low on average."
        return f"Guesses are {100 * off:.0f} points too {'high' if told.bias > 0 else 'low'} on average."

    def curve_rows(self) -> tuple[list[str], list[list[float]]]:
        header = ["game", "score", "points lost", "best choices", "rating", "rating low", "rating high"]
        curve = self.found.curve
        return header, [[p.game, p.score, p.lost, p.accuracy, p.rating, p.low, p.high] for p in curve]


def page(player: Player | None) -> Page | None:
    """A player's own profile as of the last finished game; None before the first."""
    kept = SkillProfile.objects.filter(player=player).first() if player else None
    if kept is None:
        return None
    return Page(Profile.model_validate(kept.profile), _examples(PlayedGame.objects.filter(seat__player=player)))


def page_of(played: QuerySet[PlayedGame], answers: QuerySet[Answer] | None = None) -> Page | None:
    """The profile of some games only, as of those a student played for a class; None when there are none."""
    found = fold(played, Answer.objects.none() if answers is None else answers)
    return Page(found, _examples(played)) if found.games else None


def _examples(played: QuerySet[PlayedGame]) -> tuple[Example, ...]:
    rows = played.order_by("-finished_at", "-pk").values_list("seat__game_id", "seat__player_ref", "slips")[:LOOK_BACK]
    return tuple(Example(game, ref, slip) for game, ref, slips in rows for slip in _read(slips))


def _read(slips: Iterable[dict[str, object]]) -> list[Slip]:
    return [Slip.model_validate(slip) for slip in slips]

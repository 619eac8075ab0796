"""Class × concept: the share of best choices about each idea, per student, from games played for the class."""

from __future__ import annotations

import datetime
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.db.models import F, QuerySet
from django.utils import timezone

from apps.classroom.models import Assignment, ClassGame, Classroom, Membership, Task
from apps.classroom.services import assignments
from apps.classroom.services.live import board
from apps.practice.models import PlayedGame
from engine.dicee import learning
from engine.dicee.learning import CONCEPTS, Concept, ConceptText, GameDigest, Standing

LOOK_BACK = datetime.timedelta(weeks=4)
#: Fewer decisions than this say nothing about a student and an idea.
ENOUGH = 5
HALF = 0.5
REMEMBERED = 512  # students' standings
NOTHING_STANDS_OUT = ConceptText("nothing stands out", "–", "No idea costs the class clearly more than the others.")
POSITIONS_TO_ASSIGN = 5
DIFFICULTY = 2
DUE_IN = datetime.timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Cell:
    right: int = 0
    n: int = 0

    @property
    def share(self) -> float | None:
        return self.right / self.n if self.n >= ENOUGH else None

    @property
    def shown(self) -> str:
        return "" if self.share is None else f"{100 * self.share:.0f}"

    def __add__(self, other: Cell) -> Cell:
        return Cell(self.right + other.right, self.n + other.n)


@dataclass(frozen=True)
class Line:
    """A student's row, or the whole class's."""

    name: str
    cells: tuple[Cell, ...]
    member: Membership | None = None

    @property
    def mean(self) -> Cell:
        return sum(self.cells, Cell())


@dataclass(frozen=True)
class HeatMap:
    columns: tuple[ConceptText, ...]  # in the order of CONCEPTS
    lines: tuple[Line, ...]
    standings: dict[Concept, Standing]  # of the class, against the carelessness of its students

    @cached_property
    def total(self) -> Line:
        cells = [sum((line.cells[i] for line in self.lines), Cell()) for i in range(len(self.columns))]
        return Line("Class", tuple(cells))

    @property
    def has_figures(self) -> bool:
        return any(cell.share is not None for cell in self.total.cells)

    @cached_property
    def weakest(self) -> int | None:
        """The column to teach next: where the class loses more than its carelessness explains, beyond the margin."""
        concept = learning.weakest(self.standings)
        return None if concept is None else list(CONCEPTS).index(concept)

    @property
    def teach_next(self) -> ConceptText:
        return NOTHING_STANDS_OUT if self.weakest is None else self.columns[self.weakest]

    @property
    def teach_next_concept(self) -> str:
        return "" if self.weakest is None else list(CONCEPTS)[self.weakest].value

    @property
    def teach_next_share(self) -> float | None:
        return None if self.weakest is None else self.total.cells[self.weakest].share

    @property
    def under_half(self) -> int:
        """How many students choose best less than every other time in that column."""
        if self.weakest is None:
            return 0
        shares = [line.cells[self.weakest].share for line in self.lines]
        return sum(share is not None and share < HALF for share in shares)


def heat_map(classroom: Classroom, since: datetime.datetime | None = None) -> HeatMap:
    """From the digests of class games alone: what a student plays elsewhere is not the class's business."""
    members = board.students(classroom)
    start = since or timezone.now() - LOOK_BACK
    counted = _counted(members, start)
    lines = [
        Line(member.nickname, tuple(counted.get((member.pk, concept), Cell()) for concept in CONCEPTS), member)
        for member in members
    ]
    return HeatMap(tuple(CONCEPTS.values()), tuple(lines), _class_standings(members, start))


def _class_standings(members: list[Membership], since: datetime.datetime) -> dict[Concept, Standing]:
    """The students' standings, added up."""
    games: dict[uuid.UUID, list[int]] = defaultdict(list)
    rows = _class_games(members, since).order_by("game__seats__learning__finished_at")
    for member, played in rows.values_list("member_id", "game__seats__learning"):
        games[member].append(played)
    whole: dict[Concept, Standing] = {}
    for those in games.values():
        for concept, standing in _standings(tuple(those)).items():
            whole[concept] = whole.get(concept, Standing()) + standing
    return whole


@lru_cache(REMEMBERED)
def _standings(played: tuple[int, ...]) -> dict[Concept, Standing]:
    """One student's standings over some games. A finished game does not change, so they are worked out once."""
    digests = PlayedGame.objects.filter(pk__in=played).order_by("finished_at").values_list("digest", flat=True)
    games = [GameDigest.model_validate(digest) for digest in digests if learning.is_current(digest)]
    return learning.standings([game.choices for game in games])


def _class_games(members: list[Membership], since: datetime.datetime) -> QuerySet[ClassGame]:
    return ClassGame.objects.filter(
        member__in=members, game__seats__player=F("member__player"), game__seats__learning__finished_at__gt=since
    )


def _counted(members: list[Membership], since: datetime.datetime) -> dict[tuple[uuid.UUID, Concept], Cell]:
    rows = _class_games(members, since).values_list("member_id", "game__seats__learning__digest__concepts")
    right: Counter[tuple[uuid.UUID, Concept]] = Counter()
    made: Counter[tuple[uuid.UUID, Concept]] = Counter()
    for member_id, tallies in rows:
        for name, tally in (tallies or {}).items():
            right[member_id, Concept(name)] += tally["right"]
            made[member_id, Concept(name)] += tally["n"]
    return {key: Cell(right[key], n) for key, n in made.items()}


def table(found: HeatMap) -> tuple[list[str], list[list[object]]]:
    """The map as rows of a file: shares and counts."""
    titles = [column.title for column in found.columns]
    header = ["student", *(f"{title}: {what}" for title in titles for what in ("best", "decisions"))]
    lines = (*found.lines, found.total)
    return header, [[line.name, *(value for cell in line.cells for value in (cell.right, cell.n))] for line in lines]


def assign(classroom: Classroom, concept: str, seed: int) -> Assignment:
    """Set the class some positions about an idea, due in a week."""
    text = CONCEPTS[Concept(concept)]
    settings = assignments.Positions(
        positions=assignments.drawn_positions(concept, DIFFICULTY, POSITIONS_TO_ASSIGN, seed),
        drawn=assignments.Drawn(concept=concept, difficulty=DIFFICULTY, seed=seed),
    )
    title = f"{text.title}: {POSITIONS_TO_ASSIGN} positions"
    return assignments.create(classroom, title, Task.POSITIONS, settings, timezone.now() + DUE_IN)

"""What each kind of assignment needs, checked when it is set and read back when it is done.

Positions are stored one by one, also those drawn for a concept: everyone in the class gets the same ones, whatever a
later version of the generator would draw from the seed.
"""

from __future__ import annotations

import datetime
import itertools
import re
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from apps.classroom.models import Assignment, Classroom, Task
from apps.classroom.services.students import CLASS_TABLE, Refused
from apps.dicee.decisions import prediction_target, solved
from engine.dicee import notation
from engine.dicee.analysis import Position, position_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES, Scorecard, Variant
from engine.dicee.game.events import MOST_SEATS
from engine.dicee.learning import CONCEPTS as TEXTS
from engine.dicee.learning import Concept, make_drill
from engine.dicee.tables import Table
from engine.wire import Document, EngineError

CONCEPTS = tuple((concept.value, text.title) for concept, text in TEXTS.items())
MOST_GAMES = 20
MOST_POSITIONS = 30
LEAST_SEATS = 2
SECONDS_A_MOVE = 180

Level = Literal["beginner", "intermediate", "expert"]
Feedback = Literal["each", "end"]
#: What a teacher may write instead of a whole position: dice and rolls left, on an empty card.
_SHORT = re.compile(r"([1-6]{5})\s*/\s*([0-2])")


class Coaching(Document):
    """What the coach shows at the tables of an assignment. The server keeps to it: it goes into the game itself."""

    level: Level = "intermediate"
    statistics: bool = True
    hints: bool = True

    @property
    def table(self) -> dict[str, Any]:
        return CLASS_TABLE | {"statistics": self.statistics, "hints": self.hints}

    @property
    def look(self) -> dict[str, Any]:
        """How the student's tables look from the first game of the assignment on."""
        return {"profile": self.level, "stats": self.statistics}


class GamesToPlay(Coaching):
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] = 1


class Match(Coaching):
    seats: Annotated[int, Field(ge=LEAST_SEATS, le=MOST_SEATS)] = 2
    clock: bool = False

    @property
    def table(self) -> dict[str, Any]:
        """Without taking back in front of others. Without a clock an interrupted match waits for the next lesson."""
        return super().table | {"timeLimit": SECONDS_A_MOVE if self.clock else None, "allowUndo": False}


class Drawn(Document):
    """Where generated positions came from, for the teacher to read."""

    concept: str = ""
    difficulty: int = 0
    seed: int = 0


class Positions(Document):
    positions: Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_POSITIONS)]
    feedback: Feedback = "end"
    drawn: Drawn | None = None

    @field_validator("positions")
    @classmethod
    def _readable(cls, lines: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(notation.write(decidable(line)) for line in lines)


class GuessAsked(Document):
    position: str
    box: str

    @model_validator(mode="after")
    def _can_be_guessed(self) -> GuessAsked:
        position = decidable(self.position)
        if self.box not in BOX_NUMBER:
            raise EngineError(
                f"There is no box “{self.box}”.", field="box", constraint="one of", expected=BOXES, actual=self.box
            )
        if not position.rolls_left:
            raise EngineError(
                "With no rolls left there is nothing to guess.",
                field="position",
                constraint="rolls left",
                expected="1–2",
                actual=0,
            )
        return self

    @property
    def truth(self) -> float:
        """The chance when the turn is played for the box alone."""
        position = notation.read(self.position)
        return float(position_odds(position)[self.box].probability)


class Guesses(Document):
    questions: Annotated[tuple[GuessAsked, ...], Field(min_length=1, max_length=MOST_POSITIONS)]
    feedback: Feedback = "end"
    drawn: Drawn | None = None


Settings = GamesToPlay | Match | Positions | Guesses
KINDS: dict[str, type[Settings]] = {
    Task.GAMES: GamesToPlay,
    Task.POSITIONS: Positions,
    Task.PREDICTIONS: Guesses,
    Task.MATCH: Match,
}


def create(
    classroom: Classroom, title: str, task: str, settings: Settings, due_at: datetime.datetime | None
) -> Assignment:
    """Set something to a class. A document of another kind of task is a mistake in the code, not of the teacher."""
    assert isinstance(settings, KINDS[task])
    return Assignment.objects.create(
        classroom=classroom, title=title, task=task, settings=settings.model_dump(mode="json"), due_at=due_at
    )


def edit(assignment: Assignment, title: str, due_at: datetime.datetime | None) -> None:
    """Title and due date may change; what is asked may not, or students' work would not compare."""
    assignment.title, assignment.due_at = title, due_at
    assignment.save(update_fields=["title", "due_at"])


def read(assignment: Assignment) -> Settings:
    return KINDS[assignment.task].model_validate(assignment.settings)


# -- Positions a teacher writes -----------------------------------------------------------------------------------


def decidable(text: str) -> Position:
    """A position with dice on the table, from its line or from "55526/1"."""
    short = _SHORT.fullmatch(text.strip())
    if short:
        return Position(Scorecard(), Variant.STANDARD, tuple(map(int, short[1])), int(short[2]))
    position = notation.read(text.strip())
    if not position.dice:
        raise EngineError(
            "There are no dice on the table: nothing to decide yet.",
            field="position",
            constraint="dice",
            expected="five dice",
            actual=text,
        )
    return position


def read_positions(text: str) -> tuple[str, ...]:
    """One position per line, as whole lines of notation. A refusal names the line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(notation.write(decidable(line)))
        except EngineError as error:
            raise Refused(f"Line {number}: {error.message}") from error
    if len(found) > MOST_POSITIONS:
        raise Refused(f"At most {MOST_POSITIONS} positions; you entered {len(found)}.")
    return tuple(found)


def guess_of(line: str) -> GuessAsked:
    """The box of a position whose chance is hardest to guess."""
    target = prediction_target(notation.read(line))
    if target is None:
        raise Refused(f"Nothing can be guessed in {line}: every box is sure or impossible.")
    return GuessAsked(position=line, box=BOXES[target])


# -- Positions drawn for a concept --------------------------------------------------------------------------------


def drawn_positions(concept: str, difficulty: int, count: int, seed: int) -> tuple[str, ...]:
    """As many different positions about a concept, the same for the same seed."""
    table = _table()
    found: dict[str, None] = {}
    for number in itertools.count(seed * MOST_POSITIONS * 2):
        found[notation.write(make_drill(Concept(concept), difficulty, number, table).position)] = None
        if len(found) == count:
            return tuple(found)
    raise AssertionError("counting never ends")


def drawn_guesses(difficulty: int, count: int, seed: int) -> tuple[GuessAsked, ...]:
    """Positions with a box worth guessing in each."""
    table = _table()
    found: dict[str, GuessAsked] = {}
    for number in itertools.count(seed * MOST_POSITIONS * 2):
        position = make_drill(Concept.READING_ODDS, difficulty, number, table).position
        if prediction_target(position) is not None:
            line = notation.write(position)
            found[line] = guess_of(line)
        if len(found) == count:
            return tuple(found.values())
    raise AssertionError("counting never ends")


def _table() -> Table:
    table = solved()
    if table is None:
        raise Refused("The game is still being solved; positions can be drawn in a minute. Or write your own.")
    return table

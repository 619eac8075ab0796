"""What is asked in practice: a decision or a chance to guess, from the player's own games or made for a concept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.core.cache import cache

from apps.accounts.models import Player
from apps.dicee import decisions
from apps.dicee.decisions import GUESS_POINTS, Problem, write_choice
from apps.practice.models import Answer, Drill, Source
from engine.dicee import advice, notation
from engine.dicee.advice import NEAR_TIE, PAR_COUNT, Grade
from engine.dicee.analysis import Position
from engine.dicee.boxes import BOX_NUMBER, BOXES, UPPER, Variant
from engine.dicee.learning import CONCEPTS, Concept, make_drill
from engine.dicee.tables import Table
from engine.wire import EngineError

#: A guess within this much of the truth is right; the same band that earns points at the table.
CLOSE = GUESS_POINTS[1][0]
LEVELS = (1, 2, 3)
#: Positions per concept and difficulty. The search for one takes a tenth of a second, a hard one half a second.
SHELF = 400
KEPT_SECONDS = 60 * 24 * 3600
STRIDE = 1_000_003  # to another seed, when a position has nothing left to guess


class NotReadyError(Exception):
    """The solved game is still being computed, so nothing can be judged yet."""


@dataclass(frozen=True)
class Item:
    """A question by name: small enough to lie in a session, whole enough to be asked again."""

    position: str
    concept: str
    source: str
    origin: str = ""  # of an own mistake: the decision it was
    box: str = ""  # of a guess: whose chance

    @classmethod
    def of(cls, drill: Drill) -> Item:
        guessed = drill.source == Source.DRILL and drill.concept == Concept.READING_ODDS
        box = target(notation.read(drill.position)) if guessed else ""
        return cls(drill.position, drill.concept, drill.source, drill.origin, box)

    def kept(self) -> dict[str, Any]:
        return asdict(self)


def solved(variant: Variant = Variant.STANDARD) -> Table:
    """The table that positions of a rule set are judged by."""
    table = decisions.solved(variant)
    if table is None:
        raise NotReadyError
    return table


def fresh(concept: Concept, level: int, seed: int) -> Item:
    """A position for a concept from the shelf: made when it is first asked for, then kept for everyone."""
    number = seed % SHELF
    key = f"practice:drill:1:{concept.value}:{level}:{number}"
    kept = cache.get(key)
    if kept is None:
        kept = made(concept, level, number).kept()
        cache.set(key, kept, KEPT_SECONDS)
    return Item(**kept)


def made(concept: Concept, level: int, seed: int) -> Item:
    """A position for a concept; for reading odds, a chance to guess in it."""
    position = make_drill(concept, level, seed, solved()).position
    if concept is not Concept.READING_ODDS:
        return Item(text_of(position), concept.value, Source.DRILL)
    box = target(position)
    return Item(text_of(position), concept.value, Source.DRILL, box=box) if box else made(concept, level, seed + STRIDE)


def text_of(position: Position) -> str:
    """Dice lie in no order in a drill, so the same position is always the same text."""
    return notation.write(Position(position.card, position.variant, tuple(sorted(position.dice)), position.rolls_left))


def target(position: Position) -> str:
    box = decisions.prediction_target(position)
    return "" if box is None else BOXES[box]


# -- Decisions ----------------------------------------------------------------------------------------------------


def problem(item: Item, player: Player | None) -> Problem:
    """The question of an item. An own mistake remembers what was chosen then and where to see it."""
    if item.origin and player is not None:
        try:
            return decisions.question(player, item.origin)
        except EngineError:
            pass  # the game is gone or no longer this player's; the position still teaches
    position = notation.read(item.position)
    return decisions.problem(item.position, position, solved(position.variant))


def is_right(lost: float) -> bool:
    """Closer to the best than any player could feel counts as right."""
    return lost <= NEAR_TIE


# -- Guesses ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    name: str

    @property
    def title(self) -> str:
        return decisions.box_title(self.name)

    @property
    def meaning(self) -> str:
        """When an upper box counts as made (ruling D16); the others say it by their names."""
        number = BOX_NUMBER[self.name]
        return f"at least {advice.NUMBER[PAR_COUNT]} of that face" if number in UPPER else ""


@dataclass(frozen=True)
class Riddle:
    """A chance to guess: how likely is this box if the turn is played for it?"""

    key: str
    position: Position
    box: Box

    @property
    def turn(self) -> int:
        return len(BOXES) + 1 - len(self.position.card.open_boxes)

    @property
    def truth(self) -> float:
        return decisions.best_chance(self.position, BOX_NUMBER[self.box.name])


@dataclass(frozen=True)
class Guess:
    """A guess beside the truth, as ``dicee/components/guess_result.html`` shows it."""

    predicted: float
    actual: float
    total: int = 0

    @property
    def delta(self) -> float:
        return abs(self.predicted - self.actual)

    @property
    def points(self) -> int:
        return next((points for within, points in GUESS_POINTS if self.delta <= within), 0)

    @property
    def right(self) -> bool:
        return self.delta <= CLOSE


def riddle(item: Item) -> Riddle:
    return Riddle(item.position, notation.read(item.position), Box(item.box))


# -- Answers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answered:
    """A question with its answer, for the page that says how good it was."""

    item: Item
    question: Problem | Riddle
    right: bool
    lost: float | None = None
    grade: Grade | None = None
    chosen: int | None = None
    guess: Guess | None = None


def judge(item: Item, player: Player | None, said: str) -> Answered:
    """Judge what was said: the number of a choice, or a chance in whole percent."""
    if not (said.isascii() and said.isdecimal()) or len(said) > 3:
        wanted = "Guess a whole number from 0 to 100." if item.box else "Choose one of the answers."
        raise EngineError(wanted, field="answer", constraint="whole number", expected="0–100", actual=said[:20])
    number = int(said)
    if item.box:
        return _judge_guess(item, number)
    asked = problem(item, player)
    grade = asked.answer(number)
    return Answered(item, asked, is_right(grade.points_lost), grade.points_lost, grade, number)


def _judge_guess(item: Item, percent: int) -> Answered:
    if percent > 100:
        raise EngineError(
            f"A chance is 0–100 %; you said {percent}.",
            field="answer",
            constraint="range",
            expected="0–100",
            actual=percent,
        )
    asked = riddle(item)
    guess = Guess(percent / 100, asked.truth)
    return Answered(item, asked, guess.right, guess=guess)


def keep(answered: Answered, player: Player, took_ms: int, place: str = "", source: str = "") -> Answer:
    """Write an answer down."""
    item, guess = answered.item, answered.guess
    choice = answered.grade.chosen if answered.grade else None
    return Answer.objects.create(
        player=player,
        source=source or item.source,
        place=place,
        position=item.position,
        concept=item.concept,
        choice=write_choice(choice) if choice else "",
        lost=answered.lost,
        box=item.box,
        predicted=guess.predicted if guess else None,
        truth=guess.actual if guess else None,
        took_ms=took_ms,
    )


#: For pickers: value, title, what it is about.
SUBJECTS = tuple((concept.value, text.title, text.text) for concept, text in CONCEPTS.items())

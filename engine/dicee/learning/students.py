"""Simulated players: perfect, careless, or with one wrong idea about the game.

A wrong idea is planted in how a player *values* things and knows nothing of opportunities or costs: either a belief,
which is a slightly different game solved exactly (no bonus, a dearer Dicee, nothing after this turn), or an appeal,
which makes some choices look a few points better than they are. On top comes carelessness: at temperature T a choice
that looks x points worse is e^(x/T) times rarer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dicee.analysis import (
    BEFORE_FIRST_ROLL,
    FIVES,
    Horizon,
    Option,
    Position,
    Values,
    analyze,
    box_values,
)
from engine.dicee.boxes import (
    BOXES,
    CHANCE,
    DICEE,
    DICEE_SCORE,
    LOWER,
    UPPER,
    UPPER_BONUS,
    Rules,
    Scorecard,
    Variant,
    rules,
)
from engine.dicee.lattice import COUNTS, DICE, FACES, FIRST_ROLL, KEEPS, SIZE, TRANSITION, best_of_keeps
from engine.dicee.lattice import sub_keeps as keeps_of
from engine.dicee.learning.observations import Observation, observe
from engine.dicee.learning.patterns import longest_run
from engine.dicee.outlook import MADE
from engine.dicee.solver import REROLLS, Ints, solve
from engine.dicee.tables import Table

PACE_MS, PACE_SPREAD = 6_000, 0.5
REMEMBERED = 256  # turns: the first few of every game come again


@dataclass(frozen=True, slots=True)
class Belief:
    """What a player thinks the game pays; ``ahead`` is whether anything after this turn is thought of."""

    upper_bonus: int = UPPER_BONUS
    dicee: int = DICEE_SCORE
    ahead: bool = True


TRUTH = Belief()


@dataclass(frozen=True, slots=True)
class Lapses:
    """Carelessness of another kind than one temperature for everything."""

    writing: float | None = None  # temperature without rolls left, if another
    first: float | None = None  # temperature at the first keep, if another
    tires: float = 0.0  # added to the temperature with every turn
    ranked: float = 0.0  # this often the second or third best
    near: float = 0.0  # this often anything that loses less than ``NEAR``
    blur: float = 0.0  # points by which every choice is misjudged, anew each time
    moody: float = 0.0  # this share of games at temperature ``WILD``


STEADY = Lapses()
NEAR, WILD = 6.0, 4.0


@dataclass(frozen=True, slots=True)
class Student:
    """A way of playing. ``pattern`` is what the model should name; ``appeal`` and ``pull`` say what looks better."""

    name: str
    pattern: str | None = None
    belief: Belief = TRUTH
    appeal: str = ""
    pull: float = 0.0  # points
    noise: float = 0.0  # temperature
    slips: float = 0.0  # and this often anything at all
    lapses: Lapses = STEADY
    becomes: float | None = None  # temperature after ``LEARNT`` games, reached evenly
    drops_after: int | None = None  # games with the wrong idea

    def careless(self, noise: float, slips: float = 0.0) -> Student:
        return replace(self, noise=noise, slips=slips)

    @property
    def is_steady(self) -> bool:
        return self.becomes is None and self.drops_after is None

    def at(self, game: int) -> Student:
        """The student in a game, the first being 0."""
        noise = self.noise
        if self.becomes is not None:
            noise += (self.becomes - noise) * min(1.0, game / (LEARNT - 1))
        if self.lapses.moody and random.Random(f"{self.name}/{game}").random() < self.lapses.moody:
            noise = WILD
        if self.drops_after is not None and game >= self.drops_after:
            return replace(self, noise=noise, pattern=None, belief=TRUTH, appeal="", pull=0.0)
        return replace(self, noise=noise)


LEARNT = 30
STUDENTS = (
    Student("perfect"),
    Student("careless", noise=0.5),
    Student("very careless", noise=1.5),
    Student("wild", noise=4.0),
    Student("absent-minded", slips=0.1),
    Student("careless when keeping", noise=1.5, lapses=Lapses(writing=0.05)),
    Student("careless when writing", noise=0.05, lapses=Lapses(writing=2.5)),
    Student("rushes the first keep", noise=0.2, lapses=Lapses(first=2.5)),
    Student("tires", noise=0.1, lapses=Lapses(tires=0.2)),
    Student("second or third best", noise=0.1, lapses=Lapses(ranked=0.25)),
    Student("errs plausibly", noise=0.05, lapses=Lapses(near=0.1)),
    Student("misjudges", lapses=Lapses(blur=2.0)),
    Student("moody", noise=0.2, lapses=Lapses(moody=0.3)),
    Student("improves", noise=2.6, becomes=0.5),
    Student("slips back", noise=0.4, becomes=1.8),
    Student("keeps pairs", "pairs_over_runs", appeal="pair_in_run", pull=6.0, noise=0.3),
    Student("spends Chance", "chance_early", appeal="chance", pull=9.0, noise=0.3),
    Student("sees no bonus", "ignores_bonus", Belief(upper_bonus=0), noise=0.3),
    Student("loves Dicee", "chases_dicee", Belief(dicee=200), noise=0.3),
    Student("stops early", "stops_early", appeal="made", pull=7.0, noise=0.3),
    Student("holds high dice", "keeps_highest", appeal="lone_high", pull=5.0, noise=0.3),
    Student("holds a kicker", "keeps_kicker", appeal="kicker", pull=4.0, noise=0.3),
    Student("strikes big boxes", "strikes_big", appeal="big_zero", pull=9.0, noise=0.3),
    Student("loves straights", "chases_straights", appeal="run", pull=6.0, noise=0.3),
    Student("lives for the turn", "most_now", Belief(ahead=False), noise=0.3),
    Student("upper section first", "upper_first", appeal="upper", pull=12.0, noise=0.3),
    Student("hoards Chance", "saves_chance", appeal="not_chance", pull=9.0, noise=0.3),
    Student("breaks two pairs", "splits_two_pairs", appeal="one_pair", pull=5.0, noise=0.3),
    Student("gambles", "risks_made", appeal="roll_on", pull=10.0, noise=0.3),
    Student("starts afresh", "throws_all", appeal="nothing", pull=5.0, noise=0.3),
    Student("fears zeros", "avoids_zero", appeal="not_zero", pull=9.0, noise=0.3),
)


#: Students who give a wrong idea up halfway.
REFORMED = (
    Student("gives up stopping early", "stops_early", appeal="made", pull=7.0, noise=0.4, drops_after=15),
    Student("gives up pairs", "pairs_over_runs", appeal="pair_in_run", pull=6.0, noise=0.4, drops_after=15),
    Student("gives up high dice", "keeps_highest", appeal="lone_high", pull=5.0, noise=0.4, drops_after=15),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A card's next turn, valued: ``boxes[box, roll]`` and, by rolls left, ``keeps[left][keep]``."""

    boxes: Values
    keeps: tuple[Values, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One decision, ready to be played through the real game. The rank of ``chosen`` is not worked out."""

    position: Position
    chosen: Option
    rolled: tuple[int, ...]  # the dice after a reroll, kept ones first; empty when a box was written
    took_ms: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    score: int
    lost: float
    moves: tuple[Move, ...]


def play(student: Student, seed: int, table: Table) -> PlayedGame:
    """One game of a student. The same seed gives the same game."""
    luck = random.Random(seed)
    card = Scorecard()
    moves: list[Move] = []
    while not card.is_complete:
        moves += _turn(student, card, table, luck)
        card = card.after(str(moves[-1].chosen.box), moves[-1].position.dice, table.variant)
    return PlayedGame(card.grand_total, sum(move.chosen.points_lost for move in moves), tuple(moves))


def observations(game: PlayedGame, table: Table) -> list[Observation]:
    """A simulated game as the learning model sees it."""
    seen: list[Observation] = []
    held: tuple[int, ...] = ()
    for move in game.moves:
        found = analyze(move.position, Horizon.GAME, table)
        chosen = found.option(keep=move.chosen.keep, box=move.chosen.box)
        seen.append(observe(move.position, chosen, found, move.took_ms, held=held))
        held = move.chosen.keep or ()
    return seen


def _turn(student: Student, card: Scorecard, table: Table, luck: random.Random) -> Iterator[Move]:
    dice = tuple(luck.choice(FACES) for _ in range(DICE))
    for left in reversed(range(BEFORE_FIRST_ROLL)):
        here = Position(card, table.variant, dice, left)
        chosen = choose(student, here, table, luck)
        took = round(PACE_MS * luck.lognormvariate(0, PACE_SPREAD))
        if chosen.keep is None:
            yield Move(here, chosen, (), took)
            return
        dice = (*chosen.keep, *(luck.choice(FACES) for _ in range(DICE - len(chosen.keep))))
        yield Move(here, chosen, dice, took)


def choose(student: Student, here: Position, table: Table, luck: random.Random) -> Option:
    """What a student does with dice on the table: value every action as the student sees it, then be careless."""
    real = valued(here.card, table, TRUTH)
    seems = valued(here.card, table, student.belief)
    keeps, boxes = actions(here, real)
    worth = _worth(here, real, keeps, boxes)
    looks = _worth(here, seems, keeps, boxes)
    if student.appeal:
        looks = looks + student.pull * APPEALS[student.appeal](here, keeps, boxes)
    at = _picked(student, here, looks, luck)
    lost = max(0.0, float(worth.max() - worth[at]))
    if at < len(boxes):
        return Option(float(worth[at]), lost, 0, box=BOXES[boxes[at]])
    return Option(float(worth[at]), lost, 0, keep=KEEPS[keeps[at - len(boxes)]])


def _picked(student: Student, here: Position, looks: Values, luck: random.Random) -> int:
    """The place of the choice, for a player to whom choices look so good."""
    lapses = student.lapses
    if student.slips and luck.random() < student.slips:
        return luck.randrange(len(looks))
    if lapses.ranked and luck.random() < lapses.ranked:
        order = np.argsort(-looks, kind="stable")
        return int(order[min(luck.choice((1, 2)), len(order) - 1)])
    if lapses.near and luck.random() < lapses.near:
        return int(luck.choice(np.flatnonzero(looks >= looks.max() - NEAR)))
    if lapses.blur:
        looks = looks + [luck.gauss(0, lapses.blur) for _ in looks]
    noise = _temperature(student, here)
    if noise:
        weights = np.exp((looks - looks.max()) / noise)
        return min(len(looks) - 1, int(np.searchsorted(weights.cumsum(), luck.random() * weights.sum())))
    return int(looks.argmax())


def _temperature(student: Student, here: Position) -> float:
    lapses = student.lapses
    tired = lapses.tires * (len(BOXES) - len(here.card.open_boxes))
    if not here.rolls_left and lapses.writing is not None:
        return lapses.writing + tired
    if here.rolls_left == REROLLS and lapses.first is not None:
        return lapses.first + tired
    return student.noise + tired


def actions(here: Position, real: Turn) -> tuple[Ints, Ints]:
    """The keeps (none without rolls left) and boxes a position allows, by number."""
    keeps = keeps_of(here.roll)[:-1] if here.rolls_left else np.zeros(0, np.int64)
    return keeps, np.flatnonzero(np.isfinite(real.boxes[:, here.roll]))


def _worth(here: Position, turn: Turn, keeps: Ints, boxes: Ints) -> Values:
    """Boxes first, then keeps: on a tie points in hand come first."""
    return np.concatenate([turn.boxes[boxes, here.roll], turn.keeps[here.rolls_left][keeps]])


@lru_cache(REMEMBERED)
def valued(card: Scorecard, table: Table, belief: Belief) -> Turn:
    """A turn as a player with that belief values it."""
    return _rolled(_boxes(card, table, belief))


def _boxes(card: Scorecard, table: Table, belief: Belief) -> Values:
    if belief == TRUTH:
        return box_values(card, table.variant, table)
    boxes = box_values(card, table.variant, believed(table.variant, belief) if belief.ahead else None)
    boxes[DICEE, FIVES] += belief.dicee - DICEE_SCORE  # stays -inf where the box is filled
    return boxes


def _rolled(boxes: Values) -> Turn:
    held: Values = boxes.max(axis=0)
    keeps: list[Values] = [np.full(len(KEEPS), -np.inf)]
    for _ in range(REROLLS):
        keeps.append(TRANSITION @ held)
        held = best_of_keeps(keeps[-1])
    return Turn(boxes, tuple(keeps))


@cache
def believed(variant: Variant, belief: Belief) -> Table:
    """The game as the belief has it, solved: a few seconds, once."""
    scores = rules(variant).scores.copy()
    scores[:, DICEE, FIVES] = np.where(scores[:, DICEE, FIVES] == DICEE_SCORE, belief.dicee, scores[:, DICEE, FIVES])
    return Table(variant, solve(Rules(scores, belief.upper_bonus)), 0.0, from_file=False)


#: How much of the pull each action has, boxes first. The dice, the keeps and the boxes are all an appeal looks at.
Appeal = Callable[[Position, Ints, Ints], Values]

MOST = COUNTS.max(axis=1)

PAIRS = (SIZE == 2) & (MOST == 2)
RUNS = np.array([len(keep) >= 3 and len(set(keep)) == len(keep) == longest_run(keep) for keep in KEEPS])
LONE_HIGH = np.array([bool(keep) and min(keep) >= 5 and len(set(keep)) == len(keep) for keep in KEEPS])
BIG = [box for box in LOWER if box not in (DICEE, CHANCE)]


def _on_keeps(looks_good: NDArray[np.bool_]) -> Appeal:
    def appeal(here: Position, keeps: Ints, boxes: Ints) -> Values:
        return np.concatenate([np.zeros(len(boxes)), looks_good[keeps]])

    return appeal


def _pair_in_run(here: Position, keeps: Ints, boxes: Ints) -> Values:
    tempted = longest_run(here.dice) >= 3 and MOST[FIRST_ROLL + here.roll] == 2
    return np.concatenate([np.zeros(len(boxes)), tempted * PAIRS[keeps]])


def _chance(here: Position, keeps: Ints, boxes: Ints) -> Values:
    return np.concatenate([(boxes == CHANCE) * (here.rolls_left == 0), np.zeros(len(keeps))])


def _made(here: Position, keeps: Ints, boxes: Ints) -> Values:
    pays = _pays(here, boxes)
    return np.concatenate([(pays >= MADE[boxes]) * (here.rolls_left > 0), np.zeros(len(keeps))])


def _big_zero(here: Position, keeps: Ints, boxes: Ints) -> Values:
    struck = np.isin(boxes, BIG) & (_pays(here, boxes) == 0) & (here.rolls_left == 0)
    return np.concatenate([struck, np.zeros(len(keeps))])


def _kicker(here: Position, keeps: Ints, boxes: Ints) -> Values:
    """The largest set and the highest other die."""
    most = max(map(here.dice.count, here.dice))
    face = max(die for die in here.dice if here.dice.count(die) == most)
    spare = max((die for die in here.dice if die != face), default=0)
    wanted = tuple(sorted((*(face,) * most, spare)))
    return np.concatenate([np.zeros(len(boxes)), [most >= 2 and KEEPS[keep] == wanted for keep in keeps]])


def _upper(here: Position, keeps: Ints, boxes: Ints) -> Values:
    wanted = np.isin(boxes, UPPER) & (_pays(here, boxes) > 0) & (here.rolls_left == 0)
    return np.concatenate([wanted, np.zeros(len(keeps))])


def _not_chance(here: Position, keeps: Ints, boxes: Ints) -> Values:
    return np.concatenate([(boxes == CHANCE) * -1.0, np.zeros(len(keeps))])


def _one_pair(here: Position, keeps: Ints, boxes: Ints) -> Values:
    """Two pairs look like one too many."""
    tempted = MOST[FIRST_ROLL + here.roll] == 2 and len(set(here.dice)) == 3
    return np.concatenate([np.zeros(len(boxes)), tempted * PAIRS[keeps]])


def _roll_on(here: Position, keeps: Ints, boxes: Ints) -> Values:
    return np.concatenate([np.zeros(len(boxes)), np.ones(len(keeps))])


def _nothing(here: Position, keeps: Ints, boxes: Ints) -> Values:
    return np.concatenate([np.zeros(len(boxes)), SIZE[keeps] == 0])


def _not_zero(here: Position, keeps: Ints, boxes: Ints) -> Values:
    return np.concatenate([(_pays(here, boxes) == 0) * -1.0, np.zeros(len(keeps))])


def _pays(here: Position, boxes: Ints) -> Values:
    legal = here.card.legal_scores(here.dice, here.variant)
    return np.array([legal[BOXES[box]] for box in boxes])


APPEALS: dict[str, Appeal] = {
    "pair_in_run": _pair_in_run,
    "chance": _chance,
    "made": _made,
    "lone_high": _on_keeps(LONE_HIGH),
    "kicker": _kicker,
    "big_zero": _big_zero,
    "run": _on_keeps(RUNS),
    "upper": _upper,
    "not_chance": _not_chance,
    "one_pair": _one_pair,
    "roll_on": _roll_on,
    "nothing": _nothing,
    "not_zero": _not_zero,
}

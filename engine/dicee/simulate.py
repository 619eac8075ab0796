"""Many games at once, to check the exact figures, to show convergence and to see whole distributions.

Games are played turn by turn together. Those with the same state share one policy, so a turn costs one look at the
lattice per *distinct* state (a million games meet about 179 000) plus a few dice per game. Every game owns a 64-bit
generator (SplitMix64) seeded from ``SeedSequence(seed)``, so the result depends on the seed alone: not on threads, on
the order games are played in, or on how a run is cut into chunks for progress, cancelling and the deadline.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, repeat
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from engine.clock import TimeLimit
from engine.compiled import compiled, inner
from engine.dice.roller import Roller
from engine.dicee.analysis import BEFORE_FIRST_ROLL, UPPER_TARGET, Horizon, Option, Position, analyze
from engine.dicee.boxes import BOX_NUMBER, CHANCE, DICEE, UPPER_BONUS, UPPER_MASK, UPPER_PAR, rules
from engine.dicee.lattice import DICE, FIRST_ROLL, SIDES
from engine.dicee.solver import (
    DICEE_SOURCE,
    HOLDS_DICEE,
    N_BOXES,
    N_KEEPS,
    N_ROLLS,
    N_SOURCES,
    SOURCES,
    UPPER_SOURCE,
    Board,
    Floats,
    Ints,
    Progress,
    board,
    joker_case,
    plan_boxes,
    plan_keeps,
    slots,
)
from engine.dicee.tables import Table, slot_of
from engine.wire import EngineError

LEAST, MOST = 1_000, 10_000_000
FIRST_CHUNK = 10_000  # small, so that there is soon something to show
CHUNK = 200_000  # large, because games of one chunk share their policies
POINTS_PER_DECADE = 10
Z95 = 1.959964
SLOT_BITS = 11
SLOT_MASK = (1 << SLOT_BITS) - 1
NO_ROLL = -1
GREEDY_ENOUGH = 25  # points: a full house or better

Seeds = NDArray[np.uint64]


class Policy(StrEnum):
    """How the simulated player decides."""

    OPTIMAL = "optimal"  # most points over the rest of the game
    TURN = "turn"  # most points this turn, blind to what the box is worth later
    RANDOM = "random"  # any keep, any legal box
    GREEDY = "greedy"  # the commonest face, until a box pays well


#: What the compiled loop is told: the place of a policy in this list.
POLICIES = tuple(Policy)
FAR_SIGHTED, AT_RANDOM, BY_COMMONEST = map(POLICIES.index, (Policy.OPTIMAL, Policy.RANDOM, Policy.GREEDY))


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The running estimate after some games, for a convergence chart."""

    games: int
    mean: float
    half_width: float


@dataclass(frozen=True)
class Simulation:
    """Final scores of the games played, as counts per score, and where the points came from."""

    counts: Ints
    points_by_source: dict[str, float]
    made: tuple[int, ...]  # by box: games in which it was made from here, an upper one with three of its face
    convergence: tuple[Checkpoint, ...]
    iterations: int
    warnings: tuple[str, ...] = ()

    @property
    def actual_iterations(self) -> int:
        return int(self.counts.sum())

    @property
    def pmf(self) -> Floats:
        """``pmf[i]`` = share of games that ended with i points."""
        last = int(np.flatnonzero(self.counts)[-1])
        pmf: Floats = self.counts[: last + 1] / self.counts.sum()
        return pmf

    @property
    def mean(self) -> float:
        return float(self.counts @ np.arange(len(self.counts)) / self.counts.sum())

    @property
    def sd(self) -> float:
        off = np.arange(len(self.counts)) - self.mean
        return float(np.sqrt(self.counts @ off**2 / max(1, self.actual_iterations - 1)))

    @property
    def ci95(self) -> Interval:
        return self.interval(Z95)

    def interval(self, z: float) -> Interval:
        """Of the mean; ``z`` as :func:`z_of` has it for a level of confidence."""
        half = z * self.sd / self.actual_iterations**0.5
        return Interval(self.mean - half, self.mean + half)

    def at_least(self, target: int, z: float = Z95) -> tuple[float, Interval]:
        """The share of games that reached a score, with its interval."""
        hits = int(self.counts[max(0, target) :].sum())
        return hits / self.actual_iterations, wilson(hits, self.actual_iterations, z)

    def share_made(self, box: str, z: float = Z95) -> tuple[float, Interval]:
        """The share of games that made a box from here, with its interval."""
        hits = self.made[BOX_NUMBER[box]]
        return hits / self.actual_iterations, wilson(hits, self.actual_iterations, z)

    def percentile(self, share: float) -> int:
        """The least score that this share of the games did not exceed."""
        return int(np.searchsorted(np.cumsum(self.counts), share * self.counts.sum()))


def z_of(level: float) -> float:
    """How many standard errors an interval of a level of confidence reaches to either side.

    >>> round(z_of(0.95), 6), round(z_of(0.99), 3)
    (1.959964, 2.576)
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(hits: int, games: int, z: float = Z95) -> Interval:
    """An interval for a chance (95 % unless ``z`` says otherwise) that stays in 0–1, honest if nothing or all was hit.

    >>> round(wilson(0, 1000).low, 4), round(wilson(0, 1000).high, 4)
    (0.0, 0.0038)
    """
    p, z2 = hits / games, z**2
    centre = (p + z2 / (2 * games)) / (1 + z2 / games)
    half = z * ((p * (1 - p) + z2 / (4 * games)) / games) ** 0.5 / (1 + z2 / games)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def simulate(
    position: Position,
    iterations: int,
    seed: int,
    policy: Policy = Policy.OPTIMAL,
    table: Table | None = None,
    *,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    limit: TimeLimit | None = None,
    workers: int | None = None,
) -> Simulation:
    """Play a position to the end many times. Past the time limit, what was played by then is the answer."""
    if not LEAST <= iterations <= MOST:
        raise EngineError(
            f"Between {LEAST:,} and {MOST:,} games can be simulated; you asked for {iterations:,}.",
            field="iterations",
            constraint="range",
            expected=f"{LEAST}–{MOST}",
            actual=iterations,
        )
    if policy is Policy.OPTIMAL and table is None:
        raise ValueError("the optimal policy needs the solved table")
    warnings: tuple[str, ...] = ()
    run = _Run(position, policy, table, workers or os.cpu_count() or 1)
    for number, games in enumerate(_chunks(iterations)):
        run.play(_generators(seed, number, games))
        if progress:
            progress(run.games / iterations)
        if run.games < iterations:
            if limit and limit.reached:
                why = f"The time limit of {limit.limit:g} s was reached"
            elif cancelled():
                why = "Cancelled"
            else:
                continue
            warnings = (f"{why}: {run.games:,} of {iterations:,} games were played.",)
            break
    return run.result(iterations, warnings)


def _chunks(iterations: int) -> Iterator[int]:
    """How a run is cut. Fixed, so that the same seed gives the same games."""
    for size in chain([FIRST_CHUNK], repeat(CHUNK)):
        if iterations <= 0:
            return
        yield min(size, iterations)
        iterations -= size


def _generators(seed: int, chunk: int, games: int) -> Seeds:
    return np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(games, np.uint64).astype(np.uint64)


class _Run:
    """The games so far: a histogram, points by source and the running mean."""

    def __init__(self, position: Position, policy: Policy, table: Table | None, workers: int) -> None:
        self.position, self.policy, self.workers = position, policy, workers
        self.values = table.values if table else np.zeros((1, 1))
        self.counts = np.zeros(0, np.int64)
        self.sums = np.zeros(N_SOURCES + N_BOXES)  # points by source, then games in which a box was made
        self.checkpoints: list[Checkpoint] = []
        self.games, self.total, self.squares = 0, 0.0, 0.0

    def play(self, generators: Seeds) -> None:
        """Play one chunk to the end and add it up."""
        card = self.position.card
        filled = card.filled | (HOLDS_DICEE if card.holds_dicee else 0)
        key = np.full(len(generators), filled << SLOT_BITS | slot_of(filled, card.upper_subtotal), np.int64)
        points = np.zeros(len(key), np.int64)
        roll = self.position.roll if self.position.dice else NO_ROLL
        left = self.position.rolls_left
        with ThreadPoolExecutor(self.workers) as pool:
            for _ in range(len(card.open_boxes)):
                order = np.argsort(key, kind="stable")
                parts = np.array_split(order, self.workers)
                turn = partial(self._turn, key=key, points=points, generators=generators, roll=roll, left=left)
                self.sums += sum(pool.map(turn, parts))
                roll, left = NO_ROLL, BEFORE_FIRST_ROLL
        made_par = key & SLOT_MASK == slots().number[UPPER_MASK, UPPER_PAR]
        self.sums[UPPER_SOURCE] += UPPER_BONUS * made_par.sum()
        base = card.grand_total - card.upper_bonus
        self._add(base + points + UPPER_BONUS * made_par)

    def _turn(self, part: Ints, key: Ints, points: Ints, generators: Seeds, roll: int, left: int) -> Floats:
        sums = np.zeros(N_SOURCES + N_BOXES)
        play_turn(
            part,
            key,
            points,
            generators,
            sums,
            roll,
            left,
            POLICIES.index(self.policy),
            board(self.values, rules(self.position.variant)),
        )
        return sums

    def _add(self, scores: Ints) -> None:
        total, squares = np.cumsum(scores, dtype=float), np.cumsum(scores.astype(float) ** 2)
        for games in _log_spaced(self.games, self.games + len(scores)):
            at = games - self.games - 1
            mean = float(self.total + total[at]) / games
            variance = float(self.squares + squares[at]) / games - mean**2
            self.checkpoints.append(Checkpoint(games, mean, Z95 * (max(0.0, variance) / games) ** 0.5))
        self.games += len(scores)
        self.total += total[-1]
        self.squares += squares[-1]
        size = max(len(self.counts), int(scores.max()) + 1)
        self.counts = np.pad(self.counts, (0, size - len(self.counts))) + np.bincount(scores, minlength=size)

    def result(self, iterations: int, warnings: tuple[str, ...]) -> Simulation:
        means = dict(zip(SOURCES, (self.sums[:N_SOURCES] / self.games).tolist(), strict=True))
        made = tuple(int(games) for games in self.sums[N_SOURCES:])
        return Simulation(self.counts, means, made, tuple(self.checkpoints), iterations, warnings)


def _log_spaced(after: int, upto: int) -> list[int]:
    """Evenly spaced on a logarithmic axis, in (after, upto], the end included."""
    steps = range(2 * POINTS_PER_DECADE, 8 * POINTS_PER_DECADE)
    marks = {round(10 ** (step / POINTS_PER_DECADE)) for step in steps} | {upto}
    return sorted(mark for mark in marks if after < mark <= upto)


class Bot(StrEnum):
    """Opponents, from no plan at all to no mistake at all."""

    RANDOM = "random"
    GREEDY = "greedy"  # collects the commonest face and takes the first box that pays well
    TURN_OPTIMAL = "turn_optimal"
    PERFECT = "perfect"


#: How each bot decides, for playing many games of it at once.
BOT_POLICIES = {
    Bot.RANDOM: Policy.RANDOM,
    Bot.GREEDY: Policy.GREEDY,
    Bot.TURN_OPTIMAL: Policy.TURN,
    Bot.PERFECT: Policy.OPTIMAL,
}


def bot_move(bot: Bot, position: Position, roller: Roller, table: Table | None = None) -> Option:
    """What a bot does with dice on the table. ``PERFECT`` needs the table; only ``RANDOM`` uses the roller.

    >>> from engine.dice.roller import SeededRoller
    >>> from engine.dicee.boxes import Scorecard, Variant
    >>> here = Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 6), 2)
    >>> bot_move(Bot.GREEDY, here, SeededRoller(1)).box
    'large_straight'
    """
    if bot is Bot.PERFECT:
        return analyze(position, Horizon.GAME, table).best
    found = analyze(position)
    if bot is Bot.TURN_OPTIMAL:
        return found.best
    if bot is Bot.RANDOM:
        kept = [face for face in position.dice if roller.roll(2) == 1]
        if position.rolls_left and len(kept) < len(position.dice):
            return found.option(keep=kept)
        return found.boxes[roller.roll(len(found.boxes)) - 1]
    commonest = max(position.dice, key=lambda face: (position.dice.count(face), face))
    kept = [commonest] * position.dice.count(commonest)
    if not position.rolls_left or len(kept) == DICE or found.boxes[0].ev >= GREEDY_ENOUGH:
        return found.boxes[0]
    return found.option(keep=kept)


@compiled
def play_turn(
    order: Ints,
    key: Ints,
    points: Ints,
    generators: Seeds,
    sums: Floats,
    first_roll: int,
    first_left: int,
    policy: int,
    on: Board,
) -> None:
    """One turn of every game in ``order``, which is sorted so that equal states are neighbours."""
    at_random = policy == AT_RANDOM
    worth = np.empty(N_KEEPS)
    keeps = np.zeros((BEFORE_FIRST_ROLL, N_KEEPS), np.int64)  # [rolls left, roll as a keep] -> best keep
    boxes = np.zeros(N_ROLLS, np.int64)  # roll -> best box
    left_behind = np.empty((N_BOXES, DICE + 1))
    known = -1
    for game in order:
        card, slot = key[game] >> SLOT_BITS, key[game] & SLOT_MASK
        if key[game] != known and not at_random:
            known = key[game]
            plan_boxes(worth, boxes, left_behind, card, slot, policy == FAR_SIGHTED, on)
            if policy == BY_COMMONEST:
                collect_commonest(worth, keeps, on)
            else:
                plan_keeps(worth, keeps, on.child)
        dice = FIRST_ROLL + first_roll if first_roll >= 0 else throw(0, generators, game, on.child)
        for left in range(min(first_left, BEFORE_FIRST_ROLL - 1), 0, -1):
            held = any_keep(dice, generators, game, on) if at_random else keeps[left, dice]
            dice = throw(held, generators, game, on.child)
        roll = dice - FIRST_ROLL
        case = joker_case(card, on.five_of[roll])
        box = any_box(card, case, roll, generators, game, on.scores) if at_random else boxes[roll]
        pay = on.scores[case, box, roll]
        earned = on.dicee_bonus * (card >> N_BOXES) if case else 0
        points[game] += pay + earned
        sums[box] += pay
        if pay >= (UPPER_TARGET * (box + 1) if box < SIDES else box != CHANCE):
            sums[N_SOURCES + box] += 1
        sums[DICEE_SOURCE] += earned
        if box < SIDES:
            slot = on.after[slot, box, on.counts[roll, box]]
        if box == DICEE and pay > 0:
            card |= HOLDS_DICEE
        key[game] = (card | 1 << box) << SLOT_BITS | slot


@inner
def collect_commonest(worth: Floats, keeps: Ints, on: Board) -> None:
    """The keeps of :data:`Bot.GREEDY`: the commonest face, the higher of two, until a box pays well."""
    for roll in range(N_ROLLS):
        most = 0
        for face in range(SIDES):
            if on.counts[roll, face] >= on.counts[roll, most]:
                most = face
        held = 0
        for _ in range(on.counts[roll, most]):
            held = on.child[held, most]
        if worth[FIRST_ROLL + roll] >= GREEDY_ENOUGH:
            held = FIRST_ROLL + roll
        for left in range(1, BEFORE_FIRST_ROLL):
            keeps[left, FIRST_ROLL + roll] = held


@inner
def throw(held: int, generators: Seeds, game: int, child: Ints) -> int:
    """Roll the dice that are not held."""
    if held >= FIRST_ROLL:
        return held
    bits = draw(generators, game)
    while held < FIRST_ROLL:
        held = child[held, bits % SIDES]
        bits //= SIDES
    return held


@inner
def any_keep(dice: int, generators: Seeds, game: int, on: Board) -> int:
    """Each die is kept or not by the toss of a coin."""
    held = 0
    bits = draw(generators, game)
    for face in range(SIDES):
        for _ in range(on.counts[dice - FIRST_ROLL, face]):
            if bits & 1:
                held = on.child[held, face]
            bits >>= 1
    return held


@compiled
def any_box(card: int, case: int, roll: int, generators: Seeds, game: int, scores: Ints) -> int:
    """One of the legal boxes, each as likely as the others."""
    legal = np.flatnonzero(scores[case, :, roll] >= 0)
    legal = legal[(card >> legal & 1) == 0]
    return int(legal[draw(generators, game) % len(legal)])


@inner
def draw(generators: Seeds, game: int) -> np.int64:
    """The next 53 random bits of a game (SplitMix64). Six does not divide 2^53: faces are off by less than 1e-11."""
    generators[game] += np.uint64(0x9E3779B97F4A7C15)
    mixed = generators[game]
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.int64((mixed ^ mixed >> np.uint64(31)) >> np.uint64(11))

"""The same questions by rolling dice: seeded Monte Carlo, many games at a time.

It exists to check the exact engine and to show how slowly sampling gets there. Dice are rolled and re-rolled face by
face; what follows from given dice (rules that change them, the best saves, the moves of a fight) is looked up where the
exact engine works it out, and every chance is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled, compiled_in_place
from engine.dice.pmf import Array
from engine.killteam import pool
from engine.killteam.arena import Arena
from engine.killteam.board import DICE, Board, kind_of, lines, opening_kind, place
from engine.killteam.chances import Choices
from engine.killteam.fight import turned
from engine.killteam.moves import (
    CRIT_PARRY,
    DUELIST,
    FIRST,
    FOE_C,
    FOE_N,
    KIND,
    MOST_MOVES,
    OWN_C,
    OWN_N,
    PHASE,
    SECOND,
    Row,
    legal_moves,
)
from engine.killteam.pool import Roll, roll_of
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, FightOptions, FnpMode, ShootOptions
from engine.killteam.rounds import Uncertain
from engine.killteam.shoot import dice_removed, surviving_hits

Ints = NDArray[np.int64]

CHECKPOINTS = 12  # of a convergence series, evenly spaced on a logarithmic scale
FACES = 6


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sample mean with its standard error, and how both came about: (games, mean, standard error)."""

    mean: float
    standard_error: float
    series: tuple[tuple[int, float, float], ...]


def estimate(samples: Array) -> Estimate:
    """Mean and error of samples in the order they were drawn.

    >>> estimate(np.array([1.0, 3.0])).standard_error
    1.0
    """
    counts = np.arange(1, samples.size + 1)
    means = np.cumsum(samples) / counts
    spread = np.maximum(0.0, np.cumsum(samples**2) / counts - means**2)
    errors = np.sqrt(spread / np.maximum(1, counts - 1))
    stops = np.unique(np.geomspace(min(100, samples.size), samples.size, CHECKPOINTS).astype(np.int64))
    series = tuple((int(n), float(means[n - 1]), float(errors[n - 1])) for n in stops)
    return Estimate(float(means[-1]), float(errors[-1]), series)


def roll_dice(roll: Roll, games: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Criticals and normals of so many independent rolls.

    >>> crits, norms = roll_dice(roll_of(Attacker(num_dice=3, dice_stat=1)), 5, np.random.default_rng(1))
    >>> set((crits + norms).tolist())
    {3}
    """
    faces = rng.integers(1, FACES + 1, size=(games, roll.rolled))
    again = _picked_up(faces, roll)
    faces = np.where(again, rng.integers(1, FACES + 1, size=faces.shape), faces)
    crits, fails = (faces >= roll.crit_on).sum(axis=1), (_failed(faces, roll)).sum(axis=1)
    norms = roll.rolled - crits - fails
    return _afterwards(crits + roll.auto_crits, norms + roll.auto_norms, fails, roll)


def _failed(faces: Ints, roll: Roll) -> NDArray[np.bool_]:
    return faces < min(roll.stat, roll.crit_on)


def _first_few(chosen: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    return chosen & (np.cumsum(chosen, axis=1) <= count)


def _picked_up(faces: Ints, roll: Roll) -> NDArray[np.bool_]:
    """Which dice the re-roll rule picks up."""
    failed = _failed(faces, roll)
    if roll.reroll == pool.NONE:
        return np.zeros_like(failed)
    if roll.reroll in (pool.BALANCED, pool.DOUBLE):
        return _first_few(failed, 1 if roll.reroll == pool.BALANCED else 2)
    if roll.reroll == pool.RELENTLESS:
        return failed
    if roll.reroll == pool.CRIT_FISH:
        return faces < roll.crit_on
    first: NDArray[np.bool_]
    if roll.reroll in (pool.ONES, pool.ONES_BALANCED):
        first = failed & (faces == 1)
    else:
        piles = np.stack([(failed & (faces == face)).sum(axis=1) for face in range(1, FACES + 1)], axis=1)
        first = failed & (faces == piles.argmax(axis=1)[:, None] + 1)
    if roll.reroll in (pool.ONES_BALANCED, pool.CEASELESS_BALANCED):
        return first | _first_few(failed & ~first, 1)
    return first


def _afterwards(c: Ints, n: Ints, f: Ints, roll: Roll) -> tuple[Ints, Ints]:
    """After-roll rules: look each distinct result up once, by the rule code of the exact engine."""
    size = roll.dice + 1
    key = (c * size + n) * size + f
    distinct, back = np.unique(key, return_inverse=True)
    changed = np.array(
        [
            pool.after_roll(
                int(k) // size // size,
                int(k) // size % size,
                int(k) % size,
                roll.after,
                roll.fails_to_norms,
                roll.norms_to_crits,
                roll.crit_value,
                roll.norm_value,
            )
            for k in distinct
        ],
        dtype=np.int64,
    ).reshape(-1, 2)
    return changed[back, 0], changed[back, 1]


def shoot_samples(
    attacker: Attacker, defender: Defender, options: ShootOptions, games: int, rng: np.random.Generator
) -> Ints:
    """Damage of so many simulated shooting situations, all rounds of each added up.

    >>> sure = Attacker(num_dice=2, auto_norms=2, norm_dmg=3)
    >>> shoot_samples(sure, Defender(), ShootOptions(num_rounds=2), 3, np.random.default_rng(1)).tolist()
    [12, 12, 12]
    """
    chain = options.severe_triggers_crit_rules
    obscured, cover = defender.has(Ability.OBSCURED_TARGET), not attacker.has(Ability.SATURATE)
    attack = roll_of(attacker, obscured=obscured, chain=chain)
    saves = [roll_of(defender, removed=gone, chain=chain, cover=cover) for gone in dice_removed(attacker, defender)]
    total = np.zeros(games, np.int64)
    relics_left = np.full(games, 2)
    for _ in range(options.num_rounds):
        crits, norms = roll_dice(attack, games, rng)
        plain, pierced = (roll_dice(roll, games, rng) for roll in saves)
        s, t = (np.where(crits > 0, b, a) for a, b in zip(plain, pierced, strict=True))
        c, n, cut = surviving_hits(crits, norms, s, t, attacker, defender, options)
        used = _relic(c, n, relics_left, attacker, defender, rng)
        c, n, relics_left = c - (used == 1), n - (used == 2), relics_left - (used > 0)
        hits = c * attacker.crit_dmg + n * attacker.norm_dmg - cut * (c > 0)
        total += _after_fnp(hits + attacker.mwx * crits, crits, c, n, attacker, defender, options, rng)
    return total


def _relic(c: Ints, n: Ints, left: Ints, attacker: Attacker, defender: Defender, rng: np.random.Generator) -> Ints:
    """0, or the kind of hit that is ignored: 1 a critical, 2 a normal; the bigger ones are tried first."""
    if not defender.saintly_relics:
        return np.zeros_like(c)
    misses = (5.0 / 6.0) ** defender.saintly_relics
    crits_first = attacker.crit_dmg >= attacker.norm_dmg
    big, small = (c, n) if crits_first else (n, c)
    draw = rng.random(c.size)
    kinds = (1, 2) if crits_first else (2, 1)
    ignored = np.where(draw < 1 - misses**big, kinds[0], np.where(draw < 1 - misses ** (big + small), kinds[1], 0))
    return np.where(left > 0, ignored, 0)


def _after_fnp(
    damage: Ints,
    crits: Ints,
    c: Ints,
    n: Ints,
    attacker: Attacker,
    defender: Defender,
    options: ShootOptions,
    rng: np.random.Generator,
) -> Ints:
    if not defender.fnp:
        return damage
    chance = (7 - defender.fnp) / 6
    if (defender.fnp_mode or options.fnp_mode) == FnpMode.PER_POINT:
        return damage - rng.binomial(damage, chance)
    rolls = n * (attacker.norm_dmg > 0) + (crits if attacker.mwx else c * (attacker.crit_dmg > 0))
    return damage - rng.binomial(rolls, chance)


def fight_samples(
    fighter1: Fighter, fighter2: Fighter, options: FightOptions, games: int, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Wounds left to both in so many simulated fights.

    >>> sure = Fighter(num_dice=1, auto_crits=1, crit_dmg=3, wounds=5)
    >>> fight_samples(sure, sure, FightOptions(), 2, np.random.default_rng(1))[1].tolist()
    [2, 2]
    """
    if options.first_fighter == 2:
        second, first = fight_samples(fighter2, fighter1, turned(options), games, rng)
        return first, second
    arena = Arena(fighter1, fighter2, options)
    arena.chance = True  # choices are written down only where strikes may branch
    w1, w2 = np.full(games, fighter1.wounds), np.full(games, fighter2.wounds)
    if 0 in arena.wounds:
        return w1, w2
    chain1, chain2 = (np.cumsum(loss, axis=1) for loss in arena.losses)
    solved = Uncertain(arena)
    solved.check_size()
    for played in solved.policies():
        dice1 = _hands(fighter1, arena.hurt[0][w1], options, rng)
        dice2 = _hands(fighter2, arena.hurt[1][w2], options, rng)
        started = w1.copy(), w2.copy()
        for board, choices in played:
            _play(board, choices, *dice1, *dice2, *started, chain1, chain2, rng, w1, w2)
    return w1, w2


def fight_seconds(fighter1: Fighter, fighter2: Fighter, options: FightOptions) -> float:
    """About how long :func:`fight_samples` would take to know its choices. Raises what it would raise."""
    if options.first_fighter == 2:
        return fight_seconds(fighter2, fighter1, turned(options))
    arena = Arena(fighter1, fighter2, options)
    arena.chance = True
    if 0 in arena.wounds:
        return 0.0
    solved = Uncertain(arena)
    solved.check_size()
    return solved.seconds


def _hands(fighter: Fighter, hurt: Ints, options: FightOptions, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Rolled criticals and normals; the injured roll worse."""
    chain = options.severe_triggers_crit_rules
    crits, norms = np.empty(hurt.size, np.int64), np.empty(hurt.size, np.int64)
    for worse in (0, 1):
        these = hurt == worse
        roll = roll_of(fighter, worse=worse, chain=chain)
        crits[these], norms[these] = roll_dice(roll, int(these.sum()), rng)
    return crits, norms


@compiled
def _play(
    board: Board,
    choices: Choices,
    crits1: Ints,
    norms1: Ints,
    crits2: Ints,
    norms2: Ints,
    start1: Ints,
    start2: Ints,
    chain1: Array,
    chain2: Array,
    rng: np.random.Generator,
    w1: Ints,
    w2: Ints,
) -> None:  # pragma: no cover - machine code
    """Play a round in each game that starts on this board, move by move, changing the wounds in place."""
    moves = np.empty((MOST_MOVES, 8), np.int64)
    low1, low2 = board.low[0, board.hands[1, DICE]], board.low[1, board.hands[0, DICE]]
    for game in range(w1.size):
        if not (low1 <= start1[game] < board.top[0] and low2 <= start2[game] < board.top[1]):
            continue
        c1, n1, c2, n2 = crits1[game], norms1[game], crits2[game], norms2[game]
        for turn in (0, 1):
            if board.rows[turn, DUELIST] and w1[game] > 0 and w2[game] > 0:
                cell = _cell(board, opening_kind(board, turn), c1, n1, c2, n2, w1[game], w2[game])
                nth = choices[cell]
                legal = _legal(board, turn, 0, c1, n1, c2, n2, moves) if nth > 0 else 0
                for k in range(legal):
                    nth -= moves[k, KIND] >= CRIT_PARRY
                    if nth == 0:
                        c1, n1, c2, n2 = _hands_after(turn, moves, k)
                        break
        turn, phase1, phase2 = 0, 0, 0
        while w1[game] > 0 and w2[game] > 0 and c1 + n1 + c2 + n2 > 0:
            if (c1 + n1 if turn == 0 else c2 + n2) > 0:
                k = choices[_cell(board, kind_of(board, phase1, phase2, turn), c1, n1, c2, n2, w1[game], w2[game])]
                _legal(board, turn, phase1 if turn == 0 else phase2, c1, n1, c2, n2, moves)
                for damage in (moves[k, FIRST], moves[k, SECOND]):
                    if turn == 0:
                        w2[game] = max(0, w2[game] - _lost(damage, chain1, rng))
                    else:
                        w1[game] = max(0, w1[game] - _lost(damage, chain2, rng))
                phase1, phase2 = (moves[k, PHASE], phase2) if turn == 0 else (phase1, moves[k, PHASE])
                c1, n1, c2, n2 = _hands_after(turn, moves, k)
            turn = 1 - turn


@compiled_in_place
def _cell(
    board: Board, kind: int, c1: int, n1: int, c2: int, n2: int, w1: int, w2: int
) -> int:  # pragma: no cover - machine code
    row, column = w1 - board.low[0, c2 + n2] + 1, w2 - board.low[1, c1 + n1] + 1
    return int(place(board, kind, c1, c1 + n1, c2, c2 + n2) + row * lines(board, 1, c1 + n1) + column)


@compiled_in_place
def _legal(
    board: Board, turn: int, phase: int, c1: int, n1: int, c2: int, n2: int, moves: Row
) -> int:  # pragma: no cover - machine code
    if turn == 0:
        return legal_moves(c1, n1, c2, n2, phase, board.rows[0], board.rows[1], moves)
    return legal_moves(c2, n2, c1, n1, phase, board.rows[1], board.rows[0], moves)


@compiled_in_place
def _hands_after(turn: int, moves: Row, k: int) -> tuple[int, int, int, int]:  # pragma: no cover - machine code
    if turn == 0:
        return moves[k, OWN_C], moves[k, OWN_N], moves[k, FOE_C], moves[k, FOE_N]
    return moves[k, FOE_C], moves[k, FOE_N], moves[k, OWN_C], moves[k, OWN_N]


@compiled_in_place
def _lost(damage: int, chain: Array, rng: np.random.Generator) -> int:  # pragma: no cover - machine code
    """Wounds lost to a strike, Feel No Pain drawn from its cumulated table."""
    if damage <= 0:
        return 0
    draw, lost = rng.random(), 0
    while lost < damage and draw >= chain[damage, lost]:
        lost += 1
    return lost

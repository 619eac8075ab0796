"""The same questions by rolling dice: seeded Monte Carlo, many games at a time.

It exists to check the exact engine and to show how slowly sampling gets there. Dice are rolled and re-rolled face by
face; what follows from given dice (rules that change them, the best saves, the moves of a fight) is looked up where the
exact engine works it out, and every chance is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dice.pmf import Array
from engine.killteam import duel, pool
from engine.killteam.fight import Arena
from engine.killteam.moves import FIRST, MOST_MOVES, SECOND
from engine.killteam.pool import Roll, roll_of
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, FightOptions, FnpMode, ShootOptions
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
    changed = np.array([
        pool.after_roll(
            int(k) // size // size, int(k) // size % size, int(k) % size, roll.after, roll.fails_to_norms,
            roll.norms_to_crits, roll.crit_value, roll.norm_value,
        )
        for k in distinct
    ], dtype=np.int64).reshape(-1, 2)  # fmt: skip
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
    damage: Ints, crits: Ints, c: Ints, n: Ints, attacker: Attacker, defender: Defender, options: ShootOptions,
    rng: np.random.Generator,
) -> Ints:  # fmt: skip
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
        turned = {"first_fighter": 1, "strategy1": options.strategy2, "strategy2": options.strategy1}
        second, first = fight_samples(fighter2, fighter1, options.model_copy(update=turned), games, rng)
        return first, second
    arena = Arena(fighter1, fighter2, options)
    arena.chance = True
    w1, w2 = np.full(games, fighter1.wounds), np.full(games, fighter2.wounds)
    if 0 in arena.wounds:
        return w1, w2
    arena.check_size()
    graph = _graph(arena)
    for choices, target in reversed(arena.policy_rounds((fighter1.wounds + 1, fighter2.wounds + 1))):
        i1 = _hands(fighter1, arena.hurt[0][w1], options, rng)
        i2 = _hands(fighter2, arena.hurt[1][w2], options, rng)
        block = target[i1 * arena.sizes[1] + i2, w1, w2].astype(np.int64)
        _play(block, w1, w2, choices, graph, arena, rng)
    return w1, w2


def _hands(fighter: Fighter, hurt: Ints, options: FightOptions, rng: np.random.Generator) -> Ints:
    """Rolled dice as numbers of :func:`engine.killteam.duel.pair`; the injured roll worse."""
    chain = options.severe_triggers_crit_rules
    hands = np.empty(hurt.size, np.int64)
    for worse in (0, 1):
        of_these = hurt == worse
        c, n = roll_dice(roll_of(fighter, worse=worse, chain=chain), int(of_these.sum()), rng)
        hands[of_these] = (c + n) * (c + n + 1) // 2 + c
    return hands


@dataclass(frozen=True, slots=True)
class _Graph:
    """Every state's moves as arrays, so that all games can take their next move at once."""

    turn: Ints  # -1: the round is over
    passes: NDArray[np.bool_]
    passed: Ints
    child: Ints
    first: Ints
    second: Ints


def _graph(arena: Arena) -> _Graph:
    plan = duel.schedule(*arena.rows, *arena.dice)
    blocks, sizes = plan.shape[0], np.array(arena.sizes)
    turn, passed, passes = np.empty(blocks, np.int64), np.empty(blocks, np.int64), np.zeros(blocks, np.bool_)
    child = np.zeros((blocks, MOST_MOVES), np.int64)
    first, second = np.full((blocks, MOST_MOVES), -1), np.full((blocks, MOST_MOVES), -1)
    moves = np.empty((MOST_MOVES, 8), np.int64)
    for state in plan:
        b, mine, his = state[duel.BLOCK], state[duel.MY_C] + state[duel.MY_N], state[duel.HIS_C] + state[duel.HIS_N]
        turn[b], passed[b], passes[b] = (state[duel.TURN] if mine + his else -1), state[duel.PASSED], mine == 0
        if mine:
            count = duel.options_at(state, *arena.rows, sizes, moves, child[b])
            first[b, :count], second[b, :count] = moves[:count, FIRST], moves[:count, SECOND]
    return _Graph(turn, passes, passed, child, first, second)


def _play(
    block: Ints, w1: Ints, w2: Ints, choices: duel.Choices, graph: _Graph, arena: Arena, rng: np.random.Generator
) -> None:
    """Play a round in all games at once, changing the wounds in place."""
    going = np.flatnonzero((w1 > 0) & (w2 > 0))
    while True:
        going = going[(w1[going] > 0) & (w2[going] > 0) & (graph.turn[block[going]] >= 0)]
        if going.size == 0:
            return
        skip = graph.passes[block[going]]
        block[going[skip]] = graph.passed[block[going[skip]]]
        acting = going[~skip]
        here = block[acting]
        k = choices[here, w1[acting], w2[acting]]
        for who, wounds in ((0, w2), (1, w1)):
            mine = graph.turn[here] == who
            for damage in (graph.first[here, k], graph.second[here, k]):
                lost = _lost(np.maximum(0, damage[mine]), arena.losses[who], rng)
                wounds[acting[mine]] = np.maximum(0, wounds[acting[mine]] - lost)
        block[acting] = graph.child[here, k]


def _lost(damage: Ints, loss: Array, rng: np.random.Generator) -> Ints:
    """Wounds lost to strikes, Feel No Pain rolled from its table."""
    if damage.size == 0:
        return damage
    lost: Ints = (rng.random(damage.size)[:, None] >= np.cumsum(loss[damage], axis=1)[:, :-1]).sum(axis=1)
    return lost

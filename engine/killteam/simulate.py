"""The same questions by rolling dice: seeded Monte Carlo, many games at a time.

It exists to check the exact engine and to show how slowly sampling gets there. Dice are rolled and re-rolled face by
face; what follows from given dice (rules that change them, the best saves, the moves of a fight) is looked up where the
exact engine works it out, and every chance is drawn.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.dice.pmf import Array
from engine.killteam import pool
from engine.killteam.fight.budget import Budget
from engine.killteam.fight.chance import Choices, Uncertain
from engine.killteam.fight.plan import Plan
from engine.killteam.fight.states import (
    BLOCK,
    DICE1,
    DICE2,
    FIRST,
    LEADS,
    OPENING,
    PASS,
    SECOND,
    TURN,
    WHAT,
    WHOLE_BLOCK,
    WIDTH,
    Window,
    walk,
    windowed,
)
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
    fighter1: Fighter,
    fighter2: Fighter,
    options: FightOptions,
    games: int,
    rng: np.random.Generator,
    budget: Budget | None = None,
) -> tuple[Ints, Ints]:
    """Wounds left to both in so many simulated fights.

    >>> sure = Fighter(num_dice=1, auto_crits=1, crit_dmg=3, wounds=5)
    >>> fight_samples(sure, sure, FightOptions(), 2, np.random.default_rng(1))[1].tolist()
    [2, 2]
    """
    plan = choices_plan(fighter1, fighter2, options, budget)
    arena, fighters = plan.arena, (fighter2, fighter1) if plan.is_turned else (fighter1, fighter2)
    wounds = np.stack([np.full(games, side.wounds) for side in fighters])
    if not arena.over:
        solved = Uncertain(arena)
        solved.check_size()
        cumulated = np.cumsum(arena.losses, axis=2)
        for played in solved.policies():
            dice = [_hands(side, arena.hurt[who][wounds[who]], options, rng) for who, side in enumerate(fighters)]
            started = wounds.copy()
            for window, choices in played:
                here = _starting_in(window, started)
                rolled = tuple(count[here] for hand in dice for count in hand)
                wounds[:, here] = _played(window, choices, rolled, started[:, here], cumulated, rng)
    one, two = wounds[::-1] if plan.is_turned else wounds
    return one, two


def choices_plan(fighter1: Fighter, fighter2: Fighter, options: FightOptions, budget: Budget | None = None) -> Plan:
    """The plan of a simulation: it needs the choice at every state written down."""
    return Plan(fighter1, fighter2, options, budget, every_wound=True)


def _hands(fighter: Fighter, hurt: Ints, options: FightOptions, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Rolled criticals and normals; the injured roll worse."""
    chain = options.severe_triggers_crit_rules
    crits, norms = np.empty(hurt.size, np.int64), np.empty(hurt.size, np.int64)
    for worse in (0, 1):
        these = hurt == worse
        roll = roll_of(fighter, worse=worse, chain=chain)
        crits[these], norms[these] = roll_dice(roll, int(these.sum()), rng)
    return crits, norms


def _starting_in(window: Window, wounds: Ints) -> NDArray[np.bool_]:
    """Which games start in this part of a round; nobody dead does."""
    (low1, top1), (low2, top2) = window.round.start
    one, two = wounds
    here: NDArray[np.bool_] = (low1 <= one) & (one < top1) & (low2 <= two) & (two < top2)
    return here


def _played(
    window: Window,
    choices: Choices,
    rolled: tuple[Ints, ...],
    wounds: Ints,
    cumulated: Array,
    rng: np.random.Generator,
) -> Ints:
    """Play a round in every game at once, move by move. Returns the wounds of both when dice are out or one is dead."""
    window = windowed(window.round, whole_cells=sys.maxsize)
    orders = np.ascontiguousarray(walk(window, window.stages[0][0]).T)
    low, wounds = window.round.board.low, wounds.copy()
    by_block = np.argsort(orders[BLOCK])
    order_of = partial(_order_of, orders[BLOCK][by_block], by_block)
    at = order_of(_first_blocks(window, *rolled))
    going = np.arange(wounds.shape[1])
    while going.size:
        going = going[(wounds[:, going] > 0).all(axis=0) & (orders[DICE1, at[going]] + orders[DICE2, at[going]] > 0)]
        o, w = at[going], wounds[:, going]
        rows, columns = w[0] - low[0, orders[DICE2, o]] + 1, w[1] - low[1, orders[DICE1, o]] + 1
        k = choices[orders[WHOLE_BLOCK, o] + rows * orders[WIDTH, o] + columns].astype(np.int64)
        passes = orders[WHAT, o] == PASS
        k[passes] = 0
        strikes = ~passes & (orders[WHAT, o] != OPENING)
        turn = orders[TURN, o]
        for figure in (FIRST, SECOND):
            damage = np.where(strikes, orders[figure + k, o], -1)
            wounds[1 - turn, going] = np.maximum(0, wounds[1 - turn, going] - _lost(damage, turn, cumulated, rng))
        at[going] = order_of(orders[LEADS + k, o])
    return wounds


def _order_of(blocks: Ints, number: Ints, wanted: Ints) -> Ints:
    """The numbers of the orders whose blocks begin there."""
    found: Ints = number[np.searchsorted(blocks, wanted)]
    return found


def _first_blocks(window: Window, crits1: Ints, norms1: Ints, crits2: Ints, norms2: Ints) -> Ints:
    """Where the round of each game starts, from the dice on the table."""
    one, two = window.round.hands
    return window.block(window.round.kinds.start, one.number(crits1, norms1), two.number(crits2, norms2))


def _lost(damage: Ints, turn: Ints, cumulated: Array, rng: np.random.Generator) -> Ints:
    """Wounds lost to strikes (negative damage: none), Feel No Pain drawn from the cumulated chances of the striker."""
    draw, lost = rng.random(damage.size), np.zeros_like(damage)
    for fewer in range(int(damage.max(initial=0))):
        lost += draw >= cumulated[turn, np.maximum(0, damage), fewer]
    return np.where(damage > 0, np.minimum(lost, damage), 0)

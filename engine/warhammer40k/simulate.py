"""Monte Carlo of the same document: every die of every attack rolled, a sequence at a time, in compiled code.

It reads the face tables of ``stages`` but none of the exact engine's algebra: wounds are allocated model by model as
players do it. The same seed gives the same counts whatever the chunk size; standard errors come with every mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place, inner
from engine.dice.pmf import Pmf
from engine.warhammer40k.attack import Volley
from engine.warhammer40k.profile import AttackInput, Defender, expression
from engine.warhammer40k.stages import CRITICAL, FAIL, SUCCESS, DieTable, Stages, mortal_feel_no_pain
from engine.wire import EngineError

CHUNK = 50_000
#: Dice a simulation may roll: some minutes of work.
MAX_DICE = 20_000_000_000
#: Values one histogram may have.
MAX_VALUE = 1_000_000
COUNTED = ("hits", "wounds", "unsaved", "raw_damage", "damage", "destroyed")
TERMS = 8

# A weapon is a row of whole numbers: flags and figures first, then dice fields, then the faces of its three dice.
FIGURES = (
    "rolls", "weapons", "extra_attacks", "rapid", "torrent", "lethal", "devastating", "spills", "halve", "melta",
    "reduction", "minimum", "unreduced", "pain", "mortal_pain", "rolls_strength", "strength", "toughness",
)  # fmt: skip
(
    ROLLS,
    WEAPONS,
    EXTRA_ATTACKS,
    RAPID,
    TORRENT,
    LETHAL,
    DEVASTATING,
    SPILLS,
    HALVE,
    MELTA,
    REDUCTION,
    MINIMUM,
    UNREDUCED,
    PAIN,
    MORTAL_PAIN,
    ROLLS_STRENGTH,
    STRENGTH,
    TOUGHNESS,
) = range(len(FIGURES))
#: A dice field: TERMS × (sign, count, sides, lowest face kept).
ATTACKS, RAPID_FIRE, SUSTAINED, DAMAGE, MORTALS, EXTRA, MORE_STRENGTH = (len(FIGURES) + 4 * TERMS * n for n in range(7))
#: A die: outcome of faces 0–6 (0 unused), then whether each is rerolled. The last ones: wound dice for 2+ to 6+, for
#: weapons whose Strength is rolled.
HIT, WOUND, SAVE, WOUND_ON = (len(FIGURES) + 4 * TERMS * 7 + 14 * n for n in range(4))
ROW = WOUND_ON + 5 * 14


@dataclass(frozen=True)
class Simulated:
    """How often each value came up."""

    iterations: int
    counts: dict[str, NDArray[np.int64]]
    wiped: int

    def distribution(self, stage: str) -> Pmf:
        return Pmf(self.counts[stage] / self.iterations)

    def standard_error(self, stage: str) -> float:
        """Of the mean."""
        return self.distribution(stage).sd / sqrt(self.iterations)

    @property
    def p_wiped(self) -> float:
        return self.wiped / self.iterations

    @property
    def p_wiped_error(self) -> float:
        return sqrt(self.p_wiped * (1 - self.p_wiped) / self.iterations)


def simulate(
    request: AttackInput, iterations: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> Simulated:
    """Roll the attack ``iterations`` times; ``progress(done, of)`` is called after every chunk.

    >>> simulate(AttackInput(), 10, seed=1).distribution("damage").mean
    0.0
    """
    volleys = [Volley(Stages(weapon, request.defender, request.rules)) for weapon in request.weapons]
    sizes = _sizes(volleys, request.defender, iterations)
    weapons = np.array([encoded(one) for one in volleys], dtype=np.int64).reshape(-1, ROW)
    counts = {stage: np.zeros(size, dtype=np.int64) for stage, size in sizes.items()}
    unit = request.defender
    state = np.zeros(PENDING + sizes["hits"], dtype=np.int64)
    state[[TOTAL, EACH, GONE]] = unit.total_wounds, unit.wounds, unit.wounds_already_lost
    rng = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    for done in range(0, iterations, CHUNK):
        _run(weapons, state, min(CHUNK, iterations - done), rng, *counts.values())
        if progress:
            progress(min(done + CHUNK, iterations), iterations)
    wiped = int(counts["destroyed"][unit.models]) if unit.total_wounds else 0
    return Simulated(iterations, counts, wiped)


def _sizes(volleys: list[Volley], defender: Defender, iterations: int) -> dict[str, int]:
    hits = sum(one.unsaved_bound for one in volleys)
    raw = sum(one.damage_bound for one in volleys)
    check_dice(hits, iterations, max(hits, raw, defender.total_wounds))
    return dict(zip(COUNTED, (hits + 1,) * 3 + (raw + 1, defender.total_wounds + 1, defender.models + 1), strict=True))


def check_dice(hits: int, iterations: int, largest: int = 0) -> None:
    """Refuse what would take too long; a hit takes up to four dice."""
    dice = hits * 4 * iterations
    if dice > MAX_DICE or largest > MAX_VALUE:
        raise EngineError(
            f"That is about {dice:.1e} dice; the limit is {MAX_DICE:.0e}. Use fewer attacks or fewer repetitions.",
            field="iterations",
            constraint="size",
            expected=MAX_DICE,
            actual=iterations,
        )


def encoded(one: Volley) -> NDArray[np.int64]:
    """A weapon as the compiled code reads it."""
    stages, weapon, defender = one.stages, one.weapon, one.stages.defender
    row = np.zeros(ROW, dtype=np.int64)
    row[: len(FIGURES)] = (
        one.rolls,
        weapon.count,
        stages.extra_attacks,
        weapon.half_range,
        weapon.torrent,
        stages.lethal,
        stages.devastating,
        stages.spills,
        defender.halve_damage,
        stages.melta,
        defender.damage_reduction,
        defender.damage_minimum,
        stages.edition.devastating_unreduced,
        defender.feel_no_pain,
        mortal_feel_no_pain(defender),
        stages.rolls_strength,
        weapon.strength,
        defender.toughness,
    )
    _encode_dice(row, ATTACKS, weapon.attacks)
    _encode_dice(row, RAPID_FIRE, weapon.rapid_fire)
    _encode_dice(row, SUSTAINED, weapon.sustained_hits)
    _encode_dice(row, DAMAGE, weapon.damage, stages.keep_from if weapon.reroll_damage != "none" else None)
    _encode_dice(row, MORTALS, weapon.mortal_wounds)
    _encode_dice(row, EXTRA, weapon.extra_mortals_on_crit_wound)
    _encode_dice(row, MORE_STRENGTH, weapon.strength_dice)
    if stages.rolls_strength:
        for base in range(2, 7):
            _encode_die(row, WOUND_ON + 14 * (base - 2), stages.wound_on(base))
    _encode_die(row, HIT, stages.hit)
    _encode_die(row, WOUND, stages.wound)
    _encode_die(row, SAVE, stages.save)
    return row


def _encode_dice(row: NDArray[np.int64], at: int, text: str, keep_from: Callable[[int], int] | None = None) -> None:
    terms = [term for term in expression(text).terms if term.count]
    if len(terms) > TERMS:
        raise EngineError(
            f"A dice field may add up {TERMS} parts at most; “{text}” has {len(terms)}.",
            field="weapons",
            constraint="size",
            expected=TERMS,
            actual=len(terms),
        )
    for number, term in enumerate(terms):
        lowest = keep_from(term.sides) if keep_from and term.sides else 1
        row[at + 4 * number : at + 4 * number + 4] = term.sign, term.count, term.sides, lowest


def _encode_die(row: NDArray[np.int64], at: int, table: DieTable | None) -> None:
    if table:
        row[at + 1 : at + 7] = table.outcomes
        row[at + 8 : at + 14] = table.rerolled


# -- compiled code. ``w`` is a weapon's row; records would read better, but Numba copies them at every call. ----

#: ``state``: counts of one sequence, then the unit (wounds in all, per model, gone before), then damage that waits.
HITS, WOUNDS, UNSAVED, RAW, LOST, SPILLING, WAITING, TOTAL, EACH, GONE, PENDING = range(11)
# Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
GOLDEN, MIX_1, MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS, HALF = (np.uint64(30), np.uint64(27), np.uint64(31)), np.uint64(32)


@inner
def die_face(rng: Any, sides: int) -> int:
    """A face from SplitMix64, whose whole state is one 64-bit counter: a call into NumPy per die would cost thrice.

    The top 32 bits are scaled to the die; no face is favoured by more than one part in 2³² / sides.
    """
    rng[0] += GOLDEN
    z = rng[0]
    z = (z ^ (z >> SHIFTS[0])) * MIX_1
    z = (z ^ (z >> SHIFTS[1])) * MIX_2
    z ^= z >> SHIFTS[2]
    return int(((z >> HALF) * np.uint64(sides)) >> HALF) + 1


@inner
def dice_total(rng: Any, w: Any, field: int) -> int:
    """Roll a dice field, each die below its lowest kept face once more."""
    total = 0
    for at in range(field, field + 4 * TERMS, 4):
        sign, count, sides, lowest = w[at], w[at + 1], w[at + 2], w[at + 3]
        if count == 0:
            break
        if sides == 0:
            total += sign * count
            continue
        for _ in range(count):
            face = die_face(rng, sides)
            if face < lowest:
                face = die_face(rng, sides)
            total += sign * face
    return max(0, total)


@inner
def die_outcome(rng: Any, w: Any, die: int) -> int:
    face = die_face(rng, 6)
    if w[die + 7 + face]:
        face = die_face(rng, 6)
    return int(w[die + face])


@inner
def wound_die(rng: Any, w: Any) -> int:
    """Where the wound die of a hit is: the weapon's own, or by the Strength that is rolled."""
    if not w[ROLLS_STRENGTH]:
        return WOUND
    strength, toughness = w[STRENGTH] + dice_total(rng, w, MORE_STRENGTH), w[TOUGHNESS]
    if strength >= 2 * toughness:
        return WOUND_ON
    if strength > toughness:
        return WOUND_ON + 14
    if strength == toughness:
        return WOUND_ON + 28
    return WOUND_ON + 56 if 2 * strength <= toughness else WOUND_ON + 42


@inner
def _felt(rng: Any, points: int, pain: int) -> int:
    """Wounds that Feel No Pain does not stop."""
    if pain == 0:
        return points
    lost = 0
    for _ in range(points):
        if die_face(rng, 6) < max(2, pain):
            lost += 1
    return lost


@inner
def rolled_damage(rng: Any, w: Any) -> int:
    """Damage as the dice show it, nothing added or taken off."""
    return dice_total(rng, w, DAMAGE)


@inner
def _damage(rng: Any, w: Any, mortal: bool) -> int:
    base = rolled_damage(rng, w)
    full = base + w[MELTA]
    if mortal and w[UNREDUCED]:
        return _felt(rng, full, w[MORTAL_PAIN])
    halved = (base + 1) // 2 + w[MELTA] if w[HALVE] else full
    dealt = max(min(full, w[MINIMUM]), halved - w[REDUCTION])
    return _felt(rng, dealt, w[MORTAL_PAIN] if mortal else w[PAIN])


@inner
def _strike(state: Any, points: int) -> None:
    """The model in front takes the strike; what is left over is lost."""
    if state[LOST] < state[TOTAL]:
        left = state[EACH] - (state[LOST] + state[GONE]) % state[EACH]
        state[LOST] += min(points, left)


@inner
def _wound(rng: Any, w: Any, critical: bool, state: Any) -> None:
    """One wound: devastating wounds wait, others are saved or strike at once."""
    state[WOUNDS] += 1
    if critical:
        state[SPILLING] += _felt(rng, dice_total(rng, w, EXTRA), w[MORTAL_PAIN])
    if critical and w[DEVASTATING]:
        state[UNSAVED] += 1
        points = _damage(rng, w, True)
        if w[SPILLS]:
            state[SPILLING] += points
        else:
            state[RAW] += points
            state[PENDING + state[WAITING]] = points
            state[WAITING] += 1
    elif die_outcome(rng, w, SAVE) == FAIL:
        state[UNSAVED] += 1
        points = _damage(rng, w, False)
        state[RAW] += points
        _strike(state, points)


@inner
def _attack(rng: Any, w: Any, state: Any) -> None:
    """One attack die and everything that follows from it."""
    outcome = SUCCESS if w[TORRENT] else die_outcome(rng, w, HIT)
    if outcome == FAIL:
        return
    landed = 1 + (dice_total(rng, w, SUSTAINED) if outcome == CRITICAL else 0)
    state[HITS] += landed
    for number in range(landed):
        lethal = number == 0 and outcome == CRITICAL and w[LETHAL]
        wound = SUCCESS if lethal else die_outcome(rng, w, wound_die(rng, w))
        if wound != FAIL:
            _wound(rng, w, wound == CRITICAL, state)


@inner
def _weapon(rng: Any, w: Any, state: Any) -> None:
    if not w[ROLLS]:
        state[SPILLING] += _felt(rng, dice_total(rng, w, MORTALS), w[MORTAL_PAIN])
        return
    dice = dice_total(rng, w, ATTACKS) + w[EXTRA_ATTACKS]
    if w[RAPID]:
        dice += dice_total(rng, w, RAPID_FIRE)
    for _ in range(dice):
        _attack(rng, w, state)


@compiled_in_place
def _run(
    weapons: Any,
    state: Any,
    times: int,
    rng: Any,
    n_hits: Any,
    n_wounds: Any,
    n_unsaved: Any,
    n_raw: Any,
    n_damage: Any,
    n_destroyed: Any,
) -> None:
    """Roll the whole sequence ``times`` times and count what came of it."""
    for _ in range(times):
        for at in range(TOTAL):
            state[at] = 0
        for at in range(len(weapons)):
            for _ in range(weapons[at, WEAPONS]):
                _weapon(rng, weapons[at], state)
        for at in range(state[WAITING]):
            _strike(state, state[PENDING + at])
        lost = min(state[TOTAL], state[LOST] + state[SPILLING])
        n_hits[state[HITS]] += 1
        n_wounds[state[WOUNDS]] += 1
        n_unsaved[state[UNSAVED]] += 1
        n_raw[state[RAW] + state[SPILLING]] += 1
        n_damage[lost] += 1
        n_destroyed[(lost + state[GONE]) // state[EACH] if state[TOTAL] else 0] += 1

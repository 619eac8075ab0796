"""From dice to successes: the exact distribution of (criticals, normals) of one side.

One formula serves every re-roll. Roll d dice into c criticals, n normals, f fails (a multinomial). A re-roll rule then
picks r of the f fails, with a chance P(r | f) of its own, and those r dice fall again, independently. So a rule is only
its table P(r | f): Balanced r = min(1, f); re-roll ones r ~ Binomial(f, 1/failing faces); Ceaseless r = the size of the
largest pile when f dice fall on the failing faces. Relentless for criticals re-rolls normals too, which is a change of
the single die's odds and nothing more. The rules that change dice afterwards map (c, n, f) to (c, n), in the order of
the reference calculator. O(d⁴) and about 13,000 terms for 20 dice; doubles, no cancellation, so full precision.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled, compiled_in_place
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, Profile, Reroll, Side

Grid = NDArray[np.float64]  # grid[c, n] = P(c criticals, n normals)

NONE, BALANCED, DOUBLE, ONES, RELENTLESS, CRIT_FISH, ONES_BALANCED, CEASELESS, CEASELESS_BALANCED = range(9)
REROLL_CODE = {kind: code for code, kind in enumerate(Reroll)}

PUNISHING, SEAL, ASSAULT, WAAAGH, SEVERE, RENDING, MODERATE, EXTREME, OBSCURED, CHAIN, SCRY = (
    1 << k for k in range(11)
)
AFTER_BIT = {
    Ability.PUNISHING: PUNISHING, Ability.PURITY_SEAL: SEAL, Ability.INDOMITUS: SEAL, Ability.CLOSE_ASSAULT: ASSAULT,
    Ability.WAAAGH: WAAAGH, Ability.SEVERE: SEVERE, Ability.RENDING: RENDING, Ability.ELITE_MODERATE: MODERATE,
    Ability.ELITE_EXTREME: EXTREME, Ability.OBSCURED_TARGET: OBSCURED, Ability.MYSTIC_SCRY_BUFF: SCRY,
}  # fmt: skip


class Roll(NamedTuple):
    """All that the distribution depends on, and so the key it is remembered under."""

    dice: int
    stat: int
    crit_on: int
    reroll: int
    auto_crits: int
    auto_norms: int
    fails_to_norms: int
    norms_to_crits: int
    after: int
    crit_value: int = 0  # what a die is worth to the chooser of Mystic scrying
    norm_value: int = 0

    @property
    def rolled(self) -> int:
        return self.dice - self.auto_crits - self.auto_norms

    @property
    def p_crit(self) -> float:
        return (7 - self.crit_on) / 6

    @property
    def p_norm(self) -> float:
        return max(0, self.crit_on - self.stat) / 6


def roll_of(
    side: Side, *, removed: int = 0, worse: int = 0, obscured: bool = False, chain: bool = False, cover: bool = True
) -> Roll:
    """The roll of a side: with dice ``removed`` (Piercing), a stat made ``worse`` (injury), or a target obscured.

    ``chain`` lets Severe set off other rules; without ``cover`` there are no automatic successes (Saturate).

    >>> roll_of(Attacker(num_dice=4, dice_stat=3), removed=1).dice
    3
    """
    dice = max(0, side.num_dice - removed)
    stat = min(7, side.stat_to_beat + worse)
    # Automatic successes are taken out of the dice, criticals first, so Piercing can reach cover saves.
    crits = min(side.auto_crits, dice) if cover else 0
    norms = min(side.auto_norms, dice - crits) if cover else 0
    after = 0
    for ability in side.abilities:
        after |= AFTER_BIT.get(ability, 0)
    if isinstance(side, Defender) and not isinstance(side, Profile):
        after &= ~OBSCURED  # a target's being obscured changes the attacker's dice, not its own
    after |= OBSCURED if obscured else 0
    after |= CHAIN if chain or side.severe_triggers_crit_rules else 0
    crit_on = max(side.crit_on, min(stat, 6)) if side.crit_on_asked else 6
    values = (side.crit_dmg + side.mwx, side.norm_dmg) if isinstance(side, Attacker) else (2, 1)
    if isinstance(side, Fighter):
        values = (side.crit_dmg, side.norm_dmg)
    return Roll(
        dice,
        stat,
        crit_on,
        REROLL_CODE[side.reroll],
        crits,
        norms,
        side.fails_to_norms,
        side.norms_to_crits,
        after,
        *(values if after & SCRY else (0, 0)),
    )


@lru_cache(maxsize=8192)
def distribution(roll: Roll) -> Grid:
    """P(criticals, normals) as a read-only grid.

    >>> two_dice = distribution(roll_of(Attacker(num_dice=2, dice_stat=4)))
    >>> round(float(two_dice[0, 2]), 4)  # (2/6)²
    0.1111
    """
    grid = _grid(
        roll.rolled,
        roll.p_crit,
        roll.p_norm,
        min(roll.stat, roll.crit_on) - 1 if roll.rolled else 0,
        roll.reroll,
        roll.auto_crits,
        roll.auto_norms,
        roll.fails_to_norms,
        roll.norms_to_crits,
        roll.after,
        roll.crit_value,
        roll.norm_value,
    )
    grid.flags.writeable = False
    return grid


def outcomes(grid: Grid) -> tuple[tuple[int, int, float], ...]:
    """The possible (criticals, normals, p), fewest criticals first."""
    return tuple((int(c), int(n), float(grid[c, n])) for c, n in np.argwhere(grid > 0))


@compiled
def _grid(
    dice: int,
    p_crit: float,
    p_norm: float,
    failing_faces: int,
    reroll: int,
    auto_crits: int,
    auto_norms: int,
    fails_to_norms: int,
    norms_to_crits: int,
    after: int,
    crit_value: int,
    norm_value: int,
) -> Grid:  # pragma: no cover - machine code
    p_fail = failing_faces / 6.0
    again = _binomials(dice)
    pick = _picked(dice, failing_faces, reroll, again)
    first_crit, first_norm, first_fail = p_crit, p_norm, p_fail
    if reroll == CRIT_FISH:  # every die that is not a critical falls again
        first_crit, first_norm, first_fail = p_crit * (2 - p_crit), p_norm * (1 - p_crit), p_fail * (1 - p_crit)
    total = dice + auto_crits + auto_norms
    grid = np.zeros((total + 1, total + 1))
    for fails in range(dice + 1):
        fresh = _rerolled(fails, pick[fails], p_crit, p_norm, p_fail, again)
        hits = dice - fails
        for crits in range(hits + 1):
            p = again[dice, fails] * again[hits, crits] * first_fail**fails * first_crit**crits
            p *= first_norm ** (hits - crits)
            if p == 0.0:
                continue
            for more_crits in range(fails + 1):
                for more_norms in range(fails - more_crits + 1):
                    q = p * fresh[more_crits, more_norms]
                    if q == 0.0:
                        continue
                    c, n = after_roll(
                        crits + more_crits + auto_crits,
                        hits - crits + more_norms + auto_norms,
                        fails - more_crits - more_norms,
                        after,
                        fails_to_norms,
                        norms_to_crits,
                        crit_value,
                        norm_value,
                    )
                    grid[c, n] += q
    return grid


@compiled
def _binomials(size: int) -> Grid:  # pragma: no cover - machine code
    table = np.zeros((size + 1, size + 1))
    for n in range(size + 1):
        table[n, 0] = 1.0
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


@compiled
def _rerolled(
    fails: int, pick: Grid, p_crit: float, p_norm: float, p_fail: float, choose: Grid
) -> Grid:  # pragma: no cover - machine code
    """P(criticals, normals gained) from the fails that are picked up again."""
    gained = np.zeros((fails + 1, fails + 1))
    for r in range(fails + 1):
        if pick[r] > 0.0:
            for c in range(r + 1):
                for n in range(r - c + 1):
                    ways = choose[r, c] * choose[r - c, n]
                    gained[c, n] += pick[r] * ways * p_crit**c * p_norm**n * p_fail ** (r - c - n)
    return gained


@compiled
def _picked(dice: int, faces: int, reroll: int, choose: Grid) -> Grid:  # pragma: no cover - machine code
    """pick[f, r] = P(r of f fails are re-rolled)."""
    pick = np.zeros((dice + 1, dice + 1))
    pick[0, 0] = 1.0
    if faces == 0:  # a stat of 1+ never fails, so there is nothing to pick up (ruling K11)
        return pick
    largest = _largest_pile(dice, faces) if reroll in (CEASELESS, CEASELESS_BALANCED) else pick
    for f in range(1, dice + 1):
        if reroll in (NONE, CRIT_FISH):
            pick[f, 0] = 1.0
        elif reroll == BALANCED:
            pick[f, 1] = 1.0
        elif reroll == DOUBLE:
            pick[f, min(2, f)] = 1.0
        elif reroll == RELENTLESS:
            pick[f, f] = 1.0
        elif reroll in (ONES, ONES_BALANCED):
            for ones in range(f + 1):
                p = choose[f, ones] * (1.0 / faces) ** ones * (1.0 - 1.0 / faces) ** (f - ones)
                pick[f, min(f, ones + 1) if reroll == ONES_BALANCED else ones] += p
        else:
            for pile in range(1, f + 1):
                pick[f, min(f, pile + 1) if reroll == CEASELESS_BALANCED else pile] += largest[f, pile]
    return pick


@compiled
def _largest_pile(dice: int, faces: int) -> Grid:  # pragma: no cover - machine code
    """largest[f, m] = P(the commonest of ``faces`` equally likely faces shows m times among f dice).

    f! [x^f] (Σ_{j≤m} x^j/j!)^faces counts the rolls in which no face shows more than m times.
    """
    at_most = np.zeros((dice + 1, dice + 1))
    for m in range(1, dice + 1):
        series = np.zeros(dice + 1)
        series[0] = 1.0
        for _ in range(faces):
            product = np.zeros(dice + 1)
            for f in range(dice + 1):
                term = 1.0
                for j in range(min(m, f) + 1):
                    if j > 0:
                        term /= j * faces
                    product[f] += series[f - j] * term
            series = product
        factorial = 1.0
        for f in range(1, dice + 1):
            factorial *= f
            at_most[f, m] = 1.0 if m >= f else series[f] * factorial
    largest = np.zeros((dice + 1, dice + 1))
    for f in range(1, dice + 1):
        for m in range(1, f + 1):
            largest[f, m] = max(0.0, at_most[f, m] - at_most[f, m - 1])
    return largest


@compiled_in_place
def after_roll(
    c: int, n: int, f: int, after: int, fails_to_norms: int, norms_to_crits: int, crit_value: int, norm_value: int
) -> tuple[int, int]:  # pragma: no cover - machine code
    """The rules that change dice after all re-rolls, each at most once, in the reference order."""
    punishing = after & PUNISHING and not after & OBSCURED
    if punishing and c >= 1 and f >= 1:
        f, n = f - 1, n + 1
    if after & SEAL and f >= 2:
        f, n = f - 2, n + 1
    if after & ASSAULT and c + n >= 2 and f >= 1:
        f, n = f - 1, n + 1
    if after & WAAAGH and n >= 2:
        n, c = n - 1, c + 1
    turned = min(fails_to_norms, f)
    f, n = f - turned, n + turned
    rending = after & RENDING
    if after & SEVERE and c == 0 and n >= 1:
        n, c = n - 1, c + 1
        if not after & CHAIN:
            rending = 0  # a critical made by Severe sets nothing off (ruling K4)
        elif punishing and f >= 1:
            f, n = f - 1, n + 1
    turned = min(norms_to_crits, n)
    n, c = n - turned, c + turned
    if not after & SCRY:
        return _last_steps(c, n, f, after, rending)
    best_c, best_n, best = 0, 0, -1
    for option in range(3):
        if option == 0 and n >= 1:
            oc, on = _last_steps(c + 1, n - 1, f, after, rending)
        elif option == 1 and f >= 1:
            oc, on = _last_steps(c, n + 1, f - 1, after, rending)
        elif option == 2:
            oc, on = _last_steps(c, n, f, after, rending)
        else:
            continue
        if oc * crit_value + on * norm_value > best:
            best_c, best_n, best = oc, on, oc * crit_value + on * norm_value
    return best_c, best_n


@compiled_in_place
def _last_steps(c: int, n: int, f: int, after: int, rending: int) -> tuple[int, int]:  # pragma: no cover - machine code
    if rending and c >= 1 and n >= 1:
        n, c = n - 1, c + 1
    if after & MODERATE:
        if f >= 1:
            n = n + 1
        elif n >= 1:
            n, c = n - 1, c + 1
    elif after & EXTREME:
        if f >= 1:
            c = c + 1
        elif n >= 1:
            n, c = n - 1, c + 1
    if after & OBSCURED:
        return 0, max(0, n + c - 1)
    return c, n

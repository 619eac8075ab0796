"""From dice to successes: the exact distribution of (criticals, normals) of one side.

One formula serves every re-roll. Roll d dice into c criticals, n normals, f fails (a multinomial). A re-roll rule then
picks r of the f fails, with a chance P(r | f) of its own, and those r dice fall again, independently. So a rule is only
its table P(r | f): Balanced r = min(1, f); re-roll ones r ~ Binomial(f, 1/failing faces); Ceaseless r = the size of the
largest pile when f dice fall on the failing faces. Relentless for criticals re-rolls normals too, which is a change of
the single die's odds and nothing more. The rules that change dice afterwards map (c, n, f) to (c, n), in the order of
the reference calculator. O(d⁴) and about 13,000 terms for 20 dice; doubles, no cancellation, so full precision.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place, inner
from engine.killteam.profile import MAX_DICE, Ability, Attacker, Defender, Fighter, Profile, Reroll, Side

Grid = NDArray[np.float64]  # grid[c, n] = P(c criticals, n normals)

FACES = 6
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
    failing_faces = min(roll.stat, roll.crit_on) - 1 if roll.rolled else 0
    grid, scratch = np.zeros((roll.dice + 1, roll.dice + 1)), np.empty((roll.rolled + 1, roll.rolled + 1))
    picked = _picked(failing_faces, roll.reroll)
    odds = roll.p_crit, roll.p_norm, failing_faces / FACES
    _fill_grid(roll, odds, picked, _binomials(), scratch, grid)
    grid.flags.writeable = False
    return grid


def outcomes(grid: Grid) -> tuple[tuple[int, int, float], ...]:
    """The possible (criticals, normals, p), fewest criticals first."""
    return tuple((int(c), int(n), float(grid[c, n])) for c, n in np.argwhere(grid > 0))


@compiled_in_place
def _fill_grid(
    roll: Roll, odds: tuple[float, float, float], picked: Grid, choose: Grid, fresh: Grid, grid: Grid
) -> None:  # pragma: no cover - machine code
    """Add up P(criticals, normals) over every first roll and every re-roll; ``fresh`` is scratch."""
    p_crit, p_norm, p_fail = odds
    dice = roll.dice - roll.auto_crits - roll.auto_norms
    first_crit, first_norm, first_fail = p_crit, p_norm, p_fail
    if roll.reroll == CRIT_FISH:  # every die that is not a critical falls again
        first_crit, first_norm, first_fail = p_crit * (2 - p_crit), p_norm * (1 - p_crit), p_fail * (1 - p_crit)
    for fails in range(dice + 1):
        _rerolled(fails, picked, odds, choose, fresh)
        hits = dice - fails
        for crits in range(hits + 1):
            p = choose[dice, fails] * choose[hits, crits] * first_fail**fails * first_crit**crits
            p *= first_norm ** (hits - crits)
            if p == 0.0:
                continue
            for more_crits in range(fails + 1):
                for more_norms in range(fails - more_crits + 1):
                    q = p * fresh[more_crits, more_norms]
                    if q > 0.0:
                        c, n = after_roll(
                            crits + more_crits + roll.auto_crits,
                            hits - crits + more_norms + roll.auto_norms,
                            fails - more_crits - more_norms,
                            roll.after,
                            roll.fails_to_norms,
                            roll.norms_to_crits,
                            roll.crit_value,
                            roll.norm_value,
                        )
                        grid[c, n] += q


@inner
def _rerolled(
    fails: int, picked: Grid, odds: tuple[float, float, float], choose: Grid, gained: Grid
) -> None:  # pragma: no cover - machine code
    """P(criticals, normals gained) from the fails that are picked up again."""
    p_crit, p_norm, p_fail = odds
    for c in range(fails + 1):
        for n in range(fails - c + 1):
            gained[c, n] = 0.0
    for r in range(fails + 1):
        if picked[fails, r] > 0.0:
            for c in range(r + 1):
                for n in range(r - c + 1):
                    ways = choose[r, c] * choose[r - c, n]
                    gained[c, n] += picked[fails, r] * ways * p_crit**c * p_norm**n * p_fail ** (r - c - n)


@lru_cache(maxsize=1)
def _binomials() -> Grid:
    """choose[n, k], for as many dice as there are."""
    return np.array([[math.comb(n, k) for k in range(MAX_DICE + 1)] for n in range(MAX_DICE + 1)], np.float64)


@lru_cache(maxsize=64)
def _picked(faces: int, reroll: int) -> Grid:
    """pick[f, r] = P(r of f fails are re-rolled), with so many failing faces."""
    pick = np.zeros((MAX_DICE + 1, MAX_DICE + 1))
    pick[0, 0] = 1.0
    if faces == 0:  # a stat of 1+ never fails, so there is nothing to pick up (ruling K11)
        return pick
    fails = np.arange(1, MAX_DICE + 1)
    if reroll in (NONE, CRIT_FISH):
        pick[fails, 0] = 1.0
    elif reroll == BALANCED:
        pick[fails, 1] = 1.0
    elif reroll == DOUBLE:
        pick[fails, np.minimum(2, fails)] = 1.0
    elif reroll == RELENTLESS:
        pick[fails, fails] = 1.0
    else:
        with_ones = reroll in (ONES, ONES_BALANCED)
        pick[1:] = _ones(faces)[1:] if with_ones else _largest_pile(faces)[1:]
        if reroll in (ONES_BALANCED, CEASELESS_BALANCED):
            _pick_one_more(pick)
    return pick


def _pick_one_more(pick: Grid) -> None:
    """Where a fail is left, it is picked up as well."""
    for f in range(1, MAX_DICE + 1):
        pick[f, f] += pick[f, f - 1]
        pick[f, 1:f] = pick[f, : f - 1]
        pick[f, 0] = 0.0


def _ones(faces: int) -> Grid:
    """ones[f, r] = P(r of f fails show 1, one of so many failing faces)."""
    f, r = np.arange(MAX_DICE + 1)[:, None], np.arange(MAX_DICE + 1)
    ones: Grid = _binomials() * (1.0 / faces) ** r * (1.0 - 1.0 / faces) ** np.maximum(0, f - r)
    return ones


def _largest_pile(faces: int) -> Grid:
    """largest[f, m] = P(the commonest of ``faces`` equally likely faces shows m times among f dice).

    f! [x^f] (Σ_{j≤m} x^j/j!)^faces counts the rolls in which no face shows more than m times.
    """
    dice = np.arange(MAX_DICE + 1)
    factorials = np.array([math.factorial(f) for f in range(MAX_DICE + 1)], np.float64)
    shown = dice[:, None] - dice  # [f, before]: dice that show one more face
    term = np.where(shown >= 0, 1.0 / (factorials[abs(shown)] * float(faces) ** shown), 0.0)
    series = np.zeros((MAX_DICE + 1, MAX_DICE + 1, 1))  # [m, f]
    series[:, 0] = 1.0
    at_most_m = np.where(shown <= dice[:, None, None], term, 0.0)
    for _ in range(faces):
        series = at_most_m @ series
    at_most = series[:, :, 0].T * factorials[:, None]  # [f, m]
    at_most[dice[:, None] <= dice] = 1.0
    largest = np.zeros_like(at_most)
    largest[1:, 1:] = np.maximum(0.0, np.diff(at_most, axis=1))[1:]
    return np.tril(largest)


@inner
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


@inner
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

"""Shooting: hits against saves, exactly.

For each pair of rolled results (c, n hits against s, t critical and normal saves) the defender's best allocation is
found by looking at every way to spend saves on criticals: x critical saves and y pairs of normal saves; whatever is
left stops normal hits. Those x·y choices contain every useful allocation, because a save not spent on a critical is
never better wasted than spent on a normal hit. So the minimum is proved by exhaustion, with Durable and Just a Scratch
inside the sum (ruling K1). Rounds are independent: their damage adds by convolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place, inner
from engine.dice.pmf import Array, Pmf
from engine.killteam.pool import Grid, distribution, roll_of
from engine.killteam.profile import Ability, Attacker, Defender, FnpMode, ShootOptions, refuse_conflicts

Ints = NDArray[np.int64]

SAVES = (2, 3, 4, 5, 6)
FIRE_TEAM, SCRATCH, SCRATCH_NORMS, DURABLE = (1 << k for k in range(4))
DEFENCE_BIT = {
    Ability.JUST_A_SCRATCH: SCRATCH,
    Ability.JUST_A_SCRATCH_NORMS: SCRATCH_NORMS,
    Ability.DURABLE: DURABLE,
}
LOWEST_DURABLE_CRIT = 4  # Durable never brings a critical below 3
RELIC_USES = 2  # hits a player may ignore with relics over all rounds


@dataclass(frozen=True, slots=True)
class Shot:
    """What a shooting situation comes to."""

    damage: Pmf
    wounds: int

    @property
    def p_kill(self) -> float:
        return min(1.0, self.damage.at_least(self.wounds))

    @property
    def wounds_left(self) -> float:
        """Expected wounds the target keeps."""
        return self.wounds - self.damage.capped(self.wounds).mean


def shoot(attacker: Attacker, defender: Defender, options: ShootOptions | None = None) -> Shot:
    """The distribution of damage over all rounds, not capped by the target's wounds.

    >>> shot = shoot(Attacker(num_dice=1, dice_stat=4, norm_dmg=3, crit_dmg=5), Defender(wounds=5))
    >>> round(shot.damage.mean, 6), round(shot.p_kill, 6)  # 2/6 × 3 + 1/6 × 5, and a 6
    (1.833333, 0.166667)
    """
    options = options or ShootOptions()
    if options.strict:
        refuse_conflicts(attacker=attacker, defender=defender)
    plain, pierced = defence_grids(attacker, defender, options)
    return Shot(
        _all_rounds(attack_grid(attacker, defender, options), plain, pierced, attacker, defender, options),
        defender.wounds,
    )


def shoot_with(grid: Grid, attacker: Attacker, defender: Defender, options: ShootOptions | None = None) -> Shot:
    """One shot whose hits are already distributed so: dice on the table, or some of them re-rolled.

    >>> hits = np.array([[0.0, 1.0], [0.0, 0.0]])  # one normal hit for sure
    >>> shoot_with(hits, Attacker(num_dice=1, dice_stat=3, norm_dmg=3), Defender(wounds=3)).p_kill
    1.0
    """
    once = (options or ShootOptions()).model_copy(update={"num_rounds": 1})
    plain, pierced = defence_grids(attacker, defender, once)
    return Shot(_all_rounds(grid, plain, pierced, attacker, defender, once), defender.wounds)


def attack_grid(attacker: Attacker, defender: Defender, options: ShootOptions) -> Grid:
    """The attacker's dice against this target."""
    obscured = defender.has(Ability.OBSCURED_TARGET)
    return distribution(roll_of(attacker, obscured=obscured, chain=options.severe_triggers_crit_rules))


def defence_grids(attacker: Attacker, defender: Defender, options: ShootOptions) -> tuple[Grid, Grid]:
    """The defender's dice when no critical was kept, and when one was (Piercing Crits)."""
    chain, cover = options.severe_triggers_crit_rules, not attacker.has(Ability.SATURATE)
    piercing, crit_piercing = dice_removed(attacker, defender)
    plain = distribution(roll_of(defender, removed=piercing, chain=chain, cover=cover))
    if crit_piercing == piercing:
        return plain, plain
    return plain, distribution(roll_of(defender, removed=crit_piercing, chain=chain, cover=cover))


def dice_removed(attacker: Attacker, defender: Defender) -> tuple[int, int]:
    """Defence dice lost to Piercing, and when a critical was kept. Invulnerable saves lose none; the two do not add."""
    if defender.invuln_save:
        return 0, 0
    return attacker.apx, max(attacker.apx, attacker.px)


def by_save(
    attacker: Attacker, defender: Defender, options: ShootOptions | None = None, saves: Sequence[int] = SAVES
) -> dict[int, Shot]:
    """The same shot against each save value.

    >>> shots = by_save(Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4), Defender(num_dice=3, dice_stat=3))
    >>> shots[2].damage.mean < shots[6].damage.mean
    True
    """
    return {save: shoot(attacker, defender.changed(dice_stat=save), options) for save in saves}


def kill_grid(shots: dict[int, Shot], wounds: Sequence[int]) -> dict[int, list[float]]:
    """P(kill) for each save (row) and number of wounds (column), read off the distributions that :func:`by_save` made.

    >>> kill_grid({3: Shot(Pmf([0.5, 0.25, 0.25]), 2)}, wounds=(1, 2, 3))
    {3: [0.5, 0.25, 0.0]}
    """
    return {save: [min(1.0, shot.damage.at_least(w)) for w in wounds] for save, shot in shots.items()}


def least_damage(
    attacker: Attacker,
    defender: Defender,
    crits: int,
    norms: int,
    crit_saves: int,
    norm_saves: int,
    fire_team: bool = False,
) -> int:
    """Damage of one set of dice on the table when the defender saves as well as can be, before Feel No Pain.

    >>> least_damage(Attacker(norm_dmg=3, crit_dmg=4), Defender(), crits=2, norms=1, crit_saves=0, norm_saves=4)
    3
    """
    hits = Hits(attacker.norm_dmg, attacker.crit_dmg, attacker.mwx, _bits(defender, fire_team), 0)
    c, n = _after_saves(crits, norms, crit_saves, norm_saves, hits)
    return attacker.mwx * crits + int(_hit_damage(c, n, hits))


def surviving_hits(
    crits: Ints,
    norms: Ints,
    crit_saves: Ints,
    norm_saves: Ints,
    attacker: Attacker,
    defender: Defender,
    options: ShootOptions,
) -> tuple[Ints, Ints, int]:
    """Hits left in many sets of dice after the best saves, and what Durable takes off if a critical is among them."""
    hits = _hits(attacker, defender, options)
    left = np.empty((crits.size, 2), np.int64)
    _all_after_saves(np.stack([crits, norms, crit_saves, norm_saves], axis=1), hits, left)
    return left[:, 0], left[:, 1], int(bool(hits.bits & DURABLE) and attacker.crit_dmg >= LOWEST_DURABLE_CRIT)


def matrix(
    attackers: Sequence[Attacker], defenders: Sequence[Defender], options: ShootOptions | None = None
) -> list[list[Shot]]:
    """Every attacker against every defender. Those who differ in nothing but wounds take the same damage.

    >>> [[shot.p_kill for shot in row] for row in matrix([Attacker()], [Defender(wounds=1), Defender(wounds=2)])]
    [[0.0, 0.0]]
    """
    defences = [defender.changed(wounds=0) for defender in defenders]
    rows: dict[Attacker, list[Shot]] = {}
    for attacker in attackers:
        if attacker not in rows:
            damage = {defence: shoot(attacker, defence, options).damage for defence in dict.fromkeys(defences)}
            pairs = zip(defences, defenders, strict=True)
            rows[attacker] = [Shot(damage[defence], defender.wounds) for defence, defender in pairs]
    return [rows[attacker] for attacker in attackers]


def _bits(defender: Defender, fire_team: bool) -> int:
    return sum(DEFENCE_BIT.get(ability, 0) for ability in defender.abilities) | (FIRE_TEAM if fire_team else 0)


class Hits(NamedTuple):
    """What the compiled loops need to know of hits: their damage, and what the target does about them."""

    norm: int
    crit: int
    mwx: int
    bits: int
    per_hit: int  # faces of a die that ignore a point of a hit, if Feel No Pain is rolled hit by hit


def _hits(attacker: Attacker, defender: Defender, options: ShootOptions) -> Hits:
    per_hit = defender.fnp and (defender.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
    bits = _bits(defender, options.fire_team_rules)
    return Hits(attacker.norm_dmg, attacker.crit_dmg, attacker.mwx, bits, 7 - defender.fnp if per_hit else 0)


def _all_rounds(
    attack: Grid, plain: Grid, pierced: Grid, attacker: Attacker, defender: Defender, options: ShootOptions
) -> Pmf:
    hits = _hits(attacker, defender, options)
    p_ignored = 1.0 - (5.0 / 6.0) ** defender.saintly_relics
    most = (attack.shape[0] - 1) * (max(hits.norm, hits.crit) + hits.mwx)
    rounds = np.zeros((3 if p_ignored else 1, most + 1))
    _one_round(attack, plain, pierced, hits, p_ignored, rounds)
    if defender.fnp and not hits.per_hit:
        rounds = np.stack([_thinned(row, (defender.fnp - 1) / 6) for row in rounds])
    if p_ignored == 0.0:
        return Pmf.trusted(rounds[0]).repeat(options.num_rounds)
    return _with_relics(rounds, options.num_rounds)


def _with_relics(rounds: NDArray[np.float64], num_rounds: int) -> Pmf:
    """Fold rounds while relics last: rows are damage with no relics left, with no hit ignored, and with one ignored."""
    without, unused, used = rounds
    left: list[Array] = [np.ones(1)] + [np.zeros(1)] * RELIC_USES
    for _ in range(num_rounds):
        after = [np.convolve(state, unused) for state in left[:-1]] + [np.convolve(left[-1], without)]
        for k in range(RELIC_USES):
            after[k + 1] = after[k + 1] + np.convolve(left[k], used)
        left = after
    return Pmf(np.sum(left, axis=0))


@compiled_in_place
def _one_round(
    attack: Grid, plain: Grid, pierced: Grid, hits: Hits, p_ignored: float, out: Array
) -> None:  # pragma: no cover - machine code
    """Rows: P(damage without relics) and, with relics, P(damage, no hit ignored), P(damage, one ignored)."""
    most = attack.shape[0] - 1
    for crits in range(most + 1):
        saves = pierced if crits > 0 else plain
        for norms in range(most - crits + 1):
            if attack[crits, norms] == 0.0:
                continue
            for s in range(saves.shape[0]):
                for t in range(saves.shape[0] - s):
                    p = attack[crits, norms] * saves[s, t]
                    if p == 0.0:
                        continue
                    c, n = _after_saves(crits, norms, s, t, hits)
                    _spread(out, 0, p, c, n, crits, hits)
                    if p_ignored > 0.0:
                        _ignore_one(out, p, p_ignored, c, n, crits, hits)


@inner
def _after_saves(
    crits: int, norms: int, crit_saves: int, norm_saves: int, hits: Hits
) -> tuple[int, int]:  # pragma: no cover - machine code
    """The surviving (criticals, normals) after the best choice of hit to ignore and of saves."""
    if hits.bits & SCRATCH_NORMS and norms > 0:
        norms -= 1
    if not hits.bits & SCRATCH or crits + norms == 0:
        return _best_saves(crits, norms, crit_saves, norm_saves, hits)
    best_c, best_n, best = 0, 0, -1
    for ignored in range(2):
        c, n = (crits - 1, norms) if ignored == 0 else (crits, norms - 1)
        if c < 0 or n < 0:
            continue
        c, n = _best_saves(c, n, crit_saves, norm_saves, hits)
        cost = _cost(c, n, hits)
        if best < 0 or cost < best:
            best_c, best_n, best = c, n, cost
    return best_c, best_n


@compiled_in_place
def _all_after_saves(dice: Ints, hits: Hits, left: Ints) -> None:  # pragma: no cover - machine code
    for i in range(dice.shape[0]):
        left[i, 0], left[i, 1] = _after_saves(dice[i, 0], dice[i, 1], dice[i, 2], dice[i, 3], hits)


@inner
def _best_saves(
    crits: int, norms: int, crit_saves: int, norm_saves: int, hits: Hits
) -> tuple[int, int]:  # pragma: no cover - machine code
    if hits.bits & FIRE_TEAM:  # any save stops any hit, normal hits first: nothing to choose
        saves = crit_saves + norm_saves
        return max(0, crits - max(0, saves - norms)), max(0, norms - saves)
    best_c, best_n, best = crits, norms, -1
    for x in range(min(crits, crit_saves) + 1):
        for y in range(min(crits - x, norm_saves // 2) + 1):
            c = crits - x - y
            n = max(0, norms - (crit_saves - x) - (norm_saves - 2 * y))
            cost = _cost(c, n, hits)
            if best < 0 or cost < best:
                best_c, best_n, best = c, n, cost
    return best_c, best_n


@inner
def _hit_damage(c: int, n: int, hits: Hits) -> int:  # pragma: no cover - machine code
    damage = c * hits.crit + n * hits.norm
    if hits.bits & DURABLE and c > 0 and hits.crit >= LOWEST_DURABLE_CRIT:
        damage -= 1
    return damage


@inner
def _cost(c: int, n: int, hits: Hits) -> int:  # pragma: no cover - machine code
    """Six times the expected damage of the survivors; per-hit Feel No Pain makes a hit worth a little less."""
    saved = hits.per_hit * _fnp_rolls(c, n, 0 if hits.mwx > 0 else c, hits)
    return 6 * _hit_damage(c, n, hits) - saved


@inner
def _fnp_rolls(c: int, n: int, kept_crits: int, hits: Hits) -> int:  # pragma: no cover - machine code
    """Hits that do damage, each with one roll; a critical with Devastating does some even if it is saved."""
    rolls = n if hits.norm > 0 else 0
    if hits.mwx > 0:
        return rolls + kept_crits
    return rolls + (c if hits.crit > 0 else 0)


@inner
def _spread(
    out: Array, row: int, p: float, c: int, n: int, kept_crits: int, hits: Hits
) -> None:  # pragma: no cover - machine code
    """Add p to the damage of these survivors, spread over the per-hit Feel No Pain rolls if there are any."""
    damage = hits.mwx * kept_crits + _hit_damage(c, n, hits)
    if hits.per_hit == 0:
        out[row, damage] += p
        return
    rolls = _fnp_rolls(c, n, kept_crits, hits)
    passes = hits.per_hit / 6.0
    ways = 1.0
    for k in range(rolls + 1):
        if k > 0:
            ways *= (rolls - k + 1) / k
        out[row, damage - k] += p * ways * passes**k * (1.0 - passes) ** (rolls - k)


@inner
def _ignore_one(
    out: Array, p: float, p_ignored: float, c: int, n: int, kept_crits: int, hits: Hits
) -> None:  # pragma: no cover - machine code
    """Relics: try to ignore surviving hits, biggest first, until one is ignored."""
    crits_first = hits.crit >= hits.norm
    bigger, smaller = (c, n) if crits_first else (n, c)
    none_of_bigger = (1.0 - p_ignored) ** bigger
    none = none_of_bigger * (1.0 - p_ignored) ** smaller
    _spread(out, 1, p * none, c, n, kept_crits, hits)
    p_crit = 1.0 - none_of_bigger if crits_first else none_of_bigger - none
    p_norm = none_of_bigger - none if crits_first else 1.0 - none_of_bigger
    if p_crit > 0.0:
        _spread(out, 2, p * p_crit, c - 1, n, kept_crits, hits)
    if p_norm > 0.0:
        _spread(out, 2, p * p_norm, c, n - 1, kept_crits, hits)


def _thinned(damage: Array, stays: float) -> Array:
    """Each point of damage stays with this chance, on its own."""
    out, row = np.zeros(damage.size), np.zeros(damage.size)
    _thin(damage, stays, row, out)
    return out


@compiled_in_place
def _thin(damage: Array, stays: float, row: Array, out: Array) -> None:  # pragma: no cover - machine code
    row[0] = 1.0
    for points in range(damage.size):
        if points > 0:
            for k in range(points, 0, -1):
                row[k] = row[k] * (1.0 - stays) + row[k - 1] * stays
            row[0] *= 1.0 - stays
        if damage[points] > 0.0:
            for k in range(points + 1):
                out[k] += damage[points] * row[k]

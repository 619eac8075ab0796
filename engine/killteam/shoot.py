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

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled, inner
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
    bits = _bits(defender, fire_team)
    c, n = _after_saves(
        crits, norms, crit_saves, norm_saves, attacker.norm_dmg, attacker.crit_dmg, bits, 0, attacker.mwx > 0
    )
    return attacker.mwx * crits + int(_hit_damage(c, n, attacker.norm_dmg, attacker.crit_dmg, bits))


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
    per_hit = (defender.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
    bits = _bits(defender, options.fire_team_rules)
    left = _all_after_saves(
        np.stack([crits, norms, crit_saves, norm_saves], axis=1),
        attacker.norm_dmg,
        attacker.crit_dmg,
        bits,
        7 - defender.fnp if defender.fnp and per_hit else 0,
        attacker.mwx > 0,
    )
    return left[:, 0], left[:, 1], int(bool(bits & DURABLE) and attacker.crit_dmg >= LOWEST_DURABLE_CRIT)


def matrix(
    attackers: Sequence[Attacker], defenders: Sequence[Defender], options: ShootOptions | None = None
) -> list[list[Shot]]:
    """Every attacker against every defender. Dice are worked out once per side, not once per pair.

    >>> [[shot.p_kill for shot in row] for row in matrix([Attacker()], [Defender(wounds=1), Defender(wounds=2)])]
    [[0.0, 0.0]]
    """
    return [[shoot(attacker, defender, options) for defender in defenders] for attacker in attackers]


def _bits(defender: Defender, fire_team: bool) -> int:
    return sum(DEFENCE_BIT.get(ability, 0) for ability in defender.abilities) | (FIRE_TEAM if fire_team else 0)


def _all_rounds(
    attack: Grid, plain: Grid, pierced: Grid, attacker: Attacker, defender: Defender, options: ShootOptions
) -> Pmf:
    per_hit = (defender.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
    fnp = defender.fnp
    p_ignored = 1.0 - (5.0 / 6.0) ** defender.saintly_relics
    rounds = _one_round(
        attack,
        plain,
        pierced,
        attacker.norm_dmg,
        attacker.crit_dmg,
        attacker.mwx,
        _bits(defender, options.fire_team_rules),
        7 - fnp if fnp and per_hit else 0,
        p_ignored,
    )
    if fnp and not per_hit:
        rounds = np.stack([_thinned(row, (fnp - 1) / 6) for row in rounds])
    if p_ignored == 0.0:
        return Pmf(rounds[0]).repeat(options.num_rounds)
    return _with_relics(rounds, options.num_rounds)


def _with_relics(rounds: NDArray[np.float64], num_rounds: int) -> Pmf:
    """Fold rounds while relics last: rows are damage with no hit ignored, with one ignored, and with no relics left."""
    unused, used, without = rounds
    left: list[Array] = [np.ones(1)] + [np.zeros(1)] * RELIC_USES
    for _ in range(num_rounds):
        after = [np.convolve(state, unused) for state in left[:-1]] + [np.convolve(left[-1], without)]
        for k in range(RELIC_USES):
            after[k + 1] = after[k + 1] + np.convolve(left[k], used)
        left = after
    return Pmf(np.sum(left, axis=0))


@compiled
def _one_round(
    attack: Grid,
    plain: Grid,
    pierced: Grid,
    norm_dmg: int,
    crit_dmg: int,
    mwx: int,
    bits: int,
    per_hit: int,
    p_ignored: float,
) -> Array:  # pragma: no cover - machine code
    """Rows: P(damage, no hit ignored by relics), P(damage, one ignored), P(damage without relics)."""
    most = attack.shape[0] - 1
    out = np.zeros((3, most * (max(norm_dmg, crit_dmg) + mwx) + 1))
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
                    c, n = _after_saves(crits, norms, s, t, norm_dmg, crit_dmg, bits, per_hit, mwx > 0)
                    _spread(out[2], p, c, n, crits, norm_dmg, crit_dmg, mwx, bits, per_hit)
                    if p_ignored > 0.0:
                        _ignore_one(out, p, p_ignored, c, n, crits, norm_dmg, crit_dmg, mwx, bits, per_hit)
    if p_ignored == 0.0:
        out[0] = out[2]
    return out


@inner
def _after_saves(
    crits: int,
    norms: int,
    crit_saves: int,
    norm_saves: int,
    norm_dmg: int,
    crit_dmg: int,
    bits: int,
    per_hit: int,
    devastating: bool,
) -> tuple[int, int]:  # pragma: no cover - machine code
    """The surviving (criticals, normals) after the best choice of hit to ignore and of saves."""
    if bits & SCRATCH_NORMS and norms > 0:
        norms -= 1
    if not bits & SCRATCH or crits + norms == 0:
        return _best_saves(crits, norms, crit_saves, norm_saves, norm_dmg, crit_dmg, bits, per_hit, devastating)
    best_c, best_n, best = 0, 0, -1
    for ignored in range(2):
        c, n = (crits - 1, norms) if ignored == 0 else (crits, norms - 1)
        if c < 0 or n < 0:
            continue
        c, n = _best_saves(c, n, crit_saves, norm_saves, norm_dmg, crit_dmg, bits, per_hit, devastating)
        cost = _cost(c, n, norm_dmg, crit_dmg, bits, per_hit, devastating)
        if best < 0 or cost < best:
            best_c, best_n, best = c, n, cost
    return best_c, best_n


@compiled
def _all_after_saves(
    dice: Ints, norm_dmg: int, crit_dmg: int, bits: int, per_hit: int, devastating: bool
) -> Ints:  # pragma: no cover - machine code
    out = np.empty((dice.shape[0], 2), np.int64)
    for i in range(dice.shape[0]):
        out[i] = _after_saves(
            dice[i, 0], dice[i, 1], dice[i, 2], dice[i, 3], norm_dmg, crit_dmg, bits, per_hit, devastating
        )
    return out


@inner
def _best_saves(
    crits: int,
    norms: int,
    crit_saves: int,
    norm_saves: int,
    norm_dmg: int,
    crit_dmg: int,
    bits: int,
    per_hit: int,
    devastating: bool,
) -> tuple[int, int]:  # pragma: no cover - machine code
    if bits & FIRE_TEAM:  # any save stops any hit, normal hits first: nothing to choose
        saves = crit_saves + norm_saves
        return max(0, crits - max(0, saves - norms)), max(0, norms - saves)
    best_c, best_n, best = crits, norms, -1
    for x in range(min(crits, crit_saves) + 1):
        for y in range(min(crits - x, norm_saves // 2) + 1):
            c = crits - x - y
            n = max(0, norms - (crit_saves - x) - (norm_saves - 2 * y))
            cost = _cost(c, n, norm_dmg, crit_dmg, bits, per_hit, devastating)
            if best < 0 or cost < best:
                best_c, best_n, best = c, n, cost
    return best_c, best_n


@inner
def _hit_damage(c: int, n: int, norm_dmg: int, crit_dmg: int, bits: int) -> int:  # pragma: no cover - machine code
    damage = c * crit_dmg + n * norm_dmg
    if bits & DURABLE and c > 0 and crit_dmg >= LOWEST_DURABLE_CRIT:
        damage -= 1
    return damage


@inner
def _cost(
    c: int, n: int, norm_dmg: int, crit_dmg: int, bits: int, per_hit: int, devastating: bool
) -> int:  # pragma: no cover - machine code
    """Six times the expected damage of the survivors; per-hit Feel No Pain makes a hit worth a little less."""
    saved = per_hit * _fnp_rolls(c, n, 0 if devastating else c, norm_dmg, crit_dmg, devastating)
    return 6 * _hit_damage(c, n, norm_dmg, crit_dmg, bits) - saved


@inner
def _fnp_rolls(
    c: int, n: int, kept_crits: int, norm_dmg: int, crit_dmg: int, devastating: bool
) -> int:  # pragma: no cover - machine code
    """Hits that do damage, each with one roll; a critical with Devastating does some even if it is saved."""
    rolls = n if norm_dmg > 0 else 0
    if devastating:
        return rolls + kept_crits
    return rolls + (c if crit_dmg > 0 else 0)


@inner
def _spread(
    out: Array,
    p: float,
    c: int,
    n: int,
    kept_crits: int,
    norm_dmg: int,
    crit_dmg: int,
    mwx: int,
    bits: int,
    per_hit: int,
) -> None:  # pragma: no cover - machine code
    """Add p to the damage of these survivors, spread over the per-hit Feel No Pain rolls if there are any."""
    damage = mwx * kept_crits + _hit_damage(c, n, norm_dmg, crit_dmg, bits)
    if per_hit == 0:
        out[damage] += p
        return
    rolls = _fnp_rolls(c, n, kept_crits, norm_dmg, crit_dmg, mwx > 0)
    passes = per_hit / 6.0
    ways = 1.0
    for k in range(rolls + 1):
        if k > 0:
            ways *= (rolls - k + 1) / k
        out[damage - k] += p * ways * passes**k * (1.0 - passes) ** (rolls - k)


@inner
def _ignore_one(
    out: Array,
    p: float,
    p_ignored: float,
    c: int,
    n: int,
    kept_crits: int,
    norm_dmg: int,
    crit_dmg: int,
    mwx: int,
    bits: int,
    per_hit: int,
) -> None:  # pragma: no cover - machine code
    """Relics: try to ignore surviving hits, biggest first, until one is ignored."""
    crits_first = crit_dmg >= norm_dmg
    bigger, smaller = (c, n) if crits_first else (n, c)
    none_of_bigger = (1.0 - p_ignored) ** bigger
    none = none_of_bigger * (1.0 - p_ignored) ** smaller
    _spread(out[0], p * none, c, n, kept_crits, norm_dmg, crit_dmg, mwx, bits, per_hit)
    p_crit = 1.0 - none_of_bigger if crits_first else none_of_bigger - none
    p_norm = none_of_bigger - none if crits_first else 1.0 - none_of_bigger
    if p_crit > 0.0:
        _spread(out[1], p * p_crit, c - 1, n, kept_crits, norm_dmg, crit_dmg, mwx, bits, per_hit)
    if p_norm > 0.0:
        _spread(out[1], p * p_norm, c, n - 1, kept_crits, norm_dmg, crit_dmg, mwx, bits, per_hit)


@compiled
def _thinned(damage: Array, stays: float) -> Array:  # pragma: no cover - machine code
    """Each point of damage stays with this chance, on its own."""
    out = np.zeros(damage.size)
    row = np.zeros(damage.size)
    row[0] = 1.0
    for points in range(damage.size):
        if points > 0:
            for k in range(points, 0, -1):
                row[k] = row[k] * (1.0 - stays) + row[k - 1] * stays
            row[0] *= 1.0 - stays
        if damage[points] > 0.0:
            for k in range(points + 1):
                out[k] += damage[points] * row[k]
    return out

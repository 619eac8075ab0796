"""Kill Team worked out the slow, obvious way: every die face listed, every save tried, every fight tree walked.

Nothing here is shared with the engine. Probabilities are exact fractions where faces are listed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

FACES = (1, 2, 3, 4, 5, 6)


# -- dice -------------------------------------------------------------------------------------------------------------


def kind(face, stat, crit_on):
    """A die is judged by its face alone: critical, normal or fail."""
    if face >= crit_on:
        return "c"
    return "n" if face >= stat else "f"


def picked_up(faces, stat, crit_on, reroll):
    """Which dice (by position) the rule re-rolls."""
    fails = [i for i, face in enumerate(faces) if kind(face, stat, crit_on) == "f"]
    ones = [i for i in fails if faces[i] == 1]
    if reroll == "none":
        return []
    if reroll == "balanced":
        return fails[:1]
    if reroll == "double_balanced":
        return fails[:2]
    if reroll == "reroll_ones":
        return ones
    if reroll == "relentless":
        return fails
    if reroll == "crit_fish_relentless":
        return [i for i, face in enumerate(faces) if kind(face, stat, crit_on) != "c"]
    if reroll == "ones_plus_balanced":
        return ones + [i for i in fails if i not in ones][:1]
    piles = Counter(faces[i] for i in fails)
    commonest = max(piles, key=lambda face: piles[face]) if piles else 0
    pile = [i for i in fails if faces[i] == commonest]
    if reroll == "most_common_fail":
        return pile
    assert reroll == "ceaseless_plus_balanced"
    return pile + [i for i in fails if i not in pile][:1]


def change_dice(c, n, f, abilities, fails_to_norms=0, norms_to_crits=0, chain=False, worth=(0, 0)):
    """The after-roll steps, one sentence each."""
    has = set(abilities).__contains__
    obscured, severed = has("obscured_target"), False
    if has("fail_to_norm_if_crit") and not obscured and c >= 1 and f >= 1:
        n, f = n + 1, f - 1
    if (has("purity_seal") or has("indomitus")) and f >= 2:
        n, f = n + 1, f - 2
    if has("fail_to_norm_if_two_successes") and c + n >= 2 and f >= 1:
        n, f = n + 1, f - 1
    if has("norm_to_crit_if_two_norms") and n >= 2:
        c, n = c + 1, n - 1
    for _ in range(fails_to_norms):
        if f:
            n, f = n + 1, f - 1
    if has("severe") and c == 0 and n >= 1:
        c, n, severed = c + 1, n - 1, True
        if chain and has("fail_to_norm_if_crit") and not obscured and f >= 1:
            n, f = n + 1, f - 1
    for _ in range(norms_to_crits):
        if n:
            c, n = c + 1, n - 1

    def finish(c, n, f):
        if has("rending") and c >= 1 and n >= 1 and not (severed and not chain):
            c, n = c + 1, n - 1
        if has("elite_moderate"):
            c, n, f = (c, n + 1, f - 1) if f else (c + 1, n - 1, f) if n else (c, n, f)
        elif has("elite_extreme"):
            c, n, f = (c + 1, n, f - 1) if f else (c + 1, n - 1, f) if n else (c, n, f)
        return (0, max(0, c + n - 1)) if obscured else (c, n)

    if not has("mystic_scry_buff"):
        return finish(c, n, f)
    options = []
    if n:
        options.append(finish(c + 1, n - 1, f))
    if f:
        options.append(finish(c, n + 1, f - 1))
    options.append(finish(c, n, f))
    return max(options, key=lambda cn: cn[0] * worth[0] + cn[1] * worth[1])  # max keeps the first of equals


def dice(
    num_dice, stat, crit_on=6, reroll="none", auto_crits=0, auto_norms=0, fails_to_norms=0, norms_to_crits=0,
    abilities=(), chain=False, worth=(0, 0),
):  # fmt: skip
    """{(criticals, normals): probability} by listing every face of every die, and every face of every re-roll."""
    auto_crits = min(auto_crits, num_dice)
    auto_norms = min(auto_norms, num_dice - auto_crits)
    rolled = num_dice - auto_crits - auto_norms
    result = defaultdict(Fraction)
    for faces in product(FACES, repeat=rolled):
        again = picked_up(faces, stat, crit_on, reroll)
        for new in product(FACES, repeat=len(again)):
            final = list(faces)
            for place, face in zip(again, new, strict=True):
                final[place] = face
            kinds = Counter(kind(face, stat, crit_on) for face in final)
            cn = change_dice(
                kinds["c"] + auto_crits, kinds["n"] + auto_norms, kinds["f"], abilities, fails_to_norms,
                norms_to_crits, chain, worth,
            )  # fmt: skip
            result[cn] += Fraction(1, 6 ** (rolled + len(again)))
    return dict(result)


# -- shooting ---------------------------------------------------------------------------------------------------------


@cache
def every_allocation(crits, norms, crit_saves, norm_saves):
    """All (criticals, normals) that can be left over, spending saves one at a time in any order, or not at all."""
    left = {(crits, norms)}
    if crit_saves and crits:
        left |= every_allocation(crits - 1, norms, crit_saves - 1, norm_saves)
    if crit_saves and norms:
        left |= every_allocation(crits, norms - 1, crit_saves - 1, norm_saves)
    if norm_saves and norms:
        left |= every_allocation(crits, norms - 1, crit_saves, norm_saves - 1)
    if norm_saves >= 2 and crits:
        left |= every_allocation(crits - 1, norms, crit_saves, norm_saves - 2)
    return frozenset(left)


def ignored(crits, norms, abilities):
    """What Just a Scratch can leave of the hits."""
    if "just_a_scratch_norms" in abilities:
        norms = max(0, norms - 1)
    if "just_a_scratch" not in abilities or crits + norms == 0:
        return [(crits, norms)]
    return [(c, n) for c, n in ((crits - 1, norms), (crits, norms - 1)) if c >= 0 and n >= 0]


def survivors(crits, norms, crit_saves, norm_saves, abilities, fire_team):
    for c, n in ignored(crits, norms, abilities):
        if fire_team:
            saves = crit_saves + norm_saves
            while saves and n:
                saves, n = saves - 1, n - 1
            while saves and c:
                saves, c = saves - 1, c - 1
            yield c, n
        else:
            yield from every_allocation(c, n, crit_saves, norm_saves)


def hit_damages(c, n, norm_dmg, crit_dmg, abilities):
    """The damage of each surviving hit."""
    damages = [crit_dmg] * c + [norm_dmg] * n
    if c and "durable" in abilities and crit_dmg > 3:
        damages[0] -= 1
    return damages


def binomial(trials, chance):
    return {k: comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)}


def damage_after_fnp(damages, kept_crits, crits_left, mwx, fnp, per_hit):
    """{damage: probability} of one outcome: mortal wounds of every critical, then the surviving hits."""
    total = sum(damages) + mwx * kept_crits
    if not fnp:
        return {total: Fraction(1)}
    chance = Fraction(7 - fnp, 6)
    if not per_hit:
        return {total - k: p for k, p in binomial(total, chance).items()}
    rolls = sum(d > 0 for d in damages[crits_left:]) + (kept_crits if mwx else sum(d > 0 for d in damages[:crits_left]))
    return {total - k: p for k, p in binomial(rolls, chance).items()}


def shoot(
    attack, plain, pierced, norm_dmg, crit_dmg, mwx=0, abilities=(), fire_team=False, fnp=0, per_hit=False, rounds=1,
):  # fmt: skip
    """{damage: probability}: for each pair of rolled results the defender takes the lowest expected damage."""
    one = defaultdict(Fraction)
    for (crits, norms), p in attack.items():
        for (s, t), q in (pierced if crits else plain).items():
            best = min(
                (
                    damage_after_fnp(hit_damages(c, n, norm_dmg, crit_dmg, abilities), crits, c, mwx, fnp, per_hit)
                    for c, n in survivors(crits, norms, s, t, abilities, fire_team)
                ),
                key=lambda spread: sum(d * chance for d, chance in spread.items()),
            )
            for d, chance in best.items():
                one[d] += p * q * chance
    total = {0: Fraction(1)}
    for _ in range(rounds):
        longer = defaultdict(Fraction)
        for a, p in total.items():
            for b, q in one.items():
                longer[a + b] += p * q
        total = dict(longer)
    return total

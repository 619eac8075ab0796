"""Kill Team worked out the slow, obvious way: every die face listed, every save tried, every fight tree walked.

Nothing here is shared with the engine. Probabilities are exact fractions where faces are listed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
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
    num_dice,
    stat,
    crit_on=6,
    reroll="none",
    auto_crits=0,
    auto_norms=0,
    fails_to_norms=0,
    norms_to_crits=0,
    abilities=(),
    chain=False,
    worth=(0, 0),
):
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
                kinds["c"] + auto_crits,
                kinds["n"] + auto_norms,
                kinds["f"],
                abilities,
                fails_to_norms,
                norms_to_crits,
                chain,
                worth,
            )
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
    attack,
    plain,
    pierced,
    norm_dmg,
    crit_dmg,
    mwx=0,
    abilities=(),
    fire_team=False,
    fnp=0,
    per_hit=False,
    rounds=1,
):
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


# -- fighting ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Man:
    """One fighter in the middle of a round."""

    norm_dmg: int
    crit_dmg: int
    abilities: frozenset
    crits: int
    norms: int
    wounds: int
    start: int
    fnp: int = 0
    per_hit: bool = False
    struck: bool = False
    crit_struck: bool = False

    def has(self, ability):
        return ability in self.abilities

    @property
    def dice(self):
        return self.crits + self.norms


@dataclass(frozen=True)
class Move:
    """What the mover and the other look like afterwards, wounds aside, and the damage dealt strike by strike."""

    name: str
    me: Man
    foe: Man
    damages: tuple = ()


def first_strike(me, foe, damage):
    if me.struck:
        return damage
    return 0 if foe.has("just_a_scratch") else damage + me.has("hammerhand")


def strikes(me, foe):
    if me.crits:
        damage = me.crit_dmg - (foe.has("durable") and not me.crit_struck and me.crit_dmg > 3)
        mine = replace(me, crits=me.crits - 1, struck=True, crit_struck=True)
        his, damages = foe, (first_strike(me, foe, damage),)
        if me.has("stun") and not me.crit_struck:
            his = replace(his, norms=max(0, his.norms - 1))
        if me.has("shock") and not me.crit_struck:
            his = replace(his, norms=his.norms - 1) if his.norms else replace(his, crits=max(0, his.crits - 1))
        if me.has("murderous_entrance") and not me.crit_struck and mine.dice:
            if mine.crits:
                yield Move("crit strike", replace(mine, crits=mine.crits - 1), his, (*damages, me.crit_dmg))
            if mine.norms:
                yield Move("crit strike", replace(mine, norms=mine.norms - 1), his, (*damages, me.norm_dmg))
        else:
            yield Move("crit strike", mine, his, damages)
    if me.norms:
        mine = replace(me, norms=me.norms - 1, struck=True)
        yield Move("norm strike", mine, foe, (first_strike(me, foe, me.norm_dmg),))


def parries(me, foe):
    """All that stop as much as they can, most criticals first."""
    if me.crits and foe.dice:
        if me.has("dueller"):
            sets = [(1, 1), (0, 2), (1, 0), (0, 1)]
        elif me.has("storm_shield"):
            sets = [(2, 0), (1, 1), (0, 2), (1, 0), (0, 1)]
        else:
            sets = [(1, 0), (0, 1)]
        possible = [(a, b) for a, b in sets if a <= foe.crits and b <= foe.norms]
        most = max(a + b for a, b in possible)
        for a, b in possible:
            if a + b == most:
                his = replace(foe, crits=foe.crits - a, norms=foe.norms - b)
                yield Move("crit parry", replace(me, crits=me.crits - 1), his)
    if me.norms and foe.norms and not foe.has("brutal"):
        stopped = min(foe.norms, 2 if me.has("storm_shield") else 1)
        yield Move("norm parry", replace(me, norms=me.norms - 1), replace(foe, norms=foe.norms - stopped))


def moves(me, foe):
    return [*strikes(me, foe), *parries(me, foe)]


def wounds_after(foe, damages):
    """{wounds: probability} after strikes, with Feel No Pain per point or per strike."""
    left = {foe.wounds: Fraction(1)}
    for damage in damages:
        if not foe.fnp:
            lost = {damage: Fraction(1)}
        elif foe.per_hit:
            chance = Fraction(7 - foe.fnp, 6)
            lost = {damage: 1 - chance, damage - 1: chance} if damage else {0: Fraction(1)}
        else:
            lost = {damage - k: p for k, p in binomial(damage, Fraction(7 - foe.fnp, 6)).items()}
        after = defaultdict(Fraction)
        for w, p in left.items():
            for loss, q in lost.items():
                after[max(0, w - loss)] += p * q
        left = {w: p for w, p in after.items() if p}
    return left


def wasted(me, kind_of_die):
    """A parry that stops nothing: the peer allows it, the rules we play do not (ruling K6)."""
    if kind_of_die == "crit":
        return replace(me, crits=me.crits - 1)
    return replace(me, norms=me.norms - 1)


def wise_parry(me, foe, peer):
    options = {move.name: move for move in reversed(list(parries(me, foe)))}
    if me.crits and foe.crits:
        return options["crit parry"]
    if me.norms and foe.norms and not foe.has("brutal"):
        return options["norm parry"]
    if me.crits:
        return options.get("crit parry") or (Move("crit parry", wasted(me, "crit"), foe) if peer else None)
    return next(strikes(me, foe)) if peer else None


def kills(me, foe, peer):
    if not peer:
        return sum(next(strikes(me, foe)).damages) >= foe.wounds
    damage = me.norm_dmg
    if me.crits:
        damage = me.crit_dmg - (foe.has("durable") and not me.crit_struck and me.crit_dmg > 3)
        damage += me.crit_dmg * (me.has("murderous_entrance") and not me.crit_struck)
    return damage + (me.has("hammerhand") and not me.struck) >= foe.wounds


def last_parry(me, foe, peer):
    if foe.has("brutal") and not me.crits:
        return None
    options = {move.name: move for move in reversed(list(parries(me, foe)))}
    if me.has("dueller") and me.crits and foe.crits <= 1 and foe.dice <= 2:
        name = "crit parry"
    elif foe.dice > (2 if me.has("storm_shield") else 1):
        return None
    elif foe.crits:
        name = "crit parry"
    else:
        name = "norm parry" if me.norms and not foe.has("brutal") else "crit parry"
    move = options.get(name)
    if move is None and peer and not foe.dice:
        move = Move(name, wasted(me, name.split()[0]), foe)
    if move is None:
        return None
    to_come = move.me.crits * me.crit_dmg + move.me.norms * me.norm_dmg
    to_come += me.has("hammerhand") and not me.struck and (peer or move.me.dice > 0)
    return move if to_come >= (foe.start if peer else foe.wounds) else None


def choose(me, foe, plan, peer):
    """The move of a named strategy."""
    strike = next(strikes(me, foe))
    if kills(me, foe, peer) or (foe.has("brutal") and not me.crits):
        return strike
    if not foe.dice and not peer:
        return strike
    if me.has("stun") and not me.crit_struck and me.crits and not foe.crits:
        return strike
    last = last_parry(me, foe, peer)
    if last:
        return last
    parry = wise_parry(me, foe, peer)
    if plan == "strike" or parry is None:
        return strike
    if plan == "parry":
        return parry
    worth = {}
    for move in (strike, parry):
        worth[move] = Fraction(0)
        for w, p in wounds_after(foe, move.damages).items():
            men = (replace(move.foe, wounds=w), move.me)
            for (his, mine), q in ends(*men, "strike", plan, peer, peer).items():
                worth[move] += p * q * (-his if plan == "max_dmg_to_enemy" else mine)
    return strike if worth[strike] >= worth[parry] else parry


def duelist(me, foe, peer):
    if not me.has("duelist") or not me.dice or not foe.dice:
        return me, foe
    needs_crit = foe.has("brutal") or (me.crits and foe.crits) or not me.norms
    name = "crit parry" if needs_crit else "norm parry"
    move = next((move for move in parries(me, foe) if move.name == name), None)
    if move is None:  # the peer throws a normal away against criticals alone
        return (wasted(me, "norm"), foe) if peer and not foe.has("brutal") and name == "norm parry" else (me, foe)
    return move.me, move.foe


@cache
def ends(me, foe, my_plan, his_plan, peer=False, opening=False):
    """{(my wounds, his wounds): probability} at the end of the round by named strategies, me to move."""
    if opening:
        me, foe = duelist(me, foe, peer)
        foe, me = duelist(foe, me, peer)
    if not me.wounds or not foe.wounds or not me.dice + foe.dice:
        return {(me.wounds, foe.wounds): Fraction(1)}
    if not me.dice:
        return {(b, a): p for (a, b), p in ends(foe, me, his_plan, my_plan, peer).items()}
    move = choose(me, foe, my_plan, peer)
    result = defaultdict(Fraction)
    for w, p in wounds_after(foe, move.damages).items():
        for (his, mine), q in ends(replace(move.foe, wounds=w), move.me, his_plan, my_plan, peer).items():
            result[mine, his] += p * q
    return dict(result)


def game_value(men, turn, plans, value, opening=True):
    """The value (two criteria, fighter 1's view) of a round by walking the whole game tree.

    ``plans`` are "optimal" or a named strategy; ``value[w1, w2]`` is what an end is worth. Duelists may parry or not.
    """
    best = max if turn == 0 else min
    if opening:
        me, foe = men[turn], men[1 - turn]
        choices = [(me, foe)]
        if me.has("duelist") and me.dice and foe.dice:
            if plans[turn] == "optimal":
                choices += [(move.me, move.foe) for move in parries(me, foe)]
            else:
                choices = [duelist(me, foe, False)]
        later = [pair if turn == 0 else pair[::-1] for pair in choices]
        return best(game_value(pair, 1 - turn, plans, value, opening=turn == 0) for pair in later)
    one, two = men
    if not one.wounds or not two.wounds or not one.dice + two.dice:
        return value[one.wounds, two.wounds]
    me, foe = men[turn], men[1 - turn]
    if not me.dice:
        return game_value(men, 1 - turn, plans, value, opening=False)
    tried = moves(me, foe) if plans[turn] == "optimal" else [choose(me, foe, plans[turn], False)]
    worth = []
    for move in tried:
        total = [Fraction(0), Fraction(0)]
        for w, p in wounds_after(foe, move.damages).items():
            pair = (move.me, replace(move.foe, wounds=w))
            sub = game_value(pair if turn == 0 else pair[::-1], 1 - turn, plans, value, opening=False)
            total = [t + p * s for t, s in zip(total, sub, strict=True)]
        worth.append(tuple(total))
    return best(worth)

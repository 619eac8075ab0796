"""The slow, obvious way: roll every face of every die, in the order a player would, with exact fractions.

It shares nothing with the engine: it reads plain dictionaries of the reference fields and walks the tree of faces one
attack at a time. Only equal situations are merged, so a handful of attacks is what it can do.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeVar

T = TypeVar("T")
Dist = dict[T, Fraction]

DEFENDER = {
    "models": 3, "toughness": 4, "save": 4, "invulnerable": 0, "wounds": 2, "feel_no_pain": 0, "feel_no_pain_mortal": 0,
    "damage_reduction": 0, "halve_damage": False, "damage_minimum": 1, "hit_modifier": 0, "wound_modifier": 0,
    "cover": False, "stealth": False, "save_modifier": 0, "reroll_saves": "none", "wounds_already_lost": 0,
    "monster_vehicle": False,
}  # fmt: skip
WEAPON = {
    "type": "attack", "mortal_wounds": "0", "count": 1, "attacks": "2", "skill": 3, "strength": 4, "ap": 1,
    "strength_dice": "0",
    "damage": "1", "melee": False, "torrent": False, "lethal_hits": False, "lethal_choice": "best",
    "sustained_hits": "0", "devastating_wounds": False, "devastating_against": "any", "anti": 0, "twin_linked": False,
    "blast": 0, "cleave": 0, "rapid_fire": "0", "melta": 0, "half_range": False, "heavy": False, "stationary": False,
    "moved_short": False, "lance": False, "charged": False, "ignores_cover": False, "indirect": False,
    "spotted": False, "plunging_fire": False, "psychic": False, "overwatch": False, "hit_modifier": 0,
    "wound_modifier": 0, "critical_hit": 6, "critical_wound": 6, "critical_hit_needs_success": False,
    "reroll_hits": "none", "reroll_wounds": "none", "reroll_damage": "none", "extra_mortals_on_crit_wound": "0",
}  # fmt: skip

D6 = {face: Fraction(1, 6) for face in range(1, 7)}


def mixed(parts: Iterator[tuple[Fraction, Dist[T]]]) -> Dist[T]:
    out: Dist[T] = defaultdict(Fraction)
    for weight, part in parts:
        for value, p in part.items():
            out[value] += weight * p
    return dict(out)


def then(dist: Dist[Any], go: Callable[[Any], Dist[T]]) -> Dist[T]:
    """Do something after each outcome."""
    return mixed((p, go(value)) for value, p in dist.items())


def added(a: Dist[int], b: Dist[int]) -> Dist[int]:
    return then(a, lambda x: {x + y: p for y, p in b.items()})


def expr(text: Any, again: Callable[[int, int], bool] = lambda _face, _sides: False) -> Dist[int]:
    """XDy+Z by rolling each die; ``again`` says which faces are rerolled once."""
    total: Dist[int] = {0: Fraction(1)}
    for sign, count, sides, flat in re.findall(r"([+-]?)(?:(\d*)[dD](\d+)|(\d+))", str(text).replace(" ", "")):
        way = -1 if sign == "-" else 1
        if flat:
            total = added(total, {way * int(flat): Fraction(1)})
            continue
        faces = range(1, int(sides) + 1)
        fresh = {f: Fraction(1, int(sides)) for f in faces}
        die = mixed((p, fresh if again(f, int(sides)) else {f: Fraction(1)}) for f, p in fresh.items())
        for _ in range(int(count or 1)):
            total = added(total, {way * f: p for f, p in die.items()})
    return then(total, lambda v: {max(0, v): Fraction(1)})


def rolled(outcome: Callable[[int], str], reroll: str) -> Dist[str]:
    """One D6 with a reroll permission, as a distribution of outcomes."""

    def again(face: int) -> bool:
        got = outcome(face)
        return {
            "none": False,
            "ones": face == 1,
            "failed": got == "fail",
            "noncrit": got != "crit",
            "all": True,
        }[reroll]

    fresh = then(D6, lambda face: {outcome(face): Fraction(1)})
    return then(D6, lambda face: fresh if again(face) else {outcome(face): Fraction(1)})


class Sequence:
    """One weapon's attack, die by die."""

    def __init__(self, weapon: dict[str, Any], defender: dict[str, Any], rules: dict[str, Any]) -> None:
        self.w = WEAPON | weapon
        self.d = DEFENDER | defender
        self.eleventh = rules.get("edition", "tenth") == "eleventh"
        self.spill = rules.get("devastating", "no_spill") == "spill" and not self.eleventh

    # -- rolls ----------------------------------------------------------------------------------------------------

    def covered(self) -> bool:
        if self.w["melee"] or self.w["ignores_cover"]:
            return False
        return bool(self.d["cover"] or self.w["indirect"] or (self.eleventh and self.d["stealth"]))

    def hit_face(self, face: int) -> str:
        w, d = self.w, self.d
        skill, mods = w["skill"], [w["hit_modifier"], d["hit_modifier"]]
        lowest = 2
        if w["heavy"] and (w["stationary"] or (self.eleventh and w["moved_short"])):
            mods.append(1)
        if not self.eleventh:
            if d["stealth"] and not w["melee"]:
                mods.append(-1)
            if w["indirect"]:
                mods.append(-1)
                lowest = 4
        else:
            if w["indirect"]:
                lowest = 4 if w["spotted"] and w["stationary"] else 6
            if w["psychic"]:
                mods = [m for m in mods if m > 0]
            if not w["melee"]:
                if self.covered() and not w["psychic"]:
                    skill += 1
                if w["plunging_fire"]:
                    skill -= 1
                skill = min(skill, 6)
        if w["overwatch"]:
            lowest = 6
        if face < lowest:
            return "fail"
        modified = face + max(-1, min(1, sum(mods)))
        good = face == 6 or modified >= skill
        threshold = w["critical_hit"] if w["critical_hit"] in range(2, 7) else 6
        if face >= threshold and (good or not w["critical_hit_needs_success"]):
            return "crit"
        return "good" if good else "fail"

    def hit_roll(self) -> Dist[str]:
        if self.w["torrent"]:
            return {"good": Fraction(1)}
        barred = self.eleventh and (self.w["indirect"] or self.w["overwatch"])
        return rolled(self.hit_face, "none" if barred else self.w["reroll_hits"])

    def wound_face(self, face: int, rolled_strength: int = 0) -> str:
        s, t = self.w["strength"] + rolled_strength, self.d["toughness"]
        need = 2 if s >= 2 * t else 3 if s > t else 4 if s == t else 6 if s * 2 <= t else 5
        mods = self.w["wound_modifier"] + self.d["wound_modifier"] + (self.w["lance"] and self.w["charged"])
        crits = [c for c in (self.w["critical_wound"], self.w["anti"]) if c in range(2, 7)]
        if face == 1:
            return "fail"
        if face >= min([6, *crits]):
            return "crit"
        return "good" if face + max(-1, min(1, mods)) >= need else "fail"

    def wound_roll(self) -> Dist[str]:
        reroll = self.w["reroll_wounds"]
        if self.w["twin_linked"] and reroll in ("none", "ones"):
            reroll = "failed"
        strengths = expr(self.w["strength_dice"])
        return then(strengths, lambda s: rolled(lambda face: self.wound_face(face, s), reroll))

    def save_face(self, face: int) -> str:
        w, d = self.w, self.d
        ap = w["ap"] + (1 if w["plunging_fire"] and not self.eleventh and not w["melee"] else 0)
        bonus = d["save_modifier"]
        if self.covered() and not self.eleventh and not (d["save"] <= 3 and ap == 0):
            bonus += 1
        armour = face + min(1, bonus - ap) >= d["save"]
        invulnerable = d["invulnerable"] and face >= d["invulnerable"]
        saved = face != 1 and (armour or invulnerable)
        return "fail" if not saved else "crit" if face == 6 else "good"

    def save_roll(self) -> Dist[str]:
        return rolled(self.save_face, self.d["reroll_saves"])

    # -- what an attack does --------------------------------------------------------------------------------------

    def damage_roll(self, *, mortal: bool) -> Dist[int]:
        """Wounds after melta, halving, reduction and one Feel No Pain die per point."""
        w, d = self.w, self.d
        again = {
            "none": lambda _f, _s: False,
            "ones": lambda f, _s: f == 1,
            "below_average": lambda f, s: 2 * f < s + 1,
            "all": lambda f, s: 2 * f < s + 1,
        }[w["reroll_damage"]]
        melta = w["melta"] if w["half_range"] else 0

        def dealt(base: int) -> int:
            if mortal and self.eleventh:
                return base + melta
            value = -(-base // 2) if d["halve_damage"] else base
            return max(d["damage_minimum"] if base + melta else 0, value + melta - d["damage_reduction"])

        return then(expr(w["damage"], again), lambda base: self.felt(dealt(base), mortal=mortal))

    def felt(self, points: int, *, mortal: bool) -> Dist[int]:
        needs = [n for n in (self.d["feel_no_pain"], mortal and self.d["feel_no_pain_mortal"]) if n]
        lost: Dist[int] = {0: Fraction(1)}
        for _ in range(points):
            lost = added(lost, then(D6, lambda face: {int(not (needs and face >= min(needs))): Fraction(1)}))
        return lost

    def mortals(self, text: Any) -> Dist[int]:
        return then(expr(text), lambda n: self.felt(n, mortal=True))

    @property
    def devastating(self) -> bool:
        limited = self.w["devastating_against"] == "monster_vehicle" and not self.d["monster_vehicle"]
        return bool(self.w["devastating_wounds"]) and not limited

    def wound(self, *, critical: bool) -> Dist[tuple[int, int, tuple[int, ...], tuple[int, ...], int]]:
        """(wounds, unsaved, strikes now, strikes later, spilling later) of one wound."""
        one = Fraction(1)
        extra = self.mortals(self.w["extra_mortals_on_crit_wound"]) if critical else {0: one}
        if critical and self.devastating:
            hurt = self.damage_roll(mortal=True)
            if self.spill:
                return then(added(hurt, extra), lambda m: {(1, 1, (), (), m): one})
            return then(hurt, lambda dmg: then(extra, lambda m: {(1, 1, (), (dmg,), m): one}))

        def saved(result: str) -> Dist[Any]:
            if result != "fail":
                return then(extra, lambda m: {(1, 0, (), (), m): one})
            struck = self.damage_roll(mortal=False)
            return then(struck, lambda dmg: then(extra, lambda m: {(1, 1, (dmg,), (), m): one}))

        return then(self.save_roll(), saved)

    def hit(self) -> Dist[Any]:
        nothing = {(0, 0, (), (), 0): Fraction(1)}
        return then(self.wound_roll(), lambda r: nothing if r == "fail" else self.wound(critical=r == "crit"))

    def takes_lethal(self) -> bool:
        if not self.w["lethal_hits"]:
            return False
        if not self.eleventh or self.w["lethal_choice"] == "always":
            return True
        worth = [
            sum(p * (sum(s) + sum(t) + m) for (_, _, s, t, m), p in dist.items())
            for dist in (self.wound(critical=False), self.hit())
        ]
        return self.w["lethal_choice"] == "best" and worth[0] >= worth[1]

    def attack(self) -> Dist[Any]:
        """(hits, wounds, unsaved, strikes now, strikes later, spilling later) of one attack die."""

        def counted(dist: Dist[Any]) -> Dist[Any]:
            return {(1, *rest): p for rest, p in dist.items()}

        def resolved(result: str) -> Dist[Any]:
            if result == "fail":
                return {(0, 0, 0, (), (), 0): Fraction(1)}
            first = self.wound(critical=False) if result == "crit" and self.takes_lethal() else self.hit()
            if result != "crit":
                return counted(first)
            return then(expr(self.w["sustained_hits"]), lambda x: _repeat(counted(first), counted(self.hit()), x))

        return then(self.hit_roll(), resolved)

    def volley(self) -> Dist[Any]:
        if self.w["type"] == "mortal":
            each = {(0, 0, 0, (), (), m): p for m, p in self.mortals(self.w["mortal_wounds"]).items()}
            return _repeat({(0, 0, 0, (), (), 0): Fraction(1)}, each, self.w["count"])
        count = self.w["attacks"]
        per_five = int(self.w["blast"]) + (self.w["cleave"] if self.eleventh and self.w["melee"] else 0)
        rapid = self.w["rapid_fire"] if self.w["half_range"] else 0
        attacks = added(added(expr(count), expr(rapid)), {per_five * (self.d["models"] // 5): Fraction(1)})
        one = self.attack()
        nothing = {(0, 0, 0, (), (), 0): Fraction(1)}
        each = then(attacks, lambda n: _repeat(nothing, one, n))
        return _repeat(nothing, each, self.w["count"])


def _joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _repeat(start: Dist[Any], each: Dist[Any], times: int) -> Dist[Any]:
    for _ in range(times):
        start = then(start, lambda a: mixed((p, {_joined(a, b): Fraction(1)}) for b, p in each.items()))
    return start


def allocate(defender: dict[str, Any], now: list[int], later: list[int], spilling: int) -> tuple[int, int]:
    """Wounds lost and models removed, taking wounds off one model at a time."""
    d = DEFENDER | defender
    models = [d["wounds"]] * d["models"]
    if models:
        models[0] -= d["wounds_already_lost"]
    start = sum(models)
    for strike in [*now, *later]:
        alive = next((i for i, left in enumerate(models) if left > 0), None)
        if alive is not None:
            models[alive] = max(0, models[alive] - strike)
    for _ in range(spilling):
        alive = next((i for i, left in enumerate(models) if left > 0), None)
        if alive is not None:
            models[alive] -= 1
    return start - sum(models), sum(left == 0 for left in models)


def resolve(weapons: list[dict[str, Any]], defender: dict[str, Any], rules: dict[str, Any]) -> dict[str, Dist[int]]:
    """Every distribution of the attack, from the joint distribution of what all weapons did."""
    total: Dist[Any] = {(0, 0, 0, (), (), 0): Fraction(1)}
    for weapon in weapons:
        volley = Sequence(weapon, defender, rules).volley()
        total = then(
            total, lambda a, volley=volley: mixed((p, {_joined(a, b): Fraction(1)}) for b, p in volley.items())
        )
    stages: dict[str, Dist[int]] = {name: defaultdict(Fraction) for name in STAGES}
    for (hits, wounds, unsaved, now, later, spilling), p in total.items():
        damage, destroyed = allocate(defender, list(now), list(later), spilling)
        raw = sum(now) + sum(later) + spilling
        for name, value in zip(STAGES, (hits, wounds, unsaved, raw, damage, destroyed), strict=True):
            stages[name][value] += p
    return stages


STAGES = ("hits", "wounds", "unsaved", "raw_damage", "damage", "destroyed")

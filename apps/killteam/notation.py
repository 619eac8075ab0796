"""Profiles as a line of text, for the library, for pasted lists and for people.

    Plasma gun: 4 3+ 4/6, Piercing 1, Lethal 5+          a weapon: dice, hits on, normal/critical damage, rules
    Intercessor: 3+ 14W, Cover 1, Feel No Pain 5+        a target: save, wounds, rules; three defence dice
    Plague Marine: 3+ 14W, Feel No Pain 4+ per hit       ... that takes 1 off a hit instead of a point
    Custodian: 4 dice 2+ 18W, Invulnerable 4+            ... or as many as it says

    Intercessor: 4 3+ 3/4 14W, Brutal, Feel No Pain 5+   a fighter: a melee weapon and the wounds of who holds it

A rule we know sets a property of the profile; one we do not know is kept as a word and changes nothing. The meaning of
the 2024 weapon rules is a table, ``RULES``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

DEFENCE_DICE = 3  # every operative of the 2024 edition


class NotationError(ValueError):
    """A line that is not a profile. Says which line, what was expected and what was found."""


class Meaning(NamedTuple):
    """What a rule sets. ``value`` None = the number in the rule, a mapping = more beside that number; ``where`` = the
    dice it works on."""

    pattern: str
    target: str
    value: Any = None
    where: str = "shoot+fight"


#: Weapon rules of the 2024 edition and what they set. Rules about range, movement, targets or later turns do not change
#: the dice of the attack itself and are left out on purpose.
RULES: tuple[Meaning, ...] = (
    Meaning(r"Piercing Crits (\d+)", "px", where="shoot"),
    Meaning(r"Piercing (\d+)", "apx", where="shoot"),
    Meaning(r"Lethal (\d+)\+?", "lethal"),
    Meaning(r"(?:\d+\" )?Devastating (\d+)", "mwx", where="shoot"),
    Meaning(r"Accurate (\d+)", "auto_norms"),
    Meaning(r"Balanced", "reroll", "balanced"),
    Meaning(r"Ceaseless", "reroll", "most_common_fail"),
    Meaning(r"Relentless", "reroll", "relentless"),
    Meaning(r"Rending", "abilities", "rending"),
    Meaning(r"Severe", "abilities", "severe"),
    Meaning(r"Punishing", "abilities", "fail_to_norm_if_crit"),
    Meaning(r"Saturate|Detonate|Skytorch", "abilities", "saturate", "shoot"),
    Meaning(r"Brutal", "abilities", "brutal", "fight"),
    Meaning(r"Shock", "abilities", "shock", "fight"),
    Meaning(r"Shield|Repress|Tangle", "abilities", "storm_shield", "fight"),  # each own block stops two
)
#: What may stand behind a target.
DEFENCE_RULES: tuple[Meaning, ...] = (
    Meaning(r"Cover(?: (\d+))?", "auto_norms"),
    Meaning(r"Invulnerable (\d)\+?", "invuln_save"),
    Meaning(r"(?:Feel No Pain|FNP) (\d)\+?", "fnp"),
    Meaning(r"(?:Feel No Pain|FNP|[^(]+) \(?(\d)\+ per hit\)?", "fnp", {"fnp_mode": "per_hit"}),
    Meaning(r"Hardy (\d)\+?", "hardyx"),
    Meaning(r"Obscured", "abilities", "obscured_target"),
    Meaning(r"Durable", "abilities", "durable"),
    Meaning(r"Just a scratch", "abilities", "just_a_scratch"),
    Meaning(r"Balanced", "reroll", "balanced"),
    Meaning(r"Relentless", "reroll", "relentless"),
)
#: What a fighter may have besides the rules of its weapon.
FIGHTER_RULES: tuple[Meaning, ...] = (
    *(
        meaning
        for meaning in DEFENCE_RULES
        if meaning.target == "fnp" or meaning.value in ("durable", "just_a_scratch")
    ),
    Meaning(r"Stun", "abilities", "stun"),
    Meaning(r"Duelist", "abilities", "duelist"),
    Meaning(r"Dueller", "abilities", "dueller"),
    Meaning(r"Hammerhand", "abilities", "hammerhand"),
    Meaning(r"Murderous Entrance", "abilities", "murderous_entrance"),
)
BOTH_REROLLS = {frozenset({"balanced", "most_common_fail"}): "ceaseless_plus_balanced"}

WEAPON = re.compile(r"(?P<dice>\d+)(?: dice)? (?P<hit>\d)\+ (?P<normal>\d+)/(?P<critical>\d+)")
FIGHTER = re.compile(WEAPON.pattern + r" (?P<wounds>\d+)W?", re.I)
TARGET = re.compile(r"(?:(?P<dice>\d+) (?:dice )?)?(?P<save>\d)\+ (?P<wounds>\d+)W?", re.I)


@dataclass(frozen=True, slots=True)
class Line:
    """A profile as it was written: its name, its figures, its rules."""

    name: str
    figures: dict[str, int]
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        f = self.figures
        if "wounds" in f and "norm_dmg" in f:
            body = f"{f['num_dice']} {f['dice_stat']}+ {f['norm_dmg']}/{f['crit_dmg']} {f['wounds']}W"
        elif "wounds" in f:
            body = f"{f['num_dice']} dice {f['dice_stat']}+ {f['wounds']}W"
        else:
            body = f"{f['num_dice']} {f['dice_stat']}+ {f['norm_dmg']}/{f['crit_dmg']}"
        return f"{self.name}: {', '.join((body, *self.rules))}"


@dataclass(frozen=True, slots=True)
class Reading:
    """Properties for one kind of attack, and the rules that do not change its dice."""

    values: dict[str, Any]
    left_out: tuple[str, ...] = field(default=())


def weapon(text: str, number: int = 1) -> Line:
    """One attacker.

    >>> weapon("Bolt rifle: 4 3+ 3/4, Piercing Crits 1").figures["crit_dmg"]
    4
    """
    name, found, rules = _split(text, WEAPON, number, "Plasma gun: 4 3+ 4/6, Piercing 1")
    figures = {"num_dice": int(found["dice"]), "dice_stat": int(found["hit"])}
    return Line(name, figures | {"norm_dmg": int(found["normal"]), "crit_dmg": int(found["critical"])}, rules)


def target(text: str, number: int = 1) -> Line:
    """One defender.

    >>> str(target("Intercessor: 3+ 14W, Cover 1"))
    'Intercessor: 3 dice 3+ 14W, Cover 1'
    """
    name, found, rules = _split(text, TARGET, number, "Intercessor: 3+ 14W, Cover 1")
    figures = {"num_dice": int(found["dice"] or DEFENCE_DICE), "dice_stat": int(found["save"])}
    return Line(name, figures | {"wounds": int(found["wounds"])}, rules)


def fighter(text: str, number: int = 1) -> Line:
    """One fighter.

    >>> str(fighter("Ork: 4 3+ 4/5 10W, Brutal"))
    'Ork: 4 3+ 4/5 10W, Brutal'
    """
    name, found, rules = _split(text, FIGHTER, number, "Ork: 4 3+ 4/5 10W, Brutal")
    figures = {"num_dice": int(found["dice"]), "dice_stat": int(found["hit"]), "wounds": int(found["wounds"])}
    return Line(name, figures | {"norm_dmg": int(found["normal"]), "crit_dmg": int(found["critical"])}, rules)


def _split(
    text: str, pattern: re.Pattern[str], number: int, example: str
) -> tuple[str, re.Match[str], tuple[str, ...]]:
    name, colon, rest = text.partition(":")
    body, *rules = (part.strip() for part in rest.split(","))
    found = pattern.fullmatch(body) if colon else None
    if found is None or not name.strip():
        raise NotationError(f"Line {number} must look like “{example}”; you entered “{text.strip()[:60]}”.")
    return name.strip()[:60], found, tuple(rule for rule in rules if rule)


def read_weapon(line: Line, where: str) -> Reading:
    """The properties of a weapon when shooting or in a fight.

    >>> read_weapon(weapon("Fist: 4 3+ 5/7, Brutal, Piercing 1"), "fight").left_out
    ('Piercing 1',)
    """
    return _read(line, [meaning for meaning in RULES if where in meaning.where])


def read_fighter(line: Line) -> Reading:
    """The properties of a fighter.

    >>> read_fighter(fighter("Knight: 5 3+ 4/6 12W, Stun, Feel No Pain 5+")).values["fnp"]
    5
    """
    return _read(line, [*(meaning for meaning in RULES if "fight" in meaning.where), *FIGHTER_RULES])


def read_armed(weapon: Line, bearer: Line) -> dict[str, Any]:
    """The properties of a fighter: a melee weapon, with the wounds and the skin of whoever holds it.

    >>> read_armed(weapon("Fist: 4 3+ 5/7, Brutal"), target("Captain: 2+ 15W, Feel No Pain 5+"))["wounds"]
    15
    """
    own = read_target(bearer).values
    skin = {name: own[name] for name in ("wounds", "fnp", "fnp_mode") if name in own}
    return read_weapon(weapon, "fight").values | skin


def read_target(line: Line) -> Reading:
    """The properties of a target.

    >>> read_target(target("Captain: 2+ 15W, Cover, Durable")).values["auto_norms"]
    1
    """
    return _read(line, DEFENCE_RULES)


def _read(line: Line, meanings: Iterable[Meaning]) -> Reading:
    values: dict[str, Any] = dict(line.figures)
    rerolls: set[str] = set()
    left_out = []
    for rule in line.rules:
        meaning, found = _meaning(rule, meanings)
        if meaning is None or found is None:
            left_out.append(rule)
        elif meaning.target == "abilities":
            values["abilities"] = [*values.get("abilities", []), meaning.value]
        elif meaning.target == "reroll":
            rerolls.add(meaning.value)
        else:
            values[meaning.target] = int(found[1] or 1)
            values |= meaning.value or {}
    if rerolls:
        values["reroll"] = BOTH_REROLLS.get(frozenset(rerolls)) or sorted(rerolls)[-1]
    return Reading(values, tuple(left_out))


def _meaning(rule: str, meanings: Iterable[Meaning]) -> tuple[Meaning | None, re.Match[str] | None]:
    for meaning in meanings:
        if found := re.fullmatch(meaning.pattern, rule.strip(), re.I):
            return meaning, found
    return None, None


def lines(text: str) -> list[tuple[int, str]]:
    """The lines that hold something, with their numbers; ``#`` starts a remark."""
    numbered = ((number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in numbered if line]

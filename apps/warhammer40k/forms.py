"""What a reader can ask: weapons in order, the unit they are fired at, the situation and the edition.

Every choice is a table. Field names are short, because they are the permalink; ``services`` turns them into the
engine's documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.core.forms import CalculatorForm, Choice, Repeated, Several, Toggle, Whole, Words

MOST_WEAPONS = 8

EDITIONS = [("tenth", "10th"), ("eleventh", "11th"), ("both", "Both")]
COUNTED = [
    ("destroyed", "Models destroyed"), ("damage", "Damage"), ("unsaved", "Unsaved wounds"), ("wounds", "Wounds"),
    ("hits", "Hits"),
]  # fmt: skip
QUESTIONS = [("exactly", "Exactly"), ("at_least", "At least"), ("at_most", "At most")]

ABILITIES = [
    ("melee", "Melee"), ("torrent", "Torrent"), ("lethal", "Lethal Hits"), ("devastating", "Devastating Wounds"),
    ("twin_linked", "Twin-linked"), ("heavy", "Heavy"), ("lance", "Lance"), ("ignores_cover", "Ignores Cover"),
    ("indirect", "Indirect Fire"), ("psychic", "Psychic"), ("hazardous", "Hazardous"), ("precision", "Precision"),
    ("devastating_large", "Devastating: Monster or Vehicle only"), ("strict_criticals", "Criticals must hit"),
    ("bearer_large", "Carried by Monsters or Vehicles"),
]  # fmt: skip
#: In sight on every weapon; the others are folded away until they are set.
COMMON_ABILITIES = ("melee", "torrent", "lethal", "devastating", "twin_linked", "heavy")
ABILITY_NOTES = {
    "melee": "Cover and Stealth do not matter; Cleave does",
    "torrent": "Every attack hits without a roll",
    "lethal": "A critical hit wounds without a roll",
    "devastating": "A critical wound cannot be saved",
    "twin_linked": "Reroll failed wound rolls",
    "heavy": "+1 to hit when the bearer stayed put",
    "lance": "+1 to wound on the charge",
    "ignores_cover": "The target never has cover",
    "indirect": "Shoots what it cannot see, worse",
    "psychic": "11th edition: skill and hit penalties can be ignored",
    "hazardous": "A roll for each once it has fired; failures hurt the bearer",
    "precision": "Wounds go to leaders first, where the target has some",
    "bearer_large": "Hazardous then costs three mortal wounds, not the model",
    "devastating_large": "Devastating Wounds counts only where the target has one of these keywords",
    "strict_criticals": "A critical hit on less than 6 counts only where the roll would hit",
}
SITUATIONS = [
    ("half_range", "Half range"), ("stationary", "Stationary"), ("charged", "Charged"), ("cover", "Target in cover"),
    ("moved_short", 'Moved 3" or less'), ("plunging", "Plunging fire"), ("spotted", "Spotted by a friend"),
    ("overwatch", "Overwatch"),
]  # fmt: skip
SITUATION_NOTES = {
    "half_range": "Rapid Fire and Melta count",
    "stationary": "Heavy counts",
    "charged": "Lance counts",
    "cover": "10th: +1 to the armour save; 11th: one worse Ballistic Skill",
    "moved_short": "11th edition: Heavy counts all the same",
    "plunging": "10th: one better AP; 11th: one better Ballistic Skill",
    "spotted": "11th edition: stationary Indirect Fire misses on 1–3 only",
    "overwatch": "Only unmodified sixes hit",
}
TRAITS = [
    ("stealth", "Stealth"),
    ("halve_damage", "Halves damage"),
    ("to_zero", "Reduction may reach 0"),
]
TRAIT_NOTES = {
    "stealth": "10th: −1 to hit from range; 11th: cover from range",
    "halve_damage": "Damage of each attack is halved, rounding up",
    "to_zero": "Without it, an attack that hurts at all takes at least 1 wound",
}
KEYWORDS = [
    ("infantry", "Infantry"), ("vehicle", "Vehicle"), ("monster", "Monster"), ("mounted", "Mounted"),
    ("beast", "Beast"), ("swarm", "Swarm"), ("fly", "Fly"), ("psyker", "Psyker"), ("character", "Character"),
    ("walker", "Walker"), ("titanic", "Titanic"),
]  # fmt: skip
AGAINST = [("any", "whatever it is"), *KEYWORDS, ("monster_vehicle", "Monster or Vehicle")]
ROLES = [("guard", "Bodyguard"), ("leader", "Leader")]
ORDERS = [
    ("best", "best fixed"), ("adaptive", "best anew"), ("listed", "as listed"),
]  # fmt: skip
TOUGHNESSES = [("highest", "highest"), ("majority", "majority")]
WORDINGS = [("no_spill", "is lost"), ("spill", "spills")]
REROLLS = [("none", "none"), ("ones", "ones"), ("failed", "failed"), ("noncrit", "all but criticals"), ("all", "all")]
DAMAGE_REROLLS = [("none", "none"), ("ones", "ones"), ("below_average", "below average"), ("all", "any")]
LETHAL = [("best", "when it pays"), ("always", "always"), ("never", "never")]

TARGETS = [(str(n), f"{n}+") for n in range(2, 7)]
NONE_OR_TARGET = [("0", "none"), *TARGETS]
CRITICALS = [("6", "6"), *((str(n), f"{n}+") for n in range(5, 1, -1))]
SUSTAINED = [("0", "none"), ("1", "1"), ("2", "2"), ("3", "3"), ("D3", "D3")]
PER_FIVE = [("0", "none"), ("1", "1"), ("2", "2"), ("3", "3")]

_TERM = r"(?:[0-9]+|[0-9]*D[0-9]+)"
DICE = re.compile(rf"{_TERM}(?:\+{_TERM})*")
MOST_AP = 6


class Penetration(Whole):
    """Armour penetration: printed as players write it, −3; read with or without its minus; 3 in the address."""

    def __init__(self, label: str, initial: int) -> None:
        super().__init__(label, -MOST_AP, 0, initial)

    def prepare_value(self, value: Any) -> Any:
        text = str(value if value is not None else "").strip()
        return f"-{int(text)}" if text.isdecimal() and int(text) else value

    def clean(self, value: Any) -> int:
        entered = str(value if value is not None else "").strip()
        text = entered.replace("−", "-").removeprefix("-")
        if re.fullmatch(r"[0-9]{1,2}", text) and int(text) <= MOST_AP:
            return int(text)
        raise ValidationError(f"{self.label} must be 0 to −{MOST_AP}; you entered {entered[:20] or 'nothing'}.")


class Dice(Words):
    """A number or ``XDy+Z``; the engine reads it, this only keeps its letters in order."""

    def __init__(self, label: str, initial: str, *, hint: str = "") -> None:
        super().__init__(label, initial, most=20, hint=hint)

    def clean(self, value: Any) -> str:
        text = str(super().clean(value)).replace(" ", "").upper()
        if not DICE.fullmatch(text):
            raise ValidationError(f"{self.label} must be a number or dice like 2D6+3; you entered {value}.")
        return text


class WeaponFields(forms.Form):
    """One line of the attacker's list."""

    name = Words("Weapon", required=False)
    count = Whole("Models", 0, 100, 5)
    attacks = Dice("Attacks", "2")
    skill = Whole("Skill", 2, 6, 3, suffix="+")
    strength = Whole("Strength", 1, 40, 4)
    ap = Penetration("AP", 1)
    damage = Dice("Damage", "1")
    abilities = Several("Abilities", ABILITIES, notes=ABILITY_NOTES)
    sustained = Choice("Sustained Hits", SUSTAINED)
    rapid_fire = Dice("Rapid Fire", "0", hint="at half range")
    melta = Whole("Melta", 0, 10, 0, hint="at half range")
    blast = Choice("Blast", PER_FIVE, hint="per five models")
    anti = Choice("Anti", NONE_OR_TARGET)
    against = Choice("Anti against", AGAINST)
    reroll_hits = Choice("Reroll hits", REROLLS)
    reroll_wounds = Choice("Reroll wounds", REROLLS)
    reroll_damage = Choice("Reroll damage", DAMAGE_REROLLS)
    hit_modifier = Whole("To hit ±", -3, 3, 0)
    wound_modifier = Whole("To wound ±", -3, 3, 0)
    critical_hit = Choice("Critical hit on", CRITICALS)
    critical_wound = Choice("Critical wound on", CRITICALS)
    strength_dice = Dice("Strength rolled on top", "0", hint="for each attack")
    extra_mortals = Dice("Mortal wounds per critical wound", "0", hint="in addition")
    mortals = Dice("Mortal wounds without a roll", "0", hint="each, in addition")
    cleave = Choice("Cleave", PER_FIVE, hint="11th, melee")
    lethal_choice = Choice("Use Lethal Hits", LETHAL, hint="11th: a choice")
    bearer_wounds = Whole("Bearer's wounds", 1, 100, 1, hint="for Hazardous")


#: Shown at once; the rest of a weapon's fields are folded away until one of them is set.
WEAPON_FIRST = ("count", "attacks", "skill", "strength", "ap", "damage")
WEAPON_FOLDED = tuple(n for n in WeaponFields.base_fields if n not in (*WEAPON_FIRST, "name", "abilities"))


class TargetFields(forms.Form):
    """The unit shot at."""

    target = Words("Target", "Marines", required=False)
    models = Whole("Models", 0, 200, 10)
    toughness = Whole("Toughness", 1, 40, 4)
    save = Whole("Save", 2, 7, 3, suffix="+", hint="7+ is none")
    wounds = Whole("Wounds", 1, 100, 2)
    invulnerable = Choice("Invulnerable", NONE_OR_TARGET)
    fnp = Choice("Feel No Pain", NONE_OR_TARGET)
    traits = Several("Target's abilities", TRAITS, notes=TRAIT_NOTES)
    keywords = Several("Target's keywords", KEYWORDS)
    fnp_mortal = Choice("Feel No Pain, mortal", NONE_OR_TARGET)
    reduction = Whole("Damage −", 0, 10, 0)
    hit_penalty = Whole("To be hit ±", -3, 3, 0)
    wound_penalty = Whole("To be wounded ±", -3, 3, 0)
    save_bonus = Whole("Save ±", -3, 3, 0)
    reroll_saves = Choice("Reroll saves", REROLLS)
    lost = Whole("Wounds already lost", 0, 99, 0, hint="on one model")
    unit_points = Whole("Points of the unit", 0, 5000, 0, hint="0: not given")
    points_for = Whole("Models those points buy", 0, 200, 0, hint="0: the models above")


class GroupFields(forms.Form):
    """Models of the target that differ from those above."""

    name = Words("Name", required=False)
    models = Whole("Models", 1, 100, 1)
    toughness = Whole("Toughness", 1, 40, 4)
    save = Whole("Save", 2, 7, 3, suffix="+", hint="7+ is none")
    wounds = Whole("Wounds", 1, 100, 3)
    invulnerable = Choice("Invulnerable", NONE_OR_TARGET)
    fnp = Choice("Feel No Pain", NONE_OR_TARGET)
    role = Choice("Role", ROLES)
    points = Whole("Points of the group", 0, 5000, 0, hint="0: as the others")


#: Further groups of a target.
MOST_GROUPS = 4
GROUP_FIGURES = tuple(name for name in GroupFields.base_fields if name != "name")
#: How a target of several groups is played.
MIXED_NAMES = ("order", "wound_against")

TARGET_FIRST = ("models", "toughness", "save", "wounds", "invulnerable", "fnp")
TARGET_NAMES = tuple(TargetFields.base_fields)
TARGET_FOLDED = tuple(n for n in TARGET_NAMES if n not in (*TARGET_FIRST, "target", "traits", "keywords"))
#: One for both situations.
SHEET_WIDE = ("edition", "wording", "counted", "question", "level")


class AttackForm(TargetFields, CalculatorForm):
    """The whole sheet. Situation B shares A's edition and, unless told otherwise, A's target."""

    lines: ClassVar[tuple[Repeated, ...]] = (
        Repeated("w", "weapons", "Weapons", WeaponFields, most=MOST_WEAPONS),
        Repeated("g", "groups", "Groups", GroupFields, most=MOST_GROUPS, initial=0),
    )
    edition = Choice("Edition", EDITIONS, as_segments=True)
    wording = Choice("Devastating damage left over", WORDINGS, hint="10th: it spilled in June 2023")
    situation = Several("Situation", SITUATIONS, notes=SITUATION_NOTES)
    points = Whole("Points of the attackers", 0, 5000, 0, hint="0: not given")
    order = Choice("Order of the groups", ORDERS, hint="anew: decided at every wound, 10th")
    wound_against = Choice("Toughness of the unit", TOUGHNESSES, hint="among those hit first")
    own_target = Toggle("Another target")
    counted = Choice("Show", COUNTED)
    question = Choice("As", QUESTIONS, as_segments=True)
    level = Whole("Wanted chance to wipe", 1, 99, 80, suffix="%", hint="for the advice")

    def __init__(self, data: QueryDict, prefix: str = "") -> None:
        if "counted" not in data and data.get("models") == "1" and not GROUPS.count(data):
            data = data.copy()
            data["counted"] = "damage"  # of one model, how much is left says more than whether it falls
        self.shares_target = bool(prefix) and not data.get(f"{prefix}-own_target")
        super().__init__(_with_the_first_ones(data, prefix, self._shared()) if prefix else data, prefix)

    def _shared(self) -> tuple[str, ...]:
        return (*SHEET_WIDE, *TARGET_NAMES, *MIXED_NAMES, *GROUP_NAMES) if self.shares_target else SHEET_WIDE

    def canonical(self) -> Iterator[tuple[str, str]]:
        hidden = {self.add_prefix(name) for name in self._shared()} if self.prefix else set()
        return (pair for pair in super().canonical() if pair[0] not in hidden)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        lost, wounds = values.get("lost"), values.get("wounds")
        if lost and wounds and lost >= wounds:
            self.add_error(
                "lost", f"Wounds already lost must be 0–{wounds - 1}, or the model is gone; you entered {lost}."
            )
        return values


WEAPONS, GROUPS = AttackForm.lines
#: Every field of every group, as the address names them.
GROUP_NAMES = (
    GROUPS.key,
    *(f"{GROUPS.key}{number}-{name}" for number in range(1, MOST_GROUPS + 1) for name in GroupFields.base_fields),
)


def _with_the_first_ones(data: QueryDict, prefix: str, names: tuple[str, ...]) -> QueryDict:
    """The address with the first situation's values in place of the second's."""
    merged = data.copy()
    for name in names:
        merged.pop(f"{prefix}-{name}", None)
        if name in data:
            merged.setlist(f"{prefix}-{name}", data.getlist(name))
    return merged

"""One sequence of the Dice-Engine (``CombatSequenceBuilder``): its form, filled from a sheet, and its dice as steps."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from apps.core.forms import CalculatorForm, Choice, Whole
from apps.warhammer40k.services.rolling import Die, Rolled, Step, WeaponRoll
from apps.warhammer40k.services.sheet import attack_of, editions_of
from engine.dice.rolls import DiceRoll
from engine.warhammer40k.builder import CombatResult, RolledDie
from engine.warhammer40k.ops import RollInput, sequence
from engine.warhammer40k.stages import Stages
from engine.wire import EngineError

RULESETS = [("dice_engine", "Dice-Engine"), ("tenth", "10th edition")]
REROLLS = [("none", "none"), ("ones", "ones"), ("failed", "failed"), ("all", "all")]
NEEDED = {"hit": "hitting", "wound": "wounding", "save": "saving"}
MOST_DICE = 200


class SequenceForm(CalculatorForm):
    """The builder's steps: attacks, what each phase needs, rerolls, modifiers, exploding hits, mortal wounds."""

    ruleset = Choice("Rules", RULESETS, as_segments=True)
    attacks = Whole("Attacks", 0, MOST_DICE, 10)
    hitting = Whole("Hits on", 1, 7, 3, suffix="+")
    wounding = Whole("Wounds on", 1, 7, 4, suffix="+")
    saving = Whole("Saved on", 1, 7, 5, suffix="+", hint="7+ is none")
    damage = Whole("Damage", 0, 100, 1)
    explode_on = Whole("Hits explode on", 0, 6, 0, hint="0: never")
    explode_extra = Whole("Extra attacks each", 1, 5, 1)
    mortal_on = Whole("Mortal wounds on", 0, 6, 0, hint="0: never; a wound roll")
    mortal_count = Whole("Mortal wounds each", 1, 10, 1)
    reroll_hits = Choice("Reroll hits", REROLLS)
    reroll_wounds = Choice("Reroll wounds", REROLLS)
    reroll_saves = Choice("Reroll saves", REROLLS)
    hit_modifier = Whole("To hit ±", -5, 5, 0)
    wound_modifier = Whole("To wound ±", -5, 5, 0)
    save_modifier = Whole("Save ±", -5, 5, 0)


SEQUENCE_FIRST = ("attacks", "hitting", "wounding", "saving", "damage", "explode_on", "explode_extra")
SEQUENCE_FOLDED = tuple(name for name in SequenceForm.base_fields if name not in (*SEQUENCE_FIRST, "ruleset"))


def form_from(settings: dict[str, Any]) -> SequenceForm:
    """The form with the first weapon of a sheet: dice fields at their average, targets after modifiers."""
    request = attack_of(settings, editions_of(settings)[0])
    weapons = [weapon for weapon in request.weapons if weapon.type == "attack"]
    if not weapons:
        return SequenceForm(QueryDict())
    stages = Stages(weapons[0], request.defender, request.rules)
    values = {
        "attacks": min(MOST_DICE, round(stages.attacks.mean * weapons[0].count)),
        "hitting": stages.hit.need if stages.hit else 1,
        "wounding": stages.wound.need,
        "saving": stages.save.need,
        "damage": round(stages.rolled_damage.mean),
        "reroll_hits": _reroll(weapons[0].reroll_hits),
        "reroll_wounds": _reroll(stages.wound_reroll),
    }
    data = QueryDict(mutable=True)
    for name, value in values.items():
        data[name] = str(value)
    return SequenceForm(data)


def _reroll(permission: str) -> str:
    return "all" if permission == "noncrit" else permission


def document_of(settings: dict[str, Any], seed: int | None = None) -> RollInput:
    """The engine's document for a filled form."""
    saving = settings["saving"]
    return RollInput.model_validate(
        {
            "attacks": settings["attacks"],
            "hitting": settings["hitting"],
            "wounding": settings["wounding"],
            "saving": saving if saving <= 6 else None,
            "damage": settings["damage"],
            "rerolls": {phase: settings[f"reroll_{phase}s"] for phase in NEEDED},
            "modifiers": {phase: settings[f"{phase}_modifier"] for phase in NEEDED},
            "exploding_hits": _trigger(settings["explode_on"], "extra", settings["explode_extra"]),
            "mortal_wounds": _trigger(settings["mortal_on"], "count", settings["mortal_count"]),
            "ruleset": settings["ruleset"],
            "seed": seed,
        }
    )


def _trigger(on: int, name: str, number: int) -> dict[str, int] | None:
    return {"on": on, name: number} if on else None


def roll(settings: dict[str, Any], seed: int | None = None) -> tuple[CombatResult, Rolled]:
    """One sequence with every die; ``ValidationError`` in the builder's words where it makes no sense."""
    try:
        result = sequence(document_of(settings, seed)).execute()
    except EngineError as error:
        raise ValidationError(error.message) from None
    return result, _as_rolled(result)


def _as_rolled(result: CombatResult) -> Rolled:
    """The dice in the shape the page of real dice shows."""
    weapon = WeaponRoll("The sequence", [], result.hits, result.wounds, result.unsaved)
    rolled = Rolled([weapon], Step("", []))
    for title, phase, dice in (
        ("To hit", "hit", result.hit_rolls),
        ("To wound", "wound", result.wound_rolls),
        ("Saves", "save", result.save_rolls),
    ):
        step = Step(title)
        first_of: dict[int, int] = {}
        for at, die in enumerate(dice):
            origin = first_of.get(die.exploded_from) if die.exploded_from is not None else None
            first_of[at] = len(rolled.dice) + 1
            for shown in _shown(die, phase, len(rolled.dice) + 1, origin):
                rolled.dice.append(shown)
                step.dice.append(shown)
        weapon.steps.append(step)
    return rolled


def _shown(die: RolledDie, phase: str, number: int, origin: int | None) -> list[Die]:
    good = {"hit": "hits", "wound": "wounds", "save": "saved"}[phase]
    bad = {"hit": "misses", "wound": "fails", "save": "fails"}[phase]
    outcome = (good if die.success else bad) + (", triggers" if die.triggered else "")

    def one(roll: DiceRoll, at: int, words: str, *, stale: bool = False, rerolls: int | None = None) -> Die:
        return Die(at, phase, roll, words, die.success and not stale, origin, rerolls, stale)

    if die.reroll is None:
        return [one(die.original, number, outcome)]
    return [
        one(die.original, number, "rerolled", stale=True),
        one(die.reroll, number + 1, outcome, rerolls=number),
    ]

"""Beyond the answer: the same weapons into eight targets, the best rerolls, and what would lift the chance to wipe."""

from __future__ import annotations

from functools import cache
from typing import Any

from apps.warhammer40k import library
from apps.warhammer40k.forms import TargetFields
from apps.warhammer40k.services.sheet import editions_of, exact, points_each, question_of
from engine.warhammer40k.advice import (
    Objective,
    Policy,
    Request,
    WeaponAdvice,
    attacks_needed,
    best_rerolls,
    improvements,
    policies,
    worth,
)
from engine.warhammer40k.attack import Outcome
from engine.warhammer40k.mixed import MixedDefender, MixedOutcome, ModelGroup
from engine.warhammer40k.profile import Defender
from engine.wire import EngineError

#: The targets of the comparison, as differences from the sheet's defaults (marines).
PRESET_TARGETS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Guard", {"models": 10, "toughness": 3, "save": 5, "wounds": 1, "keywords": ["infantry"]}),
    ("Marines", {"models": 10, "toughness": 4, "save": 3, "wounds": 2, "keywords": ["infantry"]}),
    ("Terminators", {"models": 5, "toughness": 5, "save": 2, "invulnerable": "4", "wounds": 3,
                     "keywords": ["infantry"]}),
    ("Gravis", {"models": 3, "toughness": 6, "save": 3, "wounds": 3, "keywords": ["infantry"]}),
    ("Light vehicle", {"models": 1, "toughness": 9, "save": 3, "wounds": 10, "keywords": ["vehicle"]}),
    ("Tank", {"models": 1, "toughness": 11, "save": 2, "wounds": 13, "keywords": ["vehicle"]}),
    ("Knight", {"models": 1, "toughness": 11, "save": 3, "invulnerable": "5", "wounds": 26,
                "keywords": ["vehicle", "walker", "titanic"]}),
    ("Horde", {"models": 20, "toughness": 5, "save": 5, "wounds": 1, "keywords": ["infantry"]}),
)  # fmt: skip
#: The card of the 10th edition that has these figures, for its points.
PRESET_CARDS = {
    "Guard": "Cadian Shock Troops", "Marines": "Intercessor Squad", "Terminators": "Terminator Squad",
    "Gravis": "Aggressor Squad", "Light vehicle": "Rhino", "Tank": "Leman Russ Battle Tank",
    "Knight": "Knight Paladin", "Horde": "Boyz",
}  # fmt: skip
POLICY_WORDS = {
    "none": "nothing",
    "ones": "only ones",
    "failed": "failures",
    "noncrit": "everything but criticals",
    "all": "everything",
}
#: Single improvements shown; the engine knows more.
SHOWN_LIFTS = 6


def targets(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per target: this sheet's own first, then the presets, for the first edition asked for."""
    edition = editions_of(settings)[0]
    rows = [("This target", settings, True)]
    defaults = {name: field.initial for name, field in TargetFields.base_fields.items()}
    own = settings["target"].casefold()
    others = [(name, values) for name, values in PRESET_TARGETS if name.casefold() != own]
    alike = {**settings, **defaults, "groups": []}
    rows += [(name, {**alike, **values, **preset_points(name)}, False) for name, values in others]
    return [_row(name, exact(question_of(values, edition), values), values, own) for name, values, own in rows]


@cache
def preset_points(name: str) -> dict[str, int]:
    """What a preset target costs: so many points for so many models."""
    profile = library.by_title("unit", PRESET_CARDS[name])
    unit = library.card(profile.key) if profile else None
    models = next(values["models"] for label, values in PRESET_TARGETS if label == name)
    return {"unit_points": unit.points(models), "points_for": models} if unit else {}


def preset_address(name: str) -> list[tuple[str, str]]:
    """A preset target as fields of a sheet."""
    values = next(values for label, values in PRESET_TARGETS if label == name)
    fields = {"target": name, **values, **preset_points(name)}
    return [(key, str(one)) for key, value in fields.items() for one in (value if isinstance(value, list) else [value])]


def _row(name: str, outcome: Outcome | MixedOutcome, values: dict[str, Any], own: bool) -> dict[str, Any]:
    defender = outcome.defender
    groups = defender.groups if isinstance(defender, MixedDefender) else (defender,)
    return {
        "name": (values["target"] or name) if own else name,
        "own": own,
        "profile": ", ".join(map(_figures, groups)),
        "unsaved": outcome.unsaved.mean if isinstance(outcome, Outcome) else None,
        "damage": outcome.damage.mean,
        "destroyed": outcome.destroyed.mean if defender.models > 1 else None,
        "models": defender.models,
        "points": _points_taken(values, outcome),
        "preset": "" if own else name,
        "gone": outcome.damage.mean / defender.total_wounds if defender.total_wounds else 0.0,
        "p_wiped": outcome.p_wiped,
    }


def _figures(models: Defender | ModelGroup) -> str:
    saves = f"{models.save}+" if models.save < 7 else "no save"
    saves += f"/{models.invulnerable}++" if models.invulnerable else ""
    return f"{models.models}× T{models.toughness} {saves} {models.wounds}W"


def _points_taken(values: dict[str, Any], outcome: Outcome | MixedOutcome) -> float | None:
    """Points of the models destroyed on average, where the unit has a price."""
    if isinstance(outcome, MixedOutcome):
        return outcome.points_lost or None
    return outcome.destroyed.mean * points_each(values) if values["unit_points"] else None


def advice(settings: dict[str, Any]) -> dict[str, Any]:
    """What to reroll, and what would lift the chance to wipe the unit out past the reader's level."""
    # Worked out some thirty times: a defender who would decide anew at every wound keeps to his best order here.
    fixed = {**settings, "order": "best" if settings["order"] == "adaptive" else settings["order"]}
    request = question_of(fixed, editions_of(settings)[0])
    exact(request, settings)
    level = settings["level"] / 100
    now = worth(request)
    lifts = [lift for lift in improvements(request, level) if lift.gain > 1e-9][:SHOWN_LIFTS]
    return {
        "now": now.wipe,
        "level": settings["level"],
        "reached": now.wipe >= level,
        "lifts": lifts,
        "more_attacks": _more_attacks(request, level) if now.wipe < level else [],
        "rerolls": _rerolls(request),
    }


def _more_attacks(request: Request, level: float) -> list[tuple[str, int | None]]:
    """Per weapon, how many more of its attacks would do; None where that is more than can be counted."""
    alive = request.defender.total_wounds > 0

    def needed(at: int) -> int | None:
        try:
            return attacks_needed(request, level, at)
        except EngineError:
            return None

    return [
        (weapon.name or f"Weapon {at + 1}", needed(at))
        for at, weapon in enumerate(request.weapons)
        if weapon.type == "attack" and alive
    ]


def _rerolls(request: Request) -> list[dict[str, Any]]:
    """For weapons with a choice of rerolls: the best policy for damage, and what fishing for criticals costs."""
    if all(len(policies(weapon)) == 1 for weapon in request.weapons):
        return []
    objective: Objective = "damage"
    _, advised = best_rerolls(request, objective)
    return [
        {"name": one.name or f"Weapon {at + 1}", "says": _policy_sentence(one), "fishing": _fishing(one)}
        for at, one in enumerate(advised)
        if len(one.options) > 1
    ]


def _policy_sentence(one: WeaponAdvice) -> str:
    best: Policy = one.best
    parts = [f"hit rolls: {POLICY_WORDS[best.hit]}"] if any(p.hit != "none" for p, _ in one.options) else []
    if any(p.wound != "none" for p, _ in one.options):
        parts.append(f"wound rolls: {POLICY_WORDS[best.wound]}")
    if any(p.damage_keep_from > 1 for p, _ in one.options):
        kept = best.damage_keep_from
        parts.append(f"damage dice: {f'those below {kept}' if kept > 1 else 'nothing'}")
    return "; ".join(parts)


def _fishing(one: WeaponAdvice) -> str:
    words = []
    for which, gain in (("hit", one.fishing_hits), ("wound", one.fishing_wounds)):
        if gain is not None and abs(gain) > 1e-9:
            verb = "adds" if gain > 0 else "costs"
            words.append(f"Fishing for critical {which}s {verb} {abs(gain):.2f} damage.")
    return " ".join(words)

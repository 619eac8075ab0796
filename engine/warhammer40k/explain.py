"""The arithmetic of an attack with the reader's own numbers, step by step, as data a page can lay out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.warhammer40k.attack import Outcome, Volley
from engine.warhammer40k.mixed import MixedOutcome
from engine.warhammer40k.stages import (
    CRITICAL,
    FAIL,
    DieTable,
    Stages,
    ignore_chance,
    mortal_feel_no_pain,
    wound_target,
)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the working: what it is, its value, and why. ``weapon`` is its place in the list; None: the unit."""

    weapon: int | None
    stage: str
    label: str
    value: float
    why: str


def explain(outcome: Outcome | MixedOutcome) -> tuple[Step, ...]:
    """Every step from attack dice to models removed. Where models differ, weapons are shown against the first ones."""
    steps: list[Step] = []
    volleys = outcome.at_first_guards if isinstance(outcome, MixedOutcome) else outcome.volleys
    for at, one in enumerate(volleys):
        steps += _rolled(at, one) if one.rolls else _mortal(at, one)
    unit = _allocated_to_groups(outcome) if isinstance(outcome, MixedOutcome) else _allocated(outcome)
    return (*steps, *unit)


def _rolled(at: int, one: Volley) -> Iterator[Step]:
    stages = one.stages
    yield Step(at, "attacks", "Attack dice", one.attacks.mean, _attacks_why(one))
    yield from _hit_steps(at, stages)
    yield from _wound_steps(at, stages)
    yield from _save_steps(at, stages)
    yield from _damage_steps(at, stages)
    per_attack = one.unsaved.mean / one.attacks.mean if one.attacks.mean else 0.0
    why = f"{_number(one.attacks.mean)} attacks × {_number(per_attack)} unsaved each"
    yield Step(at, "unsaved", "Unsaved wounds on average", one.unsaved.mean, why)


def _mortal(at: int, one: Volley) -> Iterator[Step]:
    why = f"{one.weapon.count} × {one.weapon.mortal_wounds}{_pain(mortal_feel_no_pain(one.stages.defender))}"
    yield Step(at, "damage", "Mortal wounds on average", one.mortal_wounds.mean, why)


def _attacks_why(one: Volley) -> str:
    weapon, stages = one.weapon, one.stages
    parts = [weapon.attacks]
    if weapon.half_range and weapon.rapid_fire != "0":
        parts.append(f"{weapon.rapid_fire} for Rapid Fire at half range")
    if stages.extra_attacks:
        parts.append(f"{stages.extra_attacks} for every five of {stages.defender.models} models")
    return f"{weapon.count} × ({' + '.join(parts)})"


def _hit_steps(at: int, stages: Stages) -> Iterator[Step]:
    if stages.hit is None:
        yield Step(at, "hits", "Chance to hit", 1.0, "Torrent: every attack hits without a roll")
        return
    miss, _, critical = stages.hit_chances
    yield Step(at, "hits", "Chance to hit", 1.0 - miss, _hit_why(stages, stages.hit))
    if stages.sustained.high or stages.lethal or critical * 6 != 1:
        yield Step(at, "hits", "Chance of a critical hit", critical, _die_why(stages.hit, "critical"))
    if stages.sustained.high:
        why = f"each critical hit adds {stages.weapon.sustained_hits}"
        yield Step(at, "hits", "Sustained Hits per attack", critical * stages.sustained.mean, why)
    if stages.lethal:
        yield Step(
            at, "wounds", "Hits that wound by themselves", critical, "Lethal Hits: criticals skip the wound roll"
        )


def _hit_why(stages: Stages, die: DieTable) -> str:
    parts = [f"{stages.weapon.skill}+"]
    if stages.skill != stages.weapon.skill:
        parts.append(f"{stages.skill}+ after cover and height")
    parts += [f"{value:+d} {why}" for why, value in stages.hit_modifiers]
    if stages.always_misses > 1:
        parts.append(f"1–{stages.always_misses} always miss")
    return f"{', '.join(parts)}: {_die_why(die, 'success')}"


def _die_why(die: DieTable, what: str) -> str:
    """Faces out of six, with the reroll spelt out."""
    wanted = [o == CRITICAL if what == "critical" else o != FAIL for o in die.outcomes]
    rerolled = sum(die.rerolled)
    faces = sum(wanted)
    if not rerolled:
        return f"{faces} of 6 faces"
    kept = sum(good and not again for good, again in zip(wanted, die.rerolled, strict=True))
    return f"{kept}/6 kept + {rerolled}/6 rerolled × {faces}/6"


def _wound_steps(at: int, stages: Stages) -> Iterator[Step]:
    weapon, defender = stages.weapon, stages.defender
    fails, _, critical = stages.wound_chances
    base = wound_target(weapon.strength, defender.toughness)
    parts = [f"S{weapon.strength} against T{defender.toughness} is {base}+"]
    if stages.rolls_strength:
        parts = [f"S{weapon.strength}+{weapon.strength_dice} against T{defender.toughness}, over every roll"]
    parts += [f"{value:+d} {why}" for why, value in stages.wound_modifiers]
    if stages.critical_wound < min(6, base):
        parts.append(f"{stages.critical_wound}+ always wounds")
    die = "on average" if stages.rolls_strength else _die_why(stages.wound, "success")
    why = f"{', '.join(parts)}: {die}"
    yield Step(at, "wounds", "Chance that a hit wounds", 1.0 - fails, why)
    if stages.devastating:
        why = f"Devastating Wounds: {_die_why(stages.wound, 'critical')}, no save"
        yield Step(at, "wounds", "Chance of a devastating wound", critical, why)


def _save_steps(at: int, stages: Stages) -> Iterator[Step]:
    defender = stages.defender
    parts = [f"{defender.save}+ armour" if defender.save < 7 else "no armour"]
    if stages.ap:
        parts.append(f"AP-{stages.ap}")
    if stages.cover_helps_save:
        parts.append("+1 cover")
    if defender.save_modifier:
        parts.append(f"{defender.save_modifier:+d} modifier")
    if defender.invulnerable:
        parts.append(f"{defender.invulnerable}+ invulnerable")
    used = f"{stages.save.need}+ is used" if stages.save.need <= 6 else "nothing to roll"
    why = f"{', '.join(parts)}: {used}; saved on {_die_why(stages.save, 'success')}"
    yield Step(at, "unsaved", "Chance that a wound is not saved", stages.unsaved_chance, why)


def _damage_steps(at: int, stages: Stages) -> Iterator[Step]:
    weapon, defender = stages.weapon, stages.defender
    parts = [weapon.damage]
    if weapon.reroll_damage != "none":
        parts.append("low dice rerolled")
    if defender.halve_damage:
        parts.append("halved, rounding up")
    if stages.melta:
        parts.append(f"+{stages.melta} Melta")
    if defender.damage_reduction:
        parts.append(f"-{defender.damage_reduction}, at least {defender.damage_minimum}")
    why = ", ".join(parts) + _pain(defender.feel_no_pain)
    yield Step(at, "damage", "Damage of an unsaved wound", stages.damage.mean, why)


def _pain(feel_no_pain: int) -> str:
    return f", each point kept with {_number(1 - ignore_chance(feel_no_pain))} (FNP)" if feel_no_pain else ""


def _allocated(outcome: Outcome) -> Iterator[Step]:
    raw, lost, unit = outcome.raw_damage.mean, outcome.damage.mean, outcome.defender
    yield Step(None, "damage", "Damage if nothing were wasted", raw, "unsaved wounds × damage, all weapons")
    why = f"{_number(raw)} less {_number(raw - lost)} lost on models that were already dying, or past the last of them"
    yield Step(None, "damage", "Wounds lost on average", lost, why)
    why = f"model by model, {unit.wounds} wounds each, counted for every possible sequence"
    yield Step(None, "destroyed", "Models removed on average", outcome.destroyed.mean, why)
    why = f"the chance that all {unit.models} models are removed"
    yield Step(None, "destroyed", "Chance to wipe the unit out", outcome.p_wiped, why)


def _allocated_to_groups(outcome: MixedOutcome) -> Iterator[Step]:
    unit = outcome.unit
    why = f"the {unit.toughness} among the models that are hit first"
    yield Step(None, "wounds", "Toughness wound rolls are made against", unit.wound_toughness, why)
    why = "every save, damage and Feel No Pain by the model that takes the wound"
    yield Step(None, "damage", "Wounds lost on average", outcome.damage.mean, why)
    for at, group in enumerate(unit.groups):
        why = f"of {group.models}, {group.wounds} wounds each"
        label = f"{group.name or f'Group {at + 1}'} removed on average"
        yield Step(None, "destroyed", label, outcome.destroyed_of(at).mean, why)
    why = f"the chance that all {unit.models} models are removed"
    yield Step(None, "destroyed", "Chance to wipe the unit out", outcome.p_wiped, why)


def _number(value: float) -> str:
    """At most four digits after the point, none that say nothing."""
    return f"{value:.4f}".rstrip("0").rstrip(".")

"""A sheet's values as the engine's document. Everything else in this package asks the engine about that document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.core.services import beside_the_field
from engine.warhammer40k.attack import Outcome, resolve
from engine.warhammer40k.mixed import MixedDefender, MixedInput, MixedOutcome, ModelGroup, resolve_mixed
from engine.warhammer40k.profile import AttackInput, Defender, Rules, Weapon, amount, expression
from engine.wire import EngineError

DICE_FIELDS = ("attacks", "damage", "rapid_fire", "strength_dice", "extra_mortals", "mortals")


def question_of(settings: dict[str, Any], edition: str = "tenth") -> AttackInput | MixedInput:
    """The engine's document for a sheet, whatever its target."""
    attack = attack_of(settings, edition)
    if not settings["groups"]:
        return attack
    return MixedInput(weapons=attack.weapons, defender=_mixed_defender(settings, attack.defender), rules=attack.rules)


def attack_of(settings: dict[str, Any], edition: str = "tenth") -> AttackInput:
    """The same with the target's first group alone. A dice field that cannot be read is said beside that field."""
    weapons: list[Weapon] = []
    for at, line in enumerate(settings["weapons"], 1):
        for name in DICE_FIELDS:
            with beside_the_field({name: f"w{at}-{name}"}):
                expression(line[name], name)
        weapons += weapons_of(line, settings["situation"], settings["keywords"])
    rules = Rules(edition=edition, devastating=settings["wording"])
    return AttackInput(weapons=tuple(weapons), defender=_defender(settings), rules=rules)


def weapons_of(line: dict[str, Any], situation: Sequence[str], keywords: Sequence[str]) -> list[Weapon]:
    """A line of the sheet: a weapon, and the mortal wounds it deals without a roll as another one."""
    has, now = set(line["abilities"]).__contains__, set(situation).__contains__
    weapon = Weapon(
        name=line["name"],
        count=line["count"],
        attacks=line["attacks"],
        skill=line["skill"],
        strength=line["strength"],
        strength_dice=line["strength_dice"],
        ap=line["ap"],
        damage=line["damage"],
        melee=has("melee"),
        torrent=has("torrent"),
        lethal_hits=has("lethal"),
        devastating_wounds=has("devastating"),
        devastating_against="monster_vehicle" if has("devastating_large") else "any",
        critical_hit_needs_success=has("strict_criticals"),
        twin_linked=has("twin_linked"),
        heavy=has("heavy"),
        lance=has("lance"),
        ignores_cover=has("ignores_cover"),
        indirect=has("indirect"),
        psychic=has("psychic"),
        hazardous=has("hazardous"),
        precision=has("precision"),
        bearer_monster_vehicle=has("bearer_large"),
        lethal_choice=line["lethal_choice"],
        sustained_hits=line["sustained"],
        rapid_fire=line["rapid_fire"],
        melta=line["melta"],
        blast=int(line["blast"]),
        cleave=int(line["cleave"]),
        anti=int(line["anti"]) if _is_against(line["against"], keywords) else 0,
        reroll_hits=line["reroll_hits"],
        reroll_wounds=line["reroll_wounds"],
        reroll_damage=line["reroll_damage"],
        hit_modifier=line["hit_modifier"],
        wound_modifier=line["wound_modifier"],
        critical_hit=int(line["critical_hit"]),
        critical_wound=int(line["critical_wound"]),
        extra_mortals_on_crit_wound=line["extra_mortals"],
        half_range=now("half_range"),
        stationary=now("stationary"),
        charged=now("charged"),
        moved_short=now("moved_short"),
        plunging_fire=now("plunging"),
        spotted=now("spotted"),
        overwatch=now("overwatch"),
    )
    if line["mortals"] == "0":
        return [weapon]
    mortals = Weapon(name=line["name"], type="mortal", count=line["count"], mortal_wounds=line["mortals"])
    return [weapon, mortals]


def _is_against(against: str, keywords: Sequence[str]) -> bool:
    """Does Anti apply to this target?"""
    if against == "monster_vehicle":
        return "monster" in keywords or "vehicle" in keywords
    return against == "any" or against in keywords


def _defender(values: dict[str, Any]) -> Defender:
    traits = values["traits"]
    return Defender(
        name=values["target"],
        models=values["models"],
        toughness=values["toughness"],
        save=values["save"],
        invulnerable=int(values["invulnerable"]),
        wounds=values["wounds"],
        feel_no_pain=int(values["fnp"]),
        feel_no_pain_mortal=int(values["fnp_mortal"]),
        damage_reduction=values["reduction"],
        halve_damage="halve_damage" in traits,
        damage_minimum=0 if "to_zero" in traits else 1,
        hit_modifier=values["hit_penalty"],
        wound_modifier=values["wound_penalty"],
        save_modifier=values["save_bonus"],
        reroll_saves=values["reroll_saves"],
        stealth="stealth" in traits,
        cover="cover" in values.get("situation", ()),
        wounds_already_lost=values["lost"],
        monster_vehicle="monster" in values["keywords"] or "vehicle" in values["keywords"],
    )


def _mixed_defender(values: dict[str, Any], first: Defender) -> MixedDefender:
    shared = ("damage_minimum", "hit_modifier", "wound_modifier", "cover", "stealth", "monster_vehicle",
              "save_modifier", "reroll_saves")  # fmt: skip
    own = ("feel_no_pain_mortal", "damage_reduction", "halve_damage")
    each = points_each(values)
    front = ModelGroup(
        name=values["target"],
        models=first.models,
        toughness=first.toughness,
        save=first.save,
        invulnerable=first.invulnerable,
        wounds=first.wounds,
        feel_no_pain=first.feel_no_pain,
        wounds_already_lost=first.wounds_already_lost,
        points=each,
        **{name: getattr(first, name) for name in own},
    )
    others = [
        ModelGroup(
            name=group["name"] or f"Group {at}",
            models=group["models"],
            toughness=group["toughness"],
            save=group["save"],
            invulnerable=int(group["invulnerable"]),
            wounds=group["wounds"],
            feel_no_pain=int(group["fnp"]),
            points=group["points"] / group["models"] if group["points"] else each,
            leader=group["role"] == "leader",
            **{name: getattr(first, name) for name in own},
        )
        for at, group in enumerate(values["groups"], 2)
    ]
    return MixedDefender(
        name=values["target"],
        groups=(front, *others),
        order=values["order"],
        toughness=values["wound_against"],
        **{name: getattr(first, name) for name in shared},
    )


def points_each(values: dict[str, Any]) -> float:
    """Points of one model of the target's first group; 0 where they are not given."""
    return float(values["unit_points"] / max(1, values["points_for"] or values["models"]))


def editions_of(settings: dict[str, Any]) -> tuple[str, ...]:
    return ("tenth", "eleventh") if settings["edition"] == "both" else (settings["edition"],)


def exact(request: AttackInput | MixedInput, settings: dict[str, Any]) -> Outcome | MixedOutcome:
    """Resolve, or refuse beside the weapon with the most dice when it is too large to count."""
    try:
        return resolve(request) if isinstance(request, AttackInput) else resolve_mixed(request)
    except EngineError:
        lines = settings["weapons"]
        largest = max(range(len(lines)), key=lambda at: lines[at]["count"] * amount(lines[at]["attacks"]).high)
        with beside_the_field({"weapons": f"w{largest + 1}-attacks", "defender.groups": "g"}):
            raise

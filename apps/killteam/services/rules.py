"""The engine's tables of rules as a form needs them, and the way from form fields to engine documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.killteam.profile import ABILITIES, REROLLS, Attacker, Defender, Fighter, Reroll, Rule, Strategy

#: Abilities in the order of their chips. What shows at once is what the current edition prints most.
ATTACK_CHIPS = ("rending", "severe", "fail_to_norm_if_crit", "saturate")
ATTACK_MORE = ("purity_seal", "mystic_scry_buff")
DEFENCE_CHIPS = ("obscured_target", "durable", "just_a_scratch")
DEFENCE_MORE = ("just_a_scratch_norms", "indomitus", "purity_seal", "severe", "rending", "fail_to_norm_if_crit")
FIGHT_CHIPS = ("rending", "severe", "fail_to_norm_if_crit", "brutal", "shock")
FIGHT_MORE = ("stun", "duelist", "durable", "just_a_scratch", "purity_seal", "mystic_scry_buff")
#: Of these a model has one at most, so each group is one list to choose from: its field, its label, its abilities.
DICE_STYLES = ("fail_to_norm_if_two_successes", "norm_to_crit_if_two_norms")
FIGHT_STYLES = ("storm_shield", "dueller", "hammerhand", "murderous_entrance", *DICE_STYLES)
ELITES = ("elite_moderate", "elite_extreme")
ONE_OF = {**dict.fromkeys(FIGHT_STYLES, "style"), **dict.fromkeys(ELITES, "elite")}
NO_ABILITY = "none"

#: Engine field → form field. The form's names are the address's names and must not change (see Calculator.version).
DICE = {
    "num_dice": "dice",
    "dice_stat": "hit",
    "reroll": "reroll",
    "auto_crits": "auto_crits",
    "auto_norms": "accurate",
    "fails_to_norms": "fails_to_norms",
    "norms_to_crits": "norms_to_crits",
}
HITS = {"norm_dmg": "normal", "crit_dmg": "critical", "lethal": "lethal"}
ATTACKER = {**DICE, **HITS, "mwx": "devastating", "apx": "piercing", "px": "piercing_crits"}
DEFENDER = {
    "num_dice": "defence", "dice_stat": "save", "wounds": "wounds", "auto_norms": "cover", "auto_crits": "cover_crits",
    "invuln_save": "invulnerable", "fnp": "fnp", "hardyx": "hardy", "reroll": "save_reroll",
    "fails_to_norms": "save_fails_to_norms", "norms_to_crits": "save_norms_to_crits", "saintly_relics": "relics",
}  # fmt: skip
FIGHTER = {**DICE, **HITS, "wounds": "wounds", "fnp": "fnp"}

_TITLES = {rule.key: rule for rule in (*ABILITIES, *REROLLS)}

STRATEGY_WORDS = {
    Strategy.MAX_DMG_TO_ENEMY: "Most damage",
    Strategy.MIN_DMG_TO_SELF: "Least harm",
    Strategy.STRIKE: "Strike, parry to finish",
    Strategy.PARRY: "Always parry",
    Strategy.OPTIMAL: "Perfect play",
}


def chips(keys: Sequence[str]) -> list[tuple[str, str]]:
    return [(key, _TITLES[key].title) for key in keys]


def notes(keys: Sequence[str]) -> dict[str, str]:
    """What each ability does, and in which edition."""
    return {key: f"{_TITLES[key].text} ({_TITLES[key].edition})" for key in keys}


def rule(key: str) -> Rule:
    return _TITLES[key]


def one_of(keys: Sequence[str]) -> list[tuple[str, str]]:
    """Abilities that exclude each other, to choose from."""
    return [(NO_ABILITY, "None"), *chips(keys)]


def _abilities(values: Mapping[str, Any], rules: str, start: str = "") -> tuple[str, ...]:
    """Everything ticked and chosen."""
    chosen = [values[f"{start}{field}"] for field in ("style", "elite")]
    return (*values[rules], *values[f"more_{rules}"], *(key for key in chosen if key != NO_ABILITY))


def rerolls() -> list[tuple[str, str]]:
    return [(kind.value, _TITLES[kind.value].title) for kind in Reroll]


def strategies() -> list[tuple[str, str]]:
    return [(strategy.value, words) for strategy, words in STRATEGY_WORDS.items()]


def attacker(values: Mapping[str, Any]) -> Attacker:
    return Attacker(**_taken(values, ATTACKER), abilities=_abilities(values, "rules"))


def defender(values: Mapping[str, Any]) -> Defender:
    return Defender(**_taken(values, DEFENDER), abilities=_abilities(values, "save_rules", "save_"))


def fighter(values: Mapping[str, Any], who: str) -> Fighter:
    own = {key.removeprefix(f"{who}_"): value for key, value in values.items() if key.startswith(f"{who}_")}
    return Fighter(**_taken(own, FIGHTER), abilities=_abilities(own, "rules"))


def _taken(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Thresholds come from lists of choices, so as text; everything else is a number already."""
    return {name: _number(values[ours]) for name, ours in names.items()}


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value

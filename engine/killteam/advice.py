"""What to tell a player: settings that look like mistakes, how a number came about, a summary to paste in a chat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.dice.pmf import Pmf
from engine.killteam.fight import Outcome
from engine.killteam.pool import OBSCURED, Roll, roll_of
from engine.killteam.profile import (
    ABILITIES,
    REROLLS,
    Ability,
    Attacker,
    Defender,
    Fighter,
    FightOptions,
    FnpMode,
    Reroll,
    ShootOptions,
    Side,
)
from engine.killteam.shoot import Shot, dice_removed

RULES = {rule.key: rule for rule in (*ABILITIES, *REROLLS)}
TITLE = {key: rule.title for key, rule in RULES.items()}
PHASE = {rule.key: rule.phase for rule in ABILITIES}
NEEDS_A_NORMAL = (Ability.RENDING, Ability.SEVERE, Ability.WAAAGH)
DEFENDER_ONLY = (Ability.JUST_A_SCRATCH, Ability.JUST_A_SCRATCH_NORMS, Ability.DURABLE, Ability.INDOMITUS)


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something entered that cannot have been meant, or does less than it seems, and what to do about it."""

    code: str
    field: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One step on the way to a number."""

    label: str
    value: str
    why: str


# -- mistakes ---------------------------------------------------------------------------------------------------------


def shoot_mistakes(attacker: Attacker, defender: Defender, options: ShootOptions | None = None) -> list[Mistake]:
    """Doubtful settings of a shooting situation.

    >>> weapon = Attacker(num_dice=4, dice_stat=3, lethal=2, norm_dmg=3, crit_dmg=4)
    >>> [mistake.code for mistake in shoot_mistakes(weapon, Defender())]
    ['crit_below_stat', 'no_wounds']
    """
    options = options or ShootOptions()
    return [
        *_dice_mistakes("attacker", attacker, "lethal", "Lethal", options.severe_triggers_crit_rules),
        *_damage_mistakes("attacker", attacker),
        *_attack_mistakes(attacker, defender),
        *_dice_mistakes("defender", defender, "hardyx", "Hardy", options.severe_triggers_crit_rules),
        *_defence_mistakes(attacker, defender),
        *_idle_abilities("attacker", attacker, "fight", DEFENDER_ONLY),
        *_idle_abilities("defender", defender, "fight", (Ability.SATURATE,)),
    ]


def fight_mistakes(fighter1: Fighter, fighter2: Fighter, options: FightOptions | None = None) -> list[Mistake]:
    """Doubtful settings of a fight.

    >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=4, crit_dmg=3, wounds=10)
    >>> [m.code for m in fight_mistakes(one, one.changed(crit_dmg=5))]
    ['crit_weaker']
    """
    options = options or FightOptions()
    found: list[Mistake] = []
    for field, me, foe in (("fighter1", fighter1, fighter2), ("fighter2", fighter2, fighter1)):
        found += _dice_mistakes(field, me, "lethal", "Lethal", options.severe_triggers_crit_rules)
        found += _damage_mistakes(field, me)
        found += _toughness_mistakes(field, me, foe.crit_dmg)
        found += _idle_abilities(field, me, "shoot", ())
    if options.injury and options.num_rounds == 1:
        found.append(
            Mistake(
                "injury_one_round",
                "options.injury",
                "Injury counts from the next round on.",
                "Fight two or more rounds, or switch injury off.",
            )
        )
    return found


def _dice_mistakes(field: str, side: Side, crit_field: str, crit_name: str, chain: bool) -> Iterator[Mistake]:
    asked, stat = side.crit_on_asked, side.stat_to_beat
    if 0 < asked < min(stat, 6):
        yield Mistake(
            "crit_below_stat",
            f"{field}.{crit_field}",
            f"{crit_name} {asked}+ is redundant: it counts as {side.crit_on}+, only successes are critical.",
            f"Set {crit_name} to {side.crit_on}+.",
        )
    if asked == 6:
        yield Mistake(
            "crit_on_six",
            f"{field}.{crit_field}",
            f"{crit_name} 6+ changes nothing: a 6 always is.",
            f"Leave {crit_name} off.",
        )
    if side.auto_crits + side.auto_norms > side.num_dice:
        yield Mistake(
            "autos_exceed_dice",
            f"{field}.autoNorms",
            f"{side.auto_crits + side.auto_norms} automatic successes, but only {side.num_dice} dice to take "
            "them from.",
            f"Lower them to {side.num_dice} in all, or add dice.",
        )
    rolled = side.num_dice - side.auto_crits - side.auto_norms
    if side.reroll != Reroll.NONE and (rolled <= 0 or (stat == 1 and side.reroll != Reroll.CRIT_FISH_RELENTLESS)):
        yield Mistake(
            "nothing_to_reroll",
            f"{field}.reroll",
            f"{TITLE[side.reroll]} has no failed die to re-roll.",
            "Choose no re-roll.",
        )
    if rolled > 0 and side.crit_on <= stat and not side.auto_norms and not side.fails_to_norms:
        for ability in NEEDS_A_NORMAL:
            if side.has(ability):
                yield Mistake(
                    "no_norms",
                    f"{field}.abilities",
                    f"{TITLE[ability]} does nothing: every success is critical already.",
                    f"Drop {TITLE[ability]}.",
                )
    if side.has(Ability.SEVERE) and not chain and (side.has(Ability.RENDING) or side.has(Ability.PUNISHING)):
        yield Mistake(
            "severe_sets_nothing_off",
            f"{field}.abilities",
            "A critical made by Severe sets off neither Rending nor Punishing (2024).",
            "Switch on the older reading if your group plays it.",
        )
    for group, abilities in side.conflicts():
        names = " and ".join(TITLE[a] for a in abilities)
        yield Mistake(
            "exclusive",
            f"{field}.abilities",
            f"{names} exclude each other (one {group} ability each).",
            "Keep one of them.",
        )


def _damage_mistakes(field: str, side: Attacker | Fighter) -> Iterator[Mistake]:
    mwx = side.mwx if isinstance(side, Attacker) else 0
    if side.num_dice and side.norm_dmg == side.crit_dmg == mwx == 0:
        yield Mistake("no_damage", f"{field}.normDmg", "This weapon does no damage.", "Enter its damage.")
    elif side.crit_dmg + mwx < side.norm_dmg:
        yield Mistake(
            "crit_weaker",
            f"{field}.critDmg",
            f"Criticals do {side.crit_dmg}, less than the {side.norm_dmg} of a normal hit.",
            "Check that the two are not swapped.",
        )


def _attack_mistakes(attacker: Attacker, defender: Defender) -> Iterator[Mistake]:
    obscured = bool(roll_of(attacker, obscured=defender.has(Ability.OBSCURED_TARGET)).after & OBSCURED)
    turned = attacker.norms_to_crits or attacker.auto_crits or attacker.abilities
    no_crits = obscured or (attacker.lethal == 7 and not turned)
    for field, value, name in (("mwx", attacker.mwx, "Devastating"), ("px", attacker.px, "Piercing Crits")):
        if value and no_crits:
            yield Mistake(
                "needs_crits",
                f"attacker.{field}",
                f"{name} needs a critical, and there can be none here.",
                f"Set {name} to 0.",
            )
    if defender.invuln_save and (attacker.apx or attacker.px):
        yield Mistake(
            "piercing_invulnerable",
            "attacker.apx" if attacker.apx else "attacker.px",
            "Piercing does nothing against an invulnerable save.",
            "Remove it, or the invulnerable save.",
        )
    elif 0 < attacker.px <= attacker.apx:
        yield Mistake(
            "px_within_apx",
            "attacker.px",
            f"Piercing Crits {attacker.px} adds nothing to Piercing {attacker.apx}: the higher one counts.",
            "Set Piercing Crits higher, or to 0.",
        )
    elif attacker.apx >= defender.num_dice > 0:
        yield Mistake(
            "all_dice_pierced",
            "attacker.apx",
            f"Piercing {attacker.apx} removes all {defender.num_dice} defence dice, cover included.",
            "Nothing to fix if that is meant: the target does not save.",
        )


def _defence_mistakes(attacker: Attacker, defender: Defender) -> Iterator[Mistake]:
    if defender.invuln_save and 0 < defender.dice_stat < defender.invuln_save:
        yield Mistake(
            "invulnerable_worse",
            "defender.invulnSave",
            f"The invulnerable save {defender.invuln_save}+ is used though {defender.dice_stat}+ is better.",
            "Remove it unless the plain save is pierced.",
        )
    if attacker.has(Ability.SATURATE) and not defender.auto_norms and not defender.auto_crits:
        yield Mistake(
            "saturate_without_cover",
            "attacker.abilities",
            "Saturate does nothing: the target has no cover.",
            "Drop Saturate, or give the target a cover save.",
        )
    yield from _toughness_mistakes("defender", defender, attacker.crit_dmg)


def _toughness_mistakes(field: str, side: Defender | Fighter, enemy_crit_dmg: int) -> Iterator[Mistake]:
    if side.wounds == 0:
        yield Mistake(
            "no_wounds", f"{field}.wounds", "With 0 wounds it is out of action before it starts.", "Enter its wounds."
        )
    if side.fnp == 1:
        yield Mistake("fnp_one", f"{field}.fnp", "Feel No Pain on 1+ ignores all damage.", "Set it to 4+, 5+ or 6+.")
    if side.has(Ability.DURABLE) and 0 < enemy_crit_dmg <= 3:
        yield Mistake(
            "durable_idle",
            f"{field}.abilities",
            f"Durable does nothing: a critical does {enemy_crit_dmg}, and it never brings one below 3.",
            "Drop Durable.",
        )


def _idle_abilities(field: str, side: Side, other_phase: str, misplaced: tuple[Ability, ...]) -> Iterator[Mistake]:
    for ability in side.abilities:
        if PHASE[ability] == other_phase or ability in misplaced:
            yield Mistake(
                "idle_ability", f"{field}.abilities", f"{TITLE[ability]} does nothing here.", f"Drop {TITLE[ability]}."
            )


# -- reasons ----------------------------------------------------------------------------------------------------------


def shoot_reasons(attacker: Attacker, defender: Defender, options: ShootOptions | None = None) -> list[Reason]:
    """How the numbers of a shooting situation come about, step by step.

    >>> reasons = shoot_reasons(Attacker(num_dice=4, dice_stat=3, apx=1), Defender(num_dice=3, dice_stat=4))
    >>> [r.value for r in reasons if r.label == "Defence dice"]
    ['2']
    """
    options = options or ShootOptions()
    chain = options.severe_triggers_crit_rules
    attack = roll_of(attacker, obscured=defender.has(Ability.OBSCURED_TARGET), chain=chain)
    removed, crit_removed = dice_removed(attacker, defender)
    cover = not attacker.has(Ability.SATURATE)
    defence = roll_of(defender, removed=removed, chain=chain, cover=cover)
    steps = [Reason("Attack dice", str(attack.dice), _count_words(attacker.num_dice, 0, attack))]
    steps += _die_reasons("Hit", attack, attacker)
    why = _count_words(defender.num_dice, removed, defence)
    if defender.invuln_save and (attacker.apx or attacker.px):
        why += "; invulnerable saves are not pierced"
    steps.append(Reason("Defence dice", str(defence.dice), why))
    if crit_removed > removed:
        fewer = max(0, defender.num_dice - crit_removed)
        why = f"{defender.num_dice} − {crit_removed} Piercing Crits, when a critical hit is kept"
        steps.append(Reason("Defence dice after a critical", str(fewer), why))
    steps += _die_reasons("Save", defence, defender)
    steps += _resolution_reasons(attacker, defender, options)
    return steps


def _count_words(dice: int, removed: int, roll: Roll) -> str:
    words = f"{dice} − {min(removed, dice)} Piercing" if removed else f"{dice} on the profile"
    kept = roll.auto_crits + roll.auto_norms
    return f"{words}; {kept} kept without a roll, {roll.rolled} rolled" if kept else words


def _die_reasons(name: str, roll: Roll, side: Side) -> Iterator[Reason]:
    if roll.rolled <= 0:
        return
    p_fail = 1 - roll.p_crit - roll.p_norm
    crit = f"critical on {roll.crit_on}+" if roll.crit_on < 7 else "never critical"
    yield Reason(
        f"{name} on one die",
        f"{roll.stat}+" if roll.stat < 7 else "criticals only",
        f"{crit}: {roll.p_crit:.1%} critical, {roll.p_norm:.1%} normal, {p_fail:.1%} fail",
    )
    for key in (side.reroll, *side.abilities):
        if key != Reroll.NONE and RULES[key].phase == "dice":
            yield Reason(f"{name} dice", RULES[key].title, RULES[key].text)
    for value, words in (
        (side.fails_to_norms, "fails become normal"),
        (side.norms_to_crits, "normals become critical"),
    ):
        if value:
            yield Reason(f"{name} dice", f"up to {value}", words)


def _resolution_reasons(attacker: Attacker, defender: Defender, options: ShootOptions) -> Iterator[Reason]:
    if attacker.mwx:
        yield Reason("Devastating", f"{attacker.mwx} per critical", "done at once, whatever is saved afterwards")
    for ability in (Ability.OBSCURED_TARGET, Ability.JUST_A_SCRATCH, Ability.JUST_A_SCRATCH_NORMS, Ability.DURABLE):
        if defender.has(ability) or (ability == Ability.OBSCURED_TARGET and attacker.has(ability)):
            yield Reason("Hits", TITLE[ability], RULES[ability].text)
    if options.fire_team_rules:
        yield Reason("Saves", "any save stops any hit", "normal hits first")
    else:
        yield Reason("Saves", "1 for 1, two normals for a critical", "spent so that the least damage is left")
    if defender.fnp:
        per_hit = (defender.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
        yield Reason(
            "Feel No Pain",
            f"{defender.fnp}+",
            "one roll per hit takes 1 off"
            if per_hit
            else f"each point of damage stays with {(defender.fnp - 1) / 6:.1%}",
        )
    if options.num_rounds > 1:
        yield Reason("Rounds", str(options.num_rounds), "independent, their damage added up")


# -- reports ----------------------------------------------------------------------------------------------------------


def percent(p: float) -> str:
    """A chance for people: never 0 for what can happen, never 100 for what can fail.

    >>> percent(0.3416), percent(0.0001), percent(0.9999), percent(1.0)
    ('34.2 %', '<0.1 %', '>99.9 %', '100 %')
    """
    if p <= 0.0 or p >= 1.0 - 1e-12:
        return "0 %" if p <= 0.0 else "100 %"
    if p < 0.0005:
        return "<0.1 %"
    return ">99.9 %" if p >= 0.9995 else f"{p * 100:.1f} %"


def shoot_report(attacker: Attacker, defender: Defender, shot: Shot, options: ShootOptions | None = None) -> str:
    """A text summary of a shooting situation."""
    options = options or ShootOptions()
    damage = shot.damage
    half = -(-defender.wounds // 2)
    lines = [
        f"Attacker: {_side_words(attacker)}, damage {attacker.norm_dmg}/{attacker.crit_dmg}{_weapon_words(attacker)}",
        f"Defender: {_side_words(defender)}, {defender.wounds} wounds{_defence_words(defender)}",
        f"Rounds: {options.num_rounds}",
        "",
        f"{percent(shot.p_kill)} to kill",
        f"{percent(damage.at_least(half))} to do {half} or more",
        f"Average damage {damage.mean:.2f} (sd {damage.sd:.2f})",
        f"Most likely {damage.mode} ({percent(damage.exactly(damage.mode))})",
    ]
    return "\n".join(lines)


def fight_report(fighter1: Fighter, fighter2: Fighter, outcome: Outcome, options: FightOptions | None = None) -> str:
    """A text summary of a fight."""
    options = options or FightOptions()
    both = 1.0 - outcome.p_kill1 - outcome.p_kill2
    lines = []
    for number, fighter, plan in ((1, fighter1, options.strategy1), (2, fighter2, options.strategy2)):
        lines.append(
            f"Fighter {number}: {_side_words(fighter)}, damage {fighter.norm_dmg}/{fighter.crit_dmg}, "
            f"{fighter.wounds} wounds, plays {plan.replace('_', ' ')}"
        )
    lines += [
        f"Rounds: {options.num_rounds}, fighter {options.first_fighter} first",
        "",
        f"{percent(outcome.p_kill1)} fighter 1 kills, {percent(outcome.p_kill2)} fighter 2 kills, "
        f"{percent(max(0.0, both))} both live",
        _wounds_words(1, outcome.wounds1),
        _wounds_words(2, outcome.wounds2),
    ]
    return "\n".join(lines)


def _wounds_words(number: int, wounds: Pmf) -> str:
    return f"Fighter {number} keeps {wounds.mean:.2f} wounds on average, most likely {wounds.mode}"


def _side_words(side: Side) -> str:
    extras = [TITLE[side.reroll]] if side.reroll != Reroll.NONE else []
    extras += [TITLE[ability] for ability in side.abilities]
    return f"{side.num_dice} dice at {side.stat_to_beat}+" + (f" ({', '.join(extras)})" if extras else "")


def _weapon_words(attacker: Attacker) -> str:
    named = (
        ("Lethal", attacker.lethal, "+"),
        ("Devastating", attacker.mwx, ""),
        ("Piercing", attacker.apx, ""),
        ("Piercing Crits", attacker.px, ""),
    )
    return "".join(f", {name} {value}{sign}" for name, value, sign in named if value)


def _defence_words(defender: Defender) -> str:
    named = (("invulnerable", defender.invuln_save), ("Feel No Pain", defender.fnp), ("Hardy", defender.hardyx))
    return "".join(f", {name} {value}+" for name, value in named if value)

"""What one change would do to a shot or a fight: each possible help and hindrance, counted afresh."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.killteam.fight import Budget, Plan
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, FightOptions, Reroll, ShootOptions
from engine.killteam.shoot import shoot

REROLLS = ((Reroll.BALANCED, "Balanced"), (Reroll.MOST_COMMON_FAIL, "Ceaseless"), (Reroll.RELENTLESS, "Relentless"))
#: A re-roll is offered only to those whose own is weaker.
STRENGTH = {
    Reroll.NONE: 0, Reroll.REROLL_ONES: 0, Reroll.BALANCED: 1, Reroll.DOUBLE_BALANCED: 1, Reroll.MOST_COMMON_FAIL: 2,
    Reroll.ONES_PLUS_BALANCED: 2, Reroll.CEASELESS_PLUS_BALANCED: 2, Reroll.RELENTLESS: 3,
    Reroll.CRIT_FISH_RELENTLESS: 3,
}  # fmt: skip
MOST_DICE, MOST_ROUNDS, BEST_STAT, LETHAL = 20, 9, 2, 5
NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Lift:
    """One change: whose it is, what it is, and both chances with it."""

    label: str
    p_kill: float
    p_die: float
    gain: float  # of the chance to kill less the chance to be killed


def shoot_lifts(attacker: Attacker, defender: Defender, options: ShootOptions | None = None) -> list[Lift]:
    """Single changes to a shot that move its chance to kill, the greatest gain first and the greatest loss last.

    >>> bolter = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4)
    >>> lifts = shoot_lifts(bolter, Defender(num_dice=3, dice_stat=4, wounds=8, auto_norms=1))
    >>> lifts[0].label, lifts[-1].label
    ('Shoot twice', 'The target is obscured')
    """
    options = options or ShootOptions()
    now = shoot(attacker, defender, options).p_kill
    found = []
    for label, one, other, how in _shot_changes(attacker, defender, options):
        p_kill = shoot(one, other, how).p_kill
        found.append(Lift(label, p_kill, 0.0, p_kill - now))
    return _sorted(found)


def _sorted(lifts: list[Lift]) -> list[Lift]:
    return sorted((lift for lift in lifts if abs(lift.gain) > NOTHING), key=lambda lift: -lift.gain)


def _dice_changes(side: Attacker | Fighter) -> Iterator[tuple[str, Attacker | Fighter]]:
    """What could be better about the dice of an attack."""
    for reroll, title in REROLLS:
        if STRENGTH[reroll] > STRENGTH[side.reroll]:
            yield title, side.changed(reroll=reroll)
    if side.num_dice < MOST_DICE:
        yield "One more attack die", side.changed(num_dice=side.num_dice + 1)
    if side.dice_stat > BEST_STAT:
        yield f"Hits on {side.dice_stat - 1}+", side.changed(dice_stat=side.dice_stat - 1)
    if side.crit_on > LETHAL >= side.dice_stat:
        yield "Lethal 5+", side.changed(lethal=LETHAL)
    for ability, title in ((Ability.RENDING, "Rending"), (Ability.SEVERE, "Severe"), (Ability.PUNISHING, "Punishing")):
        if not side.has(ability):
            yield title, side.changed(abilities=(*side.abilities, ability))


def _shot_changes(
    attacker: Attacker, defender: Defender, options: ShootOptions
) -> Iterator[tuple[str, Attacker, Defender, ShootOptions]]:
    for label, side in _dice_changes(attacker):
        assert isinstance(side, Attacker)
        yield label, side, defender, options
    if attacker.apx < defender.num_dice and not defender.invuln_save:
        yield f"Piercing {attacker.apx + 1}", attacker.changed(apx=attacker.apx + 1), defender, options
    if defender.auto_norms or defender.auto_crits:
        if not attacker.has(Ability.SATURATE):
            yield "The target has no cover", attacker, defender.changed(auto_norms=0, auto_crits=0), options
    else:
        yield "The target is in cover", attacker, defender.changed(auto_norms=1), options
    yield _obscured(attacker, defender, options)
    if options.num_rounds < MOST_ROUNDS:
        label = "Shoot twice" if options.num_rounds == 1 else "Shoot once more"
        yield label, attacker, defender, options.model_copy(update={"num_rounds": options.num_rounds + 1})


def _obscured(
    attacker: Attacker, defender: Defender, options: ShootOptions
) -> tuple[str, Attacker, Defender, ShootOptions]:
    if defender.has(Ability.OBSCURED_TARGET):
        clear = tuple(a for a in defender.abilities if a != Ability.OBSCURED_TARGET)
        return "The target is not obscured", attacker, defender.changed(abilities=clear), options
    abilities = (*defender.abilities, Ability.OBSCURED_TARGET)
    return "The target is obscured", attacker, defender.changed(abilities=abilities), options


def fight_lifts(
    fighter1: Fighter, fighter2: Fighter, options: FightOptions | None = None, budget: Budget | None = None
) -> list[Lift]:
    """Single changes to a fight that move fighter 1's chance to kill less its chance to be killed, best first.

    >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=8)
    >>> "Strike first" in [lift.label for lift in fight_lifts(one, one, FightOptions(first_fighter=2))]
    True
    """
    options = options or FightOptions()
    now = _win(fighter1, fighter2, options, budget)
    found = []
    for label, one, how in _fight_changes(fighter1, options):
        kill, die = _win(one, fighter2, how, budget)
        found.append(Lift(label, kill, die, (kill - die) - (now[0] - now[1])))
    return _sorted(found)


def _win(one: Fighter, two: Fighter, options: FightOptions, budget: Budget | None) -> tuple[float, float]:
    outcome = Plan(one, two, options, budget).solve()
    return outcome.p_kill1, outcome.p_kill2


def _fight_changes(fighter: Fighter, options: FightOptions) -> Iterator[tuple[str, Fighter, FightOptions]]:
    other = 3 - options.first_fighter
    label = "Strike first" if other == 1 else "Let the other strike first"
    yield label, fighter, options.model_copy(update={"first_fighter": other})
    for title, side in _dice_changes(fighter):
        assert isinstance(side, Fighter)
        yield title, side, options
    for ability, title in ((Ability.BRUTAL, "Brutal"), (Ability.SHOCK, "Shock"), (Ability.STORM_SHIELD, "Shield")):
        if not fighter.has(ability):
            yield title, fighter.changed(abilities=(*fighter.abilities, ability)), options

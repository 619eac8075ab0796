"""What one change would do: each gain is the difference of two answers, sorted, and nothing is offered in vain."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.killteam.fight import fight
from engine.killteam.lifts import fight_lifts, shoot_lifts
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, ShootOptions, Strategy
from engine.killteam.shoot import shoot
from tests.oracles import killteam as oracle

GUN = Attacker(num_dice=3, dice_stat=3, norm_dmg=3, crit_dmg=4)
TARGET = Defender(num_dice=2, dice_stat=4, wounds=7)
PERFECT = FightOptions(strategy1=Strategy.OPTIMAL, strategy2=Strategy.OPTIMAL)


def p_kill(attack, defence, wounds=7):
    damage = oracle.shoot(attack, defence, defence, 3, 4)
    return float(sum(p for value, p in damage.items() if value >= wounds))


def test_gains_of_a_shot_are_those_of_listing_every_face() -> None:
    found = {lift.label: lift for lift in shoot_lifts(GUN, TARGET)}
    plain, saves = oracle.dice(3, 3), oracle.dice(2, 4)
    now = p_kill(plain, saves)
    expected = {
        "Balanced": p_kill(oracle.dice(3, 3, reroll="balanced"), saves),
        "Ceaseless": p_kill(oracle.dice(3, 3, reroll="most_common_fail"), saves),
        "Relentless": p_kill(oracle.dice(3, 3, reroll="relentless"), saves),
        "One more attack die": p_kill(oracle.dice(4, 3), saves),
        "Hits on 2+": p_kill(oracle.dice(3, 2), saves),
        "Lethal 5+": p_kill(oracle.dice(3, 3, crit_on=5), saves),
        "Rending": p_kill(oracle.dice(3, 3, abilities=("rending",)), saves),
        "Severe": p_kill(oracle.dice(3, 3, abilities=("severe",)), saves),
        "Punishing": p_kill(oracle.dice(3, 3, abilities=("fail_to_norm_if_crit",)), saves),
        "Piercing 1": p_kill(plain, oracle.dice(1, 4)),
        "The target is in cover": p_kill(plain, oracle.dice(2, 4, auto_norms=1)),
        "The target is obscured": p_kill(oracle.dice(3, 3, abilities=("obscured_target",)), saves),
    }
    assert set(expected) == set(found) - {"Shoot twice"}
    for label, chance in expected.items():
        assert found[label].p_kill == pytest.approx(chance, abs=1e-12), label
        assert found[label].gain == pytest.approx(chance - now, abs=1e-12), label
    assert found["Shoot twice"].p_kill == pytest.approx(shoot(GUN, TARGET, ShootOptions(num_rounds=2)).p_kill)


def test_what_is_there_already_is_not_offered() -> None:
    armed = GUN.changed(reroll="relentless", lethal=5, abilities=("rending", "severe"), apx=2)
    labels = {lift.label for lift in shoot_lifts(armed, TARGET.changed(abilities=("obscured_target",)))}
    assert not labels & {"Balanced", "Ceaseless", "Relentless", "Lethal 5+", "Rending", "Severe", "Piercing 3"}
    assert "The target is not obscured" in labels
    assert "The target has no cover" in {lift.label for lift in shoot_lifts(GUN, TARGET.changed(auto_norms=1))}


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5), st.integers(2, 6), st.integers(1, 12), st.integers(0, 2))
def test_gains_come_sorted_and_never_hurt_where_they_help_the_dice(dice, hit, wounds, cover) -> None:
    lifts = shoot_lifts(
        Attacker(num_dice=dice, dice_stat=hit, norm_dmg=3, crit_dmg=5),
        Defender(num_dice=3, dice_stat=4, wounds=wounds, auto_norms=cover),
    )
    assert [lift.gain for lift in lifts] == sorted((lift.gain for lift in lifts), reverse=True)
    assert all(lift.gain > 0 for lift in lifts if not lift.label.startswith("The target is"))


def test_gains_of_a_fight_are_differences_of_fights() -> None:
    one = Fighter(num_dice=3, dice_stat=4, norm_dmg=3, crit_dmg=4, wounds=7)
    two = Fighter(num_dice=3, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=8)
    plan = PERFECT.model_copy(update={"first_fighter": 2})
    now = fight(one, two, plan)
    lifts = {lift.label: lift for lift in fight_lifts(one, two, plan)}
    first = fight(one, two, PERFECT)
    assert lifts["Strike first"].p_kill == pytest.approx(first.p_kill1)
    assert lifts["Strike first"].p_die == pytest.approx(first.p_kill2)
    expected = (first.p_kill1 - first.p_kill2) - (now.p_kill1 - now.p_kill2)
    assert lifts["Strike first"].gain == pytest.approx(expected)
    better = fight(one.changed(abilities=("brutal",)), two, plan)
    assert lifts["Brutal"].p_kill == pytest.approx(better.p_kill1)
    assert all(lift.gain > 0 for lift in lifts.values())


# -- fights, by listing every face and walking every fight ---------------------------------------------------------

ONE = Fighter(num_dice=2, dice_stat=4, norm_dmg=3, crit_dmg=4, wounds=7)
TWO = Fighter(num_dice=2, dice_stat=3, norm_dmg=2, crit_dmg=5, wounds=6)
#: Each change as the cards word it: the dice of fighter one, its abilities in the fight.
CHANGES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "": ({}, ()),
    "Balanced": ({"reroll": "balanced"}, ()),
    "Ceaseless": ({"reroll": "most_common_fail"}, ()),
    "Relentless": ({"reroll": "relentless"}, ()),
    "One more attack die": ({"num_dice": 3}, ()),
    "Hits on 3+": ({"stat": 3}, ()),
    "Lethal 5+": ({"crit_on": 5}, ()),
    "Rending": ({"abilities": ("rending",)}, ()),
    "Severe": ({"abilities": ("severe",)}, ()),
    "Punishing": ({"abilities": ("fail_to_norm_if_crit",)}, ()),
    "Brutal": ({}, ("brutal",)),
    "Shock": ({}, ("shock",)),
    "Shield": ({}, ("storm_shield",)),
}


def man(side: Fighter, hand: tuple[int, int], abilities: tuple[str, ...] = ()) -> oracle.Man:
    crits, norms = hand
    return oracle.Man(side.norm_dmg, side.crit_dmg, frozenset(abilities), crits, norms, side.wounds, side.wounds)


def walked(label: str, first: int, plan: str) -> tuple[float, float]:
    """(P(kill) − P(die), P(kill)) of the fight with a change; a game's value says nothing about the second."""
    changes, abilities = CHANGES[label]
    plain: dict[str, Any] = {"num_dice": ONE.num_dice, "stat": ONE.dice_stat}
    own = oracle.dice(**plain | changes)
    foe = oracle.dice(TWO.num_dice, TWO.dice_stat)
    ends = {
        (a, b): (Fraction((b == 0) - (a == 0)), Fraction(a - b))
        for a in range(ONE.wounds + 1)
        for b in range(TWO.wounds + 1)
    }
    win = kill = Fraction(0)
    for hand1, p in own.items():
        for hand2, q in foe.items():
            one = man(ONE, hand1, abilities)
            two = man(TWO, hand2)
            if plan == "optimal":
                men, turn = ((one, two), 0) if first == 1 else ((two, one), 0)
                value = ends if first == 1 else {(b, a): tuple(-x for x in v) for (a, b), v in ends.items()}
                worth = oracle.game_value(men, turn, ("optimal", "optimal"), value)[0]
                win += p * q * (worth if first == 1 else -worth)
                continue
            men = (one, two) if first == 1 else (two, one)
            for left, r in oracle.ends(*men, plan, plan, opening=True).items():
                mine, his = left if first == 1 else left[::-1]
                win += p * q * r * ((his == 0) - (mine == 0))
                kill += p * q * r * (his == 0)
    return float(win), float(kill)


@pytest.mark.parametrize("plan", ["optimal", "strike", "parry"])
@pytest.mark.parametrize("first", [1, 2])
def test_gains_of_a_fight_are_those_of_walking_every_fight(plan: str, first: int) -> None:
    options = FightOptions(strategy1=Strategy(plan), strategy2=Strategy(plan), first_fighter=first)
    found = {lift.label: lift for lift in fight_lifts(ONE, TWO, options)}
    now, _ = walked("", first, plan)
    expected = {label: walked(label, first, plan) for label in CHANGES if label}
    turn = "Strike first" if first == 2 else "Let the other strike first"
    expected[turn] = walked("", 3 - first, plan)
    moving = {label: worth for label, worth in expected.items() if abs(worth[0] - now) > 1e-9}
    assert found.keys() == moving.keys()
    for label, (win, kill) in moving.items():
        lift = found[label]
        assert lift.gain == pytest.approx(win - now, abs=1e-12), label
        assert lift.p_kill - lift.p_die == pytest.approx(win, abs=1e-12), label
        if plan != "optimal":
            assert lift.p_kill == pytest.approx(kill, abs=1e-12), label

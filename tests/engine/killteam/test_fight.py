"""Fights: against game trees walked to the end, closed forms and the rules sentence by sentence."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.killteam.fight import Budget, Plan, fight
from engine.killteam.profile import Ability, Fighter, FightOptions, Reroll, Strategy
from engine.wire import EngineError
from tests.oracles import killteam as oracle

NAMED = ["strike", "parry", "max_dmg_to_enemy", "min_dmg_to_self"]
FIGHT_ABILITIES = [
    "brutal", "shock", "stun", "duelist", "dueller", "storm_shield", "hammerhand", "murderous_entrance", "durable",
    "just_a_scratch",
]  # fmt: skip
GROUPS = [(), *((a,) for a in FIGHT_ABILITIES), *combinations(FIGHT_ABILITIES, 2)]


def fighter(crits, norms, wounds, norm_dmg=3, crit_dmg=5, abilities=(), **more):
    """A fighter whose dice lie on the table already."""
    return Fighter(
        num_dice=crits + norms,
        auto_crits=crits,
        auto_norms=norms,
        wounds=wounds,
        norm_dmg=norm_dmg,
        crit_dmg=crit_dmg,
        abilities=tuple(abilities),
        **more,
    )


def man(side, crits=None, norms=None, wounds=None):
    return oracle.Man(
        side.norm_dmg,
        side.crit_dmg,
        frozenset(side.abilities),
        side.auto_crits if crits is None else crits,
        side.auto_norms if norms is None else norms,
        side.wounds if wounds is None else wounds,
        side.wounds,
        side.fnp,
        side.fnp_mode == "per_hit",
    )


def assert_joint(outcome, expected):
    joint = np.zeros_like(outcome.joint)
    for wounds, chance in expected.items():
        joint[wounds] = chance
    np.testing.assert_allclose(outcome.joint, joint, rtol=0, atol=1e-12)


def criteria(outcome):
    """What the optimum is about: who kills whom, then the difference of wounds."""
    w1, w2 = np.indices(outcome.joint.shape)
    return outcome.p_kill1 - outcome.p_kill2, float((outcome.joint * (w1 - w2)).sum())


def final(side1, side2):
    return {
        (w1, w2): (Fraction((w2 == 0) - (w1 == 0)), Fraction(w1 - w2))
        for w1, w2 in product(range(side1.wounds + 1), range(side2.wounds + 1))
    }


def assert_value(outcome, value):
    assert criteria(outcome) == pytest.approx(tuple(map(float, value)), abs=1e-9)


@pytest.mark.parametrize("abilities", GROUPS, ids="+".join)
@pytest.mark.parametrize(
    "plans",
    [
        ("max_dmg_to_enemy", "min_dmg_to_self"),
        ("parry", "max_dmg_to_enemy"),
        ("min_dmg_to_self", "strike"),
        ("strike", "parry"),
    ],
    ids="-".join,
)
def test_named_strategies_play_as_the_walked_tree_says(abilities, plans):
    options = FightOptions(strategy1=plans[0], strategy2=plans[1])
    for hands in [(2, 2, 2, 2), (1, 2, 2, 1), (0, 3, 1, 2), (3, 0, 0, 3)]:
        for wounds in [(5, 9), (12, 7), (14, 14)]:
            one = fighter(hands[0], hands[1], wounds[0], abilities=abilities)
            two = fighter(hands[2], hands[3], wounds[1], norm_dmg=4, crit_dmg=4)
            assert_joint(fight(one, two, options), oracle.ends(man(one), man(two), *plans, opening=True))
            turned = FightOptions(strategy1=plans[1], strategy2=plans[0])
            assert_joint(fight(two, one, turned), oracle.ends(man(two), man(one), *plans[::-1], opening=True))


@pytest.mark.parametrize("abilities", GROUPS, ids="+".join)
def test_the_optimum_is_the_value_of_the_whole_game_tree(abilities):
    options = FightOptions(strategy1="optimal", strategy2="optimal")
    for hands in [(1, 2, 1, 2), (2, 1, 0, 3), (2, 1, 1, 2), (0, 2, 2, 1)]:
        for wounds in [(5, 8), (9, 6), (20, 20)]:
            one = fighter(hands[0], hands[1], wounds[0], abilities=abilities)
            two = fighter(hands[2], hands[3], wounds[1], norm_dmg=4, crit_dmg=4, abilities=abilities[:1])
            expected = oracle.game_value((man(one), man(two)), 0, ("optimal", "optimal"), final(one, two))
            assert_value(fight(one, two, options), expected)


@pytest.mark.parametrize("plans", [("optimal", name) for name in NAMED] + [(name, "optimal") for name in NAMED])
def test_one_sided_optimum_is_the_best_reply(plans):
    for hands in product([(2, 1), (0, 3), (1, 1)], repeat=2):
        one = fighter(*hands[0], 8, abilities=("duelist",))
        two = fighter(*hands[1], 7, norm_dmg=4, crit_dmg=6, abilities=("shock",))
        expected = oracle.game_value((man(one), man(two)), 0, plans, final(one, two))
        assert_value(fight(one, two, FightOptions(strategy1=plans[0], strategy2=plans[1])), expected)


@pytest.mark.parametrize("mode", ["per_point", "per_hit"])
@pytest.mark.parametrize("plans", [("max_dmg_to_enemy", "min_dmg_to_self"), ("parry", "strike")])
@pytest.mark.parametrize("abilities", [(), ("murderous_entrance",), ("duelist", "hammerhand"), ("stun", "durable")])
def test_feel_no_pain_branches_as_the_walked_tree_says(mode, plans, abilities):
    one = fighter(1, 2, 6, abilities=abilities, fnp=5, fnp_mode=mode)
    two = fighter(1, 1, 7, norm_dmg=2, crit_dmg=4, fnp=4, fnp_mode=mode)
    options = FightOptions(strategy1=plans[0], strategy2=plans[1])
    assert_joint(fight(one, two, options), oracle.ends(man(one), man(two), *plans, opening=True))


@pytest.mark.parametrize("mode", ["per_point", "per_hit"])
@pytest.mark.parametrize("abilities", [(), ("murderous_entrance",), ("duelist",), ("storm_shield", "shock")])
def test_the_optimum_with_feel_no_pain_is_the_value_of_the_whole_game_tree(mode, abilities):
    one = fighter(1, 1, 5, abilities=abilities, fnp=5, fnp_mode=mode)
    two = fighter(1, 2, 6, norm_dmg=2, crit_dmg=4, abilities=abilities[:1], fnp=6, fnp_mode=mode)
    expected = oracle.game_value((man(one), man(two)), 0, ("optimal", "optimal"), final(one, two))
    assert_value(fight(one, two, FightOptions(strategy1="optimal", strategy2="optimal")), expected)


def dice_of(side, worse=0):
    return oracle.dice(side.num_dice, min(7, side.dice_stat + worse), reroll=side.reroll)


def rounds_value(one, two, rounds, injury):
    """Values of a fight of several rounds by walking every tree of every roll of every round."""
    value = final(one, two)
    for _ in range(rounds):
        before = dict(value)
        for w1, w2 in product(range(1, one.wounds + 1), range(1, two.wounds + 1)):
            total = [Fraction(0), Fraction(0)]
            hurt = [injury and 2 * w < side.wounds for w, side in ((w1, one), (w2, two))]
            for (c1, n1), p in dice_of(one, hurt[0]).items():
                for (c2, n2), q in dice_of(two, hurt[1]).items():
                    men = man(one, c1, n1, w1), man(two, c2, n2, w2)
                    sub = oracle.game_value(men, 0, ("optimal", "optimal"), value)
                    total = [t + p * q * s for t, s in zip(total, sub, strict=True)]
            before[w1, w2] = tuple(total)
        value = before
    return value[one.wounds, two.wounds]


@pytest.mark.parametrize("fnp", [0, 5])
@pytest.mark.parametrize("injury", [False, True])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_optimum_looks_through_all_rounds(fnp, injury, rounds):
    one = Fighter(num_dice=2, dice_stat=3, norm_dmg=1, crit_dmg=2, wounds=4, fnp=fnp)
    two = Fighter(num_dice=1, dice_stat=3, norm_dmg=2, crit_dmg=3, wounds=3, reroll="balanced")
    options = FightOptions(strategy1="optimal", strategy2="optimal", num_rounds=rounds, injury=injury)
    assert_value(fight(one, two, options), rounds_value(one, two, rounds, injury))


@pytest.mark.parametrize("injury", [False, True])
@pytest.mark.parametrize("fnp", [0, 5])
def test_rounds_follow_one_another_with_the_wounds_left(injury, fnp):
    one = Fighter(num_dice=2, dice_stat=4, norm_dmg=2, crit_dmg=3, wounds=7, fnp=fnp)
    two = Fighter(num_dice=2, dice_stat=3, norm_dmg=1, crit_dmg=4, wounds=6, abilities=("hammerhand",))
    mass = {(7, 6): Fraction(1)}
    for _ in range(3):
        after = dict.fromkeys(mass, Fraction(0))
        for (w1, w2), p in mass.items():
            if not w1 or not w2:
                after[w1, w2] = after.get((w1, w2), 0) + p
                continue
            hurt = [injury and 2 * w < side.wounds for w, side in ((w1, one), (w2, two))]
            for (c1, n1), q in dice_of(one, hurt[0]).items():
                for (c2, n2), r in dice_of(two, hurt[1]).items():
                    men = man(one, c1, n1, w1), man(two, c2, n2, w2)
                    for end, s in oracle.ends(*men, "max_dmg_to_enemy", "parry", opening=True).items():
                        after[end] = after.get(end, 0) + p * q * r * s
        mass = after
    options = FightOptions(strategy1="max_dmg_to_enemy", strategy2="parry", num_rounds=3, injury=injury)
    assert_joint(fight(one, two, options), mass)


@given(
    st.sampled_from(list(Strategy)),
    st.sampled_from(list(Strategy)),
    st.lists(st.sampled_from(FIGHT_ABILITIES), max_size=3),
    st.lists(st.sampled_from(FIGHT_ABILITIES), max_size=2),
    st.tuples(*[st.integers(0, 3)] * 4),
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 2),
)
@settings(max_examples=60)
def test_both_kinds_of_table_agree_when_no_pain_is_ignored(plan1, plan2, has1, has2, hands, w1, w2, rounds):
    one = fighter(hands[0], hands[1], w1, abilities=has1)
    two = fighter(hands[2], hands[3], w2, norm_dmg=4, crit_dmg=4, abilities=has2)
    options = FightOptions(strategy1=plan1, strategy2=plan2, num_rounds=rounds)
    by_rank, by_value = Plan(one, two, options), Plan(one, two, options, every_wound=True)
    assert criteria(by_rank.solve()) == pytest.approx(criteria(by_value.solve()), abs=1e-9)


sides = {
    "num_dice": st.integers(0, 6), "dice_stat": st.integers(1, 7), "reroll": st.sampled_from(list(Reroll)),
    "norm_dmg": st.integers(0, 30), "crit_dmg": st.integers(0, 30), "lethal": st.integers(0, 7),
    "wounds": st.integers(0, 99), "abilities": st.lists(st.sampled_from(list(Ability)), max_size=5),
}  # fmt: skip


@given(
    st.fixed_dictionaries(sides),
    st.fixed_dictionaries(sides),
    st.sampled_from(list(Strategy)),
    st.sampled_from(list(Strategy)),
    st.integers(1, 5),
    st.booleans(),
    st.integers(1, 2),
)
@settings(max_examples=60)
def test_chances_sum_to_one_and_nobody_heals(one, two, plan1, plan2, rounds, injury, first):
    options = FightOptions(strategy1=plan1, strategy2=plan2, num_rounds=rounds, injury=injury, first_fighter=first)
    outcome = fight(Fighter(**one), Fighter(**two), options)
    assert outcome.joint.shape == (one["wounds"] + 1, two["wounds"] + 1)
    assert outcome.joint.sum() == pytest.approx(1.0, abs=1e-9)
    assert outcome.joint.min() >= 0.0
    assert outcome.joint[0, 0] == (1.0 if one["wounds"] == two["wounds"] == 0 else 0.0)  # the first to die ends it


@given(st.fixed_dictionaries(sides), st.integers(2, 6), st.sampled_from(["per_point", "per_hit"]))
@settings(max_examples=30)
def test_feel_no_pain_sums_to_one_and_never_hurts_a_striker(side, fnp, mode):
    side = Fighter(**{**side, "num_dice": min(side["num_dice"], 3), "wounds": min(side["wounds"], 12)})
    options = FightOptions(strategy1="strike", strategy2="strike", fnp_mode=mode, num_rounds=2)
    plain, tough = fight(side, side, options), fight(side, side.changed(fnp=fnp), options)
    assert tough.joint.sum() == pytest.approx(1.0, abs=1e-9)
    assert tough.p_kill1 <= plain.p_kill1 + 1e-9


A = Fighter(num_dice=5, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=12)
B = Fighter(num_dice=4, dice_stat=4, norm_dmg=4, crit_dmg=6, wounds=10, abilities=("shock",))


@pytest.mark.parametrize("plan", NAMED)
def test_no_named_strategy_beats_the_optimum(plan):
    best = criteria(fight(A, B, FightOptions(strategy1="optimal", strategy2=plan, num_rounds=3)))
    for other in NAMED:
        assert best >= criteria(fight(A, B, FightOptions(strategy1=other, strategy2=plan, num_rounds=3)))


def test_a_single_strike_has_a_closed_form():
    one = Fighter(num_dice=1, dice_stat=4, norm_dmg=2, crit_dmg=3, wounds=1)
    outcome = fight(one, one.changed(wounds=3), FightOptions(strategy1="strike", strategy2="strike"))
    assert outcome.p_kill1 == pytest.approx(1 / 6)
    assert outcome.p_kill2 == pytest.approx((1 / 2 + 1 / 3) * 1 / 2)
    assert outcome.wounds2.exactly(1) == pytest.approx(1 / 3)


def test_going_second_is_the_mirror_image():
    options = FightOptions(strategy1="parry", strategy2="optimal", num_rounds=2, injury=True)
    turned = FightOptions(strategy1="optimal", strategy2="parry", num_rounds=2, injury=True, first_fighter=2)
    assert np.array_equal(fight(A, B, options).joint, fight(B, A, turned).joint.T)


def test_shock_discards_a_normal_success_before_a_critical_one():
    shocking = fighter(1, 0, 20, abilities=("shock",))
    options = FightOptions(strategy1="strike", strategy2="strike")
    assert fight(shocking, fighter(1, 1, 20, norm_dmg=2, crit_dmg=7), options).wounds1.low == 20 - 7
    assert fight(shocking, fighter(2, 0, 20, norm_dmg=2, crit_dmg=7), options).wounds1.low == 20 - 7
    assert fight(shocking, fighter(1, 0, 20, crit_dmg=7), options).wounds1.low == 20


@pytest.mark.parametrize("plan", ["optimal", "strike"])
def test_certain_dice_over_several_rounds_have_one_certain_end(plan):
    options = FightOptions(strategy1=plan, strategy2=plan, num_rounds=3)
    outcome = fight(fighter(0, 0, 13), fighter(0, 1, 4, norm_dmg=4), options)
    assert outcome.joint[1, 4] == pytest.approx(1.0)


def test_the_dead_do_not_fight():
    outcome = fight(A.changed(wounds=0), B)
    assert outcome.joint[0, 10] == 1.0
    assert (outcome.p_kill1, outcome.p_kill2) == (0.0, 1.0)


def test_strict_refuses_abilities_that_exclude_each_other():
    with pytest.raises(EngineError, match="fighting style"):
        fight(A.changed(abilities=("dueller", "hammerhand")), B, FightOptions(strict=True))


def test_many_wounds_are_fought_without_a_matrix():
    options = FightOptions(strategy1="optimal", strategy2="max_dmg_to_enemy", num_rounds=3, injury=True)
    with_matrix = fight(A, B, options).joint
    without = fight(A, B, options, budget=Budget(matrix_cells=0)).joint
    assert np.allclose(without, with_matrix, atol=1e-12)

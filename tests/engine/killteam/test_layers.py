"""Tables filled layer by layer: the same answers as whole tables, as walked trees, and where nobody could walk them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.killteam.fight import Budget, Plan, fight
from engine.killteam.fight.certain import Certain
from engine.killteam.fight.line import best_line
from engine.killteam.pool import distribution, roll_of
from engine.killteam.profile import Fighter, FightOptions, Strategy
from engine.killteam.simulate import fight_samples
from engine.wire import EngineError
from tests.engine.killteam.test_fight import (
    FIGHT_ABILITIES,
    assert_joint,
    assert_value,
    criteria,
    fighter,
    final,
    man,
    rounds_value,
)
from tests.oracles import killteam as oracle

abilities = st.lists(st.sampled_from(FIGHT_ABILITIES), max_size=4, unique=True)
plans = st.tuples(st.sampled_from(list(Strategy)), st.sampled_from(list(Strategy)))


def in_small_pieces(*, memory: int = 3_000_000_000, matrix: int = 0) -> Budget:
    """Every layer on its own, shared by two threads, few of them kept; with little memory also few wounds at a time."""
    return Budget(whole_cells=0, thread_cells=0, matrix_cells=matrix, memory=memory, choice_bytes=0, cores=2)


fighters = st.fixed_dictionaries({
    "num_dice": st.integers(0, 4), "dice_stat": st.integers(1, 7), "lethal": st.sampled_from([0, 0, 5, 7]),
    "norm_dmg": st.integers(0, 6), "crit_dmg": st.integers(0, 8), "wounds": st.integers(0, 14), "abilities": abilities,
    "fnp": st.sampled_from([0, 0, 0, 4, 6]), "fnp_mode": st.sampled_from(["per_point", "per_hit"]),
})  # fmt: skip


@given(fighters, fighters, plans, st.integers(1, 5), st.integers(1, 2), st.booleans())
@settings(max_examples=60)
def test_layers_give_what_whole_tables_give(one, two, plan, rounds, first, injury):
    sides = Fighter(**one), Fighter(**two)
    options = FightOptions(strategy1=plan[0], strategy2=plan[1], num_rounds=rounds, first_fighter=first, injury=injury)
    whole = fight(*sides, options).joint
    little = 60_000 if not one["fnp"] and not two["fnp"] else 3_000_000
    for budget in (in_small_pieces(), in_small_pieces(memory=little)):
        np.testing.assert_allclose(fight(*sides, options, budget=budget).joint, whole, rtol=0, atol=1e-12)


@given(
    abilities,
    abilities,
    plans,
    st.tuples(*[st.integers(0, 3)] * 4),
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from([(0, "per_point"), (0, "per_point"), (5, "per_point"), (4, "per_hit")]),
)
@settings(max_examples=60)
def test_layers_give_what_the_walked_tree_gives(has1, has2, plan, hands, w1, w2, fnp):
    assume(not fnp[0] or sum(hands) < 8)
    one = fighter(hands[0], hands[1], w1, abilities=has1)
    two = fighter(hands[2], hands[3], w2, norm_dmg=4, crit_dmg=4, abilities=has2, fnp=fnp[0], fnp_mode=fnp[1])
    budget = in_small_pieces(memory=3_000_000 if fnp[0] else 20_000)
    outcome = fight(one, two, FightOptions(strategy1=plan[0], strategy2=plan[1]), budget=budget)
    names = tuple(str(strategy) for strategy in plan)
    if "optimal" in names:
        assert_value(outcome, oracle.game_value((man(one), man(two)), 0, names, final(one, two)))
    else:
        assert_joint(outcome, oracle.ends(man(one), man(two), *names, opening=True))


@pytest.mark.parametrize("fnp", [0, 5])
@pytest.mark.parametrize("injury", [False, True])
def test_layers_look_through_all_rounds(fnp, injury):
    one = Fighter(num_dice=2, dice_stat=3, norm_dmg=1, crit_dmg=2, wounds=4, fnp=fnp)
    two = Fighter(num_dice=1, dice_stat=3, norm_dmg=2, crit_dmg=3, wounds=3, reroll="balanced")
    options = FightOptions(strategy1="optimal", strategy2="optimal", num_rounds=3, injury=injury)
    outcome = fight(one, two, options, budget=in_small_pieces(memory=12_000))
    assert_value(outcome, rounds_value(one, two, 3, injury))


def losses(side: Fighter, foe: Fighter) -> np.ndarray:
    """P(wounds left) of a fighter who takes every strike of the enemy and cannot die of it: a sum of dice."""
    ignored = Fraction(7 - side.fnp, 6) if side.fnp else Fraction(0)
    left = np.zeros(side.wounds + 1)
    grid = distribution(roll_of(foe))
    for (crits, norms), p in np.ndenumerate(grid):
        damage = crits * foe.crit_dmg + norms * foe.norm_dmg
        for lost, q in enumerate(_binomial(damage, float(1 - ignored)) if p else []):
            left[side.wounds - lost] += p * q
    return left


def _binomial(count: int, chance: float) -> np.ndarray:
    pmf = np.ones(1)
    for _ in range(count):
        pmf = np.convolve(pmf, [1 - chance, chance])
    return pmf


@pytest.mark.parametrize(("dice", "wounds", "fnp"), [(20, 99, 0), (9, 40, 5)])
def test_strikers_who_cannot_die_lose_independent_sums(dice, wounds, fnp):
    one = Fighter(num_dice=dice, dice_stat=3, norm_dmg=2, crit_dmg=4, wounds=wounds, fnp=fnp)
    two = Fighter(num_dice=dice, dice_stat=4, norm_dmg=1, crit_dmg=3, wounds=wounds, lethal=5)
    joint = fight(one, two, FightOptions(strategy1="strike", strategy2="strike")).joint
    np.testing.assert_allclose(joint, np.outer(losses(one, two), losses(two, one)), rtol=0, atol=1e-12)


GIANT = Fighter(num_dice=20, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=99)


def test_the_largest_fight_of_the_form_is_answered():
    named = fight(GIANT, GIANT, FightOptions())
    best = fight(GIANT, GIANT, FightOptions(strategy1="optimal"))
    for outcome in (named, best):
        assert outcome.joint.sum() == pytest.approx(1.0, abs=1e-12)
        assert outcome.joint.min() >= 0.0
    assert criteria(best) >= criteria(named)
    second = fight(GIANT, GIANT, FightOptions(strategy2="optimal", first_fighter=2))
    assert np.array_equal(second.joint, best.joint.T)


@pytest.mark.parametrize("fnp", [0, 5])
def test_rolling_the_dice_of_a_large_fight_agrees(fnp):
    one = Fighter(num_dice=12, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=40, abilities=("shock",))
    two = Fighter(num_dice=12, dice_stat=4, norm_dmg=4, crit_dmg=6, wounds=40, abilities=("duelist",), fnp=fnp)
    options = FightOptions(strategy1="optimal", strategy2="max_dmg_to_enemy")
    exact, games = fight(one, two, options), 20_000
    w1, w2 = fight_samples(one, two, options, games, np.random.default_rng(11))
    drawn = (w2 == 0) * 1.0 - (w1 == 0), w1 - w2  # which of two equal moves is made may differ; what they are for, not
    for sample, value in zip(drawn, criteria(exact), strict=True):
        assert sample.mean() == pytest.approx(value, abs=5 * sample.std() / games**0.5)


def test_wounds_that_cannot_be_lost_cost_nothing():
    knife = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=12)
    few, many = (Certain(Plan(knife, knife.changed(wounds=wounds)).arena) for wounds in (24, 99))
    assert many.cells <= few.cells
    assert fight(knife, knife.changed(wounds=99)).wounds2.low == 99 - 20


@pytest.mark.parametrize("fnp", [0, 5])
@pytest.mark.parametrize("plan", ["optimal", "max_dmg_to_enemy", "strike"])
@pytest.mark.parametrize("rounds", [1, 3])
def test_progress_ends_where_it_said_it_would(fnp, plan, rounds):
    side = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=20, fnp=fnp)
    options = FightOptions(strategy1=plan, strategy2=plan, num_rounds=rounds)
    said: list[tuple[int, int]] = []
    budget = in_small_pieces(memory=1_500_000 if fnp else 200_000)
    fight(side, side, options, lambda done, total: said.append((done, total)), budget)
    done = [each for each, _ in said]
    assert done == sorted(done)
    assert said[-1][0] == said[-1][1]
    assert len({total for _, total in said}) == 1


def test_a_fight_can_be_given_up():
    class Enough(Exception):  # noqa: N818
        pass

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise Enough

    with pytest.raises(Enough):
        fight(GIANT, GIANT, FightOptions(), stop)


def test_feel_no_pain_on_the_very_largest_is_refused_before_it_starts():
    monster = GIANT.changed(fnp=5, abilities=("shock", "just_a_scratch", "durable"))
    with pytest.raises(EngineError, match="Use fewer dice, wounds or rounds") as refused:
        fight(monster, monster, FightOptions(num_rounds=5, strategy1="optimal"))
    assert refused.value.details["field"] == "fighter1.numDice"


def test_a_line_may_have_more_dice_than_are_rolled():
    side = Fighter(num_dice=1, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=20)
    best = FightOptions(strategy1="optimal", strategy2="optimal", num_rounds=2)
    steps = best_line(side, side, (0, 5), (0, 0), best)
    assert steps[-1].wounds == (20, 5)
    later = fight(side, side.changed(wounds=5), best.model_copy(update={"num_rounds": 1}))
    worth = next(a for a in steps[-1].alternatives if a.action == steps[-1].action)
    w1, w2 = np.indices(later.joint.shape)
    assert worth.margin == pytest.approx(float((later.joint * (w1 - w2)).sum()))


def test_both_kinds_of_table_agree_on_a_large_fight():
    one = Fighter(num_dice=7, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=30, abilities=("hammerhand", "duelist"))
    options = FightOptions(strategy1="optimal", strategy2="min_dmg_to_self", num_rounds=2)
    by_rank, by_value = Plan(one, one, options), Plan(one, one, options, every_wound=True)
    assert by_value.arena.chance
    assert not by_rank.arena.chance
    assert criteria(by_rank.solve()) == pytest.approx(criteria(by_value.solve()), abs=1e-9)

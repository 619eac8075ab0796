"""The recommended line: what it does, what its alternatives are worth, and that it keeps its promise."""

from __future__ import annotations

from itertools import product

import pytest

from engine.killteam.fight import fight
from engine.killteam.fight.line import LinePlan, best_line
from engine.killteam.profile import Fighter, FightOptions
from tests.oracles import killteam as oracle

BEST = FightOptions(strategy1="optimal", strategy2="optimal")
MAN = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=7)


def actions(*args, **kwargs):
    return [(step.fighter, step.action) for step in best_line(*args, **kwargs)]


def on_the_table(side, hand):
    return side.changed(num_dice=sum(hand), auto_crits=hand[0], auto_norms=hand[1])


def test_keep_the_critical_that_cannot_be_parried():
    # Striking with the normal first leaves 4 wounds and a critical the enemy's normal cannot stop.
    assert actions(MAN, MAN, (1, 1), (0, 1), BEST) == [
        (1, "strike with a normal"),
        (2, "strike with a normal"),
        (1, "strike with a critical"),
    ]
    first = best_line(MAN, MAN, (1, 1), (0, 1), BEST)[0]
    worth = {alternative.action: alternative.win for alternative in first.alternatives}
    assert worth["strike with a normal"] == 1.0
    assert worth["strike with a critical"] == 0.0


def test_kill_at_once_when_you_can():
    steps = best_line(MAN, MAN.changed(wounds=4), (1, 3), (2, 2), BEST)
    assert [(s.action, s.damage, s.wounds) for s in steps] == [("strike with a critical", 4, (7, 0))]


@pytest.mark.parametrize("hands", list(product([(1, 1), (2, 1), (0, 3)], repeat=2)))
@pytest.mark.parametrize("plans", [("optimal", "optimal"), ("max_dmg_to_enemy", "parry")])
def test_the_line_ends_where_the_exact_fight_ends(hands, plans):
    options = FightOptions(strategy1=plans[0], strategy2=plans[1])
    one, two = MAN.changed(abilities=("hammerhand",)), MAN.changed(norm_dmg=4, crit_dmg=5, wounds=9)
    outcome = fight(on_the_table(one, hands[0]), on_the_table(two, hands[1]), options)
    last = best_line(one, two, *hands, options)[-1]
    assert outcome.p_kill1 - outcome.p_kill2 == (last.wounds[1] == 0) - (last.wounds[0] == 0)
    assert outcome.wounds1.mean - outcome.wounds2.mean == pytest.approx(last.wounds[0] - last.wounds[1])


def test_every_alternative_carries_the_value_of_its_game_tree():
    one, two = MAN, MAN.changed(fnp=5, abilities=("storm_shield",))
    men = [
        oracle.Man(s.norm_dmg, s.crit_dmg, frozenset(s.abilities), 1, 2, s.wounds, s.wounds, s.fnp) for s in (one, two)
    ]
    final = {(a, b): ((b == 0) - (a == 0), a - b) for a in range(8) for b in range(8)}
    step = best_line(one, two, (1, 2), (1, 2), BEST)[0]
    assert len(step.alternatives) == len(oracle.moves(*men))
    for alternative, move in zip(step.alternatives, oracle.moves(*men), strict=True):
        expected = [0, 0]
        for wounds, p in oracle.wounds_after(men[1], move.damages).items():
            after = (move.me, oracle.replace(move.foe, wounds=wounds))
            sub = oracle.game_value(after, 1, ("optimal", "optimal"), final, opening=False)
            expected = [e + p * s for e, s in zip(expected, sub, strict=True)]
        assert (alternative.win, alternative.margin) == pytest.approx(tuple(map(float, expected)))


def test_later_rounds_count():
    alone = best_line(MAN, MAN, (0, 1), (0, 1), BEST)[0]
    followed = best_line(MAN, MAN, (0, 1), (0, 1), BEST.model_copy(update={"num_rounds": 3}))[0]
    assert {a.win for a in alone.alternatives} == {0.0}
    assert all(a.win != 0.0 for a in followed.alternatives)


def test_the_second_fighter_may_go_first():
    turned = BEST.model_copy(update={"first_fighter": 2})
    steps, mirrored = best_line(MAN, MAN, (0, 2), (1, 1), turned), best_line(MAN, MAN, (1, 1), (0, 2), BEST)
    assert [(s.fighter, s.action, s.wounds) for s in steps] == [
        (3 - s.fighter, s.action, s.wounds[::-1]) for s in mirrored
    ]


def test_duelists_parry_first_and_words_name_the_dice():
    duelist = MAN.changed(abilities=("duelist",))
    heavy = MAN.changed(norm_dmg=6, wounds=20)
    assert actions(duelist, heavy, (0, 3), (0, 2), BEST)[0] == (1, "parry before the first strike")
    shield = MAN.changed(abilities=("storm_shield",), wounds=20)
    words = {a.action for a in best_line(shield, shield, (1, 1), (1, 2), BEST)[0].alternatives}
    assert {"parry a critical and a normal with a critical", "parry 2 normals with a normal"} <= words
    murderous = MAN.changed(abilities=("murderous_entrance",))
    words = {a.action for a in best_line(murderous, MAN, (2, 1), (0, 1), BEST)[0].alternatives}
    assert "strike with a critical, then again with a critical" in words
    assert "strike with a critical, then again with a normal" in words


def test_there_is_no_line_for_the_dead_or_without_dice():
    assert best_line(MAN.changed(wounds=0), MAN, (1, 1), (1, 1)) == []
    assert best_line(MAN, MAN, (0, 0), (0, 0)) == []
    assert actions(MAN, MAN, (0, 0), (0, 1), BEST) == [(2, "strike with a normal")]


def test_a_line_sent_another_way_goes_on_with_the_best_from_there() -> None:
    """Each alternative of each step, followed: its value is that of the first step of the line after it."""
    one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, wounds=9)
    two = Fighter(num_dice=4, dice_stat=3, norm_dmg=4, crit_dmg=5, wounds=8)
    plan = LinePlan(one, two, (2, 1), (1, 2), BEST)
    best = plan.solve()
    for at, step in enumerate(best, 1):
        for number, alternative in enumerate(step.alternatives):
            line = plan.solve({at: number})
            assert line[: at - 1] == best[: at - 1]
            assert line[at - 1].action == alternative.action
            if len(line) > at:
                then = next(a for a in line[at].alternatives if a.action == line[at].action)
                sign = 1 if line[at].fighter == step.fighter else -1
                assert sign * then.win == pytest.approx(alternative.win)
    assert plan.solve({1: 99}) == best

"""The front door: documents by their names on the wire, answers in the agreed form, errors that name the field."""

from __future__ import annotations

import pytest

from engine.contracts import call

GUN = {"numDice": 4, "diceStat": 3, "normDmg": 3, "critDmg": 4}
TARGET = {"numDice": 3, "diceStat": 3, "wounds": 12}
KNIFE = {"numDice": 3, "diceStat": 3, "normDmg": 3, "critDmg": 4, "wounds": 8}


def result(op, document):
    answer = call(op, document)
    assert answer["ok"], answer
    return answer["result"]


def test_dice_answers_outcomes():
    outcomes = result("killteam.dice", {"numDice": 1, "diceStat": 4, "hardyx": 5, "apx": 2})["outcomes"]
    assert outcomes == [[0, 0, pytest.approx(1 / 2)], [0, 1, pytest.approx(1 / 6)], [1, 0, pytest.approx(1 / 3)]]


def test_shoot_answers_a_pmf_without_trailing_zeros():
    answer = result(
        "killteam.shoot", {"attacker": {**GUN, "lethal": 2}, "defender": TARGET, "options": {"numRounds": 2}}
    )
    assert set(answer) == {"pmf", "mean", "sd", "killProbability", "warnings"}
    assert sum(answer["pmf"]) == pytest.approx(1.0)
    assert answer["pmf"][-1] > 0.0
    assert answer["mean"] == pytest.approx(sum(d * p for d, p in enumerate(answer["pmf"])))
    assert answer["killProbability"] == pytest.approx(sum(answer["pmf"][12:]))
    assert [warning["code"] for warning in answer["warnings"]] == ["crit_below_stat"]


def test_fight_answers_marginals_of_its_joint():
    answer = result("killteam.fight", {"fighter1": KNIFE, "fighter2": KNIFE, "options": {"strategy1": "optimal"}})
    assert set(answer) == {"wounds1Pmf", "wounds2Pmf", "jointPmf", "killProbability1", "killProbability2"}
    joint = answer["jointPmf"]
    assert [sum(row) for row in joint] == pytest.approx(answer["wounds1Pmf"])
    assert [sum(column) for column in zip(*joint, strict=True)] == pytest.approx(answer["wounds2Pmf"])
    assert answer["killProbability1"] == pytest.approx(answer["wounds2Pmf"][0])
    assert answer["killProbability2"] == pytest.approx(answer["wounds1Pmf"][0])


def test_matrix_answers_each_pair_as_shoot_would():
    answer = result("killteam.matrix", {"attackers": [GUN, {**GUN, "apx": 1}], "defenders": [TARGET]})
    for attacker, kill, mean, left in zip(
        [GUN, {**GUN, "apx": 1}], answer["killProbability"], answer["mean"], answer["woundsLeft"], strict=True
    ):
        single = result("killteam.shoot", {"attacker": attacker, "defender": TARGET})
        assert (kill, mean) == ([single["killProbability"]], [single["mean"]])
        capped = sum(max(0, 12 - d) * p for d, p in enumerate(single["pmf"]))
        assert left == [pytest.approx(capped)]


def test_a_matrix_too_large_is_refused():
    answer = call("killteam.matrix", {"attackers": [GUN] * 101, "defenders": [TARGET] * 100})
    assert answer["error"]["details"]["constraint"] == "pairs"


def test_simulate_answers_means_with_errors_near_the_exact_ones():
    shot = {"attacker": GUN, "defender": TARGET}
    answer = result("killteam.simulate", {"shoot": shot, "iterations": 20_000, "seed": 5})
    exact, drawn = result("killteam.shoot", shot), answer["quantities"]["damage"]
    assert abs(drawn["mean"] - exact["mean"]) < 5 * drawn["standardError"]
    assert drawn["series"][-1] == [20_000, drawn["mean"], drawn["standardError"]]
    assert sum(answer["pmfs"]["damage"]) == pytest.approx(1.0)
    fight = result("killteam.simulate", {"fight": {"fighter1": KNIFE, "fighter2": KNIFE}, "iterations": 500})
    assert set(fight["quantities"]) == {"wounds1", "wounds2", "killProbability1", "killProbability2"}


def test_simulate_wants_one_situation():
    answer = call("killteam.simulate", {"iterations": 500})
    assert answer["error"]["message"] == "Give either shoot or fight."


def test_line_answers_steps_with_alternatives():
    hands = {"crits1": 1, "norms1": 1, "crits2": 0, "norms2": 1}
    plans = {"strategy1": "optimal", "strategy2": "optimal"}
    small = {**KNIFE, "wounds": 7}
    steps = result("killteam.line", {"fighter1": small, "fighter2": small, **hands, "options": plans})["steps"]
    assert [step["action"] for step in steps] == [
        "strike with a normal",
        "strike with a normal",
        "strike with a critical",
    ]
    assert {"action", "win", "margin"} == set(steps[0]["alternatives"][0])


@pytest.mark.parametrize(
    ("op", "document", "field"),
    [
        ("killteam.dice", {"numDice": 3}, "diceStat"),
        ("killteam.dice", {"numDice": 99}, "numDice"),
        ("killteam.shoot", {"attacker": GUN, "defender": {**TARGET, "luck": 1}}, "defender.luck"),
        (
            "killteam.fight",
            {"fighter1": KNIFE, "fighter2": KNIFE, "options": {"strategy1": "run"}},
            "options.strategy1",
        ),
        ("killteam.fight", {"fighter1": KNIFE, "fighter2": {**KNIFE, "num_dice": 3}}, "fighter2.num_dice"),
    ],
)
def test_errors_name_the_field(op, document, field):
    answer = call(op, document)
    assert not answer["ok"]
    assert answer["error"]["code"] == "ERR_INVALID_INPUT"
    assert answer["error"]["details"]["field"] == field

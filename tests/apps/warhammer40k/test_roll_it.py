"""The sheet with real dice: the right dice in the right order, each with a proof anyone can check."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from apps.core.services import dice_log
from apps.warhammer40k.services import dice
from apps.warhammer40k.services.rolling import Rolled
from apps.warhammer40k.services.sheet import attack_of
from engine.dice.roller import ScriptedRoller
from engine.dice.rolls import DiceTray
from engine.warhammer40k.attack import resolve
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of


def scripted(query: str, *faces: int) -> tuple[Rolled, ScriptedRoller]:
    roller = ScriptedRoller(faces)
    return dice.roll(settings_of(query), DiceTray(roller)), roller


def test_hit_wound_save_damage_in_order() -> None:
    """Two attacks: 3 hits, 2 misses; 5 wounds; save 4+ on a 3 fails; 1 wound lost of a 2-wound model."""
    rolled, roller = scripted("v=1&w1-count=1&w1-attacks=2", 3, 2, 5, 3)
    assert [(die.phase, die.outcome, die.origin) for die in rolled.dice] == [
        ("hit", "hits", None),
        ("hit", "misses", None),
        ("wound", "wounds", 1),
        ("save", "fails", 3),
    ]
    assert (rolled.lost, rolled.destroyed, roller.left_over) == (1, 0, 0)


def test_a_reroll_names_the_die_it_replaces() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=1&w1-reroll_hits=ones", 1, 4, 1)
    first, second, wound = rolled.dice
    assert (first.stale, second.rerolls, second.roll.is_reroll, wound.origin) == (True, 1, True, 2)


def test_sustained_hits_come_from_their_critical() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=1&w1-sustained=D3", 6, 2, 1, 1, 1)
    assert [(die.phase, die.origin) for die in rolled.dice] == [
        ("hit", None),
        ("sustained", 1),
        ("wound", 1),
        ("wound", 1),
        ("wound", 1),
    ]
    assert rolled.weapons[0].hits == 3


def test_lethal_hits_skip_the_wound_roll() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=1&w1-abilities=lethal", 6, 1)
    assert [die.phase for die in rolled.dice] == ["hit", "save"]


def test_devastating_wounds_land_after_the_rest_and_do_not_spill() -> None:
    """A devastating 3-damage wound and a plain one into 2-wound models: two models fall, no more."""
    query = "v=1&w1-count=1&w1-attacks=2&w1-damage=3&w1-abilities=devastating"
    rolled, _ = scripted(query, 3, 3, 6, 4, 1)
    assert [die.phase for die in rolled.dice] == ["hit", "hit", "wound", "wound", "save"]
    assert (rolled.lost, rolled.destroyed, rolled.last.note) == (4, 2, "1 devastating wounds land after the rest.")


def test_devastating_wounds_spill_in_the_launch_wording() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=1&w1-damage=3&w1-abilities=devastating&wording=spill", 3, 6)
    assert (rolled.lost, rolled.destroyed) == (3, 1)


def test_mortal_wounds_spill() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=0&w1-mortals=3")
    assert (rolled.lost, rolled.destroyed) == (3, 1)


def test_feel_no_pain_rolls_a_die_a_point() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=1&w1-damage=2&fnp=5", 3, 4, 1, 5, 4)
    assert [die.outcome for die in rolled.dice][-2:] == ["ignored", "felt"]
    assert rolled.lost == 1


def test_low_damage_dice_are_rerolled() -> None:
    rolled, _ = scripted("v=1&w1-count=1&w1-attacks=1&w1-damage=D6&w1-reroll_damage=ones", 3, 4, 1, 1, 5)
    assert (rolled.dice[-1].rerolls, rolled.lost) == (4, 2)


EVERYTHING = [
    PLASMA_AND_BOLTERS,
    "v=1&w1-count=3&w1-attacks=D6%2B1&w1-damage=D3&w1-abilities=devastating&w1-abilities=twin_linked&fnp=5",
    "v=1&w1-count=4&w1-attacks=3&w1-abilities=lethal&w1-sustained=D3&w1-damage=2&reduction=1&models=5&wounds=3",
    "v=1&w1-count=2&w1-attacks=4&w1-extra_mortals=D3&w1-damage=D6&w1-reroll_damage=below_average&lost=1&models=4",
    "v=1&edition=eleventh&situation=cover&w1-count=3&w1-attacks=4&w1-abilities=devastating&w1-damage=3&traits=halve_damage",
]


@pytest.mark.parametrize("query", EVERYTHING)
def test_many_rolls_agree_with_the_exact_answer(query: str) -> None:
    """Seeded, so it either always holds or never; within 4 standard errors of the exact mean."""
    settings = settings_of(query)
    outcome = resolve(attack_of(settings, settings["edition"]))
    tray, rounds = DiceTray(seed=40_000), 1500
    rolls = [dice.roll(settings, tray) for _ in range(rounds)]
    for stage, values in (("damage", [r.lost for r in rolls]), ("destroyed", [r.destroyed for r in rolls])):
        exact = getattr(outcome, stage)
        assert abs(sum(values) / rounds - exact.mean) <= 4 * exact.sd / rounds**0.5


def test_every_die_of_a_log_verifies() -> None:
    rolled = dice.roll(settings_of(PLASMA_AND_BOLTERS))
    assert dice_log.verify(dice.log(rolled)) == {"dice": len(rolled.dice), "good": len(rolled.dice), "wrong": []}


def test_a_changed_die_does_not() -> None:
    lines = dice.log(dice.roll(settings_of(PLASMA_AND_BOLTERS))).splitlines()
    face = lines[0].partition("D6=")[2][0]
    lines[0] = lines[0].replace(f"D6={face}", f"D6={int(face) % 6 + 1}", 1)
    result = dice_log.verify("\n".join([*lines, "#99 hit D6=6 by my word"]))
    assert (result["dice"] - result["good"], result["wrong"][0][:2]) == (2, "#1")


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_log_is_said(text: str) -> None:
    with pytest.raises(ValidationError, match="nothing to verify"):
        dice_log.verify(text)


def test_too_many_dice_to_look_at_are_refused() -> None:
    with pytest.raises(ValidationError, match="Up to 200 attacks can be rolled one by one; these are up to 300"):
        dice.roll(settings_of("v=1&w1-count=50&w1-attacks=D6"))


def test_the_page_rolls_and_verifies(client: Client, db: None) -> None:
    assert "Nothing rolled yet" in client.get(f"/warhammer40k/roll/?{PLASMA_AND_BOLTERS}").content.decode()
    page = client.post("/warhammer40k/roll/", {"sheet": PLASMA_AND_BOLTERS})
    assert page.status_code == 200
    log = page.context["log"]
    checked = client.post("/warhammer40k/roll/verify/", {"log": log}, headers={"HX-Request": "true"})
    assert f"All {len(log.splitlines())} dice verified" in checked.content.decode()
    assert "0 of 1 dice verified" in client.post("/warhammer40k/roll/verify/", {"log": "lies"}).content.decode()


def test_the_page_says_when_there_are_too_many(client: Client, db: None) -> None:
    page = client.post("/warhammer40k/roll/", {"sheet": "v=1&w1-count=50&w1-attacks=D6"})
    assert page.status_code == 422
    assert "Simulate them instead" in page.content.decode()

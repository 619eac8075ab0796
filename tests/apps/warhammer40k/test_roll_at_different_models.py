"""Real dice against a unit of different models: each wound to whoever is next, with its own save and wounds."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.warhammer40k.services import dice
from apps.warhammer40k.services.rolling import Rolled
from apps.warhammer40k.services.sheet import question_of
from engine.dice.roller import ScriptedRoller, SeededRoller
from engine.dice.rolls import DiceTray
from engine.warhammer40k.mixed import MixedInput, resolve_mixed
from tests.apps.warhammer40k.conftest import settings_of

GUN = "v=1&w1-count=1&w1-attacks=2&w1-skill=3&w1-strength=4&w1-ap=0&w1-damage=1"
SQUAD = "target=Boyz&models=2&toughness=4&save=5&wounds=1&order=listed"
NOB = "g=1&g1-name=Nob&g1-models=1&g1-toughness=4&g1-save=4&g1-wounds=2"
BOSS = "g=1&g1-name=Boss&g1-models=1&g1-toughness=4&g1-save=2&g1-wounds=4&g1-role=leader"


def scripted(query: str, *faces: int) -> tuple[Rolled, ScriptedRoller]:
    roller = ScriptedRoller(faces)
    return dice.roll(settings_of(query), DiceTray(roller)), roller


def test_wounds_go_to_the_groups_in_order_each_with_its_own_save() -> None:
    """Three attacks hit and wound: the Boyz fail a 4 (they need 5+), the Nob passes with it (4+)."""
    rolled, roller = scripted(f"{GUN}&w1-attacks=3&{SQUAD}&{NOB}", 3, 3, 3, 4, 4, 4, 4, 4, 4)
    assert [die.outcome for die in rolled.dice if die.phase == "save"] == ["fails", "fails", "saved"]
    assert rolled.fallen == [("Boyz", 2, 2), ("Nob", 0, 1)]
    assert (rolled.destroyed, rolled.lost, rolled.models, roller.left_over) == (2, 2, 3, 0)


def test_the_leader_is_last_and_precision_finds_him_first() -> None:
    usual, _ = scripted(f"{GUN}&w1-attacks=1&{SQUAD}&{BOSS}", 3, 4, 1)
    assert usual.fallen == [("Boyz", 1, 2), ("Boss", 0, 1)]
    precise, _ = scripted(f"{GUN}&w1-attacks=1&w1-damage=4&w1-abilities=precision&{SQUAD}&{BOSS}", 3, 4, 1)
    assert precise.fallen == [("Boyz", 0, 2), ("Boss", 1, 1)]


def test_in_the_eleventh_saves_are_taken_lowest_first() -> None:
    """Saves of 6 and 1: the 1 goes first, to the Boyz in front; the 6 saves."""
    query = f"{GUN}&edition=eleventh&{SQUAD}&models=1&{NOB}"
    rolled, _ = scripted(query, 3, 3, 4, 4, 6, 1)
    assert rolled.fallen == [("Boyz", 1, 1), ("Nob", 0, 1)]


def test_nobody_saves_for_a_unit_that_is_gone() -> None:
    rolled, roller = scripted(f"{GUN}&w1-attacks=4&w1-damage=2&{SQUAD}&models=1&{NOB}", *[3] * 4, *[4] * 4, 1, 1)
    assert (rolled.destroyed, rolled.models, roller.left_over) == (2, 2, 0)


@pytest.mark.parametrize("edition", ["tenth", "eleventh"])
@pytest.mark.parametrize("more", ["", "&w1-abilities=devastating&w1-extra_mortals=1", "&g1-fnp=5&w1-damage=D3"])
def test_many_rolls_average_to_the_exact_answer(edition: str, more: str) -> None:
    query = f"{GUN}&w1-attacks=4&edition={edition}&{SQUAD}&{BOSS}{more}"
    settings = settings_of(query)
    request = question_of(settings, edition)
    assert isinstance(request, MixedInput)
    exact = resolve_mixed(request).damage
    tray = DiceTray(SeededRoller(11))
    lost = [dice.roll(settings, tray).lost for _ in range(500)]
    assert abs(sum(lost) / len(lost) - exact.mean) < 4 * exact.sd / len(lost) ** 0.5


def test_the_page_names_who_fell(client: Client, db: None) -> None:
    page = client.post("/warhammer40k/roll/", {"sheet": f"{GUN}&{SQUAD}&{NOB}"}).content.decode()
    assert "out of 3." in page
    assert "Nob <b" in page


def test_a_simulation_is_laid_over_the_exact_answer_of_the_groups() -> None:
    settings = settings_of(f"{GUN}&w1-count=5&{SQUAD}&order=adaptive&{BOSS}")
    dice.check_simulation(settings, 10_000)
    result = dice.simulate(dice.job_document(settings, 10_000), lambda done, total, note="": None)
    assert [row["stage"] for row in result["rows"]] == ["Damage", "Models destroyed", "Unit wiped out"]
    assert all(abs(row["off"]) < 5 for row in result["rows"][:2])

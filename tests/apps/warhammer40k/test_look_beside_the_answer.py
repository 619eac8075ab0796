"""Eight targets in one table, the best rerolls, and what would lift the chance to wipe the unit out."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.warhammer40k.services import advice
from apps.warhammer40k.services.answers import answer
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of


def test_one_row_per_target_each_the_builders_own_answer() -> None:
    rows = advice.targets(settings_of(PLASMA_AND_BOLTERS))
    assert rows[0]["name"] == "Marines", "the sheet's own, so not once more among the others"
    assert [row["name"] for row in rows[1:]] == [name for name, _ in advice.PRESET_TARGETS if name != "Marines"]
    guard = "&models=10&toughness=3&save=5&wounds=1&keywords=infantry"
    outcome = answer(settings_of(PLASMA_AND_BOLTERS + guard)).facts["first"]["outcome"]
    assert rows[1]["p_wiped"] == outcome.p_wiped
    assert rows[1]["gone"] == outcome.damage.mean / 10


def test_presets_do_not_inherit_the_readers_target() -> None:
    plain = advice.targets(settings_of(PLASMA_AND_BOLTERS))[1:]
    tough = advice.targets(settings_of(PLASMA_AND_BOLTERS + "&fnp=2&traits=halve_damage&lost=1"))[1:]
    assert plain == tough


def test_more_attacks_reach_the_level_and_one_fewer_does_not() -> None:
    base = "v=1&w1-count=1&w1-attacks={}&w1-skill=2&w1-strength=20&w1-ap=6&models=3&wounds=1&level=90"
    [(_, more)] = advice.advice(settings_of(base.format(2)))["more_attacks"]
    assert more is not None

    def p_wiped(attacks: int) -> float:
        return float(answer(settings_of(base.format(attacks))).facts["first"]["p_wiped"])

    assert p_wiped(2 + more) >= 0.9 > p_wiped(2 + more - 1)


def test_each_lift_is_the_answer_with_that_change() -> None:
    given = advice.advice(settings_of(PLASMA_AND_BOLTERS))
    better = answer(settings_of(PLASMA_AND_BOLTERS.replace("w1-ap=3", "w1-ap=4") + "&w2-ap=2")).facts["first"][
        "p_wiped"
    ]
    assert {lift.label: lift.p_wiped for lift in given["lifts"]}["AP better by 1"] == pytest.approx(better)


def test_a_level_already_reached_is_said() -> None:
    easy = "v=1&w1-count=50&w1-attacks=4&models=1&toughness=3&wounds=1&save=7"
    assert advice.advice(settings_of(easy))["reached"]


def test_fishing_is_priced() -> None:
    """Twin-linked and devastating into 2+ saves: rerolling plain wounds for criticals pays here, and says how much."""
    query = "v=1&w1-count=5&w1-attacks=4&w1-ap=0&w1-abilities=twin_linked&w1-abilities=devastating&save=2&models=5"
    [one] = advice.advice(settings_of(query))["rerolls"]
    assert "everything but criticals" in one["says"]
    assert one["fishing"].startswith("Fishing for critical wounds adds")


@pytest.mark.parametrize("part", ["targets", "advice"])
def test_each_panel_is_a_page_without_scripts_and_a_fragment_with_them(client: Client, db: None, part: str) -> None:
    address = f"/warhammer40k/{part}/?{PLASMA_AND_BOLTERS}"
    assert "<html" in client.get(address).content.decode()
    assert "<html" not in client.get(address, headers={"HX-Request": "true"}).content.decode()


def test_other_targets_are_links_with_points(client: Client, db: None) -> None:
    """A tap on a row puts that target, with its card's points, into the sheet."""
    page = client.get(f"/warhammer40k/targets/?{PLASMA_AND_BOLTERS}")
    knight = next(row for row in page.context["rows"] if row["name"] == "Knight")
    sheet = settings_of(knight["href"].partition("?")[2])
    assert (sheet["target"], sheet["toughness"], sheet["wounds"], sheet["unit_points"]) == ("Knight", 11, 26, 375)
    assert sheet["weapons"][0]["strength"] == 8
    outcome = answer(sheet).facts["first"]["outcome"]
    assert knight["points"] == pytest.approx(375 * outcome.destroyed.mean)
    assert knight["href"].replace("&", "&amp;") in page.content.decode()


@pytest.mark.parametrize("counted", ["hits", "wounds"])
def test_hits_and_wounds_have_their_distributions(client: Client, db: None, counted: str) -> None:
    page = client.get(f"/warhammer40k/?{PLASMA_AND_BOLTERS}&counted={counted}")
    run = page.context["sides"][0].answer.facts["first"]
    assert run["pmf"] == getattr(run["outcome"], counted)

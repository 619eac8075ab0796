"""Critical hits, heat phases, undo and redo, rounds, the log: what a player does on the sheet."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from apps.battletech.services import actions
from apps.battletech.services.sheet import open_sheet, roll
from engine.battletech.explosion import resolve
from tests.apps.battletech.conftest import HTMX, PAGE

pytestmark = pytest.mark.django_db


def test_a_critical_hit_is_logged_with_its_sums_and_reasons(reader) -> None:
    text = reader.open(mech="hunchback-hbk-4g", do="b1")
    assert "Critical hit on AC/20 #1" in text
    assert "5 × 20 = 100 damage: explodes." in text
    assert "LT structure 12 − 12 = 0" in text
    assert "LA: falls with LT destroyed" in text
    assert "no CASE: the rest moves inward" in text
    assert "CT armour 26 − 26 = 0" in text
    assert "In all: structure 28 + armour 26 + left over 46 = 100 points." in text
    assert "’Mech destroyed: the centre torso is gone." in text


def test_case_stops_the_transfer_and_says_so(reader) -> None:
    text = reader.open(mech="hunchback-hbk-5m", do="b1")
    assert "LT vented: CASE stops the transfer 88" in text
    assert "’Mech destroyed" not in text


def test_an_empty_bin_has_nothing_to_explode(reader) -> None:
    text = reader.open(mech="hunchback-hbk-4g", did="r1-0", do="b1")
    assert "0 × 20 = 0: empty bin: nothing to explode." in text
    assert "already destroyed: no effect." in reader.do("b1")


def test_a_gauss_rifle_explodes_and_its_ammunition_does_not(reader) -> None:
    assert "20 damage: explodes." in reader.open(mech="atlas-as7-k", do="e1")
    assert "8 × 0 = 0: inert ammunition: nothing to explode." in reader.open(mech="atlas-as7-k", do="b1")


def test_typed_dice_decide_the_phase(reader) -> None:
    query = {"mech": "hunchback-hbk-4g", "heat": 23, "dice_from": "typed"}
    text = reader.roll(**query, dice="1 6 6 2, 1")  # draws the first of two; it holds, the second fails
    assert "AC/20 #1 · LT 6 + 6 = 12, needs 6: holds." in text
    assert "AC/20 #2 · LT 2 + 1 = 3, needs 6: explodes." in text
    assert reader.link.endswith("did=h23-16621")


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ("1 6 6", "More dice are needed than the 3 given. This phase takes at least 5."),
        ("", "More dice are needed than the 0 given. This phase takes at least 5."),
        ("1 6 6 2 1 4", "5 dice were needed and 6 given."),
        ("1 6 7 2 1", "Dice show 1–6; you entered “7”."),
        ("1 6 six", "Dice show 1–6; you entered “s”."),
    ],
)
def test_dice_that_do_not_fit_are_named_beside_their_field_and_kept(reader, dice: str, message: str) -> None:
    text = reader.roll(mech="hunchback-hbk-4g", heat=23, dice_from="typed", dice=dice)
    assert message in text
    assert reader.status == 422
    assert f'value="{dice}"' in reader.html
    assert 'aria-describedby="dice-error"' in reader.html


def test_a_seed_rolls_the_same_phase_for_everybody(reader, open_fresh) -> None:
    first = reader.roll(mech="atlas-as7-d", heat=23, dice_from="seed", seed=10)
    other = open_fresh()
    assert other.open(mech="atlas-as7-d", heat=23, did="h23s10") == first
    assert "seed 10" in first


@pytest.mark.parametrize("seed", ["", "-1", "ten", "1" * 10])
def test_a_seed_is_a_number(reader, seed: str) -> None:
    text = reader.roll(mech="atlas-as7-d", dice_from="seed", seed=seed)
    assert f"A seed is 0–999,999,999; you entered {seed or 'nothing'}." in text
    assert reader.status == 422


def test_a_cool_mech_rolls_nothing(reader) -> None:
    text = reader.roll(heat=18)
    assert "no roll: no check below heat 19." in text
    assert reader.link.endswith("did=h18")


def test_undo_and_redo_walk_along_the_history(reader) -> None:
    fresh = reader.open(mech="highlander-hgn-732", heat=20)
    once = reader.do("e1")
    twice = reader.do("b1")
    assert fresh != once != twice
    back = reader.open(reader.href("undo"))
    assert "Critical hit on Gauss rifle" in back
    assert "Critical hit on SRM 6 #1" not in back
    assert reader.open(reader.href("redo")) == twice
    reader.open(reader.href("undo"))
    start = reader.open(reader.href("undo"))
    assert "Every sum is written down here." in start
    assert 'id="undo"' not in reader.html
    assert reader.open(reader.href("redo")) != start


def test_a_new_action_forgets_what_was_undone(reader) -> None:
    reader.open(mech="atlas-as7-k", did="e1.b4", at=1)
    reader.do("b5")
    assert reader.link.endswith("did=e1.b5")
    assert 'id="redo"' not in reader.html


def test_start_again_brings_the_sheet_back(reader) -> None:
    untouched = reader.open(mech="atlas-as7-d", heat=23)
    reader.do("b1")
    assert reader.open(reader.href("restart")) == untouched


def test_rounds_change_and_a_moving_slider_leaves_one_trace(reader) -> None:
    reader.open(mech="atlas-as7-d", heat=23, r1=4)
    assert reader.link.endswith("r1=4"), "a slider's address is written by htmx, without one it stays in the form"
    opened = open_sheet(QueryDict("mech=atlas-as7-d&r1=4"))
    again = open_sheet(QueryDict(opened.address.link().partition("?")[2] + "&r1=3"))
    assert [str(action) for action in again.address.did] == ["r1-3"]
    assert again.mech.bins[0].rounds == 3
    assert "6 → 3 rounds" in reader.open(again.address.link())


@pytest.mark.parametrize("rounds", ["", "-1", "1001", "many", "99999"])
def test_rounds_out_of_range_are_refused_beside_their_bin(reader, rounds: str) -> None:
    text = reader.open(mech="atlas-as7-d", r1=rounds)
    assert f"LRM 20 #1: rounds must be 0–1000; you entered {rounds or 'nothing'}." in text
    assert reader.status == 422


def test_other_rules_replay_the_same_history_or_say_where_it_stops(reader) -> None:
    kept = reader.open(mech="atlas-as7-k", did="e1", rules="total_warfare")
    assert "Critical hit on Gauss rifle" in kept
    text = reader.open(mech="hunchback-hbk-4g", did="h23-16621", rules="total_warfare")
    assert "Action 1 and what followed no longer fit this sheet. 2 dice were needed and 5 given." in text


def test_htmx_gets_the_sheet_and_its_new_address_at_once(client) -> None:
    response = client.get(PAGE, {"mech": "atlas-as7-d", "do": "b1"}, headers=HTMX)
    assert response.status_code == 200
    assert response["HX-Push-Url"] == "/battletech/?v=1&mech=atlas-as7-d&heat=23&did=b1"
    assert "<html" not in response.content.decode()
    assert 'data-announcement="Critical hit on LRM 20 #1. ' in response.content.decode()
    moved = client.get(PAGE, {"mech": "atlas-as7-d", "heat": 28}, headers=HTMX)
    assert moved["HX-Replace-Url"] == "/battletech/?v=1&mech=atlas-as7-d&heat=28"
    wrong = client.get(PAGE, {"mech": "atlas-as7-d", "heat": 99}, headers=HTMX)
    assert wrong.status_code == 422
    assert "HX-Push-Url" not in wrong


def test_buttons_for_a_degree_more_or_less(reader) -> None:
    reader.open(mech="atlas-as7-d", heat=23, do="hotter")
    assert "heat=24" in reader.link
    reader.open(mech="atlas-as7-d", heat=0, do="cooler")
    assert "heat=0" in reader.link
    assert "“dance” is not something" in reader.open(do="dance")


def test_opening_an_address_never_rolls(reader, client) -> None:
    """A link may be opened by a preview, a crawler or the back button; dice fall when a button is pressed."""
    text = reader.open(mech="atlas-as7-d", heat=23, do="phase")
    assert "“phase” is not something that can be done to a sheet." in text
    assert client.get(f"{PAGE}roll/", {"mech": "atlas-as7-d"}).status_code == 405


def test_a_roll_leads_to_its_permalink_and_shows_it_to_htmx_at_once(client) -> None:
    sheet = {"mech": "atlas-as7-d", "heat": "23", "dice_from": "seed", "seed": "7"}
    response = client.post(f"{PAGE}roll/", sheet)
    assert (response.status_code, response["Location"]) == (302, f"{PAGE}?v=1&mech=atlas-as7-d&heat=23&did=h23s7")
    live = client.post(f"{PAGE}roll/", sheet, headers=HTMX)
    assert live["HX-Push-Url"] == response["Location"]
    assert "<html" not in live.content.decode()


def test_without_a_script_the_slider_goes_to_its_heat_without_rolling(client) -> None:
    response = client.post(f"{PAGE}roll/", {"mech": "atlas-as7-d", "heat": "28", "do": "heat"})
    assert response["Location"] == f"{PAGE}?v=1&mech=atlas-as7-d&heat=28"


def test_a_rolled_phase_is_resolved_once(monkeypatch) -> None:
    rolled = []

    def counted(*given: Any) -> Any:
        rolled.append(given)
        return resolve(*given)

    monkeypatch.setattr(actions, "resolve", counted)
    monkeypatch.setattr(actions, "outcome_of", lambda *given: pytest.fail("resolved again"))
    opened = roll(QueryDict("mech=atlas-as7-d&heat=23"))
    assert len(rolled) == 1
    assert len(opened.steps) == 1


def test_a_mech_that_is_out_has_no_further_risk(reader) -> None:
    text = reader.open(mech="atlas-as7-d", heat=23, did="b1")
    assert "’Mech destroyed: the centre torso is gone." in text
    assert "0 % that a bin explodes at heat 23" in text
    assert "A ’Mech that is out has no further heat phases." in text
    assert "80.4 %" not in text

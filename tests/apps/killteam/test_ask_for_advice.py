"""Advice beside the answer: what helps most, which dice to roll again, several targets, what Hot costs, charts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.killteam.services.dice_on_the_table import faces
from engine.killteam.activation import hot_damage
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions
from engine.killteam.rerolls import fight_reroll_choices, reroll_choices
from engine.killteam.shoot import shoot

GUN = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4)
TARGET = Defender(num_dice=3, dice_stat=4, wounds=8)


def facts(client: Client, **values: Any) -> dict[str, Any]:
    page = client.get("/killteam/shoot/", {"v": "1", **values})
    assert page.status_code == 200, page.context["problems"]
    return dict(page.context["answers"][0].facts)


def test_what_would_help_a_shot(client: Client, db: None) -> None:
    advice = client.get("/killteam/shoot/advice/", {"v": "1"}).context["advice"]
    labels = [lift.label for lift in advice["helps"]]
    assert labels[0] == "Shoot twice"
    relentless = next(lift for lift in advice["helps"] if lift.label == "Relentless")
    assert relentless.p_kill == pytest.approx(shoot(GUN.changed(reroll="relentless"), TARGET).p_kill)
    assert advice["hinders"][0].label == "The target is obscured"


def test_what_would_help_in_a_fight_and_whose_side_is_asked(client: Client, db: None) -> None:
    query = {"v": "2", "first": "2", "b-first": "1", "compare": "1"}
    first = client.get("/killteam/fight/advice/", query).context["advice"]
    second = client.get("/killteam/fight/advice/", {**query, "side": "b"}).context["advice"]
    assert "Strike first" in [lift.label for lift in first["helps"]]
    assert "Let the other strike first" in [lift.label for lift in second["hinders"]]


def test_a_fight_that_takes_long_is_not_fought_a_dozen_times(client: Client, db: None) -> None:
    long = {"v": "2", "rounds": "5", "one_dice": "20", "two_dice": "20", "one_wounds": "99", "two_wounds": "99"}
    page = client.get("/killteam/fight/advice/", long)
    assert page.context["advice"]["too_long"]
    assert "too long" in page.content.decode()


@pytest.mark.parametrize("address", ["/killteam/shoot/advice/?dice=99", "/killteam/fight/advice/?one_dice=x"])
def test_no_advice_on_a_sheet_that_is_wrong(client: Client, db: None, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_panel_is_fetched_with_the_page(client: Client, db: None) -> None:
    page = client.get("/killteam/shoot/", {"v": "1", "dice": "5"}).content.decode()
    assert "/killteam/shoot/advice/?side=a&amp;v=1&amp;dice=5" in page
    panel = client.get("/killteam/shoot/advice/?side=a&v=1&dice=5", headers={"HX-Request": "true"}).content.decode()
    assert panel.lstrip().startswith("<section")


def test_dice_on_the_table_and_what_to_roll_again(client: Client, db: None) -> None:
    found = facts(client, rolled="6 4 2 1", reroll="balanced")["rerolls"]
    best = reroll_choices(GUN.changed(reroll="balanced"), TARGET, [6, 4, 2, 1])[0]
    assert (found["best"], found["rule"]) == (best, "Balanced")
    page = client.get("/killteam/shoot/", {"v": "1", "rolled": "6421", "reroll": "most_common_fail"}).content.decode()
    assert "Best re-roll" in page
    none = facts(client, rolled="6 4 2 1")["rerolls"]
    assert none["has_none"]
    assert facts(client)["rerolls"] is None


@pytest.mark.parametrize("rolled", ["6 4", "7 1 1 1", "abc"])
def test_dice_that_do_not_fit_are_said_beside_the_field(client: Client, db: None, rolled: str) -> None:
    page = client.get("/killteam/shoot/", {"v": "1", "rolled": rolled})
    assert page.status_code == 422
    assert "Enter the 4 dice rolled, each 1–6" in page.context["problems"][0]


def test_faces_however_they_are_written() -> None:
    assert faces("6-4-2-1") == faces("6, 4; 2 and 1") == [6, 4, 2, 1]


def test_several_targets_alike(client: Client, db: None) -> None:
    several = facts(client, targets="3")["several"]
    p = shoot(GUN, TARGET).p_kill
    assert several["mean"] == pytest.approx(3 * p)
    assert several["rows"][3][1] == pytest.approx(p**3)
    assert several["rows"][1][2] == pytest.approx(1 - (1 - p) ** 3)
    assert facts(client)["several"] is None


def test_hot_is_shown_and_comes_with_the_weapon(client: Client, db: None) -> None:
    hot = facts(client, hot="1", hit="4", rounds="2")["hot"]
    assert hot["mean"] == pytest.approx(2 * hot_damage(4).mean)
    assert hot["p_hurt"] == pytest.approx(1 - (3 / 6) ** 2)
    page = client.get("/killteam/profiles/", {"q": "plasma gun supercharge", "kind": "ranged"})
    links = [link for card in page.context["cards"] for weapon, link in card["weapons"] if "Hot" in weapon.line.rules]
    assert links
    assert all("hot=1" in link for link in links)
    assert client.get(links[0]).context["answers"][0].facts["hot"] is not None
    cool = client.get("/killteam/profiles/", {"q": "bolt rifle", "kind": "ranged", "pick": "shoot-a-attacker",
                                               "sheet": "hot=1"})  # fmt: skip
    assert "hot=1" not in cool.context["cards"][0]["weapons"][0][1]


def test_a_curve_beside_the_bars_and_one_for_each_save(client: Client, db: None) -> None:
    context = client.get("/killteam/shoot/", {"v": "1"}).context
    damage = shoot(GUN, TARGET).damage
    (curve,) = context["at_least"]["data"]
    for value, chance in zip(curve["x"], curve["y"], strict=True):
        assert chance == pytest.approx(damage.at_least(value))
    ((letter, family),) = context["family"]
    assert letter == "a"
    assert [trace["name"] for trace in family["data"]] == ["2+", "3+", "4+", "5+", "6+"]
    styles = {(trace["line"]["color"], trace["line"]["dash"]) for trace in family["data"]}
    assert len(styles) == 5
    for save, trace in zip((2, 3, 4, 5, 6), family["data"], strict=True):
        against = shoot(GUN, TARGET.changed(dice_stat=save)).damage
        assert trace["y"] == pytest.approx([against.at_least(value) for value in trace["x"]])


@pytest.mark.parametrize("page", ["shoot", "fight"])
def test_a_random_match_up_opens(client: Client, db: None, page: str) -> None:
    answer = client.get(f"/killteam/{page}/random/")
    assert answer["Location"].startswith(f"/killteam/{page}/?")
    assert client.get(answer["Location"]).status_code == 200
    assert 'data-key="random"' in client.get(f"/killteam/{page}/").content.decode()


def test_the_headline_is_a_chance_that_readers_may_want_as_a_fraction(client: Client, db: None) -> None:
    for page in ("shoot", "fight"):
        answer = client.get(f"/killteam/{page}/", {"v": "2"}).context["answers"][0]
        assert answer.chance == pytest.approx(answer.number / 100)


# -- a rolled fight ---------------------------------------------------------------------------------------------------

FIGHT = {"v": "2", "one_dice": "4", "one_reroll": "balanced", "one_name": "Sergeant", "two_name": "Nob"}


def fight_facts(client: Client, **more: str) -> dict:
    return client.get("/killteam/fight/", {**FIGHT, **more}).context["sides"][0].answer.facts


def test_the_best_reroll_of_a_rolled_fight(client: Client, db: None) -> None:
    assert fight_facts(client)["rerolls"] == []
    (found,) = fight_facts(client, one_rolled="6 4 2 1", explore="1", two_crits="1", two_norms="2")["rerolls"]
    fighters = (
        Fighter(num_dice=4, dice_stat=3, norm_dmg=4, crit_dmg=5, wounds=14, reroll="balanced"),
        Fighter(num_dice=4, dice_stat=3, norm_dmg=4, crit_dmg=6, wounds=12),
    )
    plan = FightOptions(strategy1="optimal", strategy2="optimal")
    expected = fight_reroll_choices(fighters, [6, 4, 2, 1], foe=(1, 2), options=plan)
    assert [choice for _, choice in found["choices"]] == expected
    assert (found["name"], found["says"], found["foe"]) == ("Sergeant", "1", (1, 2))


def test_faces_of_the_enemy_count_as_they_lie(client: Client, db: None) -> None:
    faces = fight_facts(client, one_rolled="6 4 2 1", two_rolled="6 5 3 2")["rerolls"]
    assert [one["who"] for one in faces] == ["one", "two"]
    assert faces[0]["foe"] == (1, 2)
    assert faces[1]["has_none"]
    unknown = fight_facts(client, one_rolled="6 4 2 1")["rerolls"][0]
    assert unknown["foe"] is None
    page = client.get("/killteam/fight/", {**FIGHT, "one_rolled": "6 4 2 1"}).content.decode()
    assert "any roll of Nob" in page


def test_dice_of_a_fight_that_do_not_fit_are_said_beside_their_field(client: Client, db: None) -> None:
    page = client.get("/killteam/fight/", {**FIGHT, "two_rolled": "6 4"})
    assert page.status_code == 422
    assert page.context["sides"][0].form.errors["two_rolled"] == ["Enter the 4 dice rolled, each 1–6; you entered 2."]


def test_a_rolled_fight_is_in_its_report(client: Client, db: None) -> None:
    assert "Fighter one's dice 6 4 2 1" in fight_facts(client, one_rolled="6 4 2 1")["report"]

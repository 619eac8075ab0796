"""The numbers on the page against the engine's front door, and what they say for every stock 'Mech."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re

import pytest
from django.http import QueryDict

from apps.battletech.services import risk
from apps.battletech.services.page import context
from apps.battletech.services.sheet import open_sheet
from apps.core.formats import percent
from engine.battletech.mech import Mech, Rules
from engine.battletech.odds import fitted_with, odds
from engine.battletech.presets import STOCK, preset
from engine.battletech.tables import PROTECTIONS
from engine.contracts import call

pytestmark = pytest.mark.django_db
PROFILES = ("standard", "total_warfare")


def page(query: str) -> dict:
    return context(open_sheet(QueryDict(query)), QueryDict(query))


@pytest.mark.parametrize("key", STOCK)
def test_every_stock_mech_opens_and_agrees_with_the_front_door(reader, key: str) -> None:
    document = preset(key).model_dump(mode="json", by_alias=True)
    for profile in PROFILES:
        text = reader.open(mech=key, heat=28, rules=profile)
        reply = call("battletech.odds", {"mech": document, "rules": {"profile": profile}, "heat": 28})["result"]
        assert f"{percent(reply['pAny']).partition(chr(160))[0]} % that a bin explodes at heat 28 ." in text
        assert f"The ’Mech is lost {percent(reply['pMechDestroyed']).replace(chr(160), ' ')} of the time" in text
        assert STOCK[key].name in text


def test_there_are_enough_stock_mechs() -> None:
    assert len(STOCK) >= 10


@pytest.mark.parametrize("profile", PROFILES)
def test_the_slider_carries_all_31_heats(profile: str) -> None:
    bars = page(f"mech=thunderbolt-tdr-5s&rules={profile}")["bars"]
    curve = [odds(preset("thunderbolt-tdr-5s"), Rules(profile=profile), [heat]) for heat in range(31)]
    assert [at for at, _ in bars] == list(range(31))
    assert [stretch.p_any for _, stretch in bars] == pytest.approx([point.p_any for point in curve])
    assert [stretch.p_lost for _, stretch in bars] == pytest.approx([point.p_mech_destroyed for point in curve])


def test_what_cannot_happen_is_shown_as_zero(reader) -> None:
    """Atlas, CASE II everywhere: a few points reach the centre torso, never enough."""
    rows = page("mech=atlas-as7-d&heat=23")["protection_rows"]
    lost = next(row for row in rows if row["mark"])
    assert [cell["value"] for cell in lost["cells"]][1:] == [0.0, 0.0]


def test_three_columns_agree_with_the_engine() -> None:
    rows = page("mech=archer-arc-2r&heat=25")["protection_rows"]
    archer = preset("archer-arc-2r")
    found = {kind: odds(fitted_with(archer, kind), Rules(), [25]) for kind in PROTECTIONS}
    lost = next(row for row in rows if row["mark"])
    assert [cell["value"] for cell in lost["cells"]] == pytest.approx([o.p_mech_destroyed for o in found.values()])
    assert [cell["best"] for cell in lost["cells"]] == [
        o.p_mech_destroyed == min(x.p_mech_destroyed for x in found.values()) for o in found.values()
    ]


def test_dumping_a_bin_shows_what_an_empty_bin_would() -> None:
    mech = preset("atlas-as7-d")
    for row in risk.dumps(mech, Rules(), 23):
        number = int(re.fullmatch(r"r(\d+)-0", row.code)[1])
        emptied = open_sheet(QueryDict(f"mech=atlas-as7-d&do={row.code}"))
        assert emptied.mech.bins[number - 1].rounds == 0
        then = odds(emptied.mech, Rules(), [23])
        assert (row.p_any, row.p_lost) == pytest.approx((then.p_any, then.p_mech_destroyed))


def test_many_bins_are_not_dumped_one_by_one(reader) -> None:
    bins = [{"binId": str(n), "location": "CT", "rounds": 1, "damagePerRound": 1} for n in range(13)]
    mech = Mech.model_validate({"tonnage": 100, "bins": bins})
    assert risk.dumps(mech, Rules(), 23) == []


def test_the_plan_multiplies_what_is_quiet_and_never_revives() -> None:
    turns = page("mech=hunchback-hbk-4g&plan=19.23.10.28")["turns"]
    quiet = 1.0
    for turn, p in zip(turns, (1 / 12, 10 / 36, 0.0, 21 / 36), strict=True):
        quiet *= (1 - p) ** 2
        assert turn.p_quiet_so_far == pytest.approx(quiet)
    survival = [turn.p_survive for turn in turns]
    assert survival == sorted(survival, reverse=True)


def test_the_plan_says_the_risk_of_a_mech_still_in_play() -> None:
    """A bomb that goes off one time in three is as risky the second time, for whoever is still there."""
    turns = page("mech=marauder-mad-3r&heat=23&plan=23.23.23")["turns"]
    for before, turn in itertools.pairwise(turns):
        assert turn.p_if_in_play == pytest.approx(turn.p_explosion / before.p_survive)
    assert [turn.p_if_in_play for turn in turns] == pytest.approx([5 / 18] * 3)


def test_the_other_set_of_rules_is_beside_the_headline(reader) -> None:
    text = reader.open(mech="atlas-as7-d", heat=23)
    assert "80.4 % that a bin explodes at heat 23" in text
    assert "By “ Total Warfare: one roll ”: 27.8 %" in text
    assert "27.8 % that a bin explodes at heat 23" in reader.open(reader.href("other-rules"))
    assert "By “ One roll per bin ”: 80.4 %" in reader.text


def test_the_plan_grows_shrinks_and_follows_the_slider(reader) -> None:
    assert [turn.heat for turn in page("heat=25")["turns"]] == [25, 25, 25]
    reader.open(heat=25, do="plan-add")
    assert "plan=25.25.25.25" in reader.link
    reader.open(heat=25, plan="19.20", do="plan-remove")
    assert "plan=19" in reader.link
    reader.open(heat=25, plan="19.20", do="plan-follow")
    assert "plan" not in reader.link
    assert [t.heat for t in page("plan=19&plan=23")["turns"]] == [19, 23], "as a form sends it"


def test_the_toggle_lists_what_changes_and_both_answers(reader) -> None:
    text = reader.open(mech="atlas-as7-d", heat=30)
    assert "every bin explodes, no roll still avoided on 8 or more" in text
    assert "This sheet at heat 30 100 % an explosion, 100 % lost 58.3 % an explosion, 58.3 % lost" in text
    other = reader.open(reader.href("rules-2"))
    assert "58.3 % that a bin explodes at heat 30" in other


def test_the_readings_of_case_two_change_the_answer(reader) -> None:
    reader.open(mech="archer-arc-9r", heat=28)
    link = reader.href("case2-2")
    assert "case2=full" in link
    contained, full = page("mech=archer-arc-9r&heat=28"), page("mech=archer-arc-9r&heat=28&case2=full")
    assert full["now"].structure_loss > contained["now"].structure_loss


def test_tables_keep_every_digit(client) -> None:
    response = client.get("/battletech/risk.csv", {"mech": "atlas-as7-d"})
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert len(rows) == 31
    assert float(rows[23]["Any explosion"]) == 1 - (26 / 36) ** 5
    plan = list(csv.reader(io.StringIO(client.get("/battletech/plan.csv", {"plan": "19.23"}).content.decode())))
    assert [row[1] for row in plan[1:]] == ["19", "23"]
    assert client.get("/battletech/protection.csv").content.decode().count("\n") == 4
    assert client.get("/battletech/tea.csv").status_code == 404


def test_the_live_numbers_are_those_of_the_page(reader) -> None:
    reader.open(mech="atlas-as7-d", heat=23)
    live = json.loads(re.search(r'id="risk-curve" type="application/json">(.*?)</script>', reader.html)[1])
    now = live["stretches"][2]
    assert live["lows"] == [0, 19, 23, 28, 30]
    assert percent(now["any"]).replace("\xa0", " ") in reader.text
    assert now["locations"]["LT"] == pytest.approx(odds(preset("atlas-as7-d"), Rules(), [23]).p_location["LT"])


def test_the_chances_follow_the_readers_preference(client, reader) -> None:
    client.cookies["prefs"] = "odds=fraction"
    assert "is lost 5/18 of the time" in reader.open(mech="marauder-mad-3r", heat=23)


def test_a_mech_without_ammunition_has_nothing_to_fear(reader) -> None:
    text = reader.open(mech="awesome-aws-8q", heat=30)
    assert "0 % that a bin explodes" in text
    assert "No ammunition: nothing here can explode from heat." in text

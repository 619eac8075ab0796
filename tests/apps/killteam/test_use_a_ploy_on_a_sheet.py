"""Equipment and ploys on a single sheet: in its link, in its report, and worth what they are worth in a duel."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.test import Client

from apps.killteam import options, rosters, team_fields
from apps.killteam.calculators import fight, shoot
from apps.killteam.forms import FightForm, ShootForm
from apps.killteam.library import library
from apps.killteam.models import Role
from apps.killteam.options import Switch, of_team
from apps.killteam.services import advice, matchup
from apps.killteam.services.duel import Duel
from apps.killteam.services.profiles import Place, address, operative_address, weapon_address
from engine.killteam.profile import Attacker, Defender
from engine.killteam.shoot import shoot as shot_of

pytestmark = pytest.mark.django_db
ANGELS, MARINES = "Angels of Death", "Plague Marines"


def named(team: str, name: str, variant: str = "") -> Switch:
    return next(s for s in of_team(team) if s.name == name and s.variant == variant)


DOCTRINE = named(ANGELS, "Combat Doctrine", "Devastator Doctrine").key
FLIES = named(MARINES, "Cloud Of Flies").key
POISON = named("Hand of the Archon", "Refined Poison").key
SHEET = "v=1&dice=4&hit=3&normal=3&critical=4&defence=3&save=4&wounds=8"


def answered(calculator, query: str):
    (side,) = calculator.read(QueryDict(query))
    assert side.answer is not None, side.form.errors
    return side.answer


# -- The answer -----------------------------------------------------------------------------------------------------


def test_a_ploy_changes_the_answer_as_the_rule_it_grants() -> None:
    with_it = answered(shoot, f"{SHEET}&team={ANGELS}&options={DOCTRINE}")
    assert with_it.chance == answered(shoot, f"{SHEET}&reroll=balanced").chance
    assert with_it.chance > answered(shoot, SHEET).chance


def test_a_targets_ploy_works_on_the_attacker() -> None:
    gun = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, abilities=("obscured_target",))
    hidden = shot_of(gun, Defender(num_dice=3, dice_stat=4, wounds=8)).p_kill
    assert answered(shoot, f"{SHEET}&save_team={MARINES}&save_options={FLIES}").chance == pytest.approx(hidden)


def test_an_option_for_some_weapons_says_so_where_another_is_named() -> None:
    archon = f"{SHEET}&team=Hand of the Archon&options={POISON}"
    stronger = answered(shoot, f"{archon}&weapon=Splinter rifle")
    other = answered(shoot, f"{archon}&weapon=Blaster")
    assert stronger.chance > other.chance == answered(shoot, SHEET).chance
    assert stronger.chance == answered(shoot, archon).chance  # unnamed: the player says it is one of them
    (warning,) = other.warnings
    assert warning.startswith("Refined Poison works with")
    assert warning.endswith("only; Blaster is another weapon.")


def test_an_option_that_decides_who_strikes_first_says_so() -> None:
    team = next(team for team in library().teams if _sets_first(team))
    switch = _sets_first(team)[0]
    second = answered(fight, f"v=2&two_name=Nob&two_team={team}&two_options={switch.key}")
    assert second.chance == answered(fight, "v=2&first=2").chance
    assert f"{switch.title} makes Nob strike first." in second.warnings


def _sets_first(team: str) -> list[Switch]:
    return [switch for switch in team_fields.usable(team, "fighter") if switch.sets_first]


# -- The link, the report, another team -------------------------------------------------------------------------------


def test_what_is_on_is_in_the_link_and_in_the_report(client: Client) -> None:
    query = f"{SHEET}&team={ANGELS}&weapon=Bolt rifle&options={DOCTRINE}&save_team={MARINES}&save_options={FLIES}"
    page = client.get(f"/killteam/shoot/?{query}")
    (link,) = set(re.findall(r'data-permalink href="([^"]+)"', page.content.decode()))
    again = QueryDict(link.partition("?")[2].replace("&amp;", "&"))
    assert (again["team"], again["save_team"]) == (ANGELS, MARINES)
    assert (again.getlist("options"), again.getlist("save_options")) == ([DOCTRINE], [FLIES])
    text = page.context["sides"][0].answer.facts["report"]
    for words in (f"Team {ANGELS}", "Combat Doctrine (Devastator Doctrine)", f"Team {MARINES}", "Cloud Of Flies"):
        assert words in text, words
    both = answered(fight, f"v=2&one_team={ANGELS}&one_options=injured&two_team={MARINES}").facts["report"]
    assert f"Team {ANGELS}, Injured" in both


def test_another_team_loses_the_options_of_the_first_and_keeps_those_of_everybody() -> None:
    form = ShootForm(QueryDict(f"v=1&team={MARINES}&options={DOCTRINE}&options=injured"))
    assert form.is_valid(), form.errors
    assert form.cleaned_data["options"] == ["injured"]
    wrong = ShootForm(QueryDict("v=1&options=no-such-ploy"))
    assert wrong.errors["options"] == ["Equipment and ploys: choose from those listed."]


def test_the_page_asks_for_the_options_of_another_team(client: Client) -> None:
    asked = {"v": "1", "side": "a", "group": "attacker", "team": MARINES, "options": [DOCTRINE, "injured"]}
    html = client.get("/killteam/shoot/options/", asked, headers={"HX-Request": "true"}).content.decode()
    assert 'id="a-attacker-options"' in html
    assert f'value="{DOCTRINE}"' not in html
    ticked = re.findall(r'value="([^"]+)"\s+checked', html)
    assert ticked == ["injured"]
    second = {"v": "2", "side": "b", "group": "two", "b-two_team": ANGELS}
    assert 'name="b-two_options"' in client.get("/killteam/fight/options/", second).content.decode()
    assert client.get("/killteam/fight/options/", {"group": "attacker"}).status_code == 404


def test_a_pick_brings_its_team_and_its_weapon() -> None:
    weapon = next(w for w in library().weapons if w.team == ANGELS and w.kind == "ranged")
    sheet = QueryDict(f"{SHEET}&team={MARINES}&options={FLIES}&options=injured")
    picked = QueryDict(weapon_address(Place("shoot", "a", "attacker"), weapon, sheet).partition("?")[2])
    assert (picked["team"], picked["weapon"], picked.getlist("options")) == (ANGELS, weapon.name, ["injured"])
    target = QueryDict(operative_address(Place("shoot", "b", "defender"), weapon.operative, picked).partition("?")[2])
    assert (target["b-save_team"], target["team"]) == (ANGELS, ANGELS)
    own = QueryDict(address(Place("shoot", "a", "attacker"), {"num_dice": 4}, "Mine", picked).partition("?")[2])
    assert "team" not in own
    assert "weapon" not in own
    assert own.getlist("options") == ["injured"]


@pytest.mark.parametrize("team", ["none", ANGELS, "Kasrkin", "Legionaries"])
@pytest.mark.parametrize("role", ["attacker", "defender", "fighter"])
def test_every_option_offered_is_of_the_team_and_of_the_role(team: str, role: options.Role) -> None:
    phase = "fight" if role == "fighter" else "shoot"
    found = team_fields.usable(team, role)
    assert found
    for switch in found:
        assert switch.team in ("universal", team)
        assert phase in switch.phase


# -- As in a duel -----------------------------------------------------------------------------------------------------


def _duel(on: list[str]) -> Duel:
    one, two = rosters.from_team(ANGELS), rosters.from_team(MARINES)
    small = [{**whole, "operatives": whole["operatives"][:3]} for whole in (one, two)]
    return Duel(small[0], small[1], tuple(on))


def _everything_on() -> list[str]:
    """Every option of either team for the whole of its roster, and one operative that stands otherwise."""
    words = [f"{side}.{s.key}" for side, team in (("a", ANGELS), ("b", MARINES)) for s in of_team(team)]
    return ["b.in-cover", "a2.injured", *words]


@pytest.mark.parametrize("how", ["nothing", "one each", "everything"])
def test_a_sheet_says_what_the_duel_says(how: str) -> None:
    """Each shot and each fight of two rosters, opened as a sheet by its link."""
    on = {"nothing": [], "one each": [f"a.{DOCTRINE}", f"b.{FLIES}", "b1.in-cover"], "everything": _everything_on()}
    duel = _duel(on[how])
    checked = 0
    for attacker in duel.sides["a"]:
        for target in duel.sides["b"]:
            for row in matchup.shot_rows(duel, attacker, target):
                answer = answered(shoot, row["href"].partition("?")[2])
                assert answer.chance == pytest.approx(row["kill"], abs=1e-12), row
                checked += 1
            for row in matchup.fight_rows(duel, attacker, target)[:2]:
                answer = answered(fight, row["href"].partition("?")[2])
                assert answer.facts["dead"][0][1] == pytest.approx(row["die"], abs=1e-12), row
                assert answer.chance == pytest.approx(row["kill"], abs=1e-12), row
                checked += 1
    assert checked > 20
    if how == "one each":
        link = QueryDict(matchup.shot_rows(duel, duel.sides["a"][0], duel.sides["b"][1])[0]["href"].partition("?")[2])
        assert (link["team"], link["options"], link["save_options"]) == (ANGELS, DOCTRINE, FLIES)


# -- What would help --------------------------------------------------------------------------------------------------


def test_advice_counts_each_option_of_the_team() -> None:
    form = ShootForm(QueryDict(f"{SHEET}&team={ANGELS}&save_team={MARINES}"))
    assert form.is_valid()
    found = advice.of_a_shot(form.settings())
    lifts = {lift.label: lift for lift in found["options"]}
    assert [lift.gain for lift in found["options"]] == sorted((lift.gain for lift in lifts.values()), reverse=True)
    with_it = answered(shoot, f"{SHEET}&save_team={MARINES}&save_options={FLIES}").chance
    assert lifts["The target's Cloud Of Flies"].p_kill == pytest.approx(with_it)
    balanced = answered(shoot, f"{SHEET}&reroll=balanced").chance
    assert lifts["Combat Doctrine (Devastator Doctrine)"].p_kill == pytest.approx(balanced)
    assert lifts["Injured"].gain < 0
    on = ShootForm(QueryDict(f"{SHEET}&team={ANGELS}&options={DOCTRINE}"))
    assert on.is_valid()
    labels = {lift.label for lift in advice.of_a_shot(on.settings())["options"]}
    assert "Combat Doctrine (Devastator Doctrine)" not in labels


def test_advice_counts_the_options_of_the_first_fighter() -> None:
    form = FightForm(QueryDict(f"v=2&one_team={ANGELS}"))
    assert form.is_valid()
    found = advice.of_a_fight(form.settings())
    titles = {switch.title: switch for switch in team_fields.usable(ANGELS, "fighter")}
    assert len(found["options"]) > 2
    for lift in found["options"]:
        fought = answered(fight, f"v=2&one_team={ANGELS}&one_options={titles[lift.label].key}")
        assert lift.p_kill == pytest.approx(fought.chance)
        assert lift.p_die == pytest.approx(fought.facts["dead"][0][1])


def test_roles_of_places_have_their_fields() -> None:
    assert Place("fight", "a", "two").team_part.team == "two_team"
    assert Place("shoot", "b", "defender").role == Role.DEFENDER

"""Reports, warnings and defaults: the page never answers another question than the one that was asked."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.test import Client

from apps.core.forms import Several
from apps.killteam.calculators import fight, shoot
from apps.killteam.forms import FightForm, MatrixForm, ShootForm
from apps.killteam.library import library
from apps.killteam.services import matrix, plans
from engine.killteam.profile import EXCLUSIVE

pytestmark = pytest.mark.django_db


def report(calculator, query: str) -> str:
    (side,) = calculator.read(QueryDict(query))
    assert side.answer is not None, side.form.errors
    return str(side.answer.facts["report"])


def test_a_report_of_a_shot_says_everything_that_was_set() -> None:
    text = report(
        shoot,
        "v=1&cover=1&accurate=1&auto_crits=1&cover_crits=1&norms_to_crits=1&relics=2&fnp=5&fnp_mode=per_hit&fire_team=1"
        "&rules=rending&more_rules=purity_seal&reroll=balanced&lethal=5&save=3&wounds=14",
    )
    for words in (
        "Cover saves 1", "Accurate 1", "Automatic criticals 1", "Critical cover saves 1", "Normals to criticals 1",
        "Saintly relics 2", "Feel No Pain 5+", "Feel No Pain rolls for Each hit", "Fire Team saves", "Rending",
        "Balanced", "Lethal 5+", "Save 3+", "Wounds 14", "to kill",
    ):  # fmt: skip
        assert words in text, words


def test_a_report_of_a_fight_speaks_the_pages_words() -> None:
    text = report(
        fight, "v=2&one_name=Custodian&two_name=Nob&one_lethal=5&one_accurate=1&two_fnp=5&injury=1&one_rules=brutal"
    )
    for words in (
        "Custodian: ", "Nob: ", "Lethal 5+", "Accurate 1", "Feel No Pain 5+", "Injury", "Brutal",
        "Plays for Perfect play", "Custodian kills",
    ):  # fmt: skip
        assert words in text, words
    assert "Fighter 1" not in text


def test_what_is_left_at_its_default_is_not_said() -> None:
    text = report(shoot, "v=1&dice=4")
    assert "Attack dice 4" in text
    assert "Lethal" not in text
    assert "Cover" not in text


def test_a_misspelt_rule_of_a_list_is_named() -> None:
    form = MatrixForm(QueryDict("v=1&attackers=Gun: 4 3%2B 3/4, Blorp 3, Rendng&defenders=Marine: 3%2B 14W"))
    assert form.is_valid()
    (warning,) = matrix.answer(form.settings()).warnings
    assert "“Blorp 3” (Gun), “Rendng” (Gun)" in warning
    assert matrix.answer(matrix_settings("attackers=Gun: 4 3%2B 3/4, Rending")).warnings == ()


def test_rules_known_to_change_no_dice_are_no_mistakes() -> None:
    """The list a matrix opens with has Hot in it: a rule to set by hand, and none that is misspelt."""
    (warning,) = matrix.answer(matrix_settings("")).warnings
    assert warning.startswith("Not counted, yours to set: “Hot”")
    silent = matrix_settings("attackers=Gun: 4 3%2B 3/4, Silent, Range 8%22, Blast 2%22")
    assert matrix.answer(silent).warnings == ()


def test_the_ramp_of_a_matrix_ends_at_its_highest_chance() -> None:
    arranged = matrix.answer(matrix_settings("attackers=Lasgun: 4 4%2B 2/3")).facts["arranged"]
    highest = max(cell for _, _, cells in arranged["rows"] for cell in cells)
    assert arranged["top"] == arranged["span"] == highest < 0.5


@pytest.mark.parametrize("page", ["/killteam/matrix/", "/killteam/matrix/fight/"])
def test_a_page_that_compares_nothing_has_no_situation_a(client: Client, page: str) -> None:
    assert "ituation A" not in client.get(page).content.decode()
    assert "Situation A" in client.get("/killteam/shoot/").content.decode()


def matrix_settings(query: str) -> dict:
    form = MatrixForm(QueryDict(f"v=1&{query}"))
    assert form.is_valid()
    return form.settings()


@pytest.mark.parametrize(("show", "claim"), [("kill", "to kill"), ("damage", "damage"), ("left", "wounds left")])
def test_the_headline_of_a_matrix_is_what_it_shows(show: str, claim: str) -> None:
    answer = matrix.answer(matrix_settings(f"show={show}"))
    assert answer.claim.startswith(claim)
    assert (answer.unit == "%") == (show == "kill")


def test_the_plasma_preset_agrees_with_the_library() -> None:
    (preset,) = (preset for preset in shoot.presets if "plasma" in preset.label)
    cards = {
        (w.line.figures["norm_dmg"], w.line.figures["crit_dmg"])
        for w in library().weapons
        if w.name.startswith("Plasma gun") and "supercharge" in w.name
    }
    assert cards == {(preset.values["normal"], preset.values["critical"])}


def test_rending_beside_severe_is_answered_and_real_conflicts_are_named() -> None:
    both = ShootForm(QueryDict("v=1&rules=rending&rules=severe"))
    assert both.is_valid(), both.errors
    wrong = ShootForm(QueryDict("v=1&more_rules=elite_moderate&more_rules=elite_extreme"))
    assert not wrong.is_valid()
    (message,) = wrong.errors["rules"]
    assert "exclude each other" in message
    assert "elite_" not in message


def test_a_fight_opens_on_perfect_play_and_older_links_mean_what_they_meant() -> None:
    (fresh,) = fight.read(QueryDict(""))
    assert fresh.form.cleaned_data["one_strategy"] == "optimal"
    (old,) = fight.read(QueryDict("v=1&one_dice=4"))
    assert old.form.cleaned_data["two_strategy"] == "max_dmg_to_enemy"


def test_every_plan_stands_beside_the_others(client: Client) -> None:
    form = FightForm(QueryDict("v=2"))
    assert form.is_valid()
    rows = plans.rows(form.settings())
    assert rows[0]["words"] == "Perfect play"
    assert [row["is_current"] for row in rows] == [True, False, False, False, False]
    most_damage = next(row for row in rows if row["words"] == "Most damage")
    assert most_damage["p_kill"] > rows[0]["p_kill"]
    page = client.get("/killteam/fight/plans/?v=2").content.decode()
    assert "Perfect play" in page
    assert client.get("/killteam/fight/plans/?v=2&one_dice=x").status_code == 404


def test_the_way_back_from_the_library_keeps_the_sheet(client: Client) -> None:
    page = client.get("/killteam/profiles/?pick=fight-a-one&sheet=one_dice%3D5%26v%3D2").content.decode()
    links = [html.unescape(link) for link in re.findall(r'<a href="(/killteam/[^"]*)"', page)]
    assert "/killteam/fight/?one_dice=5&v=2" in links
    assert "/killteam/shoot/" in links


def test_a_matrix_too_wrong_to_read_is_still_refused() -> None:
    with pytest.raises(ValidationError):
        matrix.answer(matrix_settings("attackers=Gun"))


def test_abilities_that_exclude_each_other_are_a_list_of_which_one_is_chosen(client: Client) -> None:
    """An old link that ticks one opens with it chosen; the sheet offers no way to tick two."""
    page = client.get("/killteam/fight/?v=1&one_rules=storm_shield&two_more_rules=dueller&two_more_rules=stun")
    assert page.status_code == 200
    values = page.context["sides"][0].form.cleaned_data
    assert (values["one_style"], values["two_style"], values["two_more_rules"]) == ("storm_shield", "dueller", ["stun"])
    assert "one_style=storm_shield" in page.context["permalink"]
    same = client.get(page.context["permalink"])
    assert same.context["answers"][0].number == page.context["answers"][0].number
    fields = [field for form in (ShootForm, FightForm) for field in form.base_fields.values()]
    toggles: list[Any] = [field.choices for field in fields if isinstance(field, Several)]
    offered = {key for choices in toggles for key, _ in choices}
    for _, group in EXCLUSIVE:
        assert len(offered & set(group)) <= (2 if group == {"rending", "severe"} else 0)

"""A part of a sheet that repeats: lines are added, copied, moved and removed through the address alone."""

from __future__ import annotations

import json

import pytest
from django import forms
from django.http import QueryDict
from django.test import RequestFactory

from apps.core.calculator import Answer, Calculator
from apps.core.forms import CalculatorForm, Repeated, Several, Whole, edit_lines


class Gun(forms.Form):
    attacks = Whole("Attacks", 0, 60, 2)
    abilities = Several("Abilities", [("torrent", "Torrent"), ("heavy", "Heavy")])


class Sheet(CalculatorForm):
    lines = (Repeated("w", "guns", "Guns", Gun, most=3),)
    target = Whole("Target", 1, 10, 4)


def filled(query: str, prefix: str = "") -> Sheet:
    sheet = Sheet(QueryDict(query), prefix=prefix)
    assert sheet.is_valid(), sheet.errors
    return sheet


def edited(query: str, action: str) -> str:
    data = QueryDict(query, mutable=True)
    assert edit_lines(Sheet, data, action)
    return "&".join(sorted(data.urlencode().split("&")))


def test_one_line_by_default() -> None:
    assert filled("").settings() == {"target": 4, "guns": [{"attacks": 2, "abilities": []}]}


def test_lines_are_read_in_order_and_written_back() -> None:
    sheet = filled("w=2&w1-attacks=5&w2-abilities=torrent&w2-abilities=heavy")
    assert sheet.settings()["guns"] == [
        {"attacks": 5, "abilities": []},
        {"attacks": 2, "abilities": ["torrent", "heavy"]},
    ]
    written = "&".join(f"{key}={value}" for key, value in sheet.canonical())
    assert filled(written).settings() == sheet.settings()


def test_the_second_situation_has_lines_of_its_own() -> None:
    assert [gun["attacks"] for gun in filled("b-w=2&b-w2-attacks=7&w1-attacks=9", "b").settings()["guns"]] == [2, 7]


def test_no_lines_at_all_is_allowed() -> None:
    assert filled("w=0").settings()["guns"] == []


@pytest.mark.parametrize("entered", ["4", "-1", "many", "99999999"])
def test_a_count_out_of_range_is_said(entered: str) -> None:
    sheet = Sheet(QueryDict(f"w={entered}"))
    assert sheet.errors["w"] == [f"Guns must be 0–3; you entered {entered}."]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("w-add", "w1-attacks=1&w2-attacks=x&w=3"),
        ("w1-copy", "w1-attacks=1&w2-attacks=1&w3-attacks=x&w=3"),
        ("w2-up", "w1-attacks=x&w2-attacks=1&w=2"),
        ("w1-down", "w1-attacks=x&w2-attacks=1&w=2"),
        ("w1-up", "w1-attacks=1&w2-attacks=x&w=2"),
        ("w1-remove", "w1-attacks=x&w=1"),
    ],
)
def test_editing_lines_keeps_even_what_is_not_valid(action: str, expected: str) -> None:
    assert edited("w=2&w1-attacks=1&w2-attacks=x", action) == expected


def test_editing_the_second_situation_leaves_the_first_alone() -> None:
    assert edited("w1-attacks=1&b-w1-attacks=3", "b-w1-copy") == "b-w1-attacks=3&b-w2-attacks=3&b-w=2&w1-attacks=1"


@pytest.mark.parametrize("action", ["", "w9-copy", "x1-copy", "w1-explode", "w-copy"])
def test_what_is_no_action_changes_nothing(action: str) -> None:
    data = QueryDict("w=2", mutable=True)
    assert not edit_lines(Sheet, data, action)
    assert data.urlencode() == "w=2"


SHEETS = Calculator(
    name="sheet",
    title="Sheet",
    lead="",
    form=Sheet,
    inputs="",
    results="",
    answer=lambda settings: Answer(0.0, "0", "", "nothing.", ""),
)


def test_a_button_leads_to_the_changed_sheet_without_scripts() -> None:
    response = SHEETS.page(RequestFactory().get("/sheet/?w1-attacks=3&target=4&do=w1-copy"))
    assert (response.status_code, response["Location"]) == (302, "/sheet/?v=1&w=2&w1-attacks=3&w2-attacks=3")


def test_a_button_swaps_the_page_in_place_with_them() -> None:
    response = SHEETS.page(RequestFactory().get("/sheet/?w1-attacks=3&do=w-add", headers={"HX-Request": "true"}))
    assert json.loads(response["HX-Location"])["path"] == "/sheet/?v=1&w=2&w1-attacks=3"


def test_a_sheet_in_error_keeps_every_word() -> None:
    response = SHEETS.page(RequestFactory().get("/sheet/?w1-attacks=lots&do=w1-copy"))
    assert response["Location"] == "/sheet/?w=2&w1-attacks=lots&w2-attacks=lots"

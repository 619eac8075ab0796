"""The free-form editor and JSON in and out."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.utils.http import urlencode
from hypothesis import given, settings

from apps.battletech.forms import SheetForm
from apps.battletech.services import editor
from apps.battletech.services.address import Address
from apps.battletech.services.sheet import open_sheet
from engine.battletech.presets import STOCK, preset
from engine.contracts import call
from tests.engine.battletech.sheets import documents, mech

pytestmark = pytest.mark.django_db
EDIT, IMPORT = "/battletech/edit/", "/battletech/import/"


def through_the_form(sheet):
    form = SheetForm(QueryDict(urlencode(editor.values_from(sheet))))
    assert form.is_valid(), form.errors
    return editor.countable(editor.mech_from(form.settings()))


@pytest.mark.parametrize("key", STOCK)
def test_a_stock_mech_survives_the_editor(key: str) -> None:
    assert through_the_form(preset(key)) == preset(key)


@given(documents())
@settings(max_examples=25)
def test_any_sheet_keeps_its_odds_through_the_editor(document) -> None:
    sheet = mech(document)
    again = through_the_form(sheet)
    before, after = (
        call("battletech.odds", {"mech": m.model_dump(mode="json", by_alias=True), "heat": 25}) for m in (sheet, again)
    )
    assert before == after


def test_edit_opens_with_the_sheet_as_it_stands(client) -> None:
    query = "v=1&mech=atlas-as7-d&heat=23&did=r1-4"
    text = client.get(EDIT, {"from": query}).content.decode()
    assert 'value="Atlas AS7-D"' in text
    assert 'name="b1-rounds" value="4"' in text


def test_a_new_mech_from_nothing_but_a_bin(client) -> None:
    query = {"mech_name": "Squib", "tonnage": 20, "b": 1, "b1-ammo": "ac20", "b1-location": "RT", "do": "use"}
    response = client.get(EDIT, query)
    assert response.status_code == 302
    made = open_sheet(QueryDict(response["Location"].partition("?")[2])).mech
    assert (made.name, made.structure["CT"], made.bins[0].explosion) == ("Squib", 6, 100)
    assert made.bins[0].bin_id == "rt-ac20-1"


def test_edit_and_use_keep_the_heat_the_rules_and_the_plan(client) -> None:
    before = open_sheet(QueryDict("mech=atlas-as7-k&rules=total_warfare&case2=full&heat=28&plan=20.24.28"))
    page = client.get(EDIT, {"from": before.address.link().partition("?")[2]}).content.decode()
    fields = dict(re.findall(r'<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"', page))
    form = editor.values_from(before.mech) | {name: fields[name] for name in ("rules", "case2", "heat", "plan")}
    used = client.get(EDIT, form | {"do": "use"})
    after = open_sheet(QueryDict(used["Location"].partition("?")[2]))
    assert after.mech == before.mech
    assert after.address.conditions() == before.address.conditions()


def changed_bin(client, **fields: object):
    atlas = editor.values_from(preset("atlas-as7-d"))
    response = client.get(EDIT, atlas | fields | {"do": "use"})
    return open_sheet(QueryDict(response["Location"].partition("?")[2])).mech.bins[0]


def test_other_ammunition_brings_its_own_rounds_and_damage(client) -> None:
    guns = changed_bin(client, **{"b1-ammo": "mg"})
    assert (guns.ammo, guns.rounds, guns.damage_per_round, guns.max_rounds) == ("mg", 200, 2, 200)
    assert guns.explosion == 400


def test_figures_typed_in_with_other_ammunition_stay(client) -> None:
    guns = changed_bin(client, **{"b1-ammo": "mg", "b1-rounds": "150"})
    assert (guns.rounds, guns.damage_per_round) == (150, 2)


def test_the_same_ammunition_keeps_what_was_fired(client) -> None:
    assert changed_bin(client, **{"b1-rounds": "4"}).rounds == 4


def test_too_much_armour_for_the_tonnage_is_said(client) -> None:
    atlas = editor.values_from(preset("atlas-as7-d")) | {"tonnage": "50"}
    text = client.get(EDIT, atlas).content.decode()
    assert "CT: 61 armour; a ’Mech of 50 t carries at most 32 there." in text
    assert 'placeholder="16"' in text, "structure by the new tonnage"
    used = client.get(EDIT, atlas | {"do": "use"}, follow=True).content.decode()
    assert "CT: 61 armour; a ’Mech of 50 t carries at most 32 there." in used


def test_a_blank_mech_to_start_from(client) -> None:
    page = client.get(EDIT, {"from": "mech=atlas-as7-d&heat=28"}).content.decode()
    link = html.unescape(re.search(r'href="([^"]*)">Blank ’Mech', page)[1])
    blank = client.get(link).content.decode()
    assert "LRM 20" not in re.sub(r"<option.*?</option>", "", blank, flags=re.DOTALL)
    assert 'name="heat" value="28"' in blank
    made = client.get(f"{link}&do=use")
    assert open_sheet(QueryDict(made["Location"].partition("?")[2])).mech.bins == ()


def test_lines_are_added_copied_and_removed_without_script(client) -> None:
    added = client.get(EDIT, {"b": 1, "b1-ammo": "srm6", "do": "b1-copy"})["Location"]
    assert "b=2" in added
    assert "b2-ammo=srm6" in added
    removed = client.get(EDIT, {"e": 1, "do": "e1-remove"})["Location"]
    assert "e=0" in removed


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"full_CT": "-3"}, "CT armour when full must be 0–1000; you entered -3."),
        ({"b": 1, "b1-rounds": "5000"}, "Rounds must be 0–1000; you entered 5000."),
        ({"structure_LT": "lots"}, "LT structure now must be 0–1000; you entered lots."),
        ({"pilot_hits": "7"}, "Pilot hits must be 0–6; you entered 7."),
        ({"tonnage": "33"}, "Tonnage must be one of the choices listed; you entered 33."),
        ({"b": 2, "b1-id": "a", "b2-id": "a"}, "Ids must be unique; &#x27;a&#x27; appears more than once."),
        (
            {"b": 14, **{f"b{n}-rounds": n for n in range(1, 15)}},
            "different sets of bins could explode",
        ),
    ],
)
def test_what_cannot_be_is_named_with_its_limit(client, query, message: str) -> None:
    response = client.get(EDIT, {**query, "do": "use"})
    assert response.status_code == 422
    assert message in response.content.decode()


def test_json_out_is_json_in_and_the_engine_takes_it(client) -> None:
    link = "mech=highlander-hgn-732&rules=total_warfare&heat=25&did=e1"
    response = client.get(f"/battletech/sheet.json?{link}")
    assert response["Content-Disposition"] == 'attachment; filename="highlander-hgn-732.json"'
    assert call("battletech.odds", response.json())["ok"]
    back = client.post(IMPORT, {"text": response.content.decode()})
    opened = open_sheet(QueryDict(back["Location"].partition("?")[2]))
    assert opened.mech == open_sheet(QueryDict(link)).mech
    assert (opened.address.rules.profile, opened.address.heat) == ("total_warfare", 25)


def test_a_file_a_bare_mech_and_a_plan_can_be_loaded(client) -> None:
    document = {"tonnage": 50, "bins": [{"binId": "a", "location": "LT", "rounds": 5, "damagePerRound": 20}]}
    upload = SimpleUploadedFile("mech.json", json.dumps(document).encode(), "application/json")
    link = client.post(IMPORT, {"file": upload})["Location"]
    assert open_sheet(QueryDict(link.partition("?")[2])).mech.structure["CT"] == 16
    planned = editor.import_json(json.dumps({"mech": document, "heatPlan": [19, 60]}))
    assert isinstance(planned, Address)
    assert planned.plan == (19, 30)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Paste a sheet as JSON, or choose a file."),
        ("{", "This is not JSON at line 1."),
        ("[1]", "A sheet is a JSON object"),
        ('{"tonnage": 52}', "tonnage of 20–100 in steps of 5"),
        ('{"tonnage": 50, "spikes": 1}', "mech.spikes: is not a known field"),
        ('{"tonnage": 50, "pilotHits": 9}', "mech.pilotHits: Input should be less than or equal to 6"),
        ('{"tonnage": 50, "bins": [{"binId": "a", "location": "XX"}]}', "mech.bins.0.location"),
        ('{"mech": {"tonnage": 50}, "heat": 500}', "heat: Input should be less than or equal to 100"),
        (" " * 60_001, "at most 60,000 characters of JSON; this is 60,001."),
        ("[" * 50_000, "This is not JSON"),
    ],
)
def test_json_that_is_no_sheet_is_refused_by_name_and_kept(client, text: str, message: str) -> None:
    response = client.post(IMPORT, {"text": text})
    assert response.status_code == 422
    assert message in response.content.decode()
    if len(text) < 100:
        assert text.replace('"', "&quot;") in response.content.decode()

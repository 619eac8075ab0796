"""The address is the whole sheet: what is encoded comes back, and what cannot be read says so."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from apps.battletech.services import actions
from apps.battletech.services.actions import HitBin, HitEquipment, Phase, SetRounds
from apps.battletech.services.address import Address, decode, encode, read
from apps.battletech.services.sheet import open_sheet, roll
from engine.battletech.mech import Mech, Rules
from engine.battletech.presets import STOCK, preset
from engine.wire import EngineError
from tests.engine.battletech.sheets import documents, mech, rules

pytestmark = pytest.mark.django_db

faces = st.lists(st.integers(1, 6), max_size=40).map(tuple)
acts = st.one_of(
    st.builds(HitBin, st.integers(1, 60)),
    st.builds(HitEquipment, st.integers(1, 60)),
    st.builds(SetRounds, st.integers(1, 60), st.integers(0, 1000)),
    st.builds(Phase, st.integers(0, 30), faces),
    st.builds(Phase, st.integers(0, 30), st.just(()), st.integers(0, 999_999_999)),
)


@given(documents(max_bins=12))
def test_a_sheet_survives_its_encoding(document: dict) -> None:
    sheet = mech(document)
    assert decode(encode(sheet)) == sheet


@pytest.mark.parametrize("key", STOCK)
def test_every_stock_mech_survives_its_encoding(key: str) -> None:
    assert decode(encode(preset(key))) == preset(key)
    assert len(encode(preset(key))) < 600, "short enough for an address bar"


@given(acts)
def test_an_action_survives_its_code(action: actions.Action) -> None:
    assert actions.parse(str(action)) == action


@given(
    documents(),
    rules,
    st.integers(0, 30),
    st.lists(st.integers(0, 30), max_size=12).map(tuple),
    st.lists(acts, max_size=8).map(tuple),
    st.data(),
)
def test_an_address_survives_its_query_string(document, book, heat, plan, did, data) -> None:
    at = data.draw(st.integers(0, len(did)))
    before = Address(mech(document), "", Rules(**book), heat, plan, did, at)
    query = QueryDict(before.link().partition("?")[2])
    reading = read(query)
    assert reading == (before, {})
    assert query["v"] == "1"


def test_the_same_link_shows_the_same_sheet_to_anybody(reader, open_fresh) -> None:
    reader.open()
    reader.roll(heat=23)
    reader.do("b1")
    played = reader.open(reader.link)
    other = open_fresh()
    assert other.open(reader.link) == played


def test_a_random_phase_is_written_into_the_link_with_its_dice() -> None:
    opened = roll(QueryDict("mech=atlas-as7-d&heat=23"))
    (phase,) = opened.address.did
    assert isinstance(phase, Phase)
    assert len(phase.dice) >= 10
    again = open_sheet(QueryDict(opened.address.link().partition("?")[2]))
    assert again.mech == opened.mech
    assert again.steps[0].outcome.events == opened.steps[0].outcome.events


def test_a_long_history_still_makes_a_link_that_opens(reader) -> None:
    here = Address(preset("atlas-as7-d"), "atlas-as7-d")
    for n in range(actions.MOST_ACTIONS):
        here = here.then(SetRounds(n % 2 + 1, n % 5))
    assert len(here.link()) < 4000, "short links take no more"
    assert f"Before that: {actions.MOST_ACTIONS - 1} actions" in reader.open(here.link())
    with pytest.raises(EngineError, match="remembers 100 actions"):
        here.then(HitBin(1))
    assert "remembers 100 actions" in reader.open(here.link("b1"))


def packed(document: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(document).encode())).decode()


@pytest.mark.parametrize(
    "broken",
    [
        "x",
        "eNqr",  # cut off
        "!!!!",
        packed([]),
        packed({"tonnage": 50, "spikes": 3}),
        packed({"tonnage": 51}),
        base64.urlsafe_b64encode(zlib.compress(b" " * 10_000_000)).decode(),  # unpacks to far more than any sheet
        "A" * 9000,
    ],
    ids=["noise", "cut", "signs", "list", "unknown field", "tonnage", "bomb", "long"],
)
def test_a_broken_sheet_is_refused_and_an_atlas_shown(reader, broken: str) -> None:
    text = reader.open(sheet=broken)
    assert reader.status == 422
    assert "cannot be read" in text
    assert "Atlas AS7-D" in text


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("mech=urbie", "There is no stock 'Mech “urbie”."),
        ("heat=31", "Heat must be 0–30; you entered 31."),
        ("heat=hot", "Heat must be 0–30; you entered hot."),
        ("plan=19.99", "Heat must be 0–30; you entered 99."),
        ("did=zz", "“zz” is not something that can be done to a sheet."),
        ("did=b9", "There is no number 9: this 'Mech has 5 bins."),
        ("did=e1", "There is no number 1: this 'Mech has 0 weapons."),
        ("did=b1.r1-3", "is destroyed: there is nothing left in it to change."),
        ("did=h23-66", "Action 1 and what followed no longer fit this sheet."),
        ("did=r1-2000", "Rounds must be 0–1000; you entered 2000."),
    ],
)
def test_what_a_link_cannot_say_is_named(reader, query: str, message: str) -> None:
    assert message in reader.open(f"/battletech/?{query}")
    assert reader.status == 422


def test_a_sheet_beyond_counting_is_refused_in_words(reader) -> None:
    bins = [{"binId": str(n), "location": "LT", "rounds": n + 1, "damagePerRound": 5} for n in range(14)]
    huge = encode(Mech.model_validate({"tonnage": 100, "bins": bins}, by_alias=True, by_name=False))
    assert "different sets of bins could explode" in reader.open(sheet=huge)
    assert reader.status == 422

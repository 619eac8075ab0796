"""Hostile and mistaken input: one sentence with the limit and the way out, quickly, and never another error."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import string
import time
import zipfile
from base64 import b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.rosters import files, roster, texts
from apps.rosters.reading import read
from apps.rosters.roster import RosterError

NAMESPACE = files.NAMESPACE
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + f']><roster xmlns="{NAMESPACE}" name="&i;"/>'
)
OUTSIDE = f'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster xmlns="{NAMESPACE}" name="&x;"/>'


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return target.getvalue()


def lying_zip(real: int) -> bytes:
    """A zip that unpacks to ``real`` bytes but declares eleven of them."""
    data = bytearray(zipped(("a.ros", b" " * real)))
    for signature, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(signature) + at
        data[place : place + 4] = (11).to_bytes(4, "little")
    return bytes(data)


def a_tree(**values: object) -> str:
    return json.dumps({"roster": {"gameSystemId": "sys-352e-adc2-7639-d610", "name": "x", **values}})


def nested_selections(depth: int) -> str:
    inner = '{"name": "a", "type": "upgrade"}'
    for _ in range(depth):
        inner = f'{{"name": "a", "type": "unit", "selections": [{inner}]}}'
    return f'{{"roster": {{"gameSystemId": "sys-352e-adc2-7639-d610", "forces": [{{"selections": [{inner}]}}]}}}}'


REFUSED: dict[str, tuple[bytes | str, str]] = {
    "nothing": (b"   \n", "nothing to read"),
    "ten megabytes": (b"a" * 10_000_000, "4 MB; this file has 10.0 MB"),
    "binary": (bytes(range(256)) * 40, "neither text nor a roster"),
    "an image": (b"\x89PNG\r\n\x1a\n" + b"\0" * 400, "neither text nor a roster"),
    "prose": ("Dear opponent,\nsee you on Saturday.", "no army list"),
    "a zip bomb": (zipped(("a.ros", b" " * 60_000_000)), "8 MB"),
    "a zip that lies": (lying_zip(60_000_000), "damaged"),
    "a zip of two": (zipped(("a.ros", b"<a/>"), ("b.ros", b"<a/>")), "exactly one"),
    "a zip of none": (zipped(), "exactly one"),
    "half a zip": (zipped(("a.ros", b"x" * 4000))[:60], "damaged"),
    "a zip of prose": (zipped(("a.ros", b"hello")), "not whole XML"),
    "entities": (BOMB, "document type or entities"),
    "an outside entity": (OUTSIDE, "document type or entities"),
    "other XML": ("<html><body/></html>", "no BattleScribe roster"),
    "a roster of another schema": ('<roster xmlns="urn:x"/>', "no BattleScribe roster"),
    "half XML": (f'<roster xmlns="{NAMESPACE}"><forces>', "not whole XML"),
    "deep XML": (f'<roster xmlns="{NAMESPACE}">' + "<forces>" * 50_000, "120 levels"),
    "deep JSON": ("[" * 100_000, "nested too deeply"),
    "deep objects": ('{"roster":' * 50_000, "nested too deeply"),
    "deep selections": (nested_selections(90), "40 deep"),
    "a JSON list": ("[1, 2]", "object in braces"),
    "half JSON": ('{"roster": {', "not whole JSON"),
    "other JSON": ('{"hello": 1}', "no roster"),
    "a huge number": ('{"roster": ' + "9" * 5000 + "}", "not whole JSON"),
    "another game": (a_tree(gameSystemId="x", gameSystemName="Age of Sigmar"), "“Age of Sigmar”"),
    "an old Kill Team": (a_tree(gameSystemId="x", gameSystemName="Kill Team (2021)"), "Kill Team (2021)"),
    "an empty roster": (a_tree(forces=[]), "No unit"),
    "a header alone": ("Demo (100 Points)\n\nOrks\nWar Horde\n", "No unit"),
    "too many lines": ("a\n" * 5000, "2000 lines"),
    "too long a text": ("Boyz (80 Points)\n" * 10_000, "100,000 letters; this one has 170,000"),
    "a damaged link": ("https://listforge.example/#" + "A" * 80, "share link"),
    "a link to too much": (
        "https://listforge.example/#/x?data=" + b64encode(gzip.compress(b" " * 60_000_000)).decode(),
        "8 MB",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_a_sentence(name: str) -> None:
    source, words = REFUSED[name]
    started = time.perf_counter()
    with pytest.raises(RosterError) as refused:
        read(source)
    message = str(refused.value)
    assert words in message
    assert message.endswith(".")
    assert message.count(". ") == 0, message
    assert len(message) < 260
    assert time.perf_counter() - started < 2


def test_too_many_units_are_refused() -> None:
    text = "Demo (2000 Points)\n\nOrks\n\nBATTLELINE\n" + "\nBoyz (80 Points)\n• 9x Boy\n  ◦ 9x Choppa\n" * 151
    with pytest.raises(RosterError, match="may hold 150 units; this one has 151"):
        read(text)


def test_a_roster_of_the_other_game_is_told_apart() -> None:
    army = read("Demo (80 Points)\n\nOrks\n\nBATTLELINE\n\nBoyz (80 Points)\n• 9x Boy\n  ◦ 9x Choppa\n")
    assert roster.expect(army, "warhammer40k") is army
    with pytest.raises(RosterError, match=r"a roster of Warhammer 40,000, edition not stated; open it in that"):
        roster.expect(army, "killteam")


SLOW_LINES = (
    "(" * 1500,
    " " * 1500 + "(",
    "( " * 700,
    "+" * 1500,
    "# " + "+ " * 700,
    "[1" * 700,
    "(1" * 700,
    "- " * 700,
)


@pytest.mark.parametrize("line", SLOW_LINES)
def test_no_line_is_slow_to_read(line: str) -> None:
    text = "Demo (80 Points)\nOrks\nBATTLELINE\nBoyz (80 Points)\n• 9x Boy\n"
    text += f"{line}\n" * ((texts.MOST_LETTERS - 200) // (len(line) + 1))
    for start in ("", "++++++\n+ LIST NAME: x\n", "Orks - x - [10 pts]\nBoyz [80 pts]\n", "1x Boyz (10 pts)\n"):
        started = time.perf_counter()
        with contextlib.suppress(RosterError):
            read(start + text)
        assert time.perf_counter() - started < 1


# -- Anything at all -------------------------------------------------------------------------------------------------


def only_our_error(source: bytes | str) -> None:
    with contextlib.suppress(RosterError):
        found = read(source)
        assert found.units
        assert roster.document(found)["units"]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    only_our_error(data)
    only_our_error(b"PK\x03\x04" + data)
    only_our_error(b"<" + data)
    only_our_error(b"{" + data)


LINES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "Demo (305 Points)", "+++++++", "+ FACTION KEYWORD: Orks", "+ WARLORD: Char1: Boyz", "BATTLELINE",
            "+ ENHANCEMENT: Hat (on Char1: Boyz) & Cap (on Char2: Nob)", "Character:", "Boyz (80 pts)", "• Warlord",
            "• 9x Boy", "  • 9x Choppa", "     ◦ 1x Icon", "• Hat (+20 pts)", "• E: Hat", "Enhancement: Hat (+5 pts)",
            "Char1: 1x Nob (80 pts): Choppa, 2x Slugga", "9 with Choppa, Slugga", "## Battleline [80 pts]",
            "# ++ Army Roster ++ [305 pts]", "Boyz [80 pts]: Icon [10 pts], Choppa", "Detachment: War Horde",
            "Orks - Demo - [1000 pts]", "Demo - Orks - War Horde (305 Points)", "Attached Unit(s) 1", "+", "",
        ]
    ),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=14))
def test_any_lines(lines: list[str]) -> None:
    only_our_error("\n".join(lines))


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12))
KEYS = st.sampled_from(
    [
        "roster", "name", "gameSystemId", "gameSystemName", "forces", "selections", "profiles", "characteristics",
        "categories", "costs", "rules", "type", "typeName", "number", "value", "$text", "ops", "killteamId", "weapons",
        "profiles", "wepIds", "wepId", "WR", "DMG", "eqIds", "opType", "abilities", "group", "catalogueName",
    ]
)  # fmt: skip
VALUES = st.recursive(
    LEAVES | st.sampled_from(["unit", "model", "upgrade", "pts", "Unit", "Weapons", "Ranged Weapons", "Abilities"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=6), st.sampled_from(["tree", "ktdash", "plain"]))
def test_any_json(body: dict[str, object], kind: str) -> None:
    if kind == "tree":
        body = {"roster": {"forces": [{"selections": [body]}], "gameSystemId": "c521-ad27-44df-f959"}}
    elif kind == "ktdash":
        body = {"killteamId": "IMP-AOD", "ops": [body, *body.values()]}
    only_our_error(json.dumps(body))


@settings(max_examples=200, deadline=None)
@given(st.text(string.printable, max_size=60), st.lists(st.sampled_from(sorted(files.KEPT | files.LISTS)), max_size=8))
def test_any_xml(text: str, tags: list[str]) -> None:
    opened = "".join(f'<{tag} name="Boyz" type="unit" number="3" typeId="x" typeName="Unit">' for tag in tags)
    closed = "".join(f"</{tag}>" for tag in reversed(tags))
    head = f'<roster xmlns="{NAMESPACE}" gameSystemId="sys-352e-adc2-7639-d610">'
    only_our_error(f"{head}{opened}{text}{closed}</roster>")
    only_our_error(f"{head}{opened}{closed}</roster>")

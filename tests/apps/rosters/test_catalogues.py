"""Names however they are spelt, tables line by line, and the worked examples in the modules' own words."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from apps.catalogues import tables
from apps.catalogues.check import Unmapped, report
from apps.catalogues.names import Names, clean, fold

MODULES = (
    "apps.catalogues.names", "apps.catalogues.tables", "apps.rosters.factions", "apps.rosters.ktdash",
    "apps.rosters.reading", "apps.rosters.roster", "apps.rosters.texts", "apps.rosters.trees",
    "apps.killteam.weapon_rules", "apps.killteam.options", "apps.killteam.services.switches",
    "apps.warhammer40k.weapon_rules",
)  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_worked_examples_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_names_are_found_however_they_are_spelt() -> None:
    names = Names(
        [("Khârn the Betrayer", 1), ("Intercessor Squad", 2), ("Outriders", 3)],
        {"Berzerker boss": "Kharn the betrayer"},
    )
    assert names["KHARN  THE BETRAYER"] == 1
    assert names["Intercessor Squad with jump packs"] == 2
    assert names["Intercessor Squad [80 pts]"] == 2
    assert names["outrider"] == 3
    assert names["Berzerker Boss"] == 1
    assert names.near("Intercesor Squd") == [2]
    assert names.get("Nobody") is None
    assert (len(names), sorted(names)) == (3, ["intercessor squad", "kharn the betrayer", "outriders"])


def test_a_name_fit_to_show_has_no_control_characters() -> None:
    assert clean("a\x00b\u2028c\t d") == "a b c d"
    assert len(clean("x" * 500)) == 120
    assert fold("Drach’nyen & co.") == "drachnyen and co"


def test_a_table_reads_back_what_was_written(tmp_path: Path) -> None:
    rows = [{"name": "Boyz", "T": 5}, {"name": "Möbz", "T": 6}]
    path = tmp_path / "orks.json"
    path.write_text(tables.text_of("faction", "Orks", "units", rows, state="new"), encoding="utf-8")
    assert tables.read(path) == {"faction": "Orks", "state": "new", "units": rows}
    assert len(path.read_text(encoding="utf-8").splitlines()) == 5


def test_differences_go_down_to_the_field() -> None:
    old = {("Orks", "Boyz"): {"T": 5, "weapons": [["Choppa", "3", 4], ["Slugga", "1", 4]], "keywords": ["Mob"]}}
    new = {("Orks", "Boyz"): {"T": 5, "weapons": [["Choppa", "4", 4], ["Shoota", "2", 4]], "keywords": []}}
    assert [str(change) for change in tables.differences(old, new)] == [
        'Orks: Boyz: weapons Choppa ["3", 4] → ["4", 4]',
        'Orks: Boyz: weapons Slugga ["1", 4] → none',
        'Orks: Boyz: weapons Shoota none → ["2", 4]',
        'Orks: Boyz: keywords ["Mob"] → none',
    ]
    assert [str(change) for change in tables.differences(old, {})] == ["Orks: Boyz: removed"]


def test_a_report_counts_the_reasons_first() -> None:
    lines = list(report([Unmapped("a", "b", "why"), Unmapped("c", "d", "why")]))
    assert lines == ["2 facts are left to the player or not known:", "     2 why", "a: b (why)", "c: d (why)"]

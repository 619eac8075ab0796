"""Libraries and rosters: reading the tables, searching them, reading and matching a list; and their memory."""

from __future__ import annotations

import json
import tracemalloc

import benchmarks.site  # noqa: F401 - first: it decides the settings
from benchmarks.harness import Benchmark

# isort: split
from apps.killteam import library as killteam
from apps.killteam import options
from apps.rosters.reading import read
from apps.rosters.roster import Roster, resolve
from apps.warhammer40k import datasheets, library, matching

UNIT = """

Intercessor Squad (80 points)
  • 1x Intercessor Sergeant
     ◦ 1x Bolt rifle
  • 4x Intercessor
     ◦ 4x Bolt rifle"""
LIST = "Demo (2000 points)\n\nSpace Marines\nGladius Task Force\n\nBATTLELINE" + UNIT * 20


def forget() -> None:
    """As if the process had just started."""
    for cached in (
        datasheets.army, datasheets.factions, datasheets.unit_names, datasheets.common_units, library._places,
        library._texts, killteam._texts, library._made, library.common, killteam.library, options.switches,
    ):  # fmt: skip
        cached.cache_clear()
    for shared in (datasheets._weapons, datasheets._words, killteam._lines, killteam._rules):
        shared.clear()


def both_editions() -> int:
    return sum(
        len(library.search(kind, "zzz", edition=edition)) for kind in library.KINDS for edition in datasheets.EDITIONS
    )


def plain_json() -> int:
    """The same files parsed and kept as they are: what the library is measured against."""
    return sum(len(json.loads(path.read_text(encoding="utf-8"))) for path in datasheets.DATA.glob("*/*.json"))


def kill_teams() -> int:
    return len(killteam.library().weapons) + len(options.switches())


def army() -> Roster:
    return resolve(read(LIST), matching.KnownNames())


def tidy_up() -> None:
    """Print what the libraries hold in memory when everything has been asked for."""
    for name, load in (
        ("both 40K editions, searched", both_editions),
        ("Kill Team", kill_teams),
        ("40K as plain JSON", _kept),
    ):
        forget()
        tracemalloc.start()
        kept = load()
        print(f"memory of {name}: {tracemalloc.get_traced_memory()[0] / 1e6:.1f} MB")
        tracemalloc.stop()
        del kept


def _kept() -> list[object]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in datasheets.DATA.glob("*/*.json")]


BENCHMARKS = [
    Benchmark("one army, cold", lambda: datasheets.army("eleventh", "Space Marines"), budget=0.020, prepare=forget),
    Benchmark("both 40K editions and their search texts, cold", both_editions, plain_json, "json.loads of the files",
              budget=0.300, repeats=5, prepare=forget),
    Benchmark("40K search over 4,916 weapons", lambda: library.search("weapon", "plasma pistol", edition="eleventh"),
              budget=0.005),
    Benchmark("40K profile by key", lambda: library.by_key("11th-space-marines-intercessor-squad-bolt-rifle"),
              budget=0.005),
    Benchmark("Kill Team library and switches, cold", kill_teams, budget=0.100, repeats=10, prepare=forget),
    Benchmark("Kill Team search", lambda: killteam.find("plasma"), budget=0.010),
    Benchmark("a list of 20 units read", lambda: read(LIST), budget=0.010),
    Benchmark("the same, weapons told from gear and matched", lambda: matching.match(army()), budget=0.050),
]  # fmt: skip

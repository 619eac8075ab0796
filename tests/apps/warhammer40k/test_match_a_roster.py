"""A roster's units become cards: armed as it says, with the models it counts, and every miss named."""

from __future__ import annotations

from django.http import QueryDict

from apps.rosters.reading import read
from apps.rosters.roster import resolve
from apps.warhammer40k import matching, sheets
from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.matching import Army, KnownNames

LIST = """Demo (495 points)

Space Marines
Gladius Task Force

CHARACTERS

Captian (80 points)
  • 1x Bolt pistol

BATTLELINE

Intercessor Squad (160 points)
  • 1x Intercessor Sergeant
     ◦ 1x Plasma pistol
     ◦ 1x Bolt rifle
  • 9x Intercessors
     ◦ 9x Bolt rifle
     ◦ 1x Astartes grenade launcher
     ◦ 9x Close combat weapons
     ◦ 1x Bolt rilfe

OTHER DATASHEETS

Outrider Squad (140 points)
  • 1x Outrider Sergeant
     ◦ 1x Twin bolt rifle
  • 2x Outrider
     ◦ 2x Twin bolt rifle
  • 1x Invader ATV
     ◦ 1x Onslaught gatling cannon

Callidus Assassin (100 points)
Chaos Rhino (75 points)
"""


def matched(text: str = LIST, **how: str) -> Army:
    found = read(text)
    return matching.match(resolve(found, KnownNames()), **how)  # type: ignore[arg-type]


def test_units_are_found_by_name_army_and_ally() -> None:
    army = matched()
    assert (army.faction, army.edition) == ("Space Marines", "eleventh")
    names = [match.unit and (match.unit.faction, match.unit.name) for match in army.matches]
    assert names[1:] == [
        ("Space Marines", "Intercessor Squad"),
        ("Space Marines", "Outrider Squad"),
        ("Agents of the Imperium", "Callidus Assassin"),
        ("Chaos Space Marines", "Chaos Rhino"),
    ]


def test_what_is_not_found_is_named_with_near_names() -> None:
    army = matched()
    captain = army.matches[0]
    assert captain.unit is None
    assert captain.near[0] == "Captain"
    assert army.unmatched[0].startswith("Captian: no unit of this name in the eleventh edition; did you mean Captain")
    assert "Callidus Assassin: the roster lists no weapons; the usual ones are taken" in army.unmatched


def test_gear_that_is_no_weapon_is_not_taken_for_one() -> None:
    squad = matched().matches[1]
    assert squad.entry.carried("gear") == [("Bolt rilfe", 1)]
    assert {arm.name: arm.count for arm in squad.arms} == {
        "Plasma pistol": 1, "Bolt rifle": 10, "Astartes grenade launcher": 1, "Close combat weapon": 9,
    }  # fmt: skip


def test_groups_are_counted_as_the_roster_counts_them() -> None:
    outriders = matched(edition="tenth").matches[2]
    assert [(group.number, group.figures.wounds) for group in outriders.groups] == [(3, 4), (1, 8)]
    target = outriders.target
    assert target is not None
    assert (target.values["models"], target.values["wounds"], target.values["unit_points"]) == (3, 4, 140)
    assert [(group["name"], group["wounds"]) for group in target.further_groups] == [("Invader ATV", 8)]


def test_all_weapons_load_as_lines_of_a_sheet() -> None:
    squad = matched().matches[1]
    lines = squad.lines(melee=False)
    assert [(line.name, line.values["count"]) for line in lines] == [
        ("Plasma pistol, standard", 1),
        ("Bolt rifle", 10),
        ("Astartes grenade launcher, krak", 1),
    ]
    assert [line.name for line in squad.lines(melee=True)] == ["Close combat weapon"]
    data = QueryDict("v=1", mutable=True)
    for number, line in enumerate(lines, 1):
        sheets.fill(data, f"w{number}", {**line.values, "name": line.title})
    target = squad.target
    assert target is not None
    sheets.fill(data, "target", target.values)
    form = AttackForm(data)
    assert form.is_valid(), form.errors
    assert [weapon["count"] for weapon in form.settings()["weapons"]] == [1, 10, 1]


def test_a_list_without_an_edition_takes_the_one_that_knows_its_units() -> None:
    titan = "Big (2200 points)\n\nAdeptus Titanicus\n\nOTHER DATASHEETS\n\nWarhound Titan (1100 points)\n"
    assert matching.match(read(titan)).edition == "eleventh"
    assert matching.match(read(titan), "tenth").matches[0].unit is None


def test_figures_that_differ_are_said() -> None:
    army = read(LIST)
    entry = army.units[1]
    assert entry.kinds is not None
    entry.kinds[0].figures = {"t": 4, "sv": 3, "inv": None, "w": 2}
    found = matching.match(army).matches[1]
    assert "Intercessor Sergeant has T 4 for 5 in the roster; the library's figures are taken" in found.problems

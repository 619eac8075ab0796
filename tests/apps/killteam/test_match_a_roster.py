"""A roster's operatives become cards with the weapons they carry, and every miss is named."""

from __future__ import annotations

import json
from typing import Any

from apps.killteam import matching
from apps.rosters.reading import read


def weapon(name: str, figures: tuple[str, str, str]) -> dict[str, Any]:
    attacks, hit, damage = figures
    pairs = (("ATK", attacks), ("HIT", hit), ("DMG", damage))
    profile = {"name": name, "typeName": "Weapons", "characteristics": [{"name": n, "$text": v} for n, v in pairs]}
    return {"name": name.lstrip("⌖⚔ "), "type": "upgrade", "number": 1, "profiles": [profile]}


def team(catalogue: str, *operatives: tuple[str, list[dict[str, Any]]]) -> matching.Team:
    models = [{"name": name, "type": "model", "number": 1, "selections": arms} for name, arms in operatives]
    force = {"catalogueName": catalogue, "selections": models}
    return matching.match(read(json.dumps({"roster": {"gameSystemId": "c521-ad27-44df-f959", "forces": [force]}})))


def test_operatives_and_weapons_are_found() -> None:
    found = team(
        "Angels of Death",
        ("Intercessor Warrior", [weapon("⌖ Bolt rifle", ("4", "3+", "3/4")), weapon("⚔ Fists", ("4", "3+", "3/4"))]),
        ("Assault Intercessor Sergeant", [weapon("⌖ Plasma pistol", ("4", "3+", "3/5"))]),
    )
    warrior, sergeant = found.matches
    assert [w.name for w in warrior.armed("ranged")] == ["Bolt rifle"]
    assert [w.name for w in warrior.armed("melee")] == ["Fists"]
    assert [w.name for w in sergeant.weapons] == ["Plasma pistol (standard)", "Plasma pistol (supercharge)"]
    assert found.matches[0].problems == []


def test_a_name_that_is_almost_right_is_suggested() -> None:
    found = team("Angels of Death", ("Intercesor Warior", []))
    assert found.matches[0].near[0] == "Intercessor Warrior"
    assert (
        "no operative of this name in the team Angels of Death; did you mean Intercessor Warrior" in found.unmatched[0]
    )


def test_a_team_by_another_name() -> None:
    assert team("Legionary", ("Legionary Warrior", [])).name == "Legionaries"


def test_equipment_weapons_and_strange_ones() -> None:
    found = team(
        "Kommandos",
        ("Kommando Boy", [weapon("⌖ Dynamite", ("5", "4+", "4/5")), weapon("⌖ Railgun", ("1", "2+", "9/9"))]),
    )
    (boy,) = found.matches
    assert [w.name for w in boy.weapons] == ["Dynamite"]
    assert any("“Railgun” is no weapon of its card" in problem for problem in boy.problems)


def test_older_figures_are_said_and_the_librarys_taken() -> None:
    found = team("Angels of Death", ("Intercessor Warrior", [weapon("⌖ Bolt rifle", ("4", "4+", "3/4"))]))
    assert found.matches[0].problems == ["“Bolt rifle” is 4 4+ 3/4 in the roster; the library's figures are taken"]
    assert found.matches[0].weapons[0].line.figures["dice_stat"] == 3

"""The library: every profile on the shelf reads, opens in a form and computes."""

from __future__ import annotations

from collections import Counter

import pytest

from apps.killteam import library, notation
from apps.killteam.library import find


@pytest.fixture(scope="module")
def shelf() -> library.Library:
    return library.library()


def test_the_shelf_is_as_full_as_promised(shelf: library.Library) -> None:
    assert len(shelf.teams) >= 20
    assert len(shelf.operatives) >= 60
    assert len(shelf.weapons) >= 120


def test_keys_are_unique(shelf: library.Library) -> None:
    keys = Counter([weapon.key for weapon in shelf.weapons] + [operative.key for operative in shelf.operatives])
    assert keys.most_common(1)[0][1] == 1


def test_figures_are_plausible(shelf: library.Library) -> None:
    for operative in shelf.operatives:
        assert 2 <= operative.line.figures["dice_stat"] <= 6
        assert 5 <= operative.line.figures["wounds"] <= 25
    for weapon in shelf.weapons:
        figures = weapon.line.figures
        assert 2 <= figures["dice_stat"] <= 6, weapon
        critical = figures["crit_dmg"] + notation.read_weapon(weapon.line, "shoot").values.get("mwx", 0)
        assert critical >= figures["norm_dmg"] >= 0, weapon  # a melta's critical is small, but no save stops it all


def test_searching_finds_by_words_in_any_place() -> None:
    _, weapons = find("plasma supercharge", team="Kasrkin")
    assert {weapon.name for weapon in weapons} == {"Plasma pistol (supercharge)", "Plasma gun (supercharge)"}
    operatives, none = find("intercessor", kind="operative")
    assert {o.team for o in operatives} == {"Angels of Death"}
    assert none == []
    assert find("no such thing") == ([], [])
    assert all(
        "Brutal" in weapon.line.rules for weapon in find("brutal", kind="melee")[1] if "rutal" not in weapon.name
    )


def test_known_cards_read_as_printed() -> None:
    (bolt_rifle,) = [
        w
        for w in find("bolt rifle", team="Angels of Death")[1]
        if w.operative.name == "Intercessor Warrior" and w.name == "Bolt rifle"
    ]
    assert notation.read_weapon(bolt_rifle.line, "shoot").values == {
        "num_dice": 4,
        "dice_stat": 3,
        "norm_dmg": 3,
        "crit_dmg": 4,
        "px": 1,
    }
    assert bolt_rifle.operative.line.figures == {"num_dice": 3, "dice_stat": 3, "wounds": 14}

"""Profiles as lines of text: read, written, and refused with the line's number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.killteam.notation import NotationError, lines, read_target, read_weapon, target, weapon


def test_each_rule_sets_its_property() -> None:
    line = weapon(
        'Gun: 5 2+ 3/4, Piercing 2, piercing crits 1, Lethal 5+, 2" Devastating 1, Accurate 1, Saturate, Heavy'
    )
    reading = read_weapon(line, "shoot")
    assert reading.values == {
        "num_dice": 5,
        "dice_stat": 2,
        "norm_dmg": 3,
        "crit_dmg": 4,
        "apx": 2,
        "px": 1,
        "lethal": 5,
        "mwx": 1,
        "auto_norms": 1,
        "abilities": ["saturate"],
    }
    assert reading.left_out == ("Heavy",)


def test_a_rule_of_the_other_phase_is_left_out() -> None:
    line = weapon("Axe: 4 3+ 4/5, Brutal, Shock, Piercing 1")
    assert read_weapon(line, "fight").values["abilities"] == ["brutal", "shock"]
    assert read_weapon(line, "shoot").left_out == ("Brutal", "Shock")


def test_two_rerolls_become_one() -> None:
    assert (
        read_weapon(weapon("X: 4 3+ 3/4, Balanced, Ceaseless"), "shoot").values["reroll"] == "ceaseless_plus_balanced"
    )
    assert read_weapon(weapon("X: 4 3+ 3/4, Ceaseless"), "shoot").values["reroll"] == "most_common_fail"


def test_a_target_may_say_how_many_dice_it_has() -> None:
    assert target("Marine: 3+ 14W").figures["num_dice"] == 3
    reading = read_target(target("Custodian: 4 dice 2+ 18, Invulnerable 4+, FNP 5+, Obscured, cover 2, Unshakeable"))
    assert reading.values == {
        "num_dice": 4,
        "dice_stat": 2,
        "wounds": 18,
        "invuln_save": 4,
        "fnp": 5,
        "abilities": ["obscured_target"],
        "auto_norms": 2,
    }
    assert reading.left_out == ("Unshakeable",)


@pytest.mark.parametrize("text", ["Gun 4 3+ 3/4", "Gun: four 3+ 3/4", ": 4 3+ 3/4", "Gun: 4 3+ 3", "Gun:"])
def test_a_line_that_is_no_weapon_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="Line 7 must look like “Plasma gun: 4 3"):
        weapon(text, 7)


def test_a_line_that_is_no_target_is_named() -> None:
    with pytest.raises(NotationError, match="Line 2 must look like “Intercessor"):
        target("Marine: 14W", 2)


@given(
    st.integers(0, 20),
    st.integers(1, 7),
    st.integers(0, 30),
    st.integers(0, 30),
    st.lists(st.sampled_from(["Rending", "Piercing 1"]), unique=True),
)
def test_a_weapon_written_reads_as_itself(dice: int, hit: int, normal: int, critical: int, rules: list[str]) -> None:
    line = weapon(", ".join([f"Any: {dice} {hit}+ {normal}/{critical}", *rules]))
    assert weapon(str(line)) == line


def test_remarks_and_empty_lines_are_skipped() -> None:
    assert lines("# mine\n\nA: 3+ 8W # the first\n") == [(3, "A: 3+ 8W")]

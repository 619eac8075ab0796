"""Where dice come from: rollers, proofs, exploding dice, and the two operations on plain dice."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import replace
from itertools import islice

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contracts import call
from engine.dice.roller import ScriptedRoller, SeededRoller, SystemRoller, faces, prove, proven
from engine.dice.rolls import DiceTray, exploding_distribution
from engine.wire import EngineError
from tests.oracles.dice import exploding

CHI_SQUARE_5_999 = 20.5


def chi_square(counted: Counter[int], sides: int, total: int) -> float:
    return sum((counted[face] - total / sides) ** 2 / (total / sides) for face in range(1, sides + 1))


@pytest.mark.parametrize("source", [SystemRoller(), SeededRoller(5)], ids=["system", "seeded"])
def test_faces_are_fair(source: SystemRoller | SeededRoller) -> None:
    if isinstance(source, SystemRoller):
        rolled = Counter(source.roll(6) for _ in range(6000))
        assert set(rolled) == set(range(1, 7))
    else:
        assert chi_square(Counter(source.roll(6) for _ in range(6000)), 6, 6000) < CHI_SQUARE_5_999
        assert chi_square(Counter(proven(source, 6).face for _ in range(6000)), 6, 6000) < CHI_SQUARE_5_999


def test_the_same_seed_gives_the_same_dice() -> None:
    first, second = SeededRoller(3), SeededRoller(3)
    assert [first.roll(20) for _ in range(50)] == [second.roll(20) for _ in range(50)]
    assert first.entropy() == second.entropy()


def test_scripted_dice_come_in_order_and_run_out() -> None:
    script = ScriptedRoller([2, 5])
    assert (script.roll(6), script.left_over) == (2, 1)
    script.roll(6)
    with pytest.raises(EngineError, match="More dice are needed than the 2 given"):
        script.roll(6)


def test_a_scripted_die_must_fit() -> None:
    with pytest.raises(EngineError, match="Die 1 must be 1–6; you entered 7"):
        ScriptedRoller([7]).roll(6)


@pytest.mark.parametrize("source", [SystemRoller(), SeededRoller(1), ScriptedRoller([1])])
def test_a_die_has_sides(source: SystemRoller) -> None:
    with pytest.raises(EngineError, match="at least 1 side"):
        source.roll(0)


@given(st.binary(min_size=16, max_size=16), st.integers(1, 100))
def test_a_proof_verifies_and_nothing_else_does(entropy: bytes, sides: int) -> None:
    die = prove(sides, entropy)
    assert 1 <= die.face <= sides
    assert die.verify()
    assert not replace(die, face=die.face + 1).verify()
    assert not replace(die, proof="0" * 16).verify() or die.proof == "0" * 16
    assert not replace(die, entropy=bytes(15).hex() + "ff").verify() or entropy == bytes(15) + b"\xff"


@pytest.mark.parametrize("sides", [6, 7, 1000])
def test_the_run_of_faces_is_endless_and_fair(sides: int) -> None:
    run = list(islice(faces(b"secret", b"label", sides), 5000))
    assert (min(run), max(run) <= sides) == (1, True)
    expected = (sides + 1) / 2
    assert abs(statistics.fmean(run) - expected) < 4 * sides / (12 * 5000) ** 0.5
    assert run != list(islice(faces(b"secret", b"other", sides), 5000))


@pytest.mark.parametrize("sides", [0, 2**32 + 1])
def test_the_run_of_faces_refuses_other_dice(sides: int) -> None:
    with pytest.raises(ValueError, match="fair die"):
        next(faces(b"s", b"l", sides))


# -- exploding dice -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sides", "on", "most"), [(6, 6, 1), (6, 5, 3), (4, 4, 4), (3, 1, 2), (6, 6, 0)])
def test_exploding_totals_are_those_of_every_branch(sides: int, on: int, most: int) -> None:
    ours = exploding_distribution(sides, on, most)
    theirs = exploding(sides, on, most)
    assert sum(theirs.values()) == 1
    for total, chance in theirs.items():
        assert ours.exactly(total) == pytest.approx(float(chance), abs=1e-15)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_exploding_totals_are_those_of_another_library(most: int) -> None:
    ours, theirs = exploding_distribution(6, 6, most), icepool.d6.explode(depth=most)
    assert all(ours.exactly(t) == pytest.approx(float(theirs.probability(t)), abs=1e-15) for t in theirs.outcomes())


def test_the_mean_of_an_exploding_die_has_a_closed_form() -> None:
    """3.5 × (1 + 1/6 + 1/36 + …) = 4.2 without a limit."""
    assert exploding_distribution(6, 6, 30).mean == pytest.approx(4.2, abs=1e-12)


def test_rolled_explosions_follow_the_distribution() -> None:
    tray, exact = DiceTray(seed=77), exploding_distribution(6, 5)
    totals = [tray.roll(6, explode_on=5).total for _ in range(4000)]
    assert abs(statistics.fmean(totals) - exact.mean) < 4 * exact.sd / 4000**0.5


# -- operations ---------------------------------------------------------------------------------------------------


def test_roll_gives_faces_and_total() -> None:
    first = call("dice.roll", {"expression": "4d6kh3 + 2", "seed": 9})["result"]
    assert first == call("dice.roll", {"expression": "4D6kh3+2", "seed": 9})["result"]
    assert len(first["faces"]) == 4
    assert first["total"] == sum(sorted(first["faces"])[1:]) + 2
    assert call("dice.roll", {"expression": "D6"})["result"]["total"] in range(1, 7)


def test_distribution_gives_every_total() -> None:
    result = call("dice.distribution", {"expression": "2D6"})["result"]
    assert (result["low"], result["mean"], len(result["pmf"])) == (2, 7.0, 11)
    assert result["pmf"][5] == pytest.approx(1 / 6)
    assert result["quantiles"]["50"] == 7


def test_a_bad_expression_names_the_field() -> None:
    error = call("dice.roll", {"expression": "6D"})["error"]
    assert (error["code"], error["details"]["field"]) == ("ERR_INVALID_INPUT", "expression")

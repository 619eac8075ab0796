"""Fair dice: settled before the game, checkable after it, and uniform."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import fair

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "verify_dice.py"
seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)


@given(seeds, st.uuids().map(str), st.integers(0, 10_000), st.integers(1, 5))
def test_a_roll_verifies_and_a_changed_one_does_not(seed: str, game: str, sequence: int, count: int) -> None:
    rolled = fair.roll(seed, game, sequence, count)
    assert len(rolled.faces) == count
    assert fair.verify(seed, game, sequence, rolled.faces, rolled.proof)
    other = (rolled.faces[0] % 6 + 1, *rolled.faces[1:])
    assert not fair.verify(seed, game, sequence, other, rolled.proof)
    assert not fair.verify(seed, game, sequence, rolled.faces, "0" * 16)
    assert not fair.verify(seed, game, sequence + 1, rolled.faces, rolled.proof)


def test_faces_are_uniform() -> None:
    """Chi-squared over 60 000 dice of one fixed seed: 99.9 % point of five degrees of freedom is 20.5."""
    counts = Counter(face for n in range(12_000) for face in fair.roll("ab" * 32, "game", n, 5).faces)
    assert sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5


def test_seeds_differ_and_the_commitment_hides_them() -> None:
    one, two = fair.new_seed(), fair.new_seed()
    assert one != two
    assert len(fair.commitment(one)) == 64
    assert fair.commitment(one) != fair.commitment(two)


def exported(seed: str) -> dict[str, object]:
    rolls = [(n, fair.roll(seed, "g", n, 5)) for n in range(39)]
    return {
        "gameId": "g",
        "seed": seed,
        "commitment": fair.commitment(seed),
        "rolls": [{"sequence": n, "rolled": list(r.faces), "proof": r.proof} for n, r in rolls],
    }


def run_script(game: dict[str, object], folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "game.json"
    path.write_text(json.dumps(game))
    return subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True)


def test_the_stand_alone_script_agrees(tmp_path: Path) -> None:
    done = run_script(exported("cd" * 32), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "39 rolls checked" in done.stdout


@pytest.mark.parametrize("change", ["face", "proof", "seed"])
def test_the_stand_alone_script_catches_a_cheat(tmp_path: Path, change: str) -> None:
    game = exported("cd" * 32)
    first = game["rolls"][0]
    if change == "face":
        first["rolled"][0] = first["rolled"][0] % 6 + 1
    elif change == "proof":
        first["proof"] = "0" * 16
    else:
        game["seed"] = "ce" * 32
    assert run_script(game, tmp_path).returncode != 0


def test_the_script_is_short_enough_to_read() -> None:
    lines = [line for line in SCRIPT.read_text().splitlines() if line.strip()]
    assert len(lines) <= 20

"""Provably fair dice: a promise before, proofs during, the seed after; a script that needs none of our code."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services.record import fairness
from tests.apps.dicee.conftest import play_out

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "verify_dice.py"


def check(document: dict[str, object], folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "game.json"
    path.write_text(json.dumps(document))
    return subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True)


@pytest.fixture
def played(alice: Player) -> Game:
    game = services.create(alice, "bots", bots=["greedy"])
    services.roll(game, alice)
    services.roll(game, alice, [True, False, True, False, False])
    services.score(game, alice, "chance")
    services.abandon(game, alice)
    game.refresh_from_db()
    return game


def test_the_seed_is_secret_until_the_end(solo: Game, alice: Player) -> None:
    services.roll(solo, alice)
    proof = fairness.verification(solo)
    assert proof["seed"] is None
    assert solo.seed not in json.dumps(services.state_document(solo))
    assert fairness.verify(solo) is None
    play_out(solo, alice, 0)
    services.abandon(solo, alice)
    solo.refresh_from_db()
    revealed = fairness.verification(solo)["seed"]
    assert hashlib.sha256(bytes.fromhex(str(revealed))).hexdigest() == proof["commitment"]


def test_the_stand_alone_script_agrees(played: Game, tmp_path: Path) -> None:
    proof = fairness.verification(played)
    assert {len(roll["rolled"]) for roll in proof["rolls"]} > {3}  # rerolls among them
    done = check(proof, tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{len(proof['rolls'])} rolls checked" in done.stdout
    found = fairness.verify(played)
    assert found is not None
    assert found.fair
    assert found.rolls == len(proof["rolls"])


@pytest.mark.parametrize("what", ["a face", "a proof", "the seed"])
def test_anything_changed_is_found_out(played: Game, tmp_path: Path, what: str) -> None:
    proof = fairness.verification(played)
    if what == "a face":
        proof["rolls"][1]["rolled"][0] = proof["rolls"][1]["rolled"][0] % 6 + 1
    elif what == "a proof":
        proof["rolls"][1]["proof"] = "0" * 16
    else:
        proof["seed"] = "00" * 32
    assert check(proof, tmp_path).returncode == 1

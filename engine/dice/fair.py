"""Dice nobody can bend: not the player, and not the server either.

Before a game the server draws a secret seed and publishes its SHA-256, the *commitment*. The faces of each roll follow
from HMAC-SHA-256(seed, game ‖ sequence number), so they were settled before the first move and depend on nothing a
player does. When the game is over the seed is revealed: anyone can check the commitment and roll every die again.
``tools/verify_dice.py`` does so in twenty lines without this package.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from engine.dice.roller import PROOF_DIGITS, faces

SEED_BYTES = 32
SIDES = 6


@dataclass(frozen=True, slots=True)
class FairRoll:
    """Faces and the proof that ties them to the seed: the first digits of the HMAC they were drawn from."""

    faces: tuple[int, ...]
    proof: str


def new_seed() -> str:
    """A fresh secret, in hex."""
    return secrets.token_hex(SEED_BYTES)


def commitment(seed: str) -> str:
    """What may be published before the game: it binds the server to the seed and gives nothing of it away.

    >>> commitment("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def roll(seed: str, game: str, sequence: int, count: int) -> FairRoll:
    """The ``count`` dice of event ``sequence`` of a game.

    >>> roll("00" * 32, "game", 3, 5) == roll("00" * 32, "game", 3, 5)
    True
    """
    secret, label = bytes.fromhex(seed), f"{game}|{sequence}".encode()
    drawn = tuple(islice(faces(secret, label, SIDES), count))
    digest = hmac.new(secret, label, hashlib.sha256).hexdigest()
    return FairRoll(drawn, digest[:PROOF_DIGITS])


def verify(seed: str, game: str, sequence: int, shown: Sequence[int], proof: str) -> bool:
    """Do the revealed seed and the event's place in the game give these faces and this proof?"""
    again = roll(seed, game, sequence, len(shown))
    return again.faces == tuple(shown) and hmac.compare_digest(again.proof, proof)

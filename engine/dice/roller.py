"""Sources of dice. Engine code takes a :class:`Roller`; nothing in the engine rolls on its own.

A *proof* binds a die to the entropy it came from: sixteen hex digits of SHA-256 over (entropy, sides, face). Whoever
later sees the entropy can recompute both the face and the proof, so a die cannot be changed after the fact.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.wire import EngineError

PROOF_DIGITS = 16
ENTROPY_BYTES = 16


class Roller(Protocol):
    """Anything that can be asked for a face from 1 to ``sides``."""

    def roll(self, sides: int) -> int: ...


@dataclass(frozen=True, slots=True)
class ProvenDie:
    """One die with the entropy that made it and the proof that ties them together."""

    face: int
    sides: int
    entropy: str
    proof: str

    def verify(self) -> bool:
        """Does the revealed entropy give this face and this proof?

        >>> prove(6, bytes(16)).verify()
        True
        """
        again = prove(self.sides, bytes.fromhex(self.entropy))
        return again.face == self.face and hmac.compare_digest(again.proof, self.proof)


class SystemRoller:
    """The operating system's cryptographic randomness: what every real roll uses."""

    def roll(self, sides: int) -> int:
        return secrets.randbelow(_checked(sides)) + 1

    def entropy(self) -> bytes:
        return secrets.token_bytes(ENTROPY_BYTES)


class SeededRoller:
    """The same seed gives the same dice, for tests, examples and replays.

    >>> SeededRoller(7).roll(6) == SeededRoller(7).roll(6)
    True
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def roll(self, sides: int) -> int:
        return self._random.randint(1, _checked(sides))

    def entropy(self) -> bytes:
        return self._random.randbytes(ENTROPY_BYTES)


class ScriptedRoller:
    """Hands out the given faces in order: dice typed in by a player, or a test's script."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = list(faces)
        self.used = 0

    @property
    def left_over(self) -> int:
        return len(self._faces) - self.used

    def roll(self, sides: int) -> int:
        if not self.left_over:
            raise EngineError(
                f"More dice are needed than the {len(self._faces)} given.",
                field="dice",
                constraint="length",
                expected=f"more than {len(self._faces)}",
                actual=len(self._faces),
            )
        face = self._faces[self.used]
        if not 1 <= face <= _checked(sides):
            raise EngineError(
                f"Die {self.used + 1} must be 1–{sides}; you entered {face}.",
                field="dice",
                constraint="range",
                expected=f"1–{sides}",
                actual=face,
            )
        self.used += 1
        return face


@runtime_checkable
class EntropySource(Protocol):
    """Anything that can be asked for fresh bytes."""

    def entropy(self) -> bytes: ...


def proven(source: EntropySource, sides: int) -> ProvenDie:
    """Roll one die that can be verified later."""
    return prove(_checked(sides), source.entropy())


def prove(sides: int, entropy: bytes) -> ProvenDie:
    """The face and the proof that a piece of entropy stands for."""
    face = next(faces(entropy, b"die", sides))
    digest = hashlib.sha256(b"|".join((entropy, str(sides).encode(), str(face).encode()))).hexdigest()
    return ProvenDie(face, sides, entropy.hex(), digest[:PROOF_DIGITS])


def faces(secret: bytes, label: bytes, sides: int) -> Iterator[int]:
    """An endless run of fair faces from HMAC-SHA-256(secret, label‖counter).

    A byte at or above the largest multiple of ``sides`` is thrown away, so no face is favoured.
    """
    if not 1 <= sides <= 2**32:
        raise ValueError(f"cannot make a fair die of {sides} sides")
    width = 1 if sides <= 256 else 4
    limit = 256**width - 256**width % sides
    counter = 0
    while True:
        block = hmac.digest(secret, label + b"|" + counter.to_bytes(8, "big"), "sha256")
        for at in range(0, len(block), width):
            value = int.from_bytes(block[at : at + width], "big")
            if value < limit:
                yield value % sides + 1
        counter += 1


def _checked(sides: int) -> int:
    if sides < 1:
        raise EngineError(
            f"A die has at least 1 side; you asked for {sides}.",
            field="sides",
            constraint="range",
            expected="1 or more",
            actual=sides,
        )
    return sides

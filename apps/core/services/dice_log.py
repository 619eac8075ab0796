"""Logs of dice anyone can audit: every die a line, and each line recomputed from the entropy it reveals."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError

from apps.core.services.commitments import CommittedSource, entropy_of
from engine.dice.rolls import DiceRoll

LINE = re.compile(
    r"#[0-9]+ (?:[a-z ]+ )?D(?P<sides>[0-9]{1,4})=(?P<face>[0-9]{1,4}) "
    r"proof (?P<proof>[0-9a-f]{16}) entropy (?P<entropy>[0-9a-f]{32})\b.*"
)
PROMISE = re.compile(r"commitment (?P<commitment>[0-9a-f]{64}) secret (?P<secret>[0-9a-f]{64})")
MOST_LINES, MOST_SIDES = 20_000, 1000
#: Lines a reader is shown of those that fail.
MOST_WRONG, SHOWN = 5, 60


def line(number: int, die: DiceRoll, purpose: str = "", outcome: str = "") -> str:
    """One die for people and for :func:`verify`; what it was for and what came of it are words of the room."""
    words = [f"#{number}", purpose, f"D{die.sides}={die.value}", f"proof {die.proof} entropy {die.entropy}", outcome]
    return " ".join(word for word in words if word)


def promise(source: CommittedSource) -> str:
    """The first line of a log whose dice follow from a secret: its hash, known before the roll, and the secret."""
    return f"commitment {source.commitment} secret {source.secret.hex()}"


def verify(text: str) -> dict[str, Any]:
    """How many dice of a log follow from their entropy, and the first that do not."""
    lines = [each.strip() for each in text.splitlines() if each.strip()]
    if not lines:
        raise ValidationError("There is nothing to verify: paste a log of dice.")
    if len(lines) > MOST_LINES:
        raise ValidationError(f"A log may have {MOST_LINES:,} dice; this one has {len(lines):,}.")
    promised = PROMISE.fullmatch(lines[0])
    dice = lines[1:] if promised else lines
    secret = bytes.fromhex(promised["secret"]) if promised else None
    wrong = [each for number, each in enumerate(dice, 1) if not _follows(each, secret, number)]
    found = {"dice": len(dice), "good": len(dice) - len(wrong), "wrong": [each[:SHOWN] for each in wrong[:MOST_WRONG]]}
    if promised is None or secret is None:
        return found
    kept = CommittedSource(secret).commitment == promised["commitment"]
    return found | {"promised": promised["commitment"], "kept": kept}


def _follows(line: str, secret: bytes | None, number: int) -> bool:
    """Do face and proof of a line follow from its entropy and, where a secret was promised, the entropy from that?"""
    found = LINE.fullmatch(line)
    if found is None or not 1 <= int(found["sides"]) <= MOST_SIDES:
        return False
    if secret is not None and found["entropy"] != entropy_of(secret, number).hex():
        return False
    return DiceRoll(int(found["face"]), int(found["sides"]), found["proof"], found["entropy"]).verify()

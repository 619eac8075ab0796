"""Logs of dice anyone can audit: every die a line, and each line recomputed from the entropy it reveals."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError

from engine.dice.rolls import DiceRoll

LINE = re.compile(
    r"#[0-9]+ (?:[a-z ]+ )?D(?P<sides>[0-9]{1,4})=(?P<face>[0-9]{1,4}) "
    r"proof (?P<proof>[0-9a-f]{16}) entropy (?P<entropy>[0-9a-f]{32})\b.*"
)
MOST_LINES, MOST_SIDES = 20_000, 1000
#: Lines a reader is shown of those that fail.
MOST_WRONG, SHOWN = 5, 60


def line(number: int, die: DiceRoll, purpose: str = "", outcome: str = "") -> str:
    """One die for people and for :func:`verify`; what it was for and what came of it are words of the room."""
    words = [f"#{number}", purpose, f"D{die.sides}={die.value}", f"proof {die.proof} entropy {die.entropy}", outcome]
    return " ".join(word for word in words if word)


def verify(text: str) -> dict[str, Any]:
    """How many dice of a log follow from their entropy, and the first that do not."""
    lines = [each.strip() for each in text.splitlines() if each.strip()]
    if not lines:
        raise ValidationError("There is nothing to verify: paste a log of dice.")
    if len(lines) > MOST_LINES:
        raise ValidationError(f"A log may have {MOST_LINES:,} dice; this one has {len(lines):,}.")
    wrong = [each for each in lines if not _follows(each)]
    return {"dice": len(lines), "good": len(lines) - len(wrong), "wrong": [each[:SHOWN] for each in wrong[:MOST_WRONG]]}


def _follows(line: str) -> bool:
    """Does the revealed entropy of a line give its face and its proof?"""
    found = LINE.fullmatch(line)
    if found is None or not 1 <= int(found["sides"]) <= MOST_SIDES:
        return False
    return DiceRoll(int(found["face"]), int(found["sides"]), found["proof"], found["entropy"]).verify()

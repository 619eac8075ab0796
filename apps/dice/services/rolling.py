"""A program rolled once with dice that can be proven, and a log of dice verified."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError

from apps.core.services import beside_the_field
from engine.dice.language.program import Line, Plan, read
from engine.dice.rolls import DiceRoll, DiceTray

LOG_LINE = re.compile(
    r"#(?P<number>[0-9]+) D(?P<sides>[0-9]+)=(?P<face>[0-9]+) "
    r"proof (?P<proof>[0-9a-f]{16}) entropy (?P<entropy>[0-9a-f]{32})\b.*"
)
MOST_LINES, MOST_SHOWN = 20_000, 200
FIELDS = {"program": "__all__"}


@dataclass(slots=True)
class ProvenRoller:
    """A source of dice that keeps the proof of each."""

    tray: DiceTray = field(default_factory=DiceTray)
    rolls: list[DiceRoll] = field(default_factory=list)

    def roll(self, sides: int) -> int:
        self.rolls.append(self.tray.roll(sides))
        return self.rolls[-1].value


@dataclass(frozen=True, slots=True)
class RolledLine:
    """One line as it fell, and where that is among all results."""

    label: str
    value: str
    faces: list[int]
    dice: int
    chance: float | None
    below: float | None
    above: float | None


def roll(program: str, notation: str, tray: DiceTray | None = None) -> dict[str, Any]:
    """Roll every line once; names fall once for all lines."""
    with beside_the_field(FIELDS):
        plan = Plan(read(program, notation))  # type: ignore[arg-type]
        answers = plan.answer() if plan.verdict == "page" else [None] * len(plan.outputs)
        roller = ProvenRoller(tray or DiceTray())
        fallen = plan.roll(roller)
    lines: list[RolledLine] = []
    for (output, value, dice), line in zip(fallen, answers, strict=True):
        faces = [die.face for die in dice]
        label = line.label if line is not None else output.label or str(output.value)
        lines.append(
            RolledLine(label, _name(value, plan, len(lines)), faces[:MOST_SHOWN], len(faces), *_place(line, value))
        )
    return {"lines": lines, "dice": len(roller.rolls), "log": log(roller.rolls)}


def _name(value: int | str, plan: Plan, at: int) -> str:
    if plan.kind(at) == "truth":
        return "yes" if value else "no"
    return str(value).replace("-", "−") if isinstance(value, int) else value


def _place(line: Line | None, value: int | str) -> tuple[float | None, float | None, float | None]:
    """The chance of just this result, of less and of more."""
    if line is None:
        return None, None, None
    number = value if isinstance(value, int) else line.labels.index(value) if value in line.labels else -1
    chance = line.pmf.exactly(number)
    if line.kind != "number":
        return chance, None, None
    return chance, line.pmf.at_most(number - 1), line.pmf.at_least(number + 1)


def log(rolls: list[DiceRoll]) -> str:
    """Every die a line, for people and for :func:`verify`."""
    return "\n".join(
        f"#{number} D{die.sides}={die.value} proof {die.proof} entropy {die.entropy}"
        for number, die in enumerate(rolls[:MOST_LINES], 1)
    )


def verify(text: str) -> dict[str, Any]:
    """Recompute every die of a log from its revealed entropy."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValidationError("There is nothing to verify: paste a log of dice.")
    if len(lines) > MOST_LINES:
        raise ValidationError(f"A log may have {MOST_LINES:,} dice; this one has {len(lines):,}.")
    wrong = [line for line in lines if not _verified(line)]
    return {"dice": len(lines), "good": len(lines) - len(wrong), "wrong": [line[:60] for line in wrong[:5]]}


def _verified(line: str) -> bool:
    found = LOG_LINE.fullmatch(line)
    if found is None or not 1 <= int(found["sides"][:5]) <= 1000:
        return False
    return DiceRoll(int(found["face"][:6]), int(found["sides"]), found["proof"], found["entropy"]).verify()

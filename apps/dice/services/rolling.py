"""A program rolled once with dice that can be proven, and where the roll falls among all results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from apps.core.services import beside_the_field, dice_log
from apps.dice.services.figures import binned
from apps.dice.services.lines import window
from engine.dice.language.program import Line, Plan, read
from engine.dice.rolls import DiceRoll, DiceTray

MOST_SHOWN, MOST_BARS = 200, 60
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
    #: The distribution as a few bars, and which of them the result is in.
    bars: list[float] = field(default_factory=list)
    here: list[int] = field(default_factory=list)


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
        shown = _name(value, plan, len(lines))
        place, shape = _place(line, value), _shape(line, value)
        lines.append(RolledLine(label, shown, faces[:MOST_SHOWN], len(faces), *place, *shape))
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


def _shape(line: Line | None, value: int | str) -> tuple[list[float], list[int]]:
    """The distribution as a few bars, wide enough to hold the result, and the bar it is in."""
    if line is None or line.kind != "number" or not isinstance(value, int):
        return [], []
    low, high = window(line.pmf)
    low, high = min(low, value), max(high, value)
    width = -(-(high - low + 1) // MOST_BARS)
    return binned(line.pmf, low, high, width), [(value - low) // width]


def log(rolls: list[DiceRoll]) -> str:
    """Every die a line, for people and for ``dice_log.verify``."""
    return "\n".join(dice_log.line(number, die) for number, die in enumerate(rolls[: dice_log.MOST_LINES], 1))

"""What a reader is told first: the answer as a sentence, who wins, and what may not have been meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from apps.core import formats
from apps.core.calculator import Answer
from engine.dice.language.algebra import order
from engine.dice.language.program import Line, Plan
from engine.dice.language.syntax import VERSUS
from engine.dice.pmf import Pmf

WORDS = {"at_least": "{target} or more", "exactly": "exactly {target}", "at_most": "{target} or less"}
#: Below this a double loses digits, and further out there is nothing left of a chance.
FAINT = 1e-290
#: A formula in a sentence, and lines named beside the first.
LONGEST_FORMULA, MOST_OTHERS = 30, 4


def headline(lines: Sequence[Line], settings: dict[str, Any], **more: Any) -> Answer:
    """The answer of the first line; of a family, from its first to its last."""
    first, last = lines[0], lines[-1]
    if first.kind == "truth":
        rest = _other_end(lines, lambda line: formats.percent(line.pmf.exactly(1)))
        return Answer.of_chance(first.pmf.exactly(1), f"for {_named(first)}.", f"{rest}{_margin(first)}", **more)
    if first.sides is not None:
        return _who_wins(first, **more)
    if first.kind == "text":
        likely = first.pmf.mode
        others = ", ".join(f"{first.labels[v]} {formats.percent(p)}" for v, p in first.pmf.items() if v != likely)
        rest = f"{others}.{_margin(first)}" if others else _margin(first)
        return Answer.of_chance(first.pmf.exactly(likely), f"{first.labels[likely]}.", rest, **more)
    target = int(settings["target"]) if settings["target"] else None
    family = _is_family(lines)
    with_value = f" with {first.label}" if family else ""
    if target is None:
        rest = f"{_subject(first)} gives {_range(first)}{_most_often(first.pmf)}.{_margin(first)}"
        if family:
            rest = f"{formats.number(last.pmf.mean)} with {last.label}.{_margin(first)}"
        else:
            rest += _others(lines, lambda line: formats.number(line.pmf.mean))
        return Answer(first.pmf.mean, formats.number(first.pmf.mean), "", f"on average{with_value}.", rest, **more)
    words = WORDS[settings["question"]].format(target=formats.number(target, 0))
    mean = formats.number(first.pmf.mean)
    rest = f"{_subject(first)} gives {_range(first)}: {mean} on average{_most_often(first.pmf)}.{_margin(first)}"
    if family:
        rest = f"{formats.percent(_asked(last, settings, target))} with {last.label}.{_margin(first)}"
    else:
        rest += _others(lines, lambda line: formats.percent(_asked(line, settings, target)))
    return Answer.of_chance(_asked(first, settings, target), f"to roll {words}{with_value}.", rest, **more)


def _asked(line: Line, settings: dict[str, Any], target: int) -> float:
    pmf = line.pmf
    return {"at_least": pmf.at_least, "exactly": pmf.exactly, "at_most": pmf.at_most}[settings["question"]](target)


def _is_family(lines: Sequence[Line]) -> bool:
    """Whether all lines are one loop over the same parameters."""
    names = {tuple(name for name, _ in line.family) for line in lines}
    return len(lines) > 1 and len(names) == 1 and () not in names and all(line.kind == lines[0].kind for line in lines)


def _other_end(lines: Sequence[Line], shown: Any) -> str:
    return f"{shown(lines[-1])} with {lines[-1].label}." if _is_family(lines) else ""


def _who_wins(line: Line, **more: Any) -> Answer:
    assert line.sides is not None
    wins = _chance_of(line, VERSUS[2])
    rest = f"It ties in {formats.percent(_chance_of(line, VERSUS[1]))} and loses in "
    rest += f"{formats.percent(_chance_of(line, VERSUS[0]))}.{_margin(line)}"
    return Answer.of_chance(wins, f"that {line.sides[0]} beats {line.sides[1]}.", rest, **more)


def _chance_of(line: Line, label: str) -> float:
    return line.pmf.exactly(line.labels.index(label)) if label in line.labels else 0.0


def _named(line: Line) -> str:
    return line.text if line.label == line.text else line.label


def _subject(line: Line) -> str:
    """The name a line was given, with what it rolls where that is short."""
    if line.label == line.text:
        return line.text
    return f"{line.label} ({line.text})" if len(line.text) <= LONGEST_FORMULA else line.label


def _others(lines: Sequence[Line], shown: Callable[[Line], str]) -> str:
    """The same of the lines that follow, where a few stand side by side."""
    others = [line for line in lines[1:] if line.kind == lines[0].kind]
    return "".join(f" {line.label}: {shown(line)}." for line in others) if len(others) <= MOST_OTHERS else ""


def _range(line: Line) -> str:
    """From the lowest to the highest result; where the ends are too rare for a double, those the plan knows of."""
    pmf, shape = line.pmf, line.plan.shape
    least = shape.low if pmf.p[0] < FAINT else pmf.low
    most = shape.high if pmf.p[-1] < FAINT else pmf.high
    low, high = formats.number(least, 0), formats.number(most, 0)
    if least == most:
        return low
    return f"{low}–{high}" if least >= 0 else f"{low} to {high}"


def _most_often(pmf: Pmf) -> str:
    """The most likely result, where there is one."""
    best = (pmf.low + np.flatnonzero(pmf.p >= pmf.p.max() * (1 - 1e-9))).tolist()
    if len(best) <= 2:
        return f", most often {' or '.join(formats.number(value, 0) for value in best)}"
    return ", all equally likely" if len(best) == np.count_nonzero(pmf.p) else ""


def _margin(line: Line) -> str:
    return f" Simulated: give or take {100 * line.margin:.1f} points, 95 times in 100." if line.margin else ""


def warnings(plan: Plan, lines: Sequence[Line]) -> tuple[str, ...]:
    """What a reader may not have meant: remarks of the notation, and questions whose answer is certain."""
    found = list(plan.program.remarks)
    for line in lines:
        if line.kind == "truth" and len(line.pmf.p) == 1 and "D" in line.text and ">" in line.text:
            found.append(
                f"{line.text} asks about the total and is certain. To count dice, write “count”: 8D6 count >=5."
            )
            break
    return tuple(found)


def duel(lines: Sequence[Line]) -> dict[str, Any] | None:
    """Who wins, when a program asks just that or has two numbers to compare."""
    if len(lines) == 1 and lines[0].sides is not None:
        left, right = lines[0].sides
        less, equal, more = (_chance_of(lines[0], label) for label in VERSUS)
        return {"left": left, "right": right, "wins": more, "ties": equal, "loses": less}
    if len(lines) == 2 and all(line.kind == "number" for line in lines) and not _is_family(lines):
        return beats(lines[0], lines[1])
    return None


def beats(left: Line, right: Line) -> dict[str, Any]:
    """The chances that the left wins, ties and loses, with what the sides are called."""
    less, equal, more = order(left.pmf, right.pmf)
    return {"left": left.label, "right": right.label, "wins": more, "ties": equal, "loses": less}

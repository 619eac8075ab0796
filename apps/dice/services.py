"""From the form's values to an answer, through the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.core import charts
from apps.core.calculator import Answer, Table
from apps.core.services import beside_the_field
from engine.dice.notation import Expression, parse
from engine.dice.pmf import Pmf

WORDS = {"at_least": "{target} or more", "exactly": "exactly {target}", "at_most": "{target} or less"}


def answer(settings: dict[str, Any]) -> Answer:
    """The chance asked for, and the whole distribution it comes from."""
    with beside_the_field({"expression": "roll"}):
        expression = parse(settings["roll"])
    total = expression.distribution
    question, target = settings["question"], settings["target"]
    p = {"at_least": total.at_least, "exactly": total.exactly, "at_most": total.at_most}[question](target)
    rest = f"{expression} gives {total.low}–{total.high}: {total.mean:.2f} on average, most often {total.mode}."
    return Answer.of_chance(
        p,
        f"to roll {WORDS[question].format(target=target)}.",
        rest,
        tables=(_table(total),),
        facts=_facts(expression, total, target, question),
    )


def _table(total: Pmf) -> Table:
    rows = [(v, total.exactly(v), total.at_least(v), total.at_most(v)) for v in range(total.low, total.high + 1)]
    return Table("distribution", "Every total", ("Total", "Exactly", "At least", "At most"), rows)


def _facts(expression: Expression, total: Pmf, target: int, question: str) -> dict[str, Any]:
    ways = 1
    for sides in expression.dice:
        ways *= sides
    return {
        "expression": str(expression),
        "dice": len(expression.dice),
        "ways": ways if ways < 10**15 else None,
        "pmf": total,
        "mean": total.mean,
        "sd": total.sd,
        "median": total.quantile(0.5),
        "middle_half": (total.quantile(0.25), total.quantile(0.75)),
        "target": target,
        "question": question,
    }


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    """One chart over one or both situations."""
    series = [
        (answer.facts["expression"], answer.facts["pmf"].low, answer.facts["pmf"].p.tolist()) for answer in answers
    ]
    return {"figure": charts.distribution(series, axis="Total", threshold=answers[0].facts["target"])}

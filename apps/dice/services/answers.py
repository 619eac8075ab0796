"""The answer to a program: exact, simulated, or put off to a job; and the charts of one or two of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from apps.core.calculator import Answer
from apps.core.services import beside_the_field
from apps.dice.services.figures import figures
from apps.dice.services.lines import table, view
from apps.dice.services.sentences import beats, duel, headline, warnings
from engine.dice.language.plan import PAGE_BUDGET
from engine.dice.language.program import Line, Plan, duration, read

#: Where an error of the engine is shown.
FIELDS = {"program": "roll"}
#: Rolls of one simulation on the page at most, in rounds of so many, within the page's time.
MOST_RUNS, ROUND = 20_000, 500
#: Lines whose results are shown one by one; the others have their place in the table and their file.
MOST_LINES = 12


def answer(settings: dict[str, Any]) -> Answer:
    """The headline of the first line, and the whole distribution of every line."""
    with beside_the_field(FIELDS):
        plan = Plan(read(settings["roll"], settings["notation"]))
        if settings["method"] == "simulate":
            return _answered(plan, _simulated(plan), settings)
        if plan.verdict == "refuse":
            raise plan.refusal("choose “By simulation” below")
        if plan.verdict == "job":
            return _for_later(plan, settings)
        return _answered(plan, plan.answer(), settings)


def _for_later(plan: Plan, settings: dict[str, Any]) -> Answer:
    rest = "Too long for a page: start it and watch it, or answer it by simulation."
    facts = {"later": duration(plan.seconds), "program": settings["roll"], "notation": settings["notation"]}
    return Answer(plan.seconds, f"≈{plan.seconds:.0f}", "s", "of computing.", rest, facts=facts)


def _simulated(plan: Plan) -> list[Line]:
    """As many rolls as fit into the page's time."""
    start = time.perf_counter()
    plan.simulate(ROUND, seed=1)
    each = (time.perf_counter() - start) / ROUND
    return plan.simulate(int(min(MOST_RUNS, max(ROUND, 0.7 * PAGE_BUDGET / each))), seed=2)


def _answered(plan: Plan, lines: list[Line], settings: dict[str, Any]) -> Answer:
    first = lines[0]
    facts = {
        "lines": [view(line, at) for at, line in enumerate(lines)],
        "in_full": min(len(lines), MOST_LINES),
        "numbers": [line for line in lines if line.kind == "number"],
        "all": lines,
        "native": str(plan.program) if plan.program.notation != "oddsmith" else "",
        "notation": {"roll20": "Roll20", "anydice": "AnyDice"}.get(plan.program.notation, ""),
        "expression": first.label,
        "program": settings["roll"],
        "target": int(settings["target"]) if settings["target"] and first.kind == "number" else None,
        "question": settings["question"],
        "duel": duel(lines),
    }
    return headline(
        lines,
        settings,
        tables=tuple(table(line, at) for at, line in enumerate(lines)),
        facts=facts,
        warnings=warnings(plan, lines),
    )


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    """Bars, the chance of reaching each value, a family of curves, and who wins between two situations."""
    if any("later" in answer.facts for answer in answers):
        return {}
    lines = [line for answer in answers for line in answer.facts["numbers"]]
    found = figures(lines, answers[0].facts["target"], answers[0].facts["question"])
    if len(answers) == 2 and all(answer.facts["all"][0].kind == "number" for answer in answers):
        found["between"] = beats(answers[0].facts["all"][0], answers[1].facts["all"][0])
    return found


def warm_up() -> None:
    """Compile the loops some questions use."""
    warm: Callable[[str], object] = lambda text: Plan(read(text)).answer()  # noqa: E731
    warm("pair_off(3D6, 2D6); 5D6km3; pairs(5D6); 4D6kh3; largest_set(5D6); longest_run(5D6)")

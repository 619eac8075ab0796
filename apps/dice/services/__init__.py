"""From a program to what the page shows, through the engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.core import charts, formats
from apps.core.calculator import Answer, Table
from apps.core.services import beside_the_field
from apps.jobs.registry import Progress
from engine.dice.language.algebra import order
from engine.dice.language.plan import PAGE_BUDGET
from engine.dice.language.program import Line, Plan, duration, read
from engine.dice.pmf import Pmf

FIELDS = {"program": "roll"}
WORDS = {"at_least": "{target} or more", "exactly": "exactly {target}", "at_most": "{target} or less"}
#: Rows a table shows before it takes only every so many; bars a chart has before it puts neighbours together.
MOST_ROWS, MOST_BARS = 60, 240
#: A chart leaves out what is rarer than this at either end; the table and the file do not.
TAIL = 1e-5
#: Rolls of one simulation on the page at most, in rounds of so many, within the page's time.
MOST_RUNS, ROUND = 20_000, 500
#: Below this a double loses digits, and further out there is nothing left of a chance.
FAINT = 1e-290
PERCENTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class Row:
    """One result of a line."""

    name: str
    exactly: float
    at_least: float | None
    at_most: float | None


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of a program as the page shows it; plain data, so that a job can keep it."""

    table: str
    label: str
    text: str
    kind: str
    chance: float
    mean: float
    sd: float
    low: str
    high: str
    percentiles: list[tuple[int, int]]
    rows: list[Row]
    every: int
    results: int
    steps: list[str]
    notes: list[str]
    seconds: str
    margin: float


def answer(settings: dict[str, Any]) -> Answer:
    """The headline of the first line, and the whole distribution of every line."""
    with beside_the_field(FIELDS):
        plan = Plan(read(settings["roll"], settings["notation"]))
        if settings["method"] == "simulate":
            return _told(plan, _simulated(plan), settings)
        if plan.verdict == "refuse":
            raise plan.refusal()
        if plan.verdict == "job":
            return _for_later(plan, settings)
        return _told(plan, plan.answer(), settings)


def _for_later(plan: Plan, settings: dict[str, Any]) -> Answer:
    rest = "Too long for a page: start it and watch it, or answer it by simulation."
    facts = {"later": duration(plan.seconds), "program": settings["roll"], "notation": settings["notation"]}
    return Answer(plan.seconds, f"≈{plan.seconds:.0f}", "s", "of computing.", rest, facts=facts)


def _simulated(plan: Plan) -> list[Line]:
    """As many rolls as fit into the page's time."""
    start, runs = time.perf_counter(), ROUND
    plan.simulate(ROUND, seed=1)
    each = (time.perf_counter() - start) / ROUND
    runs = int(min(MOST_RUNS, max(ROUND, 0.7 * PAGE_BUDGET / each)))
    return plan.simulate(runs, seed=2)


def _told(plan: Plan, lines: list[Line], settings: dict[str, Any]) -> Answer:
    first = lines[0]
    facts = {
        "lines": [view(line, at) for at, line in enumerate(lines)],
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
    more: dict[str, Any] = {
        "tables": tuple(_table(line, at) for at, line in enumerate(lines)),
        "facts": facts,
        "warnings": _warnings(plan, lines),
    }
    return _headline(first, settings, more)


def _headline(line: Line, settings: dict[str, Any], more: dict[str, Any]) -> Answer:
    pmf = line.pmf
    if line.kind == "truth":
        return Answer.of_chance(pmf.exactly(1), f"for {line.text}.", _margin(line), **more)
    if line.kind == "text":
        likely = pmf.mode
        others = ", ".join(f"{line.labels[v]} {formats.percent(p)}" for v, p in pmf.items() if v != likely)
        return Answer.of_chance(pmf.exactly(likely), f"{line.labels[likely]}.", f"{others}{_margin(line)}", **more)
    mean, often = formats.number(pmf.mean), _most_often(pmf)
    if not settings["target"]:
        rest = f"{_subject(line)} gives {_range(line)}{often}.{_margin(line)}"
        return Answer(pmf.mean, mean, "", "on average.", rest, **more)
    rest = f"{_subject(line)} gives {_range(line)}: {mean} on average{often}.{_margin(line)}"
    target = int(settings["target"])
    asked = {"at_least": pmf.at_least, "exactly": pmf.exactly, "at_most": pmf.at_most}[settings["question"]]
    shown_target = formats.number(target, 0)
    return Answer.of_chance(
        asked(target), f"to roll {WORDS[settings['question']].format(target=shown_target)}.", rest, **more
    )


def _subject(line: Line) -> str:
    return line.text if line.label == line.text else f"{line.label} ({line.text})"


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
    top = float(pmf.p.max())
    best = [value for value, p in pmf.items() if p >= top * (1 - 1e-9)]
    if len(best) == 1:
        return f", most often {formats.number(best[0], 0)}"
    if len(best) == 2:
        return f", most often {formats.number(best[0], 0)} or {formats.number(best[1], 0)}"
    return ", all equally likely" if len(best) == sum(1 for _ in pmf.items()) else ""


def _margin(line: Line) -> str:
    return f" Simulated: give or take {100 * line.margin:.1f} points, 95 times in 100." if line.margin else ""


def _warnings(plan: Plan, lines: list[Line]) -> tuple[str, ...]:
    """What a reader may not have meant: remarks of the notation, and questions whose answer is certain."""
    warnings = list(plan.program.remarks)
    for line in lines:
        if line.kind == "truth" and len(line.pmf.p) == 1 and ("D" in line.text and ">" in line.text):
            warnings.append(
                f"{line.text} asks about the total and is certain. To count dice, write “count”: 8D6 count >=5."
            )
            break
    return tuple(warnings)


def duel(lines: Sequence[Line]) -> dict[str, Any] | None:
    """Who wins, when a program has two numbers to compare."""
    numbers = [line for line in lines if line.kind == "number"]
    if len(lines) != 2 or len(numbers) != 2:
        return None
    return beats(numbers[0], numbers[1])


def beats(left: Line, right: Line) -> dict[str, Any]:
    less, equal, more = order(left.pmf, right.pmf)
    return {"left": left.label, "right": right.label, "wins": more, "ties": equal, "loses": less}


# -- one line ---------------------------------------------------------------------------------------------------------


def view(line: Line, at: int) -> LineView:
    """A line as the page shows it."""
    pmf = line.pmf
    rows, every = shown_rows(line)
    return LineView(
        table=_table_name(at),
        label=line.label,
        text=line.text,
        kind=line.kind,
        chance=pmf.exactly(1) if line.kind == "truth" else 0.0,
        mean=pmf.mean,
        sd=pmf.sd,
        low=line.name_of(pmf.low),
        high=line.name_of(pmf.high),
        percentiles=[(q, pmf.quantile(q / 100)) for q in PERCENTILES] if line.kind == "number" else [],
        rows=rows,
        every=every,
        results=sum(1 for _ in pmf.items()),
        steps=list(line.plan.steps),
        notes=list(line.plan.notes),
        seconds=duration(line.plan.seconds),
        margin=line.margin,
    )


def shown_rows(line: Line) -> tuple[list[Row], int]:
    """The rows of a table, thinned out evenly where there are too many; the file has them all."""
    pmf = line.pmf
    if line.kind != "number":
        return [Row(line.name_of(value), p, None, None) for value, p in pmf.items()], 1
    every = -(-len(pmf.p) // MOST_ROWS)
    at_least, at_most = _running(pmf)
    places = range(0, len(pmf.p), every)
    rows = [
        Row(formats.number(pmf.low + i, 0), float(pmf.p[i]), float(at_least[i]), float(at_most[i]))
        for i in places
        if pmf.p[i] > 0 or every > 1
    ]
    return rows, every


def _running(pmf: Pmf) -> tuple[np.ndarray, np.ndarray]:
    """At least and at most, each summed from its small end and kept within 1."""
    at_least = np.minimum(np.cumsum(pmf.p[::-1])[::-1], 1.0)
    at_most = np.minimum(np.cumsum(pmf.p), 1.0)
    at_least[0] = at_most[-1] = 1.0
    return at_least, at_most


def _table_name(at: int) -> str:
    return "distribution" if at == 0 else f"line-{at + 1}"


def _table(line: Line, at: int) -> Table:
    name = _table_name(at)
    if line.kind != "number":
        rows: list[tuple[Any, ...]] = [(line.name_of(value), p) for value, p in line.pmf.items()]
        return Table(name, line.label, ("Result", "Chance"), rows)
    at_least, at_most = _running(line.pmf)
    values = range(line.pmf.low, line.pmf.high + 1)
    columns = zip(values, line.pmf.p.tolist(), at_least.tolist(), at_most.tolist(), strict=True)
    title = "Every total" if at == 0 else line.label
    return Table(name, title, ("Total", "Exactly", "At least", "At most"), list(columns))


# -- charts -----------------------------------------------------------------------------------------------------------


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    """Bars, the chance of reaching each value, a family of curves, and who wins between two situations."""
    if any("later" in answer.facts for answer in answers):
        return {}
    lines = [line for answer in answers for line in answer.facts["numbers"]]
    found = figures(lines, answers[0].facts["target"], answers[0].facts["question"])
    if len(answers) == 2 and all(answer.facts["all"][0].kind == "number" for answer in answers):
        found["between"] = beats(answers[0].facts["all"][0], answers[1].facts["all"][0])
    return found


def figures(lines: Sequence[Line], target: int | None = None, question: str = "at_least") -> dict[str, Any]:
    """The charts of some lines with numbers."""
    if not lines:
        return {}
    low, high = _window(lines)
    width = -(-(high - low + 1) // MOST_BARS)
    series = [(line.label, low, _binned(line.pmf, low, high, width)) for line in lines]
    threshold = target if question != "exactly" and width == 1 else None
    if len(series) <= 2:
        figure = charts.distribution(series, axis="Total", threshold=threshold, above=question == "at_least")
        _stretch(figure, low, width)
    else:
        xs = list(range(low, high + 1, width))
        figure = charts.lines([(name, xs, values) for name, _, values in series], x="Total", y="Chance")
        for at, trace in enumerate(
            figure["data"]
        ):  # after four colours the dashes move on, so no two curves look alike
            trace["line"]["dash"] = charts.DASHES[(at + at // len(charts.DASHES)) % len(charts.DASHES)]
        figure["layout"]["yaxis"] |= {"tickformat": ".0%", "rangemode": "tozero"}
    reached = charts.cumulative(series, axis="Total")
    _stretch(reached, low, width)
    return {"figure": figure, "cumulative": reached, "bar_width": width}


def _window(lines: Sequence[Line]) -> tuple[int, int]:
    """From where to where a chart goes: all of a short distribution, of a long one all but its thinnest tails."""
    low, high = min(line.pmf.low for line in lines), max(line.pmf.high for line in lines)
    if high - low < MOST_BARS:
        return low, high
    return min(line.pmf.quantile(TAIL) for line in lines), max(line.pmf.quantile(1 - TAIL) for line in lines)


def _binned(pmf: Pmf, low: int, high: int, width: int) -> list[float]:
    bins = -(-(high - low + 1) // width)
    spread = np.zeros(bins * width)
    first, last = max(low, pmf.low), min(low + bins * width - 1, pmf.high)
    if first <= last:
        spread[first - low : last - low + 1] = pmf.p[first - pmf.low : last - pmf.low + 1]
    return [round(value, 9) for value in spread.reshape(bins, width).sum(axis=1).tolist()]


def _stretch(figure: charts.Figure, low: int, width: int) -> None:
    """Bars of several totals stand at the first of them."""
    if width > 1:
        for trace in figure["data"]:
            trace["x"] = [low + width * i for i in range(len(trace["x"]))]


# -- jobs -------------------------------------------------------------------------------------------------------------


def job_document(program: str, notation: str) -> dict[str, Any]:
    """What a job needs, if the program can be one."""
    with beside_the_field(FIELDS):
        plan = Plan(read(program, notation))  # type: ignore[arg-type]
        if plan.verdict == "refuse":
            raise plan.refusal()
    return {"program": program, "notation": notation}


def run_job(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Answer a long program line by line."""
    plan = Plan(read(document["program"], document["notation"]))
    lines = plan.answer(lambda done, of: progress(done, of, "lines answered"))
    return {
        "program": document["program"],
        "lines": [_plain(view(line, at)) for at, line in enumerate(lines)],
        **_job_figures(lines),
    }


def _plain(shown: LineView) -> dict[str, Any]:
    plain = {name: getattr(shown, name) for name in LineView.__slots__}
    rows = [{name: getattr(row, name) for name in Row.__slots__} for row in shown.rows]
    return plain | {"rows": rows}


def _job_figures(lines: Sequence[Line]) -> dict[str, Any]:
    return figures([line for line in lines if line.kind == "number"])


def warm_up() -> None:
    """Compile the loops some questions use."""
    warm: Callable[[str], object] = lambda text: Plan(read(text)).answer()  # noqa: E731
    warm("pair_off(3D6, 2D6); 5D6km3; pairs(5D6); 4D6kh3; largest_set(5D6); longest_run(5D6)")

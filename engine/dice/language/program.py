"""Programs from text to answers: read, plan, compute exactly, simulate, roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

from engine.dice.language import anydice, roll20, syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.exact import Exact
from engine.dice.language.names import Labels, Names
from engine.dice.language.native import parser
from engine.dice.language.plan import JOB_BUDGET, MOST_RESULTS, PAGE_BUDGET, LinePlan, plan_line
from engine.dice.language.rolling import RolledDie, Throw, Value, simulate
from engine.dice.pmf import Pmf
from engine.dice.progress import Listener, listening
from engine.dice.roller import Roller, SeededRoller

Notation = Literal["auto", "oddsmith", "roll20", "anydice"]

ANYDICE = re.compile(r"\[|^\s*function:|^\s*loop\b|^\s*output\b|^\s*[A-Z_]+\s*:", re.M)
COMMAND = re.compile(r"^\s*/(gm)?r(oll)?\b|\[\[", re.I)
ROLL20 = re.compile(r"d\d+(>|<|=)=?\d+f[<>=\d]|\d(sa|sd)\b|\dxo?\d+\b(?!\s*[(d])", re.I)


def read(text: str, notation: Notation = "auto") -> syntax.Program:
    """Read a program; ``auto`` tells the notation by marks that only one of them has.

    >>> read("output 3d6 named \\"sum\\"").statements[0].label
    'sum'
    """
    return replace(_read(text, notation), source=text)


def _read(text: str, notation: Notation) -> syntax.Program:
    if notation != "auto":
        return READERS[notation](text)
    likely = detect(text)
    try:
        return READERS[likely](text)
    except LanguageError:
        if likely == "oddsmith":
            raise
        with suppress(LanguageError):  # the same words may be the native notation after all
            return parser.parse(text)
        raise


READERS: dict[str, Callable[[str], syntax.Program]] = {
    "oddsmith": parser.parse,
    "roll20": roll20.parse,
    "anydice": anydice.parse,
}


def detect(text: str) -> Literal["oddsmith", "roll20", "anydice"]:
    """Which notation a text is in.

    >>> detect("output [highest 3 of 4d6]"), detect("/roll 4d6kh3!"), detect("4d6kh3")
    ('anydice', 'roll20', 'oddsmith')
    """
    if COMMAND.search(text):
        return "roll20"
    if ANYDICE.search(text):
        return "anydice"
    return "roll20" if ROLL20.search(text) else "oddsmith"


@dataclass(frozen=True, slots=True)
class Line:
    """One answered line: what was asked, the distribution of its result, and how it was done."""

    label: str
    text: str
    kind: Literal["number", "truth", "text"]
    pmf: Pmf
    labels: tuple[str, ...]
    plan: LinePlan
    family: tuple[tuple[str, int], ...]
    at: int
    margin: float = 0.0  # of a simulated answer; an exact one has none
    sides: tuple[str, str] | None = None  # of a line that asks who wins

    def name_of(self, value: int) -> str:
        """How a result is written."""
        if self.kind == "text":
            return self.labels[value]
        return ("no", "yes")[value] if self.kind == "truth" else str(value)


class Plan:
    """A program that has been read and planned, ready to be answered, simulated or rolled."""

    def __init__(self, program: syntax.Program) -> None:
        self.program = program
        self.definitions = {s.name: s.value for s in program.statements if isinstance(s, syntax.Assign)}
        self.names = Names(self.definitions)
        self.outputs = [s for s in program.statements if isinstance(s, syntax.Output)]
        with self._pointing():
            self.lines = [plan_line(self.names, output.value) for output in self.outputs]
        self.texts = [unbracketed(str(output.value)) for output in self.outputs]

    @contextmanager
    def _pointing(self) -> Iterator[None]:
        """What is met while computing points into the text that was read, too."""
        try:
            yield
        except LanguageError as error:
            raise error.within(self.program.source) from error

    @cached_property
    def seconds(self) -> float:
        """The predicted time for all lines."""
        return sum(line.seconds for line in self.lines)

    @cached_property
    def verdict(self) -> Literal["page", "job", "refuse"]:
        """Who answers: the page at once, a job, or nobody."""
        if self.seconds > JOB_BUDGET or any(line.verdict == "refuse" for line in self.lines):
            return "refuse"
        return "page" if self.seconds <= PAGE_BUDGET else "job"

    def kind(self, at: int) -> Literal["number", "truth", "text"]:
        """What sort of result a line has."""
        kind = syntax.kind_of(self.outputs[at].value, self.names.kinds)
        return "number" if kind == "pool" else kind

    def refusal(self, simulate: str = "simulate it") -> LanguageError:
        """Why the program is refused, the figure and the cheaper way to ask; ``simulate`` says how that is done."""
        worst = max(range(len(self.lines)), key=lambda at: self.lines[at].seconds)
        line, output = self.lines[worst], self.outputs[worst]
        if line.shape.span > MOST_RESULTS:
            problem = f"{output.value} has up to {line.shape.span:,} different results"
            fix = f"At most {MOST_RESULTS:,} are counted. Use fewer dice, or {simulate}."
        else:
            problem = f"This would take about {duration(self.seconds)} of computing"
            fix = f"At most {duration(JOB_BUDGET)} are spent. {self._cheaper(output.value)}, or {simulate}."
        refused = LanguageError(problem, fix, position=output.at, constraint="budget", expected=JOB_BUDGET)
        return refused.within(self.program.source)

    def _cheaper(self, node: syntax.Node) -> str:
        if self.names.shared(node):
            return "Mention names once, ask for sums instead of single dice, use fewer dice"
        if any(isinstance(part, syntax.Group) for part in syntax.walk(node)):
            return "Pools of equal dice are far cheaper than mixed ones"
        return "Use fewer dice or fewer sides"

    def answer(self, done: Listener = lambda share: None) -> list[Line]:
        """Every line, exactly; ``done`` hears the share of all lines that is answered. Refused programs raise."""
        if self.verdict == "refuse":
            raise self.refusal()
        exact, count = Exact(self.names), len(self.outputs)
        lines = []
        for at, output in enumerate(self.outputs):
            with self._pointing(), listening(partial(_share_of_all, done, at, count)):
                pmf = exact.answer(output.value)
            lines.append(self._line(at, pmf, exact.labels))
            done((at + 1) / count)
        return lines

    def simulate(
        self, runs: int, seed: int | None = None, progress: Callable[[int, int], None] = lambda done, of: None
    ) -> list[Line]:
        """Every line by rolling it ``runs`` times; each carries its margin."""
        roller = SeededRoller(seed if seed is not None else 0)
        labels, lines = Labels(), []
        for at, output in enumerate(self.outputs):

            def shown(done: int, of: int, before: int = at) -> None:
                progress(before * of + done, of * len(self.outputs))

            with self._pointing():
                result = simulate(self.definitions, output.value, runs, roller, shown)
            lines.append(self._line(at, result.distribution(labels.number), labels, result.margin))
        return lines

    def roll(self, roller: Roller) -> list[tuple[syntax.Output, Value, list[RolledDie]]]:
        """Roll the whole program once: names fall once for all lines."""
        throw = Throw(self.definitions, roller)
        rolled = []
        for output in self.outputs:
            before = len(throw.dice)
            with self._pointing():
                value = throw.answer(output.value)
            rolled.append((output, value, throw.dice[before:]))
        return rolled

    def _line(self, at: int, pmf: Pmf, labels: Labels, margin: float = 0.0) -> Line:
        output = self.outputs[at]
        kind = self.kind(at)
        parameters = ", ".join(f"{name} = {value}" for name, value in output.family)
        text = self.texts[at]
        return Line(
            label=output.label or parameters or text,
            text=text,
            kind=kind,
            pmf=pmf,
            labels=tuple(labels.texts) if kind == "text" else (),
            plan=self.lines[at],
            family=output.family,
            at=output.at,
            margin=margin,
            sides=_sides(output.value),
        )


def _share_of_all(done: Listener, before: int, count: int, share: float) -> None:
    """What is done of one line as a share of all lines."""
    done((before + share) / count)


def unbracketed(text: str) -> str:
    """A text without brackets around all of it.

    >>> unbracketed("(8D6 count >=5)"), unbracketed("(D6+1)*(D4)")
    ('8D6 count >=5', '(D6+1)*(D4)')
    """
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth and at < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def _sides(node: syntax.Node) -> tuple[str, str] | None:
    if not isinstance(node, syntax.Versus):
        return None
    return unbracketed(str(node.left)), unbracketed(str(node.right))


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(0.2), duration(90), duration(7200), duration(1e9)
    ('0.2 seconds', '90 seconds', '2 hours', '32 years')
    """
    for unit, size in (("years", 31_536_000), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.1g} seconds" if seconds < 1 else f"{seconds:.0f} seconds"


def answer(text: str, notation: Notation = "auto") -> list[Line]:
    """Read, plan and answer a text.

    >>> [round(line.pmf.mean, 4) for line in answer("4D6kh3; D6 > D8")]
    [12.2446, 0.3125]
    """
    return Plan(read(text, notation)).answer()

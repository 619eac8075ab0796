"""Front-door operations on dice: answer a program of the dice language, plan it, roll it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engine.dice.language.errors import LanguageError
from engine.dice.language.native.tokens import MAX_LENGTH
from engine.dice.language.program import Line, Notation, Plan, read
from engine.dice.roller import SeededRoller, SystemRoller
from engine.wire import Document, EngineError, Op

MOST_RUNS = 1_000_000


class DiceInput(Document):
    expression: str = Field(max_length=200)


class RollInput(DiceInput):
    seed: int | None = None


class RollResult(Document):
    expression: str
    faces: tuple[int, ...]
    total: int


class DistributionResult(Document):
    expression: str
    low: int
    pmf: tuple[float, ...] = Field(description="pmf[i] = P(total = low + i)")
    mean: float
    sd: float
    quantiles: dict[str, int]


class ProgramInput(Document):
    program: str = Field(max_length=MAX_LENGTH, description="Lines of the dice language")
    notation: Notation = "auto"
    simulate: int = Field(0, ge=0, le=MOST_RUNS, description="Rolls for each line instead of the exact answer")
    seed: int = Field(0, description="Seed of a simulation")


class Answer(Document):
    label: str
    expression: str
    kind: Literal["number", "truth", "text"]
    low: int = Field(description="The lowest result; for texts the first of labels")
    pmf: tuple[float, ...] = Field(description="pmf[i] = P(result = low + i)")
    labels: tuple[str, ...] = Field(description="What results are called: labels[low + i]; empty for numbers")
    mean: float
    sd: float
    quantiles: dict[str, int]
    family: dict[str, int] = Field(description="Values of the loops this line was drawn for")
    method: tuple[str, ...]
    notes: tuple[str, ...]
    margin: float = Field(description="0 when exact; else the margin of a chance, 95 times in 100")


class ProgramResult(Document):
    notation: Literal["oddsmith", "roll20", "anydice"]
    program: str = Field(description="The program in the native notation")
    remarks: tuple[str, ...]
    predicted_seconds: float
    answers: tuple[Answer, ...]


class PlanLine(Document):
    expression: str
    predicted_seconds: float
    results: int = Field(description="How many different results there can be at most")
    method: tuple[str, ...]


class PlanResult(Document):
    notation: Literal["oddsmith", "roll20", "anydice"]
    verdict: Literal["page", "job", "refuse"]
    predicted_seconds: float
    lines: tuple[PlanLine, ...]


QUANTILES = {"5": 0.05, "25": 0.25, "50": 0.5, "75": 0.75, "95": 0.95}


def roll(request: RollInput) -> RollResult:
    """Roll an expression once.

    >>> roll(RollInput(expression="2D6+1", seed=3)) == roll(RollInput(expression="2D6+1", seed=3))
    True
    """
    plan = _single(request.expression)
    roller = SystemRoller() if request.seed is None else SeededRoller(request.seed)
    output, value, dice = plan.roll(roller)[0]
    assert isinstance(value, int)
    return RollResult(expression=str(output.value), faces=tuple(die.face for die in dice), total=value)


def distribution(request: DiceInput) -> DistributionResult:
    """Every total of an expression with its chance.

    >>> distribution(DiceInput(expression="D4")).pmf
    (0.25, 0.25, 0.25, 0.25)
    """
    line = _single(request.expression).answer()[0]
    return DistributionResult(
        expression=line.text,
        low=line.pmf.low,
        pmf=tuple(line.pmf.p.tolist()),
        mean=line.pmf.mean,
        sd=line.pmf.sd,
        quantiles=_quantiles(line),
    )


def program(request: ProgramInput) -> ProgramResult:
    """Answer every line of a program exactly, or by as many rolls as asked.

    >>> [answer.mean for answer in program(ProgramInput(program="2D6; D6 > 3")).answers]
    [7.0, 0.5]
    """
    plan = Plan(read(request.program, request.notation))
    lines = plan.simulate(request.simulate, request.seed) if request.simulate else plan.answer()
    return ProgramResult(
        notation=plan.program.notation,
        program=str(plan.program),
        remarks=plan.program.remarks,
        predicted_seconds=plan.seconds,
        answers=tuple(map(_answer, lines)),
    )


def plan(request: ProgramInput) -> PlanResult:
    """What a program would take, without answering it.

    >>> plan(ProgramInput(program="2D6")).verdict
    'page'
    """
    made = Plan(read(request.program, request.notation))
    return PlanResult(
        notation=made.program.notation,
        verdict=made.verdict,
        predicted_seconds=made.seconds,
        lines=tuple(
            PlanLine(expression=text, predicted_seconds=line.seconds, results=line.shape.span, method=line.steps)
            for text, line in zip(made.texts, made.lines, strict=True)
        ),
    )


def _single(expression: str) -> Plan:
    """A program of one line whose result is a number."""
    try:
        made = Plan(read(expression))
    except LanguageError as error:
        raise _in_expression(error) from error
    if len(made.outputs) != 1:
        raise _in_expression(LanguageError("Here is more than one line", "Ask for one thing, or use dice.program."))
    if made.verdict == "refuse":
        raise _in_expression(made.refusal())
    if made.kind(0) == "text":
        raise _in_expression(LanguageError("The result is a text", "Use dice.program for texts."))
    return made


def _in_expression(error: LanguageError) -> EngineError:
    known = {key: error.details[key] for key in ("constraint", "expected", "actual")}
    return EngineError(error.message, code=error.code, field="expression", **known)


def _quantiles(line: Line) -> dict[str, int]:
    return {name: line.pmf.quantile(q) for name, q in QUANTILES.items()}


def _answer(line: Line) -> Answer:
    return Answer(
        label=line.label,
        expression=line.text,
        kind=line.kind,
        low=line.pmf.low,
        pmf=tuple(line.pmf.p.tolist()),
        labels=line.labels,
        mean=line.pmf.mean,
        sd=line.pmf.sd,
        quantiles=_quantiles(line),
        family=dict(line.family),
        method=line.plan.steps,
        notes=line.plan.notes,
        margin=line.margin,
    )


OPS = (
    Op("dice.roll", "Roll dice notation once", RollInput, RollResult, roll),
    Op(
        "dice.distribution",
        "Every total of dice notation with its chance",
        DiceInput,
        DistributionResult,
        distribution,
    ),
    Op("dice.program", "Answer every line of a dice program exactly", ProgramInput, ProgramResult, program),
    Op("dice.plan", "What a dice program would take to answer", ProgramInput, PlanResult, plan),
)

"""Front-door operations on plain dice: roll an expression, or get its whole distribution."""

from __future__ import annotations

from pydantic import Field

from engine.dice.notation import parse
from engine.dice.roller import SeededRoller, SystemRoller
from engine.wire import Document, Op


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


QUANTILES = {"5": 0.05, "25": 0.25, "50": 0.5, "75": 0.75, "95": 0.95}


def roll(request: RollInput) -> RollResult:
    """Roll an expression once.

    >>> roll(RollInput(expression="2D6+1", seed=3)) == roll(RollInput(expression="2D6+1", seed=3))
    True
    """
    expression = parse(request.expression)
    roller = SystemRoller() if request.seed is None else SeededRoller(request.seed)
    faces = tuple(roller.roll(sides) for sides in expression.dice)
    return RollResult(expression=str(expression), faces=faces, total=expression.total(faces))


def distribution(request: DiceInput) -> DistributionResult:
    """Every total of an expression with its chance.

    >>> distribution(DiceInput(expression="D4")).pmf
    (0.25, 0.25, 0.25, 0.25)
    """
    expression = parse(request.expression)
    total = expression.distribution
    return DistributionResult(
        expression=str(expression),
        low=total.low,
        pmf=tuple(total.p.tolist()),
        mean=total.mean,
        sd=total.sd,
        quantiles={name: total.quantile(q) for name, q in QUANTILES.items()},
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
)

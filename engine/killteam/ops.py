"""The front-door operations of Kill Team: documents in, documents out."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from engine.killteam.advice import Mistake, shoot_mistakes
from engine.killteam.fight import Budget, Plan
from engine.killteam.fight.line import LinePlan, Step
from engine.killteam.pool import distribution, outcomes, roll_of
from engine.killteam.profile import MAX_DICE, Attacker, Defender, Fighter, FightOptions, Profile, ShootOptions
from engine.killteam.shoot import matrix, shoot
from engine.killteam.simulate import choices_plan, estimate, fight_samples, shoot_samples
from engine.wire import Document, EngineError, Op

MAX_MATRIX_PAIRS = 10_000


class DiceResult(Document):
    outcomes: tuple[tuple[int, int, float], ...] = Field(description="[criticals, normals, probability]")


class ShootInput(Document):
    attacker: Attacker
    defender: Defender
    options: ShootOptions = ShootOptions()


class ShootWarning(Document):
    """A :class:`Mistake` on the wire."""

    code: str
    field: str
    message: str
    fix: str


class ShootResult(Document):
    pmf: tuple[float, ...] = Field(description="pmf[d] = P(damage = d), over all rounds, not capped by wounds")
    mean: float
    sd: float
    kill_probability: float
    warnings: tuple[ShootWarning, ...]


class FightInput(Document):
    fighter1: Fighter
    fighter2: Fighter
    options: FightOptions = FightOptions()


class FightResult(Document):
    wounds1_pmf: tuple[float, ...] = Field(description="Wounds fighter 1 has left")
    wounds2_pmf: tuple[float, ...]
    joint_pmf: tuple[tuple[float, ...], ...] = Field(description="jointPmf[w1][w2]")
    kill_probability1: float = Field(description="P(fighter 1 kills fighter 2)")
    kill_probability2: float = Field(description="P(fighter 2 kills fighter 1)")


class MatrixInput(Document):
    attackers: tuple[Attacker, ...] = Field(min_length=1, max_length=500)
    defenders: tuple[Defender, ...] = Field(min_length=1, max_length=500)
    options: ShootOptions = ShootOptions()


class MatrixResult(Document):
    """Rows are attackers, columns are defenders."""

    kill_probability: tuple[tuple[float, ...], ...]
    mean: tuple[tuple[float, ...], ...]
    wounds_left: tuple[tuple[float, ...], ...]


class SimulateInput(Document):
    """A shooting situation or a fight: give ``shoot`` or ``fight``."""

    shoot: ShootInput | None = None
    fight: FightInput | None = None
    iterations: int = Field(default=100_000, ge=100, le=2_000_000)
    seed: int = Field(default=0, ge=0)


class Quantity(Document):
    """A simulated mean; ``series`` holds [games, mean, standard error] as the games add up."""

    mean: float
    standard_error: float
    series: tuple[tuple[int, float, float], ...]


class SimulateResult(Document):
    quantities: dict[str, Quantity]
    pmfs: dict[str, tuple[float, ...]]
    iterations: int


class LineInput(Document):
    fighter1: Fighter
    fighter2: Fighter
    crits1: int = Field(ge=0, le=MAX_DICE)
    norms1: int = Field(ge=0, le=MAX_DICE)
    crits2: int = Field(ge=0, le=MAX_DICE)
    norms2: int = Field(ge=0, le=MAX_DICE)
    options: FightOptions = FightOptions()


class LineAlternative(Document):
    action: str
    win: float = Field(description="P(kill) − P(be killed) for the one who moves")
    margin: float = Field(description="Expected own wounds less the enemy's")


class LineStep(Document):
    fighter: int
    action: str
    damage: int
    wounds: tuple[int, int]
    alternatives: tuple[LineAlternative, ...]


class LineResult(Document):
    steps: tuple[LineStep, ...]


def dice_op(profile: Profile) -> DiceResult:
    """Criticals and normal successes of one side's dice.

    >>> dice_op(Profile(num_dice=1, dice_stat=7)).outcomes[1]
    (1, 0, 0.16666666666666666)
    """
    return DiceResult(outcomes=outcomes(distribution(roll_of(profile))))


def shoot_op(request: ShootInput) -> ShootResult:
    """Damage of a shooting situation.

    >>> document = ShootInput(attacker=Attacker(num_dice=1, auto_norms=1, norm_dmg=2), defender=Defender(wounds=2))
    >>> shoot_op(document).kill_probability
    1.0
    """
    shot = shoot(request.attacker, request.defender, request.options)
    mistakes = shoot_mistakes(request.attacker, request.defender, request.options)
    return ShootResult(
        pmf=tuple(shot.damage.to_wire()),
        mean=shot.damage.mean,
        sd=shot.damage.sd,
        kill_probability=shot.p_kill,
        warnings=tuple(_warning(mistake) for mistake in mistakes),
    )


def _warning(mistake: Mistake) -> ShootWarning:
    return ShootWarning(code=mistake.code, field=mistake.field, message=mistake.message, fix=mistake.fix)


def fight_op(request: FightInput, seconds: float = math.inf) -> FightResult:
    """Wounds both fighters have left.

    >>> one = Fighter(num_dice=1, auto_crits=1, crit_dmg=3, wounds=3)
    >>> fight_op(FightInput(fighter1=one, fighter2=one)).joint_pmf
    ((0.0,), (0.0,), (0.0,), (1.0,))
    """
    budget = Budget(seconds=seconds)
    plan = Plan(request.fighter1, request.fighter2, request.options, budget)
    budget.refuse_longer(plan.seconds)
    outcome = plan.solve()
    wounds1, wounds2 = outcome.wounds1, outcome.wounds2
    joint = outcome.joint[: wounds1.high + 1, : wounds2.high + 1]
    return FightResult(
        wounds1_pmf=tuple(wounds1.to_wire()),
        wounds2_pmf=tuple(wounds2.to_wire()),
        joint_pmf=tuple(tuple(row) for row in joint.tolist()),
        kill_probability1=outcome.p_kill1,
        kill_probability2=outcome.p_kill2,
    )


def matrix_op(request: MatrixInput) -> MatrixResult:
    """Every attacker against every defender."""
    pairs = len(request.attackers) * len(request.defenders)
    if pairs > MAX_MATRIX_PAIRS:
        raise EngineError(
            f"{pairs:,} pairs are more than {MAX_MATRIX_PAIRS:,} at once. Split the lists.",
            field="attackers",
            constraint="pairs",
            expected=MAX_MATRIX_PAIRS,
            actual=pairs,
        )
    shots = matrix(request.attackers, request.defenders, request.options)
    return MatrixResult(
        kill_probability=tuple(tuple(shot.p_kill for shot in row) for row in shots),
        mean=tuple(tuple(shot.damage.mean for shot in row) for row in shots),
        wounds_left=tuple(tuple(shot.wounds_left for shot in row) for row in shots),
    )


def simulate_op(request: SimulateInput, seconds: float = math.inf) -> SimulateResult:
    """A situation by rolling dice, with error bars."""
    rng = np.random.default_rng(request.seed)
    if (request.shoot is None) == (request.fight is None):
        raise EngineError("Give either shoot or fight.", field="shoot", constraint="one of", expected="shoot or fight")
    samples: dict[str, NDArray[np.int64]] = {}
    kills: dict[str, NDArray[np.bool_]] = {}
    if request.shoot is not None:
        shot = request.shoot
        damage = shoot_samples(shot.attacker, shot.defender, shot.options, request.iterations, rng)
        samples, kills = {"damage": damage}, {"killProbability": damage >= shot.defender.wounds}
    elif request.fight is not None:
        duel = request.fight
        budget = Budget(seconds=seconds)
        plan = choices_plan(duel.fighter1, duel.fighter2, duel.options, budget)
        budget.refuse_longer(plan.seconds, "fight.fighter1.numDice")
        w1, w2 = fight_samples(duel.fighter1, duel.fighter2, duel.options, request.iterations, rng, budget)
        samples, kills = {"wounds1": w1, "wounds2": w2}, {"killProbability1": w2 == 0, "killProbability2": w1 == 0}
    drawn = {**samples, **kills}
    return SimulateResult(
        quantities={name: _quantity(values.astype(np.float64)) for name, values in drawn.items()},
        pmfs={name: tuple((np.bincount(values) / request.iterations).tolist()) for name, values in samples.items()},
        iterations=request.iterations,
    )


def _quantity(values: NDArray[np.float64]) -> Quantity:
    result = estimate(values)
    return Quantity(mean=result.mean, standard_error=result.standard_error, series=result.series)


def line_op(request: LineInput, seconds: float = math.inf) -> LineResult:
    """The recommended line for dice on the table."""
    fighters, hands = (
        (request.fighter1, request.fighter2),
        ((request.crits1, request.norms1), (request.crits2, request.norms2)),
    )
    budget = Budget(seconds=seconds)
    plan = LinePlan(*fighters, *hands, request.options, budget)
    budget.refuse_longer(plan.seconds)
    return LineResult(steps=tuple(_step(step) for step in plan.solve()))


def _step(step: Step) -> LineStep:
    alternatives = tuple(LineAlternative(action=a.action, win=a.win, margin=a.margin) for a in step.alternatives)
    return LineStep(
        fighter=step.fighter, action=step.action, damage=step.damage, wounds=step.wounds, alternatives=alternatives
    )


OPS = (
    Op("killteam.dice", "Criticals and normal successes of one side's dice", Profile, DiceResult, dice_op),
    Op("killteam.shoot", "Damage of a shooting situation", ShootInput, ShootResult, shoot_op),
    Op("killteam.fight", "Wounds both fighters have left", FightInput, FightResult, fight_op, is_bounded=True),
    Op("killteam.matrix", "Every attacker against every defender", MatrixInput, MatrixResult, matrix_op),
    Op(
        "killteam.simulate",
        "A situation by rolling dice, with error bars",
        SimulateInput,
        SimulateResult,
        simulate_op,
        is_bounded=True,
    ),
    Op("killteam.line", "What to do with the dice on the table", LineInput, LineResult, line_op, is_bounded=True),
)

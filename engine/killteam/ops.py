"""The front-door operations of Kill Team: documents in, documents out."""

from __future__ import annotations

from pydantic import Field

from engine.killteam.fight import fight
from engine.killteam.pool import distribution, outcomes, roll_of
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Profile, ShootOptions
from engine.killteam.shoot import shoot
from engine.wire import Document, Op


class DiceResult(Document):
    outcomes: tuple[tuple[int, int, float], ...]


class ShootInput(Document):
    attacker: Attacker
    defender: Defender
    options: ShootOptions = ShootOptions()


class ShootResult(Document):
    pmf: tuple[float, ...]
    mean: float
    sd: float
    kill_probability: float


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


def dice_op(profile: Profile) -> DiceResult:
    """Criticals and normal successes of one side's dice.

    >>> dice_op(Profile(num_dice=1, dice_stat=7)).outcomes[1]
    (1, 0, 0.16666666666666666)
    """
    return DiceResult(outcomes=outcomes(distribution(roll_of(profile))))


def shoot_op(request: ShootInput) -> ShootResult:
    """Damage of a shooting situation."""
    shot = shoot(request.attacker, request.defender, request.options)
    return ShootResult(
        pmf=tuple(shot.damage.to_wire()), mean=shot.damage.mean, sd=shot.damage.sd, kill_probability=shot.p_kill
    )


def fight_op(request: FightInput) -> FightResult:
    """Wounds both fighters have left."""
    outcome = fight(request.fighter1, request.fighter2, request.options)
    wounds1, wounds2 = outcome.wounds1, outcome.wounds2
    joint = outcome.joint[: wounds1.high + 1, : wounds2.high + 1]
    return FightResult(
        wounds1_pmf=tuple(wounds1.to_wire()),
        wounds2_pmf=tuple(wounds2.to_wire()),
        joint_pmf=tuple(tuple(row) for row in joint.tolist()),
        kill_probability1=outcome.p_kill1,
        kill_probability2=outcome.p_kill2,
    )


OPS = (
    Op("killteam.dice", "Criticals and normal successes of one side's dice", Profile, DiceResult, dice_op),
    Op("killteam.shoot", "Damage of a shooting situation", ShootInput, ShootResult, shoot_op),
    Op("killteam.fight", "Wounds both fighters have left", FightInput, FightResult, fight_op),
)

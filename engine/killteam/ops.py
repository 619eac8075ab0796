"""The front-door operations of Kill Team: documents in, documents out."""

from __future__ import annotations

from engine.killteam.pool import distribution, outcomes, roll_of
from engine.killteam.profile import Attacker, Defender, Profile, ShootOptions
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


OPS = (
    Op("killteam.dice", "Criticals and normal successes of one side's dice", Profile, DiceResult, dice_op),
    Op("killteam.shoot", "Damage of a shooting situation", ShootInput, ShootResult, shoot_op),
)

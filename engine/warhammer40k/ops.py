"""The front-door operations of the room."""

from __future__ import annotations

from engine.dice.pmf import Pmf
from engine.warhammer40k.attack import resolve
from engine.warhammer40k.profile import AttackInput
from engine.wire import Document, Op


class Distribution(Document):
    """``pmf[i]`` = P(value = i)."""

    mean: float
    sd: float
    pmf: tuple[float, ...]

    @classmethod
    def of(cls, pmf: Pmf) -> Distribution:
        return cls(mean=pmf.mean, sd=pmf.sd, pmf=tuple(pmf.to_wire()))


class AttackResult(Document):
    attacks: Distribution
    hits: Distribution
    wounds: Distribution
    unsaved: Distribution
    raw_damage: Distribution
    damage: Distribution
    destroyed: Distribution
    unit_destroyed_probability: float
    warnings: tuple[str, ...] = ()


def attack(request: AttackInput) -> AttackResult:
    outcome = resolve(request)
    return AttackResult(
        **{name: Distribution.of(getattr(outcome, name)) for name in
           ("attacks", "hits", "wounds", "unsaved", "raw_damage", "damage", "destroyed")},
        unit_destroyed_probability=outcome.p_wiped,
    )  # fmt: skip


OPS = (Op("warhammer40k.attack", "Exact distributions of an attack", AttackInput, AttackResult, attack),)

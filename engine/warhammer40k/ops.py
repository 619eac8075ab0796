"""The front-door operations of the room: exact, simulated, rolled, advised and explained."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import Field

from engine.dice.pmf import Pmf
from engine.dice.rolls import MAX_EXPLOSIONS, DiceRoll
from engine.warhammer40k.advice import (
    Objective,
    Value,
    WeaponAdvice,
    attacks_needed,
    best_rerolls,
    doubts,
    improvements,
    worth,
)
from engine.warhammer40k.attack import Outcome, Volley, resolve
from engine.warhammer40k.builder import CombatSequenceBuilder, Modifiers, RerollPolicy, RolledDie, Ruleset
from engine.warhammer40k.explain import explain
from engine.warhammer40k.hazard import hazard_of
from engine.warhammer40k.mixed import MixedDefender, MixedInput, MixedOutcome, resolve_mixed
from engine.warhammer40k.profile import EDITIONS, AttackInput, Reroll
from engine.warhammer40k.simulate import simulate
from engine.warhammer40k.stages import Stages
from engine.wire import Document, Op

STAGES = ("hits", "wounds", "unsaved", "raw_damage", "damage", "destroyed")


class Distribution(Document):
    """``pmf[i]`` = P(value = i)."""

    mean: float
    sd: float
    pmf: tuple[float, ...]

    @classmethod
    def of(cls, pmf: Pmf) -> Distribution:
        return cls(mean=pmf.mean, sd=pmf.sd, pmf=tuple(pmf.to_wire()))


class Hint(Document):
    """A warning and the field it belongs beside."""

    field: str
    message: str


class FunnelRow(Document):
    """One weapon's averages at each stage."""

    name: str
    attacks: float
    hits: float
    wounds: float
    unsaved: float
    raw_damage: float


class Hazard(Document):
    """Hazard rolls of one weapon line: failures, and the mortal wounds they cost (None: the bearer is destroyed)."""

    weapon: int
    rolls: int
    fail_chance: float
    failures: Distribution
    mortal_wounds_each: int | None


class PointsReport(Document):
    """What the attack costs and takes, in points."""

    spent: float
    destroyed: float
    per_kill: float | None = Field(description="points spent for each model removed; None when none ever is")


class AttackResult(Document):
    edition: str
    attacks: Distribution
    hits: Distribution
    wounds: Distribution
    unsaved: Distribution
    raw_damage: Distribution
    damage: Distribution
    destroyed: Distribution
    unit_destroyed_probability: float
    funnel: tuple[FunnelRow, ...]
    hazards: tuple[Hazard, ...]
    points: PointsReport | None
    warnings: tuple[str, ...]
    hints: tuple[Hint, ...]


def attack(request: AttackInput) -> AttackResult:
    """Every distribution of an attack.

    >>> attack(AttackInput()).damage.pmf
    (1.0,)
    """
    outcome = resolve(request)
    hints = _hints(request, [one.stages for one in outcome.volleys])
    return AttackResult(
        edition=request.rules.edition,
        attacks=Distribution.of(outcome.attacks),
        hits=Distribution.of(outcome.hits),
        wounds=Distribution.of(outcome.wounds),
        unsaved=Distribution.of(outcome.unsaved),
        raw_damage=Distribution.of(outcome.raw_damage),
        damage=Distribution.of(outcome.damage),
        destroyed=Distribution.of(outcome.destroyed),
        unit_destroyed_probability=outcome.p_wiped,
        funnel=tuple(_funnel(one) for one in outcome.volleys),
        hazards=tuple(_hazards(outcome)),
        points=_points(outcome),
        warnings=tuple(hint.message for hint in hints),
        hints=hints,
    )


def _hints(request: AttackInput, tables: list[Stages] | None = None) -> tuple[Hint, ...]:
    return tuple(Hint(field=doubt.field, message=doubt.message) for doubt in doubts(request, tables))


def _funnel(one: Volley) -> FunnelRow:
    return FunnelRow(
        name=one.weapon.name,
        attacks=one.attacks.mean,
        hits=one.hits.mean,
        wounds=one.wounds.mean,
        unsaved=one.unsaved.mean,
        raw_damage=one.raw_damage.mean,
    )


def _hazards(outcome: Outcome) -> list[Hazard]:
    rows = []
    for at, one in enumerate(outcome.volleys):
        hazard = hazard_of(one.weapon, one.stages.rules.edition)
        if hazard is not None:
            rows.append(
                Hazard(
                    weapon=at,
                    rolls=hazard.rolls,
                    fail_chance=hazard.fail_chance,
                    failures=Distribution.of(hazard.failures),
                    mortal_wounds_each=hazard.mortal_wounds_each,
                )
            )
    return rows


def _points(outcome: Outcome) -> PointsReport | None:
    spent = sum(one.weapon.points * one.weapon.count for one in outcome.volleys)
    if not spent:
        return None
    kills = outcome.destroyed.mean
    taken = kills * outcome.defender.points
    return PointsReport(spent=spent, destroyed=taken, per_kill=spent / kills if kills else None)


# -- units of different models --------------------------------------------------------------------------------------


class GroupResult(Document):
    """What one group of models loses."""

    name: str
    models: int
    destroyed: Distribution
    destroyed_probability: float = Field(description="that none of them is left")


class MixedResult(Document):
    edition: str
    toughness: int = Field(description="wound rolls were made against it")
    order: tuple[str, ...] = Field(description="bodyguards in the order they took wounds; empty: decided anew")
    hits: Distribution
    wounds: Distribution
    damage: Distribution
    destroyed: Distribution
    groups: tuple[GroupResult, ...]
    unit_destroyed_probability: float
    points_lost: float


def mixed(request: MixedInput) -> MixedResult:
    """An attack on a unit of different models, group by group.

    >>> unit = {"groups": [{"name": "Guard", "toughness": 3, "wounds": 1}]}
    >>> mixed(MixedInput.model_validate({"defender": unit})).order
    ('Guard',)
    """
    outcome = resolve_mixed(request)
    unit = request.defender
    return MixedResult(
        edition=request.rules.edition,
        toughness=unit.wound_toughness,
        order=tuple(_group_name(unit, at) for at in outcome.order),
        hits=Distribution.of(outcome.hits),
        wounds=Distribution.of(outcome.wounds),
        damage=Distribution.of(outcome.damage),
        destroyed=Distribution.of(outcome.destroyed),
        groups=tuple(_group_result(outcome, at) for at in range(len(unit.groups))),
        unit_destroyed_probability=outcome.p_wiped,
        points_lost=outcome.points_lost,
    )


def _group_result(outcome: MixedOutcome, at: int) -> GroupResult:
    removed, group = outcome.destroyed_of(at), outcome.unit.groups[at]
    return GroupResult(
        name=_group_name(outcome.unit, at),
        models=group.models,
        destroyed=Distribution.of(removed),
        destroyed_probability=removed.exactly(group.models),
    )


def _group_name(unit: MixedDefender, at: int) -> str:
    return unit.groups[at].name or f"Group {at + 1}"


# -- simulate -----------------------------------------------------------------------------------------------------


class SimulateInput(AttackInput):
    iterations: int = Field(10_000, ge=1, le=10_000_000)
    seed: int = Field(0, ge=0)


class SimulatedDistribution(Distribution):
    standard_error: float = Field(description="of the mean")


class SimulateResult(Document):
    edition: str
    iterations: int
    seed: int
    hits: SimulatedDistribution
    wounds: SimulatedDistribution
    unsaved: SimulatedDistribution
    raw_damage: SimulatedDistribution
    damage: SimulatedDistribution
    destroyed: SimulatedDistribution
    unit_destroyed_probability: float
    standard_error: float = Field(description="of the chance to destroy the unit")
    warnings: tuple[str, ...]


def simulated(request: SimulateInput) -> SimulateResult:
    """The same document, rolled many times."""
    done = simulate(request, request.iterations, request.seed)
    stages = {}
    for stage in STAGES:
        pmf = done.distribution(stage)
        error = done.standard_error(stage)
        stages[stage] = SimulatedDistribution(mean=pmf.mean, sd=pmf.sd, pmf=tuple(pmf.to_wire()), standard_error=error)
    return SimulateResult(
        edition=request.rules.edition,
        iterations=request.iterations,
        seed=request.seed,
        **stages,
        unit_destroyed_probability=done.p_wiped,
        standard_error=done.p_wiped_error,
        warnings=tuple(hint.message for hint in _hints(request)),
    )


# -- roll one combat ----------------------------------------------------------------------------------------------

BuilderReroll = Literal["none", "ones", "failed", "all"]


class PhaseRerolls(Document):
    hit: BuilderReroll = "none"
    wound: BuilderReroll = "none"
    save: BuilderReroll = "none"


class PhaseModifiers(Document):
    hit: int = Field(0, ge=-20, le=20)
    wound: int = Field(0, ge=-20, le=20)
    save: int = Field(0, ge=-20, le=20)


class ExplodingHits(Document):
    on: int = 6
    extra: int = 1


class MortalWounds(Document):
    on: int = 6
    count: int = 1


class RollInput(Document):
    """A builder sequence. Without a seed the dice come from the system's cryptographic randomness."""

    attacks: int
    hitting: int
    wounding: int
    saving: int | None = None
    damage: int = 1
    rerolls: PhaseRerolls = PhaseRerolls()
    modifiers: PhaseModifiers = PhaseModifiers()
    exploding_hits: ExplodingHits | None = None
    mortal_wounds: MortalWounds | None = None
    max_explosions: Annotated[int, Field(ge=0, le=1000)] = MAX_EXPLOSIONS
    ruleset: Literal["dice_engine", "tenth"] = "dice_engine"
    seed: int | None = None


class Die(Document):
    face: int
    sides: int
    proof: str
    entropy: str
    is_reroll: bool

    @classmethod
    def of(cls, roll: DiceRoll) -> Die:
        return cls(face=roll.value, sides=roll.sides, proof=roll.proof, entropy=roll.entropy, is_reroll=roll.is_reroll)


class PhaseDie(Document):
    """One die of a phase: first face, reroll if there was one, and what came of it."""

    original: Die
    reroll: Die | None
    effective: int
    success: bool
    triggered: bool
    exploded_from: int | None

    @classmethod
    def of(cls, die: RolledDie) -> PhaseDie:
        return cls(
            original=Die.of(die.original),
            reroll=Die.of(die.reroll) if die.reroll else None,
            effective=die.effective,
            success=die.success,
            triggered=die.triggered,
            exploded_from=die.exploded_from,
        )


class RollResult(Document):
    ruleset: str
    attacks: int
    hits: int
    wounds: int
    saves: int
    unsaved: int
    damage: int
    mortal_wounds: int
    hit_rerolls: int
    wound_rerolls: int
    save_rerolls: int
    explosions_capped: bool
    hit_rolls: tuple[PhaseDie, ...]
    wound_rolls: tuple[PhaseDie, ...]
    save_rolls: tuple[PhaseDie, ...]
    verified: bool


def sequence(request: RollInput) -> CombatSequenceBuilder:
    """The builder a document describes."""
    plan = CombatSequenceBuilder(
        seed=request.seed, ruleset=Ruleset(request.ruleset), max_explosions=request.max_explosions
    )
    plan.attacks(request.attacks).hitting(request.hitting).wounding(request.wounding).damage(request.damage)
    if request.saving is not None:
        plan.saving(request.saving)
    rerolls, modifiers = request.rerolls, request.modifiers
    plan.with_rerolls(RerollPolicy(rerolls.hit), RerollPolicy(rerolls.wound), RerollPolicy(rerolls.save))
    plan.with_modifiers(Modifiers(modifiers.hit, modifiers.wound, modifiers.save))
    if request.exploding_hits:
        plan.with_exploding_hits(request.exploding_hits.on, request.exploding_hits.extra)
    if request.mortal_wounds:
        plan.with_mortal_wounds(request.mortal_wounds.on, request.mortal_wounds.count)
    return plan


def roll(request: RollInput) -> RollResult:
    """One combat, rolled once, with every die and its proof."""
    result = sequence(request).execute()
    counted = {
        name: getattr(result, name)
        for name in (
            "attacks",
            "hits",
            "wounds",
            "saves",
            "unsaved",
            "damage",
            "mortal_wounds",
            "hit_rerolls",
            "wound_rerolls",
            "save_rerolls",
            "explosions_capped",
        )
    }
    return RollResult(
        ruleset=request.ruleset,
        **counted,
        verified=result.verify(),
        hit_rolls=tuple(map(PhaseDie.of, result.hit_rolls)),
        wound_rolls=tuple(map(PhaseDie.of, result.wound_rolls)),
        save_rolls=tuple(map(PhaseDie.of, result.save_rolls)),
    )


# -- advice and arithmetic ----------------------------------------------------------------------------------------


class PolicyInput(AttackInput):
    """The weapons' reroll fields are read as permissions."""

    objective: Objective = "damage"


class Worth(Document):
    damage: float
    kills: float
    wipe: float

    @classmethod
    def of(cls, value: Value) -> Worth:
        return cls(**asdict(value))


class PolicyOption(Document):
    hit: Reroll
    wound: Reroll
    damage_keep_from: int
    worth: Worth


class PolicyRow(Document):
    name: str
    best: PolicyOption
    options: tuple[PolicyOption, ...]
    fishing_hits: float | None = Field(description="gain of fishing for critical hits; negative is a cost")
    fishing_wounds: float | None


class PolicyResult(Document):
    objective: Objective
    edition: str
    worth: Worth
    weapons: tuple[PolicyRow, ...]


def policy(request: PolicyInput) -> PolicyResult:
    """Which dice to reroll."""
    value, advice = best_rerolls(request, request.objective)
    return PolicyResult(
        objective=request.objective,
        edition=request.rules.edition,
        worth=Worth.of(value),
        weapons=tuple(map(_policy_row, advice)),
    )


def _policy_row(advice: WeaponAdvice) -> PolicyRow:
    options = tuple(
        PolicyOption(hit=p.hit, wound=p.wound, damage_keep_from=p.damage_keep_from, worth=Worth.of(value))
        for p, value in advice.options
    )
    best = next(at for at, (p, _) in enumerate(advice.options) if p == advice.best)
    return PolicyRow(
        name=advice.name,
        best=options[best],
        options=options,
        fishing_hits=advice.fishing_hits,
        fishing_wounds=advice.fishing_wounds,
    )


class ImproveInput(AttackInput):
    level: float = Field(0.9, gt=0, lt=1, description="the chance to destroy the unit that is wanted")
    weapon: int = Field(0, ge=0, description="whose attacks are added")


class LiftRow(Document):
    label: str
    p_wiped: float
    gain: float
    reaches: bool


class ImproveResult(Document):
    edition: str
    level: float
    now: Worth
    extra_attacks: int | None = Field(description="fewest further attacks of the weapon that reach the level")
    improvements: tuple[LiftRow, ...]


def improve(request: ImproveInput) -> ImproveResult:
    """What lifts the chance to destroy the unit past a level."""
    return ImproveResult(
        edition=request.rules.edition,
        level=request.level,
        now=Worth.of(worth(request)),
        extra_attacks=attacks_needed(request, request.level, request.weapon),
        improvements=tuple(LiftRow(**asdict(lift)) for lift in improvements(request, request.level)),
    )


class StepRow(Document):
    weapon: int | None
    stage: str
    label: str
    value: float
    why: str


class ExplainResult(Document):
    edition: str
    title: str
    steps: tuple[StepRow, ...]


def explained(request: AttackInput) -> ExplainResult:
    """The arithmetic with the reader's own numbers."""
    steps = tuple(StepRow(**asdict(step)) for step in explain(resolve(request)))
    edition = request.rules.edition
    return ExplainResult(edition=edition, title=EDITIONS[edition].title, steps=steps)


OPS = (
    Op("warhammer40k.attack", "Exact distributions of an attack", AttackInput, AttackResult, attack),
    Op("warhammer40k.mixed", "Exact attack on a unit of different models", MixedInput, MixedResult, mixed),
    Op("warhammer40k.simulate", "The same attack rolled many times", SimulateInput, SimulateResult, simulated),
    Op("warhammer40k.roll", "One combat, every die with its proof", RollInput, RollResult, roll),
    Op("warhammer40k.policy", "Which dice to reroll", PolicyInput, PolicyResult, policy),
    Op("warhammer40k.improve", "What lifts the chance to destroy the unit", ImproveInput, ImproveResult, improve),
    Op("warhammer40k.explain", "The arithmetic, step by step", AttackInput, ExplainResult, explained),
)

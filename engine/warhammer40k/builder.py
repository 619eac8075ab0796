"""The Dice-Engine: one combat, rolled die by die, with every die, reroll and proof kept.

Two rulesets (ruling W1). ``DICE_ENGINE``: an unmodified 6 succeeds by itself when wounding and saving but not when
hitting, modifiers simply sum and the modified roll is clamped to 1–6, mortal wounds come beside the wound, and
exploding hits roll further attack dice that may explode in turn. ``TENTH``: an unmodified 6 also hits, net modifiers
count for one at most, saves have no automatic 6, a mortal wound trigger is Devastating Wounds (no save, the weapon's
damage), and exploding hits are Sustained Hits: extra hits without a roll, never cascading (ruling W2).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Self

from engine.dice.roller import EntropySource, Roller
from engine.dice.rolls import MAX_EXPLOSIONS, DiceRoll, DiceTray
from engine.warhammer40k.stages import clamped
from engine.wire import EngineError

MAX_ATTACKS, MAX_DAMAGE = 1000, 100
log = logging.getLogger(__name__)


class RerollPolicy(Enum):
    NONE = "none"
    ONES = "ones"
    FAILED = "failed"
    #: Every die, whether it succeeded or not.
    ALL = "all"


class Ruleset(Enum):
    DICE_ENGINE = "dice_engine"
    TENTH = "tenth"


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What is added to each roll before it is compared with its target."""

    hit: int = 0
    wound: int = 0
    save: int = 0

    def __post_init__(self) -> None:
        for name in ("hit", "wound", "save"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"The {name} modifier must be a whole number, not {type(value).__name__}.")


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die of a phase: as first rolled, as rerolled if it was, and what came of it."""

    original: DiceRoll
    reroll: DiceRoll | None
    effective: int
    success: bool
    #: The trigger of the phase (exploding hits, mortal wounds), on the unmodified face.
    triggered: bool = False
    #: Index in the phase of the die that set this one off.
    exploded_from: int | None = None

    @property
    def final(self) -> DiceRoll:
        return self.reroll or self.original


@dataclass(frozen=True, slots=True)
class CombatResult:
    """One resolved combat with its whole audit trail."""

    attacks: int = 0
    hits: int = 0
    wounds: int = 0
    saves: int = 0
    unsaved: int = 0
    damage: int = 0
    mortal_wounds: int = 0
    hit_rerolls: int = 0
    wound_rerolls: int = 0
    save_rerolls: int = 0
    explosions_capped: bool = False
    hit_rolls: tuple[RolledDie, ...] = ()
    wound_rolls: tuple[RolledDie, ...] = ()
    save_rolls: tuple[RolledDie, ...] = ()

    @property
    def dice(self) -> tuple[DiceRoll, ...]:
        """Every die in the order it was rolled, rerolls after their originals."""
        phases = (*self.hit_rolls, *self.wound_rolls, *self.save_rolls)
        return tuple(roll for die in phases for roll in (die.original, die.reroll) if roll)

    @property
    def reroll_counts(self) -> dict[str, int]:
        return {"hit": self.hit_rerolls, "wound": self.wound_rerolls, "save": self.save_rerolls}

    def verify(self) -> bool:
        """Does every die follow from its revealed entropy?"""
        return all(die.verify() for die in self.dice)


@dataclass(frozen=True, slots=True)
class _Trigger:
    on: int
    count: int


@dataclass(slots=True)
class CombatSequenceBuilder:
    """Describe a combat, then roll it.

    >>> fight = CombatSequenceBuilder(seed=4).attacks(10).hitting(3).wounding(4).saving(5).damage(2)
    >>> fight.validate()
    []
    >>> fight.execute().attacks
    10
    """

    source: EntropySource | Roller | None = None
    seed: int | None = None
    ruleset: Ruleset = Ruleset.DICE_ENGINE
    max_explosions: int = MAX_EXPLOSIONS
    _attacks: int | None = field(default=None, init=False)
    _targets: dict[str, int] = field(default_factory=dict, init=False)
    _damage: int = field(default=1, init=False)
    _rerolls: dict[str, RerollPolicy] = field(default_factory=dict, init=False)
    _modifiers: Modifiers = field(default=Modifiers(), init=False)
    _exploding: _Trigger | None = field(default=None, init=False)
    _mortals: _Trigger | None = field(default=None, init=False)

    # -- describing -----------------------------------------------------------------------------------------------

    def attacks(self, count: int) -> Self:
        self._attacks = _whole("attacks", count, 0, MAX_ATTACKS)
        return self

    def hitting(self, target: int) -> Self:
        return self._target("hitting", target)

    def wounding(self, target: int) -> Self:
        return self._target("wounding", target)

    def saving(self, target: int) -> Self:
        """The save; 7 is none. Left out, there is no save."""
        return self._target("saving", target)

    def damage(self, per_wound: int) -> Self:
        self._damage = _whole("damage", per_wound, 0, MAX_DAMAGE)
        return self

    def with_rerolls(
        self,
        hit: RerollPolicy = RerollPolicy.NONE,
        wound: RerollPolicy = RerollPolicy.NONE,
        save: RerollPolicy = RerollPolicy.NONE,
    ) -> Self:
        self._rerolls = {"hit": RerollPolicy(hit), "wound": RerollPolicy(wound), "save": RerollPolicy(save)}
        return self

    def with_modifiers(self, mods: Modifiers | None = None, *, hit: int = 0, wound: int = 0, save: int = 0) -> Self:
        """Either a :class:`Modifiers` or its fields by name."""
        self._modifiers = mods or Modifiers(hit, wound, save)
        return self

    def with_exploding_hits(self, on: int = 6, extra: int = 1) -> Self:
        self._exploding = _Trigger(_whole("explodingHits.on", on, 2, 6), _whole("explodingHits.extra", extra, 1, 6))
        return self

    def with_mortal_wounds(self, on: int = 6, count: int = 1) -> Self:
        self._mortals = _Trigger(_whole("mortalWounds.on", on, 2, 6), _whole("mortalWounds.count", count, 1, 6))
        return self

    def _target(self, name: str, target: int) -> Self:
        self._targets[name] = _whole(name, target, 2, 7)
        return self

    def validate(self) -> list[str]:
        """What is still missing or contradictory; empty when the combat can be rolled."""
        missing = [] if self._attacks is not None else ["Say how many attacks there are: .attacks(10)."]
        missing += [
            f"Say what is needed when {name}: .{name}(4)."
            for name in ("hitting", "wounding")
            if name not in self._targets
        ]
        if self.ruleset is Ruleset.TENTH and self._mortals and self._mortals.count > 1:
            missing.append("In the tenth edition a devastating wound deals the weapon's damage; its count must be 1.")
        return missing

    # -- rolling --------------------------------------------------------------------------------------------------

    def execute(self) -> CombatResult:
        """Roll the combat. No attacks at all is a valid, empty result."""
        problems = self.validate()
        if self._attacks == 0:
            return CombatResult()
        if problems or self._attacks is None:
            raise EngineError(
                " ".join(problems), field="sequence", constraint="complete", expected="attacks, hitting, wounding"
            )
        return _Combat(self, DiceTray(self.source, seed=self.seed), self._attacks).resolve()


class _Combat:
    """One execution of a builder."""

    def __init__(self, plan: CombatSequenceBuilder, tray: DiceTray, attacks: int) -> None:
        self.plan, self.tray, self.count = plan, tray, attacks
        self.tenth = plan.ruleset is Ruleset.TENTH
        self.capped = False

    def resolve(self) -> CombatResult:
        plan = self.plan
        hit_rolls = self._hit_phase()
        bonus = plan._exploding.count if self.tenth and plan._exploding else 0
        hits = sum(die.success * (1 + bonus * die.triggered) for die in hit_rolls)
        wound_rolls = [self._wound_die() for _ in range(hits)]
        devastating = sum(die.triggered for die in wound_rolls) if self.tenth else 0
        wounds = sum(die.success for die in wound_rolls)
        save_rolls = [self._save_die() for _ in range(wounds - devastating)] if "saving" in plan._targets else []
        saves = sum(die.success for die in save_rolls)
        unsaved = wounds - devastating - saves
        mortals = self._mortal_wounds(wound_rolls)
        return CombatResult(
            attacks=self.count,
            hits=hits,
            wounds=wounds,
            saves=saves,
            unsaved=unsaved,
            damage=unsaved * plan._damage + mortals,
            mortal_wounds=mortals,
            hit_rerolls=_rerolls(hit_rolls),
            wound_rerolls=_rerolls(wound_rolls),
            save_rerolls=_rerolls(save_rolls),
            explosions_capped=self.capped,
            hit_rolls=tuple(hit_rolls),
            wound_rolls=tuple(wound_rolls),
            save_rolls=tuple(save_rolls),
        )

    def _hit_phase(self) -> list[RolledDie]:
        """Every attack die, each followed by the dice it sets off."""
        dice: list[RolledDie] = []
        for _ in range(self.count):
            first = len(dice)
            dice.append(self._hit_die())
            if not self.tenth and self.plan._exploding:
                self._explode(dice, first)
        return dice

    def _explode(self, dice: list[RolledDie], first: int) -> None:
        assert self.plan._exploding is not None
        parent = first
        while parent < len(dice):
            for _ in range(self.plan._exploding.count if dice[parent].triggered else 0):
                if len(dice) - first > self.plan.max_explosions:
                    self._cap()
                    return
                dice.append(replace(self._hit_die(), exploded_from=parent))
            parent += 1

    def _cap(self) -> None:
        self.capped = True
        if self.plan.max_explosions:
            log.warning("An attack stopped exploding at the limit of %d extra dice.", self.plan.max_explosions)

    def _mortal_wounds(self, wound_rolls: list[RolledDie]) -> int:
        if not self.plan._mortals:
            return 0
        each = self.plan._damage if self.tenth else self.plan._mortals.count
        return each * sum(die.triggered for die in wound_rolls)

    def _hit_die(self) -> RolledDie:
        return self._die("hit", "hitting", self.plan._modifiers.hit, sixes=self.tenth, trigger=self.plan._exploding)

    def _wound_die(self) -> RolledDie:
        return self._die("wound", "wounding", self.plan._modifiers.wound, sixes=True, trigger=self.plan._mortals)

    def _save_die(self) -> RolledDie:
        return self._die("save", "saving", self.plan._modifiers.save, sixes=not self.tenth, trigger=None)

    def _die(self, phase: str, target: str, modifier: int, *, sixes: bool, trigger: _Trigger | None) -> RolledDie:
        """One die: reroll it once if the policy says so, modify it, compare it."""
        need = self.plan._targets[target]
        by = clamped(modifier) if self.tenth and phase != "save" else modifier

        def succeeds(face: int) -> bool:
            critical = self.tenth and trigger is not None and face >= trigger.on
            return face != 1 and (critical or (sixes and face == 6) or effective_roll(face, by) >= need)

        original = self.tray.roll(6)
        again = _is_rerolled(self.plan._rerolls.get(phase, RerollPolicy.NONE), original.value, succeeds)
        reroll = self.tray.reroll(original) if again else None
        face = (reroll or original).value
        return RolledDie(
            original, reroll, effective_roll(face, by), succeeds(face), trigger is not None and face >= trigger.on
        )


def effective_roll(face: int, modifier: int) -> int:
    """The modified roll, which is still a face of the die.

    >>> effective_roll(1, 10), effective_roll(6, -10)
    (6, 1)
    """
    return min(6, max(1, face + modifier))


def _is_rerolled(policy: RerollPolicy, face: int, succeeds: Callable[[int], bool]) -> bool:
    return {
        RerollPolicy.NONE: False,
        RerollPolicy.ONES: face == 1,
        RerollPolicy.FAILED: not succeeds(face),
        RerollPolicy.ALL: True,
    }[policy]


def _rerolls(dice: list[RolledDie]) -> int:
    return sum(die.reroll is not None for die in dice)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise EngineError(
            f"{name} must be {low}–{high}; you entered {value}.",
            field=name,
            constraint="range",
            expected=f"{low}–{high}",
            actual=value,
        )
    return int(value)


class DiceEngine(DiceTray):
    """The Dice-Engine's own name for a tray that can also roll a whole combat."""

    def combat_roll(self, attacks: int, hit_on: int, wound_on: int, save_on: int, damage: int = 1) -> CombatResult:
        """A plain combat, as version 1.0 rolled it.

        >>> DiceEngine(seed=2).combat_roll(0, 3, 4, 5).damage
        0
        """
        plan = CombatSequenceBuilder(self.source).attacks(attacks).hitting(hit_on).wounding(wound_on)
        return plan.saving(save_on).damage(damage).execute()

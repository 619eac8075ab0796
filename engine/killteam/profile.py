"""What a player enters: the sides of a shot or a fight, the options, and the table of abilities.

Everything is an immutable document; ``changed`` makes a checked copy. Field names and meanings are those of the
reference calculator. A field left out is off: no re-roll, no ability, 0.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from engine.wire import Document, EngineError

MAX_DICE = 20
MAX_WOUNDS = 99
MAX_DAMAGE = 30  # more than any weapon prints; keeps the longest damage distribution below 11,000 values


class Reroll(StrEnum):
    NONE = "none"
    BALANCED = "balanced"
    DOUBLE_BALANCED = "double_balanced"
    REROLL_ONES = "reroll_ones"
    RELENTLESS = "relentless"
    CRIT_FISH_RELENTLESS = "crit_fish_relentless"
    ONES_PLUS_BALANCED = "ones_plus_balanced"
    MOST_COMMON_FAIL = "most_common_fail"
    CEASELESS_PLUS_BALANCED = "ceaseless_plus_balanced"


class Ability(StrEnum):
    PUNISHING = "fail_to_norm_if_crit"
    PURITY_SEAL = "purity_seal"
    INDOMITUS = "indomitus"
    CLOSE_ASSAULT = "fail_to_norm_if_two_successes"
    WAAAGH = "norm_to_crit_if_two_norms"
    SEVERE = "severe"
    MYSTIC_SCRY_BUFF = "mystic_scry_buff"
    RENDING = "rending"
    ELITE_MODERATE = "elite_moderate"
    ELITE_EXTREME = "elite_extreme"
    OBSCURED_TARGET = "obscured_target"
    SATURATE = "saturate"
    JUST_A_SCRATCH = "just_a_scratch"
    JUST_A_SCRATCH_NORMS = "just_a_scratch_norms"
    DURABLE = "durable"
    BRUTAL = "brutal"
    SHOCK = "shock"
    STUN = "stun"
    DUELIST = "duelist"
    DUELLER = "dueller"
    STORM_SHIELD = "storm_shield"
    HAMMERHAND = "hammerhand"
    MURDEROUS_ENTRANCE = "murderous_entrance"


class FnpMode(StrEnum):
    PER_POINT = "per_point"
    PER_HIT = "per_hit"


class Strategy(StrEnum):
    STRIKE = "strike"
    PARRY = "parry"
    MAX_DMG_TO_ENEMY = "max_dmg_to_enemy"
    MIN_DMG_TO_SELF = "min_dmg_to_self"
    OPTIMAL = "optimal"


class Rule(NamedTuple):
    """One row of a rules table. ``phase`` is when it works: dice, shoot, fight, or shoot+fight."""

    key: str
    title: str
    text: str
    edition: str
    phase: str


# The texts are ours. Editions: 2021, 2024, or both; "2026" marks rules first met in team updates of that year.
ABILITIES: tuple[Rule, ...] = (
    Rule("fail_to_norm_if_crit", "Punishing", "With a critical, one fail becomes a normal success.", "2024", "dice"),
    Rule("purity_seal", "Purity seal", "Give up two fails for one normal success.", "2021", "dice"),
    Rule("indomitus", "Indomitus", "When saving, give up two fails for one normal save.", "2026", "dice"),
    Rule("fail_to_norm_if_two_successes", "Close assault",
         "With two or more successes, one fail becomes a normal success.", "2021", "dice"),
    Rule("norm_to_crit_if_two_norms", "Waaagh!",
         "With two or more normal successes, one of them becomes a critical.", "2021", "dice"),
    Rule("severe", "Severe", "With no critical, one normal success becomes a critical.", "2024", "dice"),
    Rule("mystic_scry_buff", "Mystic scrying",
         "Improve one die by a step (normal to critical, or fail to normal), whichever is worth more.", "2026", "dice"),
    Rule("rending", "Rending", "With a critical, one normal success becomes a critical.", "2021 and 2024", "dice"),
    Rule("elite_moderate", "Elite, moderate",
         "One fail becomes a normal success; without a fail, one normal becomes a critical.", "2021", "dice"),
    Rule("elite_extreme", "Elite, extreme",
         "One fail becomes a critical; without a fail, one normal becomes a critical.", "2021", "dice"),
    Rule("obscured_target", "Obscured target",
         "The attacker's criticals count as normal hits and one hit is discarded.", "2024", "shoot"),
    Rule("saturate", "Saturate", "The target keeps no automatic saves from cover.", "2024", "shoot"),
    Rule("just_a_scratch", "Just a scratch",
         "Ignore one hit before saves when shot at; in a fight, ignore the damage of the first strike.",
         "2021", "shoot+fight"),
    Rule("just_a_scratch_norms", "Just a scratch (normal hits)", "Ignore a normal hit before saves.", "2026", "shoot"),
    Rule("durable", "Durable", "The first critical does 1 less damage, never below 3.", "2021", "shoot+fight"),
    Rule("brutal", "Brutal", "The opponent can parry only with criticals.", "2021 and 2024", "fight"),
    Rule("shock", "Shock",
         "The first critical strike also discards an unresolved enemy success, a normal before a critical.",
         "2024", "fight"),
    Rule("stun", "Stun", "The first critical strike also discards an enemy normal success.", "2021", "fight"),
    Rule("duelist", "Duelist", "Parry once before the first strike.", "2021", "fight"),
    Rule("dueller", "Dueller",
         "A critical parry stops a critical and a normal success, or two normal successes.", "2021", "fight"),
    Rule("storm_shield", "Storm shield", "Each parry stops two successes.", "2021", "fight"),
    Rule("hammerhand", "Hammerhand", "The first strike does 1 more damage.", "2021", "fight"),
    Rule("murderous_entrance", "Murderous entrance",
         "After the first critical strike, strike again at once.", "2021", "fight"),
)  # fmt: skip

REROLLS: tuple[Rule, ...] = (
    Rule("none", "No re-roll", "Every die stays as it fell.", "2021 and 2024", "dice"),
    Rule("balanced", "Balanced", "Re-roll one failed die.", "2021 and 2024", "dice"),
    Rule("double_balanced", "Balanced twice", "Re-roll up to two failed dice.", "2021", "dice"),
    Rule("reroll_ones", "Re-roll ones", "Re-roll every die that shows a failing 1.", "2021", "dice"),
    Rule("relentless", "Relentless", "Re-roll every failed die.", "2021 and 2024", "dice"),
    Rule("crit_fish_relentless", "Relentless for criticals", "Re-roll every die that is not a critical.",
         "2021 and 2024", "dice"),
    Rule("ones_plus_balanced", "Ones and balanced", "Re-roll failing 1s, then one other failed die.", "2021", "dice"),
    Rule("most_common_fail", "Ceaseless", "Re-roll all dice of the failing face that came up most.", "2024", "dice"),
    Rule("ceaseless_plus_balanced", "Ceaseless and balanced",
         "Re-roll the commonest failing face, then one other failed die.", "2024", "dice"),
)  # fmt: skip

# Of each group a model may have one (spec, "Mutual Exclusivity Groups").
EXCLUSIVE: tuple[tuple[str, frozenset[Ability]], ...] = (
    (
        "fighting style",
        frozenset(
            {
                Ability.CLOSE_ASSAULT,
                Ability.DUELLER,
                Ability.HAMMERHAND,
                Ability.STORM_SHIELD,
                Ability.WAAAGH,
                Ability.MURDEROUS_ENTRANCE,
            }
        ),
    ),
    ("elite", frozenset({Ability.ELITE_MODERATE, Ability.ELITE_EXTREME})),
    ("rending or severe", frozenset({Ability.RENDING, Ability.SEVERE})),
)


def _camel_to_snake(value: Any) -> Any:
    """The rulings write perPoint, the wire writes enums in snake case: both are understood."""
    return {"perPoint": "per_point", "perHit": "per_hit"}.get(value, value) if isinstance(value, str) else value


def _in_order(abilities: tuple[Ability, ...]) -> tuple[Ability, ...]:
    return tuple(sorted(set(abilities)))


Count = Annotated[int, Field(ge=0, le=MAX_DICE)]
Damage = Annotated[int, Field(ge=0, le=MAX_DAMAGE)]
Wounds = Annotated[int, Field(ge=0, le=MAX_WOUNDS, description="0 = already out of action")]
Threshold = Annotated[int, Field(ge=0, le=7)]
Mode = Annotated[FnpMode, BeforeValidator(_camel_to_snake)]
Abilities = Annotated[tuple[Ability, ...], Field(max_length=64), AfterValidator(_in_order)]


class Side(Document):
    """The dice of one side: how many, what succeeds, what is re-rolled and what is changed afterwards."""

    num_dice: Count = 0
    dice_stat: Threshold = Field(default=0, description="Success on this or more; 7 = only a critical succeeds")
    reroll: Reroll = Reroll.NONE
    auto_crits: Count = Field(default=0, description="Of the dice, kept as criticals without a roll")
    auto_norms: Count = Field(default=0, description="Of the dice, kept as normal successes without a roll")
    fails_to_norms: Count = 0
    norms_to_crits: Count = 0
    abilities: Abilities = ()
    severe_triggers_crit_rules: bool = Field(
        default=False, description="Severe may set off Rending and Punishing (2021 reading, ruling K4)"
    )

    @model_validator(mode="after")
    def _stat_is_given(self) -> Self:
        if self.dice_stat == 0 and self.num_dice > self.auto_crits + self.auto_norms and not self.stat_to_beat:
            raise EngineError(
                "diceStat must be 1–7 when dice are rolled.",
                field="diceStat",
                constraint="range",
                expected="1–7",
                actual=self.dice_stat,
            )
        return self

    @property
    def stat_to_beat(self) -> int:
        return self.dice_stat

    @property
    def crit_on_asked(self) -> int:
        """The critical threshold as entered (Lethal, Hardy); 0 = the usual 6."""
        return 0

    @property
    def crit_on(self) -> int:
        """Criticals on this or more. Only a success can be one (ruling K3); a 6 always is, unless switched off (7)."""
        return max(self.crit_on_asked, min(self.stat_to_beat, 6)) if self.crit_on_asked else 6

    def has(self, ability: Ability) -> bool:
        return ability in self.abilities

    def changed(self, **values: Any) -> Self:
        """A copy with other values, checked like new input.

        >>> Side(num_dice=4, dice_stat=3).changed(dice_stat=4).dice_stat
        4
        """
        return type(self).model_validate({**dict(self), **values}, by_name=True)

    def with_ability(self, ability: Ability) -> Self:
        """A copy that has the ability, and has lost whatever the ability excludes.

        >>> Side(abilities=(Ability.SEVERE,)).with_ability(Ability.RENDING).abilities
        (<Ability.RENDING: 'rending'>,)
        """
        rivals = {other for _, group in EXCLUSIVE if ability in group for other in group}
        return self.changed(abilities=(*(a for a in self.abilities if a not in rivals), ability))

    def conflicts(self) -> list[tuple[str, tuple[Ability, ...]]]:
        """Groups of which more than one ability is set."""
        held = [(name, tuple(a for a in self.abilities if a in group)) for name, group in EXCLUSIVE]
        return [(name, abilities) for name, abilities in held if len(abilities) > 1]


class Attacker(Side):
    """A ranged weapon in somebody's hands."""

    norm_dmg: Damage = 0
    crit_dmg: Damage = 0
    lethal: Threshold = Field(default=0, description="Criticals on this or more; 0 = 6, 7 = never")
    mwx: Damage = Field(default=0, description="Devastating: damage per critical that no save stops")
    apx: Count = Field(default=0, description="Piercing: defence dice removed")
    px: Count = Field(default=0, description="Piercing Crits: defence dice removed if a critical is kept")

    @property
    def crit_on_asked(self) -> int:
        return self.lethal


class Defender(Side):
    """The target of a shot."""

    wounds: Wounds = 0
    invuln_save: int = Field(default=0, ge=0, le=6)
    fnp: int = Field(default=0, ge=0, le=6, description="Feel No Pain on this or more; 0 = none")
    fnp_mode: Mode | None = Field(default=None, description="Overrides the option of that name for this side")
    hardyx: Threshold = Field(default=0, description="Critical saves on this or more; 0 = 6, 7 = never")
    saintly_relics: int = Field(default=0, ge=0, le=2, description="Dice that may ignore one hit per round (6+)")

    @property
    def stat_to_beat(self) -> int:
        return self.invuln_save or self.dice_stat

    @property
    def crit_on_asked(self) -> int:
        return self.hardyx


class Fighter(Side):
    """One of the two in a fight."""

    wounds: Wounds = 0
    norm_dmg: Damage = 0
    crit_dmg: Damage = 0
    lethal: Threshold = 0
    fnp: int = Field(default=0, ge=0, le=6)
    fnp_mode: Mode | None = None

    @property
    def crit_on_asked(self) -> int:
        return self.lethal


class Profile(Attacker, Defender):
    """Any side whatever: every field of every role, for questions about the dice alone."""

    @property
    def crit_on_asked(self) -> int:
        return self.lethal or self.hardyx


class ShootOptions(Document):
    num_rounds: int = Field(default=1, ge=1, le=9)
    fire_team_rules: bool = False
    fnp_mode: Mode = FnpMode.PER_POINT
    severe_triggers_crit_rules: bool = False
    strict: bool = Field(default=False, description="Refuse abilities that exclude each other")


class FightOptions(Document):
    strategy1: Strategy = Strategy.MAX_DMG_TO_ENEMY
    strategy2: Strategy = Strategy.MAX_DMG_TO_ENEMY
    num_rounds: int = Field(default=1, ge=1, le=5)
    first_fighter: int = Field(default=1, ge=1, le=2, description="Who strikes first in every round")
    injury: bool = Field(default=False, description="Below half wounds: hits one worse from the next round (K10)")
    fnp_mode: Mode = FnpMode.PER_POINT
    severe_triggers_crit_rules: bool = False
    strict: bool = False


def refuse_conflicts(**sides: Side) -> None:
    """Raise for the first pair of abilities that exclude each other; how ``strict`` is enforced."""
    for field, side in sides.items():
        for group, abilities in side.conflicts():
            names = ", ".join(abilities)
            raise EngineError(
                f"Only one {group} ability at a time; {field} has {names}.",
                field=f"{field}.abilities",
                constraint="exclusive",
                expected="one of the group",
                actual=names,
            )

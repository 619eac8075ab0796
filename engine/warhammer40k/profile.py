"""What an attack is made of: weapons, the unit they are fired at, and the rules in force. Editions are data.

A dice field takes a number or ``XDy+Z``. Zero and ``null`` both mean "none" for an invulnerable save, Feel No Pain and
Anti; an Armour Save of 7 means none. AP is a magnitude: AP-2 is 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator
from pydantic.alias_generators import to_camel

from engine.dice.notation import Expression, parse
from engine.dice.pmf import Pmf
from engine.wire import Document, EngineError

Reroll = Literal["none", "ones", "failed", "noncrit", "all"]
DamageReroll = Literal["none", "ones", "below_average", "all"]
EditionName = Literal["tenth", "eleventh"]


@lru_cache(maxsize=4096)
def expression(text: str, field: str = "expression") -> Expression:
    """Parse XDy+Z once; the game has no dice of which only the best are kept."""
    parsed = parse(text, field=field)
    kept = any(term.keep < term.count for term in parsed.terms if term.sides)
    most = sum(term.count * (max(1, term.sides) if term.sign > 0 else -1) for term in parsed.terms)
    if kept or most < 0:
        why = (
            f"{text} is always negative" if most < 0 else f"“{text}” leaves dice out, and Warhammer counts all of them"
        )
        raise EngineError(
            f"{why}; write it like 2D6+3.",
            field=field,
            constraint="notation",
            expected="XDy+Z",
            actual=text,
        )
    return parsed


def highest(parsed: Expression) -> int:
    """The largest total of an expression."""
    return sum(term.count * (max(1, term.sides) if term.sign > 0 else -1) for term in parsed.terms)


@lru_cache(maxsize=4096)
def amount(text: str) -> Pmf:
    """The distribution of a dice field, never below 0.

    >>> amount("D3+1").mean
    3.0
    """
    return _not_negative(expression(text).distribution)


@lru_cache(maxsize=4096)
def rerolled_amount(text: str, keep_from: tuple[tuple[int, int], ...]) -> Pmf:
    """As :func:`amount`, each die of ``sides`` showing less than its ``keep_from`` rerolled once.

    >>> round(rerolled_amount("D6", ((6, 4),)).mean, 2)
    4.25
    """
    lowest_kept = dict(keep_from)
    total = Pmf.point(0)
    for term in expression(text).terms:
        if not term.sides:
            total = total.shift(term.sign * term.count)
            continue
        fresh = Pmf.die(term.sides)
        kept = lowest_kept.get(term.sides, 1)
        die = Pmf.mix((1 / term.sides, fresh if face < kept else Pmf.point(face)) for face in range(1, term.sides + 1))
        dice = die.repeat(term.count)
        total = total.convolve(dice if term.sign > 0 else dice.map(lambda value: -value))
    return _not_negative(total)


def _not_negative(pmf: Pmf) -> Pmf:
    return pmf if pmf.low >= 0 else pmf.map(lambda value: max(0, value))


#: The most a dice field may come to: attacks and mortal wounds per weapon, damage, extra hits.
MOST = {"attacks": 1000, "rapid_fire": 1000, "mortal_wounds": 1000, "sustained_hits": 20}
MOST_DAMAGE = 200


camel = lru_cache(maxsize=256)(to_camel)


def _dice(value: Any, info: ValidationInfo) -> Any:
    if value is None or value is False:
        return "0"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        value = str(int(value))
    if isinstance(value, str):
        name = info.field_name or ""
        field, most = camel(name), MOST.get(name, MOST_DAMAGE)
        if highest(expression(value, field)) > most:
            raise EngineError(
                f"{field} may come to {most} at most; you entered {value}.",
                field=field,
                constraint="range",
                expected=f"0–{most}",
                actual=value,
            )
    return value


def _or_zero(value: Any) -> Any:
    return 0 if value is None else value


Dice = Annotated[str, BeforeValidator(_dice), Field(max_length=60)]
Count = Annotated[int, BeforeValidator(_or_zero), Field(ge=0, le=1000)]
#: N of "N+"; 0 or null is none.
Target = Annotated[int, BeforeValidator(_or_zero), Field(ge=0, le=10)]
Modifier = Annotated[int, BeforeValidator(_or_zero), Field(ge=-10, le=10)]
#: Any number is accepted: one outside 2–6 is ignored with a warning (ruling W4).
Threshold = Annotated[int, BeforeValidator(lambda value: 6 if value is None else value), Field(ge=-1000, le=1000)]
Points = Annotated[float, Field(ge=0, le=100_000)]


class Weapon(Document):
    """One line of the attacker's list: ``count`` weapons of the same kind."""

    name: str = Field("", max_length=120)
    type: Literal["attack", "mortal"] = "attack"
    mortal_wounds: Dice = Field("0", description="type mortal: mortal wounds per weapon, no dice to hit")
    count: Count = 1
    attacks: Dice = Field("0", description="attacks per weapon")
    skill: Target = Field(0, description="N of N+; 0: cannot hit by rolling")
    strength: Count = 0
    strength_dice: Dice = Field("0", description="added to Strength, rolled for each wound roll")
    ap: int = Field(0, ge=0, le=10, description="magnitude: AP-2 is 2")
    damage: Dice = "0"
    melee: bool = False
    torrent: bool = False
    lethal_hits: bool = False
    lethal_choice: Literal["best", "always", "never"] = Field("best", description="eleventh edition only")
    sustained_hits: Dice = "0"
    devastating_wounds: bool = False
    devastating_against: Literal["any", "monster_vehicle"] = "any"
    anti: Target = Field(0, description="N of Anti-X N+, already known to apply")
    twin_linked: bool = False
    blast: Annotated[int, BeforeValidator(_or_zero)] = Field(0, ge=0, le=10, description="true is Blast 1")
    cleave: int = Field(0, ge=0, le=10, description="eleventh edition, melee against one unit")
    rapid_fire: Dice = "0"
    melta: Count = 0
    half_range: bool = False
    heavy: bool = False
    stationary: bool = False
    moved_short: bool = Field(False, description='eleventh: unengaged, not set up this turn, nobody moved over 3"')
    lance: bool = False
    charged: bool = False
    ignores_cover: bool = False
    indirect: bool = False
    spotted: bool = Field(False, description="eleventh: a friendly unit sees the target of indirect fire")
    plunging_fire: bool = False
    psychic: bool = False
    overwatch: bool = Field(False, description="only unmodified sixes hit")
    hazardous: bool = False
    precision: bool = Field(False, description="wounds go to leaders first, where a unit has some")
    bearer_monster_vehicle: bool = Field(False, description="every model of the attacker is a Monster or Vehicle")
    hit_modifier: Modifier = 0
    wound_modifier: Modifier = 0
    critical_hit: Threshold = 6
    critical_wound: Threshold = 6
    critical_hit_needs_success: bool = False
    reroll_hits: Reroll = "none"
    reroll_wounds: Reroll = "none"
    reroll_damage: DamageReroll = Field("none", description="all: any die may be rerolled, so those below average are")
    damage_keep_from: int = Field(0, ge=0, le=1000, description="reroll damage dice below this face; 0: by the policy")
    extra_mortals_on_crit_wound: Dice = "0"
    points: Points = Field(0, description="points per weapon of the count")


class Defender(Document):
    """The unit shot at: ``models`` alike."""

    name: str = Field("", max_length=120)
    models: Count = 0
    toughness: Count = Field(0, description="0: there is nothing to wound")
    save: Annotated[int, BeforeValidator(lambda value: 7 if value is None else value)] = Field(7, ge=0, le=10)
    invulnerable: Target = 0
    wounds: Annotated[int, BeforeValidator(_or_zero)] = Field(0, ge=0, le=100_000)
    feel_no_pain: Target = 0
    feel_no_pain_mortal: Target = 0
    damage_reduction: Count = 0
    halve_damage: bool = False
    damage_minimum: int = Field(1, ge=0, le=1)
    hit_modifier: Modifier = 0
    wound_modifier: Modifier = 0
    cover: bool = False
    stealth: bool = False
    monster_vehicle: bool = False
    save_modifier: Modifier = 0
    reroll_saves: Reroll = "none"
    wounds_already_lost: Annotated[int, BeforeValidator(_or_zero)] = Field(0, ge=0)
    points: Points = Field(0, description="points per model")

    @model_validator(mode="after")
    def _wounded_model_lives(self) -> Defender:
        if self.wounds_already_lost and self.wounds_already_lost >= self.wounds:
            raise EngineError(
                f"A model with {self.wounds} wounds can have lost at most {max(0, self.wounds - 1)}; "
                f"you entered {self.wounds_already_lost}.",
                field="defender.woundsAlreadyLost",
                constraint="range",
                expected=f"0–{max(0, self.wounds - 1)}",
                actual=self.wounds_already_lost,
            )
        return self

    @property
    def total_wounds(self) -> int:
        """Wounds the unit still has."""
        return max(0, self.models * self.wounds - self.wounds_already_lost) if self.models else 0


class Rules(Document):
    """Which wording is in force."""

    edition: EditionName = "tenth"
    devastating: Literal["no_spill", "spill"] = Field("no_spill", description="spill: the June 2023 launch wording")


class AttackInput(Document):
    """Weapons fired in this order into one unit."""

    weapons: tuple[Weapon, ...] = Field((), max_length=40)
    defender: Annotated[Defender, BeforeValidator(lambda value: {} if value is None else value)] = Defender()
    rules: Annotated[Rules, BeforeValidator(lambda value: {} if value is None else value)] = Rules()


@dataclass(frozen=True, slots=True)
class Edition:
    """What differs between editions in the attack sequence. A row of ``EDITIONS`` is a whole edition."""

    title: str
    #: Benefit of Cover: worse Ballistic Skill (outside the ±1 cap, never worse than 6+) instead of a better save.
    cover_worsens_skill: bool
    #: Stealth: the Benefit of Cover against ranged attacks, or -1 to hit.
    stealth_is_cover: bool
    plunging_ap: int
    plunging_skill: int
    #: A devastating attack ends as mortal wounds, so abilities that lower an attack's Damage never see it.
    devastating_unreduced: bool
    heavy_after_short_move: bool
    indirect_hit_modifier: int
    #: Highest unmodified face that always misses: not spotted, and spotted by a friend while stationary.
    indirect_misses: int
    indirect_spotted_misses: int
    indirect_hit_rerolls: bool
    overwatch_hit_rerolls: bool
    cleave: bool
    lethal_is_a_choice: bool
    psychic_ignores_penalties: bool
    #: Hazardous: highest failing face, and mortal wounds per failure for (others, Monsters and Vehicles); None: the
    #: bearer is destroyed.
    hazard_fails_to: int
    hazard_mortal_wounds: tuple[int | None, int]
    #: Mixed units: all saves of a weapon are rolled together and applied lowest first, not one wound at a time.
    saves_lowest_first: bool


EDITIONS: dict[EditionName, Edition] = {
    "tenth": Edition(
        title="10th edition",
        cover_worsens_skill=False,
        stealth_is_cover=False,
        plunging_ap=1,
        plunging_skill=0,
        devastating_unreduced=False,
        heavy_after_short_move=False,
        indirect_hit_modifier=-1,
        indirect_misses=3,
        indirect_spotted_misses=3,
        indirect_hit_rerolls=True,
        overwatch_hit_rerolls=True,
        cleave=False,
        lethal_is_a_choice=False,
        psychic_ignores_penalties=False,
        hazard_fails_to=1,
        hazard_mortal_wounds=(None, 3),
        saves_lowest_first=False,
    ),
    # Core rules of 2026: 13.08 cover, 22.05 plunging fire, 10.07 indirect fire, 15.09 snap shooting, 05 saves.
    "eleventh": Edition(
        title="11th edition",
        cover_worsens_skill=True,
        stealth_is_cover=True,
        plunging_ap=0,
        plunging_skill=1,
        devastating_unreduced=True,
        heavy_after_short_move=True,
        indirect_hit_modifier=0,
        indirect_misses=5,
        indirect_spotted_misses=3,
        indirect_hit_rerolls=False,
        overwatch_hit_rerolls=False,
        cleave=True,
        lethal_is_a_choice=True,
        psychic_ignores_penalties=True,
        hazard_fails_to=2,
        hazard_mortal_wounds=(1, 3),
        saves_lowest_first=True,
    ),
}

"""From profiles to dice: what each face of the hit, wound and save die means, and what one wound then does.

Everything that computes or rolls an attack (exact, simulated, explained) reads these tables, so a rule is written
once. Modifiers follow the tenth edition: net hit and wound modifiers are capped at ±1, an unmodified 1 fails, an
unmodified 6 hits and wounds, and saves have no automatic 6 (ruling W1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.dice.lazy import lazy
from engine.dice.pmf import Pmf
from engine.warhammer40k.profile import (
    EDITIONS,
    Defender,
    Edition,
    Reroll,
    Rules,
    Weapon,
    amount,
    expression,
    rerolled_amount,
)

FACES = range(1, 7)
FAIL, SUCCESS, CRITICAL = 0, 1, 2
#: A permission to reroll covers these outcomes; "ones" looks at the face instead.
REROLLED_OUTCOMES: dict[Reroll, tuple[int, ...]] = {
    "none": (),
    "ones": (),
    "failed": (FAIL,),
    "noncrit": (FAIL, SUCCESS),
    "all": (FAIL, SUCCESS, CRITICAL),
}


@dataclass(frozen=True)
class DieTable:
    """One kind of die: what it needs, what faces 1–6 mean, and which of them are rerolled."""

    need: int
    critical: int
    outcomes: tuple[int, ...]
    rerolled: tuple[bool, ...]

    def chance(self, outcome: int) -> float:
        """The chance of an outcome after the reroll, from whole 36ths."""
        first = sum(o == outcome and not again for o, again in zip(self.outcomes, self.rerolled, strict=True))
        fresh = sum(o == outcome for o in self.outcomes)
        return (6 * first + sum(self.rerolled) * fresh) / 36

    @lazy
    def chances(self) -> tuple[float, float, float]:
        """P(fail), P(plain success), P(critical)."""
        return self.chance(FAIL), self.chance(SUCCESS), self.chance(CRITICAL)


@lru_cache(maxsize=4096)
def die_table(need: int, critical: int, outcomes: tuple[int, ...], reroll: Reroll) -> DieTable:
    covered = REROLLED_OUTCOMES[reroll]
    again = tuple(o in covered or (reroll == "ones" and face == 1) for face, o in zip(FACES, outcomes, strict=True))
    return DieTable(need, critical, outcomes, again)


def clamped(modifier: int) -> int:
    """Net modifiers never count for more than one."""
    return max(-1, min(1, modifier))


def critical_on(threshold: int) -> int:
    """A critical threshold outside 2–6 is ignored (ruling W4)."""
    return threshold if 2 <= threshold <= 6 else 6


def wound_target(strength: int, toughness: int) -> int:
    """The wound table.

    >>> [wound_target(s, 4) for s in (8, 5, 4, 3, 2)]
    [2, 3, 4, 5, 6]
    """
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


@dataclass(frozen=True)
class Stages:
    """One weapon against one unit under one edition: the tables of its attack sequence."""

    weapon: Weapon
    defender: Defender
    rules: Rules

    @lazy
    def edition(self) -> Edition:
        return EDITIONS[self.rules.edition]

    # -- how many attacks -----------------------------------------------------------------------------------------

    @lazy
    def extra_attacks(self) -> int:
        """Blast and Cleave: so many more dice per weapon for every five models."""
        per_five = self.weapon.blast + (self.weapon.cleave if self.edition.cleave and self.weapon.melee else 0)
        return per_five * (self.defender.models // 5)

    @lazy
    def attacks(self) -> Pmf:
        """Attack dice of one weapon of the count."""
        total = amount(self.weapon.attacks).shift(self.extra_attacks)
        return total.convolve(amount(self.weapon.rapid_fire)) if self.weapon.half_range else total

    # -- the hit roll ---------------------------------------------------------------------------------------------

    @lazy
    def in_cover(self) -> bool:
        defender, weapon = self.defender, self.weapon
        hidden = defender.cover or weapon.indirect or (self.edition.stealth_is_cover and defender.stealth)
        return hidden and not weapon.melee and not weapon.ignores_cover

    @lazy
    def heavy_applies(self) -> bool:
        short = self.edition.heavy_after_short_move and self.weapon.moved_short
        return self.weapon.heavy and (self.weapon.stationary or short)

    @lazy
    def hit_modifiers(self) -> tuple[tuple[str, int], ...]:
        """Every modifier of the hit roll with its reason, before the cap."""
        weapon, defender = self.weapon, self.defender
        stealth = defender.stealth and not self.edition.stealth_is_cover and not weapon.melee
        listed = (
            ("attacker", weapon.hit_modifier),
            ("target", defender.hit_modifier),
            ("Heavy", int(self.heavy_applies)),
            ("Indirect Fire", self.edition.indirect_hit_modifier if weapon.indirect else 0),
            ("Stealth", -int(stealth)),
        )
        ignores = weapon.psychic and self.edition.psychic_ignores_penalties
        return tuple((why, value) for why, value in listed if value > 0 or (value and not ignores))

    @lazy
    def hit_modifier(self) -> int:
        return clamped(sum(value for _, value in self.hit_modifiers))

    @lazy
    def skill(self) -> int:
        """The skill characteristic after cover and plunging fire where the edition puts them there."""
        weapon, edition, skill = self.weapon, self.edition, self.weapon.skill
        if not skill or weapon.melee:
            return skill
        ignores = weapon.psychic and edition.psychic_ignores_penalties
        worse = int(self.in_cover and edition.cover_worsens_skill and not ignores)
        better = edition.plunging_skill if weapon.plunging_fire else 0
        return min(skill + worse - better, max(6, skill))

    @lazy
    def always_misses(self) -> int:
        """The highest unmodified face that cannot hit, whatever the skill."""
        weapon, edition = self.weapon, self.edition
        if weapon.overwatch:
            return 5
        if not weapon.indirect:
            return 1
        spotted = weapon.spotted and weapon.stationary
        return edition.indirect_spotted_misses if spotted else edition.indirect_misses

    @lazy
    def hit(self) -> DieTable | None:
        """The hit die, or None when every attack hits by itself (Torrent)."""
        weapon = self.weapon
        if weapon.torrent:
            return None
        need, critical = max(2, self.skill - self.hit_modifier), critical_on(weapon.critical_hit)
        outcomes = tuple(self._hit_outcome(face, need, critical) for face in FACES)
        return die_table(need, critical, outcomes, self.hit_reroll)

    def _hit_outcome(self, face: int, need: int, critical: int) -> int:
        if face <= self.always_misses or not self.weapon.skill:
            return FAIL
        succeeds = face >= need or face == 6
        if face >= critical and (succeeds or not self.weapon.critical_hit_needs_success):
            return CRITICAL
        return SUCCESS if succeeds else FAIL

    @lazy
    def hit_reroll(self) -> Reroll:
        barred = (self.weapon.indirect and not self.edition.indirect_hit_rerolls) or (
            self.weapon.overwatch and not self.edition.overwatch_hit_rerolls
        )
        return "none" if barred else self.weapon.reroll_hits

    @lazy
    def hit_chances(self) -> tuple[float, float, float]:
        return self.hit.chances if self.hit else (0.0, 1.0, 0.0)

    # -- the wound roll -------------------------------------------------------------------------------------------

    @lazy
    def wound_modifiers(self) -> tuple[tuple[str, int], ...]:
        weapon = self.weapon
        lance = int(weapon.lance and weapon.charged)
        listed = (("attacker", weapon.wound_modifier), ("target", self.defender.wound_modifier), ("Lance", lance))
        return tuple((why, value) for why, value in listed if value)

    @lazy
    def wound_modifier(self) -> int:
        return clamped(sum(value for _, value in self.wound_modifiers))

    @lazy
    def critical_wound(self) -> int:
        return min(critical_on(self.weapon.critical_wound), critical_on(self.weapon.anti))

    @lazy
    def wound_reroll(self) -> Reroll:
        """Twin-linked rerolls failed wound rolls; a wider permission of the weapon's own stands."""
        own = self.weapon.reroll_wounds
        return "failed" if self.weapon.twin_linked and own in ("none", "ones") else own

    @lazy
    def wound(self) -> DieTable:
        """The wound die; where Strength is rolled, that of the average one."""
        rolled = amount(self.weapon.strength_dice).mean if self.rolls_strength else 0
        return self.wound_on(wound_target(self.weapon.strength + round(rolled), self.defender.toughness))

    def wound_on(self, base: int) -> DieTable:
        """The wound die where Strength and Toughness ask for ``base``."""
        need, critical = max(2, base - self.wound_modifier), self.critical_wound
        outcomes = tuple(self._wound_outcome(face, need, critical) for face in FACES)
        return die_table(need, critical, outcomes, self.wound_reroll)

    @lazy
    def rolls_strength(self) -> bool:
        return self.weapon.strength_dice != "0"

    @lazy
    def wound_chances(self) -> tuple[float, float, float]:
        """P(fail), P(wound), P(critical wound) of a hit, over every Strength there may be."""
        if not self.rolls_strength:
            return self.wound.chances
        strength, toughness = self.weapon.strength, self.defender.toughness
        fails = plain = critical = 0.0
        for rolled, p in amount(self.weapon.strength_dice).items():
            chances = self.wound_on(wound_target(strength + rolled, toughness)).chances
            fails, plain, critical = fails + p * chances[0], plain + p * chances[1], critical + p * chances[2]
        return fails, plain, critical

    def _wound_outcome(self, face: int, need: int, critical: int) -> int:
        if face == 1 or not self.defender.toughness:
            return FAIL
        return CRITICAL if face >= critical else SUCCESS if face >= need else FAIL

    # -- abilities on criticals -----------------------------------------------------------------------------------

    @lazy
    def devastating(self) -> bool:
        against = self.weapon.devastating_against == "any" or self.defender.monster_vehicle
        return self.weapon.devastating_wounds and against

    @lazy
    def spills(self) -> bool:
        """The launch wording let devastating damage run on to the next model; only the tenth edition ever did."""
        return self.rules.devastating == "spill" and self.rules.edition == "tenth"

    @lazy
    def lethal(self) -> bool:
        """Does a critical hit wound by itself? Where that is a choice, whatever deals more expected damage."""
        weapon = self.weapon
        if not weapon.lethal_hits or not self.defender.toughness:
            return False
        if not self.edition.lethal_is_a_choice or weapon.lethal_choice == "always":
            return True
        return weapon.lethal_choice == "best" and self.value_of_wound >= self.value_of_hit

    @lazy
    def value_of_wound(self) -> float:
        """Expected damage of a wound that was not critical."""
        return self.unsaved_chance * self.damage.mean

    @lazy
    def value_of_critical_wound(self) -> float:
        landed = self.devastating_damage.mean if self.devastating else self.value_of_wound
        return landed + self.extra_mortals.mean

    @lazy
    def value_of_hit(self) -> float:
        """Expected damage of a hit that has to roll to wound."""
        _, plain, critical = self.wound_chances
        return plain * self.value_of_wound + critical * self.value_of_critical_wound

    @lazy
    def sustained(self) -> Pmf:
        return amount(self.weapon.sustained_hits)

    # -- the save -------------------------------------------------------------------------------------------------

    @lazy
    def ap(self) -> int:
        plunging = self.weapon.plunging_fire and not self.weapon.melee
        return self.weapon.ap + (self.edition.plunging_ap if plunging else 0)

    @lazy
    def cover_helps_save(self) -> bool:
        """Cover adds 1 to the armour save, but not to 3+ or better against AP 0 (tenth edition core rules)."""
        exempt = self.defender.save <= 3 and not self.ap
        return self.in_cover and not self.edition.cover_worsens_skill and not exempt

    @lazy
    def armour(self) -> int:
        """The armour save after AP, cover and modifiers; never improved by more than one."""
        change = min(1, self.defender.save_modifier + int(self.cover_helps_save) - self.ap)
        return max(2, self.defender.save - change)

    @lazy
    def save(self) -> DieTable:
        """The better of armour and invulnerable save; success means the wound is saved."""
        invulnerable = max(2, self.defender.invulnerable) if self.defender.invulnerable else 7
        need = min(self.armour, invulnerable, 7)
        outcomes = tuple(FAIL if face < need else CRITICAL if face == 6 else SUCCESS for face in FACES)
        return die_table(need, 6, outcomes, self.defender.reroll_saves)

    @lazy
    def unsaved_chance(self) -> float:
        return self.save.chances[FAIL]

    # -- damage ---------------------------------------------------------------------------------------------------

    @lazy
    def rolled_damage(self) -> Pmf:
        """The damage dice with the attacker's rerolls, before anything is added or taken off."""
        text, policy = self.weapon.damage, self.weapon.reroll_damage
        if policy == "none":
            return amount(text)
        sides = sorted(set(expression(text).dice))
        return rerolled_amount(text, tuple((n, self.keep_from(n)) for n in sides))

    def keep_from(self, sides: int) -> int:
        """The lowest face of a damage die that is kept: the average rounded up, unless told otherwise."""
        if self.weapon.reroll_damage == "ones":
            return 2
        return min(self.weapon.damage_keep_from, sides) if self.weapon.damage_keep_from else (sides + 2) // 2

    @lazy
    def melta(self) -> int:
        return self.weapon.melta if self.weapon.half_range else 0

    def reduced(self, base: int) -> int:
        """One attack's damage: halve (rounding up), add Melta, take off the reduction, keep the minimum."""
        defender = self.defender
        full = base + self.melta
        halved = (base + 1) // 2 + self.melta if defender.halve_damage else full
        return max(min(full, defender.damage_minimum), halved - defender.damage_reduction)

    @lazy
    def dealt(self) -> Pmf:
        """Damage of one attack before Feel No Pain."""
        unchanged = not (self.defender.halve_damage or self.defender.damage_reduction)
        return self.rolled_damage.shift(self.melta) if unchanged else self.rolled_damage.map(self.reduced)

    @lazy
    def damage(self) -> Pmf:
        """Wounds one unsaved attack takes off, after reduction and Feel No Pain, before allocation."""
        return ignoring(self.dealt, self.defender.feel_no_pain)

    @lazy
    def devastating_damage(self) -> Pmf:
        """The same for a devastating wound: the better Feel No Pain, and no reduction where it is mortal wounds."""
        full = self.rolled_damage.shift(self.melta)
        return ignoring(full if self.edition.devastating_unreduced else self.dealt, mortal_feel_no_pain(self.defender))

    @lazy
    def extra_mortals(self) -> Pmf:
        """Mortal wounds beside each critical wound, after Feel No Pain."""
        return ignoring(amount(self.weapon.extra_mortals_on_crit_wound), mortal_feel_no_pain(self.defender))


def mortal_feel_no_pain(defender: Defender) -> int:
    """The better of the two Feel No Pains; 0 when there is neither."""
    return min((n for n in (defender.feel_no_pain, defender.feel_no_pain_mortal) if n), default=0)


def ignore_chance(feel_no_pain: int) -> float:
    """The chance that Feel No Pain stops one wound; an unmodified 1 never does.

    >>> round(ignore_chance(5), 4), ignore_chance(0)
    (0.3333, 0.0)
    """
    return max(0, 7 - max(2, feel_no_pain)) / 6 if feel_no_pain else 0.0


@lru_cache(maxsize=4096)
def ignoring(damage: Pmf, feel_no_pain: int) -> Pmf:
    """Damage after one Feel No Pain roll per point."""
    lost = 1.0 - ignore_chance(feel_no_pain)
    if lost == 1.0:
        return damage
    return damage.copies_of(Pmf([1.0 - lost, lost]))

"""What Hazardous weapons do to their own side: a roll a weapon once it has fired, and what failures cost."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dice.pmf import Pmf
from engine.warhammer40k.profile import EDITIONS, EditionName, Weapon


@dataclass(frozen=True, slots=True)
class Hazard:
    """Hazard rolls of one weapon line. ``mortal_wounds_each`` None: the bearer is destroyed."""

    rolls: int
    fail_chance: float
    failures: Pmf
    mortal_wounds_each: int | None

    @property
    def mortal_wounds(self) -> Pmf:
        """Mortal wounds the bearers suffer; none where failures simply destroy."""
        each = self.mortal_wounds_each
        return self.failures.map(lambda failed: failed * each) if each else Pmf.point(0)

    def models_lost(self, wounds: int) -> Pmf:
        """Bearers lost, each of so many wounds, all of them unhurt: mortal wounds fall on one after another.

        >>> plasma = Weapon(count=6, hazardous=True)
        >>> hazard = hazard_of(plasma, "eleventh")
        >>> round(hazard.failures.mean, 4), round(hazard.models_lost(2).mean, 4)
        (2.0, 0.7503)
        """
        each = self.mortal_wounds_each
        if each is None:
            return self.failures
        return self.failures.map(lambda failed: min(self.rolls, failed * each // max(1, wounds)))


def hazard_of(weapon: Weapon, edition: EditionName) -> Hazard | None:
    """The hazard of a weapon line; None where it is not Hazardous."""
    if not weapon.hazardous:
        return None
    rules = EDITIONS[edition]
    chance = rules.hazard_fails_to / 6
    each = rules.hazard_mortal_wounds[weapon.bearer_monster_vehicle]
    return Hazard(weapon.count, chance, Pmf.binomial(weapon.count, chance), each)

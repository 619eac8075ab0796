"""Many fighters against many, each pair fought twice: once with either of them striking first.

Dice are worked out once for each fighter and the moves of a round once for each pair of dice and abilities
(:mod:`~engine.killteam.pool`, :mod:`~engine.killteam.fight.states`); a fight that occurs again is not fought again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.killteam.fight.budget import Budget
from engine.killteam.fight.plan import Outcome, Plan
from engine.killteam.profile import Fighter, FightOptions

#: Seconds that a fight takes beyond what its states take: laying it out.
LAYING_OUT = 1.5e-3
REMEMBERED = 4096  # fights of a matrix, about two kilobytes each


@dataclass(frozen=True, slots=True)
class Bout:
    """One pair. In both outcomes fighter 1 is the attacker, who strikes first if it ``charges``."""

    charges: Outcome
    waits: Outcome

    @property
    def gain(self) -> float:
        """What striking first is worth to the attacker: P(it kills) − P(it is killed), charging less waiting."""
        return (self.charges.p_kill1 - self.charges.p_kill2) - (self.waits.p_kill1 - self.waits.p_kill2)


def matrix(
    attackers: Sequence[Fighter],
    defenders: Sequence[Fighter],
    options: FightOptions | None = None,
    budget: Budget | None = None,
) -> Iterator[list[Bout]]:
    """Every attacker against every defender, row by row. ``options.first_fighter`` changes nothing here.

    >>> sure = Fighter(num_dice=1, auto_crits=1, crit_dmg=5, wounds=4)
    >>> [[(bout.charges.p_kill1, bout.gain) for bout in row] for row in matrix([sure], [sure])]
    [[(1.0, 2.0)]]
    """
    plan = options or FightOptions()
    turned = plan.model_copy(update={"strategy1": plan.strategy2, "strategy2": plan.strategy1})

    @lru_cache(maxsize=REMEMBERED)
    def fought(first: Fighter, second: Fighter, is_turned: bool) -> Outcome:
        """The one who strikes first is fighter 1."""
        how = (turned if is_turned else plan).model_copy(update={"first_fighter": 1})
        return Plan(first, second, how, budget).solve()

    differ = plan.strategy1 != plan.strategy2
    for attacker in attackers:
        yield [
            Bout(fought(attacker, defender, False), Outcome(fought(defender, attacker, differ).joint.T))
            for defender in defenders
        ]


def seconds(
    attackers: Sequence[Fighter],
    defenders: Sequence[Fighter],
    options: FightOptions | None = None,
    budget: Budget | None = None,
) -> float:
    """About how long :func:`matrix` takes on one core. Raises what it would raise.

    >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=8)
    >>> 0 < seconds([one] * 10, [one] * 10) < 2
    True
    """
    plans: dict[tuple[Fighter, Fighter], float] = {}
    total = 0.0
    for attacker in attackers:
        for defender in defenders:
            if (attacker, defender) not in plans:
                plans[attacker, defender] = LAYING_OUT + Plan(attacker, defender, options, budget).seconds
            total += 2 * plans[attacker, defender]
    return total

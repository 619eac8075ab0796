"""Which dice to roll again: every choice a re-roll rule leaves, each with what it comes to.

Dice of one kind (critical, normal, fail) are alike once they lie on the table, except to rules that name a face. So a
choice is how many dice of each face are picked up; of choices that pick up the same kinds one is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from engine.killteam.fight import Budget
from engine.killteam.fight.arena import Hand, on_the_table
from engine.killteam.fight.line import HandsPlan
from engine.killteam.pool import Grid, Roll, after_roll, distribution, roll_of
from engine.killteam.profile import Ability, Attacker, Defender, Fighter, FightOptions, Reroll, ShootOptions
from engine.killteam.shoot import shoot_with
from engine.wire import EngineError

FACES = (1, 2, 3, 4, 5, 6)
#: How many dice of any faces a rule picks up, how many faces it picks up whole or in part, and whether only 1s.
SINGLE_DICE = {
    Reroll.BALANCED: 1,
    Reroll.DOUBLE_BALANCED: 2,
    Reroll.ONES_PLUS_BALANCED: 1,
    Reroll.CEASELESS_PLUS_BALANCED: 1,
}
ANY_DICE = frozenset({Reroll.RELENTLESS, Reroll.CRIT_FISH_RELENTLESS})
ONES = frozenset({Reroll.REROLL_ONES, Reroll.ONES_PLUS_BALANCED})
ONE_FACE = frozenset({Reroll.MOST_COMMON_FAIL, Reroll.CEASELESS_PLUS_BALANCED})

Picked = tuple[int, ...]  # how many dice of each face, 1 to 6


@dataclass(frozen=True, slots=True)
class RerollChoice:
    """Dice picked up, by their faces, and what the shot then comes to."""

    faces: tuple[int, ...]
    p_kill: float
    damage: float


def reroll_choices(
    attacker: Attacker, defender: Defender, rolled: Sequence[int], options: ShootOptions | None = None
) -> list[RerollChoice]:
    """Everything the attacker's re-roll lets one do with a roll, best first: by the chance to kill, then by damage.

    >>> bolter = Attacker(num_dice=2, dice_stat=3, norm_dmg=3, crit_dmg=4, reroll="balanced")
    >>> [choice.faces for choice in reroll_choices(bolter, Defender(wounds=6), [1, 6])]
    [(1,), (), (6,)]
    """
    options = options or ShootOptions()
    obscured = defender.has(Ability.OBSCURED_TARGET)
    roll = roll_of(attacker, obscured=obscured, chain=options.severe_triggers_crit_rules)
    choices = []
    for faces, grid in _ways(attacker.reroll, rolled, roll):
        shot = shoot_with(grid, attacker, defender, options)
        choices.append(RerollChoice(faces, shot.p_kill, shot.damage.capped(defender.wounds).mean))
    return sorted(choices, key=lambda one: (-round(one.p_kill, 12), -one.damage, len(one.faces)))


@dataclass(frozen=True, slots=True)
class FightReroll:
    """Dice of a fighter picked up, by their faces, and what the fight then comes to for that fighter."""

    faces: tuple[int, ...]
    win: float  # P(kill) − P(be killed)
    margin: float  # own wounds left less the enemy's


def fight_reroll_choices(
    fighters: tuple[Fighter, Fighter],
    rolled: Sequence[int],
    *,
    who: int = 1,
    foe: Hand | None = None,
    options: FightOptions | None = None,
    budget: Budget | None = None,
) -> list[FightReroll]:
    """Everything the re-roll of fighter ``who`` lets it do with its roll, best first, both playing by ``options``.

    ``foe`` is the enemy's dice as a hand (criticals, normals); None if they are still to be rolled.

    >>> one = Fighter(num_dice=2, dice_stat=4, norm_dmg=3, crit_dmg=4, wounds=6, reroll="balanced")
    >>> best = FightOptions(strategy1="optimal", strategy2="optimal")
    >>> [choice.faces for choice in fight_reroll_choices((one, one), [1, 6], foe=(0, 1), options=best)]
    [(1,), (), (6,)]
    """
    return FightRerolls(fighters, rolled, who=who, foe=foe, options=options, budget=budget).solve()


class FightRerolls:
    """How the re-rolls of a fight will be judged: built once, it says how long that takes and does it."""

    def __init__(
        self,
        fighters: tuple[Fighter, Fighter],
        rolled: Sequence[int],
        *,
        who: int = 1,
        foe: Hand | None = None,
        options: FightOptions | None = None,
        budget: Budget | None = None,
    ) -> None:
        options = options or FightOptions()
        self.who, own, enemy = who, fighters[who - 1], fighters[2 - who]
        chain = options.severe_triggers_crit_rules
        self.ways = list(_ways(own.reroll, rolled, roll_of(own, chain=chain)))
        self.foe = on_the_table(foe) if foe is not None else distribution(roll_of(enemy, chain=chain))
        every: Grid = np.sum([grid for _, grid in self.ways], axis=0)
        odds = (every, self.foe) if who == 1 else (self.foe, every)
        self.plan = HandsPlan(fighters, odds, options, budget)

    @property
    def seconds(self) -> float:
        """About how long it takes on two cores. Raises what solving would raise."""
        return self.plan.seconds

    def solve(self) -> list[FightReroll]:
        worth = self.plan.solve()
        choices = [FightReroll(faces, *self._judged(grid, worth)) for faces, grid in self.ways]
        return sorted(choices, key=lambda one: (-round(one.win, 12), -round(one.margin, 12), len(one.faces)))

    def _judged(self, grid: Grid, worth: Mapping[tuple[Hand, Hand], tuple[float, float]]) -> tuple[float, float]:
        """Both criteria, expected over what falls again and over the enemy's dice."""
        win = margin = 0.0
        for own in _hands(grid):
            for enemy in _hands(self.foe):
                p = float(grid[own] * self.foe[enemy])
                gain, left = worth[(own, enemy) if self.who == 1 else (enemy, own)]
                win, margin = win + p * gain, margin + p * left
        return (win, margin) if self.who == 1 else (-win, -margin)


def _hands(grid: Grid) -> list[Hand]:
    """Criticals and normals that can come."""
    return [(int(crits), int(norms)) for crits, norms in np.argwhere(grid > 0)]


def hand_of(fighter: Fighter, rolled: Sequence[int], *, chain: bool = False) -> Hand:
    """Criticals and normals of dice as they lie, with what the fighter's rules make of them.

    >>> hand_of(Fighter(num_dice=3, dice_stat=3, abilities=("rending",)), [6, 4, 1])
    (2, 0)
    """
    roll = roll_of(fighter, chain=chain)
    _check(rolled, roll)
    ((crits, norms),) = _hands(_grid(_kinds(Counter(rolled), roll), 0, roll))
    return crits, norms


def _ways(reroll: Reroll, rolled: Sequence[int], roll: Roll) -> Iterator[tuple[tuple[int, ...], Grid]]:
    """Each choice a re-roll leaves: the faces picked up, and P(criticals, normals) after them."""
    _check(rolled, roll)
    shown = Counter(rolled)
    seen = set()
    for picked in _allowed(reroll, shown):
        kinds = _kinds(dict(zip(FACES, picked, strict=True)), roll)
        if kinds in seen:
            continue
        seen.add(kinds)
        kept = {face: shown[face] - number for face, number in zip(FACES, picked, strict=True)}
        faces = tuple(face for face, number in zip(FACES, picked, strict=True) for _ in range(number))
        yield faces, _grid(_kinds(kept, roll), sum(picked), roll)


def _check(rolled: Sequence[int], roll: Roll) -> None:
    if len(rolled) != max(0, roll.rolled) or any(face not in FACES for face in rolled):
        raise EngineError(
            f"Enter the {max(0, roll.rolled)} dice rolled, each 1–6; you entered {len(rolled)}.",
            field="rolled",
            constraint="dice",
            expected=max(0, roll.rolled),
            actual=len(rolled),
        )


def _allowed(reroll: Reroll, shown: Counter[int]) -> Iterator[Picked]:
    """The ways to pick up dice that a rule allows, picking up none among them."""
    counts = [shown[face] for face in FACES]
    if reroll in ANY_DICE:
        yield from product(*(range(count + 1) for count in counts))
        return
    starts: list[Picked] = [(0,) * 6]
    if reroll in ONES:
        starts = [(ones, 0, 0, 0, 0, 0) for ones in range(counts[0] + 1)]
    if reroll in ONE_FACE:
        starts += [
            tuple(number if at == face else 0 for at in range(6)) for face in range(6)
            for number in range(1, counts[face] + 1)
        ]  # fmt: skip
    seen = set(starts)
    yield from starts
    for _ in range(SINGLE_DICE.get(reroll, 0)):
        starts = [
            tuple(number + (at == face) for at, number in enumerate(start))
            for start in starts
            for face in range(6)
            if start[face] < counts[face]
        ]
        yield from (start for start in dict.fromkeys(starts) if start not in seen)
        seen.update(starts)


def _kinds(dice: Mapping[int, int], roll: Roll) -> tuple[int, int, int]:
    """Criticals, normals and fails among dice by face."""
    crits = sum(number for face, number in dice.items() if face >= roll.crit_on)
    fails = sum(number for face, number in dice.items() if face < min(roll.stat, roll.crit_on))
    return crits, sum(dice.values()) - crits - fails, fails


def _grid(kept: tuple[int, int, int], again: int, roll: Roll) -> Grid:
    """P(criticals, normals) of the dice kept and of those that fall again."""
    crits, norms, fails = kept
    grid = np.zeros((roll.dice + 1, roll.dice + 1))
    p_crit, p_norm = roll.p_crit, roll.p_norm
    for c in range(again + 1):
        for n in range(again - c + 1):
            f = again - c - n
            p = comb(again, c) * comb(again - c, n) * p_crit**c * p_norm**n * (1 - p_crit - p_norm) ** f
            after = after_roll(
                crits + c + roll.auto_crits,
                norms + n + roll.auto_norms,
                fails + f,
                roll.after,
                roll.fails_to_norms,
                roll.norms_to_crits,
                roll.crit_value,
                roll.norm_value,
            )
            grid[after] += max(0.0, p)
    return grid

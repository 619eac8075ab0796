"""Fighting: the joint distribution of the wounds both fighters have left, exactly, over one to five rounds.

The four named strategies play as the public calculator plays them, with its slips mended (rulings K5, K6, K8): within a
round, look-ahead supposes an enemy who strikes. They judge damage before Feel No Pain, and compare expected wounds.

``optimal`` is a best reply. Against ``optimal`` it is the minimax of a zero-sum game of perfect information (the dice
lie on the table before the first choice), by backward induction over all rounds that are left:

1. fighter 1 maximises P(it kills fighter 2) − P(it is killed) by the end of the last round, fighter 2 minimises it;
2. among moves equal in that, the same with the expected difference of wounds left, w₁ − w₂, at the end;
3. what is still equal is settled by a fixed order (fighter 1 keeps more wounds), which changes neither value.

Against a named strategy it maximises the same criteria knowing that strategy. Later rounds enter through their values,
so a fighter may spare itself now to win later.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dice.pmf import Array, Pmf
from engine.killteam import duel
from engine.killteam.moves import (
    DUELIST,
    FOLLOW,
    MAX_DAMAGE,
    MIN_DAMAGE,
    OPTIMAL,
    STRIKE,
    fighter_row,
    most_damage,
    phases,
    strikes,
)
from engine.killteam.pool import Grid, distribution, roll_of
from engine.killteam.profile import Fighter, FightOptions, FnpMode, Strategy, refuse_conflicts
from engine.wire import EngineError

STRATEGY_CODE = {
    Strategy.STRIKE: STRIKE, Strategy.PARRY: 1, Strategy.MAX_DMG_TO_ENEMY: MAX_DAMAGE,
    Strategy.MIN_DMG_TO_SELF: MIN_DAMAGE, Strategy.OPTIMAL: OPTIMAL,
}  # fmt: skip
Codes = tuple[int, int]
Guides = tuple[duel.Ranks, duel.Ranks]
Hand = tuple[int, int]
LOOKS_AHEAD = (MAX_DAMAGE, MIN_DAMAGE)

# Cells a table may have: about half a gigabyte of 16-bit ranks, or of doubles with Feel No Pain.
MOST_MATRIX_CELLS = 1_100  # a matrix of at most ten megabytes
MOST_CELLS = 240_000_000
MOST_CELLS_WITH_FNP = 20_000_000


@dataclass(frozen=True)
class Outcome:
    """``joint[w1, w2]`` = P(fighter 1 has w1 wounds left and fighter 2 has w2)."""

    joint: Array

    @cached_property
    def wounds1(self) -> Pmf:
        return Pmf(self.joint.sum(axis=1))

    @cached_property
    def wounds2(self) -> Pmf:
        return Pmf(self.joint.sum(axis=0))

    @property
    def p_kill1(self) -> float:
        """P(fighter 1 kills fighter 2)."""
        return min(1.0, float(self.joint[:, 0].sum()))

    @property
    def p_kill2(self) -> float:
        """P(fighter 2 kills fighter 1)."""
        return min(1.0, float(self.joint[0, :].sum()))


def fight(fighter1: Fighter, fighter2: Fighter, options: FightOptions | None = None) -> Outcome:
    """Fight it out.

    >>> dead_eye = Fighter(num_dice=1, auto_crits=1, crit_dmg=5, norm_dmg=3, wounds=4)
    >>> fight(dead_eye, dead_eye).p_kill1  # whoever strikes first
    1.0
    """
    options = options or FightOptions()
    if options.strict:
        refuse_conflicts(fighter1=fighter1, fighter2=fighter2)
    if options.first_fighter == 2:
        turned = options.model_copy(
            update={"first_fighter": 1, "strategy1": options.strategy2, "strategy2": options.strategy1}
        )
        return Outcome(Arena(fighter2, fighter1, turned).fought().T)
    return Outcome(Arena(fighter1, fighter2, options).fought())


class Arena:
    """Two fighters and the tables they share. Fighter 1 acts first."""

    def __init__(self, fighter1: Fighter, fighter2: Fighter, options: FightOptions) -> None:
        self.options = options
        self.rows = fighter_row(fighter1, fighter2), fighter_row(fighter2, fighter1)
        self.wounds = fighter1.wounds, fighter2.wounds
        self.codes = STRATEGY_CODE[options.strategy1], STRATEGY_CODE[options.strategy2]
        grids = [self._grids(fighter) for fighter in (fighter1, fighter2)]
        self.dice = _most_successes(grids[0]), _most_successes(grids[1])
        self.odds = _by_pair(grids[0], self.dice[0]), _by_pair(grids[1], self.dice[1])
        self.hurt = self._hurt(fighter1), self._hurt(fighter2)
        # A fighter's losses depend on its own Feel No Pain; loss tables are kept by who strikes.
        self.losses = _loss_table(fighter2, options), _loss_table(fighter1, options)
        self.chance = any(f.fnp for f in (fighter1, fighter2))
        self.levels = _levels(fighter1.wounds, self.rows[1]), _levels(fighter2.wounds, self.rows[0])

    def _grids(self, fighter: Fighter) -> list[Grid]:
        chain = self.options.severe_triggers_crit_rules
        return [distribution(roll_of(fighter, worse=worse, chain=chain)) for worse in (0, int(self.options.injury))]

    def _hurt(self, fighter: Fighter) -> NDArray[np.int64]:
        """1 for each number of wounds below half of what the fighter started with, if injury is played (K10)."""
        wounds = np.arange(fighter.wounds + 1)
        return (2 * wounds < fighter.wounds).astype(np.int64) * int(self.options.injury)

    def duelist(self, turn: int) -> bool:
        return bool(self.rows[turn][DUELIST])

    @property
    def blocks(self) -> int:
        return phases(self.rows[0]) * phases(self.rows[1]) * 2 * self.sizes[0] * self.sizes[1]

    @property
    def sizes(self) -> tuple[int, int]:
        """How many (criticals, normals) either side may have."""
        one, two = ((dice + 1) * (dice + 2) // 2 for dice in self.dice)
        return one, two

    def check_size(self) -> None:
        """Refuse a fight whose table would not fit, before anything is computed."""
        pairs = (
            (self.wounds[0] + 1) * (self.wounds[1] + 1) if self.chance else self.levels[0].size * self.levels[1].size
        )
        cells = self.blocks * pairs
        most = MOST_CELLS_WITH_FNP if self.chance else MOST_CELLS
        if cells > most:
            raise EngineError(
                f"This fight has {cells:,} states, more than {most:,}. Use fewer dice or wounds.",
                field="fighter1.numDice", constraint="states", expected=most, actual=cells,
            )  # fmt: skip

    def fought(self) -> Array:
        """P(w1, w2) after all rounds."""
        mass = np.zeros((self.wounds[0] + 1, self.wounds[1] + 1))
        mass[self.wounds] = 1.0
        if 0 in self.wounds:
            return mass
        self.check_size()
        return self._with_chance(mass) if self.chance else self._without_chance(mass)

    # -- without Feel No Pain -----------------------------------------------------------------------------------------

    def _without_chance(self, mass: Array) -> Array:
        guides = self._guides()
        here = np.ix_(*self.levels)
        if OPTIMAL in self.codes:
            mass[here] = self._best_rounds(guides, mass[here])
            return mass
        rank = np.arange(mass[here].size, dtype=np.int16).reshape(mass[here].shape)
        played = Played(self._starts(rank, guides), rank, self)
        if self.options.num_rounds > 1:
            played.keep()
        for _ in range(self.options.num_rounds):
            mass[here] = played.after(mass[here])
        return mass

    def _best_rounds(self, guides: Guides, mass: Array) -> Array:
        """Backwards for the values of the rounds to come, then forwards along the choices they make."""
        win, margin = final_values(*self.levels)
        rounds: list[Played] = []
        for left in range(self.options.num_rounds):
            rank = _ranked(win, margin)
            played = Played(self._starts(rank, guides), rank, self)
            rounds.append(played)
            if left + 1 < self.options.num_rounds:
                played.keep()
                win, margin = played.before(win), played.before(margin)
        for played in reversed(rounds):
            mass = played.after(mass)
        return mass

    def _guides(self) -> Guides:
        """For each look-ahead strategy a table of how well it does from every state against an enemy who strikes."""
        none = np.zeros((1, 1), np.int16)
        guides = [none, none]
        for turn in (0, 1):
            if self.codes[turn] in LOOKS_AHEAD:
                score = -self.foe_wounds[turn] if self.codes[turn] == MAX_DAMAGE else self.foe_wounds[1 - turn]
                guides[turn] = self._fresh_table()
                self._fill(guides[turn], self._against_a_striker(turn), score, (none, none), turn)
        return guides[0], guides[1]

    @cached_property
    def foe_wounds(self) -> duel.Ranks:
        """By turn and cell, the wounds of the other fighter."""
        w1, w2 = np.meshgrid(*self.levels, indexing="ij")
        return np.stack([w2.ravel(), w1.ravel()]).astype(np.int16)

    @cached_property
    def drops(self) -> duel.Drops:
        """By turn, damage and cell: the cell after a strike. Whoever is dead already is left alone."""
        size = max(most_damage(row) for row in self.rows) + 1
        cells = np.arange(self.levels[0].size * self.levels[1].size).reshape(self.levels[0].size, -1)
        drops = np.empty((2, size, cells.size), np.uint16)
        lower = [_lower(levels, size) for levels in self.levels]
        for damage in range(size):
            drops[0, damage] = cells[:, lower[1][damage]].ravel()
            drops[1, damage] = cells[lower[0][damage], :].ravel()
        drops[0].reshape(size, *cells.shape)[:, 0, :] = cells[0]
        drops[1].reshape(size, *cells.shape)[:, :, 0] = cells[:, 0]
        return drops

    def _against_a_striker(self, turn: int) -> Codes:
        """What look-ahead supposes: the enemy strikes (ruling K9)."""
        return (self.codes[0], STRIKE) if turn == 0 else (STRIKE, self.codes[1])

    def _fresh_table(self) -> duel.Ranks:
        return np.empty((self.blocks, self.levels[0].size * self.levels[1].size), np.int16)

    @cached_property
    def _shared_table(self) -> duel.Ranks:
        """Filled anew for every round: touching fresh memory costs more than the arithmetic."""
        return self._fresh_table()

    def _fill(self, table: duel.Ranks, codes: Codes, rank: duel.Ranks, guides: Guides, self_guided: int) -> None:
        duel.rank_table(
            *codes, *self.rows, *self.dice, rank.ravel(), self.drops, self.foe_wounds, *guides, self_guided, table
        )

    def _starts(self, rank: duel.Ranks, guides: Guides) -> duel.Ranks:
        """The rank reached from each start of a round, after the Duelists' parries. Good until the next call."""
        self._fill(self._shared_table, self.codes, rank, guides, -1)
        starts = self._shared_table[: self.sizes[0] * self.sizes[1]].reshape(-1, *rank.shape)
        if not self.duelist(0) and not self.duelist(1):
            return starts
        target = duel.openings(starts, starts, *self.codes, *self.rows, *self.dice)
        cells = np.indices(rank.shape)
        moved: duel.Ranks = starts[target, cells[0], cells[1]]
        return moved

    # -- with Feel No Pain --------------------------------------------------------------------------------------------

    def _with_chance(self, mass: Array) -> Array:
        rounds = self.policy_rounds(mass.shape)
        for chosen, target in reversed(rounds):
            ended = duel.carry(*self.rows, *self.dice, *self.losses, chosen, self._start_mass(mass, target))
            mass = ended + _out(mass)
        return mass

    def policy_rounds(self, shape: tuple[int, ...]) -> list[tuple[duel.Choices, NDArray[np.int32]]]:
        """The choice at every state and the start behind every roll, for each round, the last round first."""
        codes, choices = self._policies(shape)
        win, margin = final_values(*map(np.arange, shape))
        rounds = []
        for _ in range(self.options.num_rounds if OPTIMAL in codes else 1):
            x, y = self._values(codes, win, margin, choices)
            target = self._targets(x, y, codes)
            rounds.append((choices.copy(), target))
            win, margin = self._start_value(x, target, win), self._start_value(y, target, margin)
        return rounds if OPTIMAL in codes else rounds * self.options.num_rounds

    def values(self, rounds: int) -> tuple[Array, Array]:
        """Both criteria for every pair of wounds with so many rounds to come, the strategies being what they are."""
        shape = (self.wounds[0] + 1, self.wounds[1] + 1)
        win, margin = final_values(*map(np.arange, shape))
        codes, choices = self._policies(shape)
        for _ in range(rounds):
            x, y = self._values(codes, win, margin, choices)
            target = self._targets(x, y, codes)
            win, margin = self._start_value(x, target, win), self._start_value(y, target, margin)
        return win, margin

    def with_hands(self, hand1: Hand, hand2: Hand) -> Arena:
        """The same fighters with dice that lie on the table."""
        other = copy(self)
        other.dice = sum(hand1), sum(hand2)
        return other

    def round_tables(self, win: Array, margin: Array) -> RoundTables:
        """Values, choices and starts of one round that is followed by these values."""
        codes, choices = self._policies(win.shape)
        x, y = self._values(codes, win, margin, choices)
        return RoundTables(x, y, choices, self._targets(x, y, codes))

    def _policies(self, shape: tuple[int, ...]) -> tuple[Codes, duel.Choices]:
        """Let look-ahead strategies write down their choices; what is left follows them."""
        codes, choices = self.codes, np.zeros((self.blocks, *shape), np.uint8)
        w1, w2 = np.indices(shape).astype(np.float64)
        nothing = np.zeros(shape)
        aims = ({MAX_DAMAGE: -w2, MIN_DAMAGE: w1}, {MAX_DAMAGE: -w1, MIN_DAMAGE: w2})
        for turn in (0, 1):
            if self.codes[turn] in LOOKS_AHEAD:
                pair = self._against_a_striker(turn)
                aim = np.ascontiguousarray(aims[turn][self.codes[turn]])
                duel.value_tables(*pair, *self.rows, *self.dice, *self.losses, aim, nothing, choices, 1 << turn)
                codes = _following(codes, turn)
        return codes, choices

    def _values(self, codes: Codes, win: Array, margin: Array, choices: duel.Choices) -> tuple[Array, Array]:
        return duel.value_tables(*codes, *self.rows, *self.dice, *self.losses, win, margin, choices, 3)

    def _targets(self, x: Array, y: Array, codes: Codes) -> NDArray[np.int32]:
        starts = self.sizes[0] * self.sizes[1]
        return duel.openings(x[:starts], y[:starts], *codes, *self.rows, *self.dice)

    def _weights(self) -> Array:
        """P(dice | wounds at the start of the round), by start block and wounds."""
        first, second = self.odds[0][self.hurt[0]], self.odds[1][self.hurt[1]]
        weights: Array = np.einsum("ai,bj->ijab", first, second)
        return weights.reshape(-1, *weights.shape[2:])

    def _start_value(self, x: Array, target: NDArray[np.int32], values: Array) -> Array:
        cells = np.indices(values.shape)
        before: Array = (self._weights() * x[target, cells[0], cells[1]]).sum(axis=0)
        before[0, :], before[:, 0] = values[0, :], values[:, 0]
        return before

    def _start_mass(self, mass: Array, target: NDArray[np.int32]) -> Array:
        weights = self._weights() * mass
        weights[:, 0, :] = 0.0
        weights[:, :, 0] = 0.0
        start = np.zeros_like(weights)
        cells = np.indices(mass.shape)
        np.add.at(start, (target, *np.broadcast_arrays(*cells, target)[:2]), weights)
        return start


class RoundTables(NamedTuple):
    """A round with chance in it, solved: both criteria and the choice at every state, and where rolls start."""

    first: Array
    second: Array
    choices: duel.Choices
    target: NDArray[np.int32]


class Played:
    """One round, played: where each pair of wounds leads. ``after`` goes forwards, ``before`` backwards.

    ``starts`` belongs to the arena's shared table; a round that is needed once more after the next is filled in must
    ``keep`` its own: with few wounds the matrix of transitions, which then serves both ways, else a copy.
    """

    def __init__(self, starts: duel.Ranks, rank: duel.Ranks, arena: Arena) -> None:
        self.starts, self.rank = starts, rank
        self.odds = (*arena.odds, arena.hurt[0][arena.levels[0]], arena.hurt[1][arena.levels[1]])
        self.matrix: Array | None = None

    def keep(self) -> None:
        if self.rank.size <= MOST_MATRIX_CELLS:
            self.matrix = duel.transitions(self.starts, *self.odds)
        else:
            self.starts = self.starts.copy()

    def after(self, mass: Array) -> Array:
        """P(w1, w2) after the round, given it before the round. The dead fight no more."""
        if self.matrix is not None:
            ranked = mass.ravel() @ self.matrix
        else:
            ranked = duel.spread_from(self.starts, *self.odds, mass)
        return _out(mass) + ranked[self.rank]

    def before(self, values: Array) -> Array:
        """Expected values before the round, given values by wounds after it."""
        by_rank = np.empty(values.size)
        by_rank[self.rank] = values
        if self.matrix is not None:
            expected = (self.matrix @ by_rank).reshape(values.shape)
        else:
            expected = duel.expect_from(self.starts, *self.odds, by_rank)
        expected[0, :], expected[:, 0] = values[0, :], values[:, 0]
        return expected


def _following(codes: Codes, turn: int) -> Codes:
    return (FOLLOW, codes[1]) if turn == 0 else (codes[0], FOLLOW)


def final_values(wounds1: NDArray[np.int64], wounds2: NDArray[np.int64]) -> tuple[Array, Array]:
    """Both criteria when the fight is over: who is dead, and the difference of wounds."""
    w1, w2 = np.meshgrid(wounds1, wounds2, indexing="ij")
    return (w2 == 0).astype(np.float64) - (w1 == 0), (w1 - w2).astype(np.float64)


def _out(mass: Array) -> Array:
    """The part of the probability in which somebody is dead already and no round is fought."""
    over = mass.copy()
    over[1:, 1:] = 0.0
    return over


def _ranked(win: Array, margin: Array) -> duel.Ranks:
    """Order all ends of a round for fighter 1: worst 0. Values equal up to rounding count as equal."""
    w1 = np.indices(win.shape)[0]
    order = np.lexsort((w1.ravel(), np.round(margin, 9).ravel(), np.round(win, 12).ravel()))
    rank = np.empty(win.size, np.int16)
    rank[order] = np.arange(win.size, dtype=np.int16)
    return rank.reshape(win.shape)


def _levels(wounds: int, striker: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of wounds that strikes can leave, 0 first (a few too many do no harm)."""
    left = np.zeros(wounds + 1, np.bool_)
    left[[0, wounds]] = True
    for now in range(wounds, 0, -1):
        if left[now]:
            for damage in strikes(striker):
                left[max(0, now - damage)] = True
    return np.flatnonzero(left)


def _lower(levels: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """lower[damage, level]: the level after losing that much; where no strike does so, any level serves."""
    number = np.zeros(levels[-1] + 1, np.int64)
    number[levels] = np.arange(levels.size)
    lower: NDArray[np.int64] = number[np.maximum(0, levels[None, :] - np.arange(size)[:, None])]
    return lower


def _most_successes(grids: list[Grid]) -> int:
    return max(int(np.argwhere(grid > 0).sum(axis=1).max()) for grid in grids)


def _by_pair(grids: list[Grid], dice: int) -> Array:
    """Rows healthy and injured: P(dice) in the order of :func:`engine.killteam.duel.pairs`."""
    hands = duel.pairs(dice)
    return np.stack([grid[hands[:, 0], hands[:, 1]] for grid in grids])


def _loss_table(victim: Fighter, options: FightOptions) -> Array:
    """loss[damage, wounds lost] for a strike on this fighter (ruling K8)."""
    size = 32  # a strike does at most 30, and 1 more with Hammerhand
    loss = np.zeros((size, size))
    per_hit = (victim.fnp_mode or options.fnp_mode) == FnpMode.PER_HIT
    ignores = (7 - victim.fnp) / 6 if victim.fnp else 0.0
    loss[0, 0] = 1.0
    for damage in range(1, size):
        if per_hit:
            loss[damage, damage], loss[damage, damage - 1] = 1.0 - ignores, ignores
        else:
            loss[damage, 1:] = loss[damage - 1, :-1] * (1.0 - ignores)
            loss[damage] += loss[damage - 1] * ignores
    return loss

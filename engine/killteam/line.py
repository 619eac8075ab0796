"""The recommended line: what to do with the dice on the table, move by move, and what the alternatives are worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.dice.pmf import Array
from engine.killteam import board as boards
from engine.killteam.arena import Arena, Hand
from engine.killteam.board import Board
from engine.killteam.chances import Choices, loss_of
from engine.killteam.fight import turned
from engine.killteam.moves import (
    CRIT_PARRY,
    CRIT_STRIKE,
    FIRST,
    FOE_C,
    FOE_N,
    KIND,
    MOST_MOVES,
    NORM_STRIKE,
    OWN_C,
    OWN_N,
    PHASE,
    SECOND,
    Row,
    legal_moves,
)
from engine.killteam.profile import Fighter, FightOptions
from engine.killteam.rounds import Uncertain, later_seconds, later_values


@dataclass(frozen=True, slots=True)
class Alternative:
    """A move and what it comes to for the one who makes it: P(kill) − P(be killed), then the difference of wounds."""

    action: str
    win: float
    margin: float


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the line. ``wounds`` are both fighters' afterwards, if Feel No Pain saves as much as is likeliest."""

    fighter: int
    action: str
    damage: int
    wounds: tuple[int, int]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class _State:
    turn: int
    hands: tuple[Hand, Hand]
    phases: tuple[int, int]
    wounds: tuple[int, int]

    @property
    def over(self) -> bool:
        return 0 in self.wounds or sum(self.hands[0]) + sum(self.hands[1]) == 0


def best_line(
    fighter1: Fighter, fighter2: Fighter, hand1: Hand, hand2: Hand, options: FightOptions | None = None
) -> list[Step]:
    """Play out a round from the dice on the table (criticals, normals), each side by its strategy.

    ``options.num_rounds`` counts this round; later ones enter through their values.

    >>> one = Fighter(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=7)
    >>> plan = FightOptions(strategy1="optimal", strategy2="optimal")
    >>> [step.action for step in best_line(one, one, (1, 1), (0, 1), plan)]
    ['strike with a normal', 'strike with a normal', 'strike with a critical']
    """
    options = options or FightOptions()
    if options.first_fighter == 2:
        return [_mirrored(step) for step in best_line(fighter2, fighter1, hand2, hand1, turned(options))]
    arena, later = _arenas(fighter1, fighter2, hand1, hand2, options)
    if 0 in arena.wounds:
        return []
    solved = Uncertain(arena)
    solved.check_size(whole=True)
    ends = later_values(later, options.num_rounds - 1)
    return list(_Table(arena, *solved.tables(arena.boards[0], ends)).walk(hand1, hand2))


def seconds(fighter1: Fighter, fighter2: Fighter, hand1: Hand, hand2: Hand, options: FightOptions) -> float:
    """About how long :func:`best_line` would take on two cores. Raises what it would raise."""
    if options.first_fighter == 2:
        return seconds(fighter2, fighter1, hand2, hand1, turned(options))
    arena, later = _arenas(fighter1, fighter2, hand1, hand2, options)
    if 0 in arena.wounds:
        return 0.0
    solved = Uncertain(arena)
    solved.check_size(whole=True)
    return solved.seconds + later_seconds(later, options.num_rounds - 1)


def _arenas(
    fighter1: Fighter, fighter2: Fighter, hand1: Hand, hand2: Hand, options: FightOptions
) -> tuple[Arena, Arena]:
    """This round with the dice on the table, and the rounds after it, from wherever it leads."""
    arena = Arena(fighter1, fighter2, options.model_copy(update={"num_rounds": 1}), hands=(hand1, hand2))
    arena.chance = True
    return arena, Arena(fighter1, fighter2, options, from_anywhere=True)


def _mirrored(step: Step) -> Step:
    return Step(3 - step.fighter, step.action, step.damage, step.wounds[::-1], step.alternatives)


@dataclass(frozen=True, slots=True)
class _Table:
    """A round, solved: values of both criteria and choices at every state that these hands can lead to."""

    arena: Arena
    board: Board
    values: Array
    choices: Choices

    def cell(self, state: _State, kind: int | None = None) -> int:
        """Where a state with its wounds is in the table."""
        (c1, n1), (c2, n2) = state.hands
        if kind is None:
            kind = boards.kind_of(self.board, *state.phases, state.turn)
        rows, columns = (
            wounds - int(self.board.low[who, dice]) + 1 if wounds else 0
            for who, (wounds, dice) in enumerate(zip(state.wounds, (c2 + n2, c1 + n1), strict=True))
        )
        block = boards.place(self.board, kind, c1, c1 + n1, c2, c2 + n2)
        return block + rows * boards.lines(self.board, 1, c1 + n1) + columns

    def walk(self, hand1: Hand, hand2: Hand) -> Iterator[Step]:
        state = _State(0, (hand1, hand2), (0, 0), self.arena.wounds)
        for who in (0, 1):
            if self.arena.duelist(who):
                after = self._opened(state, who)
                if after != state:
                    yield Step(who + 1, "parry before the first strike", 0, state.wounds, ())
                state = after
        while not state.over:
            if sum(state.hands[state.turn]) == 0:
                state = _State(1 - state.turn, state.hands, state.phases, state.wounds)
            step, state = self._take(state)
            yield step

    def _opened(self, state: _State, who: int) -> _State:
        """The state after a Duelist's parry before the first strike, if there is one."""
        moves = np.empty((MOST_MOVES, 8), np.int64)
        k = int(self.choices[self.cell(state, boards.opening_kind(self.board, who))])
        if k == 0:
            return state
        parries = [move for move in moves[: self._legal(state, who, moves)] if move[KIND] >= CRIT_PARRY]
        own, foe = _hands_after(parries[k - 1])
        return _State(0, (own, foe) if who == 0 else (foe, own), state.phases, state.wounds)

    def _legal(self, state: _State, turn: int, moves: Row) -> int:
        rows = self.arena.rows if turn == 0 else self.arena.rows[::-1]
        return legal_moves(*state.hands[turn], *state.hands[1 - turn], state.phases[turn], *rows, moves)

    def _take(self, state: _State) -> tuple[Step, _State]:
        """The chosen move at a state, with its alternatives, and the state it most likely leads to."""
        turn = state.turn
        own, foe = state.hands[turn], state.hands[1 - turn]
        moves = np.empty((MOST_MOVES, 8), np.int64)
        count = self._legal(state, turn, moves)
        spreads = [_spread(moves, k, self.arena.losses[turn]) for k in range(count)]
        after = [_after(state, move) for move in moves[:count]]
        alternatives = tuple(
            Alternative(action_words(move, own, foe), *self._worth(then, turn, spread))
            for move, spread, then in zip(moves[:count], spreads, after, strict=True)
        )
        k = int(self.choices[self.cell(state)])
        then = _wounded(after[k], turn, int(np.argmax(spreads[k])))
        damage = int(max(0, moves[k, FIRST]) + max(0, moves[k, SECOND]))
        return Step(turn + 1, alternatives[k].action, damage, then.wounds, alternatives), then

    def _worth(self, then: _State, turn: int, spread: Array) -> tuple[float, float]:
        """Expected values of a move for the one who makes it."""
        cells = [self.cell(_wounded(then, turn, int(lost))) for lost in np.flatnonzero(spread)]
        win, margin = (self.values[:, cells] @ spread[spread > 0]) * (1 - 2 * turn)
        return float(win), float(margin)


def _wounded(state: _State, striker: int, lost: int) -> _State:
    w1, w2 = state.wounds
    wounds = (w1, max(0, w2 - lost)) if striker == 0 else (max(0, w1 - lost), w2)
    return _State(state.turn, state.hands, state.phases, wounds)


def _spread(moves: Row, k: int, loss: Array) -> Array:
    out = np.empty(2 * loss.shape[0])
    return out[: loss_of(moves, k, loss, out)]


def _hands_after(move: Row) -> tuple[Hand, Hand]:
    return (int(move[OWN_C]), int(move[OWN_N])), (int(move[FOE_C]), int(move[FOE_N]))


def _after(state: _State, move: Row) -> _State:
    (own, foe), phase = _hands_after(move), int(move[PHASE])
    if state.turn == 0:
        return _State(1, (own, foe), (phase, state.phases[1]), state.wounds)
    return _State(0, (foe, own), (state.phases[0], phase), state.wounds)


def action_words(move: Row, own: Hand, foe: Hand) -> str:
    """A move in words, from the dice before it."""
    kind = int(move[KIND])
    if kind in (CRIT_STRIKE, NORM_STRIKE):
        words = f"strike with a {'critical' if kind == CRIT_STRIKE else 'normal'}"
        if move[SECOND] >= 0:
            words += f", then again with a {'critical' if own[0] - move[OWN_C] == 2 else 'normal'}"
        return words
    stopped = _counted(foe[0] - int(move[FOE_C]), "critical"), _counted(foe[1] - int(move[FOE_N]), "normal")
    return f"parry {' and '.join(filter(None, stopped))} with a {'critical' if kind == CRIT_PARRY else 'normal'}"


def _counted(count: int, name: str) -> str:
    return "" if count == 0 else f"a {name}" if count == 1 else f"{count} {name}s"

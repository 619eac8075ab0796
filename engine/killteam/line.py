"""The recommended line: what to do with the dice on the table, move by move, and what the alternatives are worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.dice.pmf import Array
from engine.killteam import duel
from engine.killteam.fight import Arena, Hand, RoundTables
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
        turned = {"first_fighter": 1, "strategy1": options.strategy2, "strategy2": options.strategy1}
        steps = best_line(fighter2, fighter1, hand2, hand1, options.model_copy(update=turned))
        return [_mirrored(step) for step in steps]
    arena = Arena(fighter1, fighter2, options)
    arena.chance = True
    if 0 in arena.wounds:
        return []
    here = arena.with_hands(hand1, hand2)
    here.check_size()
    if options.num_rounds > 1:
        arena.check_size()
    return list(_walk(here, here.round_tables(*arena.values(options.num_rounds - 1)), hand1, hand2))


def _mirrored(step: Step) -> Step:
    return Step(3 - step.fighter, step.action, step.damage, step.wounds[::-1], step.alternatives)


def _walk(arena: Arena, tables: RoundTables, hand1: Hand, hand2: Hand) -> Iterator[Step]:
    state = _State(0, (hand1, hand2), (0, 0), arena.wounds)
    block = duel.pair(*hand1) * arena.sizes[1] + duel.pair(*hand2)
    target = int(tables.target[(block, *arena.wounds)])
    if target != block:
        numbers = divmod(target, arena.sizes[1])
        after = _hand(arena.dice[0], numbers[0]), _hand(arena.dice[1], numbers[1])
        for who in (0, 1):
            if arena.duelist(who) and sum(after[who]) < sum(state.hands[who]):
                yield Step(who + 1, "parry before the first strike", 0, state.wounds, ())
        state = _State(0, after, (0, 0), arena.wounds)
    while not state.over:
        if sum(state.hands[state.turn]) == 0:
            state = _State(1 - state.turn, state.hands, state.phases, state.wounds)
        step, state = _take(arena, tables, state)
        yield step


def _hand(dice: int, number: int) -> Hand:
    crits, norms = duel.pairs(dice)[number]
    return int(crits), int(norms)


def _take(arena: Arena, tables: RoundTables, state: _State) -> tuple[Step, _State]:
    """The chosen move at a state, with its alternatives, and the state it most likely leads to."""
    turn, (w1, w2) = state.turn, state.wounds
    own, foe = state.hands[turn], state.hands[1 - turn]
    moves = np.empty((MOST_MOVES, 8), np.int64)
    rows = arena.rows if turn == 0 else arena.rows[::-1]
    count = legal_moves(*own, *foe, state.phases[turn], *rows, moves)
    block = _block(arena, state)
    spreads = [_spread(move, arena.losses[turn]) for move in moves[:count]]
    after = [_after(state, move) for move in moves[:count]]
    alternatives = tuple(
        Alternative(
            action_words(move, own, foe),
            *(_worth(table[_block(arena, then)], state, spread) for table in (tables.first, tables.second)),
        )
        for move, spread, then in zip(moves[:count], spreads, after, strict=True)
    )
    k = int(tables.choices[block, w1, w2])
    lost = int(np.argmax(spreads[k]))
    wounds = (w1, max(0, w2 - lost)) if turn == 0 else (max(0, w1 - lost), w2)
    damage = int(max(0, moves[k, FIRST]) + max(0, moves[k, SECOND]))
    step = Step(turn + 1, alternatives[k].action, damage, wounds, alternatives)
    return step, _State(1 - turn, after[k].hands, after[k].phases, wounds)


def _worth(values: Array, state: _State, spread: Array) -> float:
    """Expected value of a move for the one who makes it."""
    out = np.empty_like(values)
    duel.averaged(values, state.turn, spread, spread.size, out)
    return float(out[state.wounds]) * (1 - 2 * state.turn)


def _spread(move: Row, loss: Array) -> Array:
    out = np.empty(2 * loss.shape[0])
    return out[: duel.loss_of(move, loss, out)]


def _after(state: _State, move: Row) -> _State:
    own, foe = (int(move[OWN_C]), int(move[OWN_N])), (int(move[FOE_C]), int(move[FOE_N]))
    phase = int(move[PHASE])
    if state.turn == 0:
        return _State(1, (own, foe), (phase, state.phases[1]), state.wounds)
    return _State(0, (foe, own), (state.phases[0], phase), state.wounds)


def _block(arena: Arena, state: _State) -> int:
    numbers = duel.pair(*state.hands[0]), duel.pair(*state.hands[1])
    return duel.block_of(*state.phases, state.turn, *numbers, duel.phase_count(arena.rows[1]), *arena.sizes)


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

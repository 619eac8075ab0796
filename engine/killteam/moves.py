"""What a fighter may do with a die, and what each of the named strategies does.

Numbers only, because the tables of :mod:`engine.killteam.ranks` call this for every combination of dice. A fighter is a
row of figures (``fighter_row``). Besides its dice a fighter has a *phase*, which remembers just enough of what it has
done so far: whether it has struck (Hammerhand, Just a Scratch), and whether it has struck with a critical (Stun, Shock,
Murderous Entrance, Durable). Phases nobody asks about are merged, so most fights have a single one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled import compiled_in_place
from engine.killteam.profile import Ability, Fighter

Row = NDArray[np.int64]

NORM, CRIT, CUT, HAMMER, SCRATCHED, STUN, SHOCK, MURDEROUS, BRUTAL, STORM, DUELLER, DUELIST, MEMORY = range(13)
STRUCK, CRIT_STRUCK = 1, 2  # bits of MEMORY: what the phase has to remember
STRIKE, PARRY, MAX_DAMAGE, MIN_DAMAGE, OPTIMAL, FOLLOW = range(6)
CRIT_STRIKE, NORM_STRIKE, CRIT_PARRY, NORM_PARRY = range(4)
# Columns of a move: dice left to both, own phase, damage of the strike and of a second one (-1: none), kind.
OWN_C, OWN_N, FOE_C, FOE_N, PHASE, FIRST, SECOND, KIND = range(8)
MOST_MOVES = 8
LOWEST_DURABLE_CRIT = 4
ALWAYS = 1_000  # more wounds than anybody has


def fighter_row(me: Fighter, foe: Fighter) -> Row:
    """A fighter in figures, with what the opponent's abilities do to its strikes."""
    row = np.zeros(13, dtype=np.int64)
    row[NORM], row[CRIT] = me.norm_dmg, me.crit_dmg
    row[CUT] = foe.has(Ability.DURABLE) and me.crit_dmg >= LOWEST_DURABLE_CRIT
    row[SCRATCHED] = foe.has(Ability.JUST_A_SCRATCH)
    for column, ability in (
        (HAMMER, Ability.HAMMERHAND),
        (STUN, Ability.STUN),
        (SHOCK, Ability.SHOCK),
        (BRUTAL, Ability.BRUTAL),
        (MURDEROUS, Ability.MURDEROUS_ENTRANCE),
        (STORM, Ability.STORM_SHIELD),
        (DUELLER, Ability.DUELLER),
        (DUELIST, Ability.DUELIST),
    ):
        row[column] = me.has(ability)
    remembers_strike = row[HAMMER] or row[SCRATCHED]
    remembers_crit = row[CUT] or row[STUN] or row[SHOCK] or row[MURDEROUS]
    row[MEMORY] = (STRUCK if remembers_strike else 0) | (CRIT_STRUCK if remembers_crit else 0)
    return row


def phases(row: Row) -> int:
    """How many phases this fighter can be in."""
    return (1, 2, 2, 3)[int(row[MEMORY])]


def most_damage(row: Row) -> int:
    """More than this no single move does."""
    follow_up = max(row[NORM], row[CRIT]) if row[MURDEROUS] else 0
    return int(max(row[NORM], row[CRIT]) + row[HAMMER] + follow_up)


def strikes(row: Row) -> set[int]:
    """Every damage a single strike of this fighter can do."""
    norm, crit, cut, hammer = (int(row[column]) for column in (NORM, CRIT, CUT, HAMMER))
    return {norm, crit, crit - cut, norm + hammer, crit + hammer, crit - cut + hammer} | (
        {0} if row[SCRATCHED] else set()
    )


@compiled_in_place
def is_fresh(row: Row, phase: int) -> bool:  # pragma: no cover - machine code
    """No strike yet, as far as anything depends on it."""
    return row[MEMORY] & STRUCK != 0 and phase == 0


@compiled_in_place
def no_crit_yet(row: Row, phase: int) -> bool:  # pragma: no cover - machine code
    return row[MEMORY] & CRIT_STRUCK != 0 and phase < (2 if row[MEMORY] & STRUCK else 1)


@compiled_in_place
def phase_after(row: Row, phase: int, crit: bool) -> int:  # pragma: no cover - machine code
    if row[MEMORY] == STRUCK | CRIT_STRUCK:
        return 2 if crit else max(phase, 1)
    if row[MEMORY] == STRUCK or (row[MEMORY] == CRIT_STRUCK and crit):
        return 1
    return phase


@compiled_in_place
def strike_damage(row: Row, phase: int, crit: bool) -> int:  # pragma: no cover - machine code
    """Damage of the next strike: the first may be scratched off or hammered, the first critical cut by Durable."""
    if is_fresh(row, phase) and row[SCRATCHED]:
        return 0
    damage = row[CRIT] if crit else row[NORM]
    if crit and no_crit_yet(row, phase):
        damage -= row[CUT]
    if is_fresh(row, phase):
        damage += row[HAMMER]
    return int(damage)


@compiled_in_place
def legal_moves(
    c: int, n: int, ec: int, en: int, phase: int, me: Row, foe: Row, out: Row
) -> int:  # pragma: no cover - machine code
    """Fill ``out`` with the moves of a fighter who has a die left, and return how many there are.

    The plain strike comes first, critical before normal. A parry needs something to stop, and stops all it can.
    """
    count = 0
    if c > 0:
        count = _crit_strikes(c, n, ec, en, phase, me, out)
    if n > 0:
        damage, after = strike_damage(me, phase, False), phase_after(me, phase, False)
        count = _put(out, count, c, n - 1, ec, en, after, damage, -1, NORM_STRIKE)
    if c > 0 and ec + en > 0:
        stops = 2 if me[DUELLER] or me[STORM] else 1
        most_crits = min(ec, 2 if me[STORM] and not me[DUELLER] else 1)
        most = most_crits + min(en, stops - most_crits)
        for crits in range(most_crits, -1, -1):
            norms = min(en, stops - crits)
            if crits + norms == most:
                count = _put(out, count, c - 1, n, ec - crits, en - norms, phase, -1, -1, CRIT_PARRY)
    if n > 0 and en > 0 and not foe[BRUTAL]:
        norms = min(en, 2 if me[STORM] else 1)
        count = _put(out, count, c, n - 1, ec, en - norms, phase, -1, -1, NORM_PARRY)
    return count


@compiled_in_place
def _crit_strikes(
    c: int, n: int, ec: int, en: int, phase: int, me: Row, out: Row
) -> int:  # pragma: no cover - machine code
    damage, after = strike_damage(me, phase, True), phase_after(me, phase, True)
    if not no_crit_yet(me, phase):
        return _put(out, 0, c - 1, n, ec, en, after, damage, -1, CRIT_STRIKE)
    if me[STUN] and en > 0:
        en -= 1
    if me[SHOCK]:  # ruling K5: a normal success before a critical one
        if en > 0:
            en -= 1
        elif ec > 0:
            ec -= 1
    if not me[MURDEROUS] or c - 1 + n == 0:
        return _put(out, 0, c - 1, n, ec, en, after, damage, -1, CRIT_STRIKE)
    count = 0
    if c > 1:
        count = _put(out, count, c - 2, n, ec, en, after, damage, me[CRIT], CRIT_STRIKE)
    if n > 0:
        count = _put(out, count, c - 1, n - 1, ec, en, after, damage, me[NORM], CRIT_STRIKE)
    return count


@compiled_in_place
def _put(
    out: Row, count: int, c: int, n: int, ec: int, en: int, phase: int, first: int, second: int, kind: int
) -> int:  # pragma: no cover - machine code
    out[count, OWN_C], out[count, OWN_N], out[count, FOE_C], out[count, FOE_N] = c, n, ec, en
    out[count, PHASE], out[count, FIRST], out[count, SECOND], out[count, KIND] = phase, first, second, kind
    return count + 1


@compiled_in_place
def _first_of(kind: int, moves: Row, count: int) -> int:  # pragma: no cover - machine code
    for k in range(count):
        if moves[k, KIND] == kind:
            return k
    return -1


@compiled_in_place
def wise_parry(c: int, n: int, ec: int, moves: Row, count: int) -> int:  # pragma: no cover - machine code
    """Critical against critical, else normal against normal, else any critical parry; -1 if nothing can be parried."""
    crit_parry, norm_parry = _first_of(CRIT_PARRY, moves, count), _first_of(NORM_PARRY, moves, count)
    if (c > 0 and ec > 0) or norm_parry < 0:
        return crit_parry
    return norm_parry


@compiled_in_place
def kill_within(moves: Row) -> int:  # pragma: no cover - machine code
    """The plain strike kills an enemy with this many wounds or fewer, before Feel No Pain."""
    return int(moves[0, FIRST] + max(0, moves[0, SECOND]))


@compiled_in_place
def last_parry(
    c: int, n: int, ec: int, en: int, me: Row, foe: Row, moves: Row, count: int
) -> int:  # pragma: no cover - machine code
    """The parry that would leave the enemy without dice, or -1."""
    if me[DUELLER] and c > 0 and ec <= 1 and ec + en <= 2:
        return _first_of(CRIT_PARRY, moves, count)
    if ec + en > (2 if me[STORM] else 1):
        return -1
    if ec > 0 or n == 0 or foe[BRUTAL]:
        return _first_of(CRIT_PARRY, moves, count)
    return _first_of(NORM_PARRY, moves, count)


@compiled_in_place
def damage_to_come(phase: int, me: Row, move: Row) -> int:  # pragma: no cover - machine code
    """What the dice left after a move would do if nothing stopped them."""
    left = move[OWN_C] * me[CRIT] + move[OWN_N] * me[NORM]
    if is_fresh(me, phase) and move[OWN_C] + move[OWN_N] > 0:
        left += me[HAMMER]
    return int(left)


@compiled_in_place
def habits(
    c: int, n: int, ec: int, en: int, phase: int, me: Row, foe: Row, moves: Row, count: int
) -> tuple[int, int, int, int]:  # pragma: no cover - machine code
    """What every named strategy does first, by the enemy's wounds: (strike up to, last parry, parry up to, parry).

    Strike to kill; strike to stun an enemy without criticals; parry the enemy's last dice if the rest then kills. Above
    both limits the strategy decides between the plain strike and the last item, its parry (-1 only with a strike limit
    that no wounds exceed).
    """
    parry = wise_parry(c, n, ec, moves, count)
    if parry < 0 or (me[STUN] and no_crit_yet(me, phase) and c > 0 and ec == 0):
        return ALWAYS, -1, -1, parry
    last = last_parry(c, n, ec, en, me, foe, moves, count)
    then_kill = damage_to_come(phase, me, moves[last]) if last >= 0 else -1
    return kill_within(moves), last, min(then_kill, ALWAYS), parry


@compiled_in_place
def duelist_parry(c: int, n: int, ec: int, foe: Row, moves: Row, count: int) -> int:  # pragma: no cover - machine code
    """The parry the named strategies make before the first strike, or -1: never one that stops nothing (K6)."""
    if foe[BRUTAL] or (c > 0 and ec > 0) or n == 0:
        return _first_of(CRIT_PARRY, moves, count)
    return _first_of(NORM_PARRY, moves, count)

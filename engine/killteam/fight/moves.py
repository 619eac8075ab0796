"""What a fighter may do with a die, and what each of the named strategies does, for many hands of dice at a time.

A fighter is a few :class:`Figures`. Besides its dice it has a *phase*, which remembers just enough of what it has done
so far: whether it has struck (Hammerhand, Just a Scratch), and whether it has struck with a critical (Stun, Shock,
Murderous Entrance, Durable). Phases nobody asks about are merged, so most fights have a single one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.killteam.profile import Ability, Fighter

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

STRIKE, PARRY, MAX_DAMAGE, MIN_DAMAGE, OPTIMAL, FOLLOW = range(6)  # strategies; FOLLOW takes choices written down
# The moves there can be, in the order in which the first of equals is taken. A critical strike may be followed by
# another strike (Murderous Entrance); a critical parry may stop two dice in up to three ways.
CRIT_STRIKE, CRIT_NORM_STRIKE, NORM_STRIKE, CRIT_PARRY, CRIT_PARRY_2, CRIT_PARRY_3, NORM_PARRY = range(7)
MOVES = 7
NOTHING = CRIT_STRIKE  # before the first strike nobody strikes, so its place is that of a Duelist who does not parry
CRIT_PARRIES = (CRIT_PARRY, CRIT_PARRY_2, CRIT_PARRY_3)
PARRIES = (*CRIT_PARRIES, NORM_PARRY)
NONE = -1  # no such move, or no damage
LOWEST_DURABLE_CRIT = 4
ALWAYS = 1_000  # more wounds than anybody has


class Figures(NamedTuple):
    """A fighter in figures, with what the opponent's abilities do to its strikes."""

    norm: int
    crit: int
    cut: int  # what Durable takes off the first critical strike
    scratched: bool  # Just a Scratch takes the first strike
    hammer: bool
    stun: bool
    shock: bool
    murderous: bool
    brutal: bool
    storm: bool
    dueller: bool
    duelist: bool

    @property
    def remembers_strikes(self) -> bool:
        return self.hammer or self.scratched

    @property
    def remembers_crits(self) -> bool:
        return bool(self.cut) or self.stun or self.shock or self.murderous

    @property
    def phases(self) -> int:
        """How many phases this fighter can be in."""
        return 1 + self.remembers_strikes + self.remembers_crits

    @property
    def most_damage(self) -> int:
        """More than this no single move does."""
        hardest = max(self.norm, self.crit)
        return hardest + self.hammer + (hardest if self.murderous else 0)

    @property
    def strikes(self) -> set[int]:
        """Every damage a single strike of this fighter can do."""
        plain = {self.norm, self.crit, self.crit - self.cut}
        return plain | {damage + self.hammer for damage in plain} | ({0} if self.scratched else set())

    @property
    def most_dice(self) -> int:
        """More dice than this no single move uses up."""
        parry = 1 + (2 if self.storm or self.dueller else 1)
        return max(parry, 1 + self.stun + self.shock + self.murderous)

    def is_fresh(self, phase: int) -> bool:
        """No strike yet, as far as anything depends on it."""
        return self.remembers_strikes and phase == 0

    def no_crit_yet(self, phase: int) -> bool:
        return self.remembers_crits and phase < (2 if self.remembers_strikes else 1)

    def phase_after(self, phase: int, crit: bool) -> int:
        """The phase after a strike."""
        if self.remembers_strikes and self.remembers_crits:
            return 2 if crit else max(phase, 1)
        return 1 if self.remembers_strikes or (self.remembers_crits and crit) else phase

    def damage(self, phase: int, crit: bool) -> int:
        """Damage of the next strike: the first may be scratched off or hammered, the first critical cut by Durable."""
        if self.is_fresh(phase) and self.scratched:
            return 0
        damage = self.crit if crit else self.norm
        if crit and self.no_crit_yet(phase):
            damage -= self.cut
        return damage + self.hammer if self.is_fresh(phase) else damage


def figures(me: Fighter, foe: Fighter) -> Figures:
    return Figures(
        norm=me.norm_dmg,
        crit=me.crit_dmg,
        cut=int(foe.has(Ability.DURABLE) and me.crit_dmg >= LOWEST_DURABLE_CRIT),
        scratched=foe.has(Ability.JUST_A_SCRATCH),
        hammer=me.has(Ability.HAMMERHAND),
        stun=me.has(Ability.STUN),
        shock=me.has(Ability.SHOCK),
        murderous=me.has(Ability.MURDEROUS_ENTRANCE),
        brutal=me.has(Ability.BRUTAL),
        storm=me.has(Ability.STORM_SHIELD),
        dueller=me.has(Ability.DUELLER),
        duelist=me.has(Ability.DUELIST),
    )


class Hands(NamedTuple):
    """Dice of the one who moves and of the enemy, an entry for each hand."""

    crits: Ints
    norms: Ints
    foe_crits: Ints
    foe_norms: Ints


class Moves(NamedTuple):
    """``[move, hand]``: whether a move is legal, the dice and the phase it leaves, the damage of its strikes."""

    legal: Bools
    after: Hands
    phase: Ints
    first: Ints  # NONE: no strike
    second: Ints  # NONE: no second strike


def legal_moves(hands: Hands, phase: int, me: Figures, foe: Figures) -> Moves:
    """The moves of a fighter who has a die left. A parry needs something to stop, and stops all it can."""
    c, n, ec, en = hands
    shape = MOVES, c.size
    legal = np.zeros(shape, np.bool_)
    after = Hands(*(np.repeat(dice[None], MOVES, axis=0) for dice in hands))
    phases, first, second = np.full(shape, phase), np.full(shape, NONE), np.full(shape, NONE)

    legal[NORM_STRIKE] = n > 0
    after.norms[NORM_STRIKE] -= 1
    phases[NORM_STRIKE], first[NORM_STRIKE] = me.phase_after(phase, False), me.damage(phase, False)

    strikes = slice(CRIT_STRIKE, NORM_STRIKE)
    after.crits[strikes] -= 1
    phases[strikes], first[strikes] = me.phase_after(phase, True), me.damage(phase, True)
    legal[CRIT_STRIKE] = c > 0
    if me.no_crit_yet(phase):
        after.foe_crits[strikes], after.foe_norms[strikes] = _stunned(ec, en, me)
        if me.murderous:
            more = c - 1 + n > 0
            again = more & (c > 1)
            legal[CRIT_STRIKE] = (c > 0) & (again | ~more)
            after.crits[CRIT_STRIKE] -= again
            second[CRIT_STRIKE] = np.where(again, me.crit, NONE)
            legal[CRIT_NORM_STRIKE] = (c > 0) & (n > 0)
            after.norms[CRIT_NORM_STRIKE] -= 1
            second[CRIT_NORM_STRIKE] = me.norm

    stops = 2 if me.dueller or me.storm else 1
    most_crits = np.minimum(ec, 2 if me.storm and not me.dueller else 1)
    most = most_crits + np.minimum(en, stops - most_crits)
    after.crits[CRIT_PARRY : CRIT_PARRY_3 + 1] -= 1
    for fewer, parry in enumerate(CRIT_PARRIES[: stops + 1]):
        crits = most_crits - fewer
        norms = np.minimum(en, stops - crits)
        legal[parry] = (c > 0) & (most > 0) & (crits >= 0) & (crits + norms == most)
        after.foe_crits[parry] -= crits
        after.foe_norms[parry] -= norms

    after.norms[NORM_PARRY] -= 1
    if not foe.brutal:
        legal[NORM_PARRY] = (n > 0) & (en > 0)
        after.foe_norms[NORM_PARRY] -= np.minimum(en, 2 if me.storm else 1)
    for dice in after:
        dice *= legal
    return Moves(legal, after, phases, first, second)


def _stunned(foe_crits: Ints, foe_norms: Ints, me: Figures) -> tuple[Ints, Ints]:
    """The enemy's dice after the first critical strike."""
    if me.stun:
        foe_norms = foe_norms - (foe_norms > 0)
    if me.shock:  # ruling K5: a normal success before a critical one
        takes_norm = foe_norms > 0
        foe_norms, foe_crits = foe_norms - takes_norm, foe_crits - (~takes_norm & (foe_crits > 0))
    return foe_crits, foe_norms


class Habits(NamedTuple):
    """What every named strategy does first, by the enemy's wounds: it strikes up to ``kill``, and makes the ``last``
    parry up to ``then_kill``. Above both limits the strategy decides between ``strike`` and ``parry``.

    Strike to kill; strike to stun an enemy without criticals; parry the enemy's last dice if the rest then kills.
    """

    strike: Ints
    kill: Ints
    last: Ints
    then_kill: Ints
    parry: Ints


def habits(hands: Hands, phase: int, me: Figures, foe: Figures, moves: Moves) -> Habits:
    """The habits of the one who moves. Without a parry ``kill`` is a limit that no wounds exceed."""
    c, n, ec, en = hands
    strike = np.argmax(moves.legal[: NORM_STRIKE + 1], axis=0)
    here = np.arange(c.size)
    kill = moves.first[strike, here] + np.maximum(0, moves.second[strike, here])
    crit_parry, norm_parry = (np.where(moves.legal[parry], parry, NONE) for parry in (CRIT_PARRY, NORM_PARRY))
    parry = np.where(((c > 0) & (ec > 0)) | (norm_parry == NONE), crit_parry, norm_parry)
    last = np.where((ec > 0) | (n == 0) | foe.brutal, crit_parry, norm_parry)
    last = np.where(ec + en > (2 if me.storm else 1), NONE, last)
    if me.dueller:
        last = np.where((c > 0) & (ec <= 1) & (ec + en <= 2), crit_parry, last)
    crits, norms = c - (last == CRIT_PARRY), n - (last == NORM_PARRY)
    to_come = crits * me.crit + norms * me.norm
    if me.is_fresh(phase):
        to_come = to_come + me.hammer * (crits + norms > 0)
    strikes_only = parry == NONE
    if me.stun and me.no_crit_yet(phase):
        strikes_only |= (c > 0) & (ec == 0)
    then_kill = np.where(last == NONE, NONE, np.minimum(to_come, ALWAYS))
    return Habits(
        strike,
        np.where(strikes_only, ALWAYS, kill),
        np.where(strikes_only, NONE, last),
        np.where(strikes_only, NONE, then_kill),
        parry,
    )


def duelist_parry(hands: Hands, foe: Figures, moves: Moves) -> Ints:
    """The parry the named strategies make before the first strike: never one that stops nothing (K6)."""
    c, n, ec, _ = hands
    with_crit = (n == 0) | ((c > 0) & (ec > 0)) | foe.brutal
    parry = np.where(with_crit, CRIT_PARRY, NORM_PARRY)
    return np.where(moves.legal[parry, np.arange(c.size)], parry, NOTHING)

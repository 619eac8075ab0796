"""What a fighter may do with a die, and what each of the named strategies does, for all hands of dice at a time.

What a move makes of the mover's dice depends on these alone, and what it makes of the enemy's on those alone: so moves
are two small tables by hand, and not one by both.

A fighter is a few :class:`Figures`. Besides its dice it has a *phase*, which remembers just enough of what it has done
so far: whether it has struck (Hammerhand, Just a Scratch), and whether it has struck with a critical (Stun, Shock,
Murderous Entrance, Durable). Phases nobody asks about are merged, so most fights have a single one.
"""

from __future__ import annotations

from functools import lru_cache
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


Counts = tuple[int, int, int]  # criticals, normals, dice in all


class Hands(NamedTuple):
    """Every hand of dice a fighter may hold, fewest dice first, then fewest criticals. A hand goes by its number."""

    most: Counts
    crits: Ints  # by hand
    norms: Ints
    dice: Ints
    fewest: Ints  # fewest criticals, by dice
    many: Ints  # how many hands, by dice
    first: Ints  # the number of the first hand, by dice

    def number(self, crits: Ints, norms: Ints) -> Ints:
        dice = crits + norms
        number: Ints = self.first[dice] + crits - self.fewest[dice]
        return number

    @property
    def size(self) -> int:
        return self.crits.size


@lru_cache(maxsize=256)
def hands_up_to(crits: int, norms: int, dice: int) -> Hands:
    """The hands with at most so many criticals, normals, and dice in all.

    >>> hands = hands_up_to(crits=1, norms=2, dice=2)
    >>> list(zip(hands.crits.tolist(), hands.norms.tolist()))
    [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1)]
    """
    each = np.arange(dice + 1)
    fewest = np.maximum(0, each - norms)
    many = np.minimum(each, crits) - fewest + 1
    first = np.cumsum(many) - many
    of_dice = np.repeat(each, many)
    of_crits = np.arange(of_dice.size) - (first - fewest)[of_dice]
    return Hands((crits, norms, dice), of_crits, of_dice - of_crits, of_dice, fewest, many, first)


class Dice(NamedTuple):
    """What each move asks of one side's dice and leaves of them, ``[hand, move]``."""

    legal: Bools
    after: Ints  # the number of the hand that is left
    left: Ints  # its dice


class Moves(NamedTuple):
    """What a fighter may do in a phase. A move is legal if it is with both sides' dice."""

    own: Dice
    foe: Dice
    phase: Ints  # by move: the phase it leads to
    second: Ints  # [own hand, move]: NONE, or which second strike it makes


def legal_moves(hands: tuple[Hands, Hands], phase: int, me: Figures, foe: Figures) -> Moves:
    """The moves with own and enemy hands. A parry needs something to stop, and stops all it can."""
    first_crit = me.no_crit_yet(phase)
    again = me.murderous and first_crit
    own, seconds = _own_dice(hands[0].most, again)
    stops = Stops(me.stun and first_crit, me.shock and first_crit, me.storm, me.dueller, foe.brutal)
    after_crit, after_norm = me.phase_after(phase, True), me.phase_after(phase, False)
    return Moves(
        own,
        _foe_dice(hands[1].most, stops),
        np.array([after_crit, after_crit, after_norm, phase, phase, phase, phase]),
        seconds,
    )


NORM_AGAIN, CRIT_AGAIN = 1, 2  # second strikes


@lru_cache(maxsize=512)
def _own_dice(most: Counts, again: bool) -> tuple[Dice, Ints]:
    """What moves ask of the mover's dice; ``again`` lets another strike follow a critical one, and says which."""
    hands = hands_up_to(*most)
    c, n = hands.crits, hands.norms
    crits, norms, legal = _unchanged(hands)
    crits[:, [CRIT_STRIKE, CRIT_NORM_STRIKE, *CRIT_PARRIES]] -= 1
    norms[:, [NORM_STRIKE, NORM_PARRY]] -= 1
    legal[:, [CRIT_STRIKE, *CRIT_PARRIES]] = (c > 0)[:, None]
    legal[:, [NORM_STRIKE, NORM_PARRY]] = (n > 0)[:, None]
    second = np.full(legal.shape, NONE)
    if not again:
        return _dice(hands, legal, crits, norms), second
    legal[:, CRIT_STRIKE] = (c > 1) | ((c == 1) & (n == 0))
    crits[:, CRIT_STRIKE] -= c > 1
    second[:, CRIT_STRIKE] = np.where(c > 1, CRIT_AGAIN, NONE)
    legal[:, CRIT_NORM_STRIKE] = (c > 0) & (n > 0)
    norms[:, CRIT_NORM_STRIKE] -= 1
    second[:, CRIT_NORM_STRIKE] = NORM_AGAIN
    return _dice(hands, legal, crits, norms), second


class Stops(NamedTuple):
    """What decides which of the enemy's dice a move stops."""

    stun: bool
    shock: bool
    storm: bool
    dueller: bool
    brutal: bool


@lru_cache(maxsize=512)
def _foe_dice(most: Counts, by: Stops) -> Dice:
    """What moves ask of the enemy's dice, and what they stop."""
    hands = hands_up_to(*most)
    ec, en = hands.crits, hands.norms
    crits, norms, legal = _unchanged(hands)
    legal[:, [CRIT_STRIKE, CRIT_NORM_STRIKE, NORM_STRIKE]] = True
    stunned = _stunned(ec, en, by)
    for move in (CRIT_STRIKE, CRIT_NORM_STRIKE):
        crits[:, move], norms[:, move] = stunned
    stops = 2 if by.dueller or by.storm else 1
    most_crits = np.minimum(ec, 2 if by.storm and not by.dueller else 1)
    stopped_in_all = most_crits + np.minimum(en, stops - most_crits)
    for fewer, parry in enumerate(CRIT_PARRIES[: stops + 1]):
        stopped = most_crits - fewer
        with_it = np.minimum(en, stops - stopped)
        legal[:, parry] = (stopped_in_all > 0) & (stopped >= 0) & (stopped + with_it == stopped_in_all)
        crits[:, parry] -= stopped
        norms[:, parry] -= with_it
    if not by.brutal:
        legal[:, NORM_PARRY] = en > 0
        norms[:, NORM_PARRY] -= np.minimum(en, 2 if by.storm else 1)
    return _dice(hands, legal, crits, norms)


def _unchanged(hands: Hands) -> tuple[Ints, Ints, Bools]:
    """Criticals and normals as they are, and no move legal: ``[hand, move]``."""
    shape = hands.size, MOVES
    crits, norms = (np.repeat(each, MOVES).reshape(shape) for each in (hands.crits, hands.norms))
    return crits, norms, np.zeros(shape, np.bool_)


def _dice(hands: Hands, legal: Bools, crits: Ints, norms: Ints) -> Dice:
    after = np.where(legal, hands.number(crits * legal, norms * legal), 0)
    return Dice(legal, after, hands.dice[after])


def _stunned(foe_crits: Ints, foe_norms: Ints, by: Stops) -> tuple[Ints, Ints]:
    """The enemy's dice after the first critical strike."""
    if by.stun:
        foe_norms = foe_norms - (foe_norms > 0)
    if by.shock:  # ruling K5: a normal success before a critical one
        takes_norm = foe_norms > 0
        foe_norms, foe_crits = foe_norms - takes_norm, foe_crits - (~takes_norm & (foe_crits > 0))
    return foe_crits, foe_norms


class Situation(NamedTuple):
    """Dice of the one who moves and of the enemy, and whether each move is legal: an entry for each pair of hands."""

    crits: Ints
    norms: Ints
    foe_crits: Ints
    foe_norms: Ints
    own: Ints  # the hand of the one who moves
    legal: Bools  # [pair, move]


class Habits(NamedTuple):
    """What every named strategy does first: it strikes to kill or, if it has to, always; it makes the ``last`` parry if
    the ``crits`` and ``norms`` that are left then kill. Else the strategy decides between ``strike`` and ``parry``.

    Strike to kill; strike to stun an enemy without criticals; parry the enemy's last dice if the rest then kills.
    """

    strike: Ints
    strikes_only: Bools
    last: Ints
    crits: Ints
    norms: Ints
    parry: Ints


def habits(at: Situation, phase: int, me: Figures, foe: Figures, moves: Moves) -> Habits:
    """The habits of the one who moves."""
    c, n, ec, en, own, legal = at
    strike = np.argmax(moves.own.legal[:, : NORM_STRIKE + 1], axis=1)[own]
    crit_parry, norm_parry = (np.where(legal[:, parry], parry, NONE) for parry in (CRIT_PARRY, NORM_PARRY))
    parry = np.where(((c > 0) & (ec > 0)) | (norm_parry == NONE), crit_parry, norm_parry)
    last = np.where((ec > 0) | (n == 0) | foe.brutal, crit_parry, norm_parry)
    last = np.where(ec + en > (2 if me.storm else 1), NONE, last)
    if me.dueller:
        last = np.where((c > 0) & (ec <= 1) & (ec + en <= 2), crit_parry, last)
    strikes_only = parry == NONE
    if me.stun and me.no_crit_yet(phase):
        strikes_only |= (c > 0) & (ec == 0)
    last = np.where(strikes_only, NONE, last)
    return Habits(strike, strikes_only, last, c - (last == CRIT_PARRY), n - (last == NORM_PARRY), parry)


def duelist_parry(at: Situation, foe: Figures) -> Ints:
    """The parry the named strategies make before the first strike: never one that stops nothing (K6)."""
    c, n, ec, _, _, legal = at
    with_crit = (n == 0) | ((c > 0) & (ec > 0)) | foe.brutal
    parry = np.where(with_crit, CRIT_PARRY, NORM_PARRY)
    return np.where(legal[np.arange(c.size), parry], parry, NOTHING)

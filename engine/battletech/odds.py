"""Exact odds of a heat level or of a plan of heats: what explodes, what is lost, whether the 'Mech survives.

Each part of the hull (see ``regions``) is one axis of a probability tensor. A phase moves every axis by its own chain;
then the parts are looked at together: the 'Mech is out when the centre torso's sum is too much, the pilot's hits reach
six, or a part is fatal by itself. A 'Mech that is out drops from the tensor: it has no further heat phases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.battletech.mech import Mech, Rules
from engine.battletech.regions import Region, Row, State, regions
from engine.battletech.tables import (
    CT,
    LOCATIONS,
    PILOT_HITS_TO_KILL,
    HeatBand,
    Location,
    Protection,
    heat_band,
)
from engine.wire import EngineError

Floats = npt.NDArray[np.float64]

# Distinct sets of bins, per part and in all, that are still counted while a reader waits.
MAX_PART, MAX_WHOLE = 2**13, 2**18


@dataclass(frozen=True, slots=True)
class Turn:
    """One phase of a plan. ``p_explosion`` counts only 'Mechs still in play; the rest is up to and with this turn."""

    heat: int
    target_number: int | None
    automatic: bool
    p_explosion: float
    p_none_so_far: float
    p_survive: float


@dataclass(frozen=True, slots=True)
class Odds:
    """Over the whole plan. Structure loss is what explosions burn; an arm that merely falls off is not counted."""

    p_any: float
    p_none: float
    expected_explosions: float
    expected_raw_damage: float
    expected_structure_loss: float
    expected_pilot: float
    p_mech_destroyed: float
    p_location: Mapping[Location, float]
    p_bin: Mapping[str, float]
    turns: tuple[Turn, ...]


def odds(mech: Mech, rules: Rules, heats: Sequence[int]) -> Odds:
    """The odds of one heat phase after another at the given heats.

    >>> from engine.battletech.mech import Bin
    >>> mech = Mech(tonnage=50, bins=tuple(
    ...     Bin(bin_id=i, location="LT", rounds=5, damage_per_round=20) for i in ("a", "b")))
    >>> round(odds(mech, Rules(), [19]).p_none, 6) == round((11 / 12) ** 2, 6)
    True
    """
    parts = regions(mech, rules)
    if not rules.book.one_roll_per_phase:  # one explosion a turn never branches far
        _refuse_too_many(parts)
    play = _Play(mech, parts)
    # One phase can be asked of a wreck, as of any sheet; it has no later ones.
    a_wreck = play.alive == 0
    turns: list[Turn] = []
    quiet = 1.0
    for number, heat in enumerate(heats, 1):
        band = heat_band(rules.book, heat)
        if not (a_wreck and turns):
            quiet *= prod(part.p_quiet(part.start, band) for part in parts)
        p_explosion = play.phase(band, last=number == len(heats))
        target, automatic = (band.target_number, band.automatic) if band else (None, False)
        turns.append(Turn(heat, target, automatic, p_explosion, quiet, play.alive))
    return play.summary(quiet, tuple(turns))


def fitted_with(mech: Mech, protection: Protection) -> Mech:
    """The same 'Mech with one protection wherever something can explode, and none elsewhere.

    >>> from engine.battletech.presets import preset
    >>> fitted_with(preset("hunchback-hbk-4g"), "case").case["LT"]
    'case'
    """
    places = {b.location for b in mech.explosive_bins} | {e.location for e in mech.explosive_equipment}
    case = {name: protection if name in places else "none" for name in LOCATIONS}
    return mech.model_copy(update={"case": case})


class _HullSums(NamedTuple):
    """Expectations over the tensor that depend on where it stands, not on how it got there."""

    center_loss: float
    gone: Floats


class _Play:
    """The tensor of 'Mechs still in play and the sums gathered so far."""

    def __init__(self, mech: Mech, parts: tuple[Region, ...]) -> None:
        self.mech = mech
        self.parts = parts
        self.axes: list[list[State]] = [[part.start] for part in parts]
        self.mass: Floats = np.ones((1,) * len(parts))
        self.alive = float(self.mass[self._in_play()].sum())
        self.lost = 1 - self.alive  # added up, not 1 − alive: what cannot happen stays exactly 0
        self.stood = np.array([mech.stands(name) for name in LOCATIONS])  # only these can still be lost
        self.burnt = 0.0
        self.gone: Floats = np.zeros(len(LOCATIONS))
        self.explosions = [np.zeros(len(part.kinds)) for part in parts]

    def phase(self, band: HeatBand | None, last: bool) -> float:
        """Run one heat phase; the chance that something explodes in it."""
        axes = list(zip(self.parts, self.axes, strict=True))
        rows = [[part.phase(state, band, last) for state in axis] for part, axis in axes]
        p_loud = float(self.mass.sum()) - self._p_quiet(band)
        before = self._hull_sums()
        for at in range(len(self.parts)):
            self._move_axis(at, rows[at])
        after = self._hull_sums()
        self.burnt += after.center_loss - before.center_loss
        self.gone += after.gone - before.gone
        self._drop_lost()
        return p_loud

    def _p_quiet(self, band: HeatBand | None) -> float:
        quiet = self.mass
        for part, axis in zip(self.parts, self.axes, strict=True):
            quiet = np.tensordot([part.p_quiet(state, band) for state in axis], quiet, axes=(0, 0))
        return float(quiet)

    def _move_axis(self, at: int, rows: list[Row]) -> None:
        """Spread one axis over the states its chain can reach, and gather what happens on the way."""
        weight = self._marginal(at)
        self.burnt += float(weight @ np.array([row.burnt for row in rows]))
        self.explosions[at] += weight @ np.array([row.explosions for row in rows])
        index: dict[State, int] = {}
        for row in rows:
            for state in row.ends:
                index.setdefault(state, len(index))
        old = np.moveaxis(self.mass, at, 0)
        new = np.zeros((len(index), *old.shape[1:]))
        for slab, row in zip(old, rows, strict=True):
            where = [index[state] for state in row.ends]
            new[where] += np.multiply.outer(np.array(list(row.ends.values())), slab)
        self.mass = np.moveaxis(new, 0, at)
        self.axes[at] = list(index)

    def _drop_lost(self) -> None:
        """A 'Mech that is out has no further phases; states nobody is in cost nothing more."""
        in_play = self._in_play()
        if self.alive:
            self.lost += float(self.mass[~in_play].sum())
        self.mass = np.where(in_play, self.mass, 0.0)
        self.alive = float(self.mass.sum())
        for at, axis in enumerate(self.axes):
            kept = np.flatnonzero(self._marginal(at))
            self.axes[at] = [axis[i] for i in kept]
            self.mass = np.take(self.mass, kept, axis=at)

    def _marginal(self, at: int) -> Floats:
        others = tuple(axis for axis in range(self.mass.ndim) if axis != at)
        return np.asarray(self.mass.sum(axis=others))

    def _over_all(self, figure: Callable[[Region, State], int], start: int = 0) -> npt.NDArray[np.int64]:
        """A figure of every part, added up for every cell of the tensor."""
        shape = self.mass.ndim
        total = np.full((1,) * shape, start, dtype=np.int64)
        for at, (part, axis) in enumerate(zip(self.parts, self.axes, strict=True)):
            figures = np.array([figure(part, state) for state in axis], dtype=np.int64)
            total = total + figures.reshape([-1 if axis_at == at else 1 for axis_at in range(shape)])
        return total

    def _center_loss(self) -> npt.NDArray[np.int64]:
        structure, armor = self.parts[0].center
        carried = self._over_all(Region.carried_damage)
        return np.minimum(structure, self._over_all(Region.own_damage) + np.maximum(0, carried - armor))

    def _in_play(self) -> npt.NDArray[np.bool_]:
        hits = self._over_all(lambda _, state: state.hits, self.mech.pilot_hits)
        fatal = self._over_all(lambda part, state: part.fatal(state))
        standing = self._center_loss() < self.parts[0].center[0]
        return np.asarray((hits < PILOT_HITS_TO_KILL) & (fatal == 0) & standing, dtype=np.bool_)

    def _hull_sums(self) -> _HullSums:
        loss = self._center_loss()
        gone = np.zeros(len(LOCATIONS))
        gone[CT] = float(self.mass[loss == self.parts[0].center[0]].sum())
        for at, (part, axis) in enumerate(zip(self.parts, self.axes, strict=True)):
            weight = self._marginal(at)
            for location in part.locations:
                if location != CT:
                    lost = [part.structure(state)[location] == 0 for state in axis]
                    gone[location] = weight @ np.array(lost, dtype=float)
        return _HullSums(float((self.mass * loss).sum()), np.where(self.stood, gone, 0.0))

    def summary(self, p_none: float, turns: tuple[Turn, ...]) -> Odds:
        kinds = [
            (kind, n)
            for part, sums in zip(self.parts, self.explosions, strict=True)
            for kind, n in zip(part.kinds, sums.tolist(), strict=True)
        ]
        p_bin = {b.bin_id: 0.0 for b in self.mech.bins}
        p_bin |= {bin_id: n / len(kind.bin_ids) for kind, n in kinds for bin_id in kind.bin_ids}
        return Odds(
            p_any=1 - p_none,
            p_none=p_none,
            expected_explosions=sum(n for _, n in kinds),
            expected_raw_damage=sum(n * kind.damage for kind, n in kinds),
            expected_structure_loss=self.burnt,
            expected_pilot=sum(n * kind.pilot for kind, n in kinds),
            p_mech_destroyed=self.lost,
            p_location={name: p for name, p in zip(LOCATIONS, self.gone.tolist(), strict=True) if p > 0},
            p_bin=p_bin,
            turns=turns,
        )


def _refuse_too_many(parts: Sequence[Region]) -> None:
    """Sheets far beyond any real 'Mech would keep the reader waiting: say so instead."""
    sizes = [part.combinations for part in parts]
    if max(sizes) > MAX_PART or prod(sizes) > MAX_WHOLE:
        raise EngineError(
            f"{prod(sizes)} different sets of bins could explode; exact odds are given for up to {MAX_WHOLE} "
            f"in all and {MAX_PART} on one side. Bins that are alike and listed together count as one sort.",
            field="mech.bins",
            constraint="max combinations",
            expected=MAX_WHOLE,
            actual=prod(sizes),
        )

"""Monte Carlo of an attack on a unit of different models: every die rolled, wounds allocated as players do it.

It shares the face tables and the dice of ``simulate``, and who is next in line with ``mixed_allocation``; none of the
exact engine's algebra. A defender who would decide anew at every wound keeps to the best fixed order here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled import compiled_in_place, inner
from engine.warhammer40k.attack import Volley
from engine.warhammer40k.mixed import MixedInput, Salvo, resolve_mixed
from engine.warhammer40k.mixed_allocation import Order, Space
from engine.warhammer40k.simulate import (
    ATTACKS,
    CHUNK,
    DEVASTATING,
    EXTRA,
    EXTRA_ATTACKS,
    HALVE,
    HIT,
    LETHAL,
    MELTA,
    MINIMUM,
    MORTAL_PAIN,
    MORTALS,
    PAIN,
    RAPID,
    RAPID_FIRE,
    REDUCTION,
    ROLLS,
    ROW,
    SAVE,
    SPILLS,
    SUSTAINED,
    TORRENT,
    UNREDUCED,
    WEAPONS,
    Simulated,
    check_dice,
    dice_total,
    die_face,
    die_outcome,
    encoded,
    rolled_damage,
    wound_die,
)
from engine.warhammer40k.stages import CRITICAL, FAIL, SUCCESS


@dataclass(frozen=True)
class Line:
    """The unit as it stands in line: its states, and who is next for usual attacks and for those with Precision."""

    space: Space
    order: tuple[int, ...]
    usual: Order
    precise: Order


def line_of(request: MixedInput) -> Line:
    """The order the exact answer plays, bodyguards first; a fixed one in any case.

    >>> from engine.warhammer40k.mixed import MixedDefender, ModelGroup
    >>> boyz, nob = ModelGroup(models=9, toughness=5, save=5, wounds=1), ModelGroup(toughness=5, save=4, wounds=2)
    >>> line_of(MixedInput(defender=MixedDefender(groups=(boyz, nob)))).order
    (0, 1)
    """
    unit = request.defender
    if unit.order == "adaptive":
        request = request.model_copy(update={"defender": unit.model_copy(update={"order": "best"})})
    outcome = resolve_mixed(request)
    guards, leaders = list(outcome.order), list(unit.leaders)
    space = outcome.space
    return Line(space, outcome.order, space.order([guards, leaders]), space.order([leaders, guards]))


def simulate_mixed(
    request: MixedInput, iterations: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> Simulated:
    """Roll the attack ``iterations`` times; ``progress(done, of)`` is called after every chunk.

    >>> from engine.warhammer40k.mixed import MixedDefender, ModelGroup
    >>> unit = MixedDefender(groups=(ModelGroup(toughness=4, wounds=1), ModelGroup(toughness=4, wounds=2)))
    >>> simulate_mixed(MixedInput(defender=unit), 10, seed=1).distribution("damage").mean
    0.0
    """
    unit, line = request.defender, line_of(request)
    salvos = [Salvo(weapon, unit, request.rules) for weapon in request.weapons]
    hits = sum(salvo.volley.unsaved_bound for salvo in salvos)
    check_dice(hits, iterations)
    groups = len(unit.groups)
    weapons = np.array([_rows(salvo) for salvo in salvos], dtype=np.int64).reshape(-1, groups + 1, ROW)
    needs = np.array([[table.need for table in salvo.saves] for salvo in salvos], dtype=np.int64)
    flags = np.array([_flags(salvo, line) for salvo in salvos], dtype=np.int64)
    lines = np.stack([[one.group, one.left, one.step] for one in (line.usual, line.precise)])
    counts = {
        "hits": np.zeros(hits + 1, dtype=np.int64),
        "wounds": np.zeros(hits + 1, dtype=np.int64),
        "damage": np.zeros(unit.total_wounds + 1, dtype=np.int64),
        "destroyed": np.zeros(unit.models + 1, dtype=np.int64),
    }
    ends = np.stack([line.space.lost.sum(axis=0), line.space.removed.sum(axis=0)])
    waiting = np.zeros(hits + 1, dtype=np.int64)
    rng = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    for done in range(0, iterations, CHUNK):
        times = min(CHUNK, iterations - done)
        _run(weapons, needs.reshape(-1, groups), flags.reshape(-1, 3), lines, ends, waiting, times, rng,
             *counts.values())  # fmt: skip
        if progress:
            progress(min(done + CHUNK, iterations), iterations)
    return Simulated(iterations, counts, int(counts["destroyed"][unit.models]))


def _rows(salvo: Salvo) -> Any:
    """A weapon as the compiled code reads it: for its saves and damage against each group, then for hits and wounds."""
    return [*(encoded(Volley(stages)) for stages in salvo.against), encoded(salvo.volley)]


def _flags(salvo: Salvo, line: Line) -> tuple[int, int, int]:
    """Has it Precision; are its saves taken lowest first; the group rerolls and spilling damage are judged by."""
    lowest_first = not salvo.saves_alike and salvo.volley.stages.edition.saves_lowest_first
    return int(salvo.weapon.precision), int(lowest_first), salvo.unit.bodyguards[0]


# -- compiled code ---------------------------------------------------------------------------------------------------

PRECISION, LOWEST_FIRST, FIRST_GUARDS = range(3)
GROUP, LEFT, STEP = range(3)


@inner
def _dealt(rng: Any, w: Any) -> int:
    """Damage of one attack before Feel No Pain."""
    base = rolled_damage(rng, w)
    full = base + w[MELTA]
    halved = (base + 1) // 2 + w[MELTA] if w[HALVE] else full
    return int(max(min(full, w[MINIMUM]), halved - w[REDUCTION]))


@inner
def _felt_by(rng: Any, points: int, pain: int) -> int:
    if pain == 0:
        return points
    lost = 0
    for _ in range(points):
        if die_face(rng, 6) < max(2, pain):
            lost += 1
    return lost


@inner
def _after(line: Any, state: int, points: int) -> int:
    """The state after a strike: the model in front takes it, what is left over is lost."""
    return int(state + min(points, line[LEFT, state]) * line[STEP, state])


@inner
def _saved_one_by_one(rng: Any, weapon: Any, line: Any, state: int, wounds: int) -> int:
    """Each wound is saved as it is allocated."""
    for _ in range(wounds):
        group = line[GROUP, state]
        if group < 0:
            return state
        w = weapon[group]
        if die_outcome(rng, w, SAVE) == FAIL:
            state = _after(line, state, _felt_by(rng, _dealt(rng, w), w[PAIN]))
    return state


@inner
def _saved_lowest_first(rng: Any, weapon: Any, needs: Any, line: Any, state: int, wounds: int, first: int) -> int:
    """All saves are rolled, then taken from the lowest; rerolls are those of the first bodyguards."""
    ones = twos = threes = fours = fives = sixes = 0
    for _ in range(wounds):
        shown = die_face(rng, 6)
        if weapon[first, SAVE + 7 + shown]:
            shown = die_face(rng, 6)
        ones += shown == 1
        twos += shown == 2
        threes += shown == 3
        fours += shown == 4
        fives += shown == 5
        sixes += shown == 6
    for shown, number in enumerate((ones, twos, threes, fours, fives, sixes), 1):
        for _ in range(number):
            group = line[GROUP, state]
            if group < 0:
                return state
            w = weapon[group]
            if shown < needs[group]:
                state = _after(line, state, _felt_by(rng, _dealt(rng, w), w[PAIN]))
    return state


@compiled_in_place
def _run(
    weapons: Any,
    needs: Any,
    flags: Any,
    lines: Any,
    ends: Any,
    waiting: Any,
    times: int,
    rng: Any,
    n_hits: Any,
    n_wounds: Any,
    n_damage: Any,
    n_destroyed: Any,
) -> None:
    """Roll the whole sequence ``times`` times and count what came of it."""
    for _ in range(times):
        state = hits = wounds = pending = mortals = 0
        for at in range(len(weapons)):
            weapon = weapons[at]
            w = weapon[len(weapon) - 1]
            first = weapon[flags[at, FIRST_GUARDS]]
            to_save = 0
            for _ in range(w[WEAPONS]):
                if not w[ROLLS]:
                    mortals += dice_total(rng, w, MORTALS)
                    continue
                dice = dice_total(rng, w, ATTACKS) + w[EXTRA_ATTACKS]
                if w[RAPID]:
                    dice += dice_total(rng, w, RAPID_FIRE)
                for _ in range(dice):
                    hit = SUCCESS if w[TORRENT] else die_outcome(rng, w, HIT)
                    if hit == FAIL:
                        continue
                    landed = 1 + (dice_total(rng, w, SUSTAINED) if hit == CRITICAL else 0)
                    hits += landed
                    for number in range(landed):
                        lethal = number == 0 and hit == CRITICAL and w[LETHAL]
                        wound = SUCCESS if lethal else die_outcome(rng, w, wound_die(rng, w))
                        if wound == FAIL:
                            continue
                        wounds += 1
                        if wound == CRITICAL:
                            mortals += dice_total(rng, w, EXTRA)
                        if wound == CRITICAL and w[DEVASTATING]:
                            if w[SPILLS]:
                                mortals += _dealt(rng, first)
                            else:
                                waiting[pending] = at
                                pending += 1
                        else:
                            to_save += 1
            line = lines[flags[at, PRECISION]]
            if flags[at, LOWEST_FIRST]:
                state = _saved_lowest_first(rng, weapon, needs[at], line, state, to_save, flags[at, FIRST_GUARDS])
            else:
                state = _saved_one_by_one(rng, weapon, line, state, to_save)
        for number in range(pending):
            at = waiting[number]
            line = lines[flags[at, PRECISION]]
            group = line[GROUP, state]
            if group >= 0:
                w = weapons[at, group]
                points = rolled_damage(rng, w) + w[MELTA] if w[UNREDUCED] else _dealt(rng, w)
                state = _after(line, state, _felt_by(rng, points, w[MORTAL_PAIN]))
        for _ in range(mortals):
            group = lines[0, GROUP, state]
            if group < 0:
                break
            state = _after(lines[0], state, _felt_by(rng, 1, weapons[0, group, MORTAL_PAIN]))
        n_hits[hits] += 1
        n_wounds[wounds] += 1
        n_damage[ends[0, state]] += 1
        n_destroyed[ends[1, state]] += 1

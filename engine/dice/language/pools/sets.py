"""Questions about all dice together: sets, the largest of them, runs, different faces, the highest die."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from engine.compiled import compiled_in_place, inner
from engine.dice.language import syntax, table
from engine.dice.language.pools.dice import Die, Groups
from engine.dice.language.pools.faces import face_numbers, toeplitz, visit
from engine.dice.language.pools.mixtures import added, sum_of
from engine.dice.pmf import Array, Pmf

#: Up to so many dice the questions are compiled loops; beyond, products of matrices are quicker.
FEW_DICE = 60
#: The number of choices among more faces than these is beyond a double.
MOST_FACES = 1000


def asked(groups: Groups, question: syntax.PoolQuestion, size: int) -> Pmf:
    if not sum(n for _, n in groups):
        return Pmf.point(table.asked(question, size, ()))
    if len(groups) > 1:
        return _asked_of_kinds(groups, question, size)
    (die, count), *_ = groups
    pmf = die.pmf
    if question == "highest_count":
        return _highest_and_how_many(pmf, count)
    if question == "largest_set":
        return _largest_set(pmf, count)
    if question == "longest_run":
        return _longest_run(pmf, count)
    return _sets(pmf, count, size) if question == "sets" else _different(pmf, count)


def _sets(pmf: Pmf, count: int, size: int) -> Pmf:
    """How many faces are shown by at least ``size`` dice: a polynomial in the dice for each number of sets."""
    numbers = face_numbers(pmf.p[pmf.p > 0], count)
    most = min(count // size, len(numbers))
    state = np.zeros((most + 1, count + 1))
    state[0, 0] = 1.0
    if count <= FEW_DICE:
        _add_sets(numbers, size, state)
    else:
        state = _multiplied_sets(numbers, size, state)
    return Pmf.trusted(state[:, count] / state[:, count].sum())


@compiled_in_place
def _add_sets(numbers: Array, size: int, state: Array) -> None:
    """Add face after face to ``state[sets, dice]``, in place: dice are only added, so the largest number goes first."""
    most, count = state.shape[0] - 1, state.shape[1] - 1
    for face in range(numbers.shape[0]):
        for dice in range(count, -1, -1):
            for sets in range(most, -1, -1):
                total = 0.0
                for more in range(min(size - 1, dice) + 1):
                    total += state[sets, dice - more] * numbers[face, more]
                if sets:
                    for more in range(size, dice + 1):
                        total += state[sets - 1, dice - more] * numbers[face, more]
                state[sets, dice] = total


def _multiplied_sets(numbers: Array, size: int, state: Array) -> Array:
    """The same for many dice, a face at a time as a product of matrices."""
    few, many = numbers.copy(), numbers.copy()
    few[:, size:], many[:, :size] = 0.0, 0.0
    same = bool((numbers == numbers[0]).all())
    steps = (toeplitz(few[0]), toeplitz(many[0])) if same else None
    for face in range(len(numbers)):
        left, up = steps or (toeplitz(few[face]), toeplitz(many[face]))
        after = state @ left
        after[1:] += state[:-1] @ up
        state = after
    return state


# -- the largest set --------------------------------------------------------------------------------------------------


def _largest_set(pmf: Pmf, count: int) -> Pmf:
    """The size of the largest set, for each size in turn: no face above it, and at least one that has it.

    Both are carried along instead of subtracting one chance from the next, so that rare sets keep their digits.
    """
    numbers = face_numbers(pmf.p[pmf.p > 0], count)
    chances = np.zeros(count + 1)
    if numbers.size <= FEW_DICE**2:
        _add_largest(numbers, np.empty(count + 1), np.empty(count + 1), chances)
    else:
        for size in range(-(-count // len(numbers)), count + 1):
            chances[size] = _largest_is(numbers, size)
    return Pmf.trusted(chances / chances.sum())


@compiled_in_place
def _add_largest(numbers: Array, below: Array, reached: Array, chances: Array) -> None:
    """For each size, face after face: the weight of so many dice without a set of that size, and with one."""
    faces, count = numbers.shape[0], numbers.shape[1] - 1
    for size in range((count + faces - 1) // faces, count + 1):
        for dice in range(count + 1):
            below[dice], reached[dice] = 0.0, 0.0
        below[0] = 1.0
        for face in range(faces):
            for dice in range(count, -1, -1):
                smaller, found = 0.0, 0.0
                for more in range(min(size - 1, dice) + 1):
                    smaller += below[dice - more] * numbers[face, more]
                    found += reached[dice - more] * numbers[face, more]
                if dice >= size:
                    found += (below[dice - size] + reached[dice - size]) * numbers[face, size]
                below[dice], reached[dice] = smaller, found
        chances[size] = reached[count]


def _largest_is(numbers: Array, size: int) -> float:
    """The weight of every die placed with the largest set of just this size; equal faces by squaring."""
    count = numbers.shape[1] - 1
    if (numbers == numbers[0]).all():
        return _power_of_pair(_size_below_and_at(numbers[0], size), len(numbers), count)
    total = _ONE
    for row in numbers:
        total = _product_of_pairs(total, _size_below_and_at(row, size), count)
    return _coefficient(total, count)


#: Two polynomials in the dice: no face has reached the size yet, and some face has.
Pair = tuple[Array, Array]
_ONE: Pair = (np.ones(1), np.zeros(1))


def _size_below_and_at(row: Array, size: int) -> Pair:
    at = np.zeros(size + 1)
    at[size] = row[size]
    return row[:size] if size else np.zeros(1), at


def _product_of_pairs(left: Pair, right: Pair, most: int) -> Pair:
    (a, b), (c, d) = left, right
    either = [np.convolve(a, d), np.convolve(b, c), np.convolve(b, d)]
    found = np.zeros(max(map(len, either)))
    for part in either:
        found[: len(part)] += part
    return np.convolve(a, c)[: most + 1], found[: most + 1]


def _power_of_pair(pair: Pair, times: int, most: int) -> float:
    total = _ONE
    while times:
        if times & 1:
            total = _product_of_pairs(total, pair, most)
        times >>= 1
        if times:
            pair = _product_of_pairs(pair, pair, most)
    return _coefficient(total, most)


def _coefficient(pair: Pair, dice: int) -> float:
    return float(pair[1][dice]) if len(pair[1]) > dice else 0.0


# -- different faces and runs -----------------------------------------------------------------------------------------


def _is_fair(pmf: Pmf) -> bool:
    """Faces in a row, all alike, as many as binomials of doubles reach."""
    return len(pmf.p) <= MOST_FACES and bool((pmf.p == pmf.p[0]).all())


def _different(pmf: Pmf, count: int) -> Pmf:
    """How many different faces show."""
    if not _is_fair(pmf):
        return _sets(pmf, count, 1)
    chances = np.zeros(min(count, len(pmf.p)) + 1)
    _fill_different(len(pmf.p), count, chances)
    return Pmf.trusted(chances)


@compiled_in_place
def _fill_different(faces: int, count: int, chances: Array) -> None:
    """Die after die: it shows one of the faces that are there, or a new one."""
    chances[0] = 1.0
    for dice in range(count):
        for shown in range(min(dice + 1, faces), 0, -1):
            stays, grows = chances[shown] * shown, chances[shown - 1] * (faces - shown + 1)
            chances[shown] = (stays + grows) / faces
        chances[0] = 0.0


def _longest_run(pmf: Pmf, count: int) -> Pmf:
    """The length of the longest run of neighbouring faces.

    With equal faces every choice of the faces that show is equally likely, given how many there are. So the question is
    in how many choices of ``k`` out of all faces the longest run is ``m``: the faces that do not show leave gaps
    between them, and the ``k`` are spread over the gaps, at most ``m`` in each and ``m`` in at least one.
    """
    if not _is_fair(pmf):
        return _longest_run_of_unequal(pmf, count)
    faces, different = len(pmf.p), _different(pmf, count)
    most = different.high
    per_choice = np.zeros(most + 1)
    for shown, p in different.items():
        per_choice[shown] = p / comb(faces, shown)
    chances = np.zeros(most + 1)
    below, reached, first, last = np.zeros((4, most + 1))
    _add_runs(faces, per_choice, chances, below, reached, first, last)
    return Pmf.trusted(chances / chances.sum())


@compiled_in_place
def _add_runs(
    faces: int, per_choice: Array, chances: Array, below: Array, reached: Array, first: Array, last: Array
) -> None:
    """For each length, gap after gap: ``below[k]`` and ``reached[k]`` are the ways to spread k faces over the gaps so
    far, without a run of that length and with one. Sums over a window come from sums within blocks, so nothing is ever
    subtracted.
    """
    most = len(chances) - 1
    for length in range(1, most + 1):
        for shown in range(most + 1):
            below[shown], reached[shown] = 0.0, 0.0
        below[0] = 1.0
        for gaps in range(1, faces + 1):
            end = min(most, faces + 1 - gaps)
            _slide(reached, length + 1, end, first, last)
            for shown in range(length, end + 1):
                reached[shown] += below[shown - length]
            _slide(below, length, end, first, last)
            shown = faces + 1 - gaps
            if shown <= most:
                chances[length] += reached[shown] * per_choice[shown]


@inner
def _slide(values: Array, width: int, end: int, first: Array, last: Array) -> None:
    """Replace each of ``values[: end + 1]`` by the sum of the last ``width`` up to it: the end of one block of so many,
    and the beginning of the next."""
    for at in range(end + 1):
        first[at] = values[at] + (first[at - 1] if at % width else 0.0)
    for at in range(end, -1, -1):
        last[at] = values[at] + (last[at + 1] if at < end and (at + 1) % width else 0.0)
    for at in range(end + 1):
        begin = at - width + 1
        values[at] = first[at] + (last[begin] if begin > 0 and begin % width else 0.0)


def _longest_run_of_unequal(pmf: Pmf, count: int) -> Pmf:
    """Faces in order, carrying the run that ends here and the longest so far."""
    numbers = face_numbers(pmf.p, count)
    longest = min(count, len(pmf.p))
    state = np.zeros((longest + 1, longest + 1, count + 1))  # run, longest, dice
    state[0, 0, 0] = 1.0
    for face, p in enumerate(pmf.p):
        after = np.zeros_like(state)
        if p <= 0:
            after[0] = state.sum(axis=0)
            state = after
            continue
        after[0] = state.sum(axis=0) * numbers[face, 0]
        some = numbers[face].copy()
        some[0] = 0.0
        shown = state[:-1] @ toeplitz(some)
        for run in range(1, longest + 1):
            after[run, run] += shown[run - 1, : run + 1].sum(axis=0)
            after[run, run + 1 :] += shown[run - 1, run + 1 :]
        state = after
    chances = state.sum(axis=0)[:, count]
    return Pmf.trusted(chances / chances.sum())


def _highest_and_how_many(pmf: Pmf, count: int) -> Pmf:
    weights: dict[int, float] = {}
    below = 0.0
    for face, p in pmf.items():
        for number in range(1, count + 1):
            chance = comb(count, number) * p**number * below ** (count - number)
            if chance:
                weights[table.highest_code(face, number)] = chance
        below += p
    return Pmf.from_weights(weights)


def _asked_of_kinds(groups: Groups, question: syntax.PoolQuestion, size: int) -> Pmf:
    """Different dice: faces from the highest down with the state the question needs."""
    if question in ("largest_set", "sets", "different") and _share_no_face(groups):
        answers = [asked_once(group, question, size) for group in groups if group[1]]
        return _largest(answers) if question == "largest_set" else sum_of(tuple((Die(a), 1) for a in answers))
    if question == "highest_count":
        states = visit(groups, 0, lambda s, face, n: s or (table.highest_code(face, n) if n else 0))
        return Pmf.from_weights(states)
    if question == "largest_set":
        return Pmf.from_weights(visit(groups, 0, lambda s, face, n: max(s, n)))
    if question == "longest_run":
        runs = visit(groups, (0, 0, 0), _run_step)
        return Pmf.from_weights(added((longest, p) for (_, _, longest), p in runs.items()))
    least = size if question == "sets" else 1
    return Pmf.from_weights(visit(groups, 0, lambda s, face, n: s + (n >= least)))


@lru_cache(maxsize=1024)
def asked_once(group: tuple[Die, int], question: syntax.PoolQuestion, size: int) -> Pmf:
    """The alternatives of an exploding pool ask the same of the same dice again and again."""
    return asked((group,), question, size)


def _share_no_face(groups: Groups) -> bool:
    faces = [face for die, _ in groups for face, _ in die.pmf.items()]
    return len(faces) == len(set(faces))


def _largest(answers: list[Pmf]) -> Pmf:
    high = max(answer.high for answer in answers)
    up_to = np.array([float(np.prod([answer.at_most(m) for answer in answers])) for m in range(high + 1)])
    return Pmf.trusted(np.maximum(np.diff(up_to, prepend=0.0), 0.0))


def _run_step(state: tuple[int, int, int], face: int, number: int) -> tuple[int, int, int]:
    last, run, longest = state
    if not number:
        return state
    run = run + 1 if run and last == face + 1 else 1
    return face, run, max(longest, run)

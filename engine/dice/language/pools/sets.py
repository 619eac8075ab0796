"""Questions about all dice together: sets, the largest of them, runs, different faces, the highest die."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from engine.dice.language import syntax, table
from engine.dice.language.pools.dice import Die, Groups
from engine.dice.language.pools.faces import face_numbers, toeplitz, visit
from engine.dice.language.pools.mixtures import added, sum_of
from engine.dice.pmf import Array, Pmf


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
    return _sets(pmf, count, size if question == "sets" else 1)


def _sets(pmf: Pmf, count: int, size: int) -> Pmf:
    """How many faces are shown by at least ``size`` dice: a polynomial in the dice for each number of sets."""
    numbers = face_numbers(pmf.p[pmf.p > 0], count)
    most = min(count // size, len(numbers))
    state = np.zeros((most + 1, count + 1))
    state[0, 0] = 1.0
    few, many = numbers.copy(), numbers.copy()
    few[:, size:], many[:, :size] = 0.0, 0.0
    same = bool((numbers == numbers[0]).all())
    steps = (toeplitz(few[0]), toeplitz(many[0])) if same else None
    for face in range(len(numbers)):
        left, up = steps or (toeplitz(few[face]), toeplitz(many[face]))
        after = state @ left
        after[1:] += state[:-1] @ up
        state = after
    return Pmf.trusted(state[:, count] / state[:, count].sum())


def _largest_set(pmf: Pmf, count: int) -> Pmf:
    """The chance of no set above m is the coefficient of all dice in a product of polynomials cut off at m."""
    numbers = face_numbers(pmf.p[pmf.p > 0], count)
    same = bool((numbers == numbers[0]).all())
    up_to = np.zeros(count + 1)
    for m in range(-(-count // len(numbers)), count + 1):
        if same:
            up_to[m] = _power_up_to(numbers[0, : m + 1], len(numbers), count)[count]
            continue
        total = np.ones(1)
        for row in numbers:
            total = np.convolve(total, row[: m + 1])[: count + 1]
        up_to[m] = total[count] if len(total) > count else 0.0
    return Pmf.trusted(np.maximum(np.diff(up_to, prepend=0.0), 0.0) / up_to[count])


def _power_up_to(weights: Array, times: int, most: int) -> Array:
    """A power of a polynomial without the terms beyond ``most``."""
    total, power = np.ones(1), weights
    while times:
        if times & 1:
            total = np.convolve(total, power)[: most + 1]
        times >>= 1
        if times:
            power = np.convolve(power, power)[: most + 1]
    return np.concatenate((total, np.zeros(max(0, most + 1 - len(total)))))


def _longest_run(pmf: Pmf, count: int) -> Pmf:
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

"""Habit or carelessness? One test per pattern that may be looked at after every game.

**The null hypothesis.** A player without the habit falls for an opportunity with at most ``SLACK`` times the odds that
the player's own carelessness gives it. That carelessness is a mixture of ways of erring (``carelessness``), learnt from
the decisions up to and including the same game that were no opportunity for the pattern; so it is known before the
opportunity is looked at.

**The test.** Under the habit of share s an opportunity is taken with chance q = s + (1 − s) p, where p is the largest
chance the null allows. The product of q/p over opportunities taken and (1 − q)/(1 − p) over those passed is a test
supermartingale: its expected value given the past is at most 1 whenever the null holds, since it rises with the true
chance and is exactly 1 at p. So is its mean over shares s, over the game at which the habit began (early starts weigh
most), and over the forms of a pattern alone and together. By Ville's inequality it ever exceeds 1/α with chance at
most α, however often it is looked at. A name needs α = ``ERROR`` spread over all patterns and a class of
``CLASS_SIZE``.

**What else a name needs.** ``FEWEST_GAMES`` games, two looks in a row, ``FEWEST`` opportunities, a share worth a
sentence, and that it still shows in the last ``WINDOW`` games: a habit that was dropped is forgotten. The strongest
pattern is named first; a second one must convince on decisions that were no opportunity for the first. A pattern is
never named of a player who rather does the opposite, nor while the games support at least half as much another one
that would bring it about: who chases Dicee keeps pairs over runs, too. Where a pattern has several forms, all of this
is about those that happened: who fills the upper section first spends pairs on dear boxes without ignoring the bonus.

One pass costs O(decisions × patterns × ways).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dicee.learning.carelessness import WAYS, Floats, Mixture
from engine.dicee.learning.concepts import Concept
from engine.dicee.learning.observations import Observation, Signal
from engine.dicee.learning.patterns import PATTERNS
from engine.wire import Document

KEYS = tuple(PATTERNS)
NUMBER = {key: number for number, key in enumerate(KEYS)}
SHARES: Floats = np.array([0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9])  # of opportunities that a habit may decide
ERROR, CLASS_SIZE = 0.1, 30  # one false name in ten classes, over all games
CONVINCING = math.log(len(KEYS) * CLASS_SIZE / ERROR)
SLACK = 1.5  # times the odds: what carelessness that the model does not know may add
FEWEST_GAMES = 6
FEWEST = 5  # opportunities
LEAST_SHARE = 0.05  # of opportunities, of every form and of the last games: less is no habit worth a sentence
WINDOW = 8  # games
MOST_SURE = 0.99  # no test is surer than its assumptions
FEWEST_TAKEN = 3  # times a form of a mistake must have happened to be told
MEMORY = 0.2  # opportunities: what earlier games still say about the last ones
TINY = 1e-4
UNDERFLOW = 1e-300


class Choice(Document):
    """All that is kept of a decision: what habits and standings are made of."""

    cell: int
    lost: float
    concepts: tuple[Concept, ...]
    likelihood: tuple[float, ...]
    mean_lost: tuple[float, ...]
    mean_square: tuple[float, ...]
    signals: tuple[Signal, ...]

    @classmethod
    def of(cls, seen: Observation) -> Choice:
        return cls(**{name: getattr(seen, name) for name in cls.model_fields})


class FoundPattern(Document):
    """A pattern the games support."""

    key: str
    title: str
    words: str
    advice: str
    concept: Concept
    confidence: float  # that it is a habit, not carelessness, even odds beforehand
    evidence: str
    opportunities: int
    taken: int
    expected: float  # taken by carelessness alone


@dataclass(frozen=True)
class Played:
    """One game's decisions as arrays; ``signals`` has a row (decision, pattern, form, fell) per opportunity."""

    likelihood: Floats  # [decision, way]
    cells: NDArray[np.int64]
    signals: NDArray[np.int64]
    noise: Floats  # [signal, way]

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> Played:
        rows = [(at, signal) for at, choice in enumerate(choices) for signal in choice.signals]
        known = [(at, signal) for at, signal in rows if signal.pattern in NUMBER]
        return cls(
            np.array([choice.likelihood for choice in choices]).reshape(-1, WAYS),
            np.array([choice.cell for choice in choices], dtype=np.int64),
            np.array([(at, NUMBER[s.pattern], s.form, s.fell) for at, s in known], dtype=np.int64).reshape(-1, 4),
            np.array([signal.noise for _, signal in known]).reshape(-1, WAYS),
        )

    def without(self, patterns: Sequence[int]) -> Played:
        """The decisions that were no opportunity for some patterns."""
        if not patterns:
            return self
        gone = np.unique(self.signals[np.isin(self.signals[:, 1], patterns), 0])
        kept = ~np.isin(np.arange(len(self.cells)), gone)
        stays = kept[self.signals[:, 0]]
        signals = self.signals[stays].copy()
        signals[:, 0] = (np.cumsum(kept) - 1)[signals[:, 0]]
        return Played(self.likelihood[kept], self.cells[kept], signals, self.noise[stays])


@dataclass(frozen=True)
class Record:
    """What every game added, ``[game, pattern, form]``, and the log of the test after it, ``[game, pattern]``."""

    log_test: Floats
    offered: Floats
    taken: Floats
    expected: Floats


FORMS = max(len(pattern.forms) for pattern in PATTERNS.values())
#: What is tested: every form of a pattern alone, and all of them together. Rows of (pattern, forms).
TESTS = tuple(
    (number, forms)
    for number, pattern in enumerate(PATTERNS.values())
    for forms in dict.fromkeys([*((form,) for form in range(len(pattern.forms))), tuple(range(len(pattern.forms)))])
)
#: Which tests an opportunity of a form belongs to, ``[pattern, form, test]``.
BELONGS = np.array(
    [
        [[number == pattern and form in forms for pattern, forms in TESTS] for form in range(FORMS)]
        for number in range(len(KEYS))
    ],
    dtype=np.float64,
)
#: Every test's share of its pattern, ``[test, pattern]``.
SHARED = BELONGS.any(axis=1).T / BELONGS.any(axis=1).sum(axis=1)


def record(games: Sequence[Played]) -> Record:
    """Weigh every pattern after every game, oldest first."""
    shape = (len(games), len(KEYS), FORMS)
    offered, taken, expected = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    log_test = np.zeros(shape[:2])
    mixture = Mixture(len(KEYS))
    test = np.full((len(TESTS), len(SHARES)), -np.inf)  # log of the martingale, by share
    for number, game in enumerate(games):
        at, pattern, form, fell = game.signals.T
        counted = np.ones((len(KEYS), len(game.cells)))
        counted[pattern, at] = 0
        mixture.learn(game.likelihood, game.cells, counted)
        chance = np.clip((mixture.weights[pattern, game.cells[at]] * game.noise).sum(axis=1), TINY, 1 - TINY)
        most = SLACK * chance / (1 + (SLACK - 1) * chance)
        taking = np.log(SHARES / most[:, None] + 1 - SHARES)
        step = BELONGS[pattern, form].T @ np.where(fell[:, None] > 0, taking, np.log(1 - SHARES))
        test = np.logaddexp(test, math.log(_begins(number))) + step
        whole = np.logaddexp.reduce(test, axis=1) - math.log(len(SHARES))
        top = whole.max()
        log_test[number] = top + np.log(np.exp(whole - top) @ SHARED + UNDERFLOW)
        for total, amount in ((offered, 1.0), (taken, fell), (expected, chance)):
            np.add.at(total[number], (pattern, form), amount)
    return Record(log_test, offered, taken, expected)


def _begins(game: int) -> float:
    """The chance, given a habit, that it begins with a game: half with the first, the rest thinning out."""
    return 0.5 if not game else 0.5 / (game * (game + 1))


@dataclass(frozen=True, slots=True)
class Weight:
    """What the games up to one of them say about a pattern."""

    key: str
    log_test: float
    offered: Floats  # by form
    taken: Floats
    expected: Floats
    lately: float  # the share of opportunities that the habit decided in the last games, of the forms that happened

    @property
    def convinces(self) -> bool:
        return (
            self.log_test >= CONVINCING
            and self.offered.sum() >= FEWEST
            and self.shown.size > 0
            and self.lately >= LEAST_SHARE
        )

    @property
    def shown(self) -> NDArray[np.int64]:
        return _shown(self.offered, self.taken, self.expected)

    def comes_of(self, other: str) -> bool:
        """Would another pattern bring about all the forms that happened?"""
        forms = PATTERNS[self.key].forms
        return bool(other) and self.shown.size > 0 and all(forms[form].also_of == other for form in self.shown)


def _shown(offered: Floats, taken: Floats, expected: Floats) -> NDArray[np.int64]:
    """The forms that happened: often enough, and more often than by carelessness."""
    shares = (taken - expected) / np.maximum(offered - expected, 1.0)
    return np.flatnonzero((taken >= FEWEST_TAKEN) & (shares >= LEAST_SHARE))


def weigh(found: Record, games: int) -> dict[str, Weight]:
    """Every pattern after some games."""
    before, window = slice(0, max(0, games - WINDOW)), slice(max(0, games - WINDOW), games)
    weights = {}
    for number, key in enumerate(KEYS):
        offered, taken, expected = (
            total[:games, number].sum(axis=0) for total in (found.offered, found.taken, found.expected)
        )
        shown = _shown(offered, taken, expected)
        old = _share(*_excess(found, before, number, shown))
        excess, free = _excess(found, window, number, shown)
        lately = _share(excess + MEMORY * old, free + MEMORY)
        log_test = float(found.log_test[games - 1, number]) if games else 0.0
        weights[key] = Weight(key, log_test, offered, taken, expected, lately)
    return weights


def _excess(found: Record, games: slice, number: int, forms: NDArray[np.int64]) -> tuple[float, float]:
    """Opportunities of some forms taken beyond carelessness, and how many there were to take."""
    offered, taken, expected = (
        float(total[games, number, forms].sum()) for total in (found.offered, found.taken, found.expected)
    )
    return taken - expected, offered - expected


def _share(part: float, whole: float) -> float:
    return max(0.0, part) / max(whole, TINY)


def find(games: Sequence[Sequence[Choice]]) -> tuple[FoundPattern, ...]:
    """The habits that games, oldest first, support; strongest first.

    >>> find([])
    ()
    """
    looks = Looks([Played.of(choices) for choices in games])
    return tuple(described(weight) for weight in looks.named(len(games)))


class Looks:
    """What would have been named after any of some games."""

    def __init__(self, games: Sequence[Played]) -> None:
        self.games = games
        self._records: dict[tuple[str, ...], Record] = {}

    def named(self, count: int) -> list[Weight]:
        """The habits that the first games support, strongest first."""
        named: list[Weight] = []
        while count > FEWEST_GAMES:
            found = self._without(tuple(weight.key for weight in named))
            looks = [weigh(found, games) for games in (count - 1, count)]
            barred = {weight.key for weight in named} | {PATTERNS[weight.key].opposite for weight in named}
            convincing = [
                weight
                for key, weight in looks[1].items()
                if key not in barred and all(_stands(key, look, barred) for look in looks)
            ]
            if not convincing:
                break
            named.append(max(convincing, key=lambda weight: weight.log_test))
        return named

    def _without(self, named: tuple[str, ...]) -> Record:
        """The record of the decisions that were no opportunity for what is named already."""
        if named not in self._records:
            numbers = [NUMBER[key] for key in named]
            self._records[named] = record([game.without(numbers) for game in self.games])
        return self._records[named]


def _stands(key: str, look: dict[str, Weight], named: Collection[str]) -> bool:
    """Does a pattern convince, while its opposite does less, and nothing that would bring it about half as much?"""
    pattern, mine = PATTERNS[key], look[key]
    opposite = look.get(pattern.opposite)
    causes = [look[cause].log_test for cause in pattern.follows_from if cause not in named]
    if opposite and mine.comes_of(opposite.key):
        if opposite.convinces:
            return False
        causes.append(opposite.log_test)
    return (
        mine.convinces
        and (opposite is None or opposite.log_test < mine.log_test or opposite.comes_of(key))
        and all(cause < mine.log_test / 2 for cause in causes)
    )


def described(weight: Weight) -> FoundPattern:
    """In words, of the forms that happened only."""
    pattern = PATTERNS[weight.key]
    shown = [pattern.forms[form] for form in weight.shown]
    taken, offered, expected = (
        float(total[weight.shown].sum()) for total in (weight.taken, weight.offered, weight.expected)
    )
    return FoundPattern(
        key=pattern.key,
        title=(len(shown) == 1 and shown[0].title) or pattern.title,
        words=" ".join(form.words for form in shown),
        advice=" ".join(form.advice for form in shown),
        concept=pattern.concept,
        confidence=min(MOST_SURE, 1 / (1 + math.exp(-weight.log_test))),
        evidence=f"{taken:.0f} of {offered:.0f} times; slips alone would make about {expected:.0f}.",
        opportunities=round(offered),
        taken=round(taken),
        expected=expected,
    )

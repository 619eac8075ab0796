"""A game in a few numbers, and a player from many games: what the progress page and the teacher's board show.

Only finished games count, so a profile never moves in the middle of one. Order matters to the moving averages and the
curve, and to nothing else within the games a rating looks back on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import TypeVar

import numpy as np

from engine.dicee.advice import NEAR_TIE
from engine.dicee.learning.concepts import Concept
from engine.dicee.learning.evidence import FoundPattern, Lapse, find
from engine.dicee.learning.observations import TEMPERATURES, Kind, Observation
from engine.dicee.learning.rating import RECENT, rate
from engine.wire import Document

EWMA_DECISIONS = 100  # the moving average forgets two thirds in so many decisions
ROLLING_GAMES = 10
BINS = 5  # of the reliability diagram
ENOUGH = 10  # decisions: fewer say nothing about a concept
STRONG = 0.75  # share right
CHEAPER = 0.9  # of what a decision of this player costs
FAR_OFF = 0.04  # squared: guesses are 20 percentage points off
SHOWN = 3
ROUND = 4

K = TypeVar("K")


class Tally(Document):
    n: int = 0
    right: int = 0
    lost: float = 0.0

    @property
    def accuracy(self) -> float | None:
        return self.right / self.n if self.n else None


class GameDigest(Document):
    """All that is kept of one player's game."""

    score: int | None  # None while it is being played
    decisions: int
    right: int
    hinted: int
    lost: float
    losses: tuple[float, ...]  # per decision, in order
    kinds: dict[Kind, Tally]
    categories: dict[str, Tally]
    concepts: dict[Concept, Tally]
    median_ms: dict[Kind, int]  # only kinds that were timed
    likelihood: tuple[float, ...]
    lapses: tuple[Lapse, ...]


class Guess(Document):
    """A chance a player guessed, and the exact one."""

    predicted: float
    truth: float


class PracticeAnswer(Document):
    """A choice made in practice. It moves the practice figures, never the rating."""

    concept: Concept
    lost: float


class Trend(Document):
    """Points lost per decision: newest decisions weighing most, the last games, and all."""

    ewma: float
    rolling: float
    overall: float


class ReliabilityBin(Document):
    low: float
    high: float
    n: int
    predicted: float  # mean in this bin
    truth: float


class Calibration(Document):
    n: int
    brier: float  # mean squared distance from the exact chance: 0 is perfect
    bias: float  # above 0: guesses too high
    bins: tuple[ReliabilityBin, ...]


class CurvePoint(Document):
    """A player after so many games."""

    game: int
    score: int
    lost: float
    accuracy: float
    rating: float
    low: float
    high: float


class Profile(Document):
    rating: float
    low: float
    high: float
    settled: bool
    lost_per_game: float
    lost_low: float
    lost_high: float
    expected_score: float
    games: int
    decisions: int
    accuracy: float | None
    lost_per_decision: Trend | None
    kinds: dict[Kind, Tally]
    categories: dict[str, Tally]
    concepts: dict[Concept, Tally]
    practice: dict[Concept, Tally]
    calibration: Calibration | None
    speed: dict[Kind, int]  # median ms
    patterns: tuple[FoundPattern, ...]
    strengths: tuple[Concept, ...]
    practise_next: Concept
    curve: tuple[CurvePoint, ...]


def digest(observations: Sequence[Observation], score: int | None) -> GameDigest:
    """Sum one player's game up. ``score`` is ``None`` while the game is not over. Hinted choices show no skill.

    >>> digest([], None).decisions
    0
    """
    own = [seen for seen in observations if not seen.hinted]
    timed = {kind: [seen.took_ms for seen in own if seen.kind is kind and seen.took_ms] for kind in Kind}
    return GameDigest(
        score=score,
        decisions=len(own),
        right=sum(seen.best for seen in own),
        hinted=len(observations) - len(own),
        lost=sum(seen.lost for seen in own),
        losses=tuple(round(seen.lost, ROUND) for seen in own),
        kinds=_tallied((seen.kind, seen) for seen in own),
        categories=_tallied((seen.category, seen) for seen in own),
        concepts=_tallied((concept, seen) for seen in own for concept in seen.concepts),
        median_ms={kind: round(median(took)) for kind, took in timed.items() if took},
        likelihood=_summed([seen.likelihood for seen in own]),
        lapses=tuple(Lapse(likelihood=seen.likelihood, signals=seen.signals) for seen in own if seen.signals),
    )


def _summed(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(np.sum(rows, axis=0).round(ROUND).tolist()) if rows else (0.0,) * len(TEMPERATURES)


def _tallied(pairs: Iterable[tuple[K, Observation]]) -> dict[K, Tally]:
    found: dict[K, Tally] = {}
    for key, seen in pairs:
        found[key] = _add(found.get(key, Tally()), Tally(n=1, right=int(seen.best), lost=seen.lost))
    return found


def _add(one: Tally, other: Tally) -> Tally:
    return Tally(n=one.n + other.n, right=one.right + other.right, lost=one.lost + other.lost)


def profile(
    digests: Sequence[GameDigest], guesses: Sequence[Guess] = (), answers: Sequence[PracticeAnswer] = ()
) -> Profile:
    """A player from finished games, oldest first, guesses and practice.

    >>> profile([]).games, profile([]).settled
    (0, False)
    """
    games = [game for game in digests if game.score is not None and game.decisions]
    recent = games[-RECENT:]
    rated = rate([loss for game in games if (loss := game_loss(game)) is not None])
    guessed = calibration(guesses)
    patterns = find(_summed([game.likelihood for game in recent]), [lapse for game in recent for lapse in game.lapses])
    return Profile(
        **rated.model_dump(by_alias=False),
        games=len(games),
        decisions=sum(game.decisions for game in games),
        accuracy=_share(sum(game.right for game in games), sum(game.decisions for game in games)),
        lost_per_decision=_trend(games),
        kinds=_merged(game.kinds for game in recent),
        categories=_merged(game.categories for game in recent),
        concepts=_merged(game.concepts for game in recent),
        practice=_merged({answer.concept: _answered(answer)} for answer in answers),
        calibration=guessed,
        speed=_speed(recent),
        patterns=patterns,
        strengths=_strengths(recent),
        practise_next=_practise_next(recent, patterns, guessed),
        curve=_curve(games),
    )


def game_loss(game: GameDigest) -> float | None:
    """What a game lost, hinted choices counted as if they had been like the others; ``None`` if most were hinted."""
    if game.hinted > game.decisions:
        return None
    return game.lost * (game.decisions + game.hinted) / game.decisions


def calibration(guesses: Sequence[Guess]) -> Calibration | None:
    """How well guessed chances agree with the exact ones.

    >>> calibration([Guess(predicted=0.5, truth=0.25)]).bias
    0.25
    """
    if not guesses:
        return None
    off = [guess.predicted - guess.truth for guess in guesses]
    bins = []
    for number in range(BINS):
        inside = [guess for guess in guesses if min(BINS - 1, int(guess.predicted * BINS)) == number]
        if inside:
            bins.append(
                ReliabilityBin(
                    low=number / BINS,
                    high=(number + 1) / BINS,
                    n=len(inside),
                    predicted=fmean(guess.predicted for guess in inside),
                    truth=fmean(guess.truth for guess in inside),
                )
            )
    return Calibration(n=len(off), brier=fmean(gap**2 for gap in off), bias=fmean(off), bins=tuple(bins))


def _answered(answer: PracticeAnswer) -> Tally:
    return Tally(n=1, right=int(answer.lost <= NEAR_TIE), lost=answer.lost)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _merged(tallies: Iterable[dict[K, Tally]]) -> dict[K, Tally]:
    found: dict[K, Tally] = {}
    for some in tallies:
        for key, tally in some.items():
            found[key] = _add(found.get(key, Tally()), tally)
    return found


def _trend(games: Sequence[GameDigest]) -> Trend | None:
    losses = [loss for game in games for loss in game.losses]
    if not losses:
        return None
    weights = np.exp(-np.arange(len(losses))[::-1] / EWMA_DECISIONS)
    recent = [loss for game in games[-ROLLING_GAMES:] for loss in game.losses]
    return Trend(ewma=float(np.average(losses, weights=weights)), rolling=fmean(recent), overall=fmean(losses))


def _speed(games: Sequence[GameDigest]) -> dict[Kind, int]:
    timed = {kind: [game.median_ms[kind] for game in games if kind in game.median_ms] for kind in Kind}
    return {kind: round(median(took)) for kind, took in timed.items() if took}


def _rates(games: Sequence[GameDigest]) -> dict[Concept, float]:
    """Points lost per decision about each idea, few decisions drawn towards the player's own average."""
    usual = sum(game.lost for game in games) / max(1, sum(game.decisions for game in games))
    tallies = _merged(game.concepts for game in games)
    return {concept: (tally.lost + ENOUGH * usual) / (tally.n + ENOUGH) for concept, tally in tallies.items()}


def _strengths(games: Sequence[GameDigest]) -> tuple[Concept, ...]:
    """What goes well: mostly right, and cheaper than the player's other decisions. Best first."""
    rates, tallies = _rates(games), _merged(game.concepts for game in games)
    usual = fmean(rates.values()) if rates else 0.0
    good = [
        concept
        for concept, tally in tallies.items()
        if tally.n >= ENOUGH and tally.right >= STRONG * tally.n and rates[concept] <= CHEAPER * usual
    ]
    return tuple(sorted(good, key=lambda concept: rates[concept])[:SHOWN])


def _practise_next(
    games: Sequence[GameDigest], patterns: Sequence[FoundPattern], guessed: Calibration | None
) -> Concept:
    """The idea behind the strongest habit; else guessing, if it is far off; else where a decision costs most."""
    if patterns:
        return patterns[0].concept
    rates = _rates(games)
    if not rates or (guessed and guessed.n >= ENOUGH and guessed.brier >= FAR_OFF):
        return Concept.READING_ODDS
    return max(rates, key=lambda concept: rates[concept])


def _curve(games: Sequence[GameDigest]) -> tuple[CurvePoint, ...]:
    losses: list[float] = []
    points = []
    for number, game in enumerate(games, 1):
        loss = game_loss(game)
        losses += [] if loss is None else [loss]
        rated = rate(losses)
        points.append(
            CurvePoint(
                game=number,
                score=game.score or 0,
                lost=game.lost,
                accuracy=game.right / game.decisions,
                rating=rated.rating,
                low=rated.low,
                high=rated.high,
            )
        )
    return tuple(points)

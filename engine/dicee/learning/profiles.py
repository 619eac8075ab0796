"""A game in a few numbers, and a player from many games: what the progress page and the teacher's board show.

Only finished games count, so a profile never moves in the middle of one. Choices made with the answer in sight show no
skill: they are counted apart and enter nothing else. Decisions that a beginner would not miss enter the rating, where
they cost what they cost, but no accuracy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import TypeVar

from engine.dicee.advice import NEAR_TIE
from engine.dicee.learning.concepts import Concept
from engine.dicee.learning.evidence import Choice, FoundPattern, find
from engine.dicee.learning.observations import Kind, Observation
from engine.dicee.learning.rating import Rating, ratings
from engine.dicee.learning.standing import Standing, standings, strongest, weakest
from engine.dicee.learning.trends import Trend, trend
from engine.wire import Document

VERSION = 2  # of a digest: older ones are made again from their game
RECENT = 40  # games: older ones say what a player was
BINS = 5  # of the reliability diagram
ENOUGH = 10  # guesses: fewer say nothing
FAR_OFF = 0.04  # squared: guesses are 20 percentage points off
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

    version: int = VERSION
    score: int | None  # None while it is being played
    decisions: int  # the player's own
    judged: int  # of those, the ones a beginner might miss: all that accuracy is about
    right: int  # of those, within a tenth of a point of the best
    assisted: int  # decisions taken with the answer in sight, not among the others
    lost: float
    losses: tuple[float, ...]  # per decision, in order
    kinds: dict[Kind, Tally]
    categories: dict[str, Tally]
    concepts: dict[Concept, Tally]
    median_ms: dict[Kind, int]  # only kinds that were timed
    choices: tuple[Choice, ...]


class Guess(Document):
    """A chance a player guessed, and the exact one."""

    predicted: float
    truth: float


class PracticeAnswer(Document):
    """A choice made in practice. It moves the practice figures, never the rating."""

    concept: Concept
    lost: float


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
    accuracy: float | None  # of decisions that a beginner might miss
    assisted_share: float  # of all decisions, those taken with the answer in sight
    lost_per_decision: Trend | None
    kinds: dict[Kind, Tally]
    categories: dict[str, Tally]
    concepts: dict[Concept, Tally]
    standings: dict[Concept, Standing]  # against a player of the same carelessness
    practice: dict[Concept, Tally]
    calibration: Calibration | None
    speed: dict[Kind, int]  # median ms
    patterns: tuple[FoundPattern, ...]
    strengths: tuple[Concept, ...]
    practise_next: Concept | None  # None: nothing stands out
    curve: tuple[CurvePoint, ...]


def digest(observations: Sequence[Observation], score: int | None) -> GameDigest:
    """Sum one player's game up. ``score`` is ``None`` while the game is not over.

    >>> digest([], None).decisions
    0
    """
    own = [seen for seen in observations if not seen.assisted]
    judged = [seen for seen in own if not seen.obvious]
    timed = {kind: [seen.took_ms for seen in own if seen.kind is kind and seen.took_ms] for kind in Kind}
    return GameDigest(
        score=score,
        decisions=len(own),
        judged=len(judged),
        right=sum(seen.best for seen in judged),
        assisted=len(observations) - len(own),
        lost=sum(seen.lost for seen in own),
        losses=tuple(round(seen.lost, ROUND) for seen in own),
        kinds=_tallied((seen.kind, seen) for seen in judged),
        categories=_tallied((seen.category, seen) for seen in judged),
        concepts=_tallied((concept, seen) for seen in judged for concept in seen.concepts),
        median_ms={kind: round(median(took)) for kind, took in timed.items() if took},
        choices=tuple(map(Choice.of, own)),
    )


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
    finished = [game for game in digests if game.score is not None]
    games = [game for game in finished if game.decisions]
    recent = games[-RECENT:]
    rated = _rated(games)
    guessed = calibration(guesses)
    patterns = find([game.choices for game in recent])
    standing = standings([game.choices for game in recent])
    return Profile(
        **rated[-1].model_dump(by_alias=False),
        games=len(games),
        decisions=sum(game.decisions for game in games),
        accuracy=_share(sum(game.right for game in games), sum(game.judged for game in games)),
        assisted_share=_assisted_share(finished),
        lost_per_decision=trend([game.losses for game in games]),
        kinds=_merged(game.kinds for game in recent),
        categories=_merged(game.categories for game in recent),
        concepts=_merged(game.concepts for game in recent),
        standings=standing,
        practice=_merged({answer.concept: _answered(answer)} for answer in answers),
        calibration=guessed,
        speed=_speed(recent),
        patterns=patterns,
        strengths=strongest(standing),
        practise_next=_practise_next(standing, patterns, guessed),
        curve=_curve(games, rated),
    )


def is_current(digest: Mapping[str, object]) -> bool:
    """Was a digest, as JSON keeps it, made by this version?

    >>> is_current({"decisions": 39}), is_current(digest([], None).model_dump())
    (False, True)
    """
    return digest.get("version") == VERSION


def _rated(games: Sequence[GameDigest]) -> list[Rating]:
    """The rating before the first game and after every one; a game that was mostly assisted leaves it as it was."""
    losses = [game_loss(game) for game in games]
    steps = ratings(loss for loss in losses if loss is not None)
    return [steps[sum(loss is not None for loss in losses[:count])] for count in range(len(games) + 1)]


def _assisted_share(games: Sequence[GameDigest]) -> float:
    assisted = sum(game.assisted for game in games)
    return assisted / max(1, assisted + sum(game.decisions for game in games))


def game_loss(game: GameDigest) -> float | None:
    """What a game lost, assisted choices counted as if they had been like the others; ``None`` if most were."""
    if game.assisted > game.decisions:
        return None
    return game.lost * (game.decisions + game.assisted) / game.decisions


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


def _speed(games: Sequence[GameDigest]) -> dict[Kind, int]:
    timed = {kind: [game.median_ms[kind] for game in games if kind in game.median_ms] for kind in Kind}
    return {kind: round(median(took)) for kind, took in timed.items() if took}


def _practise_next(
    standing: Mapping[Concept, Standing], patterns: Sequence[FoundPattern], guessed: Calibration | None
) -> Concept | None:
    """The idea behind the strongest habit; else guessing, if it is far off; else the idea beyond its margin."""
    if patterns:
        return patterns[0].concept
    if guessed and guessed.n >= ENOUGH and guessed.brier >= FAR_OFF:
        return Concept.READING_ODDS
    return weakest(standing)


def _curve(games: Sequence[GameDigest], rated: Sequence[Rating]) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(
            game=number,
            score=game.score or 0,
            lost=game.lost,
            accuracy=_share(game.right, game.judged) or 0.0,
            rating=now.rating,
            low=now.low,
            high=now.high,
        )
        for number, (game, now) in enumerate(zip(games, rated[1:], strict=True), 1)
    )

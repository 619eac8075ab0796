"""Replay and quiz: a game decision by decision, and one's own mistakes as questions."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass

from apps.accounts.models import Player
from apps.core.formats import PRINTS_AS_ZERO
from apps.dicee.models import Game
from apps.dicee.services import horizon
from apps.dicee.services.review.decisions import Decision, numbered, say, story
from apps.dicee.services.seats import finished, seat_of
from engine.dicee import advice
from engine.dicee.advice import Grade
from engine.dicee.analysis import Analysis, Horizon, Option, Position, analyze
from engine.dicee.boxes import BOXES
from engine.dicee.tables import Table
from engine.wire import refuse

WORTH_ASKING = 1.0  # points lost: below that, even a strong player shrugs
RECENT_GAMES = 5
MOST_QUESTIONS = 12
CHOICES = 4
SHOWN = 5  # options in a ranking


@dataclass(frozen=True)
class Explained:
    """A decision with its reasons: the chosen beside the best, what a coach says, and the ranking."""

    decision: Decision
    grade: Grade
    total: int  # decisions in the game, for the arrows

    @property
    def ranking(self) -> tuple[tuple[str, float, float], ...]:
        """The best options as (words, value, points lost)."""
        return ranking_of(self.decision.found)


def ranking_of(found: Analysis) -> tuple[tuple[str, float, float], ...]:
    """The best options of a position as (words, value, points lost)."""
    return tuple((say(found.position, option), option.ev, option.points_lost) for option in found.options[:SHOWN])


def explain(game: Game, player_ref: uuid.UUID, number: int) -> Explained:
    """One decision of a game, by its number: ``?at=17``."""
    played = story(game, player_ref)
    decision = numbered(played.decisions, number)
    if decision is None:
        refuse(
            f"This player made {len(played.decisions)} decisions.",
            field="at",
            constraint="range",
            expected=f"1–{len(played.decisions)}",
            actual=number,
        )
    return Explained(decision, judge(decision.found, decision.chosen), len(played.decisions))


def judge(found: Analysis, chosen: Option) -> Grade:
    """How good an option of a position is."""
    table = horizon.ready(found.position.variant)
    return advice.grade(found.position, keep=chosen.keep, box=chosen.box, horizon=found.horizon, table=table)


@dataclass(frozen=True)
class Choice:
    words: str
    option: Option


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A position to decide on. It need not come from a game; ``then`` is what the player once chose in it."""

    key: str  # names it in a link or a form
    position: Position
    found: Analysis
    then: Option | None = None
    lure: Option | None = None  # what looks best to whoever counts this turn's points only

    @property
    def turn(self) -> int:
        return len(BOXES) + 1 - len(self.position.card.open_boxes)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """One right choice, what was chosen or tempts, and the next best, in an order that gives nothing away."""
        wrong = [option for option in (self.then, self.lure, *self.found.options) if option and _costs(option)]
        by_words: dict[str, Option] = {}
        for option in (self.found.best, *wrong):
            by_words.setdefault(say(self.position, option), option)
        few = list(by_words.items())[:CHOICES]
        return tuple(sorted((Choice(words, option) for words, option in few), key=self._shuffled))

    def _shuffled(self, choice: Choice) -> str:
        return hashlib.sha256(f"{self.key}{choice.words}".encode()).hexdigest()

    def answer(self, number: int) -> Grade:
        """How good a choice of this question is."""
        choices = self.choices
        if not 0 <= number < len(choices):
            refuse(
                "There is no such choice.",
                field="choice",
                constraint="range",
                expected=f"0–{len(choices) - 1}",
                actual=number,
            )
        return judge(self.found, choices[number].option)

    @property
    def ranking(self) -> tuple[tuple[str, float, float], ...]:
        """The best options as (words, value, points lost)."""
        return ranking_of(self.found)


def _costs(option: Option) -> bool:
    return option.points_lost >= PRINTS_AS_ZERO


def problem(key: str, position: Position, table: Table | None) -> Problem:
    """A position as a question, seen as far as the tables reach."""
    found = analyze(position, Horizon.GAME if table else Horizon.TURN, table)
    short = analyze(position).best if table else found.best
    return Problem(key=key, position=position, found=found, lure=found.option(keep=short.keep, box=short.box))


@dataclass(frozen=True, kw_only=True)
class QuizQuestion(Problem):
    """A position in which the player once went wrong."""

    game: Game
    decision: Decision

    @classmethod
    def of(cls, game: Game, decision: Decision) -> QuizQuestion:
        key, at, found = f"{game.pk}:{decision.number}", decision.position, decision.found
        return cls(key=key, position=at, found=found, then=decision.chosen, game=game, decision=decision)


def quiz(player: Player, game: Game | None = None) -> tuple[QuizQuestion, ...]:
    """Questions from a game, or from the player's last few, the costliest mistakes first."""
    games = [game] if game else list(finished(player)[:RECENT_GAMES])
    found = [QuizQuestion.of(g, d) for g in games for d in _mistakes(g, player)]
    return tuple(sorted(found, key=lambda question: -question.decision.lost)[:MOST_QUESTIONS])


def _mistakes(game: Game, player: Player) -> list[Decision]:
    played = story(game, seat_of(game, player).player_ref)
    return [decision for decision in played.decisions if decision.lost >= WORTH_ASKING]


def question(player: Player, key: str) -> QuizQuestion:
    """A question again, by its key, from one of the player's own games."""
    raw_game, _, raw_number = key.partition(":")
    try:
        game, number = Game.objects.get(pk=uuid.UUID(raw_game)), int(raw_number)
    except (ValueError, Game.DoesNotExist):
        refuse("There is no such question.", field="key", constraint="existing question", actual=key)
    decision = numbered(story(game, seat_of(game, player).player_ref).decisions, number)
    if decision is None:
        refuse("There is no such question.", field="key", constraint="existing question", actual=key)
    return QuizQuestion.of(game, decision)

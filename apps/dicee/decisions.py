"""A Dicee decision, for other apps: the problem, its choices in words and as text, what each costs, how it is judged.

Whoever teaches or examines with Dicee positions imports this module, the models and the verbs of
``apps.dicee.services``; how Dicee looks inside is its own business.
"""

from apps.core import metrics
from apps.dicee.services import horizon
from apps.dicee.services.page import BOX_WORDS, coach
from apps.dicee.services.page.coach import best_chance, prediction_target
from apps.dicee.services.page.lessons import GUESS_POINTS
from apps.dicee.services.review.decisions import Decision, Story, numbered, say, story
from apps.dicee.services.review.quiz import WORTH_ASKING, Problem, QuizQuestion, judge, problem, question
from apps.dicee.services.review.report import SQUARES
from engine.dicee import analysis
from engine.dicee.analysis import Analysis, Horizon, Position
from engine.dicee.boxes import BOX_NUMBER, Variant
from engine.dicee.decision import read_choice, write_choice
from engine.dicee.tables import Table

__all__ = [
    "BOX_WORDS",
    "GUESS_POINTS",
    "SQUARES",
    "WORTH_ASKING",
    "Decision",
    "Problem",
    "QuizQuestion",
    "Story",
    "analyze",
    "best_chance",
    "box_title",
    "first_hint",
    "judge",
    "numbered",
    "prediction_target",
    "problem",
    "question",
    "read_choice",
    "say",
    "solved",
    "story",
    "write_choice",
]


def solved(variant: Variant = Variant.STANDARD) -> Table | None:
    """The solved game that decisions are judged by; None while it is being computed."""
    return horizon.ready(variant)


def analyze(position: Position) -> Analysis:
    """Every option of a position, valued as far as the server can see."""
    sight = horizon.sight(position.variant, Horizon.GAME)
    with metrics.OPERATIONS.labels("dicee.decision").time():
        return analysis.analyze(position, sight.horizon, sight.table)


def first_hint(position: Position) -> str:
    """What to think about in a position, without the answer."""
    return coach.hint(position, 1, solved(position.variant)).text


def box_title(box: str) -> str:
    """A box as a person reads it."""
    return BOX_WORDS[BOX_NUMBER[box]][0]

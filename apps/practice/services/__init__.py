"""Practice without a table: one's own mistakes, positions made for a concept, and a challenge a day."""

from apps.practice.services.questions import LEVELS, SUBJECTS, Answered, Item, NotReadyError, problem, riddle
from apps.practice.services.record import Figures, figures
from apps.practice.services.run import (
    MISTAKES,
    MIXED,
    QUESTIONS,
    STARRED,
    Run,
    Waiting,
    answer,
    start,
    subject_of,
    waiting,
)
from engine.wire import EngineError as Refused

__all__ = [
    "LEVELS",
    "MISTAKES",
    "MIXED",
    "QUESTIONS",
    "STARRED",
    "SUBJECTS",
    "Answered",
    "Figures",
    "Item",
    "NotReadyError",
    "Refused",
    "Run",
    "Waiting",
    "answer",
    "figures",
    "problem",
    "riddle",
    "start",
    "subject_of",
    "waiting",
]

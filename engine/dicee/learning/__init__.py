"""What decisions say about a player, and what to practise next.

Read in this order: ``concepts`` (what a decision is about), ``patterns`` (mistakes that repeat), ``observations`` (one
decision), ``carelessness`` (how players without habits err), ``evidence`` (habit or carelessness), ``standing``
(ideas adjusted for difficulty), ``trends``, ``rating`` (how well, how sure), ``profiles`` (a player), ``drills``
(positions to practise on), ``students`` and ``study`` (simulated players that show the model is right).
"""

from engine.dicee.learning.concepts import CONCEPTS, Concept, ConceptText
from engine.dicee.learning.drills import Drill, make_drill
from engine.dicee.learning.evidence import Choice, FoundPattern
from engine.dicee.learning.observations import Kind, Observation, Signal, is_obvious, observe
from engine.dicee.learning.patterns import PATTERNS, PatternText
from engine.dicee.learning.profiles import (
    Calibration,
    CurvePoint,
    GameDigest,
    Guess,
    PracticeAnswer,
    Profile,
    Tally,
    calibration,
    digest,
    is_current,
    profile,
)
from engine.dicee.learning.rating import Rating, rate
from engine.dicee.learning.standing import Standing, standings, strongest, weakest
from engine.dicee.learning.trends import Direction, Trend

__all__ = [
    "CONCEPTS",
    "PATTERNS",
    "Calibration",
    "Choice",
    "Concept",
    "ConceptText",
    "CurvePoint",
    "Direction",
    "Drill",
    "FoundPattern",
    "GameDigest",
    "Guess",
    "Kind",
    "Observation",
    "PatternText",
    "PracticeAnswer",
    "Profile",
    "Rating",
    "Signal",
    "Standing",
    "Tally",
    "Trend",
    "calibration",
    "digest",
    "is_current",
    "is_obvious",
    "make_drill",
    "observe",
    "profile",
    "rate",
    "standings",
    "strongest",
    "weakest",
]

"""What decisions say about a player, and what to practise next.

Read in this order: ``concepts`` (what a decision is about), ``patterns`` (mistakes that repeat), ``observations`` (one
decision), ``evidence`` (habit or accident), ``rating`` (how well, how sure), ``profiles`` (a player), ``drills``
(positions to practise on), ``students`` and ``study`` (simulated players that show the model is right).
"""

from engine.dicee.learning.concepts import CONCEPTS, Concept, ConceptText
from engine.dicee.learning.drills import Drill, make_drill
from engine.dicee.learning.evidence import FoundPattern
from engine.dicee.learning.observations import Kind, Observation, Signal, observe
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
    profile,
)
from engine.dicee.learning.rating import Rating, rate

__all__ = [
    "CONCEPTS",
    "PATTERNS",
    "Calibration",
    "Concept",
    "ConceptText",
    "CurvePoint",
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
    "Tally",
    "calibration",
    "digest",
    "make_drill",
    "observe",
    "profile",
    "rate",
]

"""Who is in the demo class. Each student plays like one of ``engine.dicee.learning.students`` and grows out of it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dicee.learning.students import STUDENTS, Student

TEACHER = "demo-teacher"
CLASS = "Period 3 (demo)"
KINDS = {student.name: student for student in STUDENTS}
#: What is left of a student's carelessness after three weeks.
GROWN = 0.5


@dataclass(frozen=True, slots=True)
class Role:
    """A student of the demo: how they play, how fast they decide, how many games they play a week."""

    nickname: str
    kind: str
    noise: float
    seconds: float
    weekly: int

    def student(self, grown: float) -> Student:
        """The player this student is when a share of the term is over."""
        return KINDS[self.kind].careless(self.noise * (1 - (1 - GROWN) * grown), KINDS[self.kind].slips)


CAST = (
    Role("Ada", "careless", 0.2, 6, 4),
    Role("Ben", "holds high dice", 0.8, 5, 4),
    Role("Chloe", "careless", 0.4, 8, 4),
    Role("Dev", "keeps pairs", 0.6, 7, 4),
    Role("Elif", "careless", 0.7, 6, 4),
    Role("Finn", "holds high dice", 1.2, 4, 3),
    Role("Grace", "careless", 0.3, 9, 4),
    Role("Hugo", "spends Chance", 0.7, 6, 4),
    Role("Ines", "stops early", 0.8, 5, 4),
    Role("Jonas", "lives for the turn", 0.6, 7, 4),
    Role("Kira", "loves straights", 0.6, 6, 4),
    Role("Liam", "very careless", 2.0, 3, 3),
    Role("Mina", "careless", 0.9, 8, 4),
    Role("Noor", "strikes big boxes", 0.9, 11, 3),
    Role("Otis", "holds a kicker", 0.6, 6, 4),
    Role("Pia", "absent-minded", 0.3, 7, 4),
    Role("Quinn", "wild", 3.5, 3, 3),
    Role("Rosa", "keeps pairs", 0.9, 6, 4),
    Role("Sami", "spends Chance", 1.0, 5, 4),
    Role("Theo", "stops early", 1.4, 4, 4),
    Role("Uma", "careless", 0.5, 7, 4),
    Role("Vito", "lives for the turn", 1.0, 5, 4),
    Role("Wren", "holds a kicker", 1.0, 8, 3),
    Role("Yuki", "perfect", 0.15, 10, 4),
)

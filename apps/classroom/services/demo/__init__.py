"""A class to look at: one teacher, two dozen simulated students, three weeks of lessons. Seeded, so that it comes out
the same every time; only the days move with the calendar."""

from apps.classroom.services.demo.cast import TEACHER
from apps.classroom.services.demo.term import Made, make, remove

__all__ = ["TEACHER", "Made", "make", "remove"]

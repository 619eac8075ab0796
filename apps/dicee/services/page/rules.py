"""What each box is, with an example: the rules page, and what a box says of itself when its name is tapped."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dicee.advice import TITLES
from engine.dicee.boxes import BOXES, UPPER


@dataclass(frozen=True)
class BoxRule:
    """One box in plain words; ``points`` is what the example writes."""

    number: int
    goes_in: str
    pays: str
    example: tuple[int, ...]
    points: int

    @property
    def name(self) -> str:
        return BOXES[self.number]

    @property
    def title(self) -> str:
        return TITLES[self.name]

    @property
    def is_upper(self) -> bool:
        return self.number in UPPER

    @property
    def note(self) -> str:
        """What the odds of the box mean, where that is not obvious (ruling D16)."""
        return "Its odds are those of three or more: three of each face reach the bonus." if self.is_upper else ""


def _upper(face: int, word: str, example: tuple[int, ...]) -> BoxRule:
    return BoxRule(
        face - 1,
        f"Every {word} counts, the other dice do not.",
        f"{face} for each {word}.",
        example,
        face * example.count(face),
    )


BOX_RULES = (
    _upper(1, "one", (1, 1, 1, 4, 6)),
    _upper(2, "two", (2, 2, 2, 3, 5)),
    _upper(3, "three", (1, 3, 3, 3, 6)),
    _upper(4, "four", (2, 4, 4, 4, 5)),
    _upper(5, "five", (1, 5, 5, 5, 6)),
    _upper(6, "six", (2, 3, 6, 6, 6)),
    BoxRule(6, "At least three dice alike.", "All five dice added up.", (2, 4, 4, 4, 6), 20),
    BoxRule(7, "At least four dice alike.", "All five dice added up.", (2, 5, 5, 5, 5), 22),
    BoxRule(8, "Three alike and two alike.", "Always 25.", (3, 3, 6, 6, 6), 25),
    BoxRule(9, "Four in a row: 1-2-3-4, 2-3-4-5 or 3-4-5-6.", "Always 30.", (2, 3, 4, 5, 5), 30),
    BoxRule(10, "Five in a row: 1-2-3-4-5 or 2-3-4-5-6.", "Always 40.", (2, 3, 4, 5, 6), 40),
    BoxRule(11, "Five dice alike.", "Always 50; each further one +100 while 50 stands here.", (6, 6, 6, 6, 6), 50),
    BoxRule(12, "Any five dice.", "All five dice added up.", (1, 3, 4, 5, 6), 19),
)

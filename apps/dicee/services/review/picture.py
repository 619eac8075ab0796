"""A result as a picture: the score, a square for each turn, luck and decisions as bars. Drawn by ``result.svg``."""

from __future__ import annotations

from dataclasses import dataclass

from apps.core import formats
from apps.core.formats import PRINTS_AS_ZERO
from apps.dicee.services.review.report import Report

WIDTH, HEIGHT = 1200, 630  # what link previews show uncut
MARGIN, SQUARE, GAP = 72, 68, 14
BAR_FROM, BAR_LONGEST, BAR_POINTS = 450, 678, 80.0  # a bar of so many points is as long as it gets
#: Of the quality of a turn's weakest decision.
COLOURS = {
    "optimal": "#2e9e5b",
    "excellent": "#2e9e5b",
    "good": "#f2c230",
    "acceptable": "#f2c230",
    "suboptimal": "#ef8a2c",
    "poor": "#d64545",
}


@dataclass(frozen=True)
class Square:
    """One turn."""

    x: int
    colour: str


@dataclass(frozen=True)
class Bar:
    """Points that luck gave or took, or that decisions cost."""

    label: str
    words: str
    y: int
    length: float
    colour: str


@dataclass(frozen=True)
class Picture:
    """What ``templates/dicee/result.svg`` draws."""

    report: Report
    standing: str = ""  # the place in the game of a day

    width, height, margin, square, bar_from = WIDTH, HEIGHT, MARGIN, SQUARE, BAR_FROM

    @property
    def title(self) -> str:
        name, day = self.report.seat.name, self.report.game.daily_id
        return f"{name} · game of {day:%-d %B}" if day else name

    @property
    def alt(self) -> str:
        return f"Dicee: {self.report.seat.name}, {self.report.score} points. {self.standing}".strip()

    @property
    def squares(self) -> list[Square]:
        return [
            Square(MARGIN + turn * (SQUARE + GAP), COLOURS[line.worst]) for turn, line in enumerate(self.report.turns)
        ]

    @property
    def bars(self) -> list[Bar]:
        lost, luck = self.report.points_lost, self.report.luck
        cost = f"−{formats.number(lost, 1)}" if lost >= PRINTS_AS_ZERO else "0.0"
        bars = [Bar("Decisions", cost, 540, _length(lost), "#d64545")]
        if luck is not None:
            bars.insert(
                0, Bar("Luck", formats.signed(luck, 1), 470, _length(luck), "#2e9e5b" if luck >= 0 else "#d64545")
            )
        return bars


def _length(points: float) -> float:
    return round(BAR_LONGEST * min(1.0, abs(points) / BAR_POINTS), 1)

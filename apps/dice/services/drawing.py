"""The chart as one SVG file: for papers and slides, for pages that embed it, and where there is no script.

The browser makes a PNG of it. Colours are those of the light theme on white, so that it can be printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from apps.core import formats
from apps.core.calculator import Answer
from apps.dice.services.figures import Spread, dash
from engine.dice.language.program import Line

WIDTH, HEIGHT = 720, 405
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 64, 48
INK, GREY, HAIR = "#0a0a0a", "#5c5c5c", "#d9d9d9"
BARS = ((INK, "none"), ("#ffd500", INK))
CURVES = (INK, "#1f5fa8", "#b3261e", GREY)
PATTERNS = {"solid": "", "dash": "9 6", "dot": "2 5", "dashdot": "9 5 2 5"}
SANS = "Inter, system-ui, sans-serif"
#: Longer names are cut in the key and in the title.
LONGEST_NAME, LONGEST_TITLE = 22, 76


def drawing(answers: Sequence[Answer], *, is_titled: bool = True) -> str:
    """The chart of one or two situations as a complete SVG document; nothing where there are no numbers."""
    lines = [line for answer in answers for line in answer.facts.get("numbers", ())]
    return _drawn(lines, f"{answers[0].headline} {answers[0].rest}", is_titled) if lines else ""


def _drawn(lines: Sequence[Line], title: str, is_titled: bool) -> str:
    spread = Spread.of(lines)
    top = max(max(values) for _, values in spread.series) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="{SANS}" font-size="13" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _heading(title) if is_titled else "",
        *_key(spread),
        *_chances(top),
        *(_bars(spread, top) if len(spread.series) <= 2 else _curves(spread, top)),
        f'<path d="M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - RIGHT}" stroke="{INK}" stroke-width="2"/>',
        *_totals(spread),
        "</svg>",
    ]
    return "".join(parts)


def _heading(title: str) -> str:
    shown = escape(_cut(title, LONGEST_TITLE))
    return f'<text x="{LEFT}" y="24" font-size="15" font-weight="700" fill="{INK}">{shown}</text>'


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _x(at: float, spread: Spread) -> float:
    """Where the place ``at`` of a series is, its bars being as wide as places are apart."""
    return LEFT + (at + 0.5) * (WIDTH - LEFT - RIGHT) / len(spread.values)


def _y(chance: float, top: float) -> float:
    return HEIGHT - BOTTOM - chance / top * (HEIGHT - TOP - BOTTOM)


def _key(spread: Spread) -> Iterator[str]:
    if len(spread.series) == 1:
        return
    shown = spread.series[:8]
    room = (WIDTH - LEFT - RIGHT) / len(shown)
    for at, (name, _) in enumerate(shown):
        x = LEFT + at * room
        if len(spread.series) == 2:
            fill, edge = BARS[at]
            yield f'<rect x="{x:.0f}" y="37" width="12" height="12" fill="{fill}" stroke="{edge}"/>'
        else:
            yield f'<path d="M{x:.0f} 43h18"{_stroke(at)}/>'
        length = max(4, min(LONGEST_NAME, int(room / 8) - 3))
        yield f'<text x="{x + 22:.0f}" y="48" fill="{INK}">{escape(_cut(name, length))}</text>'


def _stroke(at: int) -> str:
    pattern = PATTERNS[dash(at)]
    dashes = f' stroke-dasharray="{pattern}"' if pattern else ""
    return f' fill="none" stroke="{CURVES[at % len(CURVES)]}" stroke-width="2.5"{dashes}'


def _chances(top: float) -> Iterator[str]:
    """Lines across, at round percentages."""
    step = next(size for size in _round_steps() if top / size <= 5)
    level = 0
    while level * step <= top * 1.0001:
        y = _y(level * step, top)
        shown = f"{100 * level * step:.10g} %"
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{HAIR}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{GREY}">{shown}</text>'
        level += 1


def _round_steps() -> Iterator[float]:
    """0.00001, 0.00002, 0.00005, 0.0001, …"""
    for power in range(-6, 1):
        for first in (1, 2, 5):
            yield first * 10.0**power


def _totals(spread: Spread) -> Iterator[str]:
    """Totals below the axis, about ten of them."""
    values = spread.values
    every = max(1, -(-len(values) // 10))
    for at in range(0, len(values), every):
        shown = formats.number(values[at], 0)
        yield f'<text x="{_x(at, spread):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="{GREY}">'
        yield f"{shown}</text>"
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end" fill="{GREY}">Total</text>'


def _bars(spread: Spread, top: float) -> Iterator[str]:
    place = (WIDTH - LEFT - RIGHT) / len(spread.values)
    width = place * 0.82 / len(spread.series)
    for line, (_, values) in enumerate(spread.series):
        fill, edge = BARS[line]
        start = line * width - place * 0.41
        for at, chance in enumerate(values):
            if chance:
                x, y = _x(at, spread) + start, _y(chance, top)
                yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.2f}" height="{HEIGHT - BOTTOM - y:.1f}"'
                yield f' fill="{fill}" stroke="{edge}" stroke-width="0.5"/>'


def _curves(spread: Spread, top: float) -> Iterator[str]:
    for line, (_, values) in enumerate(spread.series):
        points = " ".join(f"{_x(at, spread):.1f},{_y(chance, top):.1f}" for at, chance in enumerate(values))
        yield f'<polyline points="{points}"{_stroke(line)}/>'

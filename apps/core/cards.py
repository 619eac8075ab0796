"""Link cards: the picture that chats and forums show under a link, 1200 × 630, drawn here without a browser.

A card shows what the address says and nothing else, so anybody who has the address may have the picture. Drawing one
takes some hundredths of a second of one core: one is drawn at a time, and the last :data:`MOST_KEPT` are kept.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse

if TYPE_CHECKING:  # loaded when the first card is drawn: most processes never draw one
    from PIL import Image, ImageFont
    from PIL.ImageDraw import ImageDraw as Draw

WIDTH, HEIGHT, MARGIN = 1200, 630, 64
#: Some 15 KB each.
MOST_KEPT = 128
#: Seconds for which nobody need ask again. A long answer may still come (a job), so not a day.
FRESH = 3600
#: Part of the ETag: raise it when the drawing changes.
DRAWING = 1

INK, PAPER, GOLD, MUTED = "#0a0a0a", "#fafafa", "#ffd700", "#c9c5b8"
FONTS = settings.ROOT / "static" / "fonts"
SANS, MONO, SIGNS = "inter-latin-opsz-normal", "jetbrains-mono-latin-wght-normal", "oddsmith-signs"
#: Signs that the Latin fonts lack and the third one has (static/css/tokens.css).
OF_SIGNS = set("ΔΠΣλμπσ→←≤≥≈≠−∞√★✓")
#: How much closer than its font says a number is set, as on the site.
TRACKING = {SANS: 0.0, MONO: -0.07}


@dataclass(frozen=True, slots=True)
class Figure:
    """One situation's answer: "68.0", "%", "to kill."; ``name`` where it has one."""

    number: str
    unit: str
    claim: str
    rest: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A title, and one answer or two to compare; without an answer the lead of the page."""

    title: str
    lead: str
    figures: tuple[Figure, ...] = ()

    @property
    def etag(self) -> str:
        return f'"{hashlib.sha256(f"{DRAWING} {self!r}".encode()).hexdigest()[:32]}"'


def card_response(request: HttpRequest, card: Card) -> HttpResponse:
    """The picture, or only the word that the one the caller has is still right: then nothing is drawn."""
    if request.headers.get("If-None-Match") == card.etag:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(png(card), content_type="image/png")
    response["ETag"] = card.etag
    response["Cache-Control"] = f"public, max-age={FRESH}"
    return response


_drawing = threading.Lock()


@lru_cache(maxsize=MOST_KEPT)
def png(card: Card) -> bytes:
    """The card as a file."""
    with _drawing:  # one at a time: fonts are shared, and pictures must not crowd out pages
        image = _drawn(card)
    file = BytesIO()
    image.quantize(colors=64).save(file, "PNG")
    return file.getvalue()


def is_drawable(text: str) -> bool:
    """Do our fonts have every sign of it?

    >>> is_drawable("Bolt rifle ≥ 3"), is_drawable("Болтер")
    (True, False)
    """
    return all(ord(sign) < 0x100 or 0x2000 <= ord(sign) < 0x2070 or sign in OF_SIGNS for sign in text)


# -- Drawing ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _font(name: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(FONTS / f"{name}.woff2", size)
    font.set_variation_by_axes([weight] if name == MONO else [32, weight])
    return font


def _write(draw: Draw, at: tuple[float, float], text: str, name: str, size: int, weight: int, fill: str) -> float:
    """Write on a baseline; the end of the line. A sign that the font lacks comes from the font of signs."""
    x, y = at
    for sign, font in ((sign, _font(SIGNS if sign in OF_SIGNS else name, size, weight)) for sign in _shown(text)):
        draw.text((x, y), sign, font=font, fill=fill, anchor="ls")
        x += font.getlength(sign) + TRACKING[name] * size
    return x


def _shown(text: str) -> str:
    return text.replace("\n", " ") if is_drawable(text) else ""


def _length(text: str, name: str, size: int, weight: int) -> float:
    fonts = ((sign, _font(SIGNS if sign in OF_SIGNS else name, size, weight)) for sign in _shown(text))
    return sum(font.getlength(sign) + TRACKING[name] * size for sign, font in fonts)


def _fitting(text: str, name: str, size: int, weight: int, width: float) -> int:
    """The largest size at which the text is as wide as its place."""
    length = _length(text, name, size, weight)
    return size if length <= width else max(24, int(size * width / length))


def _wrapped(text: str, size: int, weight: int, width: float, lines: int) -> list[str]:
    """As many lines as there is room for; what is left out is said by an ellipsis."""
    made = [""]
    for word in _shown(text).split():
        longer = f"{made[-1]} {word}".strip()
        if not made[-1] or _length(longer, SANS, size, weight) <= width:
            made[-1] = longer
        elif len(made) < lines:
            made.append(word)
        else:
            made[-1] += " …"
            break
    return made


def _drawn(card: Card) -> Image.Image:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), INK)
    draw = ImageDraw.Draw(image)
    _brand(draw, card.title)
    draw.rectangle((0, HEIGHT - 28, WIDTH, HEIGHT), fill=GOLD)
    if not card.figures:
        for line, text in enumerate(_wrapped(card.lead, 64, 750, WIDTH - 2 * MARGIN, 4)):
            _write(draw, (MARGIN, 290 + 80 * line), text, SANS, 64, 750, PAPER)
    width = (WIDTH - MARGIN * (len(card.figures) + 1)) / max(1, len(card.figures))
    for place, figure in enumerate(card.figures):
        _figure(draw, figure, MARGIN + place * (width + MARGIN), width, "AB"[place] if len(card.figures) > 1 else "")
    return image


def _brand(draw: Draw, title: str) -> None:
    """The die with the golden heart, the name of the house, and the tool."""
    x, y, unit = MARGIN, 52, 2
    draw.rectangle((x, y, x + 30 * unit, y + 30 * unit), fill=PAPER)
    for left, top in ((8, 8), (22, 8), (8, 22), (22, 22)):
        box = (x + (left - 3) * unit, y + (top - 3) * unit, x + (left + 3) * unit, y + (top + 3) * unit)
        draw.ellipse(box, fill=INK)
    draw.rectangle((x + 11 * unit, y + 11 * unit, x + 19 * unit, y + 19 * unit), fill=GOLD)
    end = _write(draw, (x + 84, y + 43), "Oddsmith", SANS, 38, 800, PAPER)
    _write(draw, (end + 28, y + 43), title, SANS, 34, 500, MUTED)


def _figure(draw: Draw, figure: Figure, x: float, width: float, letter: str) -> None:
    y = 190
    if letter:
        draw.rectangle((x, y - 14, x + 52, y + 38), fill=GOLD if letter == "B" else PAPER)
        _write(draw, (x + 14, y + 26), letter, MONO, 40, 800, INK)
    if figure.name:
        left = x + (72 if letter else 0)
        size = _fitting(figure.name, SANS, 38, 650, width - (left - x))
        _write(draw, (left, y + 26), figure.name, SANS, size, 650, PAPER)
    size = 150 if letter else 200
    size = _fitting(f"{figure.number} {figure.unit}", MONO, size, 800, width)
    end = _write(draw, (x, 400), figure.number, MONO, size, 800, GOLD)
    if figure.unit:
        _write(draw, (end + size * 0.18, 400), figure.unit, MONO, size // 2, 700, GOLD)
    claims = _wrapped(figure.claim, 46, 750, width, 2)
    for line, text in enumerate(claims):
        _write(draw, (x, 470 + 52 * line), text, SANS, 46, 750, PAPER)
    if len(claims) == 1:
        for line, text in enumerate(_wrapped(figure.rest, 30, 500, width, 2)):
            _write(draw, (x, 526 + 38 * line), text, SANS, 30, 500, MUTED)

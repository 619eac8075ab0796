"""Draw the icons of the installed site from the same figure as static/icon.svg: ``python tools/icons.py``."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

OUT = Path(__file__).resolve().parents[1] / "static" / "icons"
INK, PAPER, GOLD = "#0A0A0A", "#FAFAFA", "#FFD700"
PIPS = ((8, 8), (22, 8), (8, 22), (22, 22))
#: Drawn larger and scaled down: round pips without steps.
FINER = 4


def draw(size: int, share: float) -> Image.Image:
    """The die on ``share`` of the width; systems cut masked icons to shapes of their own, so those leave a margin."""
    whole = size * FINER
    unit, start = whole * share / 30, whole * (1 - share) / 2
    image = Image.new("RGB", (whole, whole), INK)
    pen = ImageDraw.Draw(image)
    for x, y in PIPS:
        pen.ellipse(
            [start + (x - 3) * unit, start + (y - 3) * unit, start + (x + 3) * unit, start + (y + 3) * unit], PAPER
        )
    pen.rectangle([start + 11 * unit, start + 11 * unit, start + 19 * unit, start + 19 * unit], GOLD)
    return image.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    for name, size, share in (("icon-192", 192, 1.0), ("icon-512", 512, 1.0), ("mask-512", 512, 0.7)):
        draw(size, share).save(OUT / f"{name}.png", optimize=True)

"""Write apps/classroom/data/lookalikes.txt: the letters and digits that characters of other scripts look like.

    python tools/lookalikes.py

The source is Unicode's list of confusable characters (UTS 39), as the development dependency confusable_homoglyphs has
it. Only what can be left after Unicode's compatibility forms is written, so the file is small.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

from confusable_homoglyphs.confusables import confusables_data

FILE = Path(__file__).parents[1] / "apps/classroom/data/lookalikes.txt"


def plain(letter: str) -> str:
    """The letters or digits of ASCII that a character looks like; the character itself if there are none."""
    twins = (twin["c"] for twin in confusables_data.get(letter, []))
    return next((twin for twin in twins if twin.isascii() and twin.isalnum()), letter)


def lines() -> list[str]:
    """``looks like: characters``, the characters by their numbers: many of them turn a line of text around."""
    found: dict[str, list[str]] = {}
    for letter in sorted(letter for letter in confusables_data if len(letter) == 1 and not letter.isascii()):
        is_left = letter in (unicodedata.normalize("NFKC", letter), unicodedata.normalize("NFKD", letter))
        if is_left and plain(letter) != letter:
            found.setdefault(plain(letter), []).append(f"{ord(letter):04x}")
    return [f"{looks}: {' '.join(numbers)}" for looks, numbers in sorted(found.items())]


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8")

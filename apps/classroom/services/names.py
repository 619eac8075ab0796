"""Nicknames fit for a projector: friendly ones to choose from, rude ones refused, no two that look alike.

What characters look like comes from Unicode's list of confusables (``tools/lookalikes.py``), rude words of two dozen
languages from glin-profanity. Neither list is ever complete: the teacher can rename or take off wherever a name is
shown. Both are read when the first name is judged; a process that judges none does without.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from apps.accounts.names import CREATURES, QUALITIES

OFFERED = 3
#: Not in the lists we use, and not for a projector.
ALSO_RUDE = ("hitler", "heil", "nazi", "scheisse", "scheiße", "scheiss", "wichser", "kys", "isis")
#: Characters of plain text that a reader takes for each other, in a sans-serif face and from the back row.
ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b"})
TRIES = 200
LOOKALIKES = Path(__file__).parents[1] / "data/lookalikes.txt"


def offer(taken: Collection[str]) -> list[str]:
    """Three friendly names that nobody in the class has, or looks like."""
    seen = {skeleton(name) for name in taken}
    found: list[str] = []
    for _ in range(TRIES):
        name = f"{secrets.choice(QUALITIES)} {secrets.choice(CREATURES)}"
        if skeleton(name) not in seen and not is_rude(name):  # some languages hear more in an animal
            seen.add(skeleton(name))
            found.append(name)
        if len(found) == OFFERED:
            break
    return found


def skeleton(name: str) -> str:
    """What a name looks like: names with the same skeleton cannot be told apart.

    >>> skeleton("Ada") == skeleton("Аda") == skeleton("ADA") == skeleton("Áda"), skeleton("Ada") == skeleton("Ida")
    (True, False)
    """
    letters = unicodedata.normalize("NFKD", name)
    plain = "".join(_lookalikes().get(letter, letter) for letter in letters if letter.isalnum())
    return plain.casefold().translate(ALIKE).replace("rn", "m").replace("vv", "w")


@cache
def _lookalikes() -> dict[str, str]:
    """What a character of another script looks like in letters and digits of ours."""
    lines = (line.split(": ") for line in LOOKALIKES.read_text(encoding="utf-8").splitlines())
    return {chr(int(number, 16)): looks for looks, numbers in lines for number in numbers.split()}


def is_rude(name: str) -> bool:
    """Whether a name holds a rude word in any language we know, also one that is spelt to get past a list."""
    folded = "".join(_lookalikes().get(letter, letter) for letter in unicodedata.normalize("NFKC", name))
    together = "".join(letter for letter in folded if letter.isalnum())
    return any(_filter().is_profane(text) for text in (name, folded, together))


@cache
def _filter() -> Any:
    """Two dozen languages, read once and only where a name is checked."""
    from glin_profanity import Filter

    return Filter(
        {
            "all_languages": True,
            "detect_leetspeak": True,
            "normalize_unicode": True,
            "custom_words": list(ALSO_RUDE),
        }
    )

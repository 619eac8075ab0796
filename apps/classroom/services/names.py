"""Nicknames fit for a projector: friendly ones to choose from, rude ones refused, no two that look alike.

Unicode's list of confusable characters comes from confusable_homoglyphs, rude words of two dozen languages from
glin-profanity. Neither list is ever complete: the teacher can rename or take off wherever a name is shown.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from functools import cache
from typing import Any

from confusable_homoglyphs.confusables import confusables_data

from apps.accounts.names import CREATURES, QUALITIES

OFFERED = 3
#: Not in the lists we use, and not for a projector.
ALSO_RUDE = ("hitler", "heil", "nazi", "scheisse", "scheiße", "scheiss", "wichser", "kys", "isis")
#: Characters of plain text that a reader takes for each other, in a sans-serif face and from the back row.
ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b"})
TRIES = 200


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
    plain = "".join(_plain(letter) for letter in letters if letter.isalnum())
    return plain.casefold().translate(ALIKE).replace("rn", "m").replace("vv", "w")


def _plain(letter: str) -> str:
    """The letter of our alphabet that one of another looks like."""
    if letter.isascii():
        return letter
    twins: list[dict[str, Any]] = confusables_data.get(letter, [])
    return next((twin["c"] for twin in twins if twin["c"].isascii() and twin["c"].isalnum()), letter)


def is_rude(name: str) -> bool:
    """Whether a name holds a rude word in any language we know, also one that is spelt to get past a list."""
    folded = "".join(_plain(letter) for letter in unicodedata.normalize("NFKC", name))
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

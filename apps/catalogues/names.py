"""Names as people and programs write them: folded to one spelling, looked up, and the nearest ones suggested."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST = 120
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_SPACES = re.compile(r"\s+")
_NOT_WORD = re.compile(r"[^0-9a-z]+")


def clean(text: str) -> str:
    """A name fit to show: plain quotes and dashes, single spaces, no control characters, at most 120 characters.

    >>> clean("  Emperor’s   Children ")
    "Emperor's Children"
    """
    plain = unicodedata.normalize("NFC", text).translate(_QUOTES)
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in plain)
    return _SPACES.sub(" ", plain).strip()[:LONGEST].strip()


@lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """One spelling for all: no case, accents, apostrophes or punctuation.

    >>> fold("Khârn the Betrayer") == fold("kharn  The betrayer") and fold("Mork’s Roar") == fold("Morks roar")
    True
    """
    letters = unicodedata.normalize("NFKD", name.translate(_QUOTES)).casefold().replace("'", "")
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", bare.replace("&", " and ")).strip()


@lru_cache(maxsize=8192)
def singular(folded: str) -> str:
    """The same name for one of them: "intercessors" and "intercessor" meet here.

    >>> [singular(name) for name in ("outriders", "sisters repentia", "boyz", "hunting wolves", "nemesis claw")]
    ['outrider', 'sister repentia', 'boy', 'hunting wolf', 'nemesis claw']
    """
    return " ".join(_one(word) for word in folded.split())


def _one(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in (("men", "man"), ("lves", "lf"), ("nives", "nife"), ("ies", "y"), ("s", ""), ("z", "")):
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word


class Names(Generic[T], Mapping[str, T]):
    """Entries by name, found however the name is written.

    Tried in this order: the spelling folded; the singular; without what follows a comma, " with " or a bracket; an
    alias. Of two entries under one name the first stays.
    """

    def __init__(self, entries: Iterable[tuple[str, T]], aliases: Mapping[str, str] | None = None) -> None:
        self._exact: dict[str, T] = {}
        self._single: dict[str, T] = {}
        for name, entry in entries:
            self._exact.setdefault(fold(name), entry)
            self._single.setdefault(singular(fold(name)), entry)
        self._aliases = {fold(alias): fold(name) for alias, name in (aliases or {}).items()}

    def __getitem__(self, name: str) -> T:
        for folded in _spellings(name):
            for wanted in (folded, self._aliases.get(folded, folded)):
                if wanted in self._exact:
                    return self._exact[wanted]
                if singular(wanted) in self._single:
                    return self._single[singular(wanted)]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._exact)

    def __len__(self) -> int:
        return len(self._exact)

    def near(self, name: str, most: int = 3) -> list[T]:
        """Entries whose names look like this one."""
        return [self._exact[found] for found in get_close_matches(fold(name), self._exact, most, 0.75)]


def _spellings(name: str) -> Iterator[str]:
    yield fold(name)
    shorter = re.split(r"\s*[\[(,]|\s+(?:with|w/)\s+", name, maxsplit=1)[0]
    if shorter and shorter != name:
        yield fold(shorter)

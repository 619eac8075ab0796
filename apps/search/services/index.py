"""The index: a line for everything that can be found, made once a process when somebody first searches.

It holds what the repository holds (tools, profiles, presets, lessons, help) and nothing of any player, so it can be
shared by all who ask. A weapon that forty units carry is one line. :data:`MOST` bounds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import chain, islice

#: More lines than there are today, by half; what would come after them is not found.
MOST = 12_000


class Kind(Enum):
    """What a line leads to. The order is that of the results."""

    OWN = "Yours"
    TOOL = "Tools"
    TEAM = "Teams and armies"
    UNIT = "Units and operatives"
    WEAPON = "Weapons"
    PRESET = "Worked examples"
    LESSON = "Lessons"
    HELP = "Help"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: what it is called, what stands beside it, where it leads, and what else it is found by."""

    kind: Kind
    title: str
    note: str
    url: str
    words: str = ""

    @property
    def text(self) -> str:
        return f"{self.title}\n{self.note}\n{self.words}".casefold()


@dataclass(frozen=True, slots=True)
class Index:
    """Lines, the texts a search walks over, and every word of a title, for whoever mistypes one."""

    entries: tuple[Entry, ...]
    texts: tuple[str, ...]
    vocabulary: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Index:
        kept = tuple(islice(entries, MOST))
        return cls(kept, tuple(entry.text for entry in kept), _vocabulary(kept))


def words_of(text: str) -> list[str]:
    """
    >>> words_of("Kill Team: shoot")
    ['kill', 'team', 'shoot']
    """
    return re.findall(r"\w+", text.casefold())


def _vocabulary(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """The words of all titles by their first letter."""
    by_letter: dict[str, set[str]] = {}
    for word in chain.from_iterable(words_of(entry.title) for entry in entries):
        by_letter.setdefault(word[0], set()).add(word)
    return {letter: tuple(sorted(words)) for letter, words in by_letter.items()}


@cache
def index() -> Index:
    from apps.search.services import sources

    everything: Iterator[Entry] = chain.from_iterable(source() for source in sources.SOURCES)
    return Index.of(everything)

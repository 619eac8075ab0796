"""Finding: every word must be there; what is called so comes before what only mentions it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from apps.search.services.index import MOST, Entry, Index, Kind, index, words_of

#: Characters of a question that are read, and lines of a kind that are shown.
MOST_CHARACTERS, MOST_SHOWN = 80, 8
#: How like a known word a mistyped one has to be, and how much longer or shorter it may be.
ALIKE, LONGER = 0.7, 2


@dataclass(frozen=True, slots=True)
class Result:
    """Lines of one kind: the best of them, and how many there are."""

    kind: Kind
    entries: tuple[Entry, ...]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.entries)


@dataclass(frozen=True, slots=True)
class Found:
    """What a question found. ``instead`` is the question that was answered where the one asked finds nothing."""

    results: tuple[Result, ...]
    instead: str = ""

    @property
    def total(self) -> int:
        return sum(result.total for result in self.results)


def find(question: str, own: Iterable[Entry] = ()) -> Found:
    """Everything that has all the words, by kind; where nothing has, the same with words we know."""
    words = words_of(question[:MOST_CHARACTERS])
    if not words:
        return Found(())
    known = index()
    mine = tuple(own)
    results = _results(words, known, mine)
    if results:
        return Found(results)
    corrected = _corrected(words, known)
    if corrected == words:
        return Found(())
    return Found(_results(corrected, known, mine), " ".join(corrected))


def _results(words: Sequence[str], known: Index, own: Sequence[Entry]) -> tuple[Result, ...]:
    first, *others = words
    hits = [
        entry
        for entry, text in zip(known.entries, known.texts, strict=True)
        if first in text and all(word in text for word in others)
    ]
    hits += [entry for entry in own if all(word in entry.text for word in words)]
    by_kind: dict[Kind, list[Entry]] = {}
    for entry in hits:
        by_kind.setdefault(entry.kind, []).append(entry)
    made = []
    for kind in Kind:
        if entries := by_kind.get(kind):
            best = sorted(entries, key=lambda entry: _rank(entry, words))[:MOST_SHOWN]
            made.append(Result(kind, tuple(best), len(entries)))
    return tuple(made)


@lru_cache(maxsize=MOST)
def _title_words(title: str) -> list[str]:
    """One letter finds thousands of lines, and each is ranked by the words of its title."""
    return words_of(title)


def _rank(entry: Entry, words: Sequence[str]) -> tuple[int, int, str]:
    """Less is better: called exactly so, beginning so, with words that begin so, containing them, only about them."""
    title = _title_words(entry.title)
    if title == list(words):
        step = 0
    elif title[: len(words)] == list(words):
        step = 1
    elif all(any(own.startswith(word) for own in title) for word in words):
        step = 2
    elif all(word in entry.title.casefold() for word in words):
        step = 3
    else:
        step = 4
    return step, len(entry.title), entry.title


def _corrected(words: Sequence[str], known: Index) -> list[str]:
    """Each word that no title has, replaced by the most alike with the same first letter: few need comparing."""
    return [_nearest(word, known.vocabulary.get(word[0], ())) for word in words]


def _nearest(word: str, candidates: Sequence[str]) -> str:
    if any(other.startswith(word) for other in candidates):
        return word
    near = [other for other in candidates if abs(len(other) - len(word)) <= LONGER]
    return next(iter(difflib.get_close_matches(word, near, n=1, cutoff=ALIKE)), word)


# -- For an address that is not there ---------------------------------------------------------------------------------

MOST_SUGGESTED = 5


def suggestions(path: str) -> list[Entry]:
    """Pages somebody may have meant: addresses alike first, then what the words of the address find."""
    path = unquote(path)[:MOST_CHARACTERS]
    pages = [entry for entry in index().entries if entry.kind in (Kind.TOOL, Kind.LESSON, Kind.HELP)]
    by_address = {entry.url: entry for entry in pages if "#" not in entry.url}
    near = [by_address[url] for url in difflib.get_close_matches(path, by_address, n=3, cutoff=0.6)]
    found = [entry for result in find(path).results for entry in result.entries[:2]]
    if not found:
        last = path.strip("/").rpartition("/")[2]
        found = [entry for result in find(last).results for entry in result.entries[:2]]
    return list({entry.url: entry for entry in [*near, *found]}.values())[:MOST_SUGGESTED]

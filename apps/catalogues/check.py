"""What of a table a library cannot use: each with its place and the reason, for the eyes of a contributor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Unmapped(NamedTuple):
    """A fact that changes nothing on its own: where it stands, what it is, why."""

    where: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what} ({self.why})"


def report(found: Iterable[Unmapped]) -> Iterator[str]:
    """Lines of a report: the reasons with their numbers, then every fact."""
    facts = list(found)
    yield f"{len(facts)} facts are left to the player or not known:"
    for why, number in Counter(fact.why for fact in facts).most_common():
        yield f"  {number:4} {why}"
    yield from (str(fact) for fact in facts)

"""The words of the field: each a heading of ``docs/help/glossary.md`` with its meaning below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from apps.help.pages import page


@dataclass(frozen=True, slots=True)
class Term:
    """A word, what it means, and where the glossary says so."""

    name: str
    meaning: str
    url: str


@cache
def terms() -> dict[str, Term]:
    """Every word by its name in small letters."""
    glossary = page("glossary")
    assert glossary is not None
    sections = (section for section in glossary.document.sections if section.level == 3)
    return {s.title.casefold(): Term(s.title, s.text, f"{glossary.url}#{s.anchor}") for s in sections}


def find(name: str) -> Term:
    """A word that a template explains; one that the glossary lacks is a mistake of ours."""
    return terms()[name.casefold()]

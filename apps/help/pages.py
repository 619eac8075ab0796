"""The help pages: Markdown files of ``docs/help``, in the order in which the contents list them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.urls import reverse

from apps.help.markdown import Document, Section, render

FOLDER = settings.ROOT / "docs" / "help"

#: What the contents show: groups of pages, each page the name of its file.
CONTENTS = (
    ("The games", ("dicee", "rulings")),
    (
        "How the numbers come about",
        ("dicee-numbers", "kill-team", "warhammer-40k", "battletech", "dice"),
    ),
    ("Looking up", ("glossary", "keyboard", "names")),
    ("For teachers, programs and operators", ("teachers", "api", "operators")),
)
SLUGS = tuple(slug for _, slugs in CONTENTS for slug in slugs)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of help: its first heading is the title, the text under it the summary."""

    slug: str
    document: Document

    @property
    def title(self) -> str:
        return self.document.sections[0].title

    @property
    def summary(self) -> str:
        return self.document.sections[0].text

    @property
    def url(self) -> str:
        return reverse("help:page", args=[self.slug])

    @property
    def chapters(self) -> tuple[Section, ...]:
        """The sections that the page's own contents list."""
        return tuple(section for section in self.document.sections if section.level == 2)


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that belong together."""

    title: str
    pages: tuple[Page, ...]


@cache
def page(slug: str) -> Page | None:
    """A page by its name. Rendered once: the files do not change while the process lives."""
    if slug not in SLUGS:
        return None
    return Page(slug, render((FOLDER / f"{slug}.md").read_text(encoding="utf-8")))


@cache
def contents() -> tuple[Group, ...]:
    return tuple(Group(title, tuple(filter(None, map(page, slugs)))) for title, slugs in CONTENTS)


def pages() -> list[Page]:
    """Every page, in the order of the contents."""
    return [page for group in contents() for page in group.pages]

"""The list of everything that can be written, from the language's own documentation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.M | re.S)
EXAMPLE = re.compile(r"^\| `(?P<text>[^`]+)` \| (?P<meaning>.*) \| *(?P<average>[−-]?[\d.]*) *\|$", re.M)

#: The section that says how it is made and not how it is used.
FOR_DEVELOPERS = "How it is made"


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    meaning: SafeString
    average: str

    @property
    def href(self) -> str:
        query = {"v": "1", "roll": self.text.replace("; ", "\n"), "target": ""}
        return f"{reverse('dice:dice')}?{urlencode(query)}"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the documentation with its paragraphs and examples."""

    title: str
    paragraphs: tuple[SafeString, ...]
    examples: tuple[Example, ...]


@cache
def sections() -> tuple[Section, ...]:
    """Every section of ``docs/dice-language.md``."""
    text = (settings.ROOT / "docs" / "dice-language.md").read_text(encoding="utf-8")
    return tuple(_section(title, body) for title, body in SECTION.findall(text) if title != FOR_DEVELOPERS)


def _section(title: str, body: str) -> Section:
    examples = tuple(
        Example(found["text"], _marked(found["meaning"]), found["average"]) for found in EXAMPLE.finditer(body)
    )
    blocks = (block.strip() for block in re.split(r"\n\s*\n|\n(?=- )", body))
    prose = [block for block in blocks if block and not block.startswith("|")]
    return Section(title, tuple(_marked(" ".join(block.split()).removeprefix("- ")) for block in prose), examples)


def _marked(text: str) -> SafeString:
    """Code and stress of Markdown as markup."""
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return mark_safe(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html))

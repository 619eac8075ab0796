"""Markdown as the help pages write it: CommonMark with tables, and four kinds of blocks of our own.

=============  =====================================================================================================
```` ```dice ````      dice to look at, a line each: ``5* 5* 5* 2 6 | Fives | 15``; a star marks the dice that count
```` ```example ````   the address of a calculator, and on the next line the answer it gives
```` ```request ````   a call of the API: method and address, then the document; an ``answer`` block may follow
```` ```keyboard ````  every shortcut of the site
=============  =====================================================================================================

Tests read the same blocks: a score, an answer or a reply that is not what the product says fails them. A link to
another page is written as in any repository, ``[glossary](glossary.md#term)``, and leads there on the site too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from apps.core.templatetags.odds import die, keyboard_list

#: Where the examples of the API run: the address that ``make run`` prints.
API_HOST = "http://localhost:8000"
_OTHER_PAGE = re.compile(r"^([a-z0-9-]+)\.md(#.*)?$")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the plain text under it, for the contents and for the search."""

    level: int
    anchor: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """One of our own blocks as it is written."""

    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A rendered text: the first section is its title."""

    html: SafeString
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class DiceRow:
    """A line of a ``dice`` block."""

    faces: tuple[int, ...]
    counting: tuple[bool, ...]
    label: str
    value: str

    @classmethod
    def read(cls, line: str) -> DiceRow:
        """
        >>> DiceRow.read("5* 5* 2 | Fives | 10")
        DiceRow(faces=(5, 5, 2), counting=(True, True, False), label='Fives', value='10')
        """
        dice, label, value = (part.strip() for part in line.split("|"))
        words = dice.split()
        return cls(tuple(int(word[0]) for word in words), tuple(word.endswith("*") for word in words), label, value)


def render(text: str) -> Document:
    """The page that a Markdown text makes, and what is in it."""
    parser = _parser()
    tokens = parser.parse(text)
    sections = _sections(tokens)
    blocks = tuple(Block(t.info.strip(), _lines(t)) for t in tokens if t.type == "fence" and t.info.strip())
    html = parser.renderer.render(tokens, parser.options, {})
    return Document(mark_safe(html), sections, blocks)  # raw HTML is off: what is written is escaped


def _sections(tokens: Sequence[Token]) -> tuple[Section, ...]:
    """Give every heading its anchor, and gather the words below it."""
    found: list[tuple[int, str, str, list[str]]] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _plain(tokens[at + 1])
            anchor = slugify(title)
            token.attrSet("id", anchor)
            found.append((int(token.tag[1]), anchor, title, []))
        elif token.type == "inline" and found and tokens[at - 1].type != "heading_open":
            found[-1][3].append(_plain(token))
    return tuple(Section(level, anchor, title, " ".join(words)) for level, anchor, title, words in found)


def _plain(token: Token) -> str:
    return "".join(" " if part.type == "softbreak" else part.content for part in token.children or ())


def _lines(token: Token) -> tuple[str, ...]:
    return tuple(token.content.strip().splitlines())


# -- Drawing ---------------------------------------------------------------------------------------------------------


def _dice(lines: Sequence[str]) -> SafeString:
    rows = (DiceRow.read(line) for line in lines)
    return format_html(
        '<ul class="help-dice">{}</ul>',
        format_html_join("", "<li>{}<span>{} <b>{}</b></span></li>", ((_faces(r), r.label, r.value) for r in rows)),
    )


def _faces(row: DiceRow) -> SafeString:
    drawn = ((die(face, "s", "keep" if counts else ""),) for face, counts in zip(row.faces, row.counting, strict=True))
    return format_html('<span class="dice">{}</span>', format_html_join("", "{}", drawn))


def _example(lines: Sequence[str]) -> SafeString:
    return format_html(
        '<p class="help-example"><b>{}</b> <a class="btn" href="{}">Open this example</a></p>', lines[1], lines[0]
    )


def _request(lines: Sequence[str]) -> SafeString:
    method, address = lines[0].split()
    body = " ".join(line.strip() for line in lines[1:])
    call = f"curl {API_HOST}{address}"
    if method == "POST":
        call = f"curl -H 'Content-Type: application/json' \\\n  -d '{body}' \\\n  {API_HOST}{address}"
    return _code((call,))


def _code(lines: Sequence[str]) -> SafeString:
    return format_html('<pre class="help-code" tabindex="0"><code>{}</code></pre>', "\n".join(lines))


_BLOCKS: Mapping[str, Callable[[Sequence[str]], SafeString]] = {
    "dice": _dice,
    "example": _example,
    "request": _request,
    "keyboard": lambda lines: keyboard_list(),
}


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return _BLOCKS.get(tokens[at].info.strip(), _code)(_lines(tokens[at]))


def _table_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return '<div class="tablewrap" tabindex="0"><table class="help-table">'


def _table_close(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</table></div>"


def _link_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    if other := _OTHER_PAGE.match(str(token.attrGet("href"))):
        token.attrSet("href", f"/help/{other[1]}/{other[2] or ''}")
    return renderer.renderToken(tokens, at, options, env)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    rules = {"fence": _fence, "table_open": _table_open, "table_close": _table_close, "link_open": _link_open}
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser

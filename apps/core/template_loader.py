"""Template loader that keeps the layout of a template's source out of the page.

Templates have one element a line, so that a change of one label is a change of one line. Sent as written, the line
breaks would draw a space between elements that touch, and a fifth of a page would be indentation. So a line break
between two elements is layout, and is taken out once, when the template is loaded:

>>> without_layout("<p>\\n  <b>1</b>\\n  <b>2</b>\\n</p>\\n")
'<p><b>1</b><b>2</b></p>'

Beside a word it is the space it looks like, whatever ``{% if %}`` or ``{% for %}`` stands between, but for the full
stop or comma that follows:

>>> without_layout("<p>\\n  Keep\\n  <b>6-6</b>\\n  {% if left %}\\n    and\\n    roll\\n  {% endif %}\\n  .\\n</p>")
'<p>Keep <b>6-6</b> {% if left %} and roll{% endif %}.</p>'

A space on a line stays. What comes between elements on lines of their own is for the style sheet to say (``gap``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from django.template import Origin
from django.template.loaders import filesystem

_TEMPLATE_TAG = r"\{%.*?%\}|\{\{.*?\}\}"
_QUOTED = rf"\"(?:{_TEMPLATE_TAG}|[^\"])*\"|'(?:{_TEMPLATE_TAG}|[^'])*'"
_VOID = "area|base|col|embed|hr|img|input|link|meta|source|track|wbr"
_STRUCTURE = "if|elif|else|endif|for|empty|endfor|with|endwith|extends|load"
_PIECES = re.compile(
    rf"""
    (?P<comment>\{{\#.*?\#\}}|\{{%\s*comment\b.*?%\}}.*?\{{%\s*endcomment\s*%\}})
    |(?P<verbatim><(pre|textarea|script|style)\b.*?</\3\s*>)
    |(?P<structure>\{{%\s*(?:{_STRUCTURE})\b.*?%\}})
    |(?P<close></[a-zA-Z][^>]*>|\{{%\s*endblock\b.*?%\}})
    |(?P<block>\{{%\s*block\b.*?%\}})
    |(?P<newline><br\b[^>]*>)
    |(?P<element>\{{%.*?%\}}|<(?:!|(?:{_VOID})\b)(?:{_TEMPLATE_TAG}|{_QUOTED}|[^>"'])*>)
    |(?P<open><[a-zA-Z](?:{_TEMPLATE_TAG}|{_QUOTED}|[^>"'])*>)
    |(?P<stop>[.,;:!?)”’…]+)
    |(?P<word>\{{\{{.*?\}}\}}|(?:(?!\{{[%{{\#])[^\s<]|<(?![a-zA-Z/!]))+)
    |(?P<space>\s+)
    """,
    re.VERBOSE | re.DOTALL,
)
_BREAK = re.compile(r"\s*\n\s*")

Kind = Literal["open", "close", "element", "newline", "word", "stop", "structure", "space"]


class _Piece(NamedTuple):
    kind: Kind
    text: str


def without_layout(source: str) -> str:
    """The source of a template as it is sent: without the line breaks and the indentation that only lay it out."""
    pieces = list(_pieces(source))
    before: Kind = "open"  # what the page shows last and next, template structure aside
    after = _next_shown(pieces)
    sent = []
    for at, piece in enumerate(pieces):
        if piece.kind not in {"space", "structure"}:
            before = piece.kind
        elif "\n" in piece.text and piece.kind == "space":
            sent.append(" " if _is_space(before, after[at]) else "")
            continue
        sent.append(piece.text)
    return "".join(sent)


def _pieces(source: str) -> Iterator[_Piece]:
    for found in _PIECES.finditer(source.strip()):
        text = found.group()
        match found.lastgroup:
            case "comment":
                continue
            case "verbatim":
                yield _Piece("element", text)
            case "space":
                yield _Piece("space", text)
            case "block":
                yield _Piece("open", text)
            case kind:
                yield _Piece(kind, _BREAK.sub(" ", text))  # type: ignore[arg-type]  # a name of the pattern


def _next_shown(pieces: list[_Piece]) -> list[Kind]:
    """For each piece, the kind of the next one that shows: neither a space nor template structure."""
    following: list[Kind] = []
    shown: Kind = "close"
    for piece in reversed(pieces):
        following.append(shown)
        if piece.kind not in {"space", "structure"}:
            shown = piece.kind
    return following[::-1]


def _is_space(before: Kind, after: Kind) -> bool:
    """Whether a line break between these two is a space: beside a word, unless it only opens or closes an element."""
    after_word = before in {"word", "stop"} and after not in {"close", "stop", "newline"}
    return after_word or (after == "word" and before not in {"open", "newline"})


class Loader(filesystem.Loader):
    """Loads the project's templates, without their layout."""

    def get_contents(self, origin: Origin) -> str:
        return without_layout(super().get_contents(origin))

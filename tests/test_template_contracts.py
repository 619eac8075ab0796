"""A template that is no page of its own begins with its contract: what it shows and what it needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from apps.core.template_loader import without_layout

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
CONTRACT = re.compile(r"\{% comment %\}\n(.*?)\{% endcomment %\}\n", re.DOTALL)
PARTS = [path for path in TEMPLATES if "{% extends" not in path.read_text(encoding="utf-8")]
#: Words of the template language where a name could stand.
LANGUAGE = {"and", "or", "not", "in", "is", "as", "with", "only", "by", "True", "False", "None"}
#: Always there: what Django's own context gives, and what a loop makes.
GIVEN = {"forloop", "block", "csrf_token", "request"}


def contract_of(template: Path) -> str:
    found = CONTRACT.match(template.read_text(encoding="utf-8"))
    return " ".join(found[1].split()) if found else ""


def root(expression: str) -> str:
    """The name an expression begins with: ``row`` of ``row.points|number:2``; none of a text or a number."""
    found = re.match(r"[A-Za-z_]\w*", expression)
    return found[0] if found else ""


def names_in(bits: list[str]) -> set[str]:
    """The names a tag reads: each argument, the value of each ``name=value``, and what filters are given."""
    values = [re.sub(r"^\w+=", "", bit) for bit in bits]
    given = [value for bit in values for value in re.findall(r"\|\w+:([A-Za-z_]\w*)", bit)]
    return {root(value) for value in (*values, *given)} - LANGUAGE - {""}


def names_needed(template: Path) -> set[str]:
    """The names a template reads and does not make itself."""
    used: set[str] = set()
    made: set[str] = set()
    for token in Lexer(without_layout(template.read_text(encoding="utf-8"))).tokenize():
        if token.token_type == TokenType.VAR:
            used |= names_in([token.contents])
        if token.token_type != TokenType.BLOCK:
            continue
        tag, *bits = token.split_contents()
        if tag in {"comment", "load", "block", "remember"} or tag.startswith("end"):
            made |= set(bits[1:2]) if tag == "remember" else set()
            continue
        if len(bits) > 1 and bits[-2] == "as":
            made.add(bits[-1])
            bits = bits[:-2]
        if tag == "for":
            made |= {bit.strip(",") for bit in bits[: bits.index("in")]}
            bits = bits[bits.index("in") + 1 :]
        if tag == "with":
            made |= {bit.partition("=")[0] for bit in bits}
        used |= names_in(bits)
    return used - made - GIVEN


@pytest.mark.parametrize("template", PARTS, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_a_template_that_is_no_page_begins_with_its_contract(template: Path) -> None:
    contract = contract_of(template)
    assert re.match(r"[A-Z“].+?[.:] ", contract), "it does not begin with a sentence on what it shows"
    assert ("Needs nothing." in contract) != ("Needs: " in contract), "it does not say what it needs"


@pytest.mark.parametrize("template", PARTS, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_a_contract_names_all_that_its_template_reads(template: Path) -> None:
    """A part that is given a view's whole context says whose: "the context of Calculator.page"."""
    needs = contract_of(template).partition("Needs")[2]
    unnamed = {name for name in names_needed(template) if not re.search(rf"\b{name}\b", needs)}
    assert not unnamed or "the context of" in needs

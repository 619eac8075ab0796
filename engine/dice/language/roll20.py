"""The notation of Roll20 and Foundry rolls, read into the same tree.

It differs from the native notation in four things: a comparison right behind dice counts them (``8d6>5``), ``>`` and
``<`` include the number itself, ``f1`` takes failures away, and ``{2d6, d12}kh1`` compares totals, not dice.
Labels in brackets and sorting are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from engine.dice.language import syntax
from engine.dice.language.native.cursor import COMPARISONS, MAX_FACE
from engine.dice.language.native.modifiers import Modifiers
from engine.dice.language.native.parser import Parser
from engine.dice.language.native.tokens import Token
from engine.dice.language.syntax import Comparison, Faces, Node

COMMAND = re.compile(r"^(\s*)(/(?:gm)?r(?:oll)?)\b", re.IGNORECASE | re.MULTILINE)
LABEL = re.compile(r"(?<!\[)\[[^\[\]]*\](?!\])")
INCLUSIVE: dict[str, Comparison] = {">": ">=", "<": "<=", ">=": ">=", "<=": "<=", "=": "=", "==": "="}
NOT_READ = {"mt": "matches", "m": "matches", "cf": "critical failures", "sf": "subtracted failures", "so": "sorting"}


def parse(text: str) -> syntax.Program:
    """Read a roll as Roll20 or Foundry would.

    >>> print(parse("/roll 8d6>5f1"))
    (8D6 count >=5 minus 1)
    """
    return Roll20Parser(text).program()


class Roll20Parser(Parser):
    """The native parser with the other meaning of comparisons."""

    def __init__(self, text: str) -> None:
        super().__init__(_blanked(text))
        self.remarks: list[str] = []

    def program(self) -> syntax.Program:
        read = super().program()
        return replace(read, notation="roll20", remarks=tuple(dict.fromkeys(self.remarks)))

    def faces(self, example: str) -> Faces:
        sign = self.token.text if self.token.kind == "mark" else ""
        found = super().faces(example)
        if sign in (">", "<"):
            self.remarks.append(f"“{sign}{found.value}” includes {found.value}, as Roll20 reads it.")
            return Faces(INCLUSIVE[sign], found.value)
        return found

    def read_modifier(self, found: Modifiers, node: Node) -> bool:
        token = self.token
        counts = self.kind(node) == "pool" and not found.lasts
        if token.kind == "mark" and token.text in INCLUSIVE and token.text in COMPARISONS and counts:
            found.lasts.append((token, self._successes()))
            return True
        if token.kind == "word" and token.lower in ("s", "sa", "sd"):
            self.advance()
            return True
        if token.kind == "word" and token.lower in ("x", "xo"):
            found.explosions.append(self._foundry_explosion())
            return True
        if token.kind == "word" and token.lower in NOT_READ:
            raise self.error(f"“{token.text}” ({NOT_READ[token.lower]}) is not read", "Leave it out.")
        return super().read_modifier(found, node)

    def _group(self, token: Token) -> Node:
        """Several rolls in braces are compared by their totals; the dice of a single one lie side by side."""
        group = super()._group(token)
        if not isinstance(group, syntax.Group) or len(group.items) == 1:
            return group
        if any(self.kind(item) == "pool" for item in group.items):
            self.remarks.append("Rolls in braces are compared by their totals, as Roll20 does.")
        return replace(group, items=tuple(syntax.Repeat(syntax.Number(1), item, at=item.at) for item in group.items))

    def _successes(self) -> Callable[[Node], Node]:
        token = self.token
        faces = self.faces(">5")
        minus = None
        if self.take_word("f"):
            minus = self.faces("f1")
        self.remarks.append(f"A comparison behind dice counts them: {faces} is a success.")
        return lambda pool: syntax.Count(pool, faces, minus=minus, at=token.at)

    def _foundry_explosion(self) -> Callable[[Node], Node]:
        token = self.advance()
        faces = Faces()
        if self.token.kind == "number":
            faces = Faces(listed=(self.whole("The face", -MAX_FACE, MAX_FACE),))
            self.remarks.append(f"“x{faces}” explodes on {faces}, as Foundry reads it; a product is written with *.")
        elif self.token.kind == "mark" and self.token.text in COMPARISONS and self.attached():
            faces = super().faces("x6")
        way: Literal["new"] = "new"
        return lambda pool: syntax.Explode(pool, faces, way, 1 if token.lower == "xo" else 10, at=token.at)


def _blanked(text: str) -> str:
    """The same text with commands and labels as spaces and double brackets as round ones, every character in place."""
    text = COMMAND.sub(lambda found: found.group(1) + " " * len(found.group(2)), text)
    text = LABEL.sub(lambda found: " " * len(found.group()), text)
    return text.replace("[[", " (").replace("]]", ") ")

"""Functions of the language by name, each reading its own arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from engine.dice.language import syntax
from engine.dice.language.native.cursor import MAX_DICE, MAX_FACE, MAX_TEXT
from engine.dice.language.native.modifiers import advantage, which_dice
from engine.dice.language.native.tokens import Token
from engine.dice.language.syntax import Node

if TYPE_CHECKING:
    from engine.dice.language.native.expressions import ExpressionReader

Reader = Callable[["ExpressionReader", Token], Node]


def _extreme(reader: ExpressionReader, token: Token) -> Node:
    items = [reader.argument()]
    while reader.take_mark(","):
        items.append(reader.argument())
    if len(items) == 1 and reader.kind(items[0]) == "pool":
        return reader.keep(items[0], "highest" if token.lower == "max" else "lowest", 1, False, token)
    if len(items) < 2:
        raise reader.error(f"{token.lower} needs two rolls", f"Write it like {token.lower}(D6, D8).", token)
    return syntax.Extreme("max" if token.lower == "max" else "min", tuple(items), at=token.at)


def _absolute(reader: ExpressionReader, token: Token) -> Node:
    return syntax.Absolute(reader.argument(), at=token.at)


def _rounded(reader: ExpressionReader, token: Token) -> Node:
    body = reader.argument()
    if not isinstance(body, syntax.Divide):
        raise reader.error("There is nothing to round", f"Write it like {token.lower}(D6/2).", token)
    way: dict[str, syntax.Rounding] = {"floor": "down", "ceil": "up", "round": "nearest"}
    return syntax.Divide(body.left, body.right, way[token.lower], at=token.at)


def _advantage(reader: ExpressionReader, token: Token) -> Node:
    body = reader.argument()
    times = reader.whole("The number of rolls", 2, 20) if reader.take_mark(",") else 2
    return advantage(body, token.lower == "advantage", times, token.at)


def _ranked(reader: ExpressionReader, token: Token) -> Node:
    pool = reader.pool(reader.expression(), token)
    number = reader.whole("The number of dice kept", 1, MAX_DICE) if reader.take_mark(",") else 1
    return reader.keep(pool, which_dice(token.lower), number, False, token)


def _asked(question: syntax.PoolQuestion) -> Reader:
    def ask(reader: ExpressionReader, token: Token) -> Node:
        pool = reader.pool(reader.expression(), token)
        size = 2 if token.lower == "pairs" else 0
        if token.lower == "sets":
            reader.comma("sets(10D10, 3)")
            size = reader.whole("The size of a set", 2, MAX_DICE)
        return syntax.Ask(pool, question, size, at=token.at)

    return ask


def _pair_off(reader: ExpressionReader, token: Token) -> Node:
    left = reader.pool(reader.expression(), token)
    reader.comma("pair_off(3D6, 2D6)")
    right = reader.pool(reader.expression(), token)
    ties: Literal["right", "left"] = "right"
    if reader.take_mark(","):
        word = reader.take_word("left", "right")
        if word is None:
            raise reader.error("Who wins ties?", "Write left or right.")
        ties = "left" if word.lower == "left" else "right"
    return syntax.PairOff(left, right, ties, at=token.at)


def _margin(reader: ExpressionReader, token: Token) -> Node:
    left = reader.argument()
    reader.comma("margin(D20+5, 15)")
    return syntax.Arithmetic("-", left, reader.argument(), at=token.at)


def _bands(reader: ExpressionReader, token: Token) -> Node:
    example = 'bands(D100, 5: "critical", 50: "success", "failure")'
    body = reader.argument()
    ends: list[int] = []
    labels: list[str] = []
    while len(labels) == len(ends):
        reader.comma(example)
        at = reader.token
        if at.kind == "text":
            labels.append(reader.advance().text[:MAX_TEXT])
            break
        ends.append(reader.whole("The end of a band", -MAX_FACE, MAX_FACE))
        if len(ends) > 1 and ends[-1] <= ends[-2]:
            raise reader.error("The bands are not in order", f"After {ends[-2]} comes a larger number.", at)
        reader.need_mark(":", f"Write it like {example}.")
        if reader.token.kind != "text":
            raise reader.error("The band has no name", f"Write it like {example}.")
        labels.append(reader.advance().text[:MAX_TEXT])
    if not ends:
        raise reader.error("There is only one band", f"Write it like {example}.", token)
    return syntax.Bands(body, tuple(ends), tuple(labels), at=token.at)


FUNCTIONS: dict[str, Reader] = {
    "min": _extreme,
    "max": _extreme,
    "abs": _absolute,
    "floor": _rounded,
    "ceil": _rounded,
    "round": _rounded,
    "advantage": _advantage,
    "disadvantage": _advantage,
    "highest": _ranked,
    "lowest": _ranked,
    "middle": _ranked,
    "sum": _asked("sum"),
    "pairs": _asked("sets"),
    "sets": _asked("sets"),
    "largest_set": _asked("largest_set"),
    "longest_run": _asked("longest_run"),
    "highest_count": _asked("highest_count"),
    "different": _asked("different"),
    "pair_off": _pair_off,
    "margin": _margin,
    "bands": _bands,
}

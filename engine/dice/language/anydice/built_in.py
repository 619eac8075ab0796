"""Functions that AnyDice brings along, as far as they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.dice.language import syntax
from engine.dice.language.anydice.cursor import EXAMPLE, Sequence, Token, Value
from engine.dice.language.native.modifiers import pool_size
from engine.dice.language.syntax import Faces, Node

if TYPE_CHECKING:
    from engine.dice.language.anydice.functions import FunctionReader

BuiltIn = Callable[["FunctionReader", list[Value], Token], Node]


def _ranked(which: str) -> BuiltIn:
    def keep(reader: FunctionReader, arguments: list[Value], token: Token) -> Node:
        number, pool = reader.whole(arguments[0], token), reader.pool(arguments[1], token)
        size = pool_size(reader.resolved(pool))
        if number < 1 or (size is not None and number > size):
            raise reader.error(f"The number of dice kept must be 1–{size}; you entered {number}", EXAMPLE, token)
        if which == "highest":
            return syntax.Keep(pool, "highest", number, at=token.at)
        return syntax.Keep(pool, "lowest" if which == "lowest" else "middle", number, at=token.at)

    return keep


def _extreme(which: str) -> BuiltIn:
    def choose(reader: FunctionReader, arguments: list[Value], token: Token) -> Node:
        items = tuple(reader.as_node(argument) for argument in arguments)
        return syntax.Extreme("max" if which == "max" else "min", items, at=token.at)

    return choose


def _count(reader: FunctionReader, arguments: list[Value], token: Token) -> Node:
    wanted = arguments[0]
    faces = wanted.values if isinstance(wanted, Sequence) else (reader.whole(wanted, token),)
    once = Faces(listed=tuple(sorted(set(faces))))
    if len(set(faces)) != len(faces):
        twice = tuple(sorted(face for face in set(faces) if faces.count(face) == 2))
        if any(faces.count(face) > 2 for face in faces):
            raise reader.error("A face counts at most twice", "Leave the repetition out.", token)
        return syntax.Count(reader.pool(arguments[1], token), once, Faces(listed=twice), at=token.at)
    return syntax.Count(reader.pool(arguments[1], token), once, at=token.at)


def _explode(reader: FunctionReader, arguments: list[Value], token: Token) -> Node:
    pool = reader.pool(arguments[0], token)
    if not isinstance(pool, (syntax.Dice, syntax.CustomDice)) or pool_size(pool) != 1:
        raise reader.error("[explode …] takes one die", "Write it like 3d[explode d6].", token)
    return syntax.Explode(pool, Faces(), "compound", reader.explode_depth, at=token.at)


def _absolute(reader: FunctionReader, arguments: list[Value], token: Token) -> Node:
    return syntax.Absolute(reader.as_node(arguments[0]), at=token.at)


def _maximum(reader: FunctionReader, arguments: list[Value], token: Token) -> Node:
    die = arguments[0]
    if isinstance(die, syntax.Dice) and isinstance(die.sides, syntax.Number):
        return die.sides
    if isinstance(die, syntax.CustomDice):
        return syntax.Number(max(die.faces))
    raise reader.error("[maximum of …] takes one die", "Write it like [maximum of d6].", token)


BUILT_IN: dict[str, BuiltIn] = {
    "highest _ of _": _ranked("highest"),
    "lowest _ of _": _ranked("lowest"),
    "middle _ of _": _ranked("middle"),
    "highest of _ and _": _extreme("max"),
    "lowest of _ and _": _extreme("min"),
    "count _ in _": _count,
    "explode _": _explode,
    "absolute _": _absolute,
    "maximum of _": _maximum,
}

"""The abstract syntax of the dice language. Three front ends produce it; everything else reads nothing but it.

Every node prints as canonical text of the native notation, which reads back to the same node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal

Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Rounding = Literal["down", "up", "nearest"]

#: Kinds of results: a number, a yes or no, one of several texts, or dice lying side by side.
Kind = Literal["number", "truth", "text", "pool"]


@dataclass(frozen=True, slots=True)
class Faces:
    """A set of faces: those that pass one comparison, or those listed; none of either means the highest face.

    >>> str(Faces(comparison=">=", value=5)), str(Faces(listed=(1, 2))), str(Faces())
    ('>=5', '{1,2}', '')
    """

    comparison: Comparison | None = None
    value: int = 0
    listed: tuple[int, ...] = ()

    def include(self, face: int, top: int) -> bool:
        """Whether a face of a die whose highest face is ``top`` belongs to the set."""
        if self.listed:
            return face in self.listed
        if self.comparison is None:
            return face == top
        return compare(self.comparison, face, self.value)

    def __str__(self) -> str:
        if self.listed:
            return str(self.listed[0]) if len(self.listed) == 1 else "{" + ",".join(map(str, self.listed)) + "}"
        return "" if self.comparison is None else f"{self.comparison}{self.value}"


def compare(comparison: Comparison, left: int, right: int) -> bool:
    """One comparison of two numbers.

    >>> compare("<=", 2, 3), compare("!=", 2, 2)
    (True, False)
    """
    order = (left > right) - (left < right)
    return order in {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}[comparison]


@cache
def _parts(sort: type[Node]) -> tuple[str, ...]:
    """The fields of a sort of node in which other nodes can be."""
    return tuple(part.name for part in fields(sort) if part.name != "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything that has a value; ``at`` is where its text begins."""

    at: int = field(default=0, compare=False, repr=False)

    def children(self) -> Iterator[Node]:
        """The nodes right below this one."""
        for name in _parts(type(self)):  # type: ignore[arg-type]  # a class is hashable
            value = getattr(self, name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                yield from (item for item in value if isinstance(item, Node))

    def map(self, change: Any) -> Node:
        """The same node over changed children."""
        changed: dict[str, Any] = {}
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, Node):
                changed[part.name] = change(value)
            elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
                changed[part.name] = tuple(change(item) if isinstance(item, Node) else item for item in value)
        return replace(self, **changed) if changed else self


# -- leaves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A named outcome, such as "critical"."""

    value: str

    def __str__(self) -> str:
        return f'"{self.value}"'


@dataclass(frozen=True, slots=True)
class Name(Node):
    """One roll given a name: every mention of it is the same result."""

    name: str

    def __str__(self) -> str:
        return self.name


# -- dice -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dice(Node):
    """``count`` dice of ``sides`` sides, lying side by side."""

    count: Node
    sides: Node

    def __str__(self) -> str:
        return f"{_count(self.count)}D{_number(self.sides)}"


@dataclass(frozen=True, slots=True)
class CustomDice(Node):
    """``count`` dice with the faces listed; a face listed twice is twice as likely."""

    count: Node
    faces: tuple[int, ...]

    def __str__(self) -> str:
        if self.faces == FATE:
            return f"{_count(self.count)}dF"
        return f"{_count(self.count)}D{{{','.join(map(str, self.faces))}}}"


FATE = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """The same roll several times over, the results lying side by side like dice."""

    count: Node
    body: Node

    def __str__(self) -> str:
        return f"{_number(self.count)}x({self.body})"


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Different dice lying side by side."""

    items: tuple[Node, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.items)) + "}"


# -- what is done with dice side by side ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Keep(Node):
    """The sum of some of the dice by rank: highest, lowest or middle; ``drop`` means all but those."""

    pool: Node
    which: Literal["highest", "lowest", "middle"]
    number: int
    drop: bool = False

    def __str__(self) -> str:
        return f"{_operand(self.pool)}{'d' if self.drop else 'k'}{self.which[0]}{self.number}"


@dataclass(frozen=True, slots=True)
class Trim(Node):
    """The sum without the ``high`` highest and the ``low`` lowest dice."""

    pool: Node
    high: int
    low: int

    def __str__(self) -> str:
        return f"{_operand(self.pool)}dh{self.high}dl{self.low}"


@dataclass(frozen=True, slots=True)
class Explode(Node):
    """Dice that add dice: a new die (``!``), a larger total of the same die (``!!``) or one less each time (``!p``)."""

    pool: Node
    faces: Faces
    way: Literal["new", "compound", "penetrate"] = "new"
    limit: int = 10

    def __str__(self) -> str:
        mark = {"new": "!", "compound": "!!", "penetrate": "!p"}[self.way]
        if self.limit == 1:
            return f"{_operand(self.pool)}{mark}o{self.faces}"
        return f"{_operand(self.pool)}{mark}{self.faces}{'' if self.limit == 10 else f' limit {self.limit}'}"


@dataclass(frozen=True, slots=True)
class Reroll(Node):
    """Dice rolled again when they show certain faces: until they show another, or once."""

    pool: Node
    faces: Faces
    once: bool = False

    def __str__(self) -> str:
        return f"{_operand(self.pool)}r{'o' if self.once else ''}{self.faces}"


@dataclass(frozen=True, slots=True)
class RerollLowest(Node):
    """The sum after the lowest ``number`` dice have been rolled again, once, for better or worse."""

    pool: Node
    number: int

    def __str__(self) -> str:
        return f"{_operand(self.pool)}rl{self.number}"


@dataclass(frozen=True, slots=True)
class Clamp(Node):
    """Every die counts as at least, or at most, a number."""

    pool: Node
    side: Literal["min", "max"]
    bound: int

    def __str__(self) -> str:
        return f"{_operand(self.pool)}{self.side}{self.bound}"


@dataclass(frozen=True, slots=True)
class Count(Node):
    """How many dice show certain faces.

    Faces in ``twice`` count two; each in ``minus`` takes one away; ``cancel`` does so but never below none; with
    ``botch``, a roll without any counted die and with one of those faces is −1.
    """

    pool: Node
    faces: Faces
    twice: Faces | None = None
    minus: Faces | None = None
    cancel: Faces | None = None
    botch: Faces | None = None

    def __str__(self) -> str:
        clauses = "".join(
            f" {word} {faces}"
            for word, faces in (
                ("twice", self.twice),
                ("minus", self.minus),
                ("cancel", self.cancel),
                ("botch", self.botch),
            )
            if faces is not None
        )
        return f"({_operand(self.pool)} count {self.faces}{clauses})"


PoolQuestion = Literal["sum", "sets", "largest_set", "longest_run", "highest_count", "different"]


@dataclass(frozen=True, slots=True)
class Ask(Node):
    """A question about all dice of a pool together, such as the size of the largest set of equal faces."""

    pool: Node
    question: PoolQuestion
    size: int = 0

    def __str__(self) -> str:
        return f"{self.question}({self.pool}{f', {self.size}' if self.question == 'sets' else ''})"


@dataclass(frozen=True, slots=True)
class PairOff(Node):
    """How many pairs the first pool wins when both are laid out from the highest die down; ties go to ``ties``."""

    left: Node
    right: Node
    ties: Literal["right", "left"] = "right"

    def __str__(self) -> str:
        return f"pair_off({self.left}, {self.right}{'' if self.ties == 'right' else f', {self.ties}'})"


# -- numbers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    operator: Literal["+", "-", "*"]
    left: Node
    right: Node

    def __str__(self) -> str:
        if self.operator == "*":
            return f"{_factor(self.left)}*{_factor(self.right)}"
        left = str(self.left) if not isinstance(self.left, LOOSE) else f"({self.left})"
        right = _factor(self.right) if self.operator == "-" else _term(self.right)
        return f"{left}{self.operator}{right}"


@dataclass(frozen=True, slots=True)
class Divide(Node):
    left: Node
    right: Node
    rounding: Rounding = "down"

    def __str__(self) -> str:
        plain = f"{_factor(self.left)}/{_factor(self.right)}"
        return {"down": plain, "up": f"ceil({plain})", "nearest": f"round({plain})"}[self.rounding]


@dataclass(frozen=True, slots=True)
class Negate(Node):
    body: Node

    def __str__(self) -> str:
        return f"-{_factor(self.body)}"


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """The larger or the smaller of several rolls."""

    which: Literal["min", "max"]
    items: tuple[Node, ...]

    def __str__(self) -> str:
        return f"{self.which}({', '.join(map(str, self.items))})"


@dataclass(frozen=True, slots=True)
class Absolute(Node):
    body: Node

    def __str__(self) -> str:
        return f"abs({self.body})"


# -- questions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compare(Node):
    comparison: Comparison
    left: Node
    right: Node

    def __str__(self) -> str:
        sign = "==" if self.comparison == "=" else self.comparison
        return f"{_side(self.left)} {sign} {_side(self.right)}"


@dataclass(frozen=True, slots=True)
class Versus(Node):
    """Who has more: the left, the right, or neither."""

    left: Node
    right: Node

    def __str__(self) -> str:
        return f"{_side(self.left)} vs {_side(self.right)}"


VERSUS = ("right wins", "tie", "left wins")


@dataclass(frozen=True, slots=True)
class Logic(Node):
    operator: Literal["and", "or"]
    left: Node
    right: Node

    def __str__(self) -> str:
        return f"({self.left} {self.operator} {self.right})"


@dataclass(frozen=True, slots=True)
class Not(Node):
    body: Node

    def __str__(self) -> str:
        return f"not ({self.body})"


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Node
    then: Node
    otherwise: Node

    def __str__(self) -> str:
        return f"if {self.condition} then {self.then} else {self.otherwise}"


@dataclass(frozen=True, slots=True)
class Given(Node):
    """A roll, looked at only when the condition holds."""

    body: Node
    condition: Node

    def __str__(self) -> str:
        return f"{self.body} given {self.condition}"


@dataclass(frozen=True, slots=True)
class Bands(Node):
    """Named degrees: the first band whose upper end reaches the result; the last has no end."""

    body: Node
    ends: tuple[int, ...]
    labels: tuple[str, ...]

    def __str__(self) -> str:
        named = ", ".join(f'{end}: "{label}"' for end, label in zip(self.ends, self.labels, strict=False))
        return f'bands({self.body}, {named}, "{self.labels[-1]}")'


LOOSE = (Compare, Versus, Not, If, Given)
DICE = (Dice, CustomDice, Repeat, Group, Keep, Trim, Explode, Reroll, RerollLowest, Clamp)


def _operand(node: Node) -> str:
    """As the left side of a mark that binds tightest; a name needs a space, or the mark would be part of it."""
    if isinstance(node, Name):
        return f"{node} "
    tight = (Number, Name, *DICE, Count, Ask, PairOff, Extreme, Absolute)
    simple = isinstance(node, tight) and not (isinstance(node, Number) and node.value < 0)
    return str(node) if simple else f"({node})"


def _number(node: Node) -> str:
    """As a number of dice or of sides."""
    return str(node) if isinstance(node, (Number, Name)) else f"({node})"


def _count(node: Node) -> str:
    """As the number before a die; a single die is not counted."""
    return "" if node == Number(1) else _number(node)


def _factor(node: Node) -> str:
    if isinstance(node, Number) and node.value < 0:
        return f"({node})"
    return f"({node})" if isinstance(node, (Arithmetic, Divide, Negate, *LOOSE)) else str(node)


def _term(node: Node) -> str:
    negative = isinstance(node, Number) and node.value < 0
    return f"({node})" if negative or isinstance(node, (Negate, *LOOSE)) or _is_sum(node) else str(node)


def _side(node: Node) -> str:
    return f"({node})" if isinstance(node, LOOSE) else str(node)


def _is_sum(node: Node) -> bool:
    return isinstance(node, Arithmetic) and node.operator != "*"


# -- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    name: str
    value: Node

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


@dataclass(frozen=True, slots=True)
class Output(Statement):
    """A line that is answered. ``label`` is what the reader called it; ``family`` the parameters it was drawn for."""

    value: Node
    label: str = ""
    family: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return f'output {self.value} named "{self.label}"' if self.label else str(self.value)


@dataclass(frozen=True, slots=True)
class Program:
    """Everything a reader wrote, and the notation it was read as; ``source`` is the text errors point into."""

    statements: tuple[Statement, ...]
    notation: Literal["oddsmith", "roll20", "anydice"] = "oddsmith"
    remarks: tuple[str, ...] = ()
    source: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return "\n".join(map(str, self.statements))


POOLS = (Dice, CustomDice, Repeat, Group, Explode, Reroll, Clamp)


def kind_of(node: Node, names: Mapping[str, Kind]) -> Kind:
    """What sort of result a node has.

    >>> kind_of(Compare("<", Number(1), Number(2)), {})
    'truth'
    """
    if isinstance(node, POOLS):
        return "pool"
    if isinstance(node, Name):
        return names[node.name]
    if isinstance(node, (Compare, Logic, Not)):
        return "truth"
    if isinstance(node, (Text, Bands, Versus)) or (isinstance(node, Ask) and node.question == "highest_count"):
        return "text"
    if isinstance(node, Given):
        return kind_of(node.body, names)
    if isinstance(node, If):
        branches = {kind_of(node.then, names), kind_of(node.otherwise, names)}
        return branches.pop() if len(branches) == 1 and "pool" not in branches else "number"
    return "number"


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    yield node
    for child in node.children():
        yield from walk(child)

"""The exact answer of one line of a program.

A name is one roll, so a line that mentions a name twice is answered for each of its results and the answers are mixed;
a name mentioned once is simply put in its place. Apart from that, parts of a line are independent and combine by
convolution, by cumulative sums, or as mixtures. ``6x(…)`` and ``… given …`` are worlds of their own: names mentioned
inside them are rolled afresh there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import singledispatchmethod

import numpy as np

from engine.dice.language import pools, syntax, table
from engine.dice.language.errors import LanguageError
from engine.dice.language.pools import Pool, mixed
from engine.dice.language.rolling import Throw
from engine.dice.language.syntax import Node
from engine.dice.pmf import Array, Pmf
from engine.dice.roller import ScriptedRoller

#: A roll that has fallen: a number, or the faces of dice side by side.
Fallen = int | tuple[int, ...]
World = Mapping[str, Fallen]

#: Products of two rolls are multiplied out in pieces of so many cells.
CELLS = 1_000_000


class Names:
    """What each name of a program stands for, and in which order they were given."""

    def __init__(self, definitions: Mapping[str, Node]) -> None:
        self.definitions = dict(definitions)
        self.order = {name: place for place, name in enumerate(self.definitions)}
        self.kinds: dict[str, syntax.Kind] = {}
        self._reached: dict[int, tuple[Node, frozenset[str]]] = {}
        self._plain: dict[int, tuple[Node, frozenset[str] | None]] = {}
        for name, node in self.definitions.items():
            self.kinds[name] = syntax.kind_of(node, self.kinds)

    def reached(self, node: Node) -> frozenset[str]:
        """Every name a node's result depends on, directly or through other names."""
        known = self._reached.get(id(node))
        if known is None:
            names = set(mentioned(node))
            for name in tuple(names):
                names |= self.reached(self.definitions[name])
            known = self._reached[id(node)] = (node, frozenset(names))
        return known[1]

    def settled(self, node: Node, world: World) -> bool:
        """Whether nothing is left to roll in a node once these names have fallen."""
        known = self._plain.get(id(node))
        if known is None:
            plain = not any(isinstance(part, ROLLING) for part in within(node))
            known = self._plain[id(node)] = (node, frozenset(mentioned(node)) if plain else None)
        names = known[1]
        return names is not None and names <= world.keys()

    def shared(self, *nodes: Node) -> list[str]:
        """Names whose result more than one place depends on, earliest first."""
        if not self.definitions:
            return []
        mentions: Counter[str] = Counter()
        waiting, seen = list(nodes), set()
        while waiting:
            for name in mentioned(waiting.pop()):
                mentions[name] += 1
                if name not in seen:
                    seen.add(name)
                    waiting.append(self.definitions[name])
        return sorted((name for name, times in mentions.items() if times > 1), key=self.order.__getitem__)

    def as_dice(self, name: str, *nodes: Node) -> bool:
        """Whether some place asks for the single dice of a name and not only for their sum."""
        if self.kinds[name] != "pool":
            return False
        bodies = [*nodes, *self.definitions.values()]
        return any(
            isinstance(child, syntax.Name) and child.name == name and _asks_for_dice(node)
            for body in bodies
            for node in within(body)
            for child in node.children()
        )


def within(node: Node) -> Iterator[Node]:
    """The node and what is below it in the same world."""
    yield node
    if isinstance(node, (syntax.Given, syntax.Repeat)):
        if isinstance(node, syntax.Repeat):
            yield from within(node.count)
        return
    for child in node.children():
        yield from within(child)


def mentioned(node: Node) -> Iterator[str]:
    """Every mention of a name in the world of a node."""
    return (found.name for found in within(node) if isinstance(found, syntax.Name))


ASKING = (
    syntax.Keep, syntax.Trim, syntax.Explode, syntax.Reroll, syntax.RerollLowest, syntax.Clamp, syntax.Count,
    syntax.Ask, syntax.PairOff, syntax.Group,
)  # fmt: skip


ROLLING = (syntax.Dice, syntax.CustomDice, syntax.Repeat, syntax.Given)
NO_DICE = ScriptedRoller(())


def _asks_for_dice(node: Node) -> bool:
    return isinstance(node, ASKING)


class Labels:
    """Texts as numbers, in the order they are first met: results can then be distributions like any other."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def number(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)


class Exact:
    """Answers lines of one program exactly."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.labels = Labels()
        self._known: dict[int, tuple[Node, Pmf]] = {}

    def answer(self, node: Node) -> Pmf:
        """The distribution of a line's result."""
        shared = self.names.shared(node)
        grid = Grid.over(self, frozenset(shared), node) if shared else None
        whole = grid.answer(node) if grid is not None else None
        return whole if whole is not None else self.in_worlds(node, shared, {})

    def in_worlds(self, node: Node, shared: list[str], world: World) -> Pmf:
        """Mix the answers over every result of the shared names."""
        if not shared:
            return self.value(node, world)
        return mixed(
            (p, self.in_worlds(node, shared[1:], further)) for p, further in self.worlds(shared[0], world, node)
        )

    def worlds(self, name: str, world: World, *nodes: Node) -> Iterator[tuple[float, World]]:
        """Every result of a name with its chance, in a world where earlier names have fallen."""
        definition = self.names.definitions[name]
        if self.names.as_dice(name, *nodes):
            for p, faces in self.pool(definition, world).multisets():
                yield p, {**world, name: faces}
        else:
            for value, p in self.value(definition, world).items():
                yield p, {**world, name: value}

    # -- values -------------------------------------------------------------------------------------------------------

    def value(self, node: Node, world: World) -> Pmf:
        """The distribution of a node in a world; kept where the world does not matter to it."""
        if world and not self.names.reached(node).isdisjoint(world):
            return self._settled(node, world) if self.names.settled(node, world) else self._value(node, world)
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = (node, self._value(node, world))
        return known[1]

    def _settled(self, node: Node, world: World) -> Pmf:
        """Where everything has fallen the result is read off like at a table."""
        value = Throw(self.names.definitions, NO_DICE, fallen=dict(world)).answer(node)
        return point(value if isinstance(value, int) else self.labels.number(value))

    @singledispatchmethod
    def _value(self, node: Node, world: World) -> Pmf:
        return self.pool(node, world).sum()

    @_value.register
    def _number(self, node: syntax.Number, world: World) -> Pmf:
        return point(node.value)

    @_value.register
    def _text(self, node: syntax.Text, world: World) -> Pmf:
        return point(self.labels.number(node.value))

    @_value.register
    def _name(self, node: syntax.Name, world: World) -> Pmf:
        if node.name in world:
            fallen = world[node.name]
            return point(fallen if isinstance(fallen, int) else sum(fallen))
        return self.value(self.names.definitions[node.name], world)

    @_value.register(syntax.Keep)
    @_value.register(syntax.Trim)
    def _kept(self, node: syntax.Keep | syntax.Trim, world: World) -> Pmf:
        return self.pool(node.pool, world).kept(node)

    @_value.register
    def _reroll_lowest(self, node: syntax.RerollLowest, world: World) -> Pmf:
        return self.pool(node.pool, world).reroll_lowest(node.number)

    @_value.register
    def _count(self, node: syntax.Count, world: World) -> Pmf:
        return self.pool(node.pool, world).counted(node)

    @_value.register
    def _ask(self, node: syntax.Ask, world: World) -> Pmf:
        answer = self.pool(node.pool, world).asked(node.question, node.size)
        return self._named(answer, table.highest_label) if node.question == "highest_count" else answer

    @_value.register
    def _pair_off(self, node: syntax.PairOff, world: World) -> Pmf:
        return pools.paired_off(self.pool(node.left, world), self.pool(node.right, world), node.ties == "left")

    @_value.register
    def _arithmetic(self, node: syntax.Arithmetic, world: World) -> Pmf:
        left, right = self.value(node.left, world), self.value(node.right, world)
        if node.operator == "*":
            return multiplied(left, right)
        return left.convolve(right if node.operator == "+" else negated(right))

    @_value.register
    def _divide(self, node: syntax.Divide, world: World) -> Pmf:
        left, right = self.value(node.left, world), self.value(node.right, world)
        if right.exactly(0):
            raise _by_nothing(node)
        return combined(left, right, lambda a, b: _quotients(a, b, node.rounding))

    @_value.register
    def _negate(self, node: syntax.Negate, world: World) -> Pmf:
        return negated(self.value(node.body, world))

    @_value.register
    def _absolute(self, node: syntax.Absolute, world: World) -> Pmf:
        return mapped(self.value(node.body, world), np.abs)

    @_value.register
    def _extreme(self, node: syntax.Extreme, world: World) -> Pmf:
        items = [self.value(item, world) for item in node.items]
        if node.which == "max":
            return largest(items)
        return negated(largest([negated(item) for item in items]))

    @_value.register
    def _compare(self, node: syntax.Compare, world: World) -> Pmf:
        less, equal, more = order(self.value(node.left, world), self.value(node.right, world))
        chance = {
            "=": equal, "!=": less + more, "<": less, "<=": less + equal, ">": more, ">=": more + equal,
        }[node.comparison]  # fmt: skip
        return truth(chance)

    @_value.register
    def _versus(self, node: syntax.Versus, world: World) -> Pmf:
        less, equal, more = order(self.value(node.left, world), self.value(node.right, world))
        chances = np.zeros(len(self.labels.texts) + len(syntax.VERSUS))
        for number, chance in zip(self.versus_numbers(), (less, equal, more), strict=True):
            chances[number] = chance
        return Pmf.trusted(chances)

    def versus_numbers(self) -> tuple[int, int, int]:
        """The numbers of the texts for less, equal and more."""
        more, equal, less = (self.labels.number(text) for text in reversed(syntax.VERSUS))
        return less, equal, more

    @_value.register
    def _logic(self, node: syntax.Logic, world: World) -> Pmf:
        left, right = self.value(node.left, world).exactly(1), self.value(node.right, world).exactly(1)
        return truth(left * right if node.operator == "and" else left + (1 - left) * right)

    @_value.register
    def _not(self, node: syntax.Not, world: World) -> Pmf:
        return truth(self.value(node.body, world).exactly(0))

    @_value.register
    def _if(self, node: syntax.If, world: World) -> Pmf:
        condition = self.value(node.condition, world)
        branches = ((condition.exactly(1), node.then), (condition.exactly(0), node.otherwise))
        return mixed((p, self.value(branch, world)) for p, branch in branches if p > 0)

    @_value.register
    def _bands(self, node: syntax.Bands, world: World) -> Pmf:
        for label in node.labels:
            self.labels.number(label)
        return self._named(self.value(node.body, world), lambda value: table.band(node, value))

    @_value.register
    def _given(self, node: syntax.Given, world: World) -> Pmf:
        shared = self.names.shared(node.body, node.condition)
        if shared and (grid := Grid.over(self, frozenset(shared), node.body, node.condition)) is not None:
            answer = grid.answer(node.body, node.condition)
        else:
            parts = list(self._held(node, shared, {}))
            answer = mixed(parts) if any(weight for weight, _ in parts) else None
        if answer is None:
            raise LanguageError(
                "The condition after “given” never holds", "Ask for something that can happen.", position=node.at
            )
        return answer

    def _held(self, node: syntax.Given, shared: list[str], world: World) -> Iterator[tuple[float, Pmf]]:
        """The body's answers with the chance that the condition holds beside them."""
        if not shared:
            holds = self.value(node.condition, world).exactly(1)
            if holds:
                yield holds, self.value(node.body, world)
            return
        for p, further in self.worlds(shared[0], world, node.body, node.condition):
            for weight, answer in self._held(node, shared[1:], further):
                yield p * weight, answer

    def _named(self, numbers: Pmf, name: object) -> Pmf:
        assert callable(name)
        weights: dict[int, float] = {}
        for value, p in numbers.items():
            label = self.labels.number(name(value))
            weights[label] = weights.get(label, 0.0) + p
        return Pmf.from_weights(weights)

    # -- dice side by side --------------------------------------------------------------------------------------------

    def _fallen(self, node: Node, world: World) -> tuple[int, ...] | None:
        """The faces of a name that has fallen."""
        if isinstance(node, syntax.Name) and isinstance(fallen := world.get(node.name), tuple):
            return fallen
        return None

    @singledispatchmethod
    def pool(self, node: Node, world: World) -> Pool:
        """The dice of a node; a number is a die with one face."""
        return Pool.of(self.value(node, world), 1)

    @pool.register
    def _pool_of_name(self, node: syntax.Name, world: World) -> Pool:
        if (faces := self._fallen(node, world)) is not None:
            return Pool.fixed(faces)
        if node.name in world:
            return Pool.of(self.value(node, world), 1)
        return self.pool(self.names.definitions[node.name], world)

    @pool.register
    def _dice(self, node: syntax.Dice, world: World) -> Pool:
        if isinstance(node.count, syntax.Number) and isinstance(node.sides, syntax.Number):
            return Pool.of(pools.fair_die(node.sides.value), node.count.value)
        parts = []
        for count, p in self._size(node.count, node, world):
            for sides, q in self.value(node.sides, world).items():
                if sides < 1:
                    raise LanguageError(
                        "A die can get no sides here", "Make sure that it always has at least 1.", position=node.at
                    )
                parts.append((p * q, Pool.of(pools.fair_die(sides), count)))
        return Pool.mixture(parts)

    @pool.register
    def _custom_dice(self, node: syntax.CustomDice, world: World) -> Pool:
        weights = Counter(node.faces)
        die = Pmf.from_weights({face: float(number) for face, number in weights.items()})
        return Pool.mixture((p, Pool.of(die, count)) for count, p in self._size(node.count, node, world))

    @pool.register
    def _repeat(self, node: syntax.Repeat, world: World) -> Pool:
        each = self.answer(node.body)
        return Pool.mixture((p, Pool.of(each, count)) for count, p in self._size(node.count, node, world))

    def _size(self, count: Node, node: Node, world: World) -> list[tuple[int, float]]:
        sizes = list(self.value(count, world).items())
        if sizes[0][0] < 0:
            raise LanguageError(
                "The number of dice can be negative here", "Make sure that it never is, such as max(0, …).",
                position=node.at,
            )  # fmt: skip
        return sizes

    @pool.register
    def _group(self, node: syntax.Group, world: World) -> Pool:
        return Pool.joined(self.pool(item, world) for item in node.items)

    @pool.register
    def _explode(self, node: syntax.Explode, world: World) -> Pool:
        pool = self.pool(node.pool, world)
        if node.way == "new":
            return pool.exploding(node.faces, node.limit)
        less = 1 if node.way == "penetrate" else 0
        return pool.each(lambda die: pools.exploded_total(die, pools.chosen(die, node.faces), node.limit, less))

    @pool.register
    def _reroll(self, node: syntax.Reroll, world: World) -> Pool:
        def change(die: Pmf) -> Pmf:
            faces = pools.chosen(die, node.faces)
            if not node.once and len(faces) == sum(1 for _ in die.items()):
                raise LanguageError(
                    "Every face would be rolled again for ever", "Leave at least one face that stays.", position=node.at
                )
            return pools.rerolled(die, faces, node.once)

        return self.pool(node.pool, world).each(change)

    @pool.register
    def _clamp(self, node: syntax.Clamp, world: World) -> Pool:
        low, high = (node.bound, None) if node.side == "min" else (None, node.bound)
        return self.pool(node.pool, world).each(lambda die: pools.clamped(die, low, high))


# -- every combination at once ----------------------------------------------------------------------------------------


class Grid:
    """A line whose names are shared, as one array: an axis for each roll, a cell for each combination.

    Rolls that no shared name reaches into are the axes; the line is then plain arithmetic over whole arrays. What
    arithmetic cannot say (dice whose number depends on a name, single dice of a name) has no grid.
    """

    MOST_CELLS = 4_000_000

    def __init__(self, exact: Exact, shared: frozenset[str]) -> None:
        self.exact, self.shared = exact, shared
        self.axes: dict[int, Pmf] = {}
        self.columns: dict[int, tuple[Node, int]] = {}
        self.arrays: dict[str, np.ndarray] = {}

    @classmethod
    def over(cls, exact: Exact, shared: frozenset[str], *nodes: Node) -> Grid | None:
        """The grid of some nodes, or None where there is none or it would be too large."""
        grid = cls(exact, shared)
        if not all(grid._has_place(node) for node in nodes) or grid.cells > cls.MOST_CELLS:
            return None
        return grid

    @property
    def cells(self) -> int:
        cells = 1
        for axis in self.axes.values():
            cells *= len(axis.p)
        return cells

    def _has_place(self, node: Node) -> bool:
        """Give every roll below a node an axis; False where a node cannot be told cell by cell."""
        if not isinstance(node, syntax.Name) and self.exact.names.reached(node).isdisjoint(self.shared):
            if not isinstance(node, (syntax.Number, syntax.Text)) and id(node) not in self.columns:
                self.columns[id(node)] = (node, len(self.axes))
                self.axes[len(self.axes)] = self.exact.value(node, {})
            return self.cells <= self.MOST_CELLS
        if isinstance(node, syntax.Name):
            return self._has_place(self.exact.names.definitions[node.name])
        return isinstance(node, CELLWISE) and all(self._has_place(child) for child in node.children())

    def answer(self, node: Node, condition: Node | None = None) -> Pmf | None:
        """The distribution of a node, where the condition holds; None where it never does."""
        shape = tuple(len(axis.p) for axis in self.axes.values())
        weights = np.ones(())
        for place, axis in self.axes.items():
            weights = weights * axis.p.reshape(self._along(place))
        values = np.broadcast_to(self.cell(node), shape)
        if condition is not None:
            weights = weights * (self.cell(condition) != 0)
        total = float(weights.sum())
        if not total:
            return None
        gathered = _gathered(values.ravel(), np.broadcast_to(weights, shape).ravel())
        return Pmf.trusted(gathered.p / total, gathered.low)

    def _along(self, place: int) -> tuple[int, ...]:
        return tuple(-1 if axis == place else 1 for axis in self.axes)

    def cell(self, node: Node) -> np.ndarray:
        """The value of a node in every cell."""
        if id(node) in self.columns:
            place = self.columns[id(node)][1]
            return self.axes[place].values.reshape(self._along(place))
        if isinstance(node, syntax.Name):
            if node.name not in self.arrays:
                self.arrays[node.name] = self.cell(self.exact.names.definitions[node.name])
            return self.arrays[node.name]
        return np.asarray(self._cell(node))

    @singledispatchmethod
    def _cell(self, node: Node) -> np.ndarray:
        raise NotImplementedError(type(node).__name__)

    @_cell.register
    def _number(self, node: syntax.Number) -> np.ndarray:
        return np.array(node.value)

    @_cell.register
    def _text(self, node: syntax.Text) -> np.ndarray:
        return np.array(self.exact.labels.number(node.value))

    @_cell.register
    def _arithmetic(self, node: syntax.Arithmetic) -> np.ndarray:
        operation = {"+": np.add, "-": np.subtract, "*": np.multiply}[node.operator]
        return np.asarray(operation(self.cell(node.left), self.cell(node.right)))

    @_cell.register
    def _divide(self, node: syntax.Divide) -> np.ndarray:
        right = self.cell(node.right)
        if not right.all():
            raise _by_nothing(node)
        return _quotients(self.cell(node.left), right, node.rounding)

    @_cell.register
    def _negate(self, node: syntax.Negate) -> np.ndarray:
        return np.asarray(-self.cell(node.body))

    @_cell.register
    def _absolute(self, node: syntax.Absolute) -> np.ndarray:
        return np.asarray(np.abs(self.cell(node.body)))

    @_cell.register
    def _extreme(self, node: syntax.Extreme) -> np.ndarray:
        operation = np.maximum if node.which == "max" else np.minimum
        found = self.cell(node.items[0])
        for item in node.items[1:]:
            found = operation(found, self.cell(item))
        return found

    @_cell.register
    def _compare(self, node: syntax.Compare) -> np.ndarray:
        left, right = self.cell(node.left), self.cell(node.right)
        comparisons = {
            "=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
            ">=": np.greater_equal,
        }  # fmt: skip
        return np.asarray(comparisons[node.comparison](left, right).astype(np.int64))

    @_cell.register
    def _versus(self, node: syntax.Versus) -> np.ndarray:
        numbers = np.array(self.exact.versus_numbers())
        return np.asarray(numbers[np.sign(self.cell(node.left) - self.cell(node.right)) + 1])

    @_cell.register
    def _logic(self, node: syntax.Logic) -> np.ndarray:
        left, right = self.cell(node.left), self.cell(node.right)
        return np.asarray(left & right if node.operator == "and" else left | right)

    @_cell.register
    def _not(self, node: syntax.Not) -> np.ndarray:
        return np.asarray(1 - self.cell(node.body))

    @_cell.register
    def _if(self, node: syntax.If) -> np.ndarray:
        return np.where(self.cell(node.condition) != 0, self.cell(node.then), self.cell(node.otherwise))

    @_cell.register
    def _bands(self, node: syntax.Bands) -> np.ndarray:
        numbers = np.array([self.exact.labels.number(label) for label in node.labels])
        return np.asarray(numbers[np.searchsorted(np.array(node.ends), self.cell(node.body))])


CELLWISE = (
    syntax.Arithmetic, syntax.Divide, syntax.Negate, syntax.Absolute, syntax.Extreme, syntax.Compare, syntax.Versus,
    syntax.Logic, syntax.Not, syntax.If, syntax.Bands,
)  # fmt: skip


# -- algebra of distributions -----------------------------------------------------------------------------------------


def point(value: int) -> Pmf:
    """The certain result."""
    return Pmf.trusted(np.ones(1), value)


def _by_nothing(node: syntax.Divide) -> LanguageError:
    return LanguageError(
        "What is divided by can be 0", "Divide by something that cannot be 0, such as D6.", position=node.at
    )


def truth(chance: float) -> Pmf:
    """Yes with this chance.

    >>> truth(0.25).exactly(1)
    0.25
    """
    chance = min(1.0, max(0.0, chance))
    return Pmf.trusted(np.array([1.0 - chance, chance]))


def negated(pmf: Pmf) -> Pmf:
    return Pmf.trusted(pmf.p[::-1], -pmf.high)


def mapped(pmf: Pmf, change: object) -> Pmf:
    """The distribution of a whole-number function of a result, given all its values at once."""
    assert callable(change)
    return _gathered(change(pmf.values), pmf.p)


def _gathered(values: np.ndarray, weights: Array) -> Pmf:
    low = int(values.min())
    return Pmf.trusted(np.bincount(values - low, weights=weights).astype(np.float64), low)


def order(left: Pmf, right: Pmf) -> tuple[float, float, float]:
    """The chances that the left is less, equal and more, from sums of positive terms.

    >>> [round(p, 4) for p in order(Pmf.die(6), Pmf.die(6))]
    [0.4167, 0.1667, 0.4167]
    """
    low, high = max(left.low, right.low), min(left.high, right.high)
    equal = 0.0
    if low <= high:
        equal = float(left.p[low - left.low : high - left.low + 1] @ right.p[low - right.low : high - right.low + 1])
    return _less(left, right), equal, _less(right, left)


def _less(left: Pmf, right: Pmf) -> float:
    """P(left < right): over the right's values, the chance that the left is below."""
    below = np.concatenate(([0.0], np.cumsum(left.p)))
    index = np.clip(right.values - left.low, 0, len(left.p))
    return float(right.p @ below[index])


def largest(items: list[Pmf]) -> Pmf:
    """The largest of several independent results: cumulative chances multiply."""
    low, high = max(item.low for item in items), max(item.high for item in items)
    reached = np.ones(high - low + 1)
    values = np.arange(low, high + 1)
    for item in items:
        sums = np.cumsum(item.p)
        reached = reached * sums[np.clip(values - item.low, 0, len(sums) - 1)]
    return Pmf.trusted(np.maximum(np.diff(reached, prepend=0.0), 0.0), low)


def multiplied(left: Pmf, right: Pmf) -> Pmf:
    """The product of two independent results."""
    return combined(left, right, np.multiply)


def combined(left: Pmf, right: Pmf, operation: object) -> Pmf:
    """Any function of two independent results: every pair of values, in pieces."""
    assert callable(operation)
    rows = max(1, CELLS // len(right.p))
    parts = []
    for start in range(0, len(left.p), rows):
        weights = np.multiply.outer(left.p[start : start + rows], right.p)
        if weights.any():
            values = operation(left.values[start : start + rows, None], right.values[None, :])
            parts.append((float(weights.sum()), _gathered(values.ravel(), weights.ravel())))
    low = min(part.low for _, part in parts)
    array = np.zeros(max(part.high for _, part in parts) - low + 1)
    for _, part in parts:
        array[part.low - low : part.high - low + 1] += part.p
    return Pmf.trusted(array, low)


def _quotients(left: np.ndarray, right: np.ndarray, rounding: syntax.Rounding) -> np.ndarray:
    # A value of weight 0 may be 0; it is divided by 1 and weighs nothing.
    right = np.where(right == 0, 1, right)
    if rounding == "down":
        return np.asarray(left // right)
    if rounding == "up":
        return np.asarray(-(-left // right))
    left, right = left * np.sign(right), np.abs(right)
    return np.asarray((2 * left + right) // (2 * right))

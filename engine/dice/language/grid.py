"""A line whose names are mentioned more than once, answered for every combination of results as one array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.dice.language import syntax
from engine.dice.language.algebra import gathered, quotients
from engine.dice.language.dispatch import by_node
from engine.dice.language.errors import LanguageError
from engine.dice.language.syntax import Node
from engine.dice.pmf import Pmf

if TYPE_CHECKING:
    from engine.dice.language.exact import Exact

#: What can be told cell by cell.
CELLWISE = (
    syntax.Arithmetic, syntax.Divide, syntax.Negate, syntax.Absolute, syntax.Extreme, syntax.Compare, syntax.Versus,
    syntax.Logic, syntax.Not, syntax.If, syntax.Bands,
)  # fmt: skip


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
        found = gathered(values.ravel(), np.broadcast_to(weights, shape).ravel())
        return Pmf.trusted(found.p / total, found.low)

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

    @by_node
    def _cell(self, node: Node) -> np.ndarray:
        raise NotImplementedError(type(node).__name__)

    @_cell.register(syntax.Number)
    def _number(self, node: syntax.Number) -> np.ndarray:
        return np.array(node.value)

    @_cell.register(syntax.Text)
    def _text(self, node: syntax.Text) -> np.ndarray:
        return np.array(self.exact.labels.number(node.value))

    @_cell.register(syntax.Arithmetic)
    def _arithmetic(self, node: syntax.Arithmetic) -> np.ndarray:
        operation = {"+": np.add, "-": np.subtract, "*": np.multiply}[node.operator]
        return np.asarray(operation(self.cell(node.left), self.cell(node.right)))

    @_cell.register(syntax.Divide)
    def _divide(self, node: syntax.Divide) -> np.ndarray:
        right = self.cell(node.right)
        if not right.all():
            raise divided_by_nothing(node)
        return quotients(self.cell(node.left), right, node.rounding)

    @_cell.register(syntax.Negate)
    def _negate(self, node: syntax.Negate) -> np.ndarray:
        return np.asarray(-self.cell(node.body))

    @_cell.register(syntax.Absolute)
    def _absolute(self, node: syntax.Absolute) -> np.ndarray:
        return np.asarray(np.abs(self.cell(node.body)))

    @_cell.register(syntax.Extreme)
    def _extreme(self, node: syntax.Extreme) -> np.ndarray:
        operation = np.maximum if node.which == "max" else np.minimum
        found = self.cell(node.items[0])
        for item in node.items[1:]:
            found = operation(found, self.cell(item))
        return found

    @_cell.register(syntax.Compare)
    def _compare(self, node: syntax.Compare) -> np.ndarray:
        left, right = self.cell(node.left), self.cell(node.right)
        comparisons = {
            "=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
            ">=": np.greater_equal,
        }  # fmt: skip
        return np.asarray(comparisons[node.comparison](left, right).astype(np.int64))

    @_cell.register(syntax.Versus)
    def _versus(self, node: syntax.Versus) -> np.ndarray:
        numbers = np.array(self.exact.versus_numbers())
        return np.asarray(numbers[np.sign(self.cell(node.left) - self.cell(node.right)) + 1])

    @_cell.register(syntax.Logic)
    def _logic(self, node: syntax.Logic) -> np.ndarray:
        left, right = self.cell(node.left), self.cell(node.right)
        return np.asarray(left & right if node.operator == "and" else left | right)

    @_cell.register(syntax.Not)
    def _not(self, node: syntax.Not) -> np.ndarray:
        return np.asarray(1 - self.cell(node.body))

    @_cell.register(syntax.If)
    def _if(self, node: syntax.If) -> np.ndarray:
        return np.where(self.cell(node.condition) != 0, self.cell(node.then), self.cell(node.otherwise))

    @_cell.register(syntax.Bands)
    def _bands(self, node: syntax.Bands) -> np.ndarray:
        numbers = np.array([self.exact.labels.number(label) for label in node.labels])
        return np.asarray(numbers[np.searchsorted(np.array(node.ends), self.cell(node.body))])


def divided_by_nothing(node: syntax.Divide) -> LanguageError:
    return LanguageError(
        "What is divided by can be 0", "Divide by something that cannot be 0, such as D6.", position=node.at
    )

"""The exact answer of one line of a program.

A name is one roll, so a line that mentions a name twice is answered for each of its results and the answers are mixed;
a name mentioned once is simply put in its place. Apart from that, parts of a line are independent and combine by
convolution, by cumulative sums, or as mixtures. ``6x(…)`` and ``… given …`` are worlds of their own: names mentioned
inside them are rolled afresh there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from engine.dice.language import algebra, syntax, table
from engine.dice.language.dispatch import by_node
from engine.dice.language.errors import LanguageError
from engine.dice.language.grid import Grid, divided_by_nothing
from engine.dice.language.names import Labels, Names, World
from engine.dice.language.pools import Pool, dice, paired_off
from engine.dice.language.pools.mixtures import mixed
from engine.dice.language.rolling import Throw
from engine.dice.language.syntax import Node
from engine.dice.pmf import Pmf
from engine.dice.progress import reported
from engine.dice.roller import ScriptedRoller

NO_DICE = ScriptedRoller(())


class Exact:
    """Answers lines of one program exactly."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.labels = Labels()
        self._known: dict[int, tuple[Node, Pmf]] = {}
        self._sums: dict[tuple[int, int], Pmf] = {}

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
        worlds = ((p, (p, further)) for p, further in self.worlds(shared[0], world, node))
        return mixed((p, self.in_worlds(node, shared[1:], further)) for p, further in reported(worlds))

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
        return algebra.point(value if isinstance(value, int) else self.labels.number(value))

    @by_node
    def _value(self, node: Node, world: World) -> Pmf:
        return self.pool(node, world).sum()

    @_value.register(syntax.Dice)
    def _sum_of_dice(self, node: syntax.Dice, world: World) -> Pmf:
        """Plain dice are added up once, however many lines and sides ask for them."""
        if not isinstance(node.count, syntax.Number) or not isinstance(node.sides, syntax.Number):
            return self.pool(node, world).sum()
        key = node.count.value, node.sides.value
        if key not in self._sums:
            self._sums[key] = dice.fair_die(key[1]).repeat(key[0])
        return self._sums[key]

    @_value.register(syntax.Number)
    def _number(self, node: syntax.Number, world: World) -> Pmf:
        return algebra.point(node.value)

    @_value.register(syntax.Text)
    def _text(self, node: syntax.Text, world: World) -> Pmf:
        return algebra.point(self.labels.number(node.value))

    @_value.register(syntax.Name)
    def _name(self, node: syntax.Name, world: World) -> Pmf:
        if node.name in world:
            fallen = world[node.name]
            return algebra.point(fallen if isinstance(fallen, int) else sum(fallen))
        return self.value(self.names.definitions[node.name], world)

    @_value.register(syntax.Keep, syntax.Trim)
    def _kept(self, node: syntax.Keep | syntax.Trim, world: World) -> Pmf:
        return self.pool(node.pool, world).kept(node)

    @_value.register(syntax.RerollLowest)
    def _reroll_lowest(self, node: syntax.RerollLowest, world: World) -> Pmf:
        return self.pool(node.pool, world).reroll_lowest(node.number)

    @_value.register(syntax.Count)
    def _count(self, node: syntax.Count, world: World) -> Pmf:
        return self.pool(node.pool, world).counted(node)

    @_value.register(syntax.Ask)
    def _ask(self, node: syntax.Ask, world: World) -> Pmf:
        answer = self.pool(node.pool, world).asked(node.question, node.size)
        return self._named(answer, table.highest_label) if node.question == "highest_count" else answer

    @_value.register(syntax.PairOff)
    def _pair_off(self, node: syntax.PairOff, world: World) -> Pmf:
        return paired_off(self.pool(node.left, world), self.pool(node.right, world), node.ties == "left")

    @_value.register(syntax.Arithmetic)
    def _arithmetic(self, node: syntax.Arithmetic, world: World) -> Pmf:
        left, right = self.value(node.left, world), self.value(node.right, world)
        if node.operator == "*":
            return algebra.multiplied(left, right)
        return left.convolve(right if node.operator == "+" else algebra.negated(right))

    @_value.register(syntax.Divide)
    def _divide(self, node: syntax.Divide, world: World) -> Pmf:
        left, right = self.value(node.left, world), self.value(node.right, world)
        if right.exactly(0):
            raise divided_by_nothing(node)
        return algebra.combined(left, right, lambda a, b: algebra.quotients(a, b, node.rounding))

    @_value.register(syntax.Negate)
    def _negate(self, node: syntax.Negate, world: World) -> Pmf:
        return algebra.negated(self.value(node.body, world))

    @_value.register(syntax.Absolute)
    def _absolute(self, node: syntax.Absolute, world: World) -> Pmf:
        return algebra.mapped(self.value(node.body, world), np.abs)

    @_value.register(syntax.Extreme)
    def _extreme(self, node: syntax.Extreme, world: World) -> Pmf:
        items = [self.value(item, world) for item in node.items]
        if node.which == "max":
            return algebra.largest(items)
        return algebra.negated(algebra.largest([algebra.negated(item) for item in items]))

    @_value.register(syntax.Compare)
    def _compare(self, node: syntax.Compare, world: World) -> Pmf:
        less, equal, more = algebra.order(self.value(node.left, world), self.value(node.right, world))
        chance = {
            "=": equal, "!=": less + more, "<": less, "<=": less + equal, ">": more, ">=": more + equal,
        }[node.comparison]  # fmt: skip
        return algebra.truth(chance)

    @_value.register(syntax.Versus)
    def _versus(self, node: syntax.Versus, world: World) -> Pmf:
        less, equal, more = algebra.order(self.value(node.left, world), self.value(node.right, world))
        chances = np.zeros(len(self.labels.texts) + len(syntax.VERSUS))
        for number, chance in zip(self.versus_numbers(), (less, equal, more), strict=True):
            chances[number] = chance
        return Pmf.trusted(chances)

    def versus_numbers(self) -> tuple[int, int, int]:
        """The numbers of the texts for less, equal and more."""
        more, equal, less = (self.labels.number(text) for text in reversed(syntax.VERSUS))
        return less, equal, more

    @_value.register(syntax.Logic)
    def _logic(self, node: syntax.Logic, world: World) -> Pmf:
        left, right = self.value(node.left, world).exactly(1), self.value(node.right, world).exactly(1)
        return algebra.truth(left * right if node.operator == "and" else left + (1 - left) * right)

    @_value.register(syntax.Not)
    def _not(self, node: syntax.Not, world: World) -> Pmf:
        return algebra.truth(self.value(node.body, world).exactly(0))

    @_value.register(syntax.If)
    def _if(self, node: syntax.If, world: World) -> Pmf:
        condition = self.value(node.condition, world)
        branches = ((condition.exactly(1), node.then), (condition.exactly(0), node.otherwise))
        return mixed((p, self.value(branch, world)) for p, branch in branches if p > 0)

    @_value.register(syntax.Bands)
    def _bands(self, node: syntax.Bands, world: World) -> Pmf:
        for label in node.labels:
            self.labels.number(label)
        return self._named(self.value(node.body, world), lambda value: table.band(node, value))

    @_value.register(syntax.Given)
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

    @by_node
    def pool(self, node: Node, world: World) -> Pool:
        """The dice of a node; a number is a die with one face."""
        return Pool.of(self.value(node, world), 1)

    @pool.register(syntax.Name)
    def _pool_of_name(self, node: syntax.Name, world: World) -> Pool:
        if (faces := self._fallen(node, world)) is not None:
            return Pool.fixed(faces)
        if node.name in world:
            return Pool.of(self.value(node, world), 1)
        return self.pool(self.names.definitions[node.name], world)

    @pool.register(syntax.Dice)
    def _dice(self, node: syntax.Dice, world: World) -> Pool:
        if isinstance(node.count, syntax.Number) and isinstance(node.sides, syntax.Number):
            return Pool.of(dice.fair_die(node.sides.value), node.count.value)
        parts = []
        for count, p in self._size(node.count, node, world):
            for sides, q in self.value(node.sides, world).items():
                if sides < 1:
                    raise LanguageError(
                        "A die can get no sides here", "Make sure that it always has at least 1.", position=node.at
                    )
                parts.append((p * q, Pool.of(dice.fair_die(sides), count)))
        return Pool.mixture(parts)

    @pool.register(syntax.CustomDice)
    def _custom_dice(self, node: syntax.CustomDice, world: World) -> Pool:
        weights = Counter(node.faces)
        die = Pmf.from_weights({face: float(number) for face, number in weights.items()})
        return Pool.mixture((p, Pool.of(die, count)) for count, p in self._size(node.count, node, world))

    @pool.register(syntax.Repeat)
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

    @pool.register(syntax.Group)
    def _group(self, node: syntax.Group, world: World) -> Pool:
        return Pool.joined(self.pool(item, world) for item in node.items)

    @pool.register(syntax.Explode)
    def _explode(self, node: syntax.Explode, world: World) -> Pool:
        pool = self.pool(node.pool, world)
        if node.way == "new":
            return pool.exploding(node.faces, node.limit)
        less = 1 if node.way == "penetrate" else 0
        return pool.each(lambda die: dice.exploded_total(die, dice.chosen(die, node.faces), node.limit, less))

    @pool.register(syntax.Reroll)
    def _reroll(self, node: syntax.Reroll, world: World) -> Pool:
        def change(die: Pmf) -> Pmf:
            faces = dice.chosen(die, node.faces)
            if not node.once and len(faces) == sum(1 for _ in die.items()):
                raise LanguageError(
                    "Every face would be rolled again for ever", "Leave at least one face that stays.", position=node.at
                )
            return dice.rerolled(die, faces, node.once)

        return self.pool(node.pool, world).each(change)

    @pool.register(syntax.Clamp)
    def _clamp(self, node: syntax.Clamp, world: World) -> Pool:
        low, high = (node.bound, None) if node.side == "min" else (None, node.bound)
        return self.pool(node.pool, world).each(lambda die: dice.clamped(die, low, high))

"""Roll a program once, with any source of dice; or many times, as a simulation with its margin.

Rolling follows the text step by step with ``table``'s plain definitions and shares nothing with the exact algorithms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from engine.dice.language import syntax, table
from engine.dice.language.dispatch import by_node
from engine.dice.language.errors import LanguageError
from engine.dice.language.syntax import Node
from engine.dice.pmf import Pmf
from engine.dice.roller import Roller

#: Dice one roll may use before it is called off: a program can ask for dice of dice of dice.
MOST_DICE = 20_000

Value = int | str
#: The faces of a die that is itself a roll are not known beforehand; the parser asks for them to be named.
UNKNOWN = (10**9,)


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die as it fell: how many sides, which of them came up, and the face printed there."""

    sides: int
    place: int
    face: int


@dataclass(slots=True)
class Throw:
    """One roll of a program: dice are drawn from ``roller`` in the order they are needed."""

    definitions: Mapping[str, Node]
    roller: Roller
    dice: list[RolledDie] = field(default_factory=list)
    fallen: dict[str, Value | Sequence[int]] = field(default_factory=dict)

    def answer(self, node: Node) -> Value:
        """The result of a line."""
        return self.value(node)

    def _die(self, faces: tuple[int, ...] | int) -> int:
        if len(self.dice) >= MOST_DICE:
            raise LanguageError(f"More than {MOST_DICE:,} dice", "Ask for fewer dice.", constraint="size")
        sides = faces if isinstance(faces, int) else len(faces)
        place = self.roller.roll(sides)
        face = place if isinstance(faces, int) else faces[place - 1]
        self.dice.append(RolledDie(sides, place, face))
        return face

    def _apart(self) -> Throw:
        """A world of its own for what is rolled afresh; its dice lie on the same table."""
        return Throw(self.definitions, self.roller, self.dice)

    # -- values -------------------------------------------------------------------------------------------------------

    def number(self, node: Node) -> int:
        value = self.value(node)
        assert isinstance(value, int)
        return value

    @by_node
    def value(self, node: Node) -> Value:
        """The result of a node; dice side by side are added up."""
        return sum(self.pool(node))

    @value.register(syntax.Number)
    def _number(self, node: syntax.Number) -> Value:
        return node.value

    @value.register(syntax.Text)
    def _text(self, node: syntax.Text) -> Value:
        return node.value

    @value.register(syntax.Name)
    def _name(self, node: syntax.Name) -> Value:
        fallen = self._named(node.name)
        return fallen if isinstance(fallen, (int, str)) else sum(fallen)

    def _named(self, name: str) -> Value | Sequence[int]:
        if name not in self.fallen:
            node = self.definitions[name]
            target: Node = node
            while isinstance(target, syntax.Name):
                target = self.definitions[target.name]
            self.fallen[name] = self.pool(node) if isinstance(target, syntax.POOLS) else self.value(node)
        return self.fallen[name]

    @value.register(syntax.Keep, syntax.Trim)
    def _kept(self, node: syntax.Keep | syntax.Trim) -> Value:
        faces = self.pool(node.pool)
        return table.kept(faces, *table.ranks(node, len(faces)))

    @value.register(syntax.RerollLowest)
    def _reroll_lowest(self, node: syntax.RerollLowest) -> Value:
        faces = sorted(self.pool(node.pool))
        again = self._kinds(node.pool)
        return sum(faces[node.number :]) + sum(again() for _ in faces[: node.number])

    @value.register(syntax.Count)
    def _count(self, node: syntax.Count) -> Value:
        faces = self.pool(node.pool)
        return table.counted(node, faces, max(faces, default=0))

    @value.register(syntax.Ask)
    def _ask(self, node: syntax.Ask) -> Value:
        answer = table.asked(node.question, node.size, self.pool(node.pool))
        return table.highest_label(answer) if node.question == "highest_count" else answer

    @value.register(syntax.PairOff)
    def _pair_off(self, node: syntax.PairOff) -> Value:
        return table.paired_off(self.pool(node.left), self.pool(node.right), node.ties == "left")

    @value.register(syntax.Arithmetic)
    def _arithmetic(self, node: syntax.Arithmetic) -> Value:
        left, right = self.number(node.left), self.number(node.right)
        return left + right if node.operator == "+" else left - right if node.operator == "-" else left * right

    @value.register(syntax.Divide)
    def _divide(self, node: syntax.Divide) -> Value:
        left, right = self.number(node.left), self.number(node.right)
        if not right:
            raise LanguageError("This roll divides by 0", "Divide by something that cannot be 0.", position=node.at)
        return table.divided(left, right, node.rounding)

    @value.register(syntax.Negate)
    def _negate(self, node: syntax.Negate) -> Value:
        return -self.number(node.body)

    @value.register(syntax.Absolute)
    def _absolute(self, node: syntax.Absolute) -> Value:
        return abs(self.number(node.body))

    @value.register(syntax.Extreme)
    def _extreme(self, node: syntax.Extreme) -> Value:
        values = [self.number(item) for item in node.items]
        return max(values) if node.which == "max" else min(values)

    @value.register(syntax.Compare)
    def _compare(self, node: syntax.Compare) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(left, str) or isinstance(right, str):
            return int((left == right) == (node.comparison == "="))
        return int(syntax.compare(node.comparison, left, right))

    @value.register(syntax.Versus)
    def _versus(self, node: syntax.Versus) -> Value:
        left, right = self.number(node.left), self.number(node.right)
        return syntax.VERSUS[(left > right) - (left < right) + 1]

    @value.register(syntax.Logic)
    def _logic(self, node: syntax.Logic) -> Value:
        left, right = self.number(node.left), self.number(node.right)
        return left & right if node.operator == "and" else left | right

    @value.register(syntax.Not)
    def _not(self, node: syntax.Not) -> Value:
        return 1 - self.number(node.body)

    @value.register(syntax.If)
    def _if(self, node: syntax.If) -> Value:
        return self.value(node.then if self.number(node.condition) else node.otherwise)

    @value.register(syntax.Bands)
    def _bands(self, node: syntax.Bands) -> Value:
        return table.band(node, self.number(node.body))

    @value.register(syntax.Given)
    def _given(self, node: syntax.Given) -> Value:
        """Roll until the condition holds; the rolls before are not on the table any more."""
        for _ in range(MOST_DICE):
            tried = Throw(self.definitions, self.roller)
            if tried.number(node.condition):
                value = tried.value(node.body)
                self.dice += tried.dice
                return value
        raise LanguageError(
            "The condition after “given” did not hold in many rolls", "Ask for something likelier.", position=node.at
        )

    # -- dice side by side --------------------------------------------------------------------------------------------

    @by_node
    def pool(self, node: Node) -> list[int]:
        """The faces of a node's dice."""
        return [self.number(node)]

    @pool.register(syntax.Name)
    def _pool_of_name(self, node: syntax.Name) -> list[int]:
        fallen = self._named(node.name)
        assert not isinstance(fallen, str)
        return [fallen] if isinstance(fallen, int) else list(fallen)

    @pool.register(syntax.Dice, syntax.CustomDice)
    @pool.register(syntax.Repeat)
    def _dice(self, node: syntax.Dice | syntax.CustomDice | syntax.Repeat) -> list[int]:
        again = self._kinds(node)
        return [again() for _ in range(self._size(node.count, node))]

    @pool.register(syntax.Group)
    def _group(self, node: syntax.Group) -> list[int]:
        return [face for item in node.items for face in self.pool(item)]

    @pool.register(syntax.Clamp)
    def _clamp(self, node: syntax.Clamp) -> list[int]:
        bound = max if node.side == "min" else min
        return [bound(face, node.bound) for face in self.pool(node.pool)]

    @pool.register(syntax.Explode, syntax.Reroll)
    def _changed(self, node: syntax.Explode | syntax.Reroll) -> list[int]:
        """Each die on its own: a die of a changed pool knows how it is rolled again."""
        return [face for again, faces in self._each(node.pool) for face in self._one(node, again, max(faces))]

    def _one(self, node: syntax.Explode | syntax.Reroll, again: Callable[[], int], top: int) -> list[int]:
        face = again()
        if isinstance(node, syntax.Reroll):
            tries = 1 if node.once else MOST_DICE
            while tries and node.faces.include(face, top):
                face, tries = again(), tries - 1
            return [face]
        chain = [face]
        while node.faces.include(chain[-1], top) and len(chain) <= node.limit:
            chain.append(again())
        if node.way == "new":
            return chain
        less = 1 if node.way == "penetrate" else 0
        return [sum(chain) - less * (len(chain) - 1)]

    def _each(self, node: Node) -> list[tuple[Callable[[], int], Sequence[int]]]:
        """For every die of a pool: how it is rolled, and the faces it can show (none known: one that never comes)."""
        if isinstance(node, syntax.Group):
            return [die for item in node.items for die in self._each(item)]
        if isinstance(node, (syntax.Dice, syntax.CustomDice, syntax.Repeat)):
            return [(self._kinds(node), self._printed(node))] * self._size(node.count, node)
        if isinstance(node, syntax.Reroll):
            dice = self._each(node.pool)
            return [(self._rerolled(node, again, faces), self._left(node, faces)) for again, faces in dice]
        if isinstance(node, syntax.Clamp):
            return [self._clamped(node, again, faces) for again, faces in self._each(node.pool)]
        return [(partial(int, face), (face,)) for face in self.pool(node)]

    def _printed(self, node: syntax.Dice | syntax.CustomDice | syntax.Repeat) -> Sequence[int]:
        if isinstance(node, syntax.Dice):
            return range(1, self.number(node.sides) + 1)
        return node.faces if isinstance(node, syntax.CustomDice) else UNKNOWN

    def _rerolled(self, node: syntax.Reroll, again: Callable[[], int], faces: Sequence[int]) -> Callable[[], int]:
        return lambda: self._one(node, again, max(faces))[0]

    def _left(self, node: syntax.Reroll, faces: Sequence[int]) -> Sequence[int]:
        """The faces a die can show after its rerolls."""
        return faces if node.once else [face for face in faces if not node.faces.include(face, max(faces))] or faces

    def _clamped(
        self, node: syntax.Clamp, again: Callable[[], int], faces: Sequence[int]
    ) -> tuple[Callable[[], int], Sequence[int]]:
        bound = max if node.side == "min" else min
        return lambda: bound(again(), node.bound), [bound(face, node.bound) for face in faces]

    def _kinds(self, node: Node) -> Callable[[], int]:
        """How one more die of a pool is rolled."""
        if isinstance(node, syntax.Dice):
            sides = self.number(node.sides)
            if sides < 1:
                raise LanguageError("A die without sides", "Make sure that it always has at least 1.", position=node.at)
            return lambda: self._die(sides)
        if isinstance(node, syntax.CustomDice):
            return lambda: self._die(node.faces)
        if isinstance(node, syntax.Repeat):
            return lambda: self._apart().number(node.body)
        return self._each(node)[0][0]

    def _size(self, count: Node, node: Node) -> int:
        size = self.number(count)
        if size < 0:
            raise LanguageError("A negative number of dice", "Make sure that it never is.", position=node.at)
        return size


@dataclass(frozen=True, slots=True)
class Simulation:
    """How often each result came up."""

    results: Counter[Value]
    runs: int

    @property
    def margin(self) -> float:
        """The largest margin a chance can have, 95 times in 100: 1.96 standard errors at one half."""
        return float(0.98 / self.runs**0.5)

    def distribution(self, number: Callable[[str], int]) -> Pmf:
        """As a distribution; ``number`` turns a text into its number."""
        weights: dict[int, float] = {}
        for value, times in self.results.items():
            key = value if isinstance(value, int) else number(value)
            weights[key] = weights.get(key, 0.0) + times
        return Pmf.from_weights(weights)


def simulate(
    definitions: Mapping[str, Node],
    node: Node,
    runs: int,
    roller: Roller,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Simulation:
    """Roll a line many times."""
    results: Counter[Value] = Counter()
    for done in range(runs):
        results[Throw(definitions, roller).answer(node)] += 1
        if not done % 1000:
            progress(done, runs)
    progress(runs, runs)
    return Simulation(results, runs)

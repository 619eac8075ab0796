"""What a line will cost and how it is computed, before anything is.

The plan follows the same path as ``exact`` over ranges instead of distributions. Costs are seconds on the reference
machine from a few measured constants; they decide whether a page answers, a job does, or the question is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb, log2

from engine.dice.language import syntax, table
from engine.dice.language.dispatch import by_node
from engine.dice.language.errors import LanguageError
from engine.dice.language.grid import CELLWISE, Grid
from engine.dice.language.names import Names
from engine.dice.language.pools.sets import FEW_DICE
from engine.dice.language.syntax import Node

#: Seconds for a call into NumPy, for one product in a convolution, for one step of an interpreted loop, for one cell of
#: an array operation, and for one term of a compiled loop.
CALL, PRODUCT, STEP, CELL, TERM = 6e-6, 2e-10, 1.5e-6, 6e-9, 1e-9
#: What a page may take, what a job may take, and how many results a distribution may span.
PAGE_BUDGET, JOB_BUDGET, MOST_RESULTS = 0.5, 120.0, 2_000_000


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of a node's result beforehand: its range, and for dice side by side how many of how many kinds."""

    low: int
    high: int
    dice: int = 0
    kinds: int = 1
    parts: int = 1
    added: bool = False  # dice that add new dice, not yet rolled
    fair: bool = False  # plain dice, all faces alike

    @property
    def span(self) -> int:
        return self.high - self.low + 1

    @property
    def total(self) -> Shape:
        """The dice added up."""
        if not self.dice:
            return self
        if self.parts == 1 and not self.added:
            return Shape(self.low * self.dice, self.high * self.dice)
        dice = self.dice * 11 if self.added else self.dice
        return Shape(min(self.low, self.low * dice), max(self.high, self.high * dice))


@dataclass(slots=True)
class Cost:
    """Seconds so far, and how each step is done."""

    seconds: float = 0.0
    steps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, seconds: float, step: str = "") -> None:
        self.seconds += seconds
        if step and step not in self.steps:
            self.steps.append(step)


@dataclass(frozen=True, slots=True)
class LinePlan:
    """What one line of a program will take and how it is done."""

    seconds: float
    shape: Shape
    steps: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """``page``, ``job`` or ``refuse``."""
        if self.shape.span > MOST_RESULTS or self.seconds > JOB_BUDGET:
            return "refuse"
        return "page" if self.seconds <= PAGE_BUDGET else "job"


def plan_line(names: Names, node: Node) -> LinePlan:
    """Plan one line."""
    planner = Planner(names)
    shape = planner.answer(node)
    return LinePlan(planner.cost.seconds, shape, tuple(planner.cost.steps), tuple(dict.fromkeys(planner.cost.notes)))


class Planner:
    """Plans lines of one program."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cost = Cost()
        self._known: dict[str, Shape] = {}

    def answer(self, node: Node) -> Shape:
        shared = self.names.shared(node)
        if shared:
            self._worlds(shared, node)
        return self.number(node)

    # -- names ------------------------------------------------------------------------------------------------------

    def _worlds(self, shared: list[str], *nodes: Node) -> None:
        """The cost of answering for each result of the shared names."""
        words = " and ".join(shared)
        axes = list(self._axes(frozenset(shared), *nodes)) if self._cellwise(frozenset(shared), *nodes) else None
        if axes is not None:
            cells = 1
            for span in axes:
                cells *= span
            if cells <= Grid.MOST_CELLS:
                size = sum(1 for node in nodes for _ in syntax.walk(node))
                self.cost.add(
                    cells * CELL * (size + 4),
                    f"{words} mentioned more than once: one array with a cell for each of {cells:,} combinations",
                )
                return
        worlds, dice = 1, 0
        for name in shared:
            shape = self.shape(self.names.definitions[name])
            single = self.names.as_dice(name, *nodes)
            worlds *= self._multisets(shape) if single else shape.total.span
            dice += shape.dice if single else 1
        before = self.cost.seconds
        each = STEP * (dice + 5 * sum(1 for node in nodes for _ in syntax.walk(node)))
        if not all(self.names.settled(node, dict.fromkeys(shared, 0)) for node in nodes):
            quiet = Planner(self.names)
            for node in nodes:
                quiet.shape(node)
            each = max(quiet.cost.seconds, each)
        self.cost.seconds = before + worlds * each
        self.cost.add(0, f"{words} mentioned more than once: answered for each of {worlds:,} results and mixed")

    def _multisets(self, shape: Shape) -> int:
        return shape.parts * comb(shape.dice + shape.span - 1, shape.dice)

    def _cellwise(self, shared: frozenset[str], *nodes: Node) -> bool:
        return all(self._has_place(shared, node) for node in nodes)

    def _has_place(self, shared: frozenset[str], node: Node) -> bool:
        if isinstance(node, syntax.Name):
            return self._has_place(shared, self.names.definitions[node.name])
        if self.names.reached(node).isdisjoint(shared):
            return True
        return isinstance(node, CELLWISE) and all(self._has_place(shared, child) for child in node.children())

    def _axes(self, shared: frozenset[str], *nodes: Node) -> Iterator[int]:
        """The number of results of every roll that a grid over these nodes would have an axis for."""
        waiting, seen = list(nodes), set()
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, syntax.Name):
                waiting.append(self.names.definitions[node.name])
            elif self.names.reached(node).isdisjoint(shared):
                if not isinstance(node, (syntax.Number, syntax.Text)):
                    yield self.shape(node).total.span
            else:
                waiting += node.children()

    # -- shapes -----------------------------------------------------------------------------------------------------

    def number(self, node: Node) -> Shape:
        """The shape of a node as a number; adding up dice has its cost."""
        shape = self.shape(node)
        if not shape.dice:
            return shape
        total = shape.total
        span = max(1, total.span)
        if span > MOST_RESULTS:
            raise LanguageError(
                f"This has {span:,} different results",
                f"At most {MOST_RESULTS:,} are counted; use fewer dice or fewer sides.",
                position=node.at,
                constraint="size",
                expected=MOST_RESULTS,
            )
        rounds = 2 * log2(shape.dice + 1) + 2
        seconds = shape.parts * (CALL * rounds + PRODUCT * span * span / 3)
        if shape.dice > 1:
            ways = _ways(shape)
            self.cost.add(seconds, f"{node}: {shape.dice} dice added up by convolution{ways}")
        else:
            self.cost.add(seconds)
        return total

    @by_node
    def shape(self, node: Node) -> Shape:
        raise NotImplementedError(type(node).__name__)

    @shape.register(syntax.Number)
    def _number(self, node: syntax.Number) -> Shape:
        return Shape(node.value, node.value)

    @shape.register(syntax.Text)
    def _text(self, node: syntax.Text) -> Shape:
        return Shape(0, 0)

    @shape.register(syntax.Name)
    def _name(self, node: syntax.Name) -> Shape:
        if node.name not in self._known:
            self._known[node.name] = self.shape(self.names.definitions[node.name])
        return self._known[node.name]

    @shape.register(syntax.Dice)
    def _dice(self, node: syntax.Dice) -> Shape:
        count, sides = self.number(node.count), self.number(node.sides)
        parts = count.span * sides.span
        if parts > 1:
            self.cost.add(parts * CALL, f"{node}: a mixture over {parts:,} kinds of rolls")
        return Shape(1, max(1, sides.high), max(0, count.high), 1, parts, fair=parts == 1)

    @shape.register(syntax.CustomDice)
    def _custom_dice(self, node: syntax.CustomDice) -> Shape:
        count = self.number(node.count)
        return Shape(min(node.faces), max(node.faces), max(0, count.high), 1, count.span)

    @shape.register(syntax.Repeat)
    def _repeat(self, node: syntax.Repeat) -> Shape:
        count = self.number(node.count)
        inner = Planner(self.names)
        each = inner.answer(node.body)
        self.cost.add(inner.cost.seconds)
        self.cost.steps += [step for step in inner.cost.steps if step not in self.cost.steps]
        self.cost.notes += [note for note in inner.cost.notes if note not in self.cost.notes]
        return Shape(each.low, each.high, max(0, count.high), 1, count.span)

    @shape.register(syntax.Group)
    def _group(self, node: syntax.Group) -> Shape:
        shapes = [self.shape(item) for item in node.items]
        dice = sum(max(1, shape.dice) for shape in shapes)
        parts = 1
        for shape in shapes:
            parts *= shape.parts
        low, high = min(shape.low for shape in shapes), max(shape.high for shape in shapes)
        return Shape(low, high, dice, len(shapes), parts, any(shape.added for shape in shapes))

    @shape.register(syntax.Explode)
    def _explode(self, node: syntax.Explode) -> Shape:
        shape = self._each(node.pool)
        chance = self._explosion_chance(node)
        if chance is not None and node.limit:
            tail = chance ** (node.limit + 1)
            self.cost.notes.append(
                f"A die adds at most {node.limit} more; the chance that it would go on is {tail:.2g} a die."
            )
        if not node.limit:
            return shape
        if node.way == "new":
            return Shape(shape.low, shape.high, shape.dice, shape.kinds, shape.parts, added=True)
        less = 1 if node.way == "penetrate" else 0
        self.cost.add(node.limit * CALL * 6)
        high = shape.high + node.limit * max(0, shape.high - less)
        low = shape.low if shape.low >= less else shape.low + node.limit * (shape.low - less)
        return Shape(low, high, shape.dice, shape.kinds, shape.parts)

    def _explosion_chance(self, node: syntax.Explode) -> float | None:
        """The chance that one die explodes, for plain dice."""
        pool = node.pool
        while isinstance(pool, (syntax.Reroll, syntax.Clamp)):
            pool = pool.pool
        if pool is not node.pool:
            return None
        if isinstance(pool, syntax.Dice) and isinstance(pool.sides, syntax.Number):
            faces: tuple[int, ...] = tuple(range(1, pool.sides.value + 1))
        elif isinstance(pool, syntax.CustomDice):
            faces = pool.faces
        else:
            return None
        return sum(node.faces.include(face, max(faces)) for face in faces) / len(faces)

    @shape.register(syntax.Reroll)
    def _reroll(self, node: syntax.Reroll) -> Shape:
        return self._each(node.pool)

    @shape.register(syntax.Clamp)
    def _clamp(self, node: syntax.Clamp) -> Shape:
        shape = self._each(node.pool)
        low, high = (max(shape.low, node.bound), max(shape.high, node.bound))
        if node.side == "max":
            low, high = (min(shape.low, node.bound), min(shape.high, node.bound))
        return Shape(low, high, shape.dice, shape.kinds, shape.parts)

    def _each(self, pool: Node) -> Shape:
        """A change to every die."""
        shape = self._expanded(self.shape(pool))
        self.cost.add(shape.parts * shape.kinds * CALL * 4 + shape.span * STEP)
        return shape

    def _expanded(self, shape: Shape) -> Shape:
        """Dice that add dice, as a mixture: up to three times as many dice matter before chances vanish."""
        if not shape.added:
            return shape
        parts = shape.parts * (3 * shape.dice + 12) * 2
        self.cost.add(shape.dice * 12 * 40 * STEP)
        return Shape(shape.low, shape.high, 3 * shape.dice + 12, shape.kinds + 1, parts)

    # -- questions about dice ---------------------------------------------------------------------------------------

    @shape.register(syntax.Keep, syntax.Trim)
    def _kept(self, node: syntax.Keep | syntax.Trim) -> Shape:
        plain = self.shape(node.pool)
        shape = self._expanded(plain)
        high, low = table.ranks(node, shape.dice)
        keep = max(0, shape.dice - high - low)
        result = Shape(min(shape.low, shape.low * keep), max(shape.high, shape.high * keep))
        faces, sums = shape.span, max(1, keep * shape.span)
        if keep == shape.dice:
            seconds, way = CALL * 10 + PRODUCT * sums * sums, "all dice count, added up by convolution"
        elif shape.kinds > 1 and not plain.added:
            states = comb(shape.dice + shape.kinds, shape.kinds) * sums / 2
            seconds, way = faces * states * STEP, "faces from the highest down, carrying the dice left of each kind"
        elif high and low:
            seconds = CALL * 20 + faces * shape.dice**2 / 2 * sums * 1e-9
            way = "faces from the highest down, carrying the dice placed and their sum"
        elif keep == 1:
            seconds, way = CALL * 8, "the chance that no die is beyond a face is a power"
        else:
            seconds = faces * keep * (25 * STEP + PRODUCT * sums * faces / 4)
            way = "summed over the face of the last die kept and the number of dice beyond it"
        parts = 2 * keep + 12 if plain.added else shape.parts
        self.cost.add(parts * seconds, f"{node}: {way}{_ways(plain)}")
        return result

    @shape.register(syntax.RerollLowest)
    def _reroll_lowest(self, node: syntax.RerollLowest) -> Shape:
        self._kept(syntax.Keep(node.pool, "lowest", node.number, drop=True))
        return self.number(node.pool)

    @shape.register(syntax.Count)
    def _count(self, node: syntax.Count) -> Shape:
        shape = self.shape(node.pool)
        dice = shape.dice * (11 if shape.added else 1)
        rounds = 3 if node.botch else 1
        seconds = rounds * shape.parts * shape.kinds * (CALL * 12 + shape.span * 2 * STEP + PRODUCT * (5 * dice) ** 2)
        self.cost.add(
            seconds, f"{node}: every die counts for itself, so the counts of all are a convolution{_ways(shape)}"
        )
        most = 2 * dice if node.twice else dice
        return Shape(-dice if node.minus else -1 if node.botch else 0, most)

    @shape.register(syntax.Ask)
    def _ask(self, node: syntax.Ask) -> Shape:
        if node.question == "sum":
            return self.number(node.pool)
        plain = self.shape(node.pool)
        shape = self._expanded(plain)
        dice, faces = shape.dice, shape.span
        way = "faces one after the other, carrying only what the question needs"
        if shape.kinds > 1 and not plain.added:
            seconds = faces * comb(dice + shape.kinds, shape.kinds) * max(2, dice) ** 2 * STEP
        elif node.question == "longest_run" and plain.fair:
            seconds = CALL * 15 + dice * faces * TERM + faces * min(dice, faces) ** 2 * 10 * TERM
            way = "how many different faces show, and among how many choices of them the longest run is each length"
        elif node.question == "longest_run":
            longest = min(dice, faces)
            seconds = faces * (CALL * (12 + 2 * longest) + longest**2 * dice**2 * TERM)
        elif node.question == "highest_count":
            seconds = faces * dice * STEP
        elif node.question == "largest_set" and dice * faces <= FEW_DICE**2:
            seconds = CALL * 12 + faces * dice**3 * TERM
        elif node.question == "largest_set":
            seconds = dice * (2 * log2(faces + 1) + 2) * 4 * (CALL + PRODUCT * dice**2)
        elif dice <= FEW_DICE:
            seconds = CALL * 12 + faces * dice**3 * TERM / 2
        else:
            seconds = faces * (CALL * 6 + dice**3 * TERM)
        self.cost.add(
            shape.parts * seconds,
            f"{node}: {way}{_ways(plain)}",
        )
        return Shape(0, min(dice, faces) if node.question != "highest_count" else dice * faces)

    @shape.register(syntax.PairOff)
    def _pair_off(self, node: syntax.PairOff) -> Shape:
        left, right = self._expanded(self.shape(node.left)), self._expanded(self.shape(node.right))
        faces = max(left.high, right.high) - min(left.low, right.low) + 1
        pairs = min(left.dice, right.dice)
        steps = faces * (left.dice + 1) ** 2 / 2 * (right.dice + 1) ** 2 / 2 * (pairs + 1)
        each = 2e-9 if left.kinds == right.kinds == 1 else 2 * STEP
        self.cost.add(
            left.parts * right.parts * (CALL * 20 + steps * each),
            f"{node}: faces from the highest down, carrying how many dice each side has laid out and the pairs won",
        )
        return Shape(0, pairs)

    # -- numbers ----------------------------------------------------------------------------------------------------

    @shape.register(syntax.Arithmetic)
    def _arithmetic(self, node: syntax.Arithmetic) -> Shape:
        left, right = self.number(node.left), self.number(node.right)
        if node.operator == "+":
            result = Shape(left.low + right.low, left.high + right.high)
        elif node.operator == "-":
            result = Shape(left.low - right.high, left.high - right.low)
        else:
            return self._every_pair(node, left, right, [a * b for a in _ends(left) for b in _ends(right)])
        self.cost.add(2 * CALL + PRODUCT * left.span * right.span)
        return result

    @shape.register(syntax.Divide)
    def _divide(self, node: syntax.Divide) -> Shape:
        left, right = self.number(node.left), self.number(node.right)
        most = max(abs(end) for end in _ends(left))
        rounded = {"down": "rounded down", "up": "rounded up", "nearest": "rounded to the nearest, halves up"}
        self.cost.notes.append(f"{node} is {rounded[node.rounding]}.")
        return self._every_pair(node, left, right, [-most - 1 if left.low < 0 or right.low < 0 else 0, most + 1])

    def _every_pair(self, node: Node, left: Shape, right: Shape, results: list[int]) -> Shape:
        pairs = left.span * right.span
        seconds = CALL * 12 + pairs * 4 * CELL + (max(results) - min(results)) * CELL
        self.cost.add(
            seconds, f"{node}: every one of {pairs:,} pairs of results" if min(left.span, right.span) > 1 else ""
        )
        return Shape(min(results), max(results))

    @shape.register(syntax.Negate)
    def _negate(self, node: syntax.Negate) -> Shape:
        body = self.number(node.body)
        return Shape(-body.high, -body.low)

    @shape.register(syntax.Absolute)
    def _absolute(self, node: syntax.Absolute) -> Shape:
        body = self.number(node.body)
        self.cost.add(CALL * 4 + body.span * CELL)
        return Shape(0, max(abs(body.low), abs(body.high)))

    @shape.register(syntax.Extreme)
    def _extreme(self, node: syntax.Extreme) -> Shape:
        items = [self.number(item) for item in node.items]
        self.cost.add(CALL * 4 * len(items), f"{node}: cumulative chances multiply")
        choose = max if node.which == "max" else min
        return Shape(choose(item.low for item in items), choose(item.high for item in items))

    # -- questions --------------------------------------------------------------------------------------------------

    @shape.register(syntax.Compare, syntax.Versus)
    def _compare(self, node: syntax.Compare | syntax.Versus) -> Shape:
        left, right = self.number(node.left), self.number(node.right)
        self.cost.add(
            CALL * 14 + (left.span + right.span) * CELL,
            f"{node}: for each result of one side, the chance that the other is below"
            if left.span > 1 and right.span > 1
            else "",
        )
        return Shape(0, 2 if isinstance(node, syntax.Versus) else 1)

    @shape.register(syntax.Logic)
    def _logic(self, node: syntax.Logic) -> Shape:
        self.shape(node.left), self.shape(node.right)
        return Shape(0, 1)

    @shape.register(syntax.Not)
    def _not(self, node: syntax.Not) -> Shape:
        self.shape(node.body)
        return Shape(0, 1)

    @shape.register(syntax.If)
    def _if(self, node: syntax.If) -> Shape:
        self.shape(node.condition)
        then, otherwise = self.number(node.then), self.number(node.otherwise)
        self.cost.add(CALL * 4, "if: the two branches are mixed by the chance of the condition")
        return Shape(min(then.low, otherwise.low), max(then.high, otherwise.high))

    @shape.register(syntax.Bands)
    def _bands(self, node: syntax.Bands) -> Shape:
        body = self.number(node.body)
        self.cost.add(body.span * 2 * STEP)
        return Shape(0, len(node.labels) - 1)

    @shape.register(syntax.Given)
    def _given(self, node: syntax.Given) -> Shape:
        inner = Planner(self.names)
        shared = self.names.shared(node.body, node.condition)
        if not shared:
            raise LanguageError(
                "The condition after “given” is about other dice, so it changes nothing",
                "Name the roll and ask about it twice, like r = 2D6; r given r > 7, or write 2D6 given > 7.",
                position=node.at,
            )
        inner._worlds(shared, node.body, node.condition)
        shape = inner.number(node.body)
        inner.shape(node.condition)
        self.cost.add(inner.cost.seconds)
        self.cost.steps += [step for step in inner.cost.steps if step not in self.cost.steps]
        self.cost.add(0, "given: rolls where the condition fails are left out and the rest scaled up")
        return shape


def _ends(shape: Shape) -> tuple[int, int]:
    return shape.low, shape.high


def _ways(shape: Shape) -> str:
    """How many rolls are counted without being listed."""
    if shape.dice < 2 or not shape.fair:
        return ""
    ways = shape.span**shape.dice
    digits = len(str(ways))
    return f", {ways:,} rolls counted" if digits <= 12 else f", more than 10^{digits - 1} rolls counted"

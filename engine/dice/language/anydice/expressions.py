"""Values of AnyDice: arithmetic, comparisons, dice and sequences."""

from __future__ import annotations

from engine.dice.language import syntax
from engine.dice.language.anydice.cursor import EXAMPLE, Cursor, Parameter, Scope, Sequence, Token, Value
from engine.dice.language.native.cursor import MAX_DICE, MAX_FACE, MAX_FACES, MAX_SIDES
from engine.dice.language.native.modifiers import pool_size
from engine.dice.language.native.tokens import MAX_NUMBER
from engine.dice.language.syntax import Comparison, Node


class ExpressionReader(Cursor):
    """Reads one value, operators from the loosest to the tightest."""

    def call(self, scope: Scope) -> Value:
        """A function in brackets; ``functions`` knows them."""
        raise NotImplementedError

    def value(self, scope: Scope) -> Value:
        self.enter()
        left = self.comparison(scope)
        while token := self.take("&", "|"):
            right = self.comparison(scope)
            operator = "and" if token.text == "&" else "or"
            pair = self.truth(self.as_node(left)), self.truth(self.as_node(right))
            if all(isinstance(side, syntax.Number) for side in pair):
                values = [side.value for side in pair if isinstance(side, syntax.Number)]
                left = syntax.Number(int(all(values) if operator == "and" else any(values)))
                continue
            logic = syntax.Logic(
                "and" if token.text == "&" else "or", *(self._asked(side) for side in pair), at=token.at
            )
            left = self.grown(logic)
        self.depth -= 1
        return left

    def _asked(self, node: Node) -> Node:
        return node if syntax.kind_of(node, self.kinds) == "truth" else syntax.Compare("!=", node, syntax.Number(0))

    def truth(self, node: Node) -> Node:
        """A condition: anything but 0 holds."""
        if isinstance(node, syntax.Number) or syntax.kind_of(node, self.kinds) == "truth":
            return node
        return syntax.Compare("!=", node, syntax.Number(0), at=node.at)

    def comparison(self, scope: Scope) -> Value:
        left = self.sum(scope)
        signs: dict[str, Comparison] = {"=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
        while (token := self.token).kind == "mark" and token.text in signs:
            self.advance()
            right = self.sum(scope)
            left = self._compared(signs[token.text], left, right, token)
        return left

    def _compared(self, sign: Comparison, left: Value, right: Value, token: Token) -> Node:
        if isinstance(left, Sequence) and isinstance(right, Sequence):
            raise self.error("Two sequences are not compared", "Compare numbers or dice.", token)
        if isinstance(left, Sequence) or isinstance(right, Sequence):
            return self._holding(sign, left, right, token)
        if isinstance(left, syntax.Number) and isinstance(right, syntax.Number):
            return syntax.Number(int(syntax.compare(sign, left.value, right.value)))
        return self.grown(syntax.Compare(sign, left, right, at=token.at))

    def _holding(self, sign: Comparison, left: Value, right: Value, token: Token) -> Node:
        """How many elements of a sequence a comparison holds for; the other side is one roll."""
        before = set(self.kinds)
        one = Parameter("side", "n")
        if isinstance(left, Sequence):
            other = self.as_node(self.bound_roll(one, right, token))
            found = [self._compared(sign, syntax.Number(value), other, token) for value in left.values]
        else:
            assert isinstance(right, Sequence)
            other = self.as_node(self.bound_roll(one, left, token))
            found = [self._compared(sign, other, syntax.Number(value), token) for value in right.values]
        return self.as_die(self._sum_of(found), set(self.kinds) - before)

    def _sum_of(self, nodes: list[Node]) -> Node:
        total: Node = syntax.Number(0)
        for node in nodes:
            total = node if total == syntax.Number(0) else self.grown(syntax.Arithmetic("+", total, node))
        return total

    def sum(self, scope: Scope) -> Value:
        left = self.product(scope)
        while token := self.take("+", "-"):
            right = self.as_node(self.product(scope))
            left = self.arithmetic(token, self.as_node(left), right)
        return left

    def product(self, scope: Scope) -> Value:
        left = self.signed(scope)
        while token := self.take("*", "/", "^"):
            right = self.as_node(self.signed(scope))
            if token.text == "^":
                raise self.error("Powers are not read", "Multiply instead.", token)
            left = self.arithmetic(token, self.as_node(left), right)
        return left

    def arithmetic(self, token: Token, left: Node, right: Node) -> Node:
        if isinstance(left, syntax.Number) and isinstance(right, syntax.Number):
            a, b = left.value, right.value
            if token.text == "/" and b == 0:
                raise self.error("Nothing can be divided by 0", "Divide by another number.", token)
            value = {"+": a + b, "-": a - b, "*": a * b}[token.text] if token.text != "/" else int(a / b)
            if abs(value) > MAX_NUMBER:
                raise self.error("That number is too large", f"Numbers go up to {MAX_NUMBER:,}.", token)
            return syntax.Number(value, at=token.at)
        if token.text == "/":
            if right == syntax.Number(0):
                raise self.error("Nothing can be divided by 0", "Divide by another number.", token)
            return self.grown(syntax.Divide(left, right, at=token.at))
        if token.text == "*":
            return self.grown(syntax.Arithmetic("*", left, right, at=token.at))
        return self.grown(syntax.Arithmetic("+" if token.text == "+" else "-", left, right, at=token.at))

    def signed(self, scope: Scope) -> Value:
        self.enter()
        try:
            if token := self.take("-"):
                body = self.as_node(self.signed(scope))
                negative = syntax.Number(-body.value) if isinstance(body, syntax.Number) else syntax.Negate(body)
                return self.grown(negative)
            if self.take("+"):
                return self.signed(scope)
            if token := self.take("!"):
                body = self.as_node(self.signed(scope))
                if isinstance(body, syntax.Number):
                    return syntax.Number(int(not body.value))
                return self.grown(syntax.Not(self.truth(body), at=token.at))
            if token := self.take("#"):
                return self.length(self.signed(scope), token)
            return self.dice(scope)
        finally:
            self.depth -= 1

    def length(self, value: Value, token: Token) -> Node:
        if isinstance(value, Sequence):
            return syntax.Number(len(value.values))
        size = pool_size(value)
        if size is None and syntax.kind_of(value, self.kinds) == "pool":
            raise self.error("The number of dice is not known here", "Use # on dice or sequences.", token)
        return syntax.Number(size or 1)

    def dice(self, scope: Scope) -> Value:
        """``d`` binds tightest, then ``@``."""
        left = self.rolled(scope)
        while token := self.take("@"):
            left = self.position(left, self.rolled(scope), token)
        return left

    def rolled(self, scope: Scope) -> Value:
        left: Value = syntax.Number(1) if self._begins_die() else self.primary(scope)
        while self._begins_die():
            token = self.advance()
            left = self._rolled(left, self._die_operand(scope), token)
        return left

    def _die_operand(self, scope: Scope) -> Value:
        if self._begins_die():  # 2dd6: dice of dice
            token = self.advance()
            return self._rolled(syntax.Number(1), self._die_operand(scope), token)
        return self.primary(scope)

    def _begins_die(self) -> bool:
        return self.token.kind == "word" and self.token.text == "d"

    def _rolled(self, count: Value, sides: Value, token: Token) -> Node:
        number = self.as_node(count)
        if isinstance(number, syntax.Number) and not 1 <= number.value <= MAX_DICE:
            raise self.error(f"The number of dice must be 1–{MAX_DICE}; you entered {number}", EXAMPLE, token)
        if isinstance(sides, Sequence):
            if not sides.values:
                raise self.error("A die needs faces", "Write it like d{1,2,3}.", token)
            return self.grown(syntax.CustomDice(number, sides.values, at=token.at))
        if isinstance(sides, syntax.Number):
            if not 1 <= sides.value <= MAX_SIDES:
                raise self.error(f"The number of sides must be 1–{MAX_SIDES}; you entered {sides}", EXAMPLE, token)
            return self.grown(syntax.Dice(number, sides, at=token.at))
        if number == syntax.Number(1):
            return sides
        return self.grown(syntax.Repeat(number, sides, at=token.at))

    def position(self, places: Value, dice: Value, token: Token) -> Node:
        """``N@DICE``: the N-th die from the highest; of a sequence, its N-th number."""
        wanted = places.values if isinstance(places, Sequence) else (self.whole(places, token),)
        if isinstance(dice, Sequence):
            return syntax.Number(sum(dice.values[at - 1] for at in wanted if 1 <= at <= len(dice.values)))
        size = pool_size(self.resolved(dice))
        if size is None:
            raise self.error("@ needs dice whose number is known", "Write it like 1@4d6.", token)
        wanted = tuple(sorted(at for at in wanted if 1 <= at <= size))
        if not wanted:
            return syntax.Number(0)
        if wanted != tuple(range(wanted[0], wanted[-1] + 1)):
            raise self.error("Only neighbouring places are read", "Write it like {1..3}@5d6.", token)
        high, low = wanted[0] - 1, size - wanted[-1]
        if not high and not low:
            return dice
        if not high:
            return self.grown(syntax.Keep(dice, "highest", size - low, at=token.at))
        if not low:
            return self.grown(syntax.Keep(dice, "lowest", size - high, at=token.at))
        return self.grown(syntax.Trim(dice, high, low, at=token.at))

    def resolved(self, node: Node) -> Node:
        while isinstance(node, syntax.Name):
            name = node.name
            node = next(s.value for s in self.statements if isinstance(s, syntax.Assign) and s.name == name)
        return node

    def whole(self, value: Value, token: Token) -> int:
        node = self.as_node(value)
        if not isinstance(node, syntax.Number):
            raise self.error("This must be a number", "Write a number that is known before the roll.", token)
        return node.value

    def primary(self, scope: Scope) -> Value:
        token = self.token
        if token.kind == "number":
            self.advance()
            if len(token.text) > 7 or int(token.text) > MAX_NUMBER:
                raise self.error("That number is too large", f"Numbers go up to {MAX_NUMBER:,}.", token)
            return syntax.Number(int(token.text), at=token.at)
        if token.kind == "name":
            self.advance()
            if token.text not in scope.values:
                raise self.error(f"{token.text} has no value yet", f"Write it first: {token.text}: 3d6", token)
            return scope.values[token.text]
        if self.take("("):
            value = self.value(scope)
            self.need(")")
            return value
        if self.at("{"):
            return self.sequence(scope)
        if self.at("["):
            return self.call(scope)
        raise self.error(f"“{token.text or 'the end'}” is no value")

    def sequence(self, scope: Scope) -> Sequence:
        self.need("{")
        values: list[int] = []
        while not self.at("}"):
            token = self.token
            first = self.value(scope)
            items = list(first.values) if isinstance(first, Sequence) else [self.whole(first, token)]
            if self.take(".."):
                last = self.whole(self.value(scope), token)
                if last - items[0] > MAX_FACES:
                    raise self.error("That sequence is too long", f"At most {MAX_FACES} numbers are read.", token)
                items = list(range(items[0], last + 1))
            if self.take(":"):
                times = self.whole(self.value(scope), token)
                if times * len(items) > MAX_FACES:
                    raise self.error("That sequence is too long", f"At most {MAX_FACES} numbers are read.", token)
                items = items * times
            values += items
            if len(values) > MAX_FACES or any(abs(value) > MAX_FACE for value in items):
                raise self.error("That sequence is too long", f"At most {MAX_FACES} numbers up to {MAX_FACE:,}.", token)
            if not self.take(",") and not self.at("}"):
                raise self.error("Here “,” or “}” is missing")
        self.need("}")
        return Sequence(tuple(values))

    def as_node(self, value: Value) -> Node:
        """A sequence used as a number is its sum."""
        return syntax.Number(sum(value.values)) if isinstance(value, Sequence) else value

    def pool(self, value: Value, token: Token) -> Node:
        node = syntax.Group(tuple(map(syntax.Number, value.values))) if isinstance(value, Sequence) else value
        if syntax.kind_of(node, self.kinds) != "pool":
            node = syntax.Group((node,), at=token.at)
        return node

    # -- one roll mentioned several times ------------------------------------------------------------------------------

    def as_die(self, result: Node, own: set[str]) -> Node:
        """What a call gives is a die, rolled anew at each mention, unless it depends on another call's roll."""
        names = {node.name for node in syntax.walk(result) if isinstance(node, syntax.Name)}
        if not names or not names <= own:
            return result
        return self.grown(syntax.Repeat(syntax.Number(1), result, at=result.at))

    def bound_roll(self, parameter: Parameter, value: Value, token: Token) -> Value:
        """A roll given to ``:n`` or ``:s`` is one roll in the whole call; to ``:d`` it stays dice."""
        if isinstance(value, Sequence):
            return self.as_node(value) if parameter.sort == "n" else value
        if parameter.sort == "d" or isinstance(value, (syntax.Number, syntax.Name)):
            return value
        if parameter.sort == "n" and isinstance(value, syntax.POOLS):
            value = syntax.Ask(value, "sum", at=token.at)
        name = f"{parameter.name.lower()}{len(self.kinds) + 1}"
        self.kinds[name] = syntax.kind_of(value, self.kinds)
        self.statements.append(syntax.Assign(name, value, at=token.at))
        return self.grown(syntax.Name(name, at=token.at))

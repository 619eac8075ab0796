"""The commonly used part of AnyDice programs, read into the same tree.

Read are ``output … named``, variables, sequences, ``d{…}``, ``NdDIE``, ``N@DICE``, ``#``, arithmetic, comparisons,
``&`` and ``|``, ``if``/``else``, ``loop``, functions with ``:n``, ``:s`` and ``:d`` parameters, and the functions that
AnyDice brings along as far as ``BUILT_IN`` lists them. A variable is its text: each mention rolls anew. A parameter
``:n`` is one roll.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.dice.language import syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.parser import MAX_DEPTH, MAX_DICE, MAX_FACE, MAX_FACES, MAX_OUTPUTS, MAX_SIDES, pool_size
from engine.dice.language.syntax import Comparison, Faces, Node
from engine.dice.language.tokens import MAX_LENGTH, MAX_NUMBER

TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+|\\[^\\]*\\)|(?P<number>\d+)|(?P<text>\"[^\"]*\")|(?P<name>[A-Z_]+)|(?P<word>[a-z]+)"
    r"|(?P<mark>\.\.|!=|<=|>=|[-+*/^@#!<>=(){}\[\],:&|])"
)
EXAMPLE = 'Write it like: output 3d6 named "sum"'
MOST_NODES, MOST_CALLS = 4000, 10


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Whole numbers in order, known before anything is rolled."""

    values: tuple[int, ...]


Value = Node | Sequence


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    sort: str  # n, s or d


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program: its parameters and where its body begins."""

    parameters: tuple[Parameter, ...]
    start: int
    end: int


@dataclass(slots=True)
class Scope:
    """Variables of the program or of one call."""

    values: dict[str, Value] = field(default_factory=dict)
    family: tuple[tuple[str, int], ...] = ()


def parse(text: str) -> syntax.Program:
    """Read an AnyDice program; a call with the wrong number of arguments is told like any other slip.

    >>> print(parse("output [highest 3 of 4d6] named \\"ability\\""))
    output 4D6kh3 named "ability"
    """
    return _AnyDice(text).program()


class _AnyDice:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.next = 0
        self.depth = 0
        self.statements: list[syntax.Statement] = []
        self.functions: dict[str, Function] = {}
        self.kinds: dict[str, syntax.Kind] = {}
        self.explode_depth, self.most_calls = 2, MOST_CALLS
        self.calls = 0
        self.nodes = 0

    # -- tokens -------------------------------------------------------------------------------------------------------

    def _tokens(self) -> list[Token]:
        if len(self.text) > MAX_LENGTH:
            raise LanguageError(
                f"The text has {len(self.text):,} characters", f"At most {MAX_LENGTH:,} are read.",
                text=self.text, position=MAX_LENGTH, constraint="length",
            )  # fmt: skip
        plain = self.text.replace("−", "-").replace("≥", "\x01").replace("“", '"').replace("”", '"')
        tokens, at = [], 0
        while at < len(plain):
            found = TOKEN.match(plain, at)
            if found is None:
                raise LanguageError(f"“{plain[at]}” means nothing here", EXAMPLE, text=self.text, position=at)
            if found.lastgroup != "space":
                tokens.append(Token(str(found.lastgroup), found.group(), at))
            at = found.end()
        tokens.append(Token("end", "", len(plain)))
        return tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.next += 1
        return token

    def at(self, *texts: str) -> bool:
        return self.token.kind in ("mark", "word") and self.token.text in texts

    def take(self, *texts: str) -> Token | None:
        return self.advance() if self.at(*texts) else None

    def need(self, text: str) -> Token:
        if not self.at(text):
            raise self.error(f"Here “{text}” is missing")
        return self.advance()

    def error(self, problem: str, fix: str = EXAMPLE, token: Token | None = None) -> LanguageError:
        return LanguageError(problem, fix, text=self.text, position=(token or self.token).at)

    def grown(self, node: Node) -> Node:
        """Count nodes, so that a program cannot unroll without end."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self.error("This program unrolls to too much", "Use fewer or shorter loops.")
        return node

    # -- statements ---------------------------------------------------------------------------------------------------

    def program(self) -> syntax.Program:
        scope = Scope()
        while self.token.kind != "end":
            self.statement(scope)
        if not any(isinstance(statement, syntax.Output) for statement in self.statements):
            raise self.error("The program has no output")
        return syntax.Program(tuple(self.statements), "anydice")

    def statement(self, scope: Scope) -> None:
        self.enter()
        token = self.token
        if token.kind == "name":
            self.assign(scope)
        elif self.take("output"):
            self.output(scope, token)
        elif self.take("function"):
            self.define()
        elif self.take("loop"):
            self.loop(scope, self.statement)
        elif self.take("set"):
            self.setting()
        elif self.take("if"):
            self.top_if(scope)
        else:
            raise self.error(f"“{token.text or 'the end'}” begins no statement")
        self.depth -= 1

    def enter(self) -> None:
        self.depth += 1
        if self.depth > 3 * MAX_DEPTH:
            raise self.error("This is nested too deeply", "Use fewer brackets.")

    def assign(self, scope: Scope) -> None:
        name = self.advance().text
        self.need(":")
        scope.values[name] = self.value(scope)

    def output(self, scope: Scope, token: Token) -> None:
        value = self.as_node(self.value(scope))
        label = ""
        if self.take("named"):
            if self.token.kind != "text":
                raise self.error("The name of the output is missing", 'Write it in quotation marks: named "damage"')
            label = self._filled(self.advance().text.strip('"'), scope)
        outputs = sum(isinstance(statement, syntax.Output) for statement in self.statements)
        if outputs >= MAX_OUTPUTS:
            raise self.error(f"There are more than {MAX_OUTPUTS} outputs", "Use a shorter loop.", token)
        self.statements.append(syntax.Output(value, label, scope.family, at=token.at))

    def _filled(self, label: str, scope: Scope) -> str:
        def shown(found: re.Match[str]) -> str:
            value = scope.values.get(found.group(1))
            return str(value) if isinstance(value, Node) else found.group()

        return re.sub(r"\[([A-Z_]+)\]", shown, label)[:80]

    def loop(self, scope: Scope, body: Callable[[Scope], object]) -> None:
        name = self.token.text
        if self.advance().kind != "name":
            raise self.error("The loop has no variable", "Write it like: loop N over {1..6} { … }")
        self.need("over")
        values = self.value(scope)
        if not isinstance(values, Sequence) or len(values.values) > MAX_OUTPUTS:
            raise self.error("A loop runs over a short sequence", "Write it like: loop N over {1..6} { … }")
        start, family = self.next, scope.family
        if not values.values:
            self.skip_block()
        for value in values.values:
            self.next = start
            scope.values[name] = syntax.Number(value)
            scope.family = (*family, (name, value))
            self.block(scope, body)
        scope.family = family

    def block(self, scope: Scope, body: Callable[[Scope], object]) -> None:
        self.need("{")
        while not self.at("}"):
            if self.token.kind == "end":
                raise self.error("Here “}” is missing")
            body(scope)
        self.need("}")

    def skip_block(self) -> None:
        self.need("{")
        open_blocks = 1
        while open_blocks:
            token = self.advance()
            if token.kind == "end":
                raise self.error("Here “}” is missing")
            if token.kind == "mark":
                open_blocks += (token.text == "{") - (token.text == "}")

    def top_if(self, scope: Scope) -> None:
        """Outside functions a condition must be known before anything is rolled."""
        condition = self.as_node(self.value(scope))
        if not isinstance(condition, syntax.Number):
            raise self.error("Outside a function, “if” needs a number", "Put it in a function with a :n parameter.")
        self.chosen_block(scope, condition.value != 0)

    def chosen_block(self, scope: Scope, holds: bool) -> None:
        if holds:
            self.block(scope, self.statement)
        else:
            self.skip_block()
        while self.take("else"):
            if self.take("if"):
                condition = self.as_node(self.value(scope))
                if not isinstance(condition, syntax.Number):
                    raise self.error("Outside a function, “if” needs a number")
                now = not holds and condition.value != 0
            else:
                now = not holds
            if now:
                self.block(scope, self.statement)
            else:
                self.skip_block()
            holds = holds or now

    def setting(self) -> None:
        name = self.advance().text.strip('"')
        self.need("to")
        if self.token.kind == "text":
            raise self.error(f"“{name}” is not read", "Leave this setting out.")
        if self.token.kind != "number":
            raise self.error("This setting needs a number", 'Write it like: set "explode depth" to 5')
        number = int(self.advance().text[:6])
        if name == "explode depth":
            self.explode_depth = min(number, 100)
        elif name == "maximum function depth":
            self.most_calls = min(number, 20)
        else:
            raise self.error(f"“{name}” is not read", "Leave this setting out.")

    # -- functions ----------------------------------------------------------------------------------------------------

    def define(self) -> None:
        self.need(":")
        words: list[str] = []
        parameters: list[Parameter] = []
        while not self.at("{"):
            token = self.advance()
            if token.kind == "name":
                sort = self.advance().text if self.take(":") else "d"
                if sort not in ("n", "s", "d"):
                    raise self.error(f"“:{sort}” is no kind of parameter", "Write :n, :s or :d.", token)
                parameters.append(Parameter(token.text, sort))
                words.append("_")
            elif token.kind == "word":
                words.append(token.text)
            else:
                raise self.error(
                    "A function's name is words and parameters", "Write it like: function: double X:n { … }"
                )
        start = self.next
        self.skip_block()
        self.functions[" ".join(words)] = Function(tuple(parameters), start, self.next)

    def call(self, scope: Scope) -> Value:
        token = self.need("[")
        words: list[str] = []
        arguments: list[Value] = []
        while not self.at("]"):
            if self.token.kind == "end":
                raise self.error("Here “]” is missing")
            if self.token.kind == "word" and not self._begins_die():
                words.append(self.advance().text)
            else:
                arguments.append(self.value(scope))
                words.append("_")
        self.need("]")
        name = " ".join(words)
        if name in self.functions:
            return self.called(self.functions[name], arguments, token)
        if name in BUILT_IN:
            return BUILT_IN[name](self, arguments, token)
        known = ", ".join(f"[{each}]" for each in sorted(BUILT_IN))
        raise self.error(f"There is no function [{name}]", f"Read are: {known}.", token)

    def called(self, function: Function, arguments: list[Value], token: Token) -> Value:
        if self.calls >= self.most_calls:
            return syntax.Number(0, at=token.at)  # as AnyDice: a call too deep gives nothing
        self.grown(syntax.Number(0))
        before = set(self.kinds)
        bound = zip(function.parameters, arguments, strict=True)
        scope = Scope({parameter.name: self._bound(parameter, value, token) for parameter, value in bound})
        self.calls += 1
        back, self.next = self.next, function.start
        self.need("{")
        result = self.run(scope, [], token)
        self.next = back
        self.calls -= 1
        return self._a_die(result, set(self.kinds) - before)

    def _a_die(self, result: Node, own: set[str]) -> Node:
        """What a call gives is a die, rolled anew at each mention, unless it depends on another call's roll."""
        names = {node.name for node in syntax.walk(result) if isinstance(node, syntax.Name)}
        if not names or not names <= own:
            return result
        return self.grown(syntax.Repeat(syntax.Number(1), result, at=result.at))

    def _bound(self, parameter: Parameter, value: Value, token: Token) -> Value:
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

    def run(self, scope: Scope, after: list[int], token: Token) -> Node:
        """The result of a body from here on; ``after`` are the places to go on at when a block ends."""
        self.enter()
        try:
            return self._run(scope, after, token)
        finally:
            self.depth -= 1

    def _run(self, scope: Scope, after: list[int], token: Token) -> Node:
        while True:
            if self.take("}"):
                if not after:
                    return syntax.Number(0, at=token.at)
                self.next = after[-1]
                after = after[:-1]
            elif self.take("result"):
                self.need(":")
                return self.as_node(self.value(scope))
            elif self.take("if"):
                return self._branch(scope, after, token)
            elif self.take("loop"):
                raise self.error("Loops inside functions are not read", "Write the steps one after the other.")
            elif self.token.kind == "name":
                self.assign(scope)
            else:
                raise self.error(f"“{self.token.text or 'the end'}” begins no statement of a function")

    def _branch(self, scope: Scope, after: list[int], token: Token) -> Node:
        condition = self.truth(self.as_node(self.value(scope)))
        here = self.next
        self.skip_block()
        otherwise = self.next
        end = self._after_branches()
        if isinstance(condition, syntax.Number):
            return self._taken(scope, after, token, here if condition.value else otherwise, end)
        copies = Scope(dict(scope.values)), Scope(dict(scope.values))
        then = self._taken(copies[0], after, token, here, end)
        rest = self._taken(copies[1], after, token, otherwise, end)
        return self.grown(syntax.If(condition, then, rest, at=token.at))

    def _taken(self, scope: Scope, after: list[int], token: Token, start: int, end: int) -> Node:
        """Go on in one branch: a block, what follows ``else``, or past all of it."""
        self.next = start
        if self.at("{"):
            self.advance()
            return self.run(scope, [*after, end], token)
        if self.take("else"):
            if self.take("if"):
                return self._branch(scope, after, token)
            self.need("{")
            return self.run(scope, [*after, end], token)
        return self.run(scope, after, token)

    def _after_branches(self) -> int:
        while self.at("else"):
            self.advance()
            if self.take("if"):
                self.skip_expression()
            self.skip_block()
        return self.next

    def skip_expression(self) -> None:
        """Pass over a condition up to the block behind it."""
        brackets = 0
        while self.token.kind != "end" and (brackets or not self.at("{") or self._is_sequence()):
            brackets += self.at("(", "[", "{") - self.at(")", "]", "}")
            self.advance()

    def _is_sequence(self) -> bool:
        before = self.tokens[self.next - 1]
        return (
            before.kind == "mark" and before.text in ("=", "<", ">", "<=", ">=", "!=", "@", "&", "|")
        ) or before.text == "d"

    # -- expressions --------------------------------------------------------------------------------------------------

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
            other = self.as_node(self._bound(one, right, token))
            found = [self._compared(sign, syntax.Number(value), other, token) for value in left.values]
        else:
            assert isinstance(right, Sequence)
            other = self.as_node(self._bound(one, left, token))
            found = [self._compared(sign, other, syntax.Number(value), token) for value in right.values]
        return self._a_die(self._sum_of(found), set(self.kinds) - before)

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
        size = pool_size(self._resolved(dice))
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

    def _resolved(self, node: Node) -> Node:
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


# -- functions AnyDice brings along -----------------------------------------------------------------------------------


def _ranked(which: str) -> Callable[[_AnyDice, list[Value], Token], Node]:
    def keep(reader: _AnyDice, arguments: list[Value], token: Token) -> Node:
        number, pool = reader.whole(arguments[0], token), reader.pool(arguments[1], token)
        size = pool_size(reader._resolved(pool))
        if number < 1 or (size is not None and number > size):
            raise reader.error(f"The number of dice kept must be 1–{size}; you entered {number}", EXAMPLE, token)
        if which == "highest":
            return syntax.Keep(pool, "highest", number, at=token.at)
        return syntax.Keep(pool, "lowest" if which == "lowest" else "middle", number, at=token.at)

    return keep


def _extreme(which: str) -> Callable[[_AnyDice, list[Value], Token], Node]:
    def choose(reader: _AnyDice, arguments: list[Value], token: Token) -> Node:
        items = tuple(reader.as_node(argument) for argument in arguments)
        return syntax.Extreme("max" if which == "max" else "min", items, at=token.at)

    return choose


def _count(reader: _AnyDice, arguments: list[Value], token: Token) -> Node:
    wanted = arguments[0]
    faces = wanted.values if isinstance(wanted, Sequence) else (reader.whole(wanted, token),)
    once = Faces(listed=tuple(sorted(set(faces))))
    if len(set(faces)) != len(faces):
        twice = tuple(sorted(face for face in set(faces) if faces.count(face) == 2))
        if any(faces.count(face) > 2 for face in faces):
            raise reader.error("A face counts at most twice", "Leave the repetition out.", token)
        return syntax.Count(reader.pool(arguments[1], token), once, Faces(listed=twice), at=token.at)
    return syntax.Count(reader.pool(arguments[1], token), once, at=token.at)


def _explode(reader: _AnyDice, arguments: list[Value], token: Token) -> Node:
    pool = reader.pool(arguments[0], token)
    if not isinstance(pool, (syntax.Dice, syntax.CustomDice)) or pool_size(pool) != 1:
        raise reader.error("[explode …] takes one die", "Write it like 3d[explode d6].", token)
    return syntax.Explode(pool, Faces(), "compound", reader.explode_depth, at=token.at)


def _absolute(reader: _AnyDice, arguments: list[Value], token: Token) -> Node:
    return syntax.Absolute(reader.as_node(arguments[0]), at=token.at)


def _maximum(reader: _AnyDice, arguments: list[Value], token: Token) -> Node:
    die = arguments[0]
    if isinstance(die, syntax.Dice) and isinstance(die.sides, syntax.Number):
        return die.sides
    if isinstance(die, syntax.CustomDice):
        return syntax.Number(max(die.faces))
    raise reader.error("[maximum of …] takes one die", "Write it like [maximum of d6].", token)


BUILT_IN: dict[str, Callable[[_AnyDice, list[Value], Token], Node]] = {
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

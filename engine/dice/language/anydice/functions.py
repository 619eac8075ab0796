"""Functions of an AnyDice program: how they are defined, and what a call of one gives."""

from __future__ import annotations

from engine.dice.language import syntax
from engine.dice.language.anydice.built_in import BUILT_IN
from engine.dice.language.anydice.cursor import Function, Parameter, Scope, Token, Value
from engine.dice.language.anydice.expressions import ExpressionReader
from engine.dice.language.syntax import Node

MOST_CALLS = 10


class FunctionReader(ExpressionReader):
    """Reads definitions and calls: a call reads the body again, with the parameters bound."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.functions: dict[str, Function] = {}
        self.explode_depth, self.most_calls = 2, MOST_CALLS
        self.calls = 0

    def assign(self, scope: Scope) -> None:
        name = self.advance().text
        self.need(":")
        scope.values[name] = self.value(scope)

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
        scope = Scope({parameter.name: self.bound_roll(parameter, value, token) for parameter, value in bound})
        self.calls += 1
        back, self.next = self.next, function.start
        self.need("{")
        result = self.run(scope, [], token)
        self.next = back
        self.calls -= 1
        return self.as_die(result, set(self.kinds) - before)

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

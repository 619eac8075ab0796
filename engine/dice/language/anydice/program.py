"""Statements of an AnyDice program: outputs, variables, loops, settings and conditions known beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.dice.language import syntax
from engine.dice.language.anydice.cursor import Scope, Sequence, Token
from engine.dice.language.anydice.functions import FunctionReader
from engine.dice.language.native.cursor import MAX_OUTPUTS
from engine.dice.language.syntax import Node


def parse(text: str) -> syntax.Program:
    """Read an AnyDice program; a call with the wrong number of arguments is told like any other slip.

    >>> print(parse("output [highest 3 of 4d6] named \\"ability\\""))
    output 4D6kh3 named "ability"
    """
    return ProgramReader(text).program()


class ProgramReader(FunctionReader):
    """Reads a whole program."""

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

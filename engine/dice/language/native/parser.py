"""The native notation: a recursive-descent parser from tokens to the abstract syntax.

Grammar (``docs/dice-language.md`` has every operator with an example):

    program    = { statement (";" | line break) }
    statement  = name "=" expression | "for" name "in" values ":" statement | ["output"] expression ["named" text]
    expression = choice ["given" (choice | comparison sum)]
    choice     = "if" choice "then" choice "else" choice | either
    either     = both {"or" both};  both = denied {"and" denied};  denied = ["not"] question
    question   = sum [("=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "vs" | "beats") sum]
    sum        = product {("+" | "-") product};  product = signed {("*" | "/") signed};  signed = {"-"} rolled
    rolled     = primary {modifier}
    primary    = number | text | name | [count] "D" sides | count "x" signed | "{" expression {"," expression} "}"
               | "(" expression ")" | function "(" … ")" | ("highest" | "lowest" | "middle") number "of" rolled
"""

from __future__ import annotations

from engine.dice.language import syntax
from engine.dice.language.native.cursor import MAX_FACE, MAX_OUTPUTS, MAX_STATEMENTS, MAX_TEXT
from engine.dice.language.native.expressions import ExpressionReader, folded


def parse(text: str) -> syntax.Program:
    """Read a program in the native notation, or say where and why it cannot be read.

    >>> print(parse("hit = d20 + 5; hit >= 15"))
    hit = D20+5
    hit >= 15
    """
    return Parser(text).program()


class Parser(ExpressionReader):
    """Reads the statements of a program."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.family: tuple[tuple[str, int], ...] = ()

    def program(self) -> syntax.Program:
        self.lines()
        while self.token.kind != "end":
            self.statement()
            if self.token.kind not in ("line", "end"):
                raise self.unexpected()
            self.lines()
            if len(self.statements) > MAX_STATEMENTS + MAX_OUTPUTS:
                raise self.error("There are too many lines", f"At most {MAX_STATEMENTS} are read.", constraint="length")
        return syntax.Program(self._with_output())

    def _with_output(self) -> tuple[syntax.Statement, ...]:
        outputs = sum(isinstance(statement, syntax.Output) for statement in self.statements)
        if not self.statements:
            raise self.error("There is nothing to roll yet")
        if outputs > MAX_OUTPUTS:
            raise self.error(
                f"That asks {outputs} questions", f"At most {MAX_OUTPUTS} are answered at a time.", constraint="length"
            )
        last = self.statements[-1]
        if not outputs and isinstance(last, syntax.Assign):  # a name alone asks for what it names
            return (*self.statements, syntax.Output(syntax.Name(last.name, at=last.at), last.name, at=last.at))
        return tuple(self.statements)

    def lines(self) -> None:
        while self.token.kind == "line":
            self.advance()

    def statement(self) -> None:
        self.enter()
        token = self.token
        after = self.tokens[min(self.next + 1, len(self.tokens) - 1)]
        if token.kind == "name" and after.kind == "mark" and after.text == "=":
            self._assign()
        elif self.at_word("for"):
            self._for()
        else:
            self.take_word("output")
            value = self.expression()
            label = ""
            if self.take_word("named", "as"):
                label = self._label()
            self.statements.append(syntax.Output(value, label, self.family, at=token.at))
        self.leave()

    def _label(self) -> str:
        if self.token.kind != "text":
            raise self.error("A name for the answer is missing", 'Write it in quotation marks: named "damage".')
        return self.advance().text[:MAX_TEXT]

    def _assign(self) -> None:
        name = self.advance()
        self.advance()
        if self.family:
            raise self.error("A loop cannot name a roll", "Put the roll itself after the colon.", name)
        if name.text in self.kinds or name.text in self.constants:
            raise self.error(f"“{name.text}” is already the name of a roll", "Choose another name.", name)
        value = folded(self.expression())
        if isinstance(value, syntax.Number):
            self.constants[name.text] = value.value
        self.kinds[name.text] = self.kind(value)
        self.statements.append(syntax.Assign(name.text, value, at=name.at))

    def _for(self) -> None:
        self.advance()
        if self.token.kind != "name":
            raise self.error("A loop needs a name", "Write it like: for n in 1..6: nD6kh1")
        name = self.advance()
        if not self.take_word("in"):
            raise self.error("Here “in” is missing", "Write it like: for n in 1..6: nD6kh1")
        values = self._values()
        self.need_mark(":", "Write it like: for n in 1..6: nD6kh1")
        self.lines()
        start, family = self.next, self.family
        outer = self.constants.get(name.text)
        for value in values:
            self.next = start
            self.constants[name.text] = value
            self.family = (*family, (name.text, value))
            self.statement()
            if len(self.statements) > MAX_STATEMENTS + MAX_OUTPUTS:
                raise self.error("That loop asks too many questions", f"At most {MAX_OUTPUTS} are answered.", name)
        self.family = family
        del self.constants[name.text]
        if outer is not None:
            self.constants[name.text] = outer

    def _values(self) -> tuple[int, ...]:
        braced = self.take_mark("{")
        values: list[int] = []
        while True:
            at = self.token
            first = self.whole("A value of a loop", -MAX_FACE, MAX_FACE)
            if self.take_mark(".."):
                last = self.whole("A value of a loop", -MAX_FACE, MAX_FACE)
                step = self.whole("The step", 1, 1000) if self.take_word("step") else 1
                run = range(first, last + 1, step) if last >= first else range(first, last - 1, -step)
                if len(run) > MAX_OUTPUTS:
                    raise self.error(
                        f"That loop has {len(run):,} values",
                        f"At most {MAX_OUTPUTS} are drawn; use a step.",
                        at,
                        "range",
                    )
                values += run
            else:
                values.append(first)
            if not self.take_mark(","):
                break
        if braced:
            self.need_mark("}", "Close the list of values with }.")
        if len(values) > MAX_OUTPUTS:
            raise self.error(f"That loop has {len(values)} values", f"At most {MAX_OUTPUTS} are drawn.")
        return tuple(values)

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

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from engine.dice.language import syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.syntax import Comparison, Faces, Kind, Node
from engine.dice.language.tokens import MAX_NUMBER, Token, tokenize

MAX_DICE, MAX_SIDES, MAX_FACE, MAX_FACES = 1000, 1000, 10_000, 1000
MAX_DEPTH, MAX_STATEMENTS, MAX_OUTPUTS, MAX_LIMIT = 30, 60, 60, 100
MAX_TEXT = 40

COMPARISONS: dict[str, Comparison] = {
    "=": "=", "==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
KEEPS: dict[str, tuple[Literal["highest", "lowest", "middle"], bool]] = {
    "kh": ("highest", False), "k": ("highest", False), "h": ("highest", False),
    "kl": ("lowest", False), "l": ("lowest", False),
    "km": ("middle", False), "m": ("middle", False),
    "dh": ("highest", True), "dl": ("lowest", True), "d": ("lowest", True),
}  # fmt: skip
CLAUSES = {"twice": "twice", "minus": "minus", "f": "minus", "cancel": "cancel", "botch": "botch"}
EXAMPLE = "Write dice like 3D6+2, 4D6kh3 or 8D6 count >=5."


def parse(text: str) -> syntax.Program:
    """Read a program in the native notation, or say where and why it cannot be read.

    >>> print(parse("hit = d20 + 5; hit >= 15"))
    hit = D20+5
    hit >= 15
    """
    return Parser(text).program()


@dataclass(slots=True)
class Modifiers:
    """Modifiers of one roll as they are met; they are applied in the order dice are handled at a table."""

    rerolls: list[Callable[[Node], Node]] = field(default_factory=list)
    clamps: list[Callable[[Node], Node]] = field(default_factory=list)
    explosions: list[Callable[[Node], Node]] = field(default_factory=list)
    lasts: list[tuple[Token, Callable[[Node], Node]]] = field(default_factory=list)


class Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.next = 0
        self.depth = 0
        self.constants: dict[str, int] = {}
        self.kinds: dict[str, Kind] = {}
        self.statements: list[syntax.Statement] = []
        self.family: tuple[tuple[str, int], ...] = ()
        self.hidden = 0

    # -- tokens -------------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.next += 1
        return token

    def at_mark(self, *marks: str) -> bool:
        return self.token.kind == "mark" and self.token.text in marks

    def at_word(self, *words: str) -> bool:
        return self.token.kind == "word" and self.token.lower in words

    def take_mark(self, *marks: str) -> Token | None:
        return self.advance() if self.at_mark(*marks) else None

    def take_word(self, *words: str) -> Token | None:
        return self.advance() if self.at_word(*words) else None

    def need_mark(self, mark: str, fix: str) -> Token:
        if not self.at_mark(mark):
            raise self.error(f"Here “{mark}” is missing", fix)
        return self.advance()

    def attached(self) -> bool:
        """Whether the next token follows without a space."""
        return self.next > 0 and self.tokens[self.next - 1].end == self.token.at

    def _fail(
        self, problem: str, fix: str = EXAMPLE, token: Token | None = None, constraint: str = "notation"
    ) -> Token:
        raise self.error(problem, fix, token, constraint)

    def error(
        self, problem: str, fix: str = EXAMPLE, token: Token | None = None, constraint: str = "notation"
    ) -> LanguageError:
        at = (token or self.token).at
        return LanguageError(problem, fix, text=self.text, position=at, constraint=constraint)

    def unexpected(self) -> LanguageError:
        token = self.token
        if token.kind in ("end", "line"):
            return self.error("Something is missing here")
        shown = f"“{token.text}”"
        return self.error(f"{shown} is not dice notation here")

    # -- statements ---------------------------------------------------------------------------------------------------

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
        self._enter()
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
        self._leave()

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

    # -- expressions --------------------------------------------------------------------------------------------------

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(
                "This is nested too deeply",
                f"At most {MAX_DEPTH} brackets may be open; name a part of it.",
                None,
                "depth",
            )

    def _leave(self) -> None:
        self.depth -= 1

    def expression(self) -> Node:
        self._enter()
        body = self.choice()
        at = self.token
        if self.take_word("given"):
            if self.token.kind == "mark" and self.token.text in COMPARISONS:
                body = self._hidden_name(body)
                sign = COMPARISONS[self.advance().text]
                condition: Node = syntax.Compare(sign, self.number(body, at), self.number(self.sum(), at), at=at.at)
            else:
                condition = self.choice()
            self._need_truth(condition, at)
            body = syntax.Given(body, condition, at=body.at)
        self._leave()
        return body

    def _hidden_name(self, body: Node) -> Node:
        """Name a roll nobody named, so that it can be mentioned twice."""
        self.hidden += 1
        name = f"it{self.hidden}"
        self.kinds[name] = self.kind(body)
        self.statements.append(syntax.Assign(name, body, at=body.at))
        return syntax.Name(name, at=body.at)

    def choice(self) -> Node:
        at = self.token
        if not self.take_word("if"):
            return self.either()
        self._enter()
        condition = self.choice()
        self._need_truth(condition, at)
        self._skip_lines_before("then")
        if not self.take_word("then"):
            raise self.error("Here “then” is missing", "Write it like: if hit >= 15 then 2D6 else 0")
        then = self.choice()
        self._skip_lines_before("else")
        if not self.take_word("else"):
            raise self.error("Here “else” is missing", "Say what happens otherwise, such as: else 0")
        otherwise = self.choice()
        if (self.kind(then) == "text") != (self.kind(otherwise) == "text"):
            raise self.error("One branch is a text and the other a number", "Make both the same sort.", at)
        self._leave()
        return syntax.If(condition, then, otherwise, at=at.at)

    def _skip_lines_before(self, word: str) -> None:
        ahead = self.next
        while self.tokens[ahead].kind == "line" and self.tokens[ahead].text == "\n":
            ahead += 1
        if self.tokens[ahead].kind == "word" and self.tokens[ahead].lower == word:
            self.next = ahead

    def either(self) -> Node:
        left = self.both()
        while at := self.take_word("or"):
            right = self.both()
            self._need_truth(left, at)
            self._need_truth(right, at)
            left = syntax.Logic("or", left, right, at=at.at)
        return left

    def both(self) -> Node:
        left = self.denied()
        while at := self.take_word("and"):
            right = self.denied()
            self._need_truth(left, at)
            self._need_truth(right, at)
            left = syntax.Logic("and", left, right, at=at.at)
        return left

    def denied(self) -> Node:
        if at := self.take_word("not"):
            self._enter()
            body = self.denied()
            self._leave()
            self._need_truth(body, at)
            return syntax.Not(body, at=at.at)
        return self.question()

    def question(self) -> Node:
        left = self.sum()
        at = self.token
        if at.kind == "mark" and at.text in COMPARISONS:
            self.advance()
            right = self.sum()
            texts = (self.kind(left) == "text") + (self.kind(right) == "text")
            if texts == 1 or (texts and COMPARISONS[at.text] not in ("=", "!=")):
                raise self.error("A text can only equal a text", 'Write it like: result == "critical".', at)
            if self.token.kind == "mark" and self.token.text in COMPARISONS:
                raise self.error("Two comparisons in a row", "Join them with “and”: 2 < d6 and d6 < 5 needs a name.")
            left = syntax.Compare(COMPARISONS[at.text], left, right, at=at.at)
        elif self.take_word("vs", "against"):
            left = syntax.Versus(self.number(left, at), self.number(self.sum(), at), at=at.at)
        elif self.take_word("beats"):
            left = syntax.Compare(">", self.number(left, at), self.number(self.sum(), at), at=at.at)
        return left

    def sum(self) -> Node:
        left = self.product()
        while at := self.take_mark("+", "-"):
            right = self.number(self.product(), at)
            left = syntax.Arithmetic("+" if at.text == "+" else "-", self.number(left, at), right, at=at.at)
        return left

    def product(self) -> Node:
        left = self.signed()
        while at := self.take_mark("*", "/"):
            right = self.number(self.signed(), at)
            if at.text == "*":
                left = syntax.Arithmetic("*", self.number(left, at), right, at=at.at)
                continue
            if right == syntax.Number(0):
                raise self.error("Nothing can be divided by 0", "Divide by another number.", at)
            left = syntax.Divide(self.number(left, at), right, at=at.at)
        return left

    def signed(self) -> Node:
        if at := self.take_mark("-"):
            self._enter()
            body = self.number(self.signed(), at)
            self._leave()
            return (
                syntax.Number(-body.value, at=at.at)
                if isinstance(body, syntax.Number)
                else syntax.Negate(body, at=at.at)
            )
        if at := self.take_mark("+"):
            self._enter()
            body = self.number(self.signed(), at)
            self._leave()
            return body
        return self.rolled()

    # -- kinds --------------------------------------------------------------------------------------------------------

    def kind(self, node: Node) -> Kind:
        return syntax.kind_of(node, self.kinds)

    def number(self, node: Node, at: Token) -> Node:
        if self.kind(node) == "text":
            raise self.error("A text cannot be counted with", "Texts can be results, or be compared with ==.", at)
        return node

    def pool(self, node: Node, at: Token) -> Node:
        if self.kind(node) == "pool":
            return node
        raise self.error(
            "There are no single dice here", "This needs dice side by side, such as 4D6, 6x(2D6+1) or {D6, D8}.", at
        )

    def _need_truth(self, node: Node, at: Token) -> None:
        if self.kind(node) != "truth":
            raise self.error("This needs a question", "Compare something, such as hit >= 15.", at)

    def whole(self, what: str, low: int, high: int) -> int:
        """A whole number that is known before anything is rolled: a number, or a name of one."""
        at = self.token
        sign = -1 if self.take_mark("-") else 1
        token = self.advance()
        if token.kind == "number":
            value = sign * token.value
        elif token.kind == "name" and token.text in self.constants:
            value = sign * self.constants[token.text]
        else:
            raise self.error(f"{what} must be a number", f"Write a number from {low} to {high}.", at)
        return self.bounded(value, what, low, high, at)

    def bounded(self, value: int, what: str, low: int, high: int, at: Token) -> int:
        if not low <= value <= high:
            raise LanguageError(
                f"{what} must be {low}–{high}; you entered {value}",
                f"Choose a number from {low} to {high}.",
                text=self.text,
                position=at.at,
                constraint="range",
                expected=f"{low}–{high}",
            )
        return value

    # -- primaries ----------------------------------------------------------------------------------------------------

    def rolled(self) -> Node:
        return self.modified(self.primary())

    def primary(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.advance()
            return self._counted(syntax.Number(token.value, at=token.at), token)
        if token.kind == "name":
            return self._named(self.advance())
        if token.kind == "text":
            self.advance()
            return syntax.Text(token.text[:MAX_TEXT], at=token.at)
        if self.take_mark("("):
            body = self.expression()
            self.need_mark(")", "Close the bracket.")
            return self._counted(body, token)
        if self.take_mark("{"):
            return self._group(token)
        if token.kind == "word":
            return self._word()
        raise self.unexpected()

    def _named(self, token: Token) -> Node:
        if token.text in self.constants:
            return self._counted(syntax.Number(self.constants[token.text], at=token.at), token)
        if token.text not in self.kinds:
            raise self.error(
                f"“{token.text}” has no roll yet", f"Name it on an earlier line: {token.text} = D20+5", token
            )
        return self._counted(syntax.Name(token.text, at=token.at), token)

    def _counted(self, count: Node, token: Token) -> Node:
        """What a number, a name or a bracket begins: dice, a repetition, or only itself."""
        if self.at_word("d", "df", "x"):
            count = folded(count)
        if self.at_word("d", "df"):
            return self._dice(count, token)
        if self.at_word("x") and self._begins_operand(self.next + 1):
            self.advance()
            if isinstance(count, syntax.Number):
                self.bounded(count.value, "The number of repetitions", 1, MAX_DICE, token)
            self._enter()
            body = self.number(self.primary(), token)
            self._leave()
            return syntax.Repeat(self.number(count, token), body, at=token.at)
        return count

    def _begins_operand(self, at: int) -> bool:
        token = self.tokens[at]
        return token.kind in ("number", "name", "word") or (token.kind == "mark" and token.text in ("(", "{"))

    def _dice(self, count: Node, token: Token) -> Node:
        count = self.number(count, token)
        if isinstance(count, syntax.Number):
            self.bounded(count.value, "The number of dice", 1, MAX_DICE, token)
        if self.take_word("df"):
            return syntax.CustomDice(count, syntax.FATE, at=token.at)
        self.advance()
        at = self.token
        if self.take_mark("%"):
            return syntax.Dice(count, syntax.Number(100), at=token.at)
        if self.take_mark("{"):
            return syntax.CustomDice(count, self._custom_faces(), at=token.at)
        if at.kind == "number" or (at.kind == "name" and at.text in self.constants):
            return syntax.Dice(count, syntax.Number(self.whole("The number of sides", 1, MAX_SIDES)), at=token.at)
        if at.kind == "name":
            self.advance()
            return syntax.Dice(count, self.number(self._mention(at), at), at=token.at)
        if self.take_mark("("):
            sides = folded(self.number(self.expression(), at))
            if isinstance(sides, syntax.Number):
                self.bounded(sides.value, "The number of sides", 1, MAX_SIDES, at)
            self.need_mark(")", "Close the bracket.")
            return syntax.Dice(count, sides, at=token.at)
        raise self.error("The die has no sides", "Write D6, D%, dF or D{1,1,2,3}.", at)

    def _mention(self, token: Token) -> Node:
        if token.text not in self.kinds:
            raise self.error(
                f"“{token.text}” has no roll yet", f"Name it on an earlier line: {token.text} = D20+5", token
            )
        return syntax.Name(token.text, at=token.at)

    def _custom_faces(self) -> tuple[int, ...]:
        faces: list[int] = []
        while True:
            first = self.whole("A face", -MAX_FACE, MAX_FACE)
            if self.take_mark(".."):
                last = self.whole("A face", -MAX_FACE, MAX_FACE)
                faces += range(min(first, last), min(max(first, last), min(first, last) + MAX_FACES + 1) + 1)
            elif self.take_mark(":"):
                faces += [first] * self.whole("How often a face is there", 1, MAX_FACES)
            else:
                faces.append(first)
            if len(faces) > MAX_FACES:
                raise self.error("That die has too many faces", f"At most {MAX_FACES} are read.", None, "range")
            if not self.take_mark(","):
                break
        self.need_mark("}", "Close the list of faces with }.")
        return tuple(faces)

    def _group(self, token: Token) -> Node:
        items = [self.number(self.expression(), token)]
        while self.take_mark(","):
            items.append(self.number(self.expression(), token))
        self.need_mark("}", "Close the group of dice with }.")
        return syntax.Group(tuple(items), at=token.at)

    def _word(self) -> Node:
        token = self.token
        word = token.lower
        if word in ("d", "df"):
            return self._dice(syntax.Number(1, at=token.at), token)
        if word in ("highest", "lowest", "middle") and self.tokens[self.next + 1].text != "(":
            self.advance()
            number = 1 if self.at_word("of") else self.whole("The number of dice kept", 1, MAX_DICE)
            if not self.take_word("of"):
                raise self.error("Here “of” is missing", "Write it like: highest 3 of 4D6")
            self._enter()
            pool = self.pool(self.rolled(), token)
            self._leave()
            return self.keep(pool, _which(word), number, False, token)
        function = FUNCTIONS.get(word)
        if function is None:
            raise self._unknown(token)
        self.advance()
        self.need_mark("(", f"Write it like {word}(4D6).")
        self._enter()
        made = function(self, token)
        self._leave()
        self.need_mark(")", "Close the bracket.")
        return made

    def _unknown(self, token: Token) -> LanguageError:
        near = [name for name in (*FUNCTIONS, *self.kinds, *self.constants) if name[:3] == token.lower[:3]]
        fix = f"Did you mean {near[0]}?" if near else EXAMPLE
        return self.error(f"“{token.text}” is not dice notation", fix, token)

    # -- modifiers ----------------------------------------------------------------------------------------------------

    def modified(self, node: Node) -> Node:
        """Apply what follows a roll: rerolls first, then bounds, explosions, and last what is kept or counted."""
        found = Modifiers()
        first = self.token
        while self.read_modifier(found, node):
            pass
        steps = [*found.rerolls, *found.clamps, *found.explosions]
        if steps or found.lasts:
            node = self.pool(node, first)
        if found.rerolls or found.explosions:
            self._need_unrolled(node, first)
        for step in steps:
            node = step(node)
        if len(found.lasts) == 2 and (trimmed := self._trim(node, found.lasts)) is not None:
            return trimmed
        if len(found.lasts) > 1:
            raise self.error("Dice are kept or counted only once", "Remove one of the two.", found.lasts[1][0])
        for _, last in found.lasts:
            node = last(node)
        return node

    def _need_unrolled(self, pool: Node, at: Token) -> None:
        for part in syntax.walk(pool):
            if isinstance(part, syntax.Name):
                fix = "Write it where the roll is named, such as hit = 4D6!."
                raise self.error(f"The dice of “{part.name}” have already been rolled", fix, at)
            if isinstance(part, syntax.Repeat):
                return

    def _need_faces(self, pool: Node, at: Token) -> None:
        """Dice that are rolls themselves have no highest face printed on them."""
        if any(isinstance(part, syntax.Repeat) for part in syntax.walk(pool)):
            raise self.error("On which results does it explode?", "Write them: 3x(2D6)!>=11.", at)

    def _trim(self, pool: Node, lasts: list[tuple[Token, Callable[[Node], Node]]]) -> Node | None:
        """Dropping at both ends is one step: the ranks are those of the whole roll."""
        made = [last(pool) for _, last in lasts]
        drops = {keep.which: keep.number for keep in made if isinstance(keep, syntax.Keep) and keep.drop}
        if set(drops) != {"highest", "lowest"}:
            return None
        size = pool_size(pool)
        if size is not None and drops["highest"] + drops["lowest"] >= size:
            raise self.error("That drops every die", f"There are {size} dice.", lasts[1][0])
        return syntax.Trim(pool, drops["highest"], drops["lowest"], at=pool.at)

    def read_modifier(self, found: Modifiers, node: Node) -> bool:
        token = self.token
        if token.kind == "mark":
            if token.text in ("!", "!!"):
                found.explosions.append(self._explosion())
                return True
            return False
        if token.kind != "word":
            return False
        word = token.lower
        if word in KEEPS and self._is_modifier():
            self.advance()
            which, drop = KEEPS[word]
            self._keep_later(found, which, drop, token)
        elif word in ("keep", "drop"):
            self.advance()
            which_word = self.take_word("highest", "lowest", "middle")
            if which_word is None:
                raise self.error("Which dice?", "Write it like: 4D6 keep highest 3")
            self._keep_later(found, _which(which_word.lower), word == "drop", token)
        elif word in ("r", "ro", "rr"):
            self.advance()
            faces = self.faces("r1 or r<3")
            found.rerolls.append(lambda pool: syntax.Reroll(pool, faces, word == "ro", at=token.at))
        elif word == "rl":
            self.advance()
            number = self.whole("The number of dice rolled again", 1, MAX_DICE) if self._number_next() else 1
            found.lasts.append((token, lambda pool: self._reroll_lowest(pool, number, token)))
        elif word == "e":
            found.explosions.append(self._explosion())
        elif word in ("min", "max", "mi", "ma") and self.tokens[self.next + 1].text != "(":
            self.advance()
            bound = self.whole("The bound of a die", -MAX_FACE, MAX_FACE)
            side: Literal["min", "max"] = "min" if word in ("min", "mi") else "max"
            found.clamps.append(lambda pool: syntax.Clamp(pool, side, bound, at=token.at))
        elif word in ("count", "c", "cs", "t"):
            found.lasts.append((token, self._count()))
        elif word in ("adv", "dis"):
            self.advance()
            found.lasts.append((token, lambda pool: advantage(pool, word == "adv", 2, token.at)))
        else:
            return False
        return True

    def _reroll_lowest(self, pool: Node, number: int, at: Token) -> Node:
        self._need_unrolled(pool, at)
        plain = (syntax.Dice, syntax.CustomDice, syntax.Repeat, syntax.Reroll, syntax.Clamp)
        if not isinstance(pool, plain) or any(isinstance(part, syntax.Group) for part in syntax.walk(pool)):
            raise self.error("Only equal dice are rolled again by rank", "Write it like 4D6rl1.", at)
        size = pool_size(pool)
        if size is not None:
            self.bounded(number, "The number of dice rolled again", 1, size, at)
        return syntax.RerollLowest(pool, number, at=at.at)

    def _is_modifier(self) -> bool:
        """``k``, ``h``, ``l``, ``m`` and ``d`` alone are modifiers only before a number."""
        return len(self.token.text) > 1 or self.tokens[self.next + 1].kind in ("number", "name")

    def _number_next(self) -> bool:
        return self.token.kind == "number" or (self.token.kind == "name" and self.token.text in self.constants)

    def _keep_later(
        self, found: Modifiers, which: Literal["highest", "lowest", "middle"], drop: bool, token: Token
    ) -> None:
        number = self.whole("The number of dice kept", 1, MAX_DICE) if self._number_next() else 1
        found.lasts.append((token, lambda pool: self.keep(pool, which, number, drop, token)))

    def keep(
        self, pool: Node, which: Literal["highest", "lowest", "middle"], number: int, drop: bool, at: Token
    ) -> Node:
        size = pool_size(pool)
        if size is not None:
            most = size - 1 if drop else size
            self.bounded(number, f"The number of dice {'dropped' if drop else 'kept'}", 1, most, at)
        return syntax.Keep(pool, which, number, drop, at=at.at)

    def _explosion(self) -> Callable[[Node], Node]:
        mark = self.advance()
        way: Literal["new", "compound", "penetrate"] = "compound" if mark.text == "!!" else "new"
        limit = 10
        if self.token.kind == "word" and self.attached():
            letters = self.token.lower
            tail = letters.lstrip("po")
            marks = letters[: len(letters) - len(tail)]
            if marks in ("p", "o", "po", "op") and (not tail or tail in MODIFIER_WORDS):
                way = "penetrate" if "p" in marks else way
                limit = 1 if "o" in marks else limit
                self._cut_word(len(marks))
        faces = self.faces("!6 or !>=5") if self._faces_next() and (self.attached() or mark.kind == "word") else Faces()
        if self.take_word("limit"):
            limit = self.whole("The limit of explosions", 0, MAX_LIMIT)

        def explode(pool: Node) -> Node:
            if faces == Faces():
                self._need_faces(pool, mark)
            return syntax.Explode(pool, faces, way, limit, at=mark.at)

        return explode

    def _cut_word(self, length: int) -> None:
        """Take the first letters of the word that is next."""
        token = self.token
        if length == len(token.text):
            self.advance()
        else:
            self.tokens[self.next] = Token("word", token.text[length:], token.at + length, token.end)

    def _faces_next(self) -> bool:
        return self._number_next() or self.at_mark("{", "<", "<=", ">", ">=", "=", "==", "-")

    def faces(self, example: str) -> Faces:
        """A set of faces: 6, {1,2}, {5..6} or a comparison."""
        token = self.token
        if self.take_mark("{"):
            return Faces(listed=tuple(sorted(set(self._custom_faces()))))
        if token.kind == "mark" and token.text in COMPARISONS:
            sign = COMPARISONS[self.advance().text]
            return Faces(sign, self.whole("The face", -MAX_FACE, MAX_FACE))
        if self._number_next() or self.at_mark("-"):
            return Faces(listed=(self.whole("The face", -MAX_FACE, MAX_FACE),))
        raise self.error("Which faces?", f"Write it like {example}.")

    def _count(self) -> Callable[[Node], Node]:
        token = self.advance()
        if token.lower == "t":
            faces = Faces(">=", self.whole("The target", -MAX_FACE, MAX_FACE))
        else:
            faces = self.faces("count >=5, count 6 or count {1,2}")
        clauses: dict[str, Faces] = {}
        while self.token.kind == "word" and self.token.lower in CLAUSES:
            clause = self.advance()
            if CLAUSES[clause.lower] in clauses:
                raise self.error(f"“{clause.text}” is there twice", "Remove one of the two.", clause)
            clauses[CLAUSES[clause.lower]] = self.faces(f"{clause.lower} 1")
        return lambda pool: syntax.Count(pool, faces, **clauses, at=token.at)

    # -- functions ----------------------------------------------------------------------------------------------------

    def argument(self) -> Node:
        return self.number(self.expression(), self.token)

    def comma(self, example: str) -> None:
        self.need_mark(",", f"Write it like {example}.")


def pool_size(pool: Node) -> int | None:
    """How many dice lie there, where that is known before they are rolled.

    >>> pool_size(syntax.Dice(syntax.Number(4), syntax.Number(6)))
    4
    """
    if isinstance(pool, (syntax.Dice, syntax.CustomDice, syntax.Repeat)):
        return pool.count.value if isinstance(pool.count, syntax.Number) else None
    if isinstance(pool, syntax.Group):
        sizes = [pool_size(item) if isinstance(item, syntax.POOLS) else 1 for item in pool.items]
        return (
            None if None in sizes or any(isinstance(i, syntax.Name) for i in pool.items) else sum(filter(None, sizes))
        )
    if isinstance(pool, (syntax.Reroll, syntax.Clamp)):
        return pool_size(pool.pool)
    if isinstance(pool, syntax.Explode):
        return None if pool.way == "new" and pool.limit else pool_size(pool.pool)
    return None


def advantage(body: Node, high: bool, times: int, at: int) -> Node:
    """The best or the worst of a roll made several times."""
    return syntax.Keep(syntax.Repeat(syntax.Number(times), body, at=at), "highest" if high else "lowest", 1, at=at)


def _which(word: str) -> Literal["highest", "lowest", "middle"]:
    return "highest" if word == "highest" else "lowest" if word == "lowest" else "middle"


def folded(node: Node) -> Node:
    """Arithmetic of numbers alone is a number.

    >>> print(folded(syntax.Arithmetic("*", syntax.Number(2), syntax.Number(3))))
    6
    """
    if isinstance(node, syntax.Negate):
        body = folded(node.body)
        return syntax.Number(-body.value, at=node.at) if isinstance(body, syntax.Number) else node
    if not isinstance(node, syntax.Arithmetic):
        return node
    left, right = folded(node.left), folded(node.right)
    if not (isinstance(left, syntax.Number) and isinstance(right, syntax.Number)):
        return node
    a, b = left.value, right.value
    value = {"+": a + b, "-": a - b, "*": a * b}[node.operator]
    return node if abs(value) > MAX_NUMBER else syntax.Number(value, at=node.at)


MODIFIER_WORDS = frozenset(
    [
        *KEEPS,
        "r",
        "ro",
        "rr",
        "rl",
        "e",
        "min",
        "max",
        "mi",
        "ma",
        "count",
        "c",
        "cs",
        "t",
        "adv",
        "dis",
        "keep",
        "drop",
    ]
)


# -- functions by name ------------------------------------------------------------------------------------------------


def _extreme(parser: Parser, token: Token) -> Node:
    items = [parser.argument()]
    while parser.take_mark(","):
        items.append(parser.argument())
    if len(items) == 1 and parser.kind(items[0]) == "pool":
        return parser.keep(items[0], "highest" if token.lower == "max" else "lowest", 1, False, token)
    if len(items) < 2:
        raise parser.error(f"{token.lower} needs two rolls", f"Write it like {token.lower}(D6, D8).", token)
    return syntax.Extreme("max" if token.lower == "max" else "min", tuple(items), at=token.at)


def _absolute(parser: Parser, token: Token) -> Node:
    return syntax.Absolute(parser.argument(), at=token.at)


def _rounded(parser: Parser, token: Token) -> Node:
    body = parser.argument()
    if not isinstance(body, syntax.Divide):
        raise parser.error("There is nothing to round", f"Write it like {token.lower}(D6/2).", token)
    way: dict[str, syntax.Rounding] = {"floor": "down", "ceil": "up", "round": "nearest"}
    return syntax.Divide(body.left, body.right, way[token.lower], at=token.at)


def _advantage(parser: Parser, token: Token) -> Node:
    body = parser.argument()
    times = parser.whole("The number of rolls", 2, 20) if parser.take_mark(",") else 2
    return advantage(body, token.lower == "advantage", times, token.at)


def _ranked(parser: Parser, token: Token) -> Node:
    pool = parser.pool(parser.expression(), token)
    number = parser.whole("The number of dice kept", 1, MAX_DICE) if parser.take_mark(",") else 1
    return parser.keep(pool, _which(token.lower), number, False, token)


def _asked(question: syntax.PoolQuestion) -> Callable[[Parser, Token], Node]:
    def ask(parser: Parser, token: Token) -> Node:
        pool = parser.pool(parser.expression(), token)
        size = 2 if token.lower == "pairs" else 0
        if token.lower == "sets":
            parser.comma("sets(10D10, 3)")
            size = parser.whole("The size of a set", 2, MAX_DICE)
        return syntax.Ask(pool, question, size, at=token.at)

    return ask


def _pair_off(parser: Parser, token: Token) -> Node:
    left = parser.pool(parser.expression(), token)
    parser.comma("pair_off(3D6, 2D6)")
    right = parser.pool(parser.expression(), token)
    ties: Literal["right", "left"] = "right"
    if parser.take_mark(","):
        word = parser.take_word("left", "right")
        if word is None:
            raise parser.error("Who wins ties?", "Write left or right.")
        ties = "left" if word.lower == "left" else "right"
    return syntax.PairOff(left, right, ties, at=token.at)


def _margin(parser: Parser, token: Token) -> Node:
    left = parser.argument()
    parser.comma("margin(D20+5, 15)")
    return syntax.Arithmetic("-", left, parser.argument(), at=token.at)


def _bands(parser: Parser, token: Token) -> Node:
    example = 'bands(D100, 5: "critical", 50: "success", "failure")'
    body = parser.argument()
    ends: list[int] = []
    labels: list[str] = []
    while len(labels) == len(ends):
        parser.comma(example)
        at = parser.token
        if at.kind == "text":
            labels.append(parser.advance().text[:MAX_TEXT])
            break
        ends.append(parser.whole("The end of a band", -MAX_FACE, MAX_FACE))
        if len(ends) > 1 and ends[-1] <= ends[-2]:
            raise parser.error("The bands are not in order", f"After {ends[-2]} comes a larger number.", at)
        parser.need_mark(":", f"Write it like {example}.")
        if parser.token.kind != "text":
            raise parser.error("The band has no name", f"Write it like {example}.")
        labels.append(parser.advance().text[:MAX_TEXT])
    if not ends:
        raise parser.error("There is only one band", f"Write it like {example}.", token)
    return syntax.Bands(body, tuple(ends), tuple(labels), at=token.at)


FUNCTIONS: dict[str, Callable[[Parser, Token], Node]] = {
    "min": _extreme,
    "max": _extreme,
    "abs": _absolute,
    "floor": _rounded,
    "ceil": _rounded,
    "round": _rounded,
    "advantage": _advantage,
    "disadvantage": _advantage,
    "highest": _ranked,
    "lowest": _ranked,
    "middle": _ranked,
    "sum": _asked("sum"),
    "pairs": _asked("sets"),
    "sets": _asked("sets"),
    "largest_set": _asked("largest_set"),
    "longest_run": _asked("longest_run"),
    "highest_count": _asked("highest_count"),
    "different": _asked("different"),
    "pair_off": _pair_off,
    "margin": _margin,
    "bands": _bands,
}

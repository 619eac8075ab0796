"""What a statement asks for: conditions, comparisons, sums, and the dice, names and functions they are made of."""

from __future__ import annotations

from engine.dice.language import syntax
from engine.dice.language.errors import LanguageError
from engine.dice.language.native.cursor import COMPARISONS, EXAMPLE, MAX_DICE, MAX_SIDES, MAX_TEXT
from engine.dice.language.native.functions import FUNCTIONS
from engine.dice.language.native.hints import hint
from engine.dice.language.native.modifiers import ModifierReader, which_dice
from engine.dice.language.native.tokens import MAX_NUMBER, Token
from engine.dice.language.syntax import Node


class ExpressionReader(ModifierReader):
    """Reads one expression, operators from the loosest to the tightest."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.statements: list[syntax.Statement] = []
        self.hidden = 0

    def expression(self) -> Node:
        self.enter()
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
        self.leave()
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
        self.enter()
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
        self.leave()
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
            self.enter()
            body = self.denied()
            self.leave()
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
            self.enter()
            body = self.number(self.signed(), at)
            self.leave()
            return (
                syntax.Number(-body.value, at=at.at)
                if isinstance(body, syntax.Number)
                else syntax.Negate(body, at=at.at)
            )
        if at := self.take_mark("+"):
            self.enter()
            body = self.number(self.signed(), at)
            self.leave()
            return body
        return self.rolled()

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
            self.enter()
            body = self.number(self.primary(), token)
            self.leave()
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
            return syntax.CustomDice(count, self.listed_faces(), at=token.at)
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
            self.enter()
            pool = self.pool(self.rolled(), token)
            self.leave()
            return self.keep(pool, which_dice(word), number, False, token)
        function = FUNCTIONS.get(word)
        if function is None:
            raise self._unknown(token)
        self.advance()
        self.need_mark("(", f"Write it like {word}(4D6).")
        self.enter()
        made = function(self, token)
        self.leave()
        self.need_mark(")", "Close the bracket.")
        return made

    def _unknown(self, token: Token) -> LanguageError:
        near = [name for name in (*FUNCTIONS, *self.kinds, *self.constants) if name[:3] == token.lower[:3]]
        fix = f"Did you mean {near[0]}?" if near else hint(token.text, _naming(token.text))
        return self.error(f"“{token.text}” is not dice notation", fix, token)

    def argument(self) -> Node:
        return self.number(self.expression(), self.token)

    def comma(self, example: str) -> None:
        self.need_mark(",", f"Write it like {example}.")


def _naming(word: str) -> str:
    """How to fix a word nobody knows: what is written in capitals is meant as a name."""
    return f"Name it on an earlier line: {word} = 3." if word.isupper() else EXAMPLE


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

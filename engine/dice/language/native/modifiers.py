"""What follows a roll: which dice are kept, rolled again, added to, bounded or counted.

Modifiers are written in any order and applied in the one dice are handled at a table: rerolls, bounds, explosions, and
last what is kept or counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from engine.dice.language import syntax
from engine.dice.language.native.cursor import COMPARISONS, MAX_DICE, MAX_FACE, MAX_FACES, MAX_LIMIT, Cursor
from engine.dice.language.native.tokens import Token
from engine.dice.language.syntax import Faces, Node

Which = Literal["highest", "lowest", "middle"]

KEEPS: dict[str, tuple[Which, bool]] = {
    "kh": ("highest", False), "k": ("highest", False), "h": ("highest", False),
    "kl": ("lowest", False), "l": ("lowest", False),
    "km": ("middle", False), "m": ("middle", False),
    "dh": ("highest", True), "dl": ("lowest", True), "d": ("lowest", True),
}  # fmt: skip
CLAUSES = {"twice": "twice", "minus": "minus", "f": "minus", "cancel": "cancel", "botch": "botch"}
#: Words that may follow an explosion without a space, as in ``!okh3``.
MODIFIER_WORDS = frozenset(
    [
        *KEEPS,
        *("r", "ro", "rr", "rl", "e", "min", "max", "mi", "ma", "count", "c", "cs", "t", "adv", "dis"),
        *("keep", "drop"),
    ]
)


@dataclass(slots=True)
class Modifiers:
    """Modifiers of one roll as they are met; they are applied in the order dice are handled at a table."""

    rerolls: list[Callable[[Node], Node]] = field(default_factory=list)
    clamps: list[Callable[[Node], Node]] = field(default_factory=list)
    explosions: list[Callable[[Node], Node]] = field(default_factory=list)
    lasts: list[tuple[Token, Callable[[Node], Node]]] = field(default_factory=list)


class ModifierReader(Cursor):
    """Reads modifiers and sets of faces."""

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
            self._keep_later(found, self._which_dice(word), word == "drop", token)
        elif word in ("r", "ro", "rr", "reroll"):
            self.advance()
            faces = self.faces("r1 or r<3")
            found.rerolls.append(lambda pool: syntax.Reroll(pool, faces, word == "ro", at=token.at))
        elif word == "rl":
            self.advance()
            number = self.whole("The number of dice rolled again", 1, MAX_DICE) if self._number_next() else 1
            found.lasts.append((token, lambda pool: self._reroll_lowest(pool, number, token)))
        elif word in ("e", "explode", "exploding"):
            found.explosions.append(self._explosion())
        elif word in ("min", "max", "mi", "ma") and self.tokens[self.next + 1].text != "(":
            self.advance()
            bound = self.whole("The bound of a die", -MAX_FACE, MAX_FACE)
            side: Literal["min", "max"] = "min" if word in ("min", "mi") else "max"
            found.clamps.append(lambda pool: syntax.Clamp(pool, side, bound, at=token.at))
        elif word in ("count", "c", "cs", "t"):
            found.lasts.append((token, self._count()))
        elif word in ("adv", "dis", "advantage", "disadvantage"):
            self.advance()
            found.lasts.append((token, lambda pool: self._advantage(pool, token)))
        else:
            return False
        return True

    def _advantage(self, pool: Node, at: Token) -> Node:
        if pool_size(pool) != 1:
            die, total = ("2D20kh1", "advantage") if at.lower.startswith("adv") else ("2D20kl1", "disadvantage")
            fix = f"For one die of two write {die}, for one total of two {total}(2D6)."
            raise self.error(f"“{at.text}” follows one die", fix, at)
        return advantage(pool, at.lower.startswith("adv"), 2, at.at)

    def _which_dice(self, verb: str) -> Which:
        """Which dice are kept or dropped; a number alone means the best are kept and the worst dropped."""
        if word := self.take_word("highest", "lowest", "middle"):
            return which_dice(word.lower)
        if self._number_next():
            return "highest" if verb == "keep" else "lowest"
        raise self.error("Which dice?", f"Write it like: 4D6 {verb} highest 3")

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

    def _keep_later(self, found: Modifiers, which: Which, drop: bool, token: Token) -> None:
        number = self.whole("The number of dice kept", 1, MAX_DICE) if self._number_next() else 1
        found.lasts.append((token, lambda pool: self.keep(pool, which, number, drop, token)))

    def keep(self, pool: Node, which: Which, number: int, drop: bool, at: Token) -> Node:
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

    def listed_faces(self) -> tuple[int, ...]:
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

    def faces(self, example: str) -> Faces:
        """A set of faces: 6, {1,2}, {5..6} or a comparison."""
        token = self.token
        if self.take_mark("{"):
            return Faces(listed=tuple(sorted(set(self.listed_faces()))))
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


def which_dice(word: str) -> Which:
    """The end of a roll a word names."""
    return "highest" if word == "highest" else "lowest" if word == "lowest" else "middle"

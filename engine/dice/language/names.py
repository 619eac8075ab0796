"""Names of a program: what each stands for, what depends on it, and which results more than one place needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from engine.dice.language import syntax
from engine.dice.language.syntax import Node

#: A roll that has fallen: a number, or the faces of dice side by side.
Fallen = int | tuple[int, ...]
World = Mapping[str, Fallen]

#: Nodes that ask for single dice.
ASKING = (
    syntax.Keep, syntax.Trim, syntax.Explode, syntax.Reroll, syntax.RerollLowest, syntax.Clamp, syntax.Count,
    syntax.Ask, syntax.PairOff, syntax.Group,
)  # fmt: skip
#: Nodes that roll something.
ROLLING = (syntax.Dice, syntax.CustomDice, syntax.Repeat, syntax.Given)


class Names:
    """What each name of a program stands for, and in which order they were given."""

    def __init__(self, definitions: Mapping[str, Node]) -> None:
        self.definitions = dict(definitions)
        self.order = {name: place for place, name in enumerate(self.definitions)}
        self.kinds: dict[str, syntax.Kind] = {}
        self._reached: dict[int, tuple[Node, frozenset[str]]] = {}
        self._plain: dict[int, tuple[Node, frozenset[str] | None]] = {}
        for name, node in self.definitions.items():
            self.kinds[name] = syntax.kind_of(node, self.kinds)

    def reached(self, node: Node) -> frozenset[str]:
        """Every name a node's result depends on, directly or through other names."""
        known = self._reached.get(id(node))
        if known is None:
            names = set(mentioned(node))
            for name in tuple(names):
                names |= self.reached(self.definitions[name])
            known = self._reached[id(node)] = (node, frozenset(names))
        return known[1]

    def settled(self, node: Node, world: World) -> bool:
        """Whether nothing is left to roll in a node once these names have fallen."""
        known = self._plain.get(id(node))
        if known is None:
            plain = not any(isinstance(part, ROLLING) for part in within(node))
            known = self._plain[id(node)] = (node, frozenset(mentioned(node)) if plain else None)
        names = known[1]
        return names is not None and names <= world.keys()

    def shared(self, *nodes: Node) -> list[str]:
        """Names whose result more than one place depends on, earliest first."""
        if not self.definitions:
            return []
        mentions: Counter[str] = Counter()
        waiting, seen = list(nodes), set()
        while waiting:
            for name in mentioned(waiting.pop()):
                mentions[name] += 1
                if name not in seen:
                    seen.add(name)
                    waiting.append(self.definitions[name])
        return sorted((name for name, times in mentions.items() if times > 1), key=self.order.__getitem__)

    def as_dice(self, name: str, *nodes: Node) -> bool:
        """Whether some place asks for the single dice of a name and not only for their sum."""
        if self.kinds[name] != "pool":
            return False
        bodies = [*nodes, *self.definitions.values()]
        return any(
            isinstance(child, syntax.Name) and child.name == name and isinstance(node, ASKING)
            for body in bodies
            for node in within(body)
            for child in node.children()
        )


def within(node: Node) -> Iterator[Node]:
    """The node and what is below it in the same world."""
    yield node
    if isinstance(node, (syntax.Given, syntax.Repeat)):
        if isinstance(node, syntax.Repeat):
            yield from within(node.count)
        return
    for child in node.children():
        yield from within(child)


def mentioned(node: Node) -> Iterator[str]:
    """Every mention of a name in the world of a node."""
    return (found.name for found in within(node) if isinstance(found, syntax.Name))


class Labels:
    """Texts as numbers, in the order they are first met: results can then be distributions like any other."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def number(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

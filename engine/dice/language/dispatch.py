"""Methods chosen by the sort of node they are given.

``functools.singledispatchmethod`` makes a wrapper at every call, which costs more than most of these methods do; here
the choice is one look into a table.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from engine.dice.language.syntax import Node

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound=Callable[..., Any])


class by_node(Generic[P, R]):  # noqa: N801 - a decorator
    """Decorates the method for nodes without one of their own; ``register`` adds one for some sorts of node."""

    def __init__(self, default: Callable[Concatenate[Any, Any, P], R]) -> None:
        self.default = default
        self.methods: dict[type[Node], Callable[Concatenate[Any, Any, P], R]] = {}
        self.__doc__ = default.__doc__

    def register(self, *sorts: type[Node]) -> Callable[[M], M]:
        def add(method: M) -> M:
            self.methods.update(dict.fromkeys(sorts, method))
            return method

        return add

    def __call__(self, owner: Any, node: Node, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.methods.get(type(node), self.default)(owner, node, *args, **kwargs)

    def __get__(self, owner: Any, sort: type) -> Callable[Concatenate[Node, P], R]:
        return MethodType(self, owner)

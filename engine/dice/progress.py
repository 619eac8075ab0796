"""How much of one line is done, for those who wait for it.

Long loops report the share they have done; whoever waits listens. Loops inside loops say nothing: only the outermost
knows how much is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[float], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call ``listener`` with the share of the line that is done, from 0 to 1."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def reported(steps: Iterable[tuple[float, T]]) -> Iterator[T]:
    """Go through steps, each with its share of the whole, and report after each.

    >>> heard = []
    >>> with listening(heard.append):
    ...     list(reported([(0.25, "a"), (0.75, "b")]))
    ['a', 'b']
    >>> heard
    [0.25, 1.0]
    """
    listener = _listener.get()
    if listener is None:
        for _, step in steps:
            yield step
        return
    done, token = 0.0, _listener.set(None)
    try:
        for share, step in steps:
            yield step
            done += share
            listener(done)
    finally:
        _listener.reset(token)

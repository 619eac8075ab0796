"""Numeric loops: machine code made by Numba and kept on disk, and the same Python until it is there.

``@compiled`` marks a loop that Python calls, ``@inner`` a part of one. Numba itself is imported when the first machine
code is wanted, not before: a process that needs none pays neither its second of start-up nor its memory.

Compiling takes seconds, so it is done once: whoever compiles holds a lock that all processes share, and the others then
read from disk what it made. A process that must answer at once does not wait for that. After :func:`interpret` its
loops run as the Python they are written in, exactly the same and some hundred times slower, until they are told
otherwise; one part of it may go ahead in :func:`compiling`. Where a page waits for a loop, :func:`interpreted_as` gives
it a NumPy twin for that time.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
Machine = Callable[..., Any]

LOCK = "oddsmith-compiling.lock"


class Loop:
    """A loop as Python, and as machine code when that is wanted."""

    def __init__(self, python: Callable[..., Any], *, is_entry: bool, counts_references: bool) -> None:
        self.python, self.is_entry, self.counts_references = python, is_entry, counts_references
        self.__name__, self.__doc__, self.__module__ = python.__name__, python.__doc__, python.__module__
        self.__wrapped__ = python
        self.interpreted = python
        self._dispatcher: Machine | None = None
        self._machine: Machine | None = None  # the dispatcher, once it has answered: then nobody waits for it
        LOOPS.append(self)

    def __call__(self, *args: Any) -> Any:
        if self._machine is not None:
            return self._machine(*args)
        if not self.is_entry:
            return self.interpreted(*args)
        if not is_compiled():
            with np.errstate(over="ignore"):  # as in machine code, where 64-bit numbers wrap around without a word
                return self.interpreted(*args)
        with _alone(), _compiler().without_collecting():
            result = self.dispatcher(*args)
        self._machine = self.dispatcher
        return result

    @property
    def dispatcher(self) -> Any:
        """Numba's side of it: it compiles at the first call, and reads from disk in every later process."""
        if self._dispatcher is None:
            options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
            options |= {"cache": True} if self.is_entry else {"no_cpython_wrapper": True}
            if not self.counts_references:
                options["_nrt"] = False  # as Numba compiles its own sort
            self._dispatcher = _compiler().dispatcher(self.python, options)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes a loop for when another loop calls it."""
        return _compiler().Dispatcher(self.dispatcher)


#: Every loop there is, in the order of definition.
LOOPS: list[Loop] = []


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """A loop for Python to call. Its machine code is kept on disk, so only the first process ever pays for it."""
    return cast(Callable[P, R], Loop(function, is_entry=True, counts_references=True))


def compiled_in_place(function: Callable[P, R]) -> Callable[P, R]:
    """As :func:`compiled`, for loops that only use the arrays they are given: they make none and return none.

    Then no array is counted in and out at each call, which is an atomic step for every one of them and took up to
    four fifths of the time. Numba refuses to compile a loop that makes an array all the same.
    """
    return cast(Callable[P, R], Loop(function, is_entry=True, counts_references=False))


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Part of a compiled loop, in place: it has machine code only inside the loops that call it.

    What lets Python call machine code is most of what a small function costs to compile, so it has none of that.
    """
    return cast(Callable[P, R], Loop(function, is_entry=False, counts_references=False))


def interpreted_as(loop: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same as a loop in NumPy, for a process that interprets: many cells at a time instead of one by one."""

    def replace(function: Callable[P, R]) -> Callable[P, R]:
        cast(Loop, loop).interpreted = function
        return function

    return replace


# -- who compiles, and when -------------------------------------------------------------------------------------------

_goes_ahead: ContextVar[bool] = ContextVar("goes_ahead", default=False)


class _Process:
    """Whether this process runs loops as Python for now."""

    interprets = False


def interpret(yes: bool = True) -> None:
    """From now on run loops of this process as Python, or (with False) as machine code again."""
    _Process.interprets = yes


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """Here run loops of this process as Python, unless the code inside says otherwise."""
    before = _Process.interprets
    interpret()
    try:
        yield
    finally:
        interpret(before)


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Here, in a process that interprets, use and make machine code all the same."""
    token = _goes_ahead.set(True)
    try:
        yield
    finally:
        _goes_ahead.reset(token)


def is_compiled() -> bool:
    """Whether a loop that is called here would run as machine code."""
    return not _Process.interprets or _goes_ahead.get()


def all_loaded() -> None:
    """The loops this process needs are loaded: give back what the compiler holds, if it was there at all."""
    if _compiler.cache_info().currsize:
        _compiler().give_back_memory()


_in_process = threading.RLock()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Nobody else compiles meanwhile, in this process or another that shares the folder of machine code."""
    with _in_process, contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):  # where files cannot be locked, two may do the same work
            import fcntl

            file = held.enter_context(open(_lock_path(), "w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@cache
def _lock_path() -> Path:
    beside_sources = Path(__file__).parent / "__pycache__"
    for folder in (Path(os.environ.get("NUMBA_CACHE_DIR") or beside_sources), Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder / LOCK
    return Path(tempfile.gettempdir()) / LOCK


@cache
def _compiler() -> Any:
    from engine import compiler

    return compiler

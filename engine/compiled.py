"""Numba, typed: ``@compiled`` turns a numeric loop into machine code, kept on disk between processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile on first call. The machine code is cached, so only the first process ever pays for it."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def compiled_in_place(function: F) -> F:
    """As :func:`compiled`, for loops that only use the arrays they are given: they make none and return none.

    Then no array is counted in and out at each call, which is an atomic step for every one of them and took up to
    four fifths of the time. Numba refuses to compile a loop that makes an array all the same.
    """
    # Numba's own sort is compiled so; its types do not list the option.
    return cast(F, numba.njit(cache=True, nogil=True, _nrt=False)(function))  # type: ignore[call-overload]

"""Numba, typed: ``@compiled`` turns a numeric loop into machine code, kept on disk between processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile on first call. The machine code is cached, so only the first process ever pays for it."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def compiled_parallel(function: F) -> F:
    """As :func:`compiled`, with ``prange`` loops spread over the cores."""
    return cast(F, numba.njit(cache=True, nogil=True, parallel=True)(function))

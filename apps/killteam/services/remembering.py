"""Answers given lately: of two situations side by side one stays as it is while the other is changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from apps.core.calculator import Answer

KEPT = 64  # answers to a sheet, some 50 kB each
KEPT_LARGE = 8  # those with thousands of cells
Answering = Callable[[dict[str, Any]], Answer]


def remembered(answer: Answering, kept: int = KEPT) -> Answering:
    """The same service, asked once for the same settings; dice are rolled afresh, and a wait is asked about again."""

    @lru_cache(maxsize=kept)
    def known(frozen: tuple[tuple[str, Any], ...]) -> Answer:
        return answer({name: list(value) if isinstance(value, tuple) else value for name, value in frozen})

    @wraps(answer)
    def asked(settings: dict[str, Any]) -> Answer:
        if settings.get("check"):
            return answer(settings)
        frozen = tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in settings.items())
        found = known(frozen)
        return answer(settings) if found.facts.get("waiting") else found

    return asked

"""Core's door to the engine: any operation by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine import contracts
from engine.wire import Document


def answer(op: str, document: Any) -> dict[str, Any]:
    """The engine's envelope for one raw document."""
    return contracts.call(op, document)


def operations() -> Iterator[tuple[str, str, type[Document], type[Document]]]:
    """Name, summary, input and output of every operation."""
    for op in contracts.OPS.values():
        yield op.name, op.summary, op.input, op.output

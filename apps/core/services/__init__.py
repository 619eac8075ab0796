"""Core's door to the engine: any operation by name, and the engine's errors in a form's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError

from apps.core import metrics
from engine import contracts
from engine.wire import Document, EngineError

ONE_REQUEST = 10.0  # predicted seconds that the API may take; it has no job to offer


def answer(op: str, document: Any) -> dict[str, Any]:
    """The engine's envelope for one raw document, refused where it would keep a request too long."""
    with metrics.OPERATIONS.labels(op if op in contracts.OPS else "unknown").time():
        return contracts.call(op, document, seconds=ONE_REQUEST)


def operations() -> Iterator[tuple[str, str, type[Document], type[Document]]]:
    """Name, summary, input and output of every operation."""
    for op in contracts.OPS.values():
        yield op.name, op.summary, op.input, op.output


@contextmanager
def beside_the_field(fields: Mapping[str, str]) -> Iterator[None]:
    """Turn an engine error into a form error: ``fields`` maps the engine's field to the form's."""
    try:
        yield
    except EngineError as error:
        field = fields.get(str(error.details["field"]), "__all__")
        raise ValidationError({field: error.message}) from error

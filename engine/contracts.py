"""Every operation of the engine by name, and how a raw document becomes an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from engine.battletech import ops as battletech
from engine.dice import ops as dice
from engine.dicee import ops as dicee
from engine.killteam import ops as killteam
from engine.warhammer40k import ops as warhammer40k
from engine.wire import EngineError, Op

ROOMS: tuple[tuple[Op[Any, Any], ...], ...] = (dice.OPS, dicee.OPS, warhammer40k.OPS, battletech.OPS, killteam.OPS)
OPS: Mapping[str, Op[Any, Any]] = {op.name: op for room in ROOMS for op in room}


def call(op: str, document: Any, *, seconds: float = math.inf) -> dict[str, Any]:
    """Answer one raw document; the envelope of the front door, never an exception for bad input.

    What is predicted to take longer than so many ``seconds`` is refused.
    """
    if op not in OPS:
        known = sorted(OPS)
        return _failure(
            "ERR_UNKNOWN_OP",
            f"There is no operation {op!r}.",
            field="op",
            constraint="one of",
            expected=known,
            actual=op,
        )
    operation = OPS[op]
    try:
        request = operation.input.model_validate(document, by_alias=True, by_name=False)
        result = operation.run(request, seconds) if operation.is_bounded else operation.run(request)
    except ValidationError as error:
        return _invalid(error)
    except EngineError as error:
        return _failure(error.code, error.message, **error.details)
    return {"ok": True, "result": result.model_dump(mode="json", by_alias=True)}


def _invalid(error: ValidationError) -> dict[str, Any]:
    """What is wrong with a document, named by its path on the wire: an unknown field first, it explains the rest."""
    problems = error.errors(include_url=False)
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, EngineError):
        return _failure(inner.code, inner.message, **inner.details)
    field = ".".join(str(part) for part in first["loc"])
    ctx = {k: v for k, v in first.get("ctx", {}).items() if k != "error"}
    actual = first["input"] if isinstance(first["input"], (str, int, float, bool, type(None))) else None
    what = "is not a known field" if first["type"] == "extra_forbidden" else first["msg"]
    return _failure(
        "ERR_INVALID_INPUT",
        f"{field or 'input'}: {what}",
        field=field,
        constraint=first["type"],
        expected=ctx or first["msg"],
        actual=actual,
    )


def _failure(code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"ok": False, "error": {"code": code, "message": message, "details": details}}

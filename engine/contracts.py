"""Every operation of the engine by name, and how a raw document becomes an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.battletech import ops as battletech
from engine.dice import ops as dice
from engine.dicee import ops as dicee
from engine.killteam import ops as killteam
from engine.warhammer40k import ops as warhammer40k
from engine.wire import EngineError, Op, named_fields

ROOMS: tuple[tuple[Op[Any, Any], ...], ...] = (dice.OPS, dicee.OPS, warhammer40k.OPS, battletech.OPS, killteam.OPS)
OPS: Mapping[str, Op[Any, Any]] = {op.name: op for room in ROOMS for op in room}


def call(op: str, document: Any) -> dict[str, Any]:
    """Answer one raw document; the envelope of the front door, never an exception for bad input."""
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
        with named_fields():
            request = operation.input.model_validate(document, by_alias=True, by_name=False)
            result = operation.run(request)
    except EngineError as error:
        return _failure(error.code, error.message, **error.details)
    return {"ok": True, "result": result.model_dump(mode="json", by_alias=True)}


def _failure(code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"ok": False, "error": {"code": code, "message": message, "details": details}}

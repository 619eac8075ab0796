"""Shapes shared by every endpoint's documentation, and how engine documents are named in it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, model_json_schema


class ErrorDetail(BaseModel):
    code: str
    message: str
    details: dict[str, Any]
    requestId: str  # noqa: N815


class ErrorBody(BaseModel):
    error: ErrorDetail


class EngineDocument(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Games have a Defender or a Rules each; in one schema their names carry the room they come from."""

    target_class = "engine.wire.Document"
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        # A document that is part of another is registered by name first: the same schema, not a collision.
        set_override(self.target, "suppress_collision_warning", True)
        return self._room() + str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        room = self._room()
        mode: JsonSchemaMode = "validation" if direction == "request" else "serialization"
        template = f"#/components/schemas/{room}{{model}}"
        schema: dict[str, Any] = model_json_schema(self.target, by_alias=True, ref_template=template, mode=mode)
        for name, definition in schema.pop("$defs", {}).items():
            kind = ResolvedComponent.SCHEMA
            part = ResolvedComponent(room + name, kind, _standard(definition), room + name)  # type: ignore[no-untyped-call]
            auto_schema.registry.register_on_missing(part)
        standard: dict[str, Any] = _standard(schema)
        return standard

    def _room(self) -> str:
        return str(self.target.__module__.split(".")[1].capitalize())


#: Limits on a field that is converted before it is checked keep Python's names; the schema has its own.
LIMITS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}


def _standard(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {LIMITS.get(key, key): _standard(value) for key, value in schema.items()}
    return [_standard(item) for item in schema] if isinstance(schema, list) else schema

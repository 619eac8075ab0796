"""JSON Schemas of every event, message and document, as files under ``docs/schemas``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apps.dicee.services.api import documents, messages
from engine.dicee.game import events
from engine.wire import Document

DIALECT = "https://json-schema.org/draft/2020-12/schema"

REQUESTS: tuple[type[Document], ...] = (
    documents.ProbabilityRequest, documents.RecommendationRequest, documents.EvaluationRequest,
    documents.CreateRequest, documents.JoinRequest, documents.MoveRequest, documents.RollRequest,
    documents.ScoreRequest, documents.TelemetryRequest, documents.TokenRequest,
)  # fmt: skip
RESPONSES: tuple[type[Document], ...] = (
    documents.ProbabilityResponse, documents.RecommendationResponse, documents.EvaluationResponse,
    documents.GameStateResponse, documents.MoveResponse, documents.EventsResponse, documents.VerificationResponse,
    documents.ReportResponse, documents.ProfileResponse, documents.TelemetryAnswer, documents.TokenResponse,
    documents.TokensResponse, documents.ErrorResponse,
)  # fmt: skip


def schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Path under ``docs/schemas`` and schema, one by one."""
    for kind, schema in events.schemas().items():
        yield f"events/{kind}.json", schema
    for folder, models in (("messages/client", messages.FROM_CLIENT), ("messages/server", messages.FROM_SERVER)):
        for model in models:
            yield f"{folder}/{_kind(model)}.json", model.model_json_schema(by_alias=True)
    for folder, models in (("requests", REQUESTS), ("responses", RESPONSES)):
        for model in models:
            yield f"{folder}/{model.__name__}.json", model.model_json_schema(by_alias=True)


def _kind(message: type[Document]) -> str:
    return str(message.model_json_schema()["properties"]["type"]["const"])


def texts() -> dict[str, str]:
    """Every file as it should be."""
    return {path: json.dumps({"$schema": DIALECT, **schema}, indent=2) + "\n" for path, schema in schemas()}


def export(folder: Path) -> int:
    """Write them all; files of events and messages that no longer exist go."""
    wanted = texts()
    for old in folder.rglob("*.json"):
        if str(old.relative_to(folder)) not in wanted:
            old.unlink()
    for path, text in wanted.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return len(wanted)

"""Shapes shared by every endpoint's documentation."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class ErrorDetail(BaseModel):
    code: str
    message: str
    details: dict[str, Any]
    requestId: str  # noqa: N815


class ErrorBody(BaseModel):
    error: ErrorDetail

"""What is chosen when a table is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import Field, ValidationError

from engine.dicee.boxes import Variant
from engine.dicee.game.events import Settings
from engine.wire import Document, EngineError

LEAST_SECONDS, MOST_SECONDS = 15, 600
MOST_SEATS = 6


class TableSettings(Document):
    """The first three are the game's own and go into its first event; the rest say what may be seen at the table."""

    rules_variant: Variant = Variant.STANDARD
    time_limit: Annotated[int, Field(ge=LEAST_SECONDS, le=MOST_SECONDS)] | None = Field(
        default=None, description="seconds a player may think before the next roll or score"
    )
    allow_undo: bool = False
    statistics: bool = Field(default=True, description="odds, values and advice are shown")
    hints: bool = Field(default=True, description="hints may be asked for")
    win_chances: bool = Field(default=True, description="the live bar of who will win")
    spectators: bool = Field(default=False, description="anyone with the link may watch")

    @property
    def rules(self) -> Settings:
        return Settings(rules_variant=self.rules_variant, time_limit=self.time_limit, allow_undo=self.allow_undo)


def read(raw: Mapping[str, Any]) -> TableSettings:
    """Settings from their wire form, or a refusal that names the field."""
    with named_fields():
        return TableSettings.model_validate(dict(raw), by_alias=True, by_name=False)


@contextmanager
def named_fields() -> Iterator[None]:
    """Turn a document's first fault into the one error shape."""
    try:
        yield
    except ValidationError as error:
        problems = error.errors(include_url=False)
        first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
        inner = first.get("ctx", {}).get("error")
        if isinstance(inner, EngineError):
            raise inner from error
        field = ".".join(str(part) for part in first["loc"])
        what = "is not a known field" if first["type"] == "extra_forbidden" else first["msg"]
        raise EngineError(
            f"{field or 'input'}: {what}",
            field=field,
            constraint=first["type"],
            expected=first["msg"],
            actual=repr(first["input"])[:100],
        ) from error

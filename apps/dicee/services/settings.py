"""What is chosen when a table is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from engine.dicee.boxes import Variant
from engine.dicee.game.events import GameSettings
from engine.wire import Document, named_fields

LEAST_SECONDS, MOST_SECONDS = 15, 600


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
    def rules(self) -> GameSettings:
        return GameSettings(rules_variant=self.rules_variant, time_limit=self.time_limit, allow_undo=self.allow_undo)


def read(raw: Mapping[str, Any]) -> TableSettings:
    """Settings from their wire form, or a refusal that names the field."""
    with named_fields():
        return TableSettings.model_validate(dict(raw), by_alias=True, by_name=False)

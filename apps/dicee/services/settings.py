"""What is chosen when a table is made."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, model_validator

from engine.dicee.boxes import Variant
from engine.dicee.game.events import GameSettings
from engine.wire import Document, named_fields, refuse

LEAST_SECONDS, MOST_SECONDS = 15, 600


#: What a rated table goes without, on the wire.
COACHING = ("statistics", "hints", "allowUndo")


class Lapse(StrEnum):
    """What happens to a player whose time is up."""

    BEST_BOX = "best_box"  # the best box for the dice on the table is written, and the game goes on
    LEAVE = "leave"  # the player is out


class TableSettings(Document):
    """Variant, time limit and undo are the game's own and go into its first event; the rest is the table's."""

    rules_variant: Variant = Variant.STANDARD
    time_limit: Annotated[int, Field(ge=LEAST_SECONDS, le=MOST_SECONDS)] | None = Field(
        default=None, description="seconds a player may think before the next roll or score"
    )
    lapse: Lapse = Field(default=Lapse.BEST_BOX, description="what happens when a player's time is up")
    allow_undo: bool = False
    statistics: bool = Field(default=True, description="odds, values and advice are shown")
    hints: bool = Field(default=True, description="hints may be asked for")
    win_chances: bool = Field(default=True, description="the live bar of who will win")
    spectators: bool = Field(default=False, description="anyone with the link may watch")
    rated: bool = Field(default=False, description="counts for the rating: no statistics, no hints, nothing taken back")

    @model_validator(mode="before")
    @classmethod
    def _on_equal_terms(cls, raw: Any) -> Any:
        """A rated table is without the coach. Asking for both is refused by name."""
        if not isinstance(raw, Mapping) or not raw.get("rated"):
            return raw
        for name in COACHING:
            if raw.get(name):
                refuse(f"A rated game has {name} off.", field=name, constraint="rated", expected=False, actual=True)
        return {**raw, **dict.fromkeys(COACHING, False)}

    @property
    def rules(self) -> GameSettings:
        return GameSettings(rules_variant=self.rules_variant, time_limit=self.time_limit, allow_undo=self.allow_undo)


def read(raw: Mapping[str, Any]) -> TableSettings:
    """Settings from their wire form, or a refusal that names the field."""
    with named_fields():
        return TableSettings.model_validate(dict(raw), by_alias=True, by_name=False)

"""For staff: look at games, never change them. Fair-play flags are shown here, and to the teacher of a class."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.dicee.models import ApiToken, Game, GameEvent, Seat
from apps.dicee.services.review.profile import is_suspicious


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Nothing here is edited by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ["code", "mode", "status", "created_at", "finished_at"]
    list_filter = ["mode", "status"]
    search_fields = ["code", "id"]
    exclude = ["seed"]  # staff play too


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = ["name", "game", "bot", "final_score", "flags", "suspicious"]
    list_filter = ["bot"]

    @admin.display(description="Fair-play flags")
    def flags(self, seat: Seat) -> str:
        return ", ".join((seat.summary or {}).get("flags", []))

    @admin.display(boolean=True)
    def suspicious(self, seat: Seat) -> bool:
        return is_suspicious((seat.summary or {}).get("flags", []))


@admin.register(GameEvent)
class GameEventAdmin(ReadOnly):
    list_display = ["game", "stream", "seq", "type", "created_at"]
    list_filter = ["stream", "type"]


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly):
    list_display = ["name", "player", "hint", "created_at", "last_used"]
    exclude = ["digest"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

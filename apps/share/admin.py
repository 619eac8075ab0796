from django.contrib import admin
from django.http import HttpRequest

from apps.share.models import Snapshot


@admin.register(Snapshot)
class SnapshotAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["key", "tool", "title", "created_at"]
    search_fields = ["key", "title"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Snapshot | None = None) -> bool:
        return False

"""For staff: that a class exists and when it ends. What students do in it is their teacher's business alone."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.classroom.models import Classroom


@admin.register(Classroom)
class ClassroomAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Nothing is edited by hand; a class can be deleted on its teacher's wish."""

    list_display = ["name", "joining", "created_at", "expires_on"]
    list_filter = ["joining"]
    search_fields = ["id", "code"]
    exclude = ["teacher"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

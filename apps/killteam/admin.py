from django.contrib import admin

from apps.killteam.models import SavedProfile


@admin.register(SavedProfile)
class SavedProfileAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "role", "created_at")
    list_filter = ("role",)
    raw_id_fields = ("owner",)

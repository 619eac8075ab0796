from django.contrib import admin

from apps.accounts.models import Player


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["pseudonym", "user", "created_at", "last_seen"]
    search_fields = ["pseudonym", "user__username", "id"]
    readonly_fields = ["id", "created_at", "last_seen"]
    raw_id_fields = ["user"]

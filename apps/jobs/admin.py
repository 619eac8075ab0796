from django.contrib import admin

from apps.jobs.models import Job


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["id", "kind", "state", "attempts", "created_at", "finished_at"]
    list_filter = ["state", "kind"]
    raw_id_fields = ["owner"]

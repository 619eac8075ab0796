"""Every WebSocket address, room by room."""

from apps.jobs.routing import urlpatterns as jobs

urlpatterns = [*jobs]

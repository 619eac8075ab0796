"""Every WebSocket address, room by room."""

from apps.dicee.routing import urlpatterns as dicee
from apps.jobs.routing import urlpatterns as jobs

urlpatterns = [*jobs, *dicee]

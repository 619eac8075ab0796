"""Every WebSocket address, room by room."""

from apps.classroom.routing import urlpatterns as classroom
from apps.dicee.routing import urlpatterns as dicee
from apps.jobs.routing import urlpatterns as jobs

urlpatterns = [*jobs, *dicee, *classroom]

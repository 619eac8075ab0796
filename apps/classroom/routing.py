"""The addresses of a live class: one for the students, one for the teacher's board."""

from django.urls import re_path

from apps.classroom.consumers import BoardConsumer, ClassConsumer

ID = r"(?P<class_id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"

urlpatterns = [
    re_path(rf"^ws/v1/class/{ID}/$", ClassConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path(rf"^ws/v1/class/{ID}/board/$", BoardConsumer.as_asgi()),  # type: ignore[arg-type]
]

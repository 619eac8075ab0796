"""``/classroom/``: one list of addresses per corner of the room."""

from apps.classroom.urls import board, classes

app_name = "classroom"
urlpatterns = [*classes.urlpatterns, *board.urlpatterns]

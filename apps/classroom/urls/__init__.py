"""``/classroom/``: one list of addresses per corner of the room."""

from apps.classroom.urls import board, classes, learn, lessons

app_name = "classroom"
urlpatterns = [*classes.urlpatterns, *board.urlpatterns, *learn.urlpatterns, *lessons.urlpatterns]

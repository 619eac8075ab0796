"""``/classroom/``: addresses of a player's own progress, practice and the daily challenge."""

from django.urls import path, register_converter

from apps.practice.views import practice, progress


class DayConverter:
    """A date as people write it in an address: 2026-11-16. Whether there is such a day, the view finds out."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: object) -> str:
        return str(value)


register_converter(DayConverter, "day")

app_name = "practice"
urlpatterns = [
    path("progress/", progress.progress, name="progress"),
    path("progress/csv/", progress.csv, name="progress-csv"),
    path("practice/", practice.practice, name="home"),
    path("practice/start/", practice.start, name="start"),
    path("practice/run/", practice.run, name="run"),
    path("practice/answer/", practice.answer, name="answer"),
    path("daily/", practice.daily, name="daily"),
    path("daily/answer/", practice.daily_answer, name="daily-answer"),
    path("daily/<day:day>/", practice.past_day, name="daily-day"),
]

from celery import current_app
from django.apps import AppConfig

SWEEP_EVERY = 15.0  # seconds


class JobsConfig(AppConfig):
    name = "apps.jobs"

    def ready(self) -> None:
        from apps.jobs import player_data  # noqa: F401  registers a player's jobs

        # A sweep that waited longer than the next one is not worth doing: it expires.
        current_app.add_periodic_task(
            SWEEP_EVERY, current_app.signature("jobs.sweep"), name="jobs.sweep", expires=SWEEP_EVERY
        )

from celery import current_app
from django.apps import AppConfig

EXPIRE_EVERY = 6 * 3600.0
PERIODIC = {"classroom.expire": EXPIRE_EVERY}


class ClassroomConfig(AppConfig):
    name = "apps.classroom"

    def ready(self) -> None:
        from apps.classroom import owned  # noqa: F401  registers what happens to a leaving player's classes
        from apps.classroom.services import assignments, classes
        from apps.dicee.services.review.profile import on_finished
        from apps.dicee.services.seats import on_overseeing

        on_overseeing(classes.oversees)
        on_finished(assignments.game_finished)
        for name, every in PERIODIC.items():
            current_app.add_periodic_task(every, current_app.signature(name), name=name, expires=every)

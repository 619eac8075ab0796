from celery import current_app
from django.apps import AppConfig

EXPIRE_EVERY = 6 * 3600.0
CATCH_UP_EVERY = 3600.0
PERIODIC = {"classroom.expire": EXPIRE_EVERY, "classroom.catch_up": CATCH_UP_EVERY}


class ClassroomConfig(AppConfig):
    name = "apps.classroom"

    def ready(self) -> None:
        from apps.classroom import kept, owned  # noqa: F401  register what happens to a leaving player's things
        from apps.classroom.services import assignments, classes, progress
        from apps.classroom.services.live import board
        from apps.dicee.services.record.follow_up import on_moved
        from apps.dicee.services.review.profile import on_finished
        from apps.dicee.services.seats import on_overseeing

        on_overseeing(classes.oversees)
        on_finished(progress.after_game)
        on_finished(assignments.game_finished)
        on_moved(board.moved)
        for name, every in PERIODIC.items():
            current_app.add_periodic_task(every, current_app.signature(name), name=name, expires=every)

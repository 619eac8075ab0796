from celery import current_app
from django.apps import AppConfig

EXPIRE_EVERY = 6 * 3600.0
PURGE_EVERY = 120.0
PERIODIC = {"classroom.expire": EXPIRE_EVERY, "classroom.purge": PURGE_EVERY}


class ClassroomConfig(AppConfig):
    name = "apps.classroom"

    def ready(self) -> None:
        from apps.classroom import player_data  # noqa: F401  registers what happens to a leaving player's classes
        from apps.classroom.services import assignments, classes
        from apps.classroom.services.live import board
        from apps.dicee.services.record.follow_up import on_moved
        from apps.dicee.services.review.profile import on_finished
        from apps.dicee.services.seats import on_barring, on_closing, on_overseeing, on_sharing

        on_overseeing(classes.oversees)
        on_barring(classes.bars)
        on_closing(classes.is_class_table)
        on_sharing(classes.keeps_to_itself)
        on_finished(assignments.game_finished)
        on_moved(board.moved)
        for name, every in PERIODIC.items():
            current_app.add_periodic_task(every, current_app.signature(name), name=name, expires=every)

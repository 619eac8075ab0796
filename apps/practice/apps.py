from celery import current_app
from django.apps import AppConfig

CATCH_UP_EVERY = 3600.0


class PracticeConfig(AppConfig):
    name = "apps.practice"

    def ready(self) -> None:
        from apps.dicee.services.review.profile import on_finished, on_learnt, on_rating
        from apps.practice import player_data  # noqa: F401  registers what happens to a leaving player's practice
        from apps.practice.services import progress

        on_finished(progress.after_game)
        on_rating(progress.rating_of)
        on_learnt(progress.learnt_of)
        catch_up = current_app.signature("practice.catch_up")
        current_app.add_periodic_task(CATCH_UP_EVERY, catch_up, name="practice.catch_up", expires=CATCH_UP_EVERY)

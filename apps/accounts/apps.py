from celery import current_app
from django.apps import AppConfig

FORGET_EVERY = 24 * 3600.0


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        forget = current_app.signature("accounts.forget_old_guests")
        current_app.add_periodic_task(FORGET_EVERY, forget, name="accounts.forget_old_guests", expires=FORGET_EVERY)

from django.apps import AppConfig

from apps.core import warm_up


def _warm_up() -> None:
    from apps.dice import services

    services.warm_up()


class DiceConfig(AppConfig):
    name = "apps.dice"

    def ready(self) -> None:
        warm_up.register("dice", _warm_up)

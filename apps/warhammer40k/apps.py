from django.apps import AppConfig

from apps.core import warm_up


def _warm_up() -> None:
    from apps.warhammer40k.services import dice, duel

    dice.warm_up()
    duel.warm_up()


class Warhammer40kConfig(AppConfig):
    name = "apps.warhammer40k"

    def ready(self) -> None:
        from apps.warhammer40k import player_data  # noqa: F401  registers a player's profiles

        warm_up.register("warhammer40k", _warm_up)

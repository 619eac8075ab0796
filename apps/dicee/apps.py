from django.apps import AppConfig


class DiceeConfig(AppConfig):
    name = "apps.dicee"

    def ready(self) -> None:
        from apps.core import warm_up
        from apps.dicee.services import horizon

        warm_up.register("dicee tables", horizon.solve_all)
        warm_up.register("dicee shares", horizon.solve_shares)

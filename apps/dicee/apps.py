from django.apps import AppConfig


class DiceeConfig(AppConfig):
    name = "apps.dicee"

    def ready(self) -> None:
        from apps.core import warm_up
        from apps.dicee.services import horizon
        from apps.dicee.services.review import par

        warm_up.register("dicee tables", horizon.solve_all)
        warm_up.register("dicee shares", horizon.solve_shares)
        warm_up.register("dicee par", par.make_all)

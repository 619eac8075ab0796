from django.apps import AppConfig


class BattleTechConfig(AppConfig):
    name = "apps.battletech"
    verbose_name = "BattleTech"

    def ready(self) -> None:
        from apps.battletech.services import risk
        from apps.core import warm_up

        warm_up.register("battletech odds", risk.warm)

from django.apps import AppConfig


class KillTeamConfig(AppConfig):
    name = "apps.killteam"
    verbose_name = "Kill Team"

    def ready(self) -> None:
        from apps.core import warm_up
        from apps.killteam import player_data  # noqa: F401  registers a player's profiles
        from apps.killteam.services import fight, shoot, solving

        solving.bound_requests()
        warm_up.register("killteam shooting", shoot.warm)
        warm_up.register("killteam fighting", fight.warm)

from celery import current_app
from django.apps import AppConfig

CLOCKS_EVERY = 2.0  # seconds: how late a turn may be found out of time
CATCH_UP_EVERY = 3600.0
PRUNE_EVERY = 24 * 3600.0
PERIODIC = {
    "dicee.run_the_clocks": CLOCKS_EVERY,
    "dicee.catch_up": CATCH_UP_EVERY,
    "dicee.prune": PRUNE_EVERY,
}


class DiceeConfig(AppConfig):
    name = "apps.dicee"

    def ready(self) -> None:
        from apps.core import warm_up
        from apps.dicee import player_data  # noqa: F401  registers a player's games
        from apps.dicee.services import horizon
        from apps.dicee.services.review import par

        warm_up.register("dicee tables", horizon.solve_all)
        warm_up.register("dicee horizon", horizon.broadcast_ready, shared=True)
        warm_up.register("dicee par", par.make_all, shared=True)
        warm_up.register("dicee shares", horizon.solve_shares)
        for name, every in PERIODIC.items():
            current_app.add_periodic_task(every, current_app.signature(name), name=name, expires=every)

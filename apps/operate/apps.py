from celery import current_app
from django.apps import AppConfig

CHECK_EVERY = 3600.0  # seconds


class OperateConfig(AppConfig):
    name = "apps.operate"

    def ready(self) -> None:
        from apps.core import metrics
        from apps.operate.gauges import Caches, Gauges

        metrics.register(Gauges())
        metrics.register(Caches())
        check = current_app.signature("operate.check_invariants")
        current_app.add_periodic_task(CHECK_EVERY, check, name="operate.check_invariants", expires=CHECK_EVERY)

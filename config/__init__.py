"""How the product is put together: settings, URLs, the web application and the task queue."""

from config.celery import app as celery_app

__all__ = ["celery_app"]

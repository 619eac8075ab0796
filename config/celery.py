"""The task queue. ``celery -A config worker`` on any host with the same REDIS_URL and DATABASE_URL joins in."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("oddsmith")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

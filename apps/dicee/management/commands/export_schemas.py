"""``manage.py export_schemas``: write the JSON Schemas of Dicee's events and messages to docs/schemas/."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.dicee.services.api import schemas


class Command(BaseCommand):
    help = "Write the JSON Schemas of Dicee's events and messages to docs/schemas/."

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.ROOT) / "docs" / "schemas"
        self.stdout.write(f"{schemas.export(folder)} schemas written to {folder.relative_to(settings.ROOT)}")

"""``manage.py check_killteam``: every fact of the library that no field holds, and why."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from apps.catalogues.check import report
from apps.killteam import check


class Command(BaseCommand):
    help = "List every fact of the Kill Team library that is left to the player, with the reason."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in report(check.unmapped()):
            self.stdout.write(line)

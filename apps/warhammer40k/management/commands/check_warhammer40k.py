"""``manage.py check_warhammer40k``: every fact of the library that no field holds, and why."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.catalogues.check import report
from apps.warhammer40k import check
from apps.warhammer40k.datasheets import EDITIONS


class Command(BaseCommand):
    help = "List every fact of the Warhammer 40,000 library that is left to the player, with the reason."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--edition", choices=EDITIONS, action="append")

    def handle(self, *args: Any, **options: Any) -> None:
        for edition in options["edition"] or EDITIONS:
            self.stdout.write(f"# {edition} edition")
            for line in report(check.unmapped(edition)):
                self.stdout.write(line)

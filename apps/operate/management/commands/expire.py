"""``manage.py expire``: let go what has outlived its time, as beat does every day."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandParser

from apps.operate.retention import expire


class Command(BaseCommand):
    help = "Let go what has outlived its time. With --dry-run: say what would go, and keep it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        for step, tables in expire(dry_run=dry_run).items():
            rows = ", ".join(f"{number} {table}" for table, number in tables.items()) or "nothing"
            self.stdout.write(f"{step}: {rows}")
        if dry_run:
            self.stdout.write("This was a dry run: everything is still there.")

"""``manage.py restore FILE``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from apps.core import backup


class Command(BaseCommand):
    help = "Read a backup into an empty database (after `migrate`), and check it row by row."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            tables = backup.restore(file)
        except backup.BackupError as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        rows = sum(table.rows for table in tables.values())
        self.stdout.write(f"{rows:,} rows of {len(tables)} tables restored and checked.")

"""``manage.py backup FILE``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from apps.core import backup


class Command(BaseCommand):
    help = "Write everything people saved into one file, while they go on playing; or check such a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--verify", action="store_true", help="only check that the file is whole")

    def handle(self, *args: Any, file: Path, verify: bool, **options: Any) -> None:
        try:
            tables = backup.verify(file) if verify else backup.take(file)
        except (backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in tables.values())
        self.stdout.write(f"{file}: {rows:,} rows of {len(tables)} tables, {'whole' if verify else 'written'}.")

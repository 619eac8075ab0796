"""``manage.py import_killteam FILE …``: take newer tables into the library and print what changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.catalogues import tables
from apps.killteam import importing


class Command(BaseCommand):
    help = "Import tables of Kill Team figures into apps/killteam/data and print the differences."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", help="JSON with “teams”; later files add teams")
        parser.add_argument("--options", type=Path, help="JSON with equipment and ploys")
        parser.add_argument("--dry-run", action="store_true", help="print the differences, write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = importing.rows([tables.read(path) for path in options["files"]])
            table = tables.read(options["options"]) if options["options"] else None
            changes = list(tables.differences(importing.current(), made))
            changes += importing.option_differences(table) if table else []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"No table that can be read: {error!r}") from error
        for change in changes:
            self.stdout.write(str(change))
        if not options["dry_run"]:
            importing.write(made)
            if table:
                importing.write_options(table)
        written = "nothing written" if options["dry_run"] else "written"
        self.stdout.write(f"{len(made)} operatives and lists of equipment, {len(changes)} differences, {written}.")

"""``manage.py import_warhammer40k FILE``: take a newer table into the library and print what changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.catalogues import tables
from apps.warhammer40k import importing
from apps.warhammer40k.datasheets import EDITIONS


class Command(BaseCommand):
    help = "Import a table of Warhammer 40,000 figures into apps/warhammer40k/data and print the differences."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="JSON with “units” and “weapons”")
        parser.add_argument("--edition", choices=EDITIONS, default=EDITIONS[-1])
        parser.add_argument("--groups", type=Path, help="JSON with leaders and units of mixed models")
        parser.add_argument("--updates", type=Path, help="JSON with figures changed after the table")
        parser.add_argument("--dry-run", action="store_true", help="print the differences, write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        edition = options["edition"]
        try:
            table = tables.read(options["file"])
            extra = {name: tables.read(options[name]) for name in ("groups", "updates") if options[name]}
            made = importing.rows(table, edition, **extra)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{options['file']} is no table that can be read: {error!r}") from error
        changes = list(tables.differences(importing.current(edition), made))
        for change in changes:
            self.stdout.write(str(change))
        if not options["dry_run"]:
            importing.write(edition, made, importing.states(extra["updates"]) if "updates" in extra else None)
        written = "nothing written" if options["dry_run"] else "written"
        self.stdout.write(f"{len(made)} units, {len(changes)} differences, {written}.")

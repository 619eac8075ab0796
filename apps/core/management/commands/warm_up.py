"""``manage.py warm_up``: compile loops and build tables now, for an image or a test run that must not wait later."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandParser

from apps.core import warm_up


class Command(BaseCommand):
    help = "Build the solver tables and compile the engine's loops."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rooms", nargs="*", help="only these, e.g. dicee killteam; all without")
        parser.add_argument("--announce", action="store_true", help="also what needs the broker; then tell the site")

    def handle(self, *args: Any, rooms: list[str], announce: bool, **options: Any) -> None:
        if announce:
            warm_up.run_and_announce()
            return
        self.stdout.write(f"Warm: {', '.join(warm_up.run(shared=False, rooms=rooms))}.")

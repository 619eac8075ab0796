"""``manage.py demo``: a class with three weeks behind it, for whoever wants to look at a full dashboard."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.classroom.services import demo
from apps.classroom.services.demo.cast import CAST


class Command(BaseCommand):
    help = "Make a demo class: one teacher, 24 students, three weeks of games. Running it again replaces the class."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--students", type=int, default=len(CAST), help=f"1 to {len(CAST)}")
        parser.add_argument("--weeks", type=int, default=3, help="1 to 12")
        parser.add_argument("--password", default="", help="of the teacher; without it, one is drawn")
        parser.add_argument("--yes", action="store_true", help="also where people have accounts")
        parser.add_argument("--remove", action="store_true", help="take the demo away again")

    def handle(self, *args: Any, **options: Any) -> None:
        self._check(options)
        if options["remove"]:
            self.stdout.write("The demo is gone." if demo.remove() else "There was no demo.")
            return
        password = options["password"] or secrets.token_urlsafe(9)
        made = demo.make(password, options["students"], options["weeks"])
        self.stdout.write(
            f"{made.classroom.name}: {options['students']} students, {made.games} games.\n"
            f"Teacher: sign in at /account/sign-in/ as {demo.TEACHER} with the password {password}\n"
            f"Class:   /classroom/{made.classroom.pk}/  code {made.classroom.code}"
        )
        for nickname, key in made.keys:
            self.stdout.write(f"Student: {nickname} at /classroom/return/ with code {made.classroom.code}, key {key}")

    def _check(self, options: dict[str, Any]) -> None:
        if settings.HTTPS and not options["yes"]:
            raise CommandError("This looks like a server that people use (HTTPS is on). Add --yes to go on.")
        if not 1 <= options["students"] <= len(CAST) or not 1 <= options["weeks"] <= 12:
            raise CommandError(f"Students: 1 to {len(CAST)}; weeks: 1 to 12.")

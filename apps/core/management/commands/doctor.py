"""``manage.py doctor``: what is wrong with this installation."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management import BaseCommand

from apps.core.doctor import examine, report


class Command(BaseCommand):
    help = "Look at every part of this installation and say what is wrong and what to do. Exit code 1 if anything is."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(examine())
        self.stdout.write(report(findings))
        if any(one.remedy for one in findings):
            sys.exit(1)

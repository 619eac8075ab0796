"""``manage.py check_invariants``: look through games for what must never be, as beat does every hour."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management import BaseCommand

from apps.operate.services import invariants


class Command(BaseCommand):
    help = "Check recent games and some old ones against the rules that must always hold. Repairs nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        found = invariants.check_some()
        for one in found.violations:
            self.stdout.write(f"{one.game}: {one.rule} ({one.found})")
        self.stdout.write(f"{found.games} games checked, {len(found.violations)} rules broken.")
        if found.violations:
            sys.exit(1)

"""The product in this process, as in production: settings of its own, a Valkey, a migrated database, the solved game.

Import it before anything of Django or the apps: the settings are read once.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="oddsmith-bench-"))
os.environ |= {"VAR_DIR": str(FOLDER), "DJANGO_SETTINGS_MODULE": "config.settings", "RATE_LIMIT_SCALE": "100000"}
os.environ.setdefault("ODDSMITH_TABLES_DIR", str(Path("var/solver").resolve()))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from apps.core.processes import Family, valkey_command, wait_for_socket  # noqa: E402
from apps.dicee.services import horizon  # noqa: E402


@cache
def stand_up() -> None:
    """Start what requests need. Called at the first measurement, not when the list of benchmarks is read."""
    logging.disable()  # whoever is in mid-move when the process ends has something to complain about
    family = Family()
    child = family.start("valkey", valkey_command(settings.VALKEY_SOCKET), log=FOLDER / "valkey.log")
    assert wait_for_socket(settings.VALKEY_SOCKET, child)
    atexit.register(family.stop)
    settings.ALLOWED_HOSTS.append("testserver")
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    horizon.solve_all()

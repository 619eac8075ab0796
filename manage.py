#!/usr/bin/env python
"""Django's command line. A configuration that cannot work ends in one sentence and exit code 1, not a traceback."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as error:
        sys.exit(f"Oddsmith cannot start: {error.name} is not installed. Run: make run")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Oddsmith cannot start: {error}.")
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("apps", "config", "engine"):
            raise  # ours: a bug, not a missing package
        sys.exit(f"Oddsmith cannot start: {error.name} is not installed. Run: make run")


if __name__ == "__main__":
    main()

"""A real Chromium: the system's, else Playwright's own download, else Debian's package when we may install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Without these, a browser as root does not start, and one on a closed network keeps trying to call home.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
]  # fmt: skip


def find_chromium() -> str | None:
    chosen = os.environ.get("CHROMIUM") or next((found for name in NAMES if (found := shutil.which(name))), None)
    return chosen or _playwrights_own()


def _playwrights_own() -> str | None:
    cache = Path.home() / ".cache" / "ms-playwright"
    return next((str(p) for p in sorted(cache.glob("chromium-*/chrome-linux*/chrome"), reverse=True)), None)


def ensure_chromium(*, install: bool) -> str | None:
    if (found := find_chromium()) or not install:
        return found
    _run([sys.executable, "-m", "playwright", "install", "chromium"])
    if (found := find_chromium()) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _run(["apt-get", "-qq", "update"])
        _run(["apt-get", "-qq", "-y", "install", "chromium"])
        found = find_chromium()
    return found


def _run(command: list[str]) -> None:
    """Try it; whether there is a browser afterwards is looked at, not what the command says."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    silent = subprocess.DEVNULL
    subprocess.run(command, check=False, env=env, stdout=silent, stderr=silent, timeout=600)

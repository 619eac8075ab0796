"""A real Chromium: the system's, else Playwright's own download, else Debian's package when we may install it.

The headless shell is the same Chromium without a window's worth of user interface: a new page takes a fifth of the
time. It is taken where there is one, and asked for where we install.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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
    return next((str(p) for p in _downloads(cache)), None)


def _downloads(cache: Path) -> list[Path]:
    shells = sorted(cache.glob("chromium_headless_shell-*/chrome-linux*/headless_shell"), reverse=True)
    return shells + sorted(cache.glob("chromium-*/chrome-linux*/chrome"), reverse=True)


def ensure_chromium(*, install: bool, quickest: bool = False) -> str | None:
    """Find a browser; with ``install``, get one where there is none. ``quickest``: get the headless shell, too."""
    found = find_chromium()
    if not install or (found and not (quickest and "headless" not in found)):
        return found
    if found is None:
        _run([sys.executable, "-m", "playwright", "install", "chromium"])
    if quickest or find_chromium() is None:
        apt_install("chromium-headless-shell")
        if find_chromium() is None:
            apt_install("chromium")
    return find_chromium()


def apt_install(*packages: str) -> None:
    """Try to install Debian's packages, where we may."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _run(["apt-get", "-qq", "update"])
        _run(["apt-get", "-qq", "-y", "--no-install-recommends", "install", *packages])


def _run(command: list[str]) -> None:
    """Try it; whether there is a browser afterwards is looked at, not what the command says."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    silent = subprocess.DEVNULL
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, check=False, env=env, stdout=silent, stderr=silent, timeout=300)

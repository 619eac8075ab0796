"""Firefox and WebKit: found, installed where we may, started with an empty profile, ended afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import TypeVar

from websockets.sync.client import connect

from tests.browser.chromium import apt_install
from tests.browser.engines.driver import PATIENCE, BiDi, Classic, Driver
from tests.browser.server import free_port

PACKAGES = {"firefox": ["firefox-esr"], "webkit": ["webkit2gtk-driver", "xvfb"]}
T = TypeVar("T")
LISTENING = "WebDriver BiDi listening on "
#: Firefox on a closed network keeps trying to call home; a first start shows pages of its own.
PREFERENCES: dict[str, str | bool] = {
    "app.normandy.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


def find_firefox() -> str | None:
    return os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


def find_webkit() -> tuple[str, str] | None:
    """The driver and the browser it drives; both, and a display for them, or nothing."""
    driver, browsers = shutil.which("WebKitWebDriver"), glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
    return (driver, max(browsers)) if driver and browsers and shutil.which("Xvfb") else None


def missing() -> list[str]:
    """The names of the engines this machine does not have."""
    return [name for name, found in (("firefox", find_firefox()), ("webkit", find_webkit())) if not found]


def ensure_engines(*, install: bool) -> list[str]:
    """Install what is missing where we may; what is still missing then."""
    if install and (wanted := [package for name in missing() for package in PACKAGES[name]]):
        apt_install(*wanted)
    return missing()


@contextlib.contextmanager
def firefox(base_url: str) -> Iterator[Driver]:
    executable = find_firefox()
    assert executable
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as profile:
        lines = [f'user_pref("{name}", {_literal(value)});' for name, value in PREFERENCES.items()]
        Path(profile, "user.js").write_text("\n".join(lines))
        log = Path(profile, "log.txt")
        command = [executable, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with log.open("w") as output, _child(command, output.fileno(), HOME=profile):
            address = _until(lambda: _address_in(log), "Firefox did not start")
            with connect(f"{address}/session", max_size=None) as socket:
                yield BiDi(base_url, socket)


def _literal(value: str | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _address_in(log: Path) -> str | None:
    _, found, rest = log.read_text().partition(LISTENING)
    return rest.split()[0] if found and "\n" in rest else None


@contextlib.contextmanager
def webkit(base_url: str) -> Iterator[Driver]:
    found = find_webkit()
    assert found
    driver, browser = found
    port = free_port()
    options = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
    with (
        tempfile.TemporaryDirectory(prefix="webkit-", ignore_cleanup_errors=True) as home,
        _display() as display,
        _child([driver, f"--port={port}", "--host=127.0.0.1"], subprocess.DEVNULL, DISPLAY=display, HOME=home),
    ):
        address = f"http://127.0.0.1:{port}"
        _until(lambda: _answers(f"{address}/status"), "WebKitWebDriver did not start")
        session = Classic(base_url, address, options)
        try:
            yield session
        finally:
            session.close()


@contextlib.contextmanager
def _display() -> Iterator[str]:
    """A screen that nobody sees; WebKitGTK has no headless mode."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    with _child(command, subprocess.DEVNULL, pass_on=writing), os.fdopen(reading) as answer:
        os.close(writing)
        yield f":{answer.readline().strip()}"


@contextlib.contextmanager
def _child(command: list[str], output: int, pass_on: int | None = None, **environment: str) -> Iterator[None]:
    fds = () if pass_on is None else (pass_on,)
    env = os.environ | environment
    process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=env, pass_fds=fds)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=2).close()
    except OSError:
        return False
    return True


def _until(look: Callable[[], T | None], complaint: str) -> T:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    raise RuntimeError(complaint)

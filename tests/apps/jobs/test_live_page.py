"""A job's page in a real browser: live in every tab, through a restart of the server, and without JavaScript."""

from __future__ import annotations

import os
import signal
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from apps.core.processes import Child
from tests.apps.jobs.cluster import ROOT, Cluster
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.server import free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATIENCE = 60_000


class Site(Cluster):
    """A cluster with a web process in front."""

    def serve(self) -> Child:
        command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--app-dir", str(ROOT)]
        command += ["--port", str(self.port), "--lifespan", "off", "--log-level", "warning"]
        environment = {**self.environment, "DEBUG": "1"}  # static files come from the source tree
        web = self.family.start("web", command, env=environment, log=self.folder / "web.log")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{self.url}/health/live", timeout=2).close()
            except OSError:
                time.sleep(0.1)
            else:
                return web
        raise AssertionError("the server did not come up")

    port = free_port()
    url = f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as running:
        running.worker("worker")
        running.serve()
        yield running


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    executable = find_chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine")
    browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def owner(site: Site, chromium: Browser) -> BrowserContext:
    """The console's player, in a browser."""
    context = chromium.new_context()
    context.add_cookies([{"name": "sessionid", "value": site.session(), "url": site.url}])
    return context


@pytest.fixture
def job(site: Site, tmp_path: Path) -> tuple[str, Path]:
    document = {name: str(tmp_path / name) for name in ("file", "until", "ended")}
    return f"{site.url}/jobs/{site.start('test.diary', document)}/", tmp_path / "until"


def shown(page: Page) -> int:
    return int(page.locator("[data-job]").get_attribute("data-seq") or 0)


def wait_until_newer(page: Page, seq: int) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while shown(page) <= seq:
        assert time.monotonic() < end, f"still at {shown(page)}"
        page.wait_for_timeout(50)


def test_two_tabs_follow_a_job_through_a_restart_of_the_server(
    site: Site, owner: BrowserContext, job: tuple[str, Path]
) -> None:
    address, enough = job
    first, second = owner.new_page(), owner.new_page()
    first.goto(address)
    second.goto(address)
    for tab in (first, second):
        expect(tab.locator("[data-job-count]")).to_contain_text("of 1000", timeout=PATIENCE)
    web = site.family.children["web"]
    os.killpg(web.pid, signal.SIGKILL)
    web.wait(20)
    stale = shown(first)
    site.serve()
    wait_until_newer(first, stale + 2)
    enough.touch()
    for tab in (first, second):
        expect(tab.locator("[data-job-result] dt")).to_have_text("steps", timeout=PATIENCE)
        expect(tab.locator("[data-job-state]")).to_have_text("Done")
        expect(tab.locator("[data-job-cancel]")).to_have_count(0)


def test_cancelling_in_one_tab_shows_in_the_other(owner: BrowserContext, job: tuple[str, Path]) -> None:
    first, second = owner.new_page(), owner.new_page()
    first.goto(job[0])
    second.goto(job[0])
    first.get_by_role("button", name="Cancel").click()
    for tab in (first, second):
        expect(tab.locator("[data-job-result]")).to_contain_text("Nothing was kept", timeout=PATIENCE)


def test_without_javascript_the_page_comes_back_by_itself(
    chromium: Browser, owner: BrowserContext, job: tuple[str, Path]
) -> None:
    address, enough = job
    page = chromium.new_context(java_script_enabled=False, storage_state=owner.storage_state()).new_page()
    page.goto(address)
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    enough.touch()
    expect(page.locator("[data-job-result] dt")).to_have_text("steps", timeout=PATIENCE)

"""The same journeys in each engine; one browser for all of them, started when the first journey needs it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.engines import launch
from tests.browser.engines.driver import Driver

ENGINES = {"firefox": launch.firefox, "webkit": launch.webkit}


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest, base_url: str) -> Iterator[Driver]:
    if request.param in launch.missing():
        packages = " ".join(launch.PACKAGES[request.param])
        pytest.skip(f"no {request.param} on this machine: apt-get install {packages}")
    with ENGINES[request.param](base_url) as driver:
        yield driver


@pytest.fixture
def driver(engine: Driver) -> Iterator[Driver]:
    """A stranger; nothing may go wrong in a script while they are here."""
    engine.forget()
    engine.errors.clear()
    yield engine
    assert engine.errors == []

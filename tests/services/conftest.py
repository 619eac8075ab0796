"""Start the product the way a person does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.services.running import Running, gone


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start one on this test's state; whatever the test did with it, it is gone afterwards."""
    started: list[Running] = []

    def begin(**environment: str) -> Running:
        started.append(Running(tmp_path / "var", **environment))
        return started[-1]

    yield begin
    for up in started:
        if up.process.poll() is None:
            up.process.kill()
            up.process.communicate()
        assert gone(up)

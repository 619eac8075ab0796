"""Shared fixtures. Rooms below add their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# A property must not fail because the machine is busy; CI draws the same examples each time.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_sessionstart() -> None:
    """A mutant (``make mutants``) inherits what the unchanged code has remembered: it would never be asked."""
    if os.environ.get("MUTANT_UNDER_TEST"):
        remembering = (vars(module) for name, module in sys.modules.items() if name.startswith("engine."))
        for function in [value for names in remembering for value in names.values() if hasattr(value, "cache_clear")]:
            function.cache_clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI_STRICT=1 a service or browser test that skips has failed: nothing may go unproved unseen."""
    report = yield
    wanted = item.get_closest_marker("service") or item.get_closest_marker("browser")
    if report.skipped and wanted and os.environ.get("CI_STRICT") == "1" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped under CI_STRICT: {report.longrepr}"
    return report

"""Shared fixtures. Rooms below add their own."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# A property must not fail because the machine is busy; CI draws the same examples each time.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

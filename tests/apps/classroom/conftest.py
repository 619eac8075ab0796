"""The standard game, solved once for the whole room: every figure here is of the game horizon."""

from __future__ import annotations

import pytest

from apps.dicee.services import horizon
from engine.dicee import tables
from engine.dicee.boxes import Variant


@pytest.fixture(scope="session", autouse=True)
def solved() -> None:
    tables.load(Variant.STANDARD)
    assert horizon.ready(Variant.STANDARD) is not None

"""Tables are solved once per test session, into a directory of their own."""

from __future__ import annotations

import pytest

from engine.dicee import tables
from engine.dicee.boxes import Variant


@pytest.fixture(scope="session")
def table_of(tmp_path_factory):
    """``table_of(variant)``: a solved table that owes nothing to files on this machine."""
    directory = tmp_path_factory.mktemp("tables")
    return lambda variant: tables.load(Variant(variant), directory)


@pytest.fixture(scope="session")
def table(table_of):
    return table_of(Variant.JOKER_RULES)

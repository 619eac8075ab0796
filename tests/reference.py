"""Reference figures live beside the checkout, in ``../shared/oracles``; tests read them where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ORACLES = Path(__file__).resolve().parents[2] / "shared" / "oracles"


def rows(name: str) -> Any:
    """The parsed file ``../shared/oracles/<name>.json``, or a skip of the whole module that says why."""
    path = ORACLES / f"{name}.json"
    if not path.exists():
        pytest.skip(f"reference figures {path.name} are not beside this checkout", allow_module_level=True)
    return json.loads(path.read_text())

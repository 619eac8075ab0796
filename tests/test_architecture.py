"""Rules of the tree that import-linter does not see."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
#: Only these files of an app may import the engine; views, api, consumers, tasks and urls go through services.
DOORS = {"services.py", "decisions.py"}
#: Data tables may be as long as their data.
LONGEST = 600


def python_files(*folders: str) -> list[Path]:
    return [p for folder in folders for p in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in p.parts]


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("path", python_files("apps"), ids=lambda p: str(p.relative_to(ROOT)))
def test_only_services_import_the_engine(path: Path) -> None:
    if path.name in DOORS or "services" in path.parts:
        return
    assert not {name for name in imports(path) if name.split(".")[0] == "engine"}


@pytest.mark.parametrize("path", python_files("engine"), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_engine_knows_no_framework_no_clock_and_no_global_randomness(path: Path) -> None:
    forbidden = {"django", "rest_framework", "channels", "celery", "redis", "datetime", "requests"}
    assert not {name.split(".")[0] for name in imports(path)} & forbidden


@pytest.mark.parametrize("path", python_files("engine", "apps", "config"), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_stays_readable(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST or "Data table" in text[:400], "split it by concept"


def test_every_module_has_a_docstring() -> None:
    empty_is_fine = {"__init__.py", "apps.py", "admin.py"}
    without = [
        str(path.relative_to(ROOT))
        for path in python_files("engine", "apps", "config", "benchmarks")
        if path.name not in empty_is_fine and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert without == []

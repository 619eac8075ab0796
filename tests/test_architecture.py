"""Rules of the tree that import-linter does not see."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
#: Only these files of an app may import the engine; views, api, consumers, tasks and urls go through services.
DOORS = {"services.py", "decisions.py"}
#: Data tables may be as long as their data.
LONGEST = 750


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


#: What the engine may not import, but for the file that is there to do so.
FRAMEWORKS = {"django", "rest_framework", "channels", "celery", "redis", "requests", "httpx", "socket"}
OUTSIDE_WORLD = {"time": {"engine/clock.py"}, "secrets": {"engine/dice/roller.py", "engine/dice/fair.py"}}
#: All that may be taken from a module of random numbers: generators, which are given a seed.
GENERATORS = {"Random", "Generator", "SeedSequence", "default_rng"}


def engine_files() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", python_files("engine"), ids=lambda p: str(p.relative_to(ROOT)))


@engine_files()
def test_the_engine_knows_no_framework_and_no_clock(path: Path) -> None:
    doors = {name for name, files in OUTSIDE_WORLD.items() if str(path.relative_to(ROOT)) in files}
    forbidden = (FRAMEWORKS | OUTSIDE_WORLD.keys() | {"datetime", "zoneinfo"}) - doors
    assert not {name.split(".")[0] for name in imports(path)} & forbidden


@engine_files()
def test_the_engine_knows_no_global_randomness(path: Path) -> None:
    assert unseeded(ast.parse(path.read_text())) == []


def unseeded(tree: ast.AST) -> list[str]:
    """Uses of ``random`` or ``numpy.random`` other than a generator that is given its seed."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("random", "numpy.random"):
            found += [alias.name for alias in node.names if alias.name not in GENERATORS]
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("random", "np.random", "numpy.random"):
            found += [node.attr] if node.attr not in GENERATORS else []
        if isinstance(node, ast.Call) and not node.args + node.keywords:
            called = ast.unparse(node.func).split(".")[-1]
            found += [f"{called}()"] if called in GENERATORS else []
    return found


@pytest.mark.parametrize(
    "line",
    [
        "random.shuffle(deck)",
        "from random import choice",
        "np.random.rand(3)",
        "np.random.default_rng()",
        "random.Random()",
    ],
)
def test_global_randomness_would_be_found(line: str) -> None:
    assert unseeded(ast.parse(line))


@pytest.mark.parametrize("line", ["random.Random(seed)", "np.random.default_rng(7)", "def f(rng: random.Random): ..."])
def test_a_seeded_generator_is_welcome(line: str) -> None:
    assert not unseeded(ast.parse(line))


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

"""What the documents promise is there."""

from __future__ import annotations

import ast
import pkgutil
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def variables_read_by_settings() -> set[str]:
    tree = ast.parse((ROOT / "config" / "settings.py").read_text())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "env"
        and isinstance(call.args[0], ast.Constant)
    }


def test_every_variable_is_documented_and_every_documented_variable_is_read() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "configuration.md").read_text(), re.M))
    read = variables_read_by_settings()
    assert len(read) >= 15
    assert read == documented


def test_links_between_documents_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_make_targets_named_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    named = {name for page in pages for name in re.findall(r"`make ([a-z-]+)", page.read_text())}
    assert named
    assert named <= targets


def named_in(page: Path, pattern: str) -> list[str]:
    return sorted(set(re.findall(pattern, page.read_text(encoding="utf-8"))))


ARCHITECTURE = ROOT / "docs" / "architecture.md"


@pytest.mark.parametrize("name", named_in(ARCHITECTURE, r"`((?:apps|engine|config)(?:\.\w+)+)`"))
def test_a_module_or_function_named_in_the_architecture_exists(name: str) -> None:
    pkgutil.resolve_name(name)


@pytest.mark.parametrize("page", [ROOT / "README.md", ARCHITECTURE], ids=lambda page: page.name)
def test_a_file_named_in_the_architecture_exists(page: Path) -> None:
    named = named_in(page, r"`((?:apps|engine|config|templates|static|tests|docs)/[\w./-]+)`")
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_picture_of_the_architecture_shows_every_package() -> None:
    picture = (ROOT / "docs" / "images" / "architecture.svg").read_text(encoding="utf-8")
    shown = set(re.findall(r'class="name"[^>]*>(\w+)<', picture))
    apps = {path.parent.name for path in (ROOT / "apps").glob("*/__init__.py")}
    engine = {path.parent.name for path in (ROOT / "engine").glob("*/__init__.py")}
    modules = {path.stem for path in (ROOT / "engine").glob("*.py")} - {"__init__"}
    assert shown == apps | engine | modules


def test_the_picture_in_readme_loads_quickly() -> None:
    assert (ROOT / "docs" / "images" / "home.png").stat().st_size < 200_000

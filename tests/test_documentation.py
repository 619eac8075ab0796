"""What the documents promise is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

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

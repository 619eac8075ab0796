"""Vendored files are what their README says, and the first load stays within its budget."""

from __future__ import annotations

import gzip
import hashlib
import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from apps.core.static_files import with_imports

ROOT = settings.ROOT
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| `([0-9a-f]{64})` \|$", re.MULTILINE)
ROWS = {row[0]: row[1:] for row in ROW.findall((ROOT / "static/vendor/README.md").read_text())}
#: What a file says about itself, where it says so.
SAYS = {
    "static/vendor/plotly-basic.min.js": r"plotly\.js \(basic - minified\) v([\d.]+)",
    "tests/browser/vendor/axe.min.js": r"axe v([\d.]+)",
}
BUDGET = 340_000  # DESIGN: first load without charts, gzipped (RFC-002 §11.1)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_vendored_file_is_the_one_listed(name):
    package, version, licence, digest = ROWS[name]
    content = (ROOT / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    assert package
    assert licence
    if name in SAYS:
        assert re.search(SAYS[name], content.decode())[1] == version


def test_nothing_vendored_is_missing_from_the_list():
    kept = [
        *(ROOT / "static/vendor").glob("*.js"),
        *(ROOT / "static/fonts").glob("*.woff2"),
        *(ROOT / "tests/browser/vendor").glob("*.js"),
    ]
    assert {str(path.relative_to(ROOT)) for path in kept} == set(ROWS)
    assert set(SAYS) <= set(ROWS)


def test_every_font_and_library_has_its_licence_beside_it():
    for name in ("fonts/inter-OFL.txt", "fonts/jetbrains-mono-OFL.txt"):
        assert "SIL Open Font License" in (ROOT / "static" / name).read_text()
    assert "MIT" in (ROOT / "static/vendor/plotly-LICENSE.txt").read_text()


def sent(name):
    """A static file as a page gets it: a style sheet with all it imports."""
    if name.startswith("css/"):
        sheets = {str(p.relative_to(ROOT / "static")): p.read_text() for p in (ROOT / "static/css").rglob("*.css")}
        return with_imports(name, sheets).encode()
    return Path(finders.find(name)).read_bytes()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/settings/", "/keyboard/"])
def test_the_first_load_fits_its_budget(client, address):
    html = client.get(address).content
    assets = set(re.findall(r'(?:src|href)="/static/([^"]+\.(?:css|js|svg))"', html.decode()))
    fonts = [path.read_bytes() for path in (ROOT / "static/fonts").glob("*.woff2")]  # woff2 is compressed already
    weight = len(gzip.compress(html)) + sum(map(len, fonts))
    weight += sum(len(gzip.compress(sent(name))) for name in assets)
    assert len(assets) > 8
    assert weight < BUDGET


def luminance(colour):
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


CSS = (ROOT / "static/css/tokens.css").read_text()
TOKENS = {
    name: re.findall(r"#[0-9A-Fa-f]{6}", value) * (1 if "light-dark" in value else 2)
    for name, value in re.findall(r"--([\w-]+):\s*(light-dark\([^)]+\)|#[0-9A-Fa-f]{6});", CSS)
}
TEXT_ON = [
    ("text", "ground"), ("text", "surface"), ("text", "sunken"), ("text", "accent-wash"),
    ("muted", "ground"), ("muted", "surface"), ("muted", "sunken"), ("ink", "accent"), ("inv-text", "inv-bg"),
    ("tray-text", "tray"), ("tray-muted", "tray"), ("accent", "tray"),
    ("gain", "surface"), ("gain", "gain-wash"), ("loss", "surface"), ("loss", "loss-wash"),
    ("error", "surface"), ("error", "error-wash"), ("text", "loss-wash"), ("text", "gain-wash"),
    *((("ink" if step > 4 else "paper"), f"h{step}") for step in range(9)),
]  # fmt: skip


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_can_be_read_in_both_themes(text, ground, theme):
    assert contrast(TOKENS[text][theme], TOKENS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("edge", ["rule", "edge", "series-a", "series-c", "series-d", "gain-fill", "loss-fill"])
def test_shapes_stand_out_in_both_themes(edge, theme):
    assert contrast(TOKENS[edge][theme], TOKENS["surface"][theme]) >= 3


def test_heat_gets_lighter_step_by_step():
    steps = [luminance(TOKENS[f"h{step}"][0]) for step in range(9)]
    assert steps == sorted(steps)
    assert all(b > 1.2 * a for a, b in pairwise(steps))

"""Templates, style sheets and scripts fit together: nothing they name is missing, nothing they hold is unused."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SHEETS = sorted((ROOT / "static" / "css").rglob("*.css"))
SCRIPTS = sorted(path for path in (ROOT / "static" / "js").rglob("*.js"))
NAMED = re.compile(r"""\{% (?:static|script) ['"]([^'"]+)['"]""")
IMPORTED = re.compile(r"""^(?:import|export) (?:.* from )?"([^"]+)";""", re.MULTILINE)
#: Elements that are a part by themselves, under the class of the same name.
ELEMENTS = {"kbd"}
#: Classes that somebody else sets: the browser's state in <html>, htmx, Plotly.
OF_OTHERS = {"js", "no-js", "htmx-request", "htmx-swapping", "htmx-settling"}


def named_files() -> Iterator[tuple[str, str]]:
    for template in TEMPLATES:
        for name in NAMED.findall(template.read_text(encoding="utf-8")):
            yield str(template.relative_to(ROOT)), name


@pytest.mark.parametrize(("template", "name"), sorted(set(named_files())))
def test_a_static_file_that_a_template_names_exists(template: str, name: str) -> None:
    assert finders.find(name), f"{template} names {name}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_module_that_a_script_imports_exists(script: Path) -> None:
    for name in IMPORTED.findall(script.read_text(encoding="utf-8")):
        assert (script.parent / name).resolve().is_file(), name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_what_a_script_exports_says_its_types(script: Path) -> None:
    lines = script.read_text(encoding="utf-8").splitlines()
    for before, line in itertools.pairwise(lines):
        if re.match(r"export (async )?(function|const|class)", line):
            assert before.rstrip().endswith("*/"), line


def test_every_script_is_used() -> None:
    used = {name for _, name in named_files()}
    for script in SCRIPTS:
        for name in IMPORTED.findall(script.read_text(encoding="utf-8")):
            used.add(str((script.parent / name).resolve().relative_to(ROOT / "static")))
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "apps").rglob("*.py"))
    used |= set(re.findall(r'"(js/[^"]+\.js)"', code))  # a room names its scripts where it names its pages
    assert {str(script.relative_to(ROOT / "static")) for script in SCRIPTS} == {
        name for name in used if is_script(name)
    }


def is_script(name: str) -> bool:
    return name.startswith("js/") and "*" not in name


def styled(sheet: Path) -> set[str]:
    text = re.sub(r"/\*.*?\*/|url\([^)]*\)|\"[^\"]*\"", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r"\.([a-z][\w-]*)", "".join(re.findall(r"[^{};]*\{", text))))


@pytest.fixture(scope="module")
def words() -> set[str]:
    """Every word that may become a class name: in a template, a script or the code that fills them."""
    sources = [*TEMPLATES, *SCRIPTS, *sorted((ROOT / "apps").rglob("*.py"))]
    return {word for path in sources for word in re.findall(r"[a-z][\w-]*", path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_class_that_a_sheet_styles_is_used(sheet: Path, words: set[str]) -> None:
    prefixes = {word for word in words if word.endswith("-")}  # "die--{{ size }}" names die--s and die--l
    unused = {
        name
        for name in styled(sheet) - words - OF_OTHERS
        if not any(name.startswith(prefix) for prefix in prefixes if len(prefix) > 2)
    }
    assert not unused


def selectors(sheet: Path) -> Iterator[str]:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    for group in re.findall(r"([^{};@]+)\{", text):
        yield from (one.strip() for one in re.split(r",(?![^(]*\))", group))


def classes(selector: str) -> set[str]:
    return set(re.findall(r"[.#]([a-z][\w-]*)", selector))


CSS = ROOT / "static" / "css"
CORE = [CSS / "base.css", *(CSS / name for name in re.findall(r'"(components/[^"]+)"', (CSS / "site.css").read_text()))]
OF_CORE = {name for sheet in CORE for selector in selectors(sheet) for name in classes(selector)}


@pytest.mark.parametrize(
    "sheet",
    [sheet for sheet in SHEETS if sheet not in CORE and sheet.parent != CSS],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_a_room_places_core_parts_in_its_own_and_never_restyles_them(sheet: Path) -> None:
    """A rule of a room's sheet names something of the room: ``.roll-tray .die`` is the room's, ``.die`` is not."""
    restyled = [selector for selector in selectors(sheet) if classes(selector) and classes(selector) <= OF_CORE]
    assert not restyled


STYLED = {name for sheet in SHEETS for name in styled(sheet)}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_a_class_name_that_is_put_together_begins_like_one_that_is_styled(template: Path) -> None:
    for value in re.findall(r'class="([^"]*)"', template.read_text(encoding="utf-8")):
        for start in re.findall(r"([a-z][\w-]*[_-])\{\{", value):
            assert any(name.startswith(start) for name in STYLED), start


#: Pages of their own, which a specimen would only repeat.
WHOLE_PAGES = {"error-page"}
SHARED = re.findall(r'"components/([\w-]+)\.css"', (ROOT / "static/css/site.css").read_text(encoding="utf-8"))


@pytest.mark.django_db
@pytest.mark.parametrize("part", sorted(set(SHARED) - WHOLE_PAGES))
def test_the_style_guide_shows_every_shared_part(part: str, client: Client) -> None:
    page = client.get("/styleguide/").content.decode()
    shown = {name for names in re.findall(r'class="([^"]*)"', page) for name in names.split()}
    shown |= {element for element in re.findall(r"<([a-z]+)", page) if element in ELEMENTS}
    blocks = {name for name in styled(ROOT / f"static/css/components/{part}.css") if not re.search(r"__|--", name)}
    assert blocks & shown

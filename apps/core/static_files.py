"""Static files as they are served: hashed names, compressed, whole style sheets, modules that find each other.

Sources are many small files; a page should fetch few. Style sheets pull components in with ``@import``, which a browser
would fetch one after another, so the imports are put in place when files are collected. Scripts are ES modules; the
addresses in their ``import`` lines get their hashes, and :func:`modules_of` lists what a script needs, so that a page
can ask for all of it at once.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

_CSS_IMPORT = re.compile(r"""^@import\s+["']([^"']+\.css)["'];\n?""", re.MULTILINE)
_FILE = re.compile(r"""url\(["']?(?![#"']|data:)""")  # not a part of the page itself
_JS_IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.[^"']+)["'];""", re.MULTILINE)


def with_imports(path: str, read: dict[str, str]) -> str:
    """A style sheet with every sheet it imports in the place of the import.

    >>> with_imports("pages/a.css", {"pages/a.css": '@import "../die.css";\\n.a {}\\n', "die.css": ".die {}\\n"})
    '.die {}\\n.a {}\\n'
    """

    def imported(found: re.Match[str]) -> str:
        target = _beside(path, found[1])
        content = with_imports(target, read)
        if _FILE.search(content) and posixpath.dirname(target) != posixpath.dirname(path):
            raise ValueError(f"{target} names files relative to itself and is imported by {path} from another folder")
        return content

    return _CSS_IMPORT.sub(imported, read[path])


@cache
def modules_of(path: str) -> tuple[str, ...]:
    """The modules a script imports, directly and through others, each once."""
    return tuple(dict.fromkeys(_modules(path)))


def _modules(path: str) -> Iterator[str]:
    found = finders.find(path)
    if found is None:
        raise FileNotFoundError(f"no static file {path}")
    for address in _JS_IMPORT.findall(Path(str(found)).read_text()):
        target = _beside(path, address)
        yield target
        yield from _modules(target)


def _beside(path: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), address))


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """What ``collectstatic`` fills and pages take addresses from."""

    support_js_module_import_aggregation = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patterns["js/*.js"] = self._patterns.pop("*.js")  # ours; others' files hold what only looks like imports

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            sheets = {name: Path(self.path(name)).read_text() for name in paths if name.startswith("css/")}
            for name in sheets:
                Path(self.path(name)).write_text(with_imports(name, sheets))
        yield from super().post_process(paths, dry_run, **options)

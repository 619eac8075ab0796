"""Lists lines of templates, style sheets and scripts that need a ruler to review; exits 1 if there are any."""

from __future__ import annotations

import sys
from pathlib import Path

LONGEST = 120
SOURCES = ("templates/**/*.html", "templates/**/*.svg", "static/css/**/*.css", "static/js/**/*.js")


def long_lines(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}:{number}: {len(line)} characters"
        for pattern in SOURCES
        for path in sorted(root.glob(pattern))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > LONGEST
    ]


if __name__ == "__main__":
    found = long_lines(Path(__file__).resolve().parents[1])
    print("\n".join(found))
    sys.exit(bool(found))

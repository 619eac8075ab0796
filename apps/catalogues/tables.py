"""Tables on disk: a JSON file per group with one entry a line, so that a change is a line in a diff."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Entry = Mapping[str, Any]
#: Entries by group (a faction, a team) and name.
Table = Mapping[tuple[str, str], Entry]


def text_of(group: str, value: str, entries: str, rows: Sequence[Entry], **head: Any) -> str:
    """The file of one group.

    >>> print(text_of("team", "Kasrkin", "operatives", [{"name": "Medic"}]), end="")
    {"team": "Kasrkin",
     "operatives": [
      {"name": "Medic"}
     ]}
    """
    first = {group: value, **head}
    opening = json.dumps(first, ensure_ascii=False)[:-1]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{opening},\n "{entries}": [\n{lines}\n ]}}\n'


def read(path: Path) -> dict[str, Any]:
    """One file of a table."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


class Difference(NamedTuple):
    """One thing that is not what it was."""

    group: str
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.group}: {self.name}: {self.what}"


def differences(old: Table, new: Table) -> Iterator[Difference]:
    """What a newer table changes, entry by entry and field by field.

    >>> old, new = {("Orks", "Boyz"): {"T": 5}}, {("Orks", "Boyz"): {"T": 6}, ("Orks", "Nobz"): {"T": 5}}
    >>> [str(change) for change in differences(old, new)]
    ['Orks: Boyz: T 5 → 6', 'Orks: Nobz: added']
    """
    for key in sorted({*old, *new}):
        if key not in new:
            yield Difference(*key, "removed")
        elif key not in old:
            yield Difference(*key, "added")
        else:
            yield from (Difference(*key, what) for what in _fields("", old[key], new[key]))


def _fields(name: str, old: Any, new: Any) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for field in dict.fromkeys((*old, *new)):
            yield from _fields(f"{name} {field}".strip(), old.get(field), new.get(field))
    elif _is_named_rows(old) and _is_named_rows(new):
        was, now = {row[0]: row[1:] for row in old}, {row[0]: row[1:] for row in new}
        for field in dict.fromkeys((*was, *now)):
            yield from _fields(f"{name} {field}".strip(), was.get(field), now.get(field))
    else:
        yield f"{name} {_shown(old)} → {_shown(new)}"


def _is_named_rows(value: Any) -> bool:
    """A list of rows, each beginning with a name of its own."""
    if not isinstance(value, list) or not all(isinstance(row, list) and row for row in value):
        return False
    names = [row[0] for row in value]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def _shown(value: Any) -> str:
    return "none" if value in (None, [], {}) else json.dumps(value, ensure_ascii=False)

"""Solved tables on disk: one memory-mapped file per rule variant, believed only if its checksum agrees.

A file is one 4 096-byte header (JSON, padded) and the raw values. It is *stale* when its format version or the digest
of the rules it was solved for differs from this code's, *damaged* when the checksum of the values does; either way it
is solved again. Files are written beside their name and renamed, so a reader sees the old one, the new one or none,
and two processes that solve at the same time do no harm.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.clock import Stopwatch
from engine.dicee import shares, solver
from engine.dicee.boxes import UPPER_MASK, UPPER_PAR, Rules, Scorecard, Variant, rules
from engine.dicee.solver import Progress

FORMAT_VERSION = 1
HEADER_BYTES = 4096
DIGEST_BYTES = 16
PIECE = 1 << 20  # bytes of a file that are looked at together
DIRECTORY_VARIABLE = "ODDSMITH_TABLES_DIR"
DEFAULT_DIRECTORY = Path(__file__).resolve().parents[2] / "var" / "solver"


@dataclass(frozen=True, slots=True, eq=False)  # the same table is the same object: it can be part of a cache's key
class Table:
    """The solved game under one variant."""

    variant: Variant
    values: NDArray[np.float64]
    seconds: float  # what solving took, whenever that was
    from_file: bool

    @property
    def expected_score(self) -> float:
        """What a perfect player averages from an empty card."""
        return float(self.values[0, 0])

    def value(self, card: Scorecard) -> float:
        """Points still to come from the start of a turn; a 35 already secured is on the card, not to come."""
        slot = slot_of(card.filled, card.upper_subtotal)
        return float(self.values[solver.row_of(card.filled, card.holds_dicee), slot]) - card.upper_bonus


def slot_of(filled: int, upper_total: int) -> int:
    """The column of a card's upper section."""
    return int(solver.slots().number[filled & UPPER_MASK, min(upper_total, UPPER_PAR)])


def tables_directory() -> Path:
    """Where tables live: ``ODDSMITH_TABLES_DIR``, or ``var/solver`` of this checkout."""
    return Path(os.environ.get(DIRECTORY_VARIABLE) or DEFAULT_DIRECTORY)


def table_path(variant: Variant, directory: Path, kind: str = "values") -> Path:
    return directory / f"dicee-{variant.value}.{kind}"


def find(variant: Variant, kind: str = "values", directory: Path | None = None) -> Table | None:
    """The table of a variant from memory or its file; ``None`` where it has not been solved yet."""
    where = directory or tables_directory()
    known = _in_memory()
    if (variant, kind, where) not in known:
        found = read(table_path(variant, where, kind), variant, kind)
        if found is None:
            return None
        known[variant, kind, where] = found
    return known[variant, kind, where]


def load(variant: Variant, directory: Path | None = None, progress: Progress | None = None) -> Table:
    """The table of a variant: from memory, else from its file, else solved now and saved."""
    where = directory or tables_directory()
    found = find(variant, "values", where)
    if found is None:
        found = _in_memory()[variant, "values", where] = build(variant, where, progress)
    return found


def load_shares(variant: Variant, directory: Path | None = None, progress: Progress | None = None) -> Table:
    """The same for ``values[row, slot, source]``: where the points of every state come from (58 MB, a few seconds)."""
    where = directory or tables_directory()
    found = find(variant, "shares", where)
    if found is None:
        path = table_path(variant, where, "shares")
        found = _in_memory()[variant, "shares", where] = _build_shares(load(variant, where), path, progress)
    return found


@cache
def _in_memory() -> dict[tuple[Variant, str, Path], Table]:
    return {}


def build(variant: Variant, directory: Path | None = None, progress: Progress | None = None) -> Table:
    """Solve a variant and save its table. A directory that cannot be written to only costs the next process time."""
    watch = Stopwatch()
    values = solver.solve(rules(variant), progress)
    table = Table(variant, values, watch.seconds, from_file=False)
    with contextlib.suppress(OSError):
        write(table, table_path(variant, directory or tables_directory()))
    return table


def _build_shares(solved: Table, path: Path, progress: Progress | None) -> Table:
    watch = Stopwatch()
    values = shares.solve_shares(rules(solved.variant), np.asarray(solved.values), progress)
    table = Table(solved.variant, values, watch.seconds, from_file=False)
    with contextlib.suppress(OSError):
        write(table, path, "shares")
    return table


def read(path: Path, variant: Variant, kind: str = "values") -> Table | None:
    """Map a table file, or ``None`` if it is missing, stale or damaged."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.read(HEADER_BYTES).rstrip(b" \n"))
        identity = _identity(variant, kind)
        if {key: header[key] for key in identity} != identity:
            return None
        if header["checksum"] != _file_digest(path):
            return None
        values = np.memmap(path, np.float64, "r", HEADER_BYTES, tuple(header["shape"]))
        return Table(variant, values, float(header["seconds"]), from_file=True)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(table: Table, path: Path, kind: str = "values") -> None:
    """Save a table whole or not at all."""
    header = _identity(table.variant, kind) | {"checksum": _digest(table.values), "seconds": table.seconds}
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        try:
            file.write(json.dumps(header).encode().ljust(HEADER_BYTES - 1) + b"\n")
            file.write(np.ascontiguousarray(table.values).data)
            file.flush()
            Path(file.name).replace(path)
        except OSError:
            Path(file.name).unlink(missing_ok=True)
            raise


@cache
def _identity(variant: Variant, kind: str) -> dict[str, Any]:
    """What a file must say to be this code's table of that variant."""
    shape = [solver.ROWS, int(solver.slots().start[-1])]
    return {
        "format": f"dicee-{kind}",
        "version": FORMAT_VERSION,
        "variant": variant.value,
        "rules": _rules_digest(rules(variant)),
        "shape": shape if kind == "values" else [*shape, solver.N_SOURCES],
    }


def _rules_digest(by: Rules) -> str:
    numbers = np.concatenate([by.scores.ravel(), [by.upper_bonus, by.dicee_bonus], solver.slots().after.ravel()])
    return _digest(numbers.astype(np.int64))


def _digest(array: NDArray[Any]) -> str:
    return hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=DIGEST_BYTES).hexdigest()


def _file_digest(path: Path) -> str:
    """The digest of the values in a file, read in pieces: through the map, every page of it would stay in memory."""
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    with path.open("rb") as file:
        file.seek(HEADER_BYTES)
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()

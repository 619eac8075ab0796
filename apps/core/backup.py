"""Everything people saved, in one file: taken while they play, read back into an empty database, checked row by row.

The file is a zip of JSON lines, one member a table, and a manifest with the count and the SHA-256 of each. It does not
depend on the database: what was taken from SQLite can be read into PostgreSQL.
"""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

FORMAT = 1
MANIFEST = "manifest.json"
#: Made by `migrate` in every database, so not ours to carry.
MADE_ANEW = {"contenttypes.contenttype", "auth.permission", "admin.logentry"}
BATCH = 500


class ExactEncoder(DjangoJSONEncoder):
    """Django's, without its rounding of times to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime.datetime | datetime.time) else super().default(o)


class BackupError(Exception):
    """A backup that cannot be taken or read; the text says why and what to do."""


@dataclass(frozen=True)
class Table:
    """What the manifest says of one table."""

    rows: int
    sha256: str


def take(path: Path) -> dict[str, Table]:
    """Write a backup. It is whole or not there: it gets its name only when it is finished."""
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with _one_moment(), zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            tables = {model._meta.label_lower: _write(archive, model) for model in tables_in_order()}
            manifest = {
                "format": FORMAT,
                "migrations": _migrations(),
                "tables": {name: vars(table) for name, table in tables.items()},
            }
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return tables


def restore(path: Path) -> dict[str, Table]:
    """Read a backup into an empty database of the same version; nothing is changed if anything is wrong."""
    with _opened(path) as archive:
        manifest = _manifest(archive)
        _check_version(manifest)
        full = [model._meta.label for model in tables_in_order() if model._default_manager.exists()]
        if full:
            raise BackupError(f"The database is not empty: {', '.join(full[:3])}. Restore into a new one.")
        models_ = tables_in_order()
        with transaction.atomic(), connection.constraint_checks_disabled():
            for model in models_:
                _read(archive, model)
            _continue_numbering(models_)
            found = {model._meta.label_lower: _measure(model) for model in models_}
            _compare(manifest, found)
            connection.check_constraints()
    return found


def verify(path: Path) -> dict[str, Table]:
    """Whether the file is whole: every table is there, counted and unchanged."""
    with _opened(path) as archive:
        manifest = _manifest(archive)
        found = {}
        for name in manifest["tables"]:
            digest, rows = hashlib.sha256(), 0
            try:
                with archive.open(f"{name}.jsonl") as file:
                    for line in file:
                        digest.update(line)
                        rows += 1
            except (KeyError, zipfile.BadZipFile, OSError) as error:
                raise BackupError(f"{path.name} is damaged: {name} cannot be read ({error}).") from error
            found[name] = Table(rows, digest.hexdigest())
        _compare(manifest, found)
    return found


def tables_in_order() -> list[type[models.Model]]:
    """Every table that people fill, those that others point to first."""
    ours = [model for model in apps.get_models() if model._meta.managed and not model._meta.proxy]
    wanted = [model for model in ours if model._meta.label_lower not in MADE_ANEW]
    return sorted(wanted, key=lambda model: model._meta.label_lower)


@contextmanager
def _one_moment() -> Iterator[None]:
    """All tables as they are at one moment, whatever people do meanwhile, and nobody waits for us."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own would be the writer's, whom everybody waits for
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _lines(model: type[models.Model]) -> Iterator[bytes]:
    rows = model._default_manager.order_by("pk").iterator(chunk_size=BATCH)
    batch: list[models.Model] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield from _as_lines(batch)
            batch = []
    yield from _as_lines(batch)


def _as_lines(rows: list[models.Model]) -> Iterator[bytes]:
    text: Any = serializers.serialize("jsonl", rows, cls=ExactEncoder)
    yield from text.encode().splitlines(keepends=True)


def _write(archive: zipfile.ZipFile, model: type[models.Model]) -> Table:
    digest, rows = hashlib.sha256(), 0
    with archive.open(f"{model._meta.label_lower}.jsonl", "w", force_zip64=True) as file:
        for line in _lines(model):
            file.write(line)
            digest.update(line)
            rows += 1
    return Table(rows, digest.hexdigest())


def _measure(model: type[models.Model]) -> Table:
    digest, rows = hashlib.sha256(), 0
    for line in _lines(model):
        digest.update(line)
        rows += 1
    return Table(rows, digest.hexdigest())


def _read(archive: zipfile.ZipFile, model: type[models.Model]) -> None:
    name = f"{model._meta.label_lower}.jsonl"
    try:
        with archive.open(name) as file:
            for row in serializers.deserialize("jsonl", io.TextIOWrapper(file, "utf-8")):
                row.save(force_insert=True)  # as it was: no default, no time of today
    except (KeyError, DeserializationError, zipfile.BadZipFile) as error:
        raise BackupError(f"{name} cannot be read ({error}).") from error


def _continue_numbering(models_: list[type[models.Model]]) -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models_):
            cursor.execute(statement)


def _migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise BackupError(f"There is no file {path}.") from None
    except (zipfile.BadZipFile, OSError) as error:
        raise BackupError(f"{path.name} is not a backup, or is damaged ({error}).") from error


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise BackupError(f"It is not a backup of Oddsmith, or is damaged ({error}).") from error
    if manifest.get("format") != FORMAT:
        raise BackupError(f"It is a backup of format {manifest.get('format')}; this version reads format {FORMAT}.")
    return manifest


def _check_version(manifest: dict[str, Any]) -> None:
    here, there = set(_migrations()), set(manifest["migrations"])
    if here != there:
        which = min(here ^ there)
        raise BackupError(
            f"It was taken by another version (they differ in {which}). Restore with that version, then upgrade."
        )


def _compare(manifest: dict[str, Any], found: dict[str, Table]) -> None:
    for name, said in manifest["tables"].items():
        table = found.get(name)
        if table is None or vars(table) != said:
            raise BackupError(f"{name} is not as it was: {table and table.rows} rows, {said['rows']} were taken.")

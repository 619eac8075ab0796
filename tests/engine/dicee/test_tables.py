"""Table files: mapped when they are right, solved again when they are missing, stale or damaged."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from engine.dicee import tables
from engine.dicee.boxes import Variant
from engine.dicee.tables import HEADER_BYTES, build, load, read, table_path, tables_directory, write

V = Variant.STANDARD


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    directory = tmp_path_factory.mktemp("saved")
    build(V, directory)
    return table_path(V, directory)


@pytest.fixture
def copy(saved, tmp_path):
    return shutil.copy(saved, tmp_path / saved.name)


def test_a_saved_table_is_mapped_and_equal(saved, table_of):
    found = read(saved, V)
    assert found.from_file
    assert isinstance(found.values, np.memmap)
    assert np.array_equal(found.values, table_of(V).values)
    assert found.seconds > 0


def test_a_missing_file_is_solved_and_saved(tmp_path):
    found = load(V, tmp_path / "new")
    assert not found.from_file
    assert read(table_path(V, tmp_path / "new"), V).expected_score == found.expected_score
    assert load(V, tmp_path / "new") is found


def _flip_a_bit(path):
    data = bytearray(path.read_bytes())
    data[HEADER_BYTES + 12345] ^= 1
    path.write_bytes(data)


def _cut_short(path):
    path.write_bytes(path.read_bytes()[:-8])


def _older_version(path):
    _edit_header(path, version=0)


def _other_rules(path):
    _edit_header(path, rules="0" * 32)


def _not_json(path):
    path.write_bytes(b"\x00" * 8192)


def _no_checksum(path):
    _edit_header(path, checksum=None)


def _edit_header(path, **changes):
    data = path.read_bytes()
    header = json.loads(data[:HEADER_BYTES]) | changes
    path.write_bytes(json.dumps(header).encode().ljust(HEADER_BYTES) + data[HEADER_BYTES:])


@pytest.mark.parametrize("damage", [_flip_a_bit, _cut_short, _older_version, _other_rules, _not_json, _no_checksum])
def test_a_damaged_or_stale_file_is_never_trusted(damage, copy):
    assert read(copy, V) is not None
    damage(copy)
    assert read(copy, V) is None


def test_a_damaged_file_is_replaced(copy, table_of):
    _flip_a_bit(copy)
    found = load(V, copy.parent)
    assert not found.from_file
    assert found.expected_score == table_of(V).expected_score
    assert read(copy, V) is not None


def test_a_table_of_another_variant_is_not_taken(copy):
    assert read(copy, Variant.JOKER_RULES) is None


def test_two_writers_leave_one_whole_file(copy):
    table = read(copy, V)
    target = copy.parent / "race" / copy.name
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: write(table, target), range(8)))
    assert read(target, V) is not None
    assert [path.name for path in target.parent.iterdir()] == [copy.name]


def test_a_directory_that_cannot_be_written_still_gives_an_answer(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert load(V, tmp_path / "file" / "sub").expected_score == pytest.approx(253.970241, abs=1e-6)


def test_a_failed_write_leaves_nothing_behind(copy, monkeypatch):
    def refuse(*_):
        raise OSError("disk full")

    table = read(copy, V)
    monkeypatch.setattr(tables.Path, "replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        write(table, copy.parent / "other" / copy.name)
    assert list((copy.parent / "other").iterdir()) == []


def test_the_directory_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv(tables.DIRECTORY_VARIABLE, str(tmp_path))
    assert tables_directory() == tmp_path
    monkeypatch.delenv(tables.DIRECTORY_VARIABLE)
    assert tables_directory() == tables.DEFAULT_DIRECTORY

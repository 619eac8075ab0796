"""A long job in parts: free workers take some, each is done once, and a helper that dies costs nothing but time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache

from apps.jobs import parts


def quiet(done: int, total: int, note: str = "") -> None:
    """A progress that nobody watches."""


@pytest.fixture(autouse=True)
def works() -> Iterator[dict[str, parts.Work]]:
    """Declared here and gone afterwards."""
    before = dict(parts.WORKS)
    yield parts.WORKS
    parts.WORKS.clear()
    parts.WORKS.update(before)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keys of jobs that others were asked to help with."""
    keys: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **how: keys.append(args[0]))
    return keys


def test_workers_share_the_parts_and_none_is_done_twice(asked: list[str]) -> None:
    done: list[int] = []
    helping = False

    @parts.part_of_a_job("test.times")
    def times(document: dict[str, Any], part: int) -> int:
        nonlocal helping
        done.append(part)
        if not helping:  # a helper comes while the owner is at its first part, and takes all the others
            helping = True
            parts.help_out(asked[0])
        return part * int(document["by"])

    assert parts.shared_out("test.times", {"by": 3}, 4, quiet) == [0, 3, 6, 9]
    assert sorted(done) == [0, 1, 2, 3]
    parts.help_out(asked[0])  # too late: nothing is left to do
    assert len(done) == 4


def test_a_part_of_a_helper_that_died_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PATIENCE", 0.05)

    def steal(name: str, args: tuple[str], **how: Any) -> None:
        cache.incr(f"{args[0]}:next")  # takes the first part and is never heard of again

    monkeypatch.setattr(current_app, "send_task", steal)
    parts.part_of_a_job("test.number")(lambda document, part: part)
    assert parts.shared_out("test.number", {}, 3, quiet) == [0, 1, 2]


def test_progress_counts_parts_to_the_end(asked: list[str]) -> None:
    told: list[tuple[int, int]] = []
    parts.part_of_a_job("test.number")(lambda document, part: part)
    parts.shared_out("test.number", {}, 3, lambda done, total, note="": told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_job_without_parts_asks_nobody(asked: list[str]) -> None:
    parts.part_of_a_job("test.number")(lambda document, part: part)
    assert parts.shared_out("test.number", {}, 0, quiet) == []
    assert asked == []


def test_helping_with_a_job_that_is_long_over_does_nothing() -> None:
    parts.help_out("parts:never")


@pytest.mark.parametrize("name", ["killteam.fight_matrix_row", "warhammer40k.duel_cells"])
def test_rooms_declare_their_parts_where_a_worker_finds_them(name: str) -> None:
    assert callable(parts._work(name))

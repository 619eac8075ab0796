"""Warm-up: every step runs, one that fails does not stop the others, web processes follow the worker."""

from __future__ import annotations

import subprocess

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from apps.core import tasks, warm_up
from apps.core.services import loops


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ran: list[str] = []
    monkeypatch.setattr(warm_up, "_steps", {})
    warm_up.register("first", lambda: ran.append("first"))
    warm_up.register("broken", lambda: 1 / 0)
    warm_up.register("last", lambda: ran.append("last"))
    return ran


def test_a_failing_step_is_logged_and_passed_over(steps: list[str], caplog: pytest.LogCaptureFixture) -> None:
    assert warm_up.run() == ["first", "last"]
    assert steps == ["first", "last"]
    assert "warm-up step broken failed" in caplog.text


def test_without_a_broker_only_what_needs_none_is_done(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "_shared", set())
    warm_up.register("told to others", lambda: steps.append("shared"), shared=True)
    assert warm_up.run(shared=False) == ["first", "last"]
    assert warm_up.run() == ["first", "last", "told to others"]


def test_one_room_alone(steps: list[str]) -> None:
    warm_up.register("last of all", lambda: steps.append("last of all"))
    assert warm_up.run(rooms=["last"]) == ["last", "last of all"]
    assert steps == ["last", "last of all"]


def test_a_web_process_follows_the_worker(steps: list[str]) -> None:
    thread = warm_up.follow()
    thread.join(0.6)
    assert steps == []
    assert warm_up.state() == "warming"
    assert not loops.is_compiled()  # no request waits for a compiler
    warm_up.run_and_announce()
    thread.join(10)
    assert steps == ["first", "last", "first", "last"]
    assert cache.get(warm_up.DONE_KEY) == "1"
    assert warm_up.state() == "ready"
    assert loops.is_compiled()


def test_the_worker_has_it_done_by_a_process_that_ends(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler's memory goes with that process; the command it runs does every step and leaves the mark."""
    asked: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **how: asked.append(command))
    tasks.warm_up()
    ((_, *command),) = asked
    assert (command, steps) == (["manage.py", "warm_up", "--announce"], [])
    call_command(*command[1:])
    assert steps == ["first", "last"]
    assert warm_up.state() == "ready"


def test_what_a_web_process_loads_itself_is_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(warm_up, "_steps", {"look": lambda: seen.append(loops.is_compiled())})
    cache.set(warm_up.DONE_KEY, "1")
    warm_up.follow().join(10)
    assert seen == [True]


def test_a_web_process_does_not_wait_for_ever(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get", lambda key: 1 / 0)
    warm_up.follow(patience=0.3).join(10)
    assert steps == ["first", "last"]


NOTE = {"HX-Request": "true", "HX-Target": "warm-up"}


@pytest.mark.django_db
def test_the_home_page_says_that_it_is_warming_up_and_then_that_it_is_done(client: Client) -> None:
    loops.interpret()
    try:
        opened = client.get("/").content.decode()
        still = client.get("/", headers=NOTE).content.decode()
    finally:
        loops.interpret(False)
    done = client.get("/", headers=NOTE).content.decode()
    assert all("Warming up." in text and 'hx-trigger="load delay:2s"' in text for text in (opened, still))
    assert "<html" not in still + done
    assert "Warmed up: every question is answered at full speed now." in done
    assert "hx-get" not in done, "it has stopped asking"


@pytest.mark.django_db
def test_a_warm_site_has_no_word_about_it(client: Client) -> None:
    assert "warm-up" not in client.get("/").content.decode()

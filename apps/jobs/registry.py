"""What can be run as a job. A room declares its jobs in its own ``tasks.py``; both web and workers find them there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.module_loading import autodiscover_modules


class Cancelled(Exception):  # noqa: N818
    """The job is no longer this worker's to do: its owner cancelled it, or another worker took it over."""


class Progress(Protocol):
    """Given to a job's function. Call it as often as you like: it writes and sends only a few times a second."""

    def __call__(self, done: int, total: int, note: str = "") -> None:
        """Say how far the work is. Raises ``Cancelled`` when it need not go on."""


Run = Callable[[dict[str, Any], Progress], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    title: str
    run: Run
    template: str  # renders ``job.result``


KINDS: dict[str, Kind] = {}


def job(name: str, *, title: str, template: str = "jobs/components/plain_result.html") -> Callable[[Run], Run]:
    """Declare a function as a kind of job, by a name that stays the same for as long as such jobs are kept."""

    def register(run: Run) -> Run:
        if name in KINDS and KINDS[name].run.__qualname__ != run.__qualname__:
            raise ValueError(f"Two kinds of job are called {name}.")
        KINDS[name] = Kind(name, title, run, template)
        return run

    return register


def find(name: str) -> Kind | None:
    """The kind of that name. Rooms are asked only when it is not known yet: that may import a solver."""
    if name not in KINDS:
        autodiscover_modules("tasks")
    return KINDS.get(name)

"""Two rosters and two armies counted as jobs by real Celery workers: what a second worker is worth.

Each run counts everything afresh: the rosters of every run differ in their wounds, and the cache is emptied. Counted is
the processor time of the busiest worker process, which is how long the job takes where every worker has a core.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import cache as once
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks import site  # first: it decides the settings
from benchmarks.harness import Benchmark

# isort: split
from django.core.cache import cache

from apps.accounts.models import Player
from apps.core.processes import Family
from apps.jobs import services as jobs
from apps.jobs.models import Job, State
from apps.killteam import rosters
from apps.warhammer40k import armies
from benchmarks.bench_armies import EVERYTHING_ON, army

MOST_SECONDS = 300.0
GLANCE = 0.02
LOG = site.FOLDER / "worker.log"
PARENT, USER, SYSTEM = 1, 11, 12  # fields of /proc/…/stat behind the name
RUNS = count()
#: The kind of a job and its document.
Prepared = Callable[[], tuple[str, dict[str, object]]]


class Workers:
    """One Celery with so many worker processes at a time; asked for another number it is started anew."""

    def __init__(self) -> None:
        self.number = 0
        self.family: Family | None = None

    def ensure(self, number: int) -> None:
        if self.number == number:
            return
        self.stop()
        self.family, self.number = Family(), number
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", str(number)]
        environment = os.environ | {"WORKER_CONCURRENCY": str(number), "WARM_UP": "0"}
        self.family.start("worker", [*command, "--loglevel", "warning"], env=environment, log=LOG)

    def processor_seconds(self) -> dict[str, float]:
        """What each worker process has used so far, by its number."""
        assert self.family is not None
        parent = self.family.children["worker"].pid
        found = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            if int(fields[PARENT]) == parent:
                found[stat.parent.name] = (int(fields[USER]) + int(fields[SYSTEM])) / os.sysconf("SC_CLK_TCK")
        return found

    def stop(self) -> None:
        if self.family is not None:
            self.family.stop()
        self.family, self.number = None, 0


WORKERS = Workers()


@once
def owner() -> Player:
    site.stand_up()
    return Player.objects.create()


def rosters_to_fight() -> tuple[str, dict[str, object]]:
    """Two whole teams, with wounds nobody has fought before."""
    extra = next(RUNS)
    keys = []
    for team in ("Angels of Death", "Legionaries"):
        whole = rosters.from_team(team)
        men = [{**one, "wounds": one["wounds"] + extra} for one in whole["operatives"]]
        keys.append(rosters.keep({**whole, "operatives": men}).key)
    return "killteam.duel", {"a": keys[0], "b": keys[1], "on": []}


def armies_to_count() -> tuple[str, dict[str, object]]:
    """Twelve units a side, everything on."""
    cache.clear()
    keys = [armies.keep(army(faction, "eleventh")).key for faction in ("Space Marines", "Orks")]
    return "warhammer40k.duel", {"a": keys[0], "b": keys[1], "phase": "shoot", "on": list(EVERYTHING_ON)}


def counted(prepared: Prepared, workers: int) -> float:
    """Processor seconds of the busiest worker over a job."""
    player = owner()
    WORKERS.ensure(workers)
    kind, document = prepared()
    before = WORKERS.processor_seconds()
    job = jobs.start(player, kind, document)
    end = time.monotonic() + MOST_SECONDS
    while job.state not in (State.DONE, State.FAILED):
        assert time.monotonic() < end, f"{kind} took too long; see {LOG}"
        time.sleep(GLANCE)
        job = Job.objects.get(pk=job.pk)
    assert job.state == State.DONE, job.error
    return max(used - before.get(pid, 0.0) for pid, used in WORKERS.processor_seconds().items())


def tidy_up() -> None:
    WORKERS.stop()


def _row(name: str, prepared: Prepared, budget: float) -> Benchmark:
    return Benchmark(
        name,
        partial(counted, prepared, 2),
        partial(counted, prepared, 1),
        baseline_name="one worker",
        budget=budget,
        at_least=1.6,
        repeats=5,
        baseline_repeats=5,
        reports=True,
        baseline_reports=True,
    )


BENCHMARKS = [
    _row("roster against roster by two workers", rosters_to_fight, 2.0),
    _row("12 × 12 armies, everything on, by two workers", armies_to_count, 5.0),
]

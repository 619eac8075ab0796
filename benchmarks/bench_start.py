"""The first minutes of a fresh clone: nothing compiled, no table solved, no state.

Every measurement has a folder of its own for machine code and state. Processor seconds count what a process and its
children used, so they say the same on a busy machine.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from functools import cache, partial
from pathlib import Path

from benchmarks.harness import Benchmark

ROOMS = ("killteam", "warhammer40k", "battletech", "dicee")
PAGES = (
    "/",
    "/dicee/",
    "/killteam/shoot/",
    "/killteam/fight/",
    "/killteam/fight/plans/?v=2",
    "/killteam/matrix/",
    "/killteam/matrix/fight/",
    "/warhammer40k/",
    "/battletech/",
    "/dice/",
)
KNIFE = {"numDice": 5, "diceStat": 3, "normDmg": 4, "critDmg": 5, "wounds": 14}
GUN, TARGET = {"numDice": 5, "diceStat": 3, "normDmg": 3, "critDmg": 4}, {"numDice": 3, "diceStat": 4, "wounds": 12}
RIFLES = {"name": "bolt rifle", "count": 10, "attacks": "2", "skill": 3, "strength": 4, "ap": 1, "damage": "1"}
MARINES = {"toughness": 4, "save": 3, "wounds": 2, "models": 5}
FIRST_QUESTIONS = {
    "killteam.fight": {"fighter1": KNIFE, "fighter2": KNIFE},
    "killteam.shoot": {"attacker": GUN, "defender": TARGET},
    "warhammer40k.attack": {"weapons": [RIFLES], "defender": MARINES},
}
PORT = 8765
MOST_SECONDS = 600.0  # to wait for anything
FOLDERS: list[Path] = []
SITES: list[subprocess.Popen[str]] = []


def fresh() -> dict[str, str]:
    """The environment of a clone that has never run."""
    folder = Path(tempfile.mkdtemp(prefix="oddsmith-start-"))
    FOLDERS.append(folder)
    return os.environ | {
        "VAR_DIR": str(folder / "var"),
        "NUMBA_CACHE_DIR": str(folder / "code"),
        "ODDSMITH_TABLES_DIR": str(folder / "var" / "solver"),
    }


def processor_seconds(command: list[str]) -> float:
    """What a command and its children use of the processor, from nothing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], env=fresh(), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def warm_up(*rooms: str) -> float:
    return processor_seconds(["manage.py", "warm_up", *rooms])


def first_answer(op: str) -> float:
    """Seconds until a cold ``python -m engine`` has answered one question."""
    line, environment = json.dumps({"op": op, "input": FIRST_QUESTIONS[op]}), fresh()
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "engine"], input=line, text=True, env=environment, check=True, capture_output=True
    )
    took = time.perf_counter() - start
    assert json.loads(done.stdout)["ok"], done.stdout
    return took


@cache
def folder() -> dict[str, str]:
    """The state of the one clone that the site is started from."""
    return fresh()


def start_site() -> float:
    """Seconds until ``manage.py up`` says where it is."""
    stop_sites()
    start = time.perf_counter()
    site = subprocess.Popen(
        [sys.executable, "manage.py", "up", "--port", str(PORT)],
        env=folder(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    SITES.append(site)
    assert site.stdout is not None
    for line in site.stdout:
        if "Oddsmith is at" in line:
            return time.perf_counter() - start
    raise AssertionError("the site did not start")


def page(path: str) -> float:
    """Seconds a page takes."""
    start = time.perf_counter()
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=MOST_SECONDS) as reply:
        assert reply.status == 200
        reply.read()
    return time.perf_counter() - start


def wait_until_warm() -> float:
    """Seconds until the worker's log says that its last step is done, and the web process has loaded what it made."""
    start = time.perf_counter()
    while time.perf_counter() - start < MOST_SECONDS and not _is_idle():
        time.sleep(1.0)
    return time.perf_counter() - start


def _is_idle() -> bool:
    """Nobody of the site has used the processor for a moment."""
    before = {pid: _ticks(pid) for pid in _processes()}
    time.sleep(5.0)
    return all(_ticks(pid) - ticks <= 5 for pid, ticks in before.items())


def _processes() -> list[int]:
    """The site's processes, by the state folder in their environment."""
    mark, found = folder()["VAR_DIR"].encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def print_memory() -> None:
    """Resident and private megabytes of the idle site, process by process."""
    for pid in _processes():
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:60]
            sizes = dict(line.split(":") for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
        except OSError:
            continue
        resident, private = (int(sizes[name].split()[0]) // 1024 for name in ("Rss", "Private_Dirty"))
        print(f"  {resident:>5} MB resident, {private:>4} MB of its own: {command}")


def stop_sites() -> None:
    while SITES:
        site = SITES.pop()
        site.terminate()
        site.communicate()


def tidy_up() -> None:
    stop_sites()
    for each in FOLDERS:
        shutil.rmtree(each, ignore_errors=True)


def once(name: str, run: partial[float], *, budget: float | None = None) -> Benchmark:
    return Benchmark(name, run, budget=budget, repeats=1, warm_up=False, reports=True)


BENCHMARKS = (
    *(once(f"cold warm-up of {room}, processor seconds", partial(warm_up, room)) for room in ROOMS),
    once("cold warm-up of all rooms, processor seconds", partial(warm_up), budget=40.0),
    *(once(f"cold python -m engine, first {op}", partial(first_answer, op), budget=3.0) for op in FIRST_QUESTIONS),
    once("cold start, until it says where it is", partial(start_site), budget=45.0),
    *(once(f"right after a cold start, {path}", partial(page, path), budget=2.0) for path in PAGES),
    once("until the site is warm", partial(wait_until_warm)),
    Benchmark("memory of the warm site", print_memory, repeats=1, warm_up=False),
    *(once(f"on the warm site, {path}", partial(page, path), budget=2.0) for path in PAGES),
    once("second start", partial(start_site), budget=3.0),
)

"""``python -m benchmarks [room …]``: run, print a table, write JSON."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import sys
from pathlib import Path

import benchmarks
from benchmarks.harness import Measurement, measure

OUT = Path("var/bench/latest.json")


def rooms(wanted: list[str]) -> list[str]:
    names = sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name.startswith("bench_"))
    return [n for n in names if not wanted or n.removeprefix("bench_") in wanted]


def seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value * 1e6:.0f} µs" if value < 1e-3 else f"{value * 1e3:.2f} ms" if value < 1 else f"{value:.2f} s"


def row(m: Measurement) -> str:
    base = f"{m.baseline_name} {seconds(m.baseline)}"
    goal = f"≤ {seconds(m.budget)}" if m.budget is not None else ""
    goal += f" ≥ {m.at_least:g}×" if m.at_least is not None else ""
    return (
        f"{m.name:<58} {seconds(m.median):>10} {seconds(m.p95):>10}  {base:<34} {m.ratio:>9.2f}× {goal:<18} {m.verdict}"
    )


def main(wanted: list[str]) -> int:
    print(f"{'name':<58} {'median':>10} {'p95':>10}  {'baseline':<34} {'ratio':>10} {'budget':<18}")
    done: list[Measurement] = []
    for name in rooms(wanted):
        room = importlib.import_module(f"benchmarks.{name}")
        try:
            for benchmark in room.BENCHMARKS:
                done.append(measure(benchmark))
                print(row(done[-1]), flush=True)
        finally:
            getattr(room, "tidy_up", lambda: None)()
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps([dataclasses.asdict(m) | {"verdict": m.verdict} for m in done], indent=1))
    print(f"\n{len(done)} measured; written to {OUT}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

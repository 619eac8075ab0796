"""Server time of the calculators' pages as they open, through the whole stack except the network."""

from __future__ import annotations

from functools import cache, partial

from benchmarks import site  # first: it decides the settings
from benchmarks.harness import Benchmark

# isort: split
from django.test import Client

BUDGET = 0.025  # of the design: a page answers before anyone notices
PAGES = (
    "/", "/dicee/", "/killteam/shoot/", "/killteam/fight/", "/killteam/matrix/", "/killteam/profiles/",
    "/warhammer40k/", "/warhammer40k/profiles/", "/battletech/", "/dice/",
)  # fmt: skip


@cache
def visitor() -> Client:
    site.stand_up()
    return Client()


def get(path: str) -> None:
    assert visitor().get(path).status_code == 200


BENCHMARKS = tuple(Benchmark(f"page {path}", partial(get, path), budget=BUDGET) for path in PAGES)

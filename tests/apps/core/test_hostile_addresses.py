"""No address of a calculator answers 500: every field with hostile values, on both sides, as a page and live."""

from __future__ import annotations

import random
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client

from apps.core.calculator import Calculator
from apps.dice.calculator import DICE
from apps.killteam.calculators import fight, matrix, shoot
from apps.warhammer40k.urls import builder

CALCULATORS: dict[str, Calculator] = {
    "/dice/": DICE,
    "/killteam/shoot/": shoot,
    "/killteam/fight/": fight,
    "/killteam/matrix/": matrix,
    "/warhammer40k/": builder,
}
HOSTILE = (
    "", " ", "-1", "+3", " 3", "٣", "²", "①", "３", "1e9", "NaN", "0x10", "9" * 5000, "null", "\x00", "\ud7ff", "🎲",
    "<b>", "'\"", "../..", "%", "{{ 7 }}", "[" * 400, "{" * 400, "1;2", "D", "999D999", "3D6kh9", "-0", "7+", "1\n2",
)  # fmt: skip
#: 204 carries the way to the changed sheet for htmx, as 302 does for a browser.
ALLOWED = {200, 204, 302, 404, 422, 429}


def hostile(calculator: Calculator, seed: int, count: int) -> Iterator[str]:
    """Queries with one or two hostile values, each in a field of situation A or B, alone or compared."""
    rng = random.Random(seed)
    form = calculator.form(QueryDict(calculator.welcome))
    names = [*form.fields, "v", "compare", "pick", "do", *(lines.key for lines in calculator.form.lines)]
    for _ in range(count):
        compared = rng.random() < 0.6
        pairs = [("v", "1"), *([("compare", "1")] if compared else [])]
        for name in rng.sample(names, rng.choice((1, 1, 2))):
            side = "b-" if compared and rng.random() < 0.5 else ""
            pairs += [(side + name, rng.choice(HOSTILE).encode("utf-8", "replace").decode())]
        yield urlencode(pairs)


@pytest.mark.django_db
@pytest.mark.parametrize("address", CALCULATORS)
@pytest.mark.parametrize("live", [False, True], ids=["page", "live"])
def test_no_value_of_any_field_breaks_a_page(client: Client, address: str, live: bool, settings) -> None:
    settings.RATE_LIMIT_SCALE = 10_000
    client.raise_request_exception = False
    headers = {"HX-Request": "true"} if live else {}
    wrong = {}
    for query in hostile(CALCULATORS[address], seed=16 + live, count=100):
        status = client.get(f"{address}?{query}", headers=headers).status_code
        if status not in ALLOWED:
            wrong[query[:200]] = status
    assert wrong == {}

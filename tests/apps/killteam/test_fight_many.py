"""The fight matrix: lists in, every pair fought both ways; measures; CSV; a large one as a job that workers share."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client

from apps.jobs.models import Job
from apps.killteam import tasks
from apps.killteam.calculators import fight, fight_matrix
from apps.killteam.forms import FightMatrixForm
from apps.killteam.services import fight_matrix as brawling
from apps.killteam.services import matrix as matching
from apps.killteam.services import measures

pytestmark = pytest.mark.django_db
PAGE = "/killteam/matrix/fight/"
ONE, TWO = "Ork: 3 3+ 4/5 10W, Brutal", "Knight: 4 3+ 3/5 12W, Shield"
MANY = "\n".join(f"Brute {n}: 9 3+ {n % 5 + 2}/{n % 4 + 5} 24W" for n in range(1, 41))


def answered(**lists: str) -> Any:
    query = QueryDict(mutable=True)
    query.update({"v": "1"} | lists)
    (side,) = fight_matrix.read(query)
    assert side.answer is not None, side.form.errors
    return side.answer


def settings_of(**values: str) -> dict[str, Any]:
    query = QueryDict(mutable=True)
    query.update(values)
    form = FightMatrixForm(query)
    assert form.is_valid(), form.errors
    return form.settings()


@pytest.mark.parametrize(("first", "number"), [("attacker", "1"), ("defender", "2")])
def test_each_cell_is_the_answer_of_the_fight_page(first: str, number: str) -> None:
    answer = answered(attackers=ONE, defenders=TWO, first=first, least="4")
    sheet = "v=2&one_dice=3&one_hit=3&one_normal=4&one_critical=5&one_wounds=10&one_rules=brutal"
    sheet += f"&two_dice=4&two_hit=3&two_normal=3&two_critical=5&two_wounds=12&two_rules=storm_shield&first={number}"
    (alone,) = fight.read(QueryDict(sheet))
    assert alone.answer is not None, alone.form.errors
    joint = alone.answer.table("joint").rows  # wounds left to both, P

    def cell(measure: str) -> float:
        return float(answer.table(measure).rows[0][1])

    assert cell("kill") == pytest.approx(sum(p for _, w2, p in joint if w2 == 0), abs=1e-12)
    assert cell("die") == pytest.approx(sum(p for w1, _, p in joint if w1 == 0), abs=1e-12)
    assert cell("live") == pytest.approx(sum(p for w1, w2, p in joint if w1 and w2), abs=1e-9)
    assert cell("traded") == pytest.approx(sum(p * ((12 - w2) - (10 - w1)) for w1, w2, p in joint), abs=1e-9)
    assert cell("least") == pytest.approx(sum(p for _, w2, p in joint if w2 <= 12 - 4), abs=1e-12)


def test_the_gain_by_striking_first_is_the_difference_of_both_ways() -> None:
    charging, waiting = (answered(attackers=ONE, defenders=TWO, first=first) for first in ("attacker", "defender"))

    def score(answer: Any) -> float:
        return float(answer.table("kill").rows[0][1] - answer.table("die").rows[0][1])

    assert charging.table("charge").rows[0][1] == pytest.approx(100 * (score(charging) - score(waiting)), abs=1e-9)
    assert charging.table("charge").rows == waiting.table("charge").rows


def test_perfect_play_is_the_default_and_beats_every_plan() -> None:
    best = answered(attackers=ONE, defenders=TWO)
    assert best.table("kill").rows == answered(attackers=ONE, defenders=TWO, attacker_plan="optimal").table("kill").rows
    for plan in ("strike", "parry", "max_dmg_to_enemy", "min_dmg_to_self"):
        other = answered(attackers=ONE, defenders=TWO, attacker_plan=plan)
        worth = [a.table("kill").rows[0][1] - a.table("die").rows[0][1] for a in (best, other)]
        assert worth[0] >= worth[1] - 1e-12


def test_a_team_brings_everyone_with_every_blade() -> None:
    named, _ = brawling.read_lists(settings_of(attackers="", attack_team="Kommandos", defenders=TWO))
    assert any(name.startswith("Kommando Boss Nob, ") for name, _ in named)


def test_a_line_that_is_no_fighter_is_named_beside_its_list(client: Client) -> None:
    reply = client.get(f"{PAGE}?v=1&attackers=Ork:+3%2B+10W")
    assert reply.status_code == 422
    assert "Ork: 4 3+ 4/5 10W, Brutal" in reply.content.decode()


def test_words_without_effect_are_named() -> None:
    assert "“Brutl” (Ork)" in answered(attackers="Ork: 3 3+ 4/5 10W, Brutl", defenders=TWO).warnings[0]


def test_csv_keeps_every_digit(client: Client) -> None:
    rows = list(csv.reader(io.StringIO(client.get(f"{PAGE}charge.csv?v=1").content.decode())))
    assert rows[0][:2] == ["Attacker", "Legionary"]
    assert len(rows) == 5


def test_json_lists_are_read_too() -> None:
    ork = json.dumps([{"name": "Ork", "numDice": 3, "diceStat": 3, "normDmg": 4, "critDmg": 5, "wounds": 10}])
    assert (
        answered(attackers=ork, defenders=TWO).tables == answered(attackers="Ork: 3 3+ 4/5 10W", defenders=TWO).tables
    )


def test_many_are_a_job_and_its_page_sorts_them(client: Client) -> None:
    path = f"{PAGE}?{urlencode({'v': 1, 'attackers': MANY, 'defenders': MANY})}"
    assert "match-ups" in client.get(path).content.decode()
    client.post("/killteam/matrix/run/", {"path": path})
    job = Job.objects.get()
    assert job.kind == "killteam.matrix"
    assert job.document["kind"] == "fight"
    small = job.document | {"attackers": job.document["attackers"][:2], "defenders": job.document["defenders"][:2]}
    Job.objects.update(state="done", result=tasks.compute_matrix(small, lambda done, total, note="": None))
    page = client.get(f"/killteam/matrix/job/{job.pk}/?show=charge").content.decode()
    assert measures.FIGHTS["charge"].title in page
    assert PAGE in page
    assert client.get(f"/killteam/matrix/job/{job.pk}/traded.csv").status_code == 200
    assert client.get(f"/killteam/matrix/job/{job.pk}/damage.csv").status_code == 404


def test_the_ramp_of_a_measure_below_nothing_starts_at_its_lowest() -> None:
    result = {"kind": "fight", "attackers": ["a"], "defenders": ["b", "c"], "traded": [[-2.0, 3.0]]}
    arranged = matching.arranged(result, show="traded")
    assert (arranged["low"], arranged["span"]) == (-2.0, 5.0)

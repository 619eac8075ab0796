"""The matrix: lists in, every pair out; sorting; CSV; a large one as a job."""

from __future__ import annotations

import csv
import io
import json
import uuid

import pytest
from django.http import QueryDict
from django.test import Client

from apps.accounts.models import Player
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.killteam.calculators import matrix, shoot
from apps.killteam.forms import MatrixForm
from apps.killteam.services import matrix as matching

pytestmark = pytest.mark.django_db
PAGE = "/killteam/matrix/"
GUNS = "\n".join(f"Gun {n}: 5 3+ {n}/{n + 1}" for n in range(1, 22))
TARGETS = "\n".join(f"Target {n}: 3+ {n}W" for n in range(1, 21))


def answered(**lists: str):
    query = QueryDict(mutable=True)
    query.update({"v": "1"} | lists)
    (side,) = matrix.read(query)
    assert side.answer is not None, side.form.errors
    return side.answer


def settings_of(**values: str) -> dict:
    query = QueryDict(mutable=True)
    query.update(values)
    form = MatrixForm(query)
    assert form.is_valid(), form.errors
    return form.settings()


def test_each_cell_is_the_answer_of_the_shooting_page() -> None:
    answer = answered(attackers="Plasma: 4 3+ 4/6, Piercing 1, Lethal 5+", defenders="Marine: 3+ 14W, Cover 1")
    (alone,) = shoot.read(QueryDict("v=1&normal=4&critical=6&piercing=1&lethal=5&save=3&wounds=14&cover=1"))
    assert alone.answer is not None
    assert 100 * answer.table("kill").rows[0][1] == pytest.approx(alone.answer.number, abs=1e-12)
    assert answer.table("damage").rows[0][1] == pytest.approx(alone.answer.facts["pmf"].mean)
    assert answer.table("left").rows[0][1] == pytest.approx(alone.answer.facts["wounds_left"])


def test_json_lists_are_read_too() -> None:
    guns = json.dumps([{"name": "Plasma", "numDice": 4, "diceStat": 3, "normDmg": 4, "critDmg": 6}])
    targets = json.dumps([{"name": "Marine", "numDice": 3, "diceStat": 3, "wounds": 14}])
    as_json = answered(attackers=guns, defenders=targets)
    as_text = answered(attackers="Plasma: 4 3+ 4/6", defenders="Marine: 3+ 14W")
    assert as_json.tables == as_text.tables


def test_a_team_brings_its_guns_and_its_people() -> None:
    answer = answered(attackers="", attack_team="Legionaries", defenders="", defend_team="Kommandos")
    assert "Kommando Boss Nob" in answer.table("kill").header
    assert "Meltagun" in [row[0] for row in answer.table("kill").rows]


def test_sorting_by_a_column_puts_the_best_first() -> None:
    result = matching.compute(matching.document(settings_of(attackers=GUNS, defenders=TARGETS)))
    by_last = matching.arranged(result, show="kill", column=20)
    cells = [row[2][19] for row in by_last["rows"]]
    assert cells == pytest.approx(sorted(cells, reverse=True), abs=1e-9)
    left = matching.arranged(result, show="left", order="best")
    sums = [sum(cells) for _, _, cells in left["rows"]]
    assert sums == pytest.approx(sorted(sums), abs=1e-9)  # the fewer wounds left, the better
    along = matching.arranged(result, show="kill", row=3)
    assert along["columns"][0][1] == "Target 1"


def test_csv_keeps_every_digit_and_the_order_entered(client: Client) -> None:
    rows = list(csv.reader(io.StringIO(client.get(f"{PAGE}damage.csv?v=1&order=best").content.decode())))
    assert rows[0][:2] == ["Attacker", "Guardsman"]
    assert float(rows[1][1]) == answered().table("damage").rows[0][1]


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        (
            {"attackers": "Gun four"},
            "Line 1 must look like “Plasma gun: 4 3+ 4/6, Piercing 1”; you entered “Gun four”.",
        ),
        ({"defenders": "ok: 3+ 8W\nbad: 8W"}, "Line 2 must look like “Intercessor: 3+ 14W, Cover 1”"),
        ({"attackers": ""}, "Attackers must be 1–100; you entered 0."),
        ({"attackers": "[1, 2]"}, "JSON must be a list like"),
        ({"attackers": "Gun: 40 3+ 3/4"}, "Gun: dice must be 20 or less; you entered 40."),
        ({"defenders": "\n".join(f"T{n}: 3+ 8W" for n in range(101))}, "Defenders must be 1–100; you entered 101."),
    ],
)
def test_a_wrong_list_is_named(client: Client, lists: dict[str, str], message: str) -> None:
    reply = client.get(PAGE, {"v": "1"} | lists)
    assert reply.status_code == 422
    assert message in reply.content.decode().replace("&#x27;", "'")


def test_names_are_shown_as_text(client: Client) -> None:
    page = client.get(PAGE, {"v": "1", "attackers": "<b>x</b>: 4 3+ 3/4"}).content.decode()
    assert "<b>x</b>" not in page


def test_a_large_matrix_becomes_a_job_whose_result_anybody_reads_by_its_link(client: Client) -> None:
    sheet = QueryDict(mutable=True)
    sheet.update({"v": "1", "attackers": GUNS, "defenders": TARGETS})
    address = f"{PAGE}?{sheet.urlencode()}"
    assert "Compute 420 match-ups" in client.get(address).content.decode()

    reply = client.post(f"{PAGE}run/", {"path": address})
    assert reply.status_code == 302
    job = Job.objects.get()
    assert reply["Location"] == job.get_absolute_url()
    jobs.run(job.id)

    job.refresh_from_db()
    assert job.state == "done"
    assert job.result["kill"][20][19] > job.result["kill"][0][19]
    page = client.get(f"{PAGE}job/{job.id}/?show=damage&order=name&column=2")
    assert page.status_code == 200
    assert "Average damage" in page.content.decode()
    rows = list(csv.reader(io.StringIO(client.get(f"{PAGE}job/{job.id}/kill.csv").content.decode())))
    assert float(rows[21][1]) == job.result["kill"][20][0]
    assert client.get(f"{PAGE}job/{job.id}/nonsense.csv").status_code == 404
    friend = Client().get(f"{PAGE}job/{job.id}/?show=damage")
    assert friend.status_code == 200
    assert friend.context["full_link"] in friend.content.decode()
    assert Client().get(job.get_absolute_url()).status_code == 403  # the job itself stays its owner's


def test_a_job_that_is_not_a_finished_matrix_is_not_found(client: Client) -> None:
    assert client.get(f"{PAGE}job/{uuid.uuid4()}/").status_code == 404


def test_a_broken_sheet_starts_nothing(client: Client) -> None:
    assert client.post(f"{PAGE}run/", {"path": f"{PAGE}?v=1&rounds=99"}).status_code == 404
    assert client.post(f"{PAGE}run/", {"path": f"{PAGE}?v=1&attackers=nonsense"}).status_code == 302
    assert not Job.objects.exists()
    assert not Player.objects.exists()

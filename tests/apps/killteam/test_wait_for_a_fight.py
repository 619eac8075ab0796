"""A fight that takes longer than a page may: a job with progress in its place, then the answer under the same link."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.test import Client

from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.jobs.registry import Cancelled
from apps.killteam.calculators import fight
from apps.killteam.services import solving
from apps.killteam.services.fight import asked
from engine.killteam import ops
from engine.wire import EngineError

pytestmark = pytest.mark.django_db
PAGE = "/killteam/fight/"
RUN = f"{PAGE}run/"
SHEET = "v=1&one_name=Nob&one_dice=6&two_dice=6&one_wounds=20&two_wounds=20&rounds=2&explore=1&check=1"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def slow(monkeypatch):
    """Every fight counts as long."""
    monkeypatch.setattr(solving, "AT_ONCE", 0.0)


def answered(query: str):
    return [side.answer for side in fight.read(QueryDict(query))]


def start(client: Client, query: str = SHEET, **more: str):
    return client.post(RUN, {"path": f"{PAGE}?{query}", **more}, headers=HTMX)


def test_the_job_brings_the_answer_of_the_page(client: Client, monkeypatch) -> None:
    (at_once,) = answered(SHEET)
    monkeypatch.setattr(solving, "AT_ONCE", 0.0)
    page = client.get(f"{PAGE}?{SHEET}").content.decode()
    assert "to count this fight exactly." in page
    assert 'id="fight-job-a"' in page
    panel = start(client).content.decode()
    job = Job.objects.get()
    assert f'data-job="{job.id}"' in panel
    assert "<form" not in panel  # the page around it is one
    jobs.run(job.id)
    (waited,) = answered(SHEET)
    assert waited.number == at_once.number
    assert waited.tables == at_once.tables
    assert waited.facts["line"]["steps"][0]["action"] == at_once.facts["line"]["steps"][0]["action"]
    assert waited.facts["check"]["mean"] == at_once.facts["check"]["mean"]
    page = client.get(f"{PAGE}?{SHEET}").content.decode()
    assert "for Nob to kill Fighter two." in page
    assert 'id="fight-job-a"' not in page


@pytest.mark.usefixtures("slow")
def test_a_link_opens_for_others_whatever_they_call_the_fighters(client: Client) -> None:
    start(client)
    jobs.run(Job.objects.get().id)
    stranger = Client().get(f"{PAGE}?{SHEET.replace('Nob', 'Boss')}").content.decode()
    assert "for Boss to kill Fighter two." in stranger


@pytest.mark.usefixtures("slow")
def test_a_reload_finds_the_job_under_way(client: Client) -> None:
    start(client)
    start(client)
    assert Job.objects.count() == 1
    start(client, SHEET.replace("one_dice=6", "one_dice=5"))
    assert Job.objects.count() == 2


@pytest.mark.usefixtures("slow")
def test_what_is_known_by_now_is_ready(client: Client) -> None:
    start(client)
    jobs.run(Job.objects.get().id)
    assert "data-fight-ready" in start(client).content.decode()
    assert Job.objects.count() == 1


@pytest.mark.usefixtures("slow")
def test_both_sides_of_a_comparison_wait_for_themselves(client: Client) -> None:
    query = f"{SHEET}&b-one_dice=3&b-two_dice=3&compare=1"
    page = client.get(f"{PAGE}?{query}").content.decode()
    assert len(re.findall('id="fight-job-[ab]"', page)) == 2
    start(client, query, side="b")
    job = Job.objects.get()
    assert job.document["one"]["numDice"] == 3
    jobs.run(job.id)
    one, two = answered(query)
    assert one.facts.get("waiting")
    assert two.unit == "%"


@pytest.mark.usefixtures("slow")
def test_without_javascript_the_button_leads_to_the_job_and_back(client: Client) -> None:
    reply = client.post(RUN, {"path": f"{PAGE}?{SHEET}", "side": "a"})
    job = Job.objects.get()
    assert reply["Location"] == job.get_absolute_url()
    jobs.run(job.id)
    page = client.get(job.get_absolute_url()).content.decode()
    assert f'href="{PAGE}?{SHEET}"'.replace("&", "&amp;") in page
    assert client.post(RUN, {"path": f"{PAGE}?{SHEET}"})["Location"] == f"{PAGE}?{SHEET}"


@pytest.mark.usefixtures("slow")
def test_a_wrong_sheet_starts_nothing(client: Client) -> None:
    for wrong in ("v=1&one_dice=21", "v=1&one_more_rules=dueller&one_more_rules=hammerhand"):
        assert start(client, wrong).status_code == 404
    assert not Job.objects.exists()


def test_progress_is_what_is_counted_and_stops_when_told() -> None:
    (settings,) = [side.form.settings() for side in fight.read(QueryDict("v=1&one_dice=12&two_dice=12&one_wounds=60"))]
    said = []

    def heard(done: int, total: int, note: str = "") -> None:
        said.append((done, total, note))
        if len(said) > 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        solving.compute(asked(settings).document, heard)
    assert all(0 <= done <= total and note == "million states" for done, total, note in said)


def test_the_largest_fight_is_no_error(client: Client) -> None:
    most = "one_dice=20&two_dice=20&one_wounds=99&two_wounds=99&one_normal=3&one_critical=5&two_normal=3&two_critical=5"
    reply = client.get(f"{PAGE}?v=1&{most}&rounds=5")
    assert reply.status_code == 200
    assert "to count this fight exactly." in reply.content.decode()


@pytest.mark.usefixtures("slow")
def test_what_no_job_could_finish_is_said_beside_the_field(client: Client, monkeypatch) -> None:
    monkeypatch.setattr(solving, "LONGEST", 0.0)
    reply = client.get(f"{PAGE}?{SHEET}")
    assert reply.status_code == 422
    assert "Use fewer dice, wounds or rounds" in reply.content.decode()
    assert start(client).status_code == 404
    assert not Job.objects.exists()


def test_the_api_says_where_long_fights_are_answered(client: Client) -> None:
    giant = {"numDice": 20, "diceStat": 3, "normDmg": 3, "critDmg": 5, "wounds": 99}
    document = {"fighter1": giant, "fighter2": giant, "options": {"numRounds": 5}}
    reply = client.post("/api/v1/compute/killteam.fight", document, content_type="application/json")
    assert reply.status_code == 422
    assert "Open the fight page" in reply.json()["error"]["message"]


def test_the_front_door_itself_has_no_limit() -> None:
    giant = {"numDice": 20, "diceStat": 3, "normDmg": 3, "critDmg": 5, "wounds": 99}
    request = ops.FightInput.model_validate({"fighter1": giant, "fighter2": {**giant, "numDice": 8}})
    with pytest.raises(EngineError, match="for one request"):
        ops.fight_op(request, seconds=0.001)
    assert sum(ops.fight_op(request).wounds1_pmf) == pytest.approx(1.0)

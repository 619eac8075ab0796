"""The sheet a million times, as a job laid over the exact curve."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from apps.accounts.models import Player
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.warhammer40k.services import dice
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of

Person = tuple[Client, Player]
TOO_LARGE = (
    "v=1&w=2&models=200&wounds=100&w1-count=100&w1-attacks=90&w1-abilities=devastating&w1-sustained=3"
    "&w2-count=100&w2-attacks=90&w2-abilities=devastating&w2-damage=3"
)


def result_of(query: str, runs: int) -> dict[str, Any]:
    document = dice.job_document(settings_of(query), runs) | {"seed": 7}
    return dice.simulate(document, lambda done, total, note="": None)


def test_it_agrees_with_the_exact_answer() -> None:
    result = result_of(PLASMA_AND_BOLTERS, 10_000)
    assert [row["stage"] for row in result["rows"]] == ["Damage", "Models destroyed", "Unit wiped out"]
    assert all(abs(row["off"]) < 4 for row in result["rows"])
    assert [trace["name"] for trace in result["figure"]["data"]] == ["10,000 simulated", "exact"]


def test_progress_is_reported() -> None:
    told: list[tuple[int, int]] = []
    document = dice.job_document(settings_of(PLASMA_AND_BOLTERS), 100_000)
    dice.simulate(document, lambda done, total, note="": told.append((done, total)))
    assert told[-1] == (100_000, 100_000)


def test_what_is_too_large_for_exact_is_still_simulated() -> None:
    result = result_of(TOO_LARGE, 1_000)
    assert [row["exact"] for row in result["rows"]] == [None, None, None]
    assert len(result["figure"]["data"]) == 1


@pytest.mark.parametrize("runs", [0, 999, 2_000_000])
def test_odd_numbers_of_repetitions_are_refused(runs: int) -> None:
    with pytest.raises(ValidationError, match="Choose one of 1,000, 10,000, 100,000, 1,000,000"):
        dice.check_simulation(settings_of(PLASMA_AND_BOLTERS), runs)


def test_the_page_queues_a_job_and_watches_it(alice: Person, bob: Person) -> None:
    client, player = alice
    response = client.post("/warhammer40k/simulate/", {"sheet": PLASMA_AND_BOLTERS, "runs": "1000"})
    [job] = jobs.visible_to(player)
    assert response["Location"].endswith(f"&job={job.pk}#simulate")
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    page = client.get(response["Location"]).content.decode()
    assert "data-chart" in page
    assert "1,000 sequences" in page
    assert "1,000 sequences" in client.get(f"/jobs/{job.pk}/").content.decode()
    assert "1,000 sequences" not in bob[0].get(response["Location"]).content.decode()


def test_bad_repetitions_start_nothing(alice: Person) -> None:
    response = alice[0].post("/warhammer40k/simulate/", {"sheet": PLASMA_AND_BOLTERS, "runs": "many"})
    assert response.status_code == 422
    assert not Job.objects.exists()


def test_a_refused_sheet_offers_the_simulation(client: Client, db: None) -> None:
    page = client.get(f"/warhammer40k/?{TOO_LARGE}")
    assert page.status_code == 422
    text = page.content.decode()
    assert "the limit is" in text
    offer = text[text.index("data-offer-simulation") :].partition(">")[0]
    assert "hidden" not in offer
    assert client.get(f"/warhammer40k/roll/?{TOO_LARGE}").context["weapons"][0].values["attacks"] == "90"
    fine = client.get("/warhammer40k/").content.decode()
    assert "hidden" in fine[fine.index("data-offer-simulation") :].partition(">")[0]

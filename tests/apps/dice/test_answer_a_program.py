"""The dice page: programs answered, long ones as jobs, too long ones refused, all of it small and quick."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape

import pytest
from django.test import Client

from apps.dice import services
from apps.dice.examples import EXAMPLES
from apps.jobs.models import Job

pytestmark = pytest.mark.django_db


def page_of(client: Client, program: str, **more: str) -> str:
    return client.get("/dice/", {"v": "1", "roll": program, "target": "", **more}).content.decode()


def words(html: str) -> str:
    """What a reader reads, with one space wherever there is any."""
    inline = re.sub(r"</?(b|small|span)\b[^>]*>", "", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", inline)).split())


def test_a_question_is_answered_with_its_chance(client: Client) -> None:
    assert "31.3% for D6 > D8." in words(page_of(client, "D6 > D8"))


def test_without_a_target_the_average_is_the_headline(client: Client) -> None:
    page = words(page_of(client, "4D6kh3"))
    assert "12.24 on average. 4D6kh3 gives 3–18, most often 13." in page


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("D20", "all equally likely"),
        ("2D4-20", "gives −18 to −12"),
        ("200D100", "gives 200–20,000"),
        ("2D6", "most often 7"),
        ("D6+D4", "on average. D6+D4 gives 2–10."),
    ],
)
def test_the_sentence_says_what_is_so(client: Client, program: str, said: str) -> None:
    assert said in words(page_of(client, program))


def test_two_rolls_say_who_wins(client: Client) -> None:
    page = words(page_of(client, "2D6\nD12"))
    wins = sum((a + b > c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 13)) / 432
    assert f"2D6 beats D12 in {100 * wins:.1f} % of rolls" in page


def test_two_situations_say_who_wins(client: Client) -> None:
    page = words(page_of(client, "2D6", compare="1", **{"b-roll": "2D6", "b-target": ""}))
    assert "2D6 beats 2D6 in 44.4 % of rolls, ties in 11.3 % and loses in 44.4 %" in page


def test_a_family_has_a_curve_for_each_value(client: Client) -> None:
    page = page_of(client, "for n in 1..6: nD6kh1")
    figure = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1])
    assert [trace["name"] for trace in figure["data"]] == [f"n = {n}" for n in range(1, 7)]
    looks = {(trace["line"]["color"], trace["line"]["dash"]) for trace in figure["data"]}
    assert len(looks) == 6
    assert "5.56" in page


def test_every_line_has_its_file(client: Client) -> None:
    reply = client.get("/dice/line-2.csv", {"v": "1", "roll": "2D6\nD4 vs D4", "target": ""})
    rows = list(csv.reader(io.StringIO(reply.content.decode())))
    assert rows[0] == ["Result", "Chance"]
    assert {row[0]: float(row[1]) for row in rows[1:]} == pytest.approx(
        {"left wins": 6 / 16, "tie": 4 / 16, "right wins": 6 / 16}
    )


def test_large_pools_make_a_small_page_and_a_whole_file(client: Client) -> None:
    reply = client.get("/dice/", {"v": "1", "roll": "100D100", "target": ""})
    assert len(reply.content) < 100_000
    assert "The CSV file has every one whose chance a computer can write down." in words(reply.content.decode())
    lines = client.get("/dice/distribution.csv", {"v": "1", "roll": "100D100"}).content.decode().splitlines()
    assert len(lines) == 9902


def test_each_line_says_how_it_is_computed(client: Client) -> None:
    page = words(page_of(client, "4D6kh3\n4D6!"))
    assert "summed over the face of the last die kept" in page
    assert "A die adds at most 10 more" in page


def test_what_is_read_from_elsewhere_is_shown_in_our_notation(client: Client) -> None:
    page = words(page_of(client, "output [highest 3 of 4d6]"))
    assert "Read as AnyDice" in page
    assert "4D6kh3" in page
    assert "includes 7, as Roll20 reads it" in words(page_of(client, "10d10>7f1"))


def test_a_comparison_that_is_certain_says_how_to_count(client: Client) -> None:
    assert "To count dice, write “count”" in words(page_of(client, "8D6 > 5"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.label)
def test_every_example_opens(client: Client, example: object) -> None:
    reply = client.get("/dice/", {"v": "1", **example.values})  # type: ignore[attr-defined]
    assert reply.status_code == 200


def test_too_much_is_refused_with_the_figure_and_a_way_out(client: Client) -> None:
    reply = client.get("/dice/", {"v": "1", "roll": "a = 50D6; largest_set(a) + longest_run(a)"})
    assert reply.status_code == 422
    assert "This would take about 7 minutes of computing" in reply.content.decode()
    assert "or choose “By simulation” below" in reply.content.decode()


def test_what_is_refused_can_be_simulated_with_its_margin(client: Client) -> None:
    page = words(page_of(client, "a = 50D6; largest_set(a) + longest_run(a)", method="simulate"))
    assert re.search(r"Simulated: give or take [0-9.]+ points, 95 times in 100", page)


def test_what_takes_longer_than_a_page_is_offered_as_a_job(client: Client) -> None:
    page = page_of(client, "1000D1000")
    assert "of computing." in page
    assert 'form="dice-compute"' in page
    reply = client.post("/dice/compute/", {"program": "1000D1000", "notation": "auto"})
    job = Job.objects.get()
    assert reply.status_code == 302
    assert reply["Location"].endswith(f"{job.pk}/")
    assert (job.kind, job.document["program"]) == ("dice.answer", "1000D1000")


def test_a_job_is_not_made_of_what_is_refused(client: Client) -> None:
    reply = client.post("/dice/compute/", {"program": "a = 50D6; largest_set(a) + longest_run(a)"})
    assert reply.status_code == 422
    assert not Job.objects.exists()


def test_a_job_answers_like_the_page(client: Client) -> None:
    done: list[tuple[int, int]] = []
    document = services.job_document("4D6kh3\n2D6 vs D10", "auto")
    result = services.run_job(document, lambda at, of, note="": done.append((at, of)))
    json.dumps(result, allow_nan=False)
    assert done == [(0, 100), (50, 100), (100, 100)]
    assert result["lines"][0]["mean"] == pytest.approx(12.2446, abs=1e-4)
    assert [row["name"] for row in result["lines"][1]["rows"]] == ["left wins", "tie", "right wins"]


def test_a_job_of_one_line_says_how_far_it_is() -> None:
    done: list[int] = []
    for program in ("{2D6, 2D8, 2D10}kh3", "a = 5D6; largest_set(a) + longest_run(a)"):
        done.clear()
        services.run_job(services.job_document(program, "auto"), lambda at, of, note="": done.append(at))
        assert done == sorted(done)
        assert len(done) > 8
        assert (done[0], done[-1]) == (0, 100)


def test_lines_side_by_side_are_answered_side_by_side(client: Client) -> None:
    page = words(client.get("/dice/", {"v": "2", "roll": "2D6+3\n1D12+4", "target": "10"}).content.decode())
    assert "58.3 % to roll 10 or more." in page.replace("\N{NO-BREAK SPACE}", " ")
    assert "D12+4: 58.3 %." in page.replace("\N{NO-BREAK SPACE}", " ")
    average = words(client.get("/dice/", {"v": "2", "roll": "2D6+3\n1D12+4"}).content.decode())
    assert "10.00 on average." in average
    assert "D12+4: 10.50." in average


def test_a_long_formula_stays_out_of_the_sentence(client: Client) -> None:
    program = 'output 1d20 + 2d6 + 3d8 + 4d10 + 5d12 + 1d4 + 2d20 + 6d4 + 1d8 named "the lot"'
    page = words(client.get("/dice/", {"v": "2", "roll": program}).content.decode())
    assert "the lot gives 25–" in page

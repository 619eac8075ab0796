"""The calculator page, seen through its smallest example: every behaviour the other calculators inherit."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction

import pytest
from django.http import QueryDict
from django.test import Client

from apps.core.calculator import Answer, Calculator
from apps.dice.calculator import DICE
from apps.dice.forms import DiceForm

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def text_of(client: Client, path: str, **headers: str) -> str:
    return client.get(path, headers=headers).content.decode()


def test_an_empty_address_answers_its_worked_example(client: Client) -> None:
    page = text_of(client, "/dice/")
    assert ">12.50</p>" in page
    assert "on average." in page


def test_an_address_of_the_first_version_still_asks_for_twelve(client: Client) -> None:
    page = text_of(client, "/dice/?v=1&roll=3D6%2B2")
    expected = sum(
        Fraction(1, 216) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) if a + b + c + 2 >= 12
    )
    assert f">{float(100 * expected):.1f}<small>%</small>" in page
    assert "to roll 12 or more." in page


def test_an_address_opens_to_the_same_numbers(client: Client) -> None:
    page = text_of(client, "/dice/?v=1&roll=2D6&target=9&question=at_most")
    assert f"{100 * 30 / 36:.1f}" in page
    assert ">2D6</textarea>" in page
    assert "9 or less" in page


def test_a_live_change_brings_only_the_answer_and_the_short_permalink(client: Client) -> None:
    reply = client.get("/dice/?v=2&roll=2D6&target=&question=at_least&name=", headers=HTMX)
    body = reply.content.decode()
    assert "<html" not in body
    assert 'id="results"' in body
    assert 'hx-swap-oob="true"' in body
    assert reply["HX-Replace-Url"] == "/dice/?v=2&roll=2D6"  # the rest are defaults
    assert json.loads(reply["HX-Trigger-After-Settle"]) == {"calculator:errors": {}}


def test_going_back_gets_the_whole_page(client: Client) -> None:
    headers = HTMX | {"HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/dice/?v=1&roll=2D6", headers=headers).content.decode()


def test_an_error_is_beside_its_field_with_the_input_kept(client: Client) -> None:
    reply = client.get("/dice/?v=1&roll=3Z6&target=9")
    page = reply.content.decode()
    assert reply.status_code == 422
    assert re.search(r'id="a-roll-error"[^>]*role="alert"(?! hidden)', page)
    assert "“Z” is not dice notation here (character 2). Write dice like 3D6+2" in page
    assert ">3Z6</textarea>" in page
    assert "No answer yet." in page


def test_a_live_error_leaves_the_last_answer_alone(client: Client) -> None:
    reply = client.get("/dice/?v=1&roll=2D6&target=abc", headers=HTMX)
    assert reply.status_code == 422
    assert reply["HX-Reswap"] == "none"
    errors = json.loads(reply["HX-Trigger"])["calculator:errors"]
    assert errors == {"a-target": "Target must be a number from −2,000,000 to 2,000,000, or empty; you entered abc."}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("roll=0D6", "The number of dice must be 1–1000; you entered 0 (character 1)."),
        ("roll=2D2000", "The number of sides must be 1–1000; you entered 2000 (character 3)."),
        ("roll=", "There is nothing to roll yet. Write dice like 3D6+2, 4D6kh3 or D6 vs D8."),
        ("question=perhaps", "Question must be one of the choices listed; you entered perhaps."),
        ("target=3000000", "Target must be a number from −2,000,000 to 2,000,000, or empty; you entered 3000000."),
    ],
)
def test_an_error_says_the_limit_and_what_was_entered(client: Client, query: str, message: str) -> None:
    assert message in text_of(client, f"/dice/?v=1&{query}")


def test_two_situations_are_compared_side_by_side(client: Client) -> None:
    page = text_of(client, "/dice/?v=1&roll=2D6&target=7&b-roll=2D6&b-target=8&compare=1")
    assert "−16.7" in page
    assert "points" in page
    assert 'name="b-roll"' in page


def test_comparing_starts_from_a_copy_and_can_be_undone(client: Client) -> None:
    page = text_of(client, "/dice/?v=1&roll=2D6&target=7")
    assert 'href="/dice/?v=2&amp;roll=2D6&amp;target=7&amp;b-roll=2D6&amp;b-target=7&amp;compare=1"' in page
    both = text_of(client, "/dice/?v=1&roll=2D6&target=7&b-roll=D6&compare=1")
    assert 'href="/dice/?v=2&amp;roll=2D6&amp;target=7"' in both


def test_the_table_is_a_csv_with_every_digit(client: Client) -> None:
    reply = client.get("/dice/distribution.csv?v=1&roll=3D6")
    rows = list(csv.reader(io.StringIO(reply.content.decode())))
    assert rows[0] == ["Total", "Exactly", "At least", "At most"]
    assert len(rows) == 17
    assert float(rows[1][1]) == pytest.approx(1 / 216, abs=1e-16)
    assert sum(float(row[1]) for row in rows[1:]) == pytest.approx(1, abs=1e-12)
    assert "attachment" in reply["Content-Disposition"]


def test_the_csv_of_the_second_situation(client: Client) -> None:
    reply = client.get("/dice/distribution.csv?v=1&roll=3D6&b-roll=D4&compare=1&side=b")
    assert reply.content.decode().splitlines()[1] == "1,0.25,1.0,0.25"


@pytest.mark.parametrize(
    "path", ["/dice/nothing.csv?v=1", "/dice/distribution.csv?roll=bad", "/dice/distribution.csv?side=b"]
)
def test_a_table_that_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_every_preset_opens(client: Client) -> None:
    links = DICE.preset_links("/dice/")
    assert len(links) == len(DICE.presets) >= 4
    for link in links:
        assert client.get(link["href"]).status_code == 200


def test_a_preview_says_the_answer(client: Client) -> None:
    page = text_of(client, "/dice/?v=1&roll=2D6&target=7")
    assert '<meta property="og:title" content="58.3 % to roll 7 or more."' in page
    assert "most often 7." in re.search(r'<meta property="og:description" content="([^"]*)"', page)[1]


def test_nothing_typed_can_become_markup(client: Client) -> None:
    page = text_of(client, "/dice/?v=1&roll=%3Cscript%3E&name=%3Cb%3Ehi")
    assert "<script>" not in page
    assert "<b>hi" not in page


def rename_dice_to_roll(query: QueryDict) -> None:
    for prefix in ("", "b-"):
        if f"{prefix}dice" in query:
            query[f"{prefix}roll"] = query.pop(f"{prefix}dice")[-1]


def test_a_link_of_an_older_version_keeps_opening() -> None:
    seen: list[dict[str, object]] = []

    def answer(settings: dict[str, object]) -> Answer:
        seen.append(settings)
        return Answer(1, "1", "", "claim", "rest")

    newer = Calculator(
        name="x",
        title="",
        lead="",
        form=DiceForm,
        answer=answer,
        inputs="",
        results="",
        version=2,
        upgrades={1: rename_dice_to_roll},
    )
    newer.read(QueryDict("v=1&dice=4D4&b-dice=5D5&compare=1"))
    newer.read(QueryDict("v=2&roll=6D6"))
    newer.read(QueryDict("v=3&roll=7D6"))
    newer.read(QueryDict("v=x&roll=8D6"))
    assert [s["roll"] for s in seen] == ["4D4", "5D5", "6D6", "7D6", "8D6"]


def test_the_answer_reads_as_a_sentence() -> None:
    assert Answer.of_chance(0.0001, "to win.", "Try again.").sentence == "<0.1 % to win. Try again."
    assert Answer(3.5, "3.5", "", "on average.", "").sentence == "3.5 on average."

"""The fighting page: closed forms, tables that agree with each other, permalinks, errors."""

from __future__ import annotations

import csv
import html
import io
import re

import pytest
from django.http import QueryDict
from django.test import Client

from apps.killteam.calculators import fight
from apps.killteam.forms import FightForm
from tests.oracles import killteam as oracle

pytestmark = pytest.mark.django_db
PAGE = "/killteam/fight/"


def answered(query: str):
    (side,) = fight.read(QueryDict(query))
    assert side.answer is not None, side.form.errors
    return side.answer


def test_one_die_each_is_counted_by_hand() -> None:
    """One strikes first and kills on any success (4/6); else two may kill (4/6)."""
    duel = "one_dice=1&two_dice=1&one_hit=3&two_hit=3&one_wounds=3&two_wounds=3&one_normal=3&two_normal=3"
    answer = answered(f"v=1&{duel}&one_strategy=strike&two_strategy=strike")
    assert answer.number == pytest.approx(100 * 4 / 6)
    assert answer.facts["dead"][0][1] == pytest.approx(2 / 6 * 4 / 6)
    assert answer.facts["p_both_live"] == pytest.approx(2 / 6 * 2 / 6)


def test_whoever_strikes_first_has_the_advantage() -> None:
    mirror = "one_dice=4&two_dice=4&one_normal=4&two_normal=4&one_critical=5&two_critical=5&one_wounds=9&two_wounds=9"
    first, second = answered(f"v=1&{mirror}&first=1"), answered(f"v=1&{mirror}&first=2")
    assert first.number > second.number
    assert first.number == pytest.approx(100 * second.facts["dead"][0][1])


def test_the_joint_table_sums_to_the_wounds_of_each() -> None:
    answer = answered("v=1&rounds=2&one_rules=brutal&two_rules=shock")
    joint = answer.table("joint").rows
    assert sum(p for *_, p in joint) == pytest.approx(1)
    for at, name in enumerate(("wounds-one", "wounds-two")):
        for wounds, p, *_ in answer.table(name).rows:
            assert sum(q for *pair, q in joint if pair[at] == wounds) == pytest.approx(p)


def test_successes_are_those_of_listing_every_face() -> None:
    answer = answered("v=1&one_dice=3&one_hit=4&one_rules=severe")
    listed = oracle.dice(3, 4, abilities=["severe"])
    shown = {(c, n): p for c, n, p in answer.table("dice-one").rows}
    assert shown == pytest.approx({key: float(p) for key, p in listed.items() if p})


def test_the_picture_of_both_leaves_out_only_what_it_says() -> None:
    picture = answered("v=1&one_wounds=60&two_wounds=60&one_dice=9&two_dice=9&rounds=2").facts["joint"]
    shown = sum(p for _, row in picture["rows"] for p, *_ in row)
    assert picture["left_out"] == pytest.approx(1 - shown)
    assert len(picture["rows"]) <= 14


def test_an_address_opens_to_the_same_numbers(client: Client) -> None:
    address = f"{PAGE}?v=1&one_name=Nob&one_rules=brutal&two_strategy=optimal&rounds=3&injury=1&first=2"
    page = client.get(address).content.decode()
    link = re.search(r'data-permalink href="([^"]+)"', page)
    assert link is not None
    again = client.get(link[1].replace("&amp;", "&")).content.decode()
    numbers = re.compile(r'headline__number num"[^>]*>[^/]+/')
    assert len(numbers.findall(page)) == 1
    assert numbers.findall(page) == numbers.findall(again)
    assert "for Nob to kill Fighter two." in again


def test_two_match_ups_are_compared(client: Client) -> None:
    page = client.get(f"{PAGE}?v=1&b-one_dice=3&compare=1").content.decode()
    assert len(re.findall(r'headline__number num"', page)) == 2
    assert "delta--loss" in page


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("one_dice=21", "Attack dice must be 0–20; you entered 21."),
        ("rounds=6", "Rounds must be 1–5; you entered 6."),
        ("two_strategy=hide", "Plays for must be one of the choices listed; you entered hide."),
        (
            "one_more_rules=dueller&one_more_rules=hammerhand",
            "Dueller and Hammerhand exclude each other",
        ),
    ],
)
def test_an_error_is_said_beside_its_field(client: Client, query: str, message: str) -> None:
    reply = client.get(f"{PAGE}?v=1&{query}")
    assert reply.status_code == 422
    assert message in reply.content.decode()


def test_csv_holds_every_pair(client: Client) -> None:
    rows = list(csv.reader(io.StringIO(client.get(f"{PAGE}joint.csv?v=1").content.decode())))
    assert sum(float(row[2]) for row in rows[1:]) == pytest.approx(1, abs=1e-12)


def test_every_control_has_its_place() -> None:
    grouped = {name for group in FightForm.groups for name in (*group.fields, *group.more)}
    grouped |= {name for part in FightForm.teams for name in part.fields}
    assert grouped == set(FightForm.base_fields) - {"name"}


@pytest.mark.parametrize("extreme", ["one_dice=0&two_dice=0", "one_wounds=0", "one_hit=1&two_hit=7", "one_fnp=1"])
def test_extremes_are_answered(client: Client, extreme: str) -> None:
    assert client.get(f"{PAGE}?v=1&{extreme}").status_code == 200


def test_another_move_of_a_line_is_followed_by_its_link(client: Client) -> None:
    page = client.get("/killteam/fight/?v=2&explore=1&one_crits=2&one_norms=1&two_crits=1&two_norms=2")
    steps = page.context["answers"][0].facts["line"]["steps"]
    step = next(step for step in steps if step["others"])
    at, action = steps.index(step), step["others"][-1]["action"]
    links = re.findall(r'<a href="(\?[^"]*sideways=[^"]*)">([^<]*)</a>', page.content.decode())
    href = next(html.unescape(link) for link, text in links if html.unescape(text).strip() == action)
    followed = client.get(f"/killteam/fight/{href.partition('#')[0]}")
    taken = followed.context["answers"][0].facts["line"]["steps"][at]
    assert taken["action"] == action
    assert taken["is_sideways"]
    assert "not the best" in followed.content.decode()
    assert followed.context["answers"][0].number == page.context["answers"][0].number

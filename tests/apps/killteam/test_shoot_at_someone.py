"""The shooting page: numbers against enumeration, permalinks, errors beside their fields, CSV."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.http import QueryDict
from django.test import Client

from apps.killteam.calculators import shoot
from apps.killteam.forms import ShootForm
from apps.killteam.services import rules
from apps.killteam.services import shoot as shooting
from tests.oracles import killteam as oracle

pytestmark = pytest.mark.django_db
PAGE = "/killteam/shoot/"


def answered(query: str):
    (side,) = shoot.read(QueryDict(query))
    assert side.answer is not None, side.form.errors
    return side.answer


def test_the_answer_agrees_with_listing_every_roll() -> None:
    answer = answered("v=1&dice=3&hit=3&normal=3&critical=5&piercing=1&rules=rending&defence=3&save=4&wounds=6&cover=1")
    saves = oracle.dice(2, 4, auto_norms=1)  # Piercing took one of three
    listed = oracle.shoot(oracle.dice(3, 3, abilities=["rending"]), saves, saves, 3, 5)
    rows = {value: p for value, p, *_ in answer.table("damage").rows}
    assert rows == pytest.approx({damage: float(p) for damage, p in listed.items() if p}, abs=1e-12)
    assert answer.number == pytest.approx(100 * float(sum(p for d, p in listed.items() if d >= 6)))


def test_every_save_has_its_kill_chance_average_and_spread() -> None:
    answer = answered("v=1&dice=2&normal=3&critical=4&defence=1&wounds=3")
    for save, p_kill, mean, sd in answer.table("saves").rows:
        saves = oracle.dice(1, int(save[0]))
        listed = {d: float(p) for d, p in oracle.shoot(oracle.dice(2, 3), saves, saves, 3, 4).items()}
        expected = sum(d * p for d, p in listed.items())
        assert p_kill == pytest.approx(sum(p for d, p in listed.items() if d >= 3))
        assert mean == pytest.approx(expected)
        assert sd**2 == pytest.approx(sum((d - expected) ** 2 * p for d, p in listed.items()))


def test_the_kill_grid_holds_the_answer_itself() -> None:
    answer = answered("v=1&dice=5&wounds=13&save=5")
    grid = answer.table("kill")
    row = next(row for row in grid.rows if row[0] == "5+")
    assert 100 * row[grid.header.index("13 W")] == pytest.approx(answer.number)
    assert grid.header[answer.facts["grid_column"]] == "13 W"


def test_tails_add_up() -> None:
    for _, exactly, at_least, at_most in answered("v=1&dice=6&rounds=3&fnp=5").table("damage").rows:
        assert at_least + at_most - exactly == pytest.approx(1)


def test_both_volleys_together_convolve() -> None:
    sides = shoot.read(
        QueryDict(
            "v=1&dice=1&hit=4&normal=3&critical=3&defence=0&wounds=6&b-dice=1&b-hit=2&b-normal=3"
            "&b-critical=3&b-defence=0&b-wounds=6&compare=1"
        )
    )
    combined = shooting.extras([side.answer for side in sides])["combined"]
    assert combined["p_kill"] == pytest.approx(1 / 2 * 5 / 6)  # both must hit
    assert combined["apart"] == 0
    assert not combined["wounds_differ"]


def test_a_bare_address_opens_on_what_cover_is_worth(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    shown = [float(number) for number in re.findall(r'headline__number num"[^>]*>([\d.]+)', page)]
    assert len(shown) == 2
    assert shown[0] > shown[1]
    assert "In the open" in page
    assert "In cover" in page


def test_an_address_opens_to_the_same_numbers(client: Client) -> None:
    address = f"{PAGE}?v=1&dice=6&hit=2&lethal=5&rules=rending&rules=saturate&devastating=2&cover=1&rounds=2"
    first = client.get(address)
    link = re.search(r'data-permalink href="([^"]+)"', first.content.decode())
    assert link is not None
    again = client.get(link[1].replace("&amp;", "&"))
    numbers = re.compile(r'headline__number num"[^>]*>[^/]+/')
    assert len(numbers.findall(first.content.decode())) == 1
    assert numbers.findall(first.content.decode()) == numbers.findall(again.content.decode())
    assert 'value="saturate" checked' in again.content.decode()


def test_every_control_is_in_the_address() -> None:
    form = ShootForm(QueryDict("v=1&dice=7&relics=2&fire_team=1&more_rules=purity_seal&fnp_mode=per_hit&fnp=5"))
    assert form.is_valid()
    assert dict(form.canonical()) == {
        "dice": "7",
        "more_rules": "purity_seal",
        "fnp": "5",
        "fnp_mode": "per_hit",
        "relics": "2",
        "fire_team": "1",
    }
    grouped = {name for group in ShootForm.groups for name in (*group.fields, *group.more)}
    grouped |= {name for part in ShootForm.teams for name in part.fields}
    assert grouped == set(ShootForm.base_fields) - {"name"}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("dice=21", "Attack dice must be 0–20; you entered 21."),
        ("hit=8", "Hits on must be 1+–7+; you entered 8."),
        ("wounds=100", "Wounds must be 0–99; you entered 100."),
        ("critical=x", "Critical damage must be 0–30; you entered x."),
        ("fnp=9", "Feel No Pain must be one of the choices listed; you entered 9."),
        ("rules=flying", "Attacker&#x27;s rules: choose from those listed."),
        ("rounds=10", "Times shot must be 1–9; you entered 10."),
        (
            "more_save_rules=elite_moderate&more_save_rules=elite_extreme",
            "Elite, moderate and Elite, extreme exclude",
        ),
    ],
)
def test_an_error_is_said_in_the_games_words(client: Client, query: str, message: str) -> None:
    reply = client.get(f"{PAGE}?v=1&{query}")
    assert reply.status_code == 422
    assert message in reply.content.decode()


def test_csv_keeps_every_digit(client: Client) -> None:
    reply = client.get(f"{PAGE}damage.csv?v=1&dice=3&defence=0")
    rows = list(csv.reader(io.StringIO(reply.content.decode())))
    assert rows[0] == ["Damage", "P(=)", "P(≥)", "P(≤)"]
    assert float(rows[1][1]) == answered("v=1&dice=3&defence=0").table("damage").rows[0][1]
    assert sum(float(row[1]) for row in rows[1:]) == pytest.approx(1, abs=1e-12)


def test_a_long_table_is_cut_on_the_page_but_not_in_the_csv(client: Client) -> None:
    address = "v=1&dice=20&normal=7&critical=11&rounds=9&defence=0&devastating=1"
    page = client.get(f"{PAGE}?{address}").content.decode()
    full = client.get(f"{PAGE}damage.csv?{address}").content.decode().splitlines()
    assert page.count('<th scope="row" class="num">') < len(full) - 1


@pytest.mark.parametrize(
    "extreme",
    [
        "dice=0",
        "hit=1&reroll=most_common_fail",
        "hit=7",
        "dice=20&defence=20&wounds=99",
        "defence=0&save=7",
        "fnp=1",
        "wounds=0",
    ],
)
def test_extremes_are_answered(client: Client, extreme: str) -> None:
    assert client.get(f"{PAGE}?v=1&{extreme}").status_code == 200


def test_each_ability_of_the_engine_can_be_set_somewhere() -> None:
    offered = {
        key
        for name, group in vars(rules).items()
        if name.endswith(("_CHIPS", "_MORE", "STYLES", "ELITES"))
        for key in group
    }
    assert offered == {rule.key for rule in rules.ABILITIES}


def test_folded_controls_open_when_set(client: Client) -> None:
    page = client.get(f"{PAGE}?v=1&devastating=3").content.decode()
    assert re.search(r'id="a-fold-attacker"[^>]* open', page)
    assert not re.search(r'id="a-fold-defender"[^>]* open', page)

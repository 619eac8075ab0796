"""Rolling a program: real dice, where the roll falls, and proofs anyone can check."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from apps.core.services import dice_log
from apps.dice.services import rolling
from engine.dice.roller import ScriptedRoller
from engine.dice.rolls import DiceTray

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_the_roll_says_where_it_falls() -> None:
    rolled = rolling.roll("2D6", "auto", DiceTray(ScriptedRoller([5, 4])))
    (line,) = rolled["lines"]
    assert (line.value, line.faces) == ("9", [5, 4])
    assert (line.below, line.chance, line.above) == pytest.approx((26 / 36, 4 / 36, 6 / 36))


def test_texts_and_questions_say_their_chance() -> None:
    rolled = rolling.roll('D6 > 3\nif D6 = 6 then "hit" else "miss"', "auto", DiceTray(ScriptedRoller([4, 6])))
    first, second = rolled["lines"]
    assert (first.value, first.chance, first.below) == ("yes", pytest.approx(1 / 2), None)
    assert (second.value, second.chance) == ("hit", pytest.approx(1 / 6))


def test_custom_faces_show_what_is_printed_on_them() -> None:
    rolled = rolling.roll("2D{0,1,1}", "auto", DiceTray(ScriptedRoller([1, 3])))
    assert rolled["lines"][0].faces == [0, 1]


def test_every_die_of_a_roll_can_be_verified(client: Client) -> None:
    reply = client.post("/dice/roll/", {"program": "4D6kh3\nD20"}, headers=HTMX)
    body = reply.content.decode()
    assert "<html" not in body
    log = re.search(r"<textarea[^>]*>(.*?)</textarea>", body, re.S)[1]
    assert len(log.splitlines()) == 5
    assert "All 5 dice verified" in _verified(client, log)
    forged = re.sub(r"(#1 D6=)(\d)", lambda m: f"{m[1]}{int(m[2]) % 6 + 1}", log)
    assert "4 of 5 dice verified" in _verified(client, forged)
    assert "0 of 1 dice verified" in _verified(client, "#1 D6=3 nonsense")


def _verified(client: Client, log: str) -> str:
    body = client.post("/dice/verify/", {"log": log}, headers=HTMX).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def test_without_a_script_the_roll_is_a_page(client: Client) -> None:
    reply = client.post("/dice/roll/", {"program": "2D6"})
    assert reply.status_code == 200
    assert "Back to the dice" in reply.content.decode()
    assert client.post("/dice/roll/", {"program": "2Z6"}).status_code == 422
    assert client.post("/dice/verify/", {"log": ""}).status_code == 422


def test_nothing_rolled_can_become_markup(client: Client) -> None:
    body = client.post("/dice/roll/", {"program": '"<b>x</b>"'}, headers=HTMX).content.decode()
    assert "<b>x</b>" not in body


def test_a_log_has_its_limits() -> None:
    with pytest.raises(ValidationError, match="nothing to verify"):
        dice_log.verify(" \n ")
    with pytest.raises(ValidationError, match="may have 20,000"):
        dice_log.verify("x\n" * 20_001)

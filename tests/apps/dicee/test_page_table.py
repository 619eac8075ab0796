"""The table page without a script: every button is a form that works, for the player, the opponent and a stranger."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.dicee import services
from apps.dicee.models import Game, Seat
from apps.dicee.services import page as pages
from apps.dicee.services import store
from apps.dicee.services.page import Look, keep_look, suggestion
from apps.dicee.services.record import telemetry
from engine.dicee.analysis import box_odds
from engine.dicee.game.state import GameState
from tests.apps.dicee.conftest import on_turn, play_out

HX = {"HX-Request": "true"}


def browser(player: Player | None) -> Client:
    client = Client()
    if player:
        session = client.session
        session[SESSION_KEY] = str(player.id)
        session.save()
    return client


def url(game: Game, name: str = "table") -> str:
    return reverse(f"dicee:{name}", args=[game.pk])


def state(game: Game) -> GameState:
    return store.current(game)


def test_a_guest_plays_two_clicks_after_landing(client: Client, db: None) -> None:
    landing = client.get("/").content.decode()
    assert 'href="/dicee/"' in landing
    lobby = client.get("/dicee/").content.decode()
    form = re.search(r'<form method="post" action="/dicee/new/">(.*?)</form>', lobby, re.S)
    assert form
    assert "Play now" in form[1]
    fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', form[1]))
    response = client.post("/dicee/new/", {k: v for k, v in fields.items() if k != "csrfmiddlewaretoken"}, follow=True)
    assert b">5 dice</span>" in response.content


def test_a_turn_by_forms_alone(solo: Game, alice: Player) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    page = client.get(url(solo)).content.decode()
    assert page.count('name="keep"') == 5
    faces = state(solo).dice
    client.post(url(solo, "roll"), {"keep": ["1", "3"]})
    assert (state(solo).dice[0], state(solo).dice[2]) == (faces[0], faces[2])
    assert re.findall(r'id="die-(\d)" checked', client.get(url(solo)).content.decode()) == ["1", "3"]
    client.post(url(solo, "score"), {"box": "chance"})
    assert state(solo).seat.card.points[12] == sum(state(solo).last_score.dice)


def test_a_script_gets_the_table_alone(solo: Game, alice: Player) -> None:
    response = browser(alice).post(url(solo, "roll"), headers=HX)
    page = response.content.decode()
    assert page.lstrip().startswith('<div class="game"')
    holds = json.loads(re.search(r'<script id="holds" type="application/json">(.*?)</script>', page, re.S)[1])
    assert len(holds["of"]) == 32
    assert holds["left"] == 2
    assert len(holds["rolls"]) == 252


def test_a_refusal_says_why_and_shows_the_table_as_it_is(solo: Game, alice: Player) -> None:
    client = browser(alice)
    early = client.post(url(solo, "score"), {"box": "chance"}, headers=HX)
    assert early.status_code == 422
    assert json.loads(early["HX-Trigger"])["toast"]["text"] == "Roll before you score."
    for _ in range(3):
        client.post(url(solo, "roll"))
    fourth = client.post(url(solo, "roll"), follow=True)
    assert "Three rolls are all a turn has" in fourth.content.decode()
    assert state(solo).roll_number == 3


def test_the_same_request_twice_happens_once(solo: Game, alice: Player) -> None:
    client = browser(alice)
    key = re.search(r'name="key" value="([^"]+)"', client.get(url(solo)).content.decode())[1]
    for _ in range(2):
        client.post(url(solo, "roll"), {"key": key, "seen": state(solo).sequence if state(solo).dice == () else 2})
    assert state(solo).roll_number == 1


@pytest.mark.parametrize("garbled", [{"seen": "lately"}, {"seen": "-1"}, {"key": "mine"}])
def test_a_garbled_move_is_refused_with_the_table_as_it_is(solo: Game, alice: Player, garbled: dict[str, str]) -> None:
    client = browser(alice)
    refused = client.post(url(solo, "roll"), garbled, headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "cannot be read" in refused["HX-Trigger"]
    assert state(solo).roll_number == 0
    assert "cannot be read" in client.post(url(solo, "roll"), garbled, follow=True).content.decode()
    assert state(solo).roll_number == 0


def test_one_page_reads_the_events_once(django_assert_num_queries, solo: Game, alice: Player) -> None:
    """Tables are read in one go: no property of the page asks the database again."""
    services.roll(solo, alice)
    game = services.find(solo.pk, alice)
    with CaptureQueriesContext(connection) as captured:
        page = pages.table_page(game, alice)
    assert sum("dicee_gameevent" in query["sql"] for query in captured) == 1
    with django_assert_num_queries(0):
        render_to_string(
            "dicee/components/game.html", {"page": page, "profiles": pages.PROFILES, "key": "", "invite": ""}
        )


def test_a_score_is_taken_back_where_the_table_allows_it(alice: Player) -> None:
    game = services.create(alice, "solo", {"allowUndo": True})
    client = browser(alice)
    client.post(url(game, "roll"))
    client.post(url(game, "score"), {"box": "ones"})
    assert "Take back" in client.get(url(game)).content.decode()
    client.post(url(game, "undo"))
    assert state(game).seat.card.points[0] is None
    assert state(game).dice


def test_only_the_player_on_turn_is_coached(duel: Game, alice: Player, bob: Player) -> None:
    first = on_turn(duel)
    other = bob if first == alice else alice
    browser(first).post(url(duel, "roll"))
    assert 'id="holds"' in browser(first).get(url(duel)).content.decode()
    page = browser(other).get(url(duel)).content.decode()
    assert 'id="holds"' not in page
    assert f"{first.pseudonym}</b> has rolled 1 of 3" in page


def test_a_stranger_may_watch_only_an_open_table(alice: Player, carol: Player) -> None:
    closed = services.create(alice, "solo", {"spectators": False})
    opened = services.create(alice, "solo", {"spectators": True})
    assert browser(carol).get(url(closed)).status_code == 403
    watched = browser(carol).get(url(opened))
    assert watched.status_code == 200
    assert 'id="roll"' not in watched.content.decode()
    refused = browser(carol).post(url(opened, "roll"), headers=HX)
    assert refused.status_code == 422
    assert state(opened).roll_number == 0
    assert browser(None).get(reverse("dicee:table", args=[alice.pk])).status_code == 404


def test_a_table_without_statistics_sends_none(alice: Player) -> None:
    game = services.create(alice, "solo", {"statistics": False, "hints": False})
    client = browser(alice)
    client.post(url(game, "roll"))
    page = client.get(url(game)).content.decode()
    assert 'id="holds"' not in page
    assert "data-e>" not in page
    assert "Give me a hint" not in page
    assert client.post(url(game, "hint")).status_code == 403
    assert client.post(url(game, "predict"), {"box": "chance", "percent": "50"}).status_code == 404
    assert client.post(url(game, "simulate")).status_code == 403


def test_looks_are_kept_and_nonsense_is_dropped(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(
        reverse("dicee:look"),
        {"profile": "expert", "horizon": "turn", "offered": ["stats", "predict"], "predict": "on"},
    )
    alice.refresh_from_db()
    look = Look.of(alice)
    assert (look.profile, look.horizon, look.predict, look.stats) == ("expert", "turn", True, False)
    client.post(reverse("dicee:look"), {"profile": "wizard", "horizon": "century"})
    alice.refresh_from_db()
    assert Look.of(alice) == look
    assert 'data-profile="expert"' in client.get(url(solo)).content.decode()


def test_always_show_beats_the_switch(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(reverse("dicee:look"), {"offered": "stats"})
    assert "data-quiet" in client.get(url(solo)).content.decode()
    client.post(reverse("dicee:look"), {"offered": ["stats", "always"], "always": "on"})
    assert "data-quiet" not in client.get(url(solo)).content.decode()


def test_hints_come_step_by_step(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    asked = {"HX-Request": "true"}
    first = client.post(url(solo, "hint"), {"level": "1"}, headers=asked).content.decode()
    assert "1 of 3" in first
    assert 'name="level" value="2"' in first
    last = client.post(url(solo, "hint"), {"level": "3"}, headers=asked).content.decode()
    assert "3 of 3" in last
    assert "<form" not in last


def test_a_guess_earns_points_for_being_near(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    page = client.get(url(solo)).content.decode()
    box = re.search(r'name="box" value="(\w+)"><input type="hidden" name="seen"', page)[1]
    truth = float(box_odds(state(solo).dice, 2)[box].probability)
    near = client.post(url(solo, "predict"), {"box": box, "percent": str(round(100 * truth)), "confidence": "high"})
    assert "spot on" in near.content.decode()
    alice.refresh_from_db()
    assert alice.settings["dicee_guesses"] == 10
    far = client.post(url(solo, "predict"), {"box": box, "percent": str(0 if truth > 0.5 else 100)})
    assert "Off by" in far.content.decode()
    alice.refresh_from_db()
    assert alice.settings["dicee_guesses"] == 10


def test_the_csv_has_every_hold(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    lines = client.get(url(solo, "csv")).content.decode().splitlines()
    distinct = {tuple(sorted(f for i, f in enumerate(state(solo).dice) if m >> i & 1)) for m in range(32)}
    assert len(lines) == 1 + len(distinct)
    assert lines[0].startswith("keep,expected_final,turn_ev,p_ones")


def test_friends_meet_by_code_or_link(alice: Player, bob: Player) -> None:
    host, guest = browser(alice), browser(bob)
    page = host.post("/dicee/new/", {"against": "friends", "spectators": "on"}, follow=True)
    game = Game.objects.get(host=alice)
    assert game.code in page.content.decode()
    assert "Waiting for a second player" in page.content.decode()
    invited = guest.get(reverse("dicee:invite", args=[game.code]))
    assert b"Take a seat" in invited.content
    assert game.seats.count() == 1
    guest.post("/dicee/join/", {"code": game.code.lower()})
    assert game.seats.count() == 2
    host.post(url(game, "start"))
    assert state(game).status == "active"
    wrong = guest.post("/dicee/join/", {"code": "XXXXX"}, follow=True)
    assert "No table has this code." in wrong.content.decode()


def test_leaving_ends_it_for_good(alice: Player, solo: Game) -> None:
    client = browser(alice)
    page = client.post(url(solo, "leave"), follow=True).content.decode()
    assert "You have left the game." in page
    solo.refresh_from_db()
    assert solo.status == "abandoned"


@pytest.mark.parametrize(("turn", "expected"), [("roll", "Step 2 of 3"), ("", "Step 1 of 3")])
def test_three_steps_are_explained(alice: Player, turn: str, expected: str) -> None:
    client = browser(alice)
    client.post(reverse("dicee:learn"))
    game = Game.objects.get(mode="tutorial")
    if turn:
        client.post(url(game, turn))
    assert expected in client.get(url(game)).content.decode()


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ((2, 3, 4, 5, 6), "these dice are worth 40 in Large straight. Nothing can beat that, so write it now."),
        ((4, 4, 4, 4, 4), "these dice are worth 50 in Dicee. Nothing can beat that, so write it now."),
        ((1, 3, 6, 6, 4), "Here 6-6 is a good start."),
    ],
)
def test_the_second_step_looks_at_the_dice(
    alice: Player, solo: Game, monkeypatch: pytest.MonkeyPatch, dice: tuple[int, ...], said: str
) -> None:
    faces = iter(dice)
    monkeypatch.setattr(store.FairRoller, "roll", lambda _self, _sides: next(faces))
    services.roll(solo, alice)
    page = pages.table_page(solo, alice)
    assert page.table.dice == dice
    assert page.step_words.endswith(said)


def test_nobody_is_taught_at_a_table_with_opponents(alice: Player) -> None:
    game = services.create(alice, "bots", bots=["perfect"])
    assert "Step 1 of 3" not in browser(alice).get(url(game)).content.decode()


def test_the_steps_can_be_closed(alice: Player, solo: Game) -> None:
    client = browser(alice)
    assert 'aria-label="No more steps"' in client.get(url(solo)).content.decode()
    client.post("/dicee/look/", {"offered": "tutored", "tutored": "on"})
    assert "Step 1 of 3" not in client.get(url(solo)).content.decode()


def test_who_has_written_a_box_is_taught_no_more(alice: Player, solo: Game) -> None:
    client = browser(alice)
    assert "Step 1 of 3" in client.get(url(solo)).content.decode()
    client.post(url(solo, "roll"))
    client.post(url(solo, "score"), {"box": "chance"})
    second = services.create(alice)
    assert "Step 1 of 3" not in client.get(url(second)).content.decode()


def test_resume_and_history_are_in_the_lobby(alice: Player, solo: Game) -> None:
    client = browser(alice)
    assert url(solo) in client.get("/dicee/").content.decode()
    play_out(solo, alice)
    assert url(solo, "report") in client.get("/dicee/").content.decode()


def test_what_the_page_noticed_is_taken_and_nonsense_is_thanked_for(
    alice: Player, solo: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[list[dict[str, object]]] = []
    monkeypatch.setattr(telemetry, "_queue", lambda task, game, notes: handed.append(notes))
    client = browser(alice)
    client.post(url(solo, "roll"))
    hover = {
        "eventType": "hover",
        "categoryHovered": "ones",
        "hoverDuration": 400,
        "wouldScore": 1,
        "currentEV": 2.1,
        "isOptimal": False,
        "hoverSequence": 1,
    }
    for body in (json.dumps({"events": [hover]}), json.dumps({"events": [{"eventType": "score"}]}), "not json"):
        assert client.post(url(solo, "notes"), body, content_type="application/json").status_code == 204
    assert [note["categoryHovered"] for batch in handed for note in batch] == ["ones"]


def test_a_level_is_suggested_after_enough_games_and_followed_if_wanted(alice: Player) -> None:
    for _ in range(10):
        game = Game.objects.create(mode="solo", host=alice, seed="00" * 32, commitment="", status="completed")
        Seat.objects.create(
            game=game,
            player=alice,
            player_ref=alice.pk,
            name="Alice",
            final_score=250,
            summary={"decisions": 30, "best": 20, "pointsLost": 4.0},
        )
    keep_look(alice, {"profile": "beginner"})
    assert suggestion(alice) == "intermediate"
    assert "Try Intermediate" in browser(alice).get("/dicee/").content.decode()
    browser(alice).post("/dicee/new/", {"against": "solo"})
    alice.refresh_from_db()
    assert Look.of(alice).profile == "beginner"
    keep_look(alice, {"auto": True})
    browser(alice).post("/dicee/new/", {"against": "solo"})
    alice.refresh_from_db()
    assert Look.of(alice).profile == "intermediate"

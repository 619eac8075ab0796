"""The game of the day: the same dice for everyone, one attempt, a place, a streak, and nothing given away."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import daily, review, store
from apps.dicee.services.record import fairness
from tests.apps.dicee.conftest import play_out
from tests.apps.support import session_of

SCRIPT = Path(__file__).parents[3] / "tools" / "verify_dice.py"


def browser(player: Player) -> Client:
    client = Client()
    client.cookies["sessionid"] = session_of(player)
    return client


def move_days(game: Game, days: int) -> None:
    """Have a game played that many days ago, with that day's dice."""
    then = daily.dice_of(daily.today() - datetime.timedelta(days=days))
    Game.objects.filter(pk=game.pk).update(daily=then)


def test_who_holds_the_same_dice_rolls_the_same(alice: Player, bob: Player) -> None:
    games = [daily.play_today(player) for player in (alice, bob)]
    assert games[0] != games[1]
    for keep in (None, [True, False, True, False, False], [False] * 5):
        rolled = [
            services.roll(game, player, keep).state.dice for game, player in zip(games, (alice, bob), strict=True)
        ]
        assert rolled[0] == rolled[1]


def test_the_dice_do_not_depend_on_how_a_turn_was_played(alice: Player, bob: Player) -> None:
    one, two = daily.play_today(alice), daily.play_today(bob)
    services.roll(one, alice)
    services.score(one, alice, "chance")
    for _ in range(3):
        services.roll(two, bob, [False] * 5)
    services.score(two, bob, "ones")
    assert services.roll(one, alice).state.dice == services.roll(two, bob).state.dice


def test_there_is_one_attempt_a_day(alice: Player) -> None:
    game = daily.play_today(alice)
    assert daily.play_today(alice) == game
    play_out(game, alice)
    assert daily.play_today(alice) == game
    with pytest.raises(services.Refused):
        services.roll(game, alice)


def test_nobody_has_a_coach_or_takes_anything_back(alice: Player) -> None:
    settings = services.settings_of(daily.play_today(alice))
    allowed = (settings.statistics, settings.hints, settings.allow_undo, settings.spectators)
    assert allowed == (False,) * 4


def test_places_are_by_score_and_equal_scores_share_one(alice: Player, bob: Player, carol: Player) -> None:
    for player in (alice, bob):
        play_out(daily.play_today(player), player)  # without thinking: the same dice, the same score
    better = daily.play_today(carol)
    play_out(better, carol)
    Game.objects.get(pk=better.pk).seats.update(final_score=375)
    assert [daily.daily_view(player).place for player in (alice, bob, carol)] == [2, 2, 1]
    view = daily.daily_view(alice)
    assert (view.players, view.standing) == (3, "Place 2 of 3")
    assert [(entry.place, entry.is_me) for entry in view.best] == [(1, False), (2, True), (2, False)]
    assert daily.daily_view(None).place is None


def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday(alice: Player) -> None:
    for days in (1, 2, 4):
        game = daily.play_today(alice)
        play_out(game, alice)
        move_days(game, days)
    assert daily.streak(alice, daily.today()) == 2
    play_out(daily.play_today(alice), alice)
    assert daily.daily_view(alice).streak_words == "3 days in a row"


def test_the_seed_is_secret_until_the_day_is_over(alice: Player) -> None:
    game = daily.play_today(alice)
    play_out(game, alice)
    proof = fairness.verification(game)
    assert proof["seed"] is None
    assert fairness.verify(game) is None


def test_after_the_day_anyone_can_check_its_dice(
    alice: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = daily.play_today(alice)
    play_out(game, alice)
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    checked = fairness.verify(game)
    assert checked is not None
    assert checked.fair
    saved = tmp_path / "game.json"
    saved.write_text(json.dumps(fairness.verification(game)))
    said = subprocess.run([sys.executable, SCRIPT, saved], capture_output=True, text=True, check=True).stdout
    assert said.startswith("13 rolls checked")
    saved.write_text(json.dumps(fairness.verification(game) | {"daily": "2020-01-01"}))
    assert subprocess.run([sys.executable, SCRIPT, saved], capture_output=True).returncode


def test_nobody_sees_todays_dice_before_playing_them(alice: Player, bob: Player) -> None:
    game = daily.play_today(alice)
    play_out(game, alice)
    services.share(game, alice)
    for viewer in (bob, None):
        with pytest.raises(services.Refused):
            services.find(game.pk, viewer)
    play_out(daily.play_today(bob), bob)
    assert services.find(game.pk, bob) == game


def test_a_result_to_send_around_shows_no_die(alice: Player) -> None:
    game = daily.play_today(alice)
    play_out(game, alice)
    text = daily.share_text(daily.daily_view(alice), review.report(game, alice), "https://example.org")
    score = store.current(game).seat.card.grand_total
    assert text.startswith(f"Dicee {daily.today():%-d %B}: {score} · place 1 of 1\n")
    squares, link = text.splitlines()[1:]
    assert (len(squares), link) == (13, "https://example.org")


def test_the_pages_of_the_day(alice: Player, bob: Player) -> None:
    mine = browser(alice)
    assert "Play today’s game" in mine.get("/dicee/").content.decode()
    table = mine.post("/dicee/daily/play/")["Location"]
    game = Game.objects.get(daily__isnull=False)
    assert table == reverse("dicee:table", args=[game.pk])
    assert "Go on" in mine.get("/dicee/daily/").content.decode()
    play_out(game, alice)
    shown = mine.get(f"/dicee/daily/{daily.today()}/").content.decode()
    assert "Place 1 of 1" in shown
    assert "Standing and sharing" in mine.get(table).content.decode()
    assert "1 played" in browser(bob).get("/dicee/").content.decode()
    assert mine.get("/dicee/daily/2999-01-01/").status_code == 404
    picture = mine.get(reverse("dicee:picture", args=[game.pk]))
    assert picture["Content-Type"] == "image/svg+xml"
    assert f">{store.current(game).seat.card.grand_total}</text>" in picture.content.decode()
    assert picture.content.count(b'y="330"') == 13
    assert browser(bob).get(reverse("dicee:picture", args=[game.pk])).status_code == 403

"""Your games: listed, filtered, searched for decisions, starred for practice, taken along as text."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game, Seat
from apps.dicee.services import review
from apps.dicee.services.record import text as game_text
from apps.dicee.services.review.profile import summarise
from apps.practice.models import Drill, PlayedGame, Source
from apps.practice.services import MISTAKES, STARRED, Refused, games, problem, stars, start, waiting
from apps.practice.services.games import Filter, read_filter
from engine.dicee import tables
from engine.dicee.boxes import Variant
from tests.apps.dicee.clients import Program
from tests.apps.practice.learners import browser, play
from tests.apps.support import person

LIST, DECISIONS = "/dicee/games/", "/dicee/games/decisions/"
POSITION = "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1"


@pytest.fixture
def alice(db: None) -> Player:
    return person("Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return person("Bob")


def against(player: Player, *bots: str, variant: str = "standard") -> Game:
    tables.load(Variant(variant))
    game = services.create(player, "bots" if bots else "solo", {"rulesVariant": variant}, bots)
    for _ in range(13):
        services.roll(game, player)
        services.score(game, player, services.current(game).seat_of(player.pk).card.open_boxes[0])
    game.refresh_from_db()
    summarise(game)
    return game


def test_games_are_found_by_rules_opponent_result_and_loss(alice: Player, bob: Player) -> None:
    alone, bots = play(alice), against(alice, "random", variant="joker_rules")
    play(bob)
    everything = games.games(alice, Filter())
    assert [row.game_id for row in everything] == [bots.pk, alone.pk]
    assert [row.game_id for row in games.games(alice, Filter(variant="standard"))] == [alone.pk]
    assert [row.game_id for row in games.games(alice, Filter(variant="joker_rules"))] == [bots.pk]
    assert [row.game_id for row in games.games(alice, Filter(opponent="nobody"))] == [alone.pk]
    assert [row.game_id for row in games.games(alice, Filter(opponent="bots"))] == [bots.pk]
    assert games.games(alice, Filter(opponent="people")) == []
    won = everything[0].won
    assert [row.game_id for row in games.games(alice, Filter(result="won" if won else "lost"))] == [bots.pk]
    assert games.games(alice, Filter(result="lost" if won else "won")) == []
    most = max(row.lost or 0 for row in everything)
    assert len(games.games(alice, Filter(lost=most))) == 1
    assert games.games(None, Filter()) == []


def test_the_score_without_luck_is_par_less_what_choices_lost(alice: Player) -> None:
    game = play(alice)
    row = games.games(alice, Filter())[0]
    table = tables.load(Variant.STANDARD)
    assert row.adjusted == pytest.approx(table.expected_score - (row.lost or 0), abs=1e-6)
    report = review.report(game, alice)
    assert (row.score, row.lost) == (report.score, pytest.approx(report.points_lost))


def test_where_i_lost_more_than_three_points_on_an_idea(alice: Player) -> None:
    for seed in (1, 2):
        play(alice, "wild", seed)
    every = games.decisions(alice, Filter())
    slips = [slip for row in PlayedGame.objects.all() for slip in row.slips]
    assert len(every) == len(slips)
    idea = every[0].slip.concepts[0].value
    found = games.decisions(alice, Filter(concept=idea, lost=3.0))
    assert len(found) == sum(slip["lost"] >= 3 and idea in slip["concepts"] for slip in slips) > 0
    assert [row.slip.lost for row in found] == sorted((row.slip.lost for row in found), reverse=True)
    page = browser(alice).get(DECISIONS, {"concept": idea, "lost": "3"}).content.decode()
    assert f"at={found[0].slip.at}&amp;player={alice.pk}" in page
    assert found[0].slip.best in page


@pytest.mark.parametrize(
    ("field", "value"), [("variant", "house"), ("opponent", "me"), ("lost", "many"), ("lost", "-1"), ("lost", "nan")]
)
def test_a_filter_that_makes_no_sense_is_refused_by_name(db: None, field: str, value: str) -> None:
    with pytest.raises(Refused) as refused:
        read_filter({field: value})
    assert refused.value.details["field"] == field
    response = browser(None).get(LIST, {field: value})
    assert response.status_code == 422
    assert refused.value.message in response.content.decode().replace("&#x27;", "'")


def test_long_lists_have_pages_that_keep_the_filter(alice: Player) -> None:
    play(alice)
    game = Game.objects.get()
    for _ in range(24):
        copy = Game.objects.create(mode="solo", status="completed", host=alice, finished_at=game.finished_at)
        Seat.objects.create(game=copy, player=alice, player_ref=alice.pk, name="Alice", final_score=200)
    page = browser(alice).get(LIST, {"opponent": "nobody"}).content.decode()
    assert "?opponent=nobody&amp;page=2" in page
    assert page.count('href="/dicee/') > 20
    second = browser(alice).get(LIST, {"opponent": "nobody", "page": "2"}).content.decode()
    assert second.count("game.txt") == 5


def test_nobody_sees_anothers_games(alice: Player, bob: Player) -> None:
    game = play(alice)
    assert str(game.pk) not in browser(bob).get(LIST).content.decode()
    assert str(game.pk) in browser(alice).get(LIST).content.decode()
    assert browser(bob).get(reverse("dicee:text", args=[game.pk])).status_code == 403


def test_a_star_puts_a_position_into_practice_and_takes_it_out(alice: Player) -> None:
    client = browser(alice)
    answer = client.post("/dicee/games/star/", {"position": POSITION, "next": "/dicee/analyse/"})
    assert answer["Location"] == "/dicee/analyse/"
    drill = Drill.objects.get(player=alice)
    assert (drill.starred, drill.source, waiting(alice).starred) == (True, Source.STAR, 1)
    assert "My starred positions" in client.get("/classroom/practice/?concept=starred").content.decode()
    run = start(alice, STARRED, "1")
    assert run.asked is not None
    assert run.asked.position == drill.position
    assert drill.position in client.get("/dicee/games/starred/").content.decode()
    client.post("/dicee/games/star/", {"position": POSITION, "off": "1"})
    assert not Drill.objects.exists()


def test_an_own_mistake_keeps_its_place_when_its_star_goes(alice: Player) -> None:
    play(alice, "wild")
    mistake = Drill.objects.filter(player=alice, source=Source.OWN).first()
    assert mistake is not None
    stars.star(alice, mistake.position)
    assert start(alice, STARRED, "1").asked == start(alice, MISTAKES, "1").asked or waiting(alice).starred == 1
    stars.unstar(alice, mistake.position)
    mistake.refresh_from_db()
    assert (mistake.starred, mistake.source) == (False, Source.OWN)


@pytest.mark.parametrize("position", ["nonsense", "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/-/3"])
def test_what_is_no_decision_cannot_be_starred(alice: Player, position: str) -> None:
    browser(alice).post("/dicee/games/star/", {"position": position, "next": "https://example.org/"}, follow=True)
    assert not Drill.objects.exists()


def test_a_joker_position_is_judged_by_its_own_rules(alice: Player) -> None:
    tables.load(Variant.JOKER_RULES)
    text = "joker_rules/-.-.-.-.-.30.-.-.-.-.-.50.-/66666/0"
    stars.star(alice, text)
    run = start(alice, STARRED, "1")
    assert run.asked is not None
    asked = problem(run.asked, alice)
    best = asked.found.best
    assert asked.found.ev == pytest.approx(best.ev)
    assert asked.position.variant is Variant.JOKER_RULES
    points = asked.position.card.legal_scores(asked.position.dice, Variant.JOKER_RULES)
    assert points["large_straight"] == 40


def test_a_game_goes_out_as_text_and_comes_back_with_the_same_losses(alice: Player) -> None:
    game = play(alice)
    text = browser(alice).get(reverse("dicee:text", args=[game.pk])).content.decode()
    assert text.startswith("Dicee 1\nRules: standard\nPlayer: ")
    assert len(text.splitlines()) == 3 + 13 + 1
    (read,) = game_text.read(text)
    report = review.report(game, alice)
    assert read.score == report.score
    assert [d.lost for d in read.decisions] == pytest.approx([d.lost for d in report.decisions])
    answer = browser(alice).post("/dicee/read/", {"text": text})
    assert answer["Location"] == read.link
    assert f"The card is full: {report.score} points." in browser(alice).get(read.link).content.decode()


def test_a_text_that_is_wrong_says_where(alice: Player) -> None:
    page = browser(alice).post("/dicee/read/", {"text": "Dicee 1\nPlayer: A\n1. 555 chance"}, follow=True)
    assert "Line 3" in page.content.decode()


def test_programs_find_the_same(alice: Player, bob: Player) -> None:
    game = play(alice, "wild")
    program = Program(alice)
    listed = program.get("games/mine?opponent=nobody").json()
    assert (listed["total"], listed["games"][0]["gameId"]) == (1, str(game.pk))
    found = program.get("games/mine/decisions?lost=3").json()
    assert found["total"] == len(games.decisions(alice, Filter(lost=3.0))) > 0
    assert program.post("positions/starred", {"position": POSITION}).json()["positions"] == [
        POSITION.replace("55526", "25556")
    ]
    assert program.delete(f"positions/starred?position={POSITION}").json()["positions"] == []
    text = program.get(f"games/{game.pk}/text").json()["text"]
    read = program.post("games/read", {"text": text}).json()
    assert read["players"][0]["pointsLost"] == pytest.approx(listed["games"][0]["pointsLost"])
    assert program.get("games/mine?lost=many").status_code == 422
    assert Program(bob).get("games/mine").json()["total"] == 0
    assert Program(None).get("games/mine").status_code == 401
    assert Program(bob).get(f"games/{game.pk}/text").status_code == 403

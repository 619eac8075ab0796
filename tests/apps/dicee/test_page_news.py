"""What a table tells: announcements, opponents' moves, titles, totals, the rules of every box."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game, GameEvent
from apps.dicee.services import page as pages
from apps.dicee.services import store
from apps.dicee.templatetags.dicee import verdict
from engine.dicee.boxes import Scorecard, Variant
from tests.apps.dicee.conftest import on_turn, play_out
from tests.apps.dicee.test_page_table import browser, url


@pytest.mark.parametrize("rule", pages.BOX_RULES, ids=lambda rule: rule.name)
def test_every_example_writes_what_it_says(rule: object) -> None:
    assert isinstance(rule, type(pages.BOX_RULES[0]))
    assert Scorecard().legal_scores(rule.example, Variant.STANDARD)[rule.name] == rule.points


def test_my_roll_and_my_score_are_told(alice: Player, solo: Game) -> None:
    services.roll(solo, alice)
    faces = ", ".join(map(str, store.current(solo).dice))
    assert pages.table_page(solo, alice).announcement == f"You rolled {faces}. 2 rolls left."
    services.score(solo, alice, "chance")
    points = sum(map(int, faces.split(", ")))
    assert pages.table_page(solo, alice).announcement == f"You: {points} in Chance."


def test_a_bots_moves_come_roll_by_roll(alice: Player) -> None:
    game = services.create(alice, "bots", {}, ["greedy"])
    services.roll(game, alice)
    services.score(game, alice, "chance")
    page = pages.table_page(game, alice)
    kinds = ["rolled" if "rolled" in move["words"] else "wrote" for move in page.opponent_moves]
    assert kinds == ["rolled"] * (len(kinds) - 1) + ["wrote"]
    assert all(len(move["dice"]) == 5 for move in page.opponent_moves)
    assert page.announcement.endswith("Your turn.")
    assert page.title == "● Your turn · Dicee"


def test_the_other_side_hears_whose_turn_it_is(alice: Player, bob: Player, duel: Game) -> None:
    first = on_turn(duel)
    other = bob if first == alice else alice
    services.roll(duel, first)
    services.score(duel, first, "chance")
    told = pages.table_page(duel, other)
    assert told.announcement.startswith(f"{first.pseudonym}: ")
    assert told.announcement.endswith("Your turn.")
    assert pages.table_page(duel, first).title == f"{other.pseudonym} plays · Dicee"


def test_the_clock_of_the_answer_is_that_of_the_move(alice: Player) -> None:
    game = services.create(alice, "solo", {"timeLimit": 30})
    before = Game.objects.get(pk=game.pk).deadline
    answer = browser(alice).post(url(game, "roll"), headers={"HX-Request": "true"}).content.decode()
    after = Game.objects.get(pk=game.pk).deadline
    assert before
    assert after
    assert after > before
    assert f'data-deadline="{int(after.timestamp() * 1000)}"' in answer


def test_a_hint_and_second_thoughts_are_in_the_score(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    client.post(url(solo, "hint"), {"level": "1"})
    client.post(url(solo, "score"), {"box": "chance", "backtracks": "3"})
    client.post(url(solo, "roll"))
    client.post(url(solo, "score"), {"box": "ones", "backtracks": "x"})
    scores = GameEvent.objects.filter(game=solo, type="score").order_by("seq").values_list("payload", flat=True)
    assert [(score["hintRequested"], score["backtrackCount"]) for score in scores] == [(True, 3), (False, 0)]


def test_without_scripts_a_hint_comes_with_the_table(alice: Player, solo: Game) -> None:
    client = browser(alice)
    client.post(url(solo, "roll"))
    page = client.post(url(solo, "hint"), {"level": "1"}).content.decode()
    assert "1 of 3" in page
    assert 'id="score-form"' in page


def test_only_switches_that_were_offered_change(alice: Player) -> None:
    client = browser(alice)
    client.post(reverse("dicee:look"), {"offered": ["predict"], "predict": "on"})
    alice.refresh_from_db()
    look = pages.Look.of(alice)
    assert look.predict
    assert look.win
    assert look.stats


def test_an_invitation_asks_for_a_name(alice: Player, bob: Player) -> None:
    game = services.create(alice, "multiplayer")
    client = browser(bob)
    assert 'name="name"' in client.get(reverse("dicee:invite", args=[game.code])).content.decode()
    client.post(reverse("dicee:join"), {"code": game.code, "name": "  Bobby   Tables "})
    assert set(game.seats.values_list("name", flat=True)) == {"Alice", "Bobby Tables"}


def test_a_shared_link_shows_who_shared_it(alice: Player, solo: Game) -> None:
    play_out(solo, alice)
    page = browser(alice).get(url(solo, "report")).content.decode()
    assert f"?player={solo.seats.get().player_ref}" in page.split('id="share-text"')[1].split("</textarea>")[0]


def test_the_end_says_who_won_and_another_game_is_of_the_same_kind(alice: Player) -> None:
    game = services.create(alice, "bots", {"allowUndo": True}, ["greedy", "random"])
    play_out(game, alice)
    page = pages.table_page(game, alice)
    best, second = sorted((place.card.total for place in page.table.places), reverse=True)[:2]
    assert f"with {best}, {best - second} ahead." in page.result
    answer = browser(alice).post(url(game, "again"))
    opened = Game.objects.get(pk=answer["Location"].rstrip("/").split("/")[-1])
    assert opened.pk != game.pk
    assert opened.settings == game.settings
    assert sorted(opened.seats.values_list("bot", flat=True)) == ["", "greedy", "random"]


class Result:
    """A report reduced to what its headline is made of."""

    def __init__(self, luck: float, lost: float) -> None:
        self.par, self.luck, self.points_lost = 254.0, luck, lost
        self.score = 254.0 + luck - lost


@pytest.mark.parametrize(
    ("luck", "lost", "words"),
    [
        (8.5, 32.5, "24 points under par. The dice gave 8.5; decisions gave back 32.5."),
        (-8.5, 32.5, "41 points under par. The dice took 8.5; decisions cost another 32.5."),
        (20.0, 0.0, "20 points over par. The dice gave 20.0; no decision cost anything."),
        (-20.0, 0.0, "20 points under par. The dice took 20.0; no decision cost anything."),
    ],
)
def test_the_headline_is_right_for_luck_and_skill_of_either_sign(luck: float, lost: float, words: str) -> None:
    assert verdict(Result(luck, lost)) == words  # type: ignore[arg-type]

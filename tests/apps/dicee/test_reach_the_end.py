"""The end of a game: the result, this game beside the others, the costliest decision, another one."""

from __future__ import annotations

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import page as pages
from apps.dicee.services import store
from tests.apps.dicee.conftest import on_turn, play_out
from tests.apps.dicee.test_page_table import browser, url


def test_the_first_game_is_no_record_and_has_no_average(solo: Game, alice: Player) -> None:
    assert pages.table_page(solo, alice).ending is None
    play_out(solo, alice)
    ending = pages.table_page(solo, alice).ending
    assert ending is not None
    assert not ending.is_record
    assert [name for name, _ in ending.figures] == []
    assert ending.again_words == "Play again"


def test_a_better_game_is_a_record_beside_the_others(alice: Player) -> None:
    scores = []
    for _ in range(2):
        game = services.create(alice)
        play_out(game, alice)
        scores.append(store.current(game).seat.card.grand_total)
    first = Game.objects.order_by("created_at")[0]
    first.seats.update(final_score=1)
    ending = pages.table_page(game, alice).ending
    assert ending is not None
    assert ending.record_words == f"Your best game yet, {scores[1] - 1} better than before."
    assert dict(ending.figures) == {"Your best": str(scores[1]), "Average of 2": f"{(scores[1] + 1) / 2:.1f}"}


def test_the_costliest_decision_is_one_tap_from_practice(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    ending = pages.table_page(solo, alice).ending
    assert ending is not None
    assert ending.slip is not None
    page = browser(alice).get(url(solo)).content.decode()
    assert "Practise this decision" in page
    question = browser(alice).get(ending.slip.url).content.decode()
    assert f'name="q" value="{solo.pk}:{ending.slip.decision.number}"' in question


def test_the_answer_to_the_last_move_is_the_end(alice: Player) -> None:
    """Nothing is to be fetched again before the end is there, with a bot at the table, too."""
    game = services.create(alice, "bots", bots=["greedy"])
    play_out(game, alice, turns=12)
    services.roll(game, alice)
    last = {"box": store.current(game).seat_of(alice.pk).card.open_boxes[0]}
    page = browser(alice).post(url(game, "score"), last, headers={"HX-Request": "true"}).content.decode()
    assert 'data-status="completed"' in page
    assert 'id="again"' in page
    assert "Practise this decision" in page


def test_who_won_and_by_how_much_comes_first(duel: Game, alice: Player, bob: Player, carol: Player) -> None:
    while not duel.is_over:
        player = on_turn(duel)
        services.roll(duel, player)
        services.score(duel, player, store.current(duel).seat.card.open_boxes[0])
        duel.refresh_from_db()
    totals = {seat.player_id: seat.final_score for seat in duel.seats.all()}
    ahead = abs(totals[alice.pk] - totals[bob.pk])
    winner, loser = sorted((alice, bob), key=lambda player: -totals[player.pk])
    if ahead:
        best = totals[winner.pk]
        assert pages.table_page(duel, winner).result == f"You win with {best}, {ahead} ahead."
        assert pages.table_page(duel, loser).result == f"{winner.pseudonym} wins with {best}, {ahead} ahead."
        watched = pages.table_page(duel, carol)
        assert (watched.shown.name, watched.card.total) == (winner.pseudonym, best)
    services.share(duel, alice)
    seen_by_all = browser(carol).get(url(duel)).content.decode()
    assert "ahead." in seen_by_all or "share the win" in seen_by_all
    assert 'class="game-over"' not in seen_by_all
    assert "Rematch" in browser(loser).get(url(duel)).content.decode()
    browser(loser).post(url(duel, "again"))
    assert "Rematch: 1 waiting" in browser(winner).get(url(duel)).content.decode()


def test_who_watches_sees_the_odds_where_the_table_shows_them(alice: Player, bob: Player, carol: Player) -> None:
    for statistics in (True, False):
        game = services.create(alice, "multiplayer", {"spectators": True, "statistics": statistics})
        services.join(game.code, bob)
        services.start(game, alice)
        services.roll(game, on_turn(game))
        watched = pages.table_page(game, carol)
        assert (watched.numbers is not None) is statistics
        page = browser(carol).get(url(game)).content.decode()
        assert "You are watching." in page
        assert ('id="figures-ones"' in page) is statistics
        assert 'class="score-row__write"' not in page


def test_several_bots_sit_down_from_the_lobby(alice: Player) -> None:
    client = browser(alice)
    client.post("/dicee/new/", {"against": ["greedy", "perfect"]})
    assert sorted(seat.bot for seat in Game.objects.get(mode="bots").seats.all()) == ["", "greedy", "perfect"]
    client.post("/dicee/new/", {"against": ["friends", "random"], "clock": "30", "lapse": "leave"})
    live = Game.objects.get(mode="multiplayer")
    assert sorted(seat.bot for seat in live.seats.all()) == ["", "random"]
    assert live.settings["lapse"] == "leave"
    client.post(url(live, "add-bot"), {"bot": "perfect"})
    assert live.seats.count() == 3
    table = client.post(url(live, "add-bot"), {"bot": "greedy"}, headers={"HX-Request": "true"}).content.decode()
    assert "4 at the table" in table
    client.post(url(live, "name"), {"name": "  Ada   L. "})
    assert live.seats.get(player=alice).name == "Ada L."

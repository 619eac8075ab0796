"""Who will win: put together exactly from simulated finals."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import chances, store
from apps.dicee.services.bots import bots_of
from apps.dicee.services.record import follow_up
from tests.apps.dicee.conftest import on_turn

weights = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)


@given(st.lists(weights, min_size=2, max_size=4))
def test_it_is_what_counting_every_outcome_gives(raw: list[list[int]]) -> None:
    pmfs = np.array([np.array(row) / sum(row) for row in raw])
    counted = np.zeros(len(pmfs))
    for scores in product(range(3), repeat=len(pmfs)):
        p = np.prod([pmfs[seat, score] for seat, score in enumerate(scores)])
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        counted[best] += p / len(best)
    assert chances.wins(pmfs) == pytest.approx(counted)


def test_an_even_start_is_even_and_the_margin_says_how_sure(duel: Game) -> None:
    found = chances.chances(store.current(duel), games=1000)
    assert sum(chance.p for chance in found) == pytest.approx(1)
    for chance in found:
        assert abs(chance.p - 0.5) < 3 * chance.margin
        assert 0 < chance.margin < 0.04


def test_it_is_worked_out_after_a_score_and_kept_for_the_page(duel: Game) -> None:
    player = on_turn(duel)
    services.roll(duel, player)
    follow_up.follow_up(duel.pk, 4, 4)
    assert chances.latest(duel) is None
    services.score(duel, player, "dicee")  # fifty points, or more likely a strike
    follow_up.follow_up(duel.pk, 5, 5)
    kept = chances.latest(duel)
    assert kept is not None
    assert kept["seq"] == 5
    scored = store.current(duel).seat_of(player.pk).card.grand_total
    mine = next(c["probability"] for c in kept["chances"] if c["playerId"] == str(player.pk))
    assert (mine > 0.5) == (scored == 50)


def test_a_table_can_do_without(alice: Player) -> None:
    game = services.create(alice, "bots", {"winChances": False}, ["greedy"])
    services.roll(game, alice)
    services.score(game, alice, "chance")
    follow_up.follow_up(game.pk, 1, store.current(game).sequence)
    assert chances.latest(game) is None


def test_a_bots_chance_follows_its_strength(alice: Player) -> None:
    """Perfect play beats Random Rita nearly always, Greedy Gus most of the time, Perfect Pat half the time."""
    mine = {}
    for bot in ("random", "greedy", "turn_optimal", "perfect"):
        game = services.create(alice, "multiplayer", bots=[bot])  # waiting: nobody has had a lucky turn yet
        found = chances.chances(store.current(game), games=1000, bots=bots_of(game))
        mine[bot] = next(chance.p for chance in found if chance.player_ref == alice.pk)
    assert mine["random"] > 0.99
    assert mine["random"] > mine["greedy"] > mine["turn_optimal"] > mine["perfect"]
    assert mine["perfect"] == pytest.approx(0.5, abs=0.06)

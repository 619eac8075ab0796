"""Fair-play flags are for staff: shown in the staff pages, where nothing of a game can be changed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts.models import Player
from apps.dicee.models import Game, Seat
from apps.dicee.services.review import profile
from tests.apps.dicee.conftest import play_out


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("teacher", password="correct horse battery"))
    return client


def test_staff_see_the_flags_of_a_game(staff: Client, solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    profile.summarise(solo)
    seat = Seat.objects.get()
    Seat.objects.update(summary=seat.summary | {"flags": ["always_optimal", "instant_decisions"]})
    page = staff.get("/staff/dicee/seat/").content.decode()
    assert "always_optimal, instant_decisions" in page


def test_the_seed_of_a_running_game_is_not_shown_to_staff_either(staff: Client, solo: Game) -> None:
    page = staff.get(f"/staff/dicee/game/{solo.pk}/change/").content.decode()
    assert solo.commitment in page
    assert solo.seed not in page


@pytest.mark.parametrize("model", ["game", "seat", "gameevent"])
def test_nothing_is_changed_by_hand(staff: Client, solo: Game, model: str) -> None:
    assert staff.get(f"/staff/dicee/{model}/add/").status_code == 403
    assert staff.post(f"/staff/dicee/game/{solo.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Game.objects.filter(pk=solo.pk).exists()

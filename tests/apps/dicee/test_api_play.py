"""A program plays: tokens, the one error shape of RFC-003 §11, every endpoint, personas."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import ApiToken, Game
from apps.dicee.services import review, store
from apps.dicee.services.api.documents import ErrorResponse, GameStateResponse, MoveResponse, ReportResponse
from tests.apps.dicee.clients import Program
from tests.apps.dicee.conftest import play_out


def test_a_whole_game_over_the_api(alice: Player) -> None:
    program = Program(alice)
    made = program.post("games", {"settings": {"rulesVariant": "standard"}})
    assert made.status_code == 201
    game = GameStateResponse.model_validate(made.json())
    for _ in range(13):
        seen = MoveResponse.model_validate(program.post(f"games/{game.game_id}/roll").json()).sequence_number
        rolled = program.post(
            f"games/{game.game_id}/roll", {"keptMask": [True, False, True, False, False], "seen": seen}
        ).json()
        card = program.get(f"games/{game.game_id}").json()["players"][0]["scorecard"]
        body = {"category": card["categoriesRemaining"][0], "seen": rolled["sequenceNumber"]}
        assert program.post(f"games/{game.game_id}/score", body).status_code == 200
    state = GameStateResponse.model_validate(program.get(f"games/{game.game_id}").json())
    assert state.status == "completed"
    report = ReportResponse.model_validate(program.get(f"games/{game.game_id}/report").json())
    assert len(report.decisions) == 26
    proof = program.get(f"games/{game.game_id}/verification").json()
    assert proof["seed"]
    events = program.get(f"games/{game.game_id}/events?after=2").json()["events"]
    assert [event["sequenceNumber"] for event in events] == list(range(3, 3 + len(events)))


def test_a_request_sent_again_is_answered_the_same(alice: Player, solo: Game) -> None:
    program, key = Program(alice), uuid.uuid4()
    first = program.post(f"games/{solo.pk}/roll", key=key)
    assert program.post(f"games/{solo.pk}/roll", key=key).json() == first.json()
    assert solo.events.filter(type="roll").count() == 1


@pytest.mark.parametrize("key", ["", "mine", "1234"])
def test_a_garbled_key_is_refused(alice: Player, solo: Game, key: str) -> None:
    reply = Program(alice).post(f"games/{solo.pk}/roll", key=key)
    assert (reply.status_code, reply.json()["error"]["details"]["field"]) == (422, "Idempotency-Key")
    assert not solo.events.filter(type="roll").exists()


@pytest.mark.parametrize("seen", ["lately", "2", -1, 2.5, True])
def test_a_garbled_seen_is_refused(alice: Player, solo: Game, seen: object) -> None:
    reply = Program(alice).post(f"games/{solo.pk}/roll", {"seen": seen})
    assert (reply.status_code, reply.json()["error"]["details"]["field"]) == (422, "seen")
    assert not solo.events.filter(type="roll").exists()


def test_a_table_asked_for_twice_is_one_table(alice: Player, bob: Player) -> None:
    program, key = Program(alice), uuid.uuid4()
    first, again = (program.post("games", key=key).json() for _ in range(2))
    assert first == again
    assert first["gameId"] == str(key)
    assert Game.objects.count() == 1
    taken = Program(bob).post("games", key=key)
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "ERR_CONFLICT")
    assert program.post("games", key=uuid.uuid1()).status_code == 422


def test_too_many_requests_are_turned_away_in_the_same_shape(alice: Player, solo: Game, settings: Settings) -> None:
    settings.RATE_LIMIT_SCALE = 0
    reply = Program(alice).get(f"games/{solo.pk}")
    assert reply.status_code == 429
    assert ErrorResponse.model_validate(reply.json()).error.code == "ERR_RATE_LIMIT"


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("roll", {"keptMask": [True] * 5}, 422, "ERR_INVALID_DICE"),
        ("roll", {"keptMask": [True, False]}, 422, "ERR_INVALID_INPUT"),
        ("roll", {"mask": []}, 422, "ERR_INVALID_INPUT"),
        ("roll", {"seen": 1}, 409, "ERR_CONFLICT"),
        ("score", {"category": "nines"}, 422, "ERR_INVALID_CATEGORY"),
        ("score", {"category": "ones"}, 409, "ERR_CATEGORY_SCORED"),
        ("undo", {}, 409, "ERR_INVALID_TURN"),
        ("start", None, 409, "ERR_INVALID_TURN"),
    ],
)
def test_every_refusal_has_one_shape(
    alice: Player, solo: Game, path: str, body: object, status: int, code: str
) -> None:
    play_out(solo, alice, 1)
    services.roll(solo, alice)
    reply = Program(alice).post(f"games/{solo.pk}/{path}", body)
    error = ErrorResponse.model_validate(reply.json()).error
    assert (reply.status_code, error.code) == (status, code)
    assert error.message
    assert error.request_id == reply["X-Request-Id"]
    assert str(uuid.UUID(error.request_id)) == error.request_id


@pytest.mark.parametrize("what", ["", "/events", "/report", "/verification"])
def test_a_strangers_look_is_refused(solo: Game, carol: Player, what: str) -> None:
    for program in (Program(carol), Program(None)):
        reply = program.get(f"games/{solo.pk}{what}")
        assert reply.status_code == 403
        assert ErrorResponse.model_validate(reply.json()).error.code == "ERR_FORBIDDEN"
    assert Program(carol).get(f"games/{uuid.uuid4()}{what}").status_code == 404


@pytest.mark.parametrize("move", ["roll", "start", "abandon", "undo", "telemetry"])
def test_a_strangers_move_is_refused(solo: Game, carol: Player, move: str) -> None:
    body = {"events": []} if move == "telemetry" else {}
    assert Program(carol).post(f"games/{solo.pk}/{move}", body).status_code == 403
    assert store.current(solo).sequence == 2


def test_nobody_in_particular_cannot_move(solo: Game) -> None:
    reply = Client().post(f"/api/v1/games/{solo.pk}/roll", "{}", content_type="application/json")
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] == "ERR_UNAUTHORIZED"


def test_a_browser_shows_that_its_own_page_sent_it(db: None) -> None:
    browser = Client(enforce_csrf_checks=True)
    reply = browser.post("/api/v1/games", "{}", content_type="application/json")
    assert reply.status_code == 403
    assert Game.objects.count() == 0
    assert Client().post("/api/v1/games", "{}", content_type="application/json").status_code == 201  # guest, trusted


def test_two_programs_at_one_table(alice: Player, bob: Player) -> None:
    host, guest = Program(alice), Program(bob)
    table = host.post("games", {"mode": "multiplayer"}).json()
    assert guest.post("games/join", {"code": table["code"]}).status_code == 200
    assert guest.post(f"games/{table['gameId']}/start").status_code == 403
    assert host.post(f"games/{table['gameId']}/start").status_code == 200
    assert len(host.get(f"games/{table['gameId']}").json()["players"]) == 2
    assert guest.post(f"games/{table['gameId']}/abandon").json()["status"] == "active"


class TestTokens:
    def test_the_secret_is_shown_once_and_kept_nowhere(self, alice: Player) -> None:
        made = Program(alice).post("tokens", {"name": "my bot"}).json()
        assert Program(alice).get("tokens").json()["tokens"][-1]["token"] is None
        stored = ApiToken.objects.get(pk=made["id"])
        assert made["token"] not in (stored.digest, stored.hint)
        assert made["token"].startswith(stored.hint)

    def test_a_revoked_one_opens_nothing(self, alice: Player, solo: Game) -> None:
        program = Program(alice)
        assert program.get(f"games/{solo.pk}").status_code == 200
        assert program.delete(f"tokens/{alice.api_tokens.get().pk}").status_code == 204
        reply = program.get(f"games/{solo.pk}")
        assert (reply.status_code, reply.json()["error"]["code"]) == (401, "ERR_UNAUTHORIZED")

    def test_nobody_revokes_anothers(self, alice: Player, bob: Player) -> None:
        Program(alice)
        assert Program(bob).delete(f"tokens/{alice.api_tokens.get().pk}").status_code == 404
        assert alice.api_tokens.count() == 1

    def test_ten_at_most(self, alice: Player) -> None:
        program = Program(alice)
        replies = [program.post("tokens", {"name": f"t{n}"}).status_code for n in range(10)]
        assert replies == [201] * 9 + [403]


def test_a_profile_is_its_players_own(alice: Player, bob: Player, solo: Game) -> None:
    play_out(solo, alice)
    review.profile.summarise(solo)
    found = Program(alice).get(f"players/{alice.pk}/profile").json()
    assert found["gamesCompleted"] == 1
    assert found["bestScore"] == solo.seats.get().final_score
    assert found["optimalDecisionRate"] == pytest.approx(review.report(solo, alice).accuracy)
    assert Program(bob).get(f"players/{alice.pk}/profile").status_code == 403

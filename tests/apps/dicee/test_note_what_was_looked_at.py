"""Telemetry and analyses: two streams beside the game, written by a worker, gone when they expire."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import Game, GameEvent, Stream
from apps.dicee.services import store
from apps.dicee.services.record import follow_up, telemetry
from apps.dicee.services.review import profile
from engine.dicee.game.events import AnalysisComputed, Rolled, read_event
from tests.apps.dicee.clients import Program
from tests.apps.dicee.conftest import play_out

HOVER = {
    "eventType": "hover",
    "categoryHovered": "chance",
    "hoverDuration": 640,
    "wouldScore": 23,
    "currentEV": 23.0,
    "isOptimal": False,
    "hoverSequence": 1,
}
PREDICTION = {
    "eventType": "prediction",
    "predictedCategory": "chance",
    "predictedProbability": 0.5,
    "confidenceLevel": "low",
    "actualProbability": 0.5,
    "accuracyDelta": 0.0,
    "predictionScore": 10,
}


def kept(game: Game, player: Player, *notes: dict[str, object]) -> int:
    """As the worker writes them."""
    state, ref = store.current(game), services.seat_of(game, player).player_ref
    return telemetry.write_notes(game.pk, [telemetry.event_of(game, state, ref, note).to_wire() for note in notes])


def test_a_batch_is_accepted_at_once_and_changes_nothing(solo: Game, alice: Player) -> None:
    services.roll(solo, alice)
    before = store.current(solo)
    reply = Program(alice).post(f"games/{solo.pk}/telemetry", {"events": [HOVER, HOVER]})
    assert (reply.status_code, reply.json()["accepted"]) == (202, 2)
    assert store.current(solo) == before


def test_play_goes_on_when_the_queue_is_away(
    solo: Game, alice: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(telemetry.current_app, "send_task", away)
    assert telemetry.queue_notes(solo, alice, [HOVER]) == 1
    assert "was not queued" in caplog.text


def test_the_stream_has_its_own_numbers_and_names_its_cause(solo: Game, alice: Player) -> None:
    rolled = services.roll(solo, alice).events[0]
    kept(solo, alice, HOVER, PREDICTION)
    kept(solo, alice, HOVER)
    rows = list(solo.events.filter(stream=Stream.TELEMETRY))
    assert [row.seq for row in rows] == [row.payload["sequenceNumber"] for row in rows] == [1, 2, 3]
    assert {row.payload["causalChain"][0] for row in rows} == {str(rolled.id)}
    assert {row.payload["eventSource"] for row in rows} == {"client"}


def test_the_same_note_twice_is_one_note(solo: Game, alice: Player) -> None:
    note = telemetry.event_of(solo, store.current(solo), alice.pk, HOVER).to_wire()
    assert [telemetry.write_notes(solo.pk, [note]), telemetry.write_notes(solo.pk, [note])] == [1, 0]


def test_a_client_cannot_speak_for_the_game_or_for_others(solo: Game, alice: Player) -> None:
    program = Program(alice)
    forged = program.post(f"games/{solo.pk}/telemetry", {"events": [{"eventType": "roll", "diceResult": [6] * 5}]})
    assert forged.status_code == 422
    note = telemetry.event_of(solo, store.current(solo), alice.pk, HOVER | {"playerId": str(uuid.uuid4())})
    assert note.player_id == alice.pk
    assert program.post(f"games/{solo.pk}/telemetry", {"events": [HOVER] * 101}).status_code == 422
    assert program.post(f"games/{solo.pk}/telemetry", {"events": [{"eventType": "hover"}]}).status_code == 422


def test_every_roll_gets_its_analysis_once(solo: Game, alice: Player) -> None:
    services.roll(solo, alice)
    services.roll(solo, alice, [True, False, False, False, False])
    for _ in range(2):
        follow_up.follow_up(solo.pk, 3, 4)
    rolls = [event for event in store.stream(solo) if isinstance(event, Rolled)]
    found = [read_event(row.payload) for row in solo.events.filter(stream=Stream.ANALYSIS)]
    assert [event.sequence_number for event in found] == [1, 2]
    for roll, analysis in zip(rolls, found, strict=True):
        assert isinstance(analysis, AnalysisComputed)
        assert (analysis.analysis_id, analysis.source_event_id) == (roll.analysis_id, roll.id)
        assert analysis.causal_chain == (roll.id,)


def test_streams_expire_and_the_game_stays(solo: Game, alice: Player) -> None:
    services.roll(solo, alice)
    follow_up.follow_up(solo.pk, 3, 3)
    kept(solo, alice, HOVER, HOVER)
    domain = solo.events.filter(stream=Stream.DOMAIN).count()

    def after(days: int) -> dict[str, int]:
        GameEvent.objects.exclude(stream=Stream.DOMAIN).update(
            created_at=timezone.now() - datetime.timedelta(days=days)
        )
        return telemetry.prune()

    assert after(29) == {"analysis": 0, "telemetry": 0}
    assert after(31) == {"analysis": 0, "telemetry": 2}
    assert after(91) == {"analysis": 1, "telemetry": 0}
    Game.objects.update(created_at=timezone.now() - datetime.timedelta(days=9999))
    telemetry.prune()
    assert solo.events.filter(stream=Stream.DOMAIN).count() == domain


class TestFairPlay:
    """RFC-001 §10.4: flags are computed for staff; two of three are suspicious."""

    @pytest.fixture(autouse=True)
    def _anything_is_instant(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However busy the machine that runs the tests."""
        monkeypatch.setattr(profile, "INSTANT_MS", 10**9)

    def test_a_program_that_is_perfect_at_once_is_flagged(self, alice: Player) -> None:
        game = services.create(alice, "bots", bots=["perfect"])
        play_out(game, alice)
        played = profile.story(game, game.seats.get(bot="perfect").player_ref)
        flags = profile.red_flags(played, [])
        assert flags == ["always_optimal", "instant_decisions"]
        assert profile.is_suspicious(flags)

    def test_a_careless_one_is_not(self, solo: Game, alice: Player) -> None:
        play_out(solo, alice)
        profile.summarise(solo)
        summary = solo.seats.get().summary
        assert summary["flags"] == ["instant_decisions"]
        assert not profile.is_suspicious(summary["flags"])

    def test_exact_predictions_count(self, solo: Game, alice: Player) -> None:
        kept(solo, alice, *[PREDICTION] * 3)
        play_out(solo, alice)
        profile.summarise(solo)
        assert "perfect_predictions" in solo.seats.get().summary["flags"]

    def test_players_do_not_see_them(self, solo: Game, alice: Player) -> None:
        play_out(solo, alice)
        profile.summarise(solo)
        program = Program(alice)
        for path in (f"games/{solo.pk}", f"games/{solo.pk}/report", f"players/{alice.pk}/profile"):
            assert "instant_decisions" not in program.get(path).content.decode()


def test_a_game_nobody_summed_up_is_summed_up_later(solo: Game, alice: Player) -> None:
    play_out(solo, alice)
    assert [profile.catch_up(), profile.catch_up()] == [1, 0]
    assert solo.seats.get().summary["decisions"] == 13


def test_levels_follow_the_thresholds() -> None:
    """RFC-002 §5.1: above 60 % over 10 games, 75 % over 20, 85 % over 50."""

    def games(number: int, best: int) -> list[dict[str, int]]:
        return [{"decisions": 100, "best": best}] * number

    assert profile.level(games(9, 99))[0] == "beginner"
    assert profile.level(games(10, 60))[0] == "beginner"
    assert profile.level(games(10, 61))[0] == "intermediate"
    assert profile.level(games(20, 76))[0] == "expert"
    assert profile.level(games(50, 86))[1] == "expert"
    assert profile.level(games(50, 80))[1] == "advanced"

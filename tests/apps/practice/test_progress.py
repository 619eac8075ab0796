"""A player's finished games become a profile: once, after the game, and never in the way of play."""

from __future__ import annotations

import csv
import io
import re
import uuid
from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts import services as accounts
from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.models import GameEvent, Stream
from apps.dicee.services import horizon, review
from apps.dicee.services.record import telemetry
from apps.dicee.services.review.profile import finished_hooks, summarise
from apps.practice import curves, player_data
from apps.practice.models import Answer, Drill, PlayedGame, SkillProfile, Source
from apps.practice.services import progress
from engine.dicee import tables
from engine.dicee.boxes import Variant
from engine.dicee.learning import GameDigest, Profile
from tests.apps.practice.learners import browser, play


@pytest.fixture
def alice(db: None) -> Player:
    return Player.objects.create(pseudonym="Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create(pseudonym="Bob")


def profile_of(player: Player) -> Profile:
    return Profile.model_validate(SkillProfile.objects.get(player=player).profile)


# -- Taking a game in ---------------------------------------------------------------------------------------------


def test_a_finished_game_is_learnt_from_by_the_hook(alice: Player) -> None:
    assert progress.after_game in finished_hooks
    game = play(alice)
    digest = GameDigest.model_validate(PlayedGame.objects.get(seat__game=game).digest)
    told = review.story(game, alice.pk)
    assert digest.score == game.seats.get().final_score
    assert digest.decisions == len(told.decisions)
    assert digest.lost == pytest.approx(sum(decision.lost for decision in told.decisions))
    best = sum(decision.was_best for decision in told.decisions)
    assert digest.right <= digest.judged <= digest.decisions  # obvious decisions are not judged
    assert best - (digest.decisions - digest.judged) <= digest.right
    assert profile_of(alice).games == 1


def test_a_game_taken_in_twice_counts_once(alice: Player) -> None:
    game = play(alice)
    before = SkillProfile.objects.get(player=alice).profile, list(Drill.objects.values_list("position", "due_at"))
    assert progress.take(game) == 0
    progress.refresh(alice)
    summarise(game)
    assert (
        SkillProfile.objects.get(player=alice).profile,
        list(Drill.objects.values_list("position", "due_at")),
    ) == before
    assert PlayedGame.objects.count() == 1


def test_nothing_changes_in_the_middle_of_a_game(alice: Player) -> None:
    play(alice, seed=1)
    before = SkillProfile.objects.get(player=alice)
    game = play(alice, seed=2, turns=12)
    assert not game.is_over
    progress.catch_up()
    progress.refresh_between_games(alice.pk)
    after = SkillProfile.objects.get(player=alice)
    assert (after.profile, after.updated_at) == (before.profile, before.updated_at)
    services.abandon(game, alice)
    game.refresh_from_db()
    summarise(game)
    assert profile_of(alice).games == 1, "an abandoned game is no finished one"


@pytest.mark.parametrize("variant", Variant)
def test_games_of_every_variant_teach_and_bots_do_not(alice: Player, variant: Variant) -> None:
    tables.load(variant)
    game = services.create(alice, "bots", {"rulesVariant": variant.value}, bots=["perfect"])
    for _ in range(13):
        services.roll(game, alice)
        services.score(game, alice, services.current(game).seat_of(alice.pk).card.open_boxes[0])
    game.refresh_from_db()
    progress.after_game(game)
    assert [row.seat.player for row in PlayedGame.objects.all()] == [alice]
    assert progress.catch_up() == 0
    assert profile_of(alice).games == 1


def test_decisions_with_the_coach_leave_no_rating(alice: Player) -> None:
    game = services.create(alice)
    shown = services.Screen(values=True)
    for _ in range(13):
        services.roll(game, alice)
        services.score(game, alice, services.current(game).seat.card.open_boxes[0], screen=shown)
    game.refresh_from_db()
    progress.after_game(game)
    assert PlayedGame.objects.get().digest["assisted"] == 13
    assert progress.rating_of(alice) is None


def test_a_game_that_ended_before_the_tables_were_solved_is_taken_later(alice: Player) -> None:
    with mock.patch.object(horizon, "ready", return_value=None):
        game = play(alice, learn=False)
        summarise(game)
        assert not PlayedGame.objects.exists()
    assert progress.catch_up() == 1
    assert progress.catch_up() == 0
    assert profile_of(alice).games == 1


def test_a_failure_keeps_the_last_profile_and_stops_nothing(alice: Player) -> None:
    play(alice, seed=1)
    before = SkillProfile.objects.get(player=alice).profile
    game = play(alice, seed=2, learn=False)
    with mock.patch("engine.dicee.learning.digest", side_effect=ZeroDivisionError):
        summarise(game)  # the hook says so in the log and lets the rest go on
    assert SkillProfile.objects.get(player=alice).profile == before
    assert game.seats.get().summary is not None
    assert progress.catch_up() == 1
    assert profile_of(alice).games == 2


def test_guesses_at_the_table_outlive_the_telemetry(alice: Player) -> None:
    game = play(alice, turns=1)
    note = {
        "eventType": "prediction",
        "predictedCategory": "chance",
        "predictedProbability": 0.4,
        "confidenceLevel": "low",
        "actualProbability": 0.25,
        "accuracyDelta": 0.15,
        "predictionScore": 0,
    }
    state = services.current(game)
    telemetry.append(game.pk, Stream.TELEMETRY, [telemetry.event_of(game, state, alice.pk, note)])
    for _ in range(12):
        services.roll(game, alice)
        services.score(game, alice, services.current(game).seat.card.open_boxes[0])
    game.refresh_from_db()
    summarise(game)
    GameEvent.objects.filter(stream=Stream.TELEMETRY).delete()
    Answer.objects.create(player=alice, source=Source.DRILL, position="-", box="chance", predicted=0.5, truth=0.5)
    progress.refresh(alice)
    calibration = profile_of(alice).calibration
    assert calibration is not None
    assert (calibration.n, calibration.bias) == (2, pytest.approx(0.075))


# -- Own mistakes -------------------------------------------------------------------------------------------------


def test_the_costliest_mistakes_become_drills(alice: Player) -> None:
    game = play(alice, "wild")
    costly = sorted((d.lost for d in review.story(game, alice.pk).decisions if d.lost >= 1), reverse=True)
    drills = Drill.objects.filter(player=alice, source=Source.OWN)
    found = [review.question(alice, drill.origin).decision for drill in drills]
    assert sorted((d.lost for d in found), reverse=True) == pytest.approx(costly[:3])
    assert {len(drill.position.split("/")) for drill in drills} == {4}


# -- The page -----------------------------------------------------------------------------------------------------


def test_before_the_first_game_the_page_invites_to_play(db: None) -> None:
    client = browser(None)
    page = client.get(reverse("practice:progress")).content.decode()
    assert "No finished game yet" in page
    assert "Play a game" in page
    assert client.get(reverse("practice:progress-csv")).status_code == 404
    assert not Player.objects.exists(), "looking makes no player"


def test_the_page_answers_first_and_says_when_it_settles(alice: Player) -> None:
    for seed in range(3):
        play(alice, seed=seed)
    found = profile_of(alice)
    page = browser(alice).get(reverse("practice:progress")).content.decode()
    assert f'<p class="profile__rating num">{found.rating:.1f}</p>' in page
    assert f"{found.low:.1f} to {found.high:.1f}" in page
    assert "at most 17 more" in page
    for chart in ("rating-curve", "loss-curve"):
        assert f'id="{chart}"' in page
    assert "guess-curve" not in page
    assert found.practise_next is None  # three games show no weakness beyond its margin


def test_the_curve_downloads_as_a_table(alice: Player) -> None:
    games = [play(alice, seed=seed) for seed in range(2)]
    text = browser(alice).get(reverse("practice:progress-csv")).content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["score"]) for row in rows] == [game.seats.get().final_score for game in games]
    found = profile_of(alice)
    assert [float(row["rating"]) for row in rows] == [point.rating for point in found.curve]


def test_a_habit_is_named_with_decisions_that_show_it(alice: Player) -> None:
    for seed in range(8):
        play(alice, "stops early", seed)
    found = progress.page(alice)
    assert found is not None
    habits = {habit.found.key: habit for habit in found.habits}
    assert "stops_early" in habits
    examples = habits["stops_early"].examples
    assert examples
    client = browser(alice)
    page = client.get(reverse("practice:progress")).content.decode()
    links = re.findall(r'href="(/dicee/[0-9a-f-]+/replay/\?at=\d+)', page)
    assert len(links) >= len(examples)
    replay = client.get(links[0]).content.decode()
    assert f"Decision {links[0].rpartition('=')[2]} of" in replay
    assert examples[0].slip.lost > 0


def test_the_page_reads_the_same_however_many_games(alice: Player) -> None:
    counts = []
    for seed in range(3):
        play(alice, seed=seed)
        client = browser(alice)
        client.get(reverse("practice:progress"))
        with CaptureQueriesContext(connection) as seen:
            assert client.get(reverse("practice:progress")).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[-1] <= 8


def test_a_profile_of_some_games_knows_nothing_of_the_others(alice: Player) -> None:
    """What a teacher sees of a student is folded from the class's games alone."""
    games = [play(alice, seed=seed) for seed in range(3)]
    some = PlayedGame.objects.filter(seat__game__in=games[:2])
    found = progress.page_of(some)
    assert found is not None
    assert found.found.games == 2
    assert {example.game for example in found.examples} <= {game.pk for game in games[:2]}
    assert progress.page_of(PlayedGame.objects.none()) is None
    drawn = curves.pictures(found)
    assert drawn["rating_figure"]["data"][1]["y"] == [point.rating for point in found.found.curve]


# -- Accounts -----------------------------------------------------------------------------------------------------


def test_a_guests_practice_joins_the_account(alice: Player, bob: Player) -> None:
    """Alice is a guest who signs in as Bob: what both have stays Bob's, the rest moves, the profile counts both."""
    play(alice, seed=1)
    play(bob, seed=2)
    for player, lost in ((alice, 3.0), (bob, 0.0)):
        Answer.objects.create(player=player, source=Source.DAILY, place="2026-11-16", position="same", lost=lost)
        Drill.objects.create(player=player, position="same", concept="straights", source=Source.DRILL, streak=3)
    Answer.objects.create(player=alice, source=Source.DAILY, place="2026-11-15", position="other", lost=1.0)
    mine = Drill.objects.filter(player=alice).count()
    theirs = Drill.objects.filter(player=bob).count()
    accounts._merge(alice, bob)
    assert profile_of(bob).games == 2
    assert Drill.objects.filter(player=bob).count() == mine + theirs - 1
    attempts = Answer.objects.filter(player=bob, source=Source.DAILY).values_list("place", "lost")
    assert sorted(attempts) == [("2026-11-15", 1.0), ("2026-11-16", 0.0)]


def test_everything_goes_along_in_the_copy_and_goes_when_the_player_goes(alice: Player) -> None:
    game = play(alice)
    Answer.objects.create(player=alice, source=Source.DRILL, position="p", choice="555", lost=0.5)
    copy = accounts.export(alice)["practice"]
    assert copy["profile"]["games"] == 1
    assert copy["games"][0]["gameId"] == str(game.pk)
    assert copy["answers"][0]["lost"] == 0.5
    assert len(copy["drills"]) == Drill.objects.count()
    accounts.delete(alice)
    for model in (PlayedGame, SkillProfile, Drill, Answer):
        assert not model.objects.exists(), model
    game.refresh_from_db()
    assert game.seats.get().final_score is not None, "the game stays, nameless"


def test_forgetting_one_player_leaves_the_others(alice: Player, bob: Player) -> None:
    play(alice, seed=1)
    play(bob, seed=2)
    player_data.remove(alice, uuid.uuid4())
    assert profile_of(bob).games == 1
    assert PlayedGame.objects.filter(seat__player=bob).count() == 1
    assert not PlayedGame.objects.filter(seat__player=alice).exists()

"""Practice: what comes again and when, sessions for anyone, the daily challenge that is the same for everyone."""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import Player
from apps.practice import services as practice
from apps.practice.models import Answer, Drill, Source
from apps.practice.services import Item, daily, questions
from apps.practice.services.repetition import STEPS, Schedule
from apps.practice.services.run import step
from engine.dicee import notation, tables
from engine.dicee.learning import Concept
from tests.apps.practice.learners import browser, play

NOW = datetime.datetime(2026, 11, 16, 12, tzinfo=datetime.UTC)
MINUTE = datetime.timedelta(minutes=1)
DAY = datetime.timedelta(days=1)


@pytest.fixture
def alice(db: None) -> Player:
    return Player.objects.create(pseudonym="Alice")


# -- Spaced repetition --------------------------------------------------------------------------------------------


def test_right_every_time_it_comes_after_these_gaps() -> None:
    schedule, now = Schedule(0, NOW), NOW
    gaps = []
    for _ in range(8):
        schedule = schedule.after(True, now)
        gaps.append(schedule.due_at - now)
        now = schedule.due_at
    assert gaps == [DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY, 35 * DAY, 35 * DAY, 35 * DAY]


@given(st.integers(0, 60), st.integers(0, 10**7), st.booleans())
def test_one_answer_moves_a_drill_like_this(streak: int, late: int, right: bool) -> None:
    """On time or late, right goes one step on and wrong goes back to the start; either way it comes again."""
    now = NOW + datetime.timedelta(seconds=late)
    after = Schedule(streak, NOW).after(right, now)
    assert after.streak == (streak + 1 if right else 0)
    assert after.due_at == now + (STEPS[min(streak + 1, 5)] if right else 10 * MINUTE)
    assert after.interval_days == (after.due_at - now) / DAY


@given(st.integers(0, 60), st.integers(1, 10**7))
def test_right_before_it_is_due_changes_nothing_wrong_does(streak: int, early: int) -> None:
    schedule = Schedule(streak, NOW)
    now = NOW - datetime.timedelta(seconds=early)
    assert schedule.after(True, now) == schedule
    assert schedule.after(False, now) == Schedule(0, now + 10 * MINUTE)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_a_run_of_right_answers_is_what_decides(answers: list[bool]) -> None:
    """Whatever came before: the streak is the number of right answers since the last wrong one."""
    schedule, now = Schedule(0, NOW), NOW
    for right in answers:
        now = schedule.due_at
        schedule = schedule.after(right, now)
    since = list(accumulate(answers, lambda row, right: row + 1 if right else 0, initial=0))[-1]
    assert schedule.streak == since
    assert schedule.due_at - now == STEPS[min(since, 5)]


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 3))
def test_difficulty_follows_runs_and_stays_in_bounds(answers: list[bool], level: int) -> None:
    row = 0
    for right in answers:
        before = level
        row, level = step(row, level, right)
        assert 1 <= level <= 3
        assert abs(level - before) <= 1
        assert level == before or (level > before) == right
    assert step(2, 1, True) == (0, 2)
    assert step(-1, 2, False) == (0, 1)
    assert step(2, 2, False) == (-1, 2)


# -- Questions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concept", [c for c in Concept if c is not Concept.READING_ODDS])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_made_position_asks_for_one_best_choice(concept: Concept, level: int) -> None:
    item = questions.made(concept, level, 7)
    assert item == questions.made(concept, level, 7)
    asked = questions.problem(item, None)
    best = [n for n, choice in enumerate(asked.choices) if choice.option.points_lost == 0]
    assert len(best) == 1
    for n, choice in enumerate(asked.choices):
        judged = questions.judge(item, None, str(n))
        assert judged.lost == pytest.approx(choice.option.points_lost)
        assert judged.right == (n == best[0])


def test_the_shelf_gives_the_same_position_made_or_kept() -> None:
    first = questions.fresh(Concept.CHANCE, 1, 5)
    assert first == questions.made(Concept.CHANCE, 1, 5)
    assert questions.fresh(Concept.CHANCE, 1, 5 + questions.SHELF) == first
    assert questions.fresh(Concept.CHANCE, 1, 6) != first


def test_reading_odds_asks_for_a_chance_and_knows_it() -> None:
    for seed in range(5):
        item = questions.made(Concept.READING_ODDS, 1, seed)
        asked = questions.riddle(item)
        assert 0 < asked.truth < 1
        near = questions.judge(item, None, str(round(100 * asked.truth)))
        assert near.right
        assert near.guess is not None
        assert near.guess.delta <= 0.005
        far = questions.judge(item, None, "0" if asked.truth > 0.5 else "100")
        assert not far.right


@pytest.mark.parametrize("said", ["", "x", "-1", "4", "999", "1e1", "٣"])
def test_nonsense_is_refused(said: str) -> None:
    with pytest.raises(practice.Refused):
        questions.judge(questions.made(Concept.STRAIGHTS, 1, 1), None, said)


def test_a_guess_above_a_hundred_is_refused() -> None:
    with pytest.raises(practice.Refused, match="0–100"):
        questions.judge(questions.made(Concept.READING_ODDS, 1, 1), None, "101")


# -- A session ----------------------------------------------------------------------------------------------------


def open_question(client: Client) -> tuple[str, list[str]]:
    """The open question's position and the answers it offers."""
    page = client.get(reverse("practice:run")).content.decode()
    position = re.search(r'name="position" value="([^"]+)"', page)
    assert position, page
    return position[1], re.findall(r'name="answer" value="(\d+)" data-key="choice', page)


def say(client: Client, good: bool) -> str:
    """Answer the open question, right or as wrong as it offers."""
    position, offered = open_question(client)
    item = Item(**client.session["practice"]["asked"])
    if item.box:
        truth = questions.riddle(item).truth
        said = str(round(100 * truth)) if good else ("0" if truth > 0.5 else "100")
    else:
        player = Player.objects.filter(pk=client.session.get("player")).first()
        lost = [choice.option.points_lost for choice in questions.problem(item, player).choices]
        assert len(offered) == len(lost)
        said = str(lost.index(min(lost) if good else max(lost)))
    return client.post(reverse("practice:answer"), {"position": position, "answer": said}).content.decode()


def test_a_guest_practises_ten_positions_and_is_known_from_the_first_answer_on(db: None) -> None:
    client = Client()
    client.get(reverse("practice:home"))
    client.post(reverse("practice:start"), {"subject": "straights", "level": "1"})
    open_question(client)
    assert not Player.objects.exists()
    for number in range(10):
        page = say(client, good=number % 2 == 0)
        assert ("<h2>Right</h2>" in page) == (number % 2 == 0)
    assert Answer.objects.filter(player=Player.objects.get(), concept="straights").count() == 10
    assert "5 of 10 right" in client.get(reverse("practice:run")).content.decode()
    assert Drill.objects.count() == 5, "what was missed comes again"
    assert all(drill.due_at - timezone.now() < 10 * MINUTE for drill in Drill.objects.all())


def test_what_is_due_comes_first_and_moves_on_when_it_is_right(alice: Player) -> None:
    item = questions.made(Concept.CHANCE, 1, 3)
    drill = Drill.objects.create(
        player=alice, position=item.position, concept="chance", source=Source.DRILL, streak=2, due_at=timezone.now()
    )
    later = questions.made(Concept.CHANCE, 1, 4)
    Drill.objects.create(
        player=alice, position=later.position, concept="chance", source=Source.DRILL, due_at=timezone.now() + DAY
    )
    client = browser(alice)
    client.post(reverse("practice:start"), {"subject": "mixed", "level": "1"})
    assert open_question(client)[0] == item.position
    say(client, good=True)
    drill.refresh_from_db()
    assert (drill.streak, drill.interval_days) == (3, 7)
    assert open_question(client)[0] not in (item.position, later.position)


def test_own_mistakes_are_asked_with_what_was_chosen_then(alice: Player) -> None:
    game = play(alice, "wild")
    mistakes = Drill.objects.filter(player=alice, source=Source.OWN).count()
    assert mistakes
    client = browser(alice)
    client.post(reverse("practice:start"), {"subject": "mistakes", "level": "1"})
    page = say(client, good=False)
    assert '<span class="tag">then</span>' in page
    assert f"/dicee/{game.pk}/replay/?at=" in page
    for _ in range(mistakes - 1):
        say(client, good=True)
    assert f"{mistakes - 1} of {mistakes} right" in client.get(reverse("practice:run")).content.decode()


def test_somebody_elses_mistake_is_only_a_position(alice: Player) -> None:
    play(alice, "wild")
    mine = Item.of(Drill.objects.filter(player=alice).earliest("pk"))
    stranger = Player.objects.create(pseudonym="Carol")
    asked = questions.problem(mine, stranger)
    assert asked.then is None
    assert not hasattr(asked, "game")


def test_an_answer_sent_twice_counts_once(alice: Player) -> None:
    client = browser(alice)
    client.post(reverse("practice:start"), {"subject": "chance", "level": "2"})
    position, _ = open_question(client)
    for _ in range(2):
        answered = client.post(reverse("practice:answer"), {"position": position, "answer": "0"})
    assert answered.status_code == 302
    assert Answer.objects.count() == 1


@pytest.mark.parametrize(("said", "words"), [("9", "no such choice"), ("", "Choose one of the answers")])
def test_a_wrong_answer_number_is_said_beside_the_question(alice: Player, said: str, words: str) -> None:
    client = browser(alice)
    client.post(reverse("practice:start"), {"subject": "chance", "level": "2"})
    position, _ = open_question(client)
    refused = client.post(reverse("practice:answer"), {"position": position, "answer": said})
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert position in refused.content.decode()
    assert not Answer.objects.exists()


@pytest.mark.parametrize("said", [{"subject": "poker", "level": "1"}, {"subject": "chance", "level": "9"}])
def test_there_is_no_such_session(db: None, said: dict[str, str]) -> None:
    refused = Client().post(reverse("practice:start"), said)
    assert refused.status_code == 422
    assert "field-error" in refused.content.decode()


def test_without_a_session_the_way_leads_to_its_door(db: None) -> None:
    client = Client()
    for there in (client.get(reverse("practice:run")), client.post(reverse("practice:answer"))):
        assert there.headers["Location"] == reverse("practice:home")
    session = client.session
    session["practice"] = {"subject": "of an older version"}
    session.save()
    assert client.get(reverse("practice:run")).headers["Location"] == reverse("practice:home")


def test_the_door_reads_the_same_however_much_was_practised(alice: Player) -> None:
    client = browser(alice)

    def reads() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(reverse("practice:home")).status_code == 200
        return len(seen)

    reads()
    before = reads()
    for n in range(30):
        Answer.objects.create(player=alice, source=Source.DRILL, position=str(n), concept="chance", lost=0.0)
        Drill.objects.create(player=alice, position=str(n), concept="chance", source=Source.DRILL)
    assert reads() == before <= 8


# -- The daily challenge ------------------------------------------------------------------------------------------

DRAW = """
import django, datetime
django.setup()
from apps.practice.services import daily
print("\\n".join(daily.draw(datetime.date(2026, 11, 16))))
"""


def test_a_day_is_the_same_in_every_process_and_no_two_days_are_alike() -> None:
    day = datetime.date(2026, 11, 16)
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONHASHSEED": "77"}
    environment["ODDSMITH_TABLES_DIR"] = str(tables.tables_directory())
    elsewhere = subprocess.run(
        [sys.executable, "-c", DRAW],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        cwd=Path(__file__).parents[3],
    ).stdout.split()
    assert daily.draw(day) == elsewhere
    assert len(set(elsewhere)) == len(elsewhere) == len(daily.PLAN)
    assert not set(elsewhere) & set(daily.draw(day + DAY))


def test_every_position_of_a_day_is_about_its_idea(db: None) -> None:
    for item, (concept, _) in zip(daily.positions(datetime.date(2026, 5, 4)), daily.PLAN, strict=True):
        assert item.concept == concept.value
        assert notation.write(notation.read(item.position)) == item.position


def attempt(client: Client, good: bool) -> str:
    page = client.get(reverse("practice:daily")).content.decode()
    position = re.search(r'name="position" value="([^"]+)"', page)[1]  # type: ignore[index]
    asked = questions.problem(Item(position, "", Source.DAILY), None)
    lost = [choice.option.points_lost for choice in asked.choices]
    said = str(lost.index(min(lost) if good else max(lost)))
    return client.post(reverse("practice:daily-answer"), {"position": position, "answer": said}).content.decode()


def test_everyone_gets_the_same_and_sees_how_the_others_did(db: None) -> None:
    good, poor = Client(), Client()
    for _ in range(5):
        assert "<h2>Right</h2>" in attempt(good, good=True)
    assert "You are the first to finish it." in good.get(reverse("practice:daily")).content.decode()
    for _ in range(5):
        attempt(poor, good=False)
    mine, theirs = (client.get(reverse("practice:daily")).content.decode() for client in (good, poor))
    assert re.search(r'score__number">5<small>/5', mine)
    assert re.search(r'score__number">0<small>/5', theirs)
    assert "better than 100 % of the others".replace(" %", "\N{NO-BREAK SPACE}%") in mine
    assert "better than 0\N{NO-BREAK SPACE}% of the others" in theirs
    assert mine.count("50\N{NO-BREAK SPACE}% found it") == 5
    assert "1 day in a row" in mine


def test_only_the_first_attempt_counts(db: None) -> None:
    client = Client()
    attempt(client, good=False)
    first = Answer.objects.get()
    again = client.post(reverse("practice:daily-answer"), {"position": first.position, "answer": "0"})
    assert again.status_code == 302
    assert Answer.objects.get().lost == first.lost
    unknown = client.post(reverse("practice:daily-answer"), {"position": "standard/x", "answer": "0"})
    assert unknown.status_code == 302
    assert Answer.objects.count() == 1
    wrong = client.post(reverse("practice:daily-answer"), {"position": daily.positions(daily.today())[1].position})
    assert wrong.status_code == 422


def test_the_text_to_share_gives_nothing_away(db: None) -> None:
    client = Client()
    for number in range(5):
        attempt(client, good=number > 1)
    page = client.get(reverse("practice:daily")).content.decode()
    text = re.search(r'id="share-text"[^>]*>(.*?)</textarea>', page, re.S)[1]  # type: ignore[index]
    assert text.startswith(f"Dicee daily {daily.today()} · 3/5")
    squares = text.splitlines()[1]
    assert len(squares) == 5
    assert squares[2:] == "🟩🟩🟩"
    assert not re.search(r"keep|score|strike|\d-\d-\d\b(?! ·)", text.splitlines()[0].partition("·")[2], re.I)


def test_days_in_a_row(alice: Player) -> None:
    def finish(days_ago: int, answers: int = 5) -> None:
        place = (daily.today() - days_ago * DAY).isoformat()
        for n in range(answers):
            Answer.objects.create(player=alice, source=Source.DAILY, place=place, position=str(n), lost=0.0)

    assert daily.streak(None) == daily.streak(alice) == 0
    finish(1)
    finish(2)
    assert daily.streak(alice) == 2, "today is still to come"
    finish(0, answers=4)
    assert daily.streak(alice) == 2, "four of five is not finished"
    Answer.objects.create(player=alice, source=Source.DAILY, place=daily.today().isoformat(), position="5", lost=0.0)
    assert daily.streak(alice) == 3
    finish(4)
    assert daily.streak(alice) == 3, "a day was missed"


def test_past_days_are_solved_and_the_future_is_closed(db: None) -> None:
    client = Client()
    today = daily.today()
    yesterday = client.get(reverse("practice:daily-day", args=[today - DAY])).content.decode()
    asked = questions.problem(daily.positions(today - DAY)[0], None)
    assert asked.ranking[0][0] in yesterday
    assert 'name="answer"' not in yesterday
    assert client.get(reverse("practice:daily-day", args=[today])).headers["Location"] == reverse("practice:daily")
    for day in (today + DAY, "2025-12-31", "2026-02-30", "9999-99-99"):
        assert client.get(reverse("practice:daily-day", args=[day])).status_code == 404
    assert not Player.objects.exists()


def test_a_day_reads_the_same_however_many_played(alice: Player) -> None:
    client = browser(alice)
    client.get(reverse("practice:daily"))

    def reads() -> int:
        with CaptureQueriesContext(connection) as seen:
            client.get(reverse("practice:daily"))
        return len(seen)

    before = reads()
    for n in range(20):
        other = Player.objects.create(pseudonym=f"P{n}")
        for item in daily.positions(daily.today()):
            Answer.objects.create(
                player=other, source=Source.DAILY, place=daily.today().isoformat(), position=item.position, lost=n / 10
            )
    assert reads() == before <= 10


def test_until_the_game_is_solved_practice_says_so(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tables, "tables_directory", lambda: tmp_path)
    client = Client()
    assert client.get(reverse("practice:home")).status_code == 200
    for response in (
        client.post(reverse("practice:start"), {"subject": "chance", "level": "1"}),
        client.get(reverse("practice:daily-day", args=["2026-03-03"])),
    ):
        assert response.status_code == 503
        assert response.headers["Retry-After"]
        assert "still being solved" in response.content.decode()


def test_a_session_of_guesses_counts_towards_calibration(db: None) -> None:
    client = Client()
    client.post(reverse("practice:start"), {"subject": "reading_odds", "level": "1"})
    page = say(client, good=True)
    assert "You said" in page
    assert "<h2>Right</h2>" in page
    assert "Not quite" in say(client, good=False)
    near, far = Answer.objects.order_by("pk")
    assert near.lost is None
    assert abs(near.predicted - near.truth) <= 0.005  # type: ignore[operator]
    assert far.box
    drill = Drill.objects.get()
    assert Item.of(drill).box == far.box, "a missed guess comes again as the same guess"

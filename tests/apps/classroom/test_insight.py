"""What a class's figures say, to its teacher only: heat map, weeks, students, files, sheets for home."""

from __future__ import annotations

import csv
import datetime
import io
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Player
from apps.classroom.models import Assignment, ClassGame
from apps.classroom.services.insight import concepts, export, positions, sheets, weeks
from apps.classroom.services.live import rounds
from apps.dicee.models import Game, Seat
from apps.practice.models import PlayedGame
from engine.dicee.learning import CONCEPTS, Concept, Direction, Standing
from tests.apps.classroom.lesson import Lesson, browser, lesson, teacher
from tests.apps.practice.learners import play


def class_game(made: Lesson, nickname: str, kind: str = "very careless", seed: int = 1) -> Game:
    """A finished class game, summed up and learnt from."""
    member = made.members[nickname]
    game = play(member.player, kind, seed)
    ClassGame.objects.create(game=game, member=member)
    return game


@pytest.fixture
def term(db: None) -> Lesson:
    """Three students: a perfect one, a careless one, and one who has not played."""
    made = lesson("Ada", "Ben", "Cleo")
    class_game(made, "Ada", "perfect", 1)
    class_game(made, "Ben", "wild", 2)
    return made


def rows_of(made: Lesson, name: str) -> list[dict[str, str]]:
    reply = made.teacher.get(made.address + f"insight/{name}.csv")
    assert reply.status_code == 200
    assert reply["Content-Type"].startswith("text/csv")
    assert f"period-3-{name}.csv" in reply["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(b"".join(reply.streaming_content).decode())))


# -- Class × concept ----------------------------------------------------------------------------------------------


def test_the_heat_map_adds_up_the_digests_of_class_games(term: Lesson) -> None:
    found = concepts.heat_map(term.classroom)
    digests = {
        seat.player_id: PlayedGame.objects.get(seat=seat).digest["concepts"]
        for seat in Seat.objects.filter(learning__isnull=False)
    }
    for line in found.lines:
        own = digests.get(line.member.player_id, {})
        assert [(cell.right, cell.n) for cell in line.cells] == [
            (own.get(c, {}).get("right", 0), own.get(c, {}).get("n", 0)) for c in CONCEPTS
        ]
    ada, ben, cleo = found.lines
    assert all(cell.share in (1.0, None) for cell in ada.cells), "a perfect player is right about everything"
    assert ben.mean.share < 1
    assert not any(cell.n for cell in cleo.cells)
    assert found.total.mean.n == ada.mean.n + ben.mean.n


def test_what_to_teach_next_is_named_only_beyond_its_margin(term: Lesson) -> None:
    found = concepts.heat_map(term.classroom)
    assert set(found.standings) <= set(CONCEPTS)
    assert found.weakest is None, "one game each says nothing"
    page = term.teacher.get(term.address + "board/").content.decode()
    assert "Teach next: nothing stands out." in page
    assert 'class="is-here"' not in page
    weak = replace(found, standings={Concept.CHANCE: Standing(n=400, lost=240, expected=160, variance=100)})
    assert weak.teach_next == CONCEPTS[Concept.CHANCE]
    assert weak.teach_next_share == found.total.cells[list(CONCEPTS).index(Concept.CHANCE)].share


def test_games_outside_the_class_do_not_count(term: Lesson) -> None:
    before = concepts.heat_map(term.classroom)
    play(term.members["Cleo"].player, "wild", 7)
    assert concepts.heat_map(term.classroom).lines == before.lines
    assert sheets.class_profile(term.members["Cleo"]) is None


def test_games_of_long_ago_do_not_count(term: Lesson) -> None:
    PlayedGame.objects.update(finished_at=timezone.now() - datetime.timedelta(weeks=5))
    assert not concepts.heat_map(term.classroom).has_figures
    assert "No finished class games yet" in term.teacher.get(term.address + "board/").content.decode()


def test_five_positions_are_assigned_with_one_click(term: Lesson) -> None:
    concept = Concept.STRAIGHTS.value
    reply = term.teacher.post(term.address + "insight/assign/", {"concept": concept}, follow=True)
    assert "Set to the class" in reply.content.decode()
    made = Assignment.objects.get()
    assert (made.task, len(made.settings["positions"]), made.settings["drawn"]["concept"]) == ("positions", 5, concept)
    assert made.due_at > timezone.now() + datetime.timedelta(days=6)
    reply = term.teacher.post(term.address + "insight/assign/", {"concept": "magic"}, follow=True)
    assert "There is no such idea." in reply.content.decode()
    assert Assignment.objects.count() == 1


# -- Weeks --------------------------------------------------------------------------------------------------------


def test_trends_are_by_week_from_monday(term: Lesson) -> None:
    old = class_game(term, "Cleo", "careless", 3)
    monday = datetime.datetime(2026, 3, 2, 8, tzinfo=datetime.UTC)
    Game.objects.filter(pk=old.pk).update(finished_at=monday + datetime.timedelta(days=6))
    found = weeks.weeks(term.classroom)
    assert len(found) == 2
    first = found[0]
    summary = old.seats.get().summary
    assert (first.monday, first.games, first.students) == (monday.date(), 1, 1)
    assert first.accuracy == summary["best"] / summary["decisions"]
    assert first.lost_each == pytest.approx(summary["pointsLost"] / summary["decisions"])
    figure = weeks.accuracy_figure(found)
    assert figure["data"][0]["x"][0] == "2 Mar"
    assert figure["data"][0]["y"] == [week.accuracy for week in found]
    page = term.teacher.get(term.address + "insight/").content.decode()
    assert "2 March" in page
    assert page.count("data-chart") == 2


def test_a_class_without_games_says_so(db: None) -> None:
    made = lesson()
    page = made.teacher.get(made.address + "insight/").content.decode()
    assert "No finished games yet" in page
    assert "data-chart" not in page


# -- One student --------------------------------------------------------------------------------------------------


def test_a_student_up_close_with_replay_and_flags(term: Lesson) -> None:
    ben = term.members["Ben"]
    seat = Seat.objects.get(player=ben.player)
    Seat.objects.filter(pk=seat.pk).update(summary={**seat.summary, "flags": ["always_optimal", "instant_decisions"]})
    page = term.teacher.get(term.address + f"insight/{ben.pk}/").content.decode()
    replay = f"/dicee/{seat.game_id}/replay/?player={seat.player_ref}"
    assert replay in page
    assert "nearly every choice best" in page
    assert "looks less than human" in page
    assert term.teacher.get(replay).status_code == 200, "the teacher may follow the link"
    other, _ = teacher("Mr Other")
    assert other.get(replay).status_code in (403, 404)


def test_a_costly_decision_is_put_to_the_class_from_there(term: Lesson) -> None:
    ben = term.members["Ben"]
    page = term.teacher.get(term.address + f"insight/{ben.pk}/").content.decode()
    (first, *_) = positions.costliest(ben, sheets.class_profile(ben))
    assert first.shown.slip.lost == max(slip["lost"] for slip in PlayedGame.objects.get(seat__player=ben.player).slips)
    assert f'value="{first.key}"' in page
    term.teacher.post(term.address + "round/new/", {"decision": first.key})
    assert positions.same(term.classroom.rounds.get().position) == positions.same(first.shown.slip.position)


def test_a_student_who_has_not_played(db: None) -> None:
    term = lesson("Cleo")
    page = term.teacher.get(term.address + f"insight/{term.members['Cleo'].pk}/").content.decode()
    assert "No finished class game yet" in page


# -- Files --------------------------------------------------------------------------------------------------------


def test_every_decision_of_every_class_game_is_in_the_file(term: Lesson) -> None:
    play(term.members["Ada"].player, "wild", 9)  # not the class's business
    rows = rows_of(term, "decisions")
    summaries = {seat.player_id: seat.summary for seat in Seat.objects.filter(game__class_games__isnull=False)}
    for nickname in ("Ada", "Ben"):
        mine = [row for row in rows if row["student"] == nickname]
        summary = summaries[term.members[nickname].player_id]
        assert len(mine) == summary["decisions"]
        assert sum(float(row["points lost"]) for row in mine) == pytest.approx(summary["pointsLost"])


def test_games_votes_and_work_are_files_too(term: Lesson) -> None:
    asked = rounds.open_question(term.classroom, "55526/1")
    rounds.vote(asked.pk, term.members["Ada"], dice=["1", "2", "3"])
    rounds.vote(asked.pk, term.members["Ben"], none=True)
    rounds.advance(asked, "revealed")
    assert {row["student"]: row["choice"] for row in rows_of(term, "votes")} == {"Ada": "5 5 5", "Ben": "nothing"}
    games = rows_of(term, "games")
    assert {row["student"] for row in games} == {"Ada", "Ben"}
    assert all(int(row["score"]) > 0 and row["status"] == "completed" for row in games)
    assert rows_of(term, "work") == []
    assert rows_of(term, "answers") == []
    shown = rows_of(term, "concepts")
    assert [row["student"] for row in shown] == ["Ada", "Ben", "Cleo", "Class"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_a_nickname_cannot_be_a_formula(db: None, name: str) -> None:
    made = lesson(name)
    made.begin(name)
    asked = rounds.open_question(made.classroom, "55526/1")
    rounds.vote(asked.pk, made.members[name], dice=["1"])
    for file in ("games", "votes", "concepts"):
        assert rows_of(made, file)[0]["student"] == f"'{name}", file


@pytest.mark.parametrize(
    ("value", "written"), [(-3.5, "-3.5"), (0.1 + 0.2, "0.30000000000000004"), (None, '""'), ("Keep 5", "Keep 5")]
)
def test_numbers_keep_every_digit_and_their_sign(value: object, written: str) -> None:
    assert next(export.lines([[value]])).strip() == written


def test_no_such_file(db: None) -> None:
    made = lesson()
    assert made.teacher.get(made.address + "insight/passwords.csv").status_code == 404


# -- For home -----------------------------------------------------------------------------------------------------


def test_a_sheet_per_student_in_plain_words(term: Lesson) -> None:
    page = term.teacher.get(term.address + "insight/print/").content.decode()
    assert page.count('<article class="sheet">') == 3
    ada = next(sheet for sheet in sheets.sheets(term.classroom, [term.members["Ada"]]))
    assert f"Ada {ada.level}." in page
    assert "Cleo has not finished a game for the class yet." in page
    paper = page[page.index("<article") : page.rindex("</article>")]
    for jargon in ("expected value", "EWMA", "Brier", "optimal", "horizon"):
        assert jargon not in paper
    one = term.teacher.get(term.address + f"insight/print/?student={term.members['Ben'].pk}").content.decode()
    assert one.count('<article class="sheet">') == 1
    assert "Ben" in one
    assert "Ada" not in one


def test_how_it_develops_compares_the_ends(term: Lesson) -> None:
    ben = term.members["Ben"]
    sheet = sheets.sheets(term.classroom, [ben])[0]
    assert sheet.change == "There are too few games yet to say how it develops."
    for direction, words in ((Direction.BETTER, "clearly getting better"), (Direction.WORSE, "a little practice")):
        found = sheet.profile.found
        trend = found.lost_per_decision.model_copy(update={"direction": direction})
        page = replace(sheet.profile, found=found.model_copy(update={"lost_per_decision": trend}))
        assert words in replace(sheet, profile=page).change


# -- Who may ------------------------------------------------------------------------------------------------------

PAGES = ("insight/", "insight/print/", "insight/decisions.csv", "insight/games.csv", "insight/concepts.csv")


def test_strangers_students_and_other_teachers_find_nothing(db: None) -> None:
    term = lesson("Ada")
    other, _ = teacher("Mr Other")
    member = term.members["Ada"].pk
    for client in (other, term.browser("Ada"), browser(Player.objects.create()), Client()):
        for page in (*PAGES, f"insight/{member}/", f"insight/print/?student={member}"):
            assert client.get(term.address + page).status_code == 404, page
        assert client.post(term.address + "insight/assign/", {"concept": "chance"}).status_code == 404


def test_a_student_of_another_class_is_not_found_in_this_one(db: None) -> None:
    term, other = lesson("Ada"), lesson("Olga")
    olga = other.members["Olga"].pk
    assert term.teacher.get(term.address + f"insight/{olga}/").status_code == 404
    assert term.teacher.get(term.address + f"insight/print/?student={olga}").status_code == 404
    assert term.teacher.get(term.address + "insight/print/?student=nonsense").status_code == 404


def test_an_expert_is_nobody_who_loses_much() -> None:
    """Words follow the points lost a game, never a share of best choices alone."""
    words = [next(text for most, text in sheets.LEVELS if lost <= most) for lost in (3.0, 10.0, 23.3, 33.8, 90.0)]
    assert words[0] == "chooses like an expert"
    assert len(set(words)) == 5
    assert all("expert" not in text for text in words[1:])

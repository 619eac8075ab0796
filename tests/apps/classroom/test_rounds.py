"""Predict, vote, reveal: one vote per student, none after the reveal, and no answer before it, for anyone."""

from __future__ import annotations

import re

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.test import Client

from apps.accounts.models import Player
from apps.classroom.models import Assignment, Phase, Round, Standing, Task, Vote, Work
from apps.classroom.services.insight import positions
from apps.classroom.services.live import rounds, running
from apps.classroom.services.students import Refused
from apps.core import broadcast
from apps.dicee.services import horizon
from engine.dicee import analysis, notation
from engine.dicee.analysis import Horizon, box_odds
from engine.dicee.boxes import Variant
from engine.dicee.learning import Concept, drills
from engine.dicee.learning.concepts import touched
from tests.apps.classroom.lesson import Lesson, browser, lesson, play_turn, work_off
from tests.apps.support import at_once

THREE_FIVES = "55526/1"
WRITE = "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/0"


def asked_in(made: Lesson, position: str = THREE_FIVES, *, predicts: bool = False) -> Round:
    return rounds.open_question(made.classroom, position, predicts=predicts)


def post(made: Lesson, nickname: str, asked: Round, what: str = "vote", **data: object) -> object:
    return made.browser(nickname).post(made.address + f"round/{asked.pk}/{what}/", data)


# -- The teacher opens it -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_typed_position_is_opened_for_the_vote() -> None:
    made = lesson("Ada")
    reply = made.teacher.post(made.address + "round/new/", {"position": THREE_FIVES})
    assert reply.status_code == 302
    asked = Round.objects.get()
    assert (asked.phase, asked.position) == ("vote", "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1")


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "5552/1", "nonsense", "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/-/3", "77777/1"])
def test_a_position_that_cannot_be_asked_is_refused_beside_the_field(text: str) -> None:
    made = lesson("Ada")
    reply = made.teacher.post(made.address + "round/new/", {"position": text})
    assert reply.status_code == 422
    page = reply.content.decode()
    assert "field-error" in page
    assert f'value="{text}"' in page
    assert not Round.objects.exists()


@pytest.mark.django_db
def test_a_position_is_drawn_for_an_idea() -> None:
    made = lesson("Ada")
    made.teacher.post(made.address + "round/new/", {"concept": "straights", "difficulty": "1"})
    here = notation.read(Round.objects.get().position)
    found = analysis.analyze(here, Horizon.GAME, horizon.ready(Variant.STANDARD))
    assert found.options[1].points_lost >= drills.CLEAR[1], "one answer is clearly best"
    assert Concept.STRAIGHTS in touched(here, found)
    assert made.teacher.post(made.address + "round/new/", {"concept": "magic", "difficulty": "1"}).status_code == 422


@pytest.mark.django_db
def test_a_students_real_decision_is_asked_without_the_name() -> None:
    made, other = lesson("Ada"), lesson("Olga")
    game = made.begin("Ada")
    play_turn(game, made.members["Ada"].player, "chance")
    key = f"{game.pk}:{made.members['Ada'].pk}:1"
    made.teacher.post(made.address + "round/new/", {"decision": key})
    asked = Round.objects.get()
    assert notation.read(asked.position).rolls_left == 2
    page = made.teacher.get(made.address + "round/").content.decode()
    assert "Ada" not in page
    for wrong in (key.replace(":1", ":99"), "x", f"{game.pk}:{other.members['Olga'].pk}:1"):
        assert made.teacher.post(made.address + "round/new/", {"decision": wrong}).status_code == 422
    assert other.teacher.post(other.address + "round/new/", {"decision": key}).status_code == 422


@pytest.mark.django_db
def test_opening_the_next_closes_the_last() -> None:
    made = lesson("Ada")
    first = asked_in(made)
    second = asked_in(made, "12345/2")
    first.refresh_from_db()
    assert first.phase == Phase.CLOSED
    assert rounds.current(made.classroom).asked == second


@pytest.mark.django_db
def test_phases_go_one_way() -> None:
    made = lesson("Ada")
    asked = asked_in(made, predicts=True)
    assert asked.phase == "predict"
    assert notation.read(asked.position).card.points[rounds.BOX_NUMBER[asked.predicts]] is None
    address = made.address + f"round/{asked.pk}/step/"
    for to, expected in [
        ("revealed", "predict"),
        ("vote", "vote"),
        ("predict", "vote"),
        ("vote", "vote"),
        ("revealed", "revealed"),
        ("vote", "revealed"),
        ("nonsense", "revealed"),
        ("closed", "closed"),
        ("vote", "closed"),
    ]:
        made.teacher.post(address, {"to": to})
        asked.refresh_from_db()
        assert asked.phase == expected, to


# -- Students vote ------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_vote_can_change_until_the_reveal_and_counts_once() -> None:
    made = lesson("Ada", "Ben")
    asked = asked_in(made)
    assert post(made, "Ada", asked, keep=["1", "2", "3", "5"]).status_code == 302
    assert post(made, "Ada", asked, keep=["1", "2", "3"]).status_code == 302
    assert [vote.choice for vote in Vote.objects.all()] == ["555"]
    assert rounds.answered(asked) == (1, 2)
    rounds.advance(asked, "revealed")
    late = post(made, "Ada", asked, keep=["4"])
    assert late.status_code == 422
    assert "Too late" in late.content.decode()
    assert post(made, "Ben", asked, keep=["4"]).status_code == 422
    assert [vote.choice for vote in Vote.objects.all()] == ["555"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("keep", "choice"),
    [(["4", "5"], "26"), (["1", "2", "3", "4", "5"], "25556"), (["9", "x", "1", "1"], "5")],
)
def test_what_is_kept_is_written_by_its_faces(keep: list[str], choice: str) -> None:
    made = lesson("Ada")
    asked = asked_in(made)
    post(made, "Ada", asked, keep=keep)
    assert Vote.objects.get().choice == choice


@pytest.mark.django_db
def test_without_rolls_a_box_is_chosen() -> None:
    made = lesson("Ada")
    asked = asked_in(made, WRITE)
    assert post(made, "Ada", asked, box="nowhere").status_code == 422
    assert post(made, "Ada", asked, box="fives").status_code == 302
    rounds.advance(asked, "revealed")
    assert Vote.objects.get().lost == pytest.approx(
        running.analyze(notation.read(asked.position)).option(box="fives").points_lost, abs=1e-9
    )


@pytest.mark.django_db
def test_a_guess_comes_before_the_vote_and_not_after() -> None:
    made = lesson("Ada")
    asked = asked_in(made, predicts=True)
    assert post(made, "Ada", asked, keep=["1"]).status_code == 422, "no vote while guessing"
    for wrong in ("", "101", "-1", "ten"):
        assert post(made, "Ada", asked, "guess", percent=wrong).status_code == 422
    assert post(made, "Ada", asked, "guess", percent="30").status_code == 302
    assert rounds.answered(asked) == (1, 1)
    rounds.advance(asked, "vote")
    assert post(made, "Ada", asked, "guess", percent="31").status_code == 422
    post(made, "Ada", asked, keep=["1", "2", "3"])
    rounds.advance(asked, "revealed")
    asked.refresh_from_db()
    guessed = rounds.result(asked, made.members["Ada"]).guessed
    exact = float(box_odds((5, 5, 5, 2, 6), 1)[asked.predicts].probability)
    assert (guessed.mine, guessed.middle, guessed.truth) == (0.3, 0.3, exact)


@pytest.mark.django_db
def test_only_students_who_are_in_may_vote() -> None:
    made, other = lesson("Ada"), lesson("Olga")
    made.join("Wendy", Standing.WAITING)
    made.join("Mallory", Standing.REMOVED)
    asked = asked_in(made)
    address = made.address + f"round/{asked.pk}/vote/"
    stranger = browser(Player.objects.create())
    for client in (
        made.browser("Wendy"),
        made.browser("Mallory"),
        other.browser("Olga"),
        stranger,
        Client(),
        other.teacher,
        made.teacher,
    ):
        assert client.post(address, {"keep": ["1"]}).status_code == 404
    olga_elsewhere = other.browser("Olga").post(other.address + f"round/{asked.pk}/vote/", {"keep": ["1"]})
    assert olga_elsewhere.status_code == 422, "a round of another class is no round of hers"
    assert not Vote.objects.exists()


@pytest.mark.django_db
def test_only_the_teacher_runs_it_and_only_the_class_sees_it() -> None:
    made, other = lesson("Ada"), lesson("Olga")
    asked = asked_in(made)
    stranger = browser(Player.objects.create())
    for client in (made.browser("Ada"), other.teacher, other.browser("Olga"), stranger, Client()):
        assert client.post(made.address + f"round/{asked.pk}/step/", {"to": "revealed"}).status_code == 404
        assert client.get(made.address + "round/new/").status_code == 404
        assert client.post(made.address + "round/new/", {"position": THREE_FIVES}).status_code == 404
        assert client.get(made.address + f"round/{asked.pk}/").status_code == 404
    for client in (other.teacher, other.browser("Olga"), stranger, Client()):
        assert client.get(made.address + "round/").status_code == 404
    assert other.teacher.post(other.address + f"round/{asked.pk}/step/", {"to": "closed"}).status_code == 404
    asked.refresh_from_db()
    assert asked.phase == "vote"


@pytest.mark.django_db(transaction=True)
def test_a_vote_counts_also_when_nobody_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made = lesson("Ada")
    asked = asked_in(made)
    nowhere = RedisPubSubChannelLayer(hosts=["unix:///nowhere/valkey.sock"])
    monkeypatch.setattr(broadcast, "get_channel_layer", lambda: nowhere)
    assert post(made, "Ada", asked, keep=["1", "2", "3"]).status_code == 302
    assert Vote.objects.get().choice == "555"


# -- Nothing leaks ------------------------------------------------------------------------------------------------


def giveaways(asked: Round) -> list[str]:
    """Whatever would tell the answer: the best keep in words or dice marked as kept, values, the word best."""
    return ["die--keep", "class-choice--best", "Talk about", "costs ", "Keep 5-5-5", "chose best", "points against"]


@pytest.mark.django_db
def test_no_page_tells_the_answer_before_the_reveal() -> None:
    made = lesson("Ada", "Ben")
    asked = asked_in(made)
    post(made, "Ben", asked, keep=["1", "2", "3"])
    pages = {
        "student": made.browser("Ada").get(made.address + "round/"),
        "student, in part": made.browser("Ada").get(made.address + "round/", headers={"HX-Request": "true"}),
        "projector": made.teacher.get(made.address + "round/?names=1"),
        "board": made.teacher.get(made.address + "board/?names=1"),
    }
    for name, reply in pages.items():
        page = reply.content.decode()
        assert [word for word in giveaways(asked) if word in page] == [], name
    assert "Ben" not in pages["student"].content.decode()
    assert "Ben" not in pages["projector"].content.decode()
    assert made.teacher.get(made.address + f"round/{asked.pk}/").status_code == 404, "no past round before its reveal"
    assert rounds.result(asked) is None
    assert Vote.objects.get().lost is None, "not even the database knows before the reveal"


@pytest.mark.django_db
def test_the_guess_is_not_told_before_the_reveal() -> None:
    made = lesson("Ada")
    asked = asked_in(made, predicts=True)
    truth = float(box_odds((5, 5, 5, 2, 6), 1)[asked.predicts].probability)
    for phase in ("predict", "vote"):
        page = made.browser("Ada").get(made.address + "round/").content.decode()
        assert repr(truth) not in page
        assert f"{100 * truth:.1f}" not in page
        if phase == "predict":
            rounds.advance(asked, "vote")


# -- The reveal ---------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_reveal_counts_marks_the_best_and_prices_the_rest() -> None:
    made = lesson("Ada", "Ben", "Cleo", "Dev", "Elif")
    asked = asked_in(made)
    for nickname, keep in [("Ada", "123"), ("Ben", "123"), ("Cleo", "1235"), ("Dev", "12345")]:
        post(made, nickname, asked, keep=list(keep))
    asked = rounds.advance(asked, "revealed")
    told = rounds.result(asked)
    found = running.analyze(notation.read(asked.position))
    best, *rest = told.choices
    assert (best.words, best.count, best.is_best) == ("Keep 5 5 5", 2, True)
    assert best.dice == found.best.keep
    assert {c.words: c.lost for c in rest} == {
        "Keep 5 5 5 6": pytest.approx(found.option(keep=[5, 5, 5, 6]).points_lost),
        "Keep all five": pytest.approx(found.boxes[0].points_lost),
    }
    assert (told.headline, told.silent, told.share) == ("Two of four chose best", ("Elif",), 0.5)
    assert told.talk.startswith("Keep 5-5-5, roll two.")
    assert re.search(r"costs \d+\.\d\d: \w", told.talk)


@pytest.mark.django_db
def test_names_are_hidden_until_asked_for() -> None:
    made = lesson("Ada", "Ben")
    asked = asked_in(made)
    post(made, "Ada", asked, keep=["1", "2", "3"])
    rounds.advance(asked, "revealed")
    hidden = made.teacher.get(made.address + "round/").content.decode()
    assert "Ada" not in hidden
    assert "Ben" not in hidden
    named = made.teacher.get(made.address + "round/?names=1").content.decode()
    assert "Ada" in named
    assert "Ben" in named, "also who did not answer"


@pytest.mark.django_db
def test_a_student_sees_their_own_result_and_the_class_without_names() -> None:
    made = lesson("Ada", "Ben")
    asked = asked_in(made)
    post(made, "Ada", asked, keep=["1", "2", "3"])
    post(made, "Ben", asked, keep=["5"])
    rounds.advance(asked, "revealed")
    adas = made.browser("Ada").get(made.address + "round/?names=1").content.decode()
    assert "Best choice." in adas
    assert "One of two chose best" in adas
    assert "Ben" not in adas
    assert "points against the best choice" in made.browser("Ben").get(made.address + "round/").content.decode()


@pytest.mark.django_db
def test_when_nobody_voted_the_answer_still_comes() -> None:
    made = lesson("Ada")
    asked = rounds.advance(asked_in(made), "revealed")
    told = rounds.result(asked)
    assert told.headline == "Nobody has voted"
    assert [(c.words, c.count) for c in told.choices] == [("Keep 5 5 5", 0)]
    assert made.browser("Ada").get(made.address + "round/").status_code == 200


# -- At the same moment -------------------------------------------------------------------------------------------


@pytest.mark.service
@pytest.mark.django_db(transaction=True)
def test_two_tabs_leave_one_vote() -> None:
    made = lesson("Ada")
    asked, ada = asked_in(made), made.members["Ada"]
    for _ in range(5):
        answers = at_once(
            lambda: rounds.vote(asked.pk, ada, dice=["1", "2", "3"]), lambda: rounds.vote(asked.pk, ada, dice=["4"])
        )
        assert not any(isinstance(answer, Exception) for answer in answers), answers
        assert Vote.objects.count() == 1
    assert Vote.objects.get().choice in ("555", "2")


@pytest.mark.service
@pytest.mark.django_db(transaction=True)
def test_a_vote_is_in_before_the_reveal_or_not_at_all() -> None:
    made = lesson("Ada")
    ada = made.members["Ada"]
    for _ in range(6):
        asked = asked_in(made)
        voted, revealed = at_once(
            lambda asked=asked: rounds.vote(asked.pk, ada, dice=["1", "2", "3"]),
            lambda asked=asked: rounds.advance(asked, "revealed"),
        )
        assert isinstance(revealed, Round)
        assert isinstance(voted, Refused) or not isinstance(voted, Exception), voted
        kept = Vote.objects.filter(round=asked).first()
        if isinstance(voted, Refused):
            assert kept is None
        else:
            assert kept is not None
            assert kept.lost == 0.0, "whatever was in was priced by the reveal"


@pytest.mark.service
@pytest.mark.django_db(transaction=True)
def test_two_buttons_open_one_round() -> None:
    made = lesson("Ada")
    answers = at_once(lambda: asked_in(made), lambda: asked_in(made, "12345/2"))
    assert all(isinstance(answer, Round | Refused) for answer in answers), answers
    assert Round.objects.exclude(phase=Phase.CLOSED).count() == 1


# -- The positions of the week ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_week_offers_what_cost_the_class_most_without_names() -> None:
    made = lesson("Ada", "Ben")
    game = made.begin("Ada")
    for _ in range(13):
        play_turn(game, made.members["Ada"].player)
    work_off(game)
    week = positions.instructive(made.classroom)
    slips = game.seats.get().learning.slips
    assert week[0].lost == pytest.approx(max(slip["lost"] for slip in slips))
    assert [here.lost for here in week] == sorted((here.lost for here in week), reverse=True)
    page = made.teacher.get(made.address + "round/new/").content.decode()
    assert week[0].position in page
    assert "Ada" not in page


@pytest.mark.django_db
def test_the_same_dice_in_another_order_are_one_position_and_disagreement_counts() -> None:
    made = lesson("Ada", "Ben", "Cleo")
    work = Assignment.objects.create(classroom=made.classroom, title="Set", task=Task.POSITIONS)
    for nickname, dice, choice, lost in [
        ("Ada", "55526", "555", 0.0),
        ("Ben", "62555", "5556", 3.3),
        ("Cleo", "25655", "26", 8.0),
    ]:
        member = made.members[nickname]
        done = Work.objects.create(assignment=work, member=member)
        done.answers.create(
            player=member.player,
            source="work",
            position=f"standard/-.-.-.-.-.-.-.-.-.-.-.-.-/{dice}/1",
            choice=choice,
            lost=lost,
        )
    (here,) = positions.instructive(made.classroom)
    assert (here.count, here.lost) == (3, pytest.approx(11.3))
    assert here.disagreement == pytest.approx(2 / 3)

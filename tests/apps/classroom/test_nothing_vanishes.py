"""A question, a vote, a hint: none is taken without a choice, none is lost by a reload or by the next question."""

from __future__ import annotations

import pytest

from apps.classroom.models import Phase, Vote
from apps.classroom.services.live import rounds
from apps.classroom.services.students import Refused
from tests.apps.classroom.lesson import lesson

QUESTION = "55526/1"


@pytest.mark.django_db
def test_a_vote_needs_a_choice() -> None:
    made = lesson("Ada")
    asked = rounds.open_question(made.classroom, QUESTION)
    address = made.address + f"round/{asked.pk}/vote/"
    page = made.browser("Ada").post(address, {}, follow=True)
    assert page.status_code == 422
    assert "Tap the dice you would keep, or “Roll all five”." in page.content.decode()
    assert not Vote.objects.exists()
    with pytest.raises(Refused):
        rounds.vote(asked.pk, made.members["Ada"], dice=["1"], none=True)
    made.browser("Ada").post(address, {"none": "1"})
    assert Vote.objects.get().choice == "-"


@pytest.mark.django_db
def test_an_untouched_slider_is_no_guess() -> None:
    made = lesson("Ada")
    asked = rounds.open_question(made.classroom, QUESTION, predicts=True)
    page = made.browser("Ada").get(made.address + "round/").content.decode()
    slider = page.split('type="range"')[1].split(">")[0]
    assert "name=" not in slider, "what is handed in is the number"
    assert 'value=""' in page.split('name="percent"')[1].split(">")[0]
    refused = made.browser("Ada").post(made.address + f"round/{asked.pk}/guess/", {"percent": ""})
    assert refused.status_code == 422
    assert not Vote.objects.exists()


@pytest.mark.django_db
def test_a_new_question_closes_the_old_one_with_a_word_and_lists_it() -> None:
    made = lesson("Ada", "Ben")
    first = rounds.open_question(made.classroom, QUESTION)
    rounds.vote(first.pk, made.members["Ada"], dice=["1", "2", "3"])
    page = made.teacher.post(made.address + "round/new/", {"position": "11234/2"}, follow=True).content.decode()
    first.refresh_from_db()
    assert first.phase == Phase.CLOSED
    assert "The question before it is closed" in page
    assert first in [question.asked for question in rounds.past(made.classroom)]
    assert Vote.objects.get(round=first).lost is not None, "its votes are counted"
    assert made.teacher.get(made.address + f"round/{first.pk}/").status_code == 200


@pytest.mark.django_db
def test_a_question_closed_without_a_vote_is_listed_too() -> None:
    made = lesson("Ada")
    asked = rounds.open_question(made.classroom, QUESTION)
    rounds.advance(asked, Phase.CLOSED)
    assert [question.asked for question in rounds.past(made.classroom)] == [asked]


@pytest.mark.django_db
def test_the_sheet_for_questions_and_hints_is_on_class_tables() -> None:
    made = lesson("Ada")
    game = made.begin("Ada")
    page = made.browser("Ada").get(f"/dicee/{game.pk}/").content.decode()
    assert 'id="class-sheet"' in page
    assert f'href="{made.address}round/"' in page


@pytest.mark.django_db
def test_from_a_question_one_tap_leads_back_to_the_game_or_to_the_class() -> None:
    made = lesson("Ada")
    page = made.browser("Ada").get(made.address + "round/").content.decode()
    assert "Back to your game" not in page
    game = made.begin("Ada")
    page = made.browser("Ada").get(made.address + "round/").content.decode()
    assert f'href="/dicee/{game.pk}/">Back to your game' in page
    assert f'<a href="{made.address}">Period 3</a>' in page

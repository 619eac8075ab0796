"""The six built-in lessons: what each of them has, their pages, with a script and without one, every bound kept."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from string import Formatter

import pytest
from django.http import QueryDict
from django.test import Client

from apps.accounts.models import Player
from apps.core.forms import Whole
from apps.lessons import services as lessons
from apps.lessons.services.lesson import Lesson, Pick, Share, fill, write
from apps.lessons.services.page import form_class
from apps.lessons.services.units import (
    sample_space,
)
from tests.apps.lessons.lesson_texts import COMPLEMENT, NUMBERS, SPACE, STOPPING, VALUE, every_lesson, shown

# -- What every lesson has -----------------------------------------------------------------------------------------


def texts(lesson: Lesson) -> Iterator[str]:
    yield from (lesson.title, lesson.hook, lesson.topic, lesson.headline, lesson.headline_says, *lesson.goals)
    for step in lesson.steps:
        yield from (step.title, *step.say, *step.find, *step.idea, step.recall_says)
    for question in lesson.questions:
        yield question.asks
        for option in question.options:
            yield from (option.text, option.says, option.slip)
    note = lesson.note
    yield from (*note.run, *note.words, *note.further)
    for line in note.board:
        yield from (line.asks, line.answer)
    for pitfall in note.watch:
        yield from (pitfall.name, pitfall.says)


@every_lesson
def test_no_figure_is_typed_in(lesson: Lesson) -> None:
    typed = [text for text in texts(lesson) if re.search(r"\d", re.sub(r"\{[^}]*\}", "", text))]
    assert typed == []


@every_lesson
def test_every_figure_named_is_counted(lesson: Lesson) -> None:
    facts = lesson.facts()
    for text in texts(lesson):
        assert "{" not in fill(text, facts)


@every_lesson
def test_every_figure_counted_is_named(lesson: Lesson) -> None:
    verdicts = (sample_space.ALL_RIGHT, sample_space.NOTHING) if lesson is SPACE else ()
    named = {name for text in (*texts(lesson), *verdicts) for _, name, _, _ in Formatter().parse(text) if name}
    assert set(lesson.facts()) - named == set()


@every_lesson
def test_a_lesson_is_short_and_complete(lesson: Lesson) -> None:
    kinds = [step.kind for step in lesson.steps]
    assert 5 <= len(kinds) <= 7
    assert 10 <= lesson.minutes <= 15
    assert kinds[0] == "Guess"
    assert kinds[-1] == "Play"
    assert {"Try", "Idea", "Check"} <= set(kinds)
    assert len(lesson.goals) >= 3
    assert lesson.note.run
    assert len(lesson.note.board) >= 3
    assert len(lesson.note.watch) >= 2
    assert len(lesson.note.words) >= 5
    guesses = {question.name for question in lesson.questions if question.guess}
    assert {step.recall for step in lesson.steps if step.recall} == guesses


@every_lesson
def test_a_question_has_one_right_answer_and_names_the_slip_behind_the_others(lesson: Lesson) -> None:
    for question in lesson.questions:
        filled = [fill(option.text, lesson.facts()) for option in question.options]
        assert len(set(filled)) == len(filled)
        assert sum(option.right for option in question.options) == 1
        if not question.guess:
            assert all(option.says for option in question.options)
            assert all(bool(option.slip) != option.right for option in question.options)


def test_figures_are_written_as_people_read_them() -> None:
    assert write(Share(6, 36)) == "6/36"
    assert write(Share(300, 7776), "of") == "300 of 7,776"
    assert write(Fraction(4, 2)) == "2"
    assert write(0.16666, "%") == "16.7\N{NO-BREAK SPACE}%"
    assert fill("{n} and {p:2}", {"n": 10_000, "p": Fraction(14, 3)}) == "10,000 and 4.67"


# -- The pages -----------------------------------------------------------------------------------------------------


def address(lesson: Lesson, query: str = "") -> str:
    return f"/classroom/lessons/{lesson.slug}/" + (f"?{query}" if query else "")


def test_the_overview_leads_to_every_lesson(visitor: Client) -> None:
    text = visitor.get("/classroom/lessons/").content.decode()
    for lesson in lessons.LESSONS:
        assert f'href="{address(lesson)}"' in text
        assert f'href="{address(lesson)}?for=teacher#note"' in text


@every_lesson
def test_a_lesson_opens_for_anybody_and_leaves_no_trace(visitor: Client, lesson: Lesson) -> None:
    response = visitor.get(address(lesson))
    assert response.status_code == 200
    assert not Player.objects.exists()
    text = html.unescape(response.content.decode())
    for step in lesson.steps:
        assert f'id="{step.slug}"' in text
        assert f'href="#{step.slug}"' in text
    for goal in lesson.goals:
        assert fill(goal, lesson.facts()) in text


@every_lesson
def test_the_teachers_note_has_everything_and_opens_by_its_link(visitor: Client, lesson: Lesson) -> None:
    closed = visitor.get(address(lesson)).content.decode()
    assert '<details class="drawer teacher-note" id="note">' in closed
    text = html.unescape(visitor.get(address(lesson, "for=teacher")).content.decode())
    assert '<details class="drawer teacher-note" id="note" open>' in text
    assert '<input type="hidden" name="for" value="teacher">' in text
    note = text[text.index("teacher-note") :]
    for question in lesson.questions:
        assert fill(question.right.text, lesson.facts()) in note
        for option in question.options:
            assert fill(option.slip, lesson.facts()) in note
    for step in lesson.steps:
        assert fill(step.recall_says, lesson.facts()) in note
    for word in lesson.note.words:
        assert word in note


@every_lesson
def test_an_answer_in_the_address_is_answered(visitor: Client, lesson: Lesson) -> None:
    for question in lesson.questions:
        for option in question.options:
            text = html.unescape(visitor.get(address(lesson, f"{question.name}={option.key}")).content.decode())
            said = (
                text[text.index(f'id="{question.name}-go"') :]
                .split('<div class="answer-feedback"')[1]
                .split("</div>")[0]
            )
            expected = "Kept:" if question.guess else "Right." if option.right else f"Not quite. {option.slip}."
            assert expected in said
            assert fill(option.says, lesson.facts()) in said


def test_a_guess_comes_back_beside_the_truth(visitor: Client) -> None:
    before = visitor.get(address(SPACE)).content.decode()
    assert "You said" not in before
    assert 'Guess in <a href="#bet">step 1</a> first' in before
    after = html.unescape(visitor.get(address(SPACE, "guess=six")).content.decode())
    assert "You said: My friend, with 6." in after
    assert "A 7 has 6 of 36 squares, a 6 has 5 of 36." in after


def wholes() -> Iterator[tuple[Lesson, str, Whole]]:
    for lesson in lessons.LESSONS:
        for name, field in form_class(lesson).base_fields.items():
            if isinstance(field, Whole):
                yield lesson, name, field


@pytest.mark.parametrize(
    ("lesson", "name", "field"), list(wholes()), ids=lambda part: getattr(part, "slug", getattr(part, "label", part))
)
def test_numbers_are_bounded_before_anything_is_counted(
    visitor: Client, lesson: Lesson, name: str, field: Whole
) -> None:
    for entered in (field.min_value - 1, field.max_value + 1, "many", "9" * 40):
        response = visitor.get(address(lesson, f"{name}={entered}"))
        assert response.status_code == 422
        page = lessons.open_page(lesson, QueryDict(f"{name}={entered}"))
        assert page.errors == {
            f"a-{name}": f"{field.label} must be {field.min_value}–{field.max_value}; you entered {str(entered)[:20]}."
        }
    for entered in (field.min_value, field.max_value):
        assert visitor.get(address(lesson, f"{name}={entered}")).status_code == 200


def test_an_error_is_beside_its_field_and_the_rest_of_the_lesson_stays(visitor: Client) -> None:
    response = visitor.get(address(SPACE, "event=face&number=12&guess=six"))
    text = html.unescape(response.content.decode())
    assert response.status_code == 422
    assert "A die shows 1–6; you entered 12." in text
    assert 'name="number" value="12"' in text
    assert "needs another value" in text
    assert "You said: My friend, with 6." in text
    assert 'class="stairs"' in text


@pytest.mark.parametrize("entered", ["5552", "55527", "abcde", "555266", ""])
@pytest.mark.parametrize("lesson", [VALUE, STOPPING], ids=lambda lesson: lesson.slug)
def test_dice_are_five_faces(visitor: Client, lesson: Lesson, entered: str) -> None:
    response = visitor.get(address(lesson, f"dice={entered}"))
    assert response.status_code == 422
    assert f"Dice must be five faces from 1 to 6; you entered {entered or 'nothing'}." in response.content.decode()


def test_dice_may_be_typed_with_blanks() -> None:
    assert [face for _, face, _ in shown(VALUE, "later", "dice=1+3+4+6+6").dice] == [1, 3, 4, 6, 6]


def test_an_unknown_answer_is_refused_beside_the_question(visitor: Client) -> None:
    response = visitor.get(address(SPACE, "guess=dunno"))
    assert response.status_code == 422
    assert "The answer must be one of those listed; you entered dunno." in response.content.decode()


def test_there_is_no_other_lesson_and_nothing_to_post(visitor: Client) -> None:
    assert visitor.get("/classroom/lessons/astrology/").status_code == 404
    assert visitor.post(address(SPACE)).status_code == 405


def test_markup_in_an_address_stays_text(visitor: Client) -> None:
    text = visitor.get(address(VALUE, "dice=<script>alert(1)</script>&guess=<b>")).content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


# -- Without a script, and with one --------------------------------------------------------------------------------


@every_lesson
def test_without_a_script_one_form_sends_everything(visitor: Client, lesson: Lesson) -> None:
    text = visitor.get(address(lesson)).content.decode()
    assert text.count("<form id=") == 1
    form = text[text.index('<form id="lesson"') : text.index("</form>", text.index('<form id="lesson"'))]
    assert 'method="get"' in form
    for question in lesson.questions:
        assert f'name="{question.name}"' in form
    for widget in lesson.widgets:
        for name, field in widget.fields.items():
            assert f'name="{name}"' in form or isinstance(field, Pick) or name == "ended"
    for step in lesson.steps:
        if step.widget and set(step.widget.fields) - set(step.widget.inside):
            assert f'formaction="{address(lesson)}#{step.slug}"' in form
    # Enter must not press the first button: a disabled one comes first.
    assert re.search(r"<button[^>]*>", form)[0] == '<button type="submit" disabled hidden>'


def htmx(client: Client, lesson: Lesson, target: str, query: str):
    return client.get(address(lesson, query), headers={"HX-Request": "true", "HX-Target": target})


def test_htmx_gets_one_part_and_the_short_address(visitor: Client) -> None:
    response = htmx(visitor, COMPLEMENT, "road-shown", "guess=&dice=3&hit=six&rolls=1&opposite=&gambler=&fourth=")
    text = response.content.decode()
    assert text.strip().startswith('<div class="shown stack" id="road-shown"')
    assert "91 of 216" in text
    assert "<form" not in text
    assert response["HX-Replace-Url"] == address(COMPLEMENT, "dice=3")
    assert "HX-Request" in response["Vary"]


def test_htmx_gets_what_is_said_and_the_guess_where_it_comes_back(visitor: Client) -> None:
    text = htmx(visitor, SPACE, "bet-said", "guess=same").content.decode()
    assert 'id="bet-said"' in text
    assert '<div class="recall" id="mark-recall" hx-swap-oob="true">' in text


def test_another_run_also_redraws_what_depends_on_it(visitor: Client) -> None:
    text = htmx(visitor, NUMBERS, "run-shown", "run=2&rolls=10").content.decode()
    assert 'id="run-shown" aria-live="polite">' in text
    assert 'id="after-shown" aria-live="polite" hx-swap-oob="true">' in text
    assert 'id="law-shown" aria-live="polite" hx-swap-oob="true">' in text


def test_while_typing_an_error_leaves_the_last_picture(visitor: Client) -> None:
    response = htmx(visitor, COMPLEMENT, "road-shown", "dice=11")
    assert response.status_code == 422
    assert response["HX-Reswap"] == "none"
    assert json.loads(response["HX-Trigger"]) == {"calculator:errors": {"a-dice": "Dice must be 1–10; you entered 11."}}
    elsewhere = htmx(visitor, COMPLEMENT, "gambler-said", "dice=11&gambler=less")
    assert elsewhere.status_code == 200
    assert "Right." in elsewhere.content.decode()


def test_htmx_cannot_ask_for_a_step_that_is_not_there(visitor: Client) -> None:
    assert htmx(visitor, SPACE, "nothing-shown", "").status_code == 404

"""Groups of fields, folded ones, lists of lines, and the sheet a bare address opens with."""

from __future__ import annotations

from django.http import QueryDict

from apps.core.calculator import Answer, Calculator
from apps.core.forms import CalculatorForm, Group, Lines, Several, Toggle, Whole


class Sheet(CalculatorForm):
    dice = Whole("Dice", 1, 9, 3)
    bonus = Whole("Bonus", 0, 9, 0)
    loaded = Toggle("Loaded")
    extras = Several("Extras", [("a", "A")], notes={"a": "does a thing"})
    names = Lines("Names", "one\ntwo")
    groups = (Group("Roll", ("dice",), ("bonus", "loaded", "extras"), key="roll"),)


def opened(query: str) -> Sheet:
    sheet = Sheet(QueryDict(query))
    sheet.is_valid()
    return sheet


def test_a_fold_counts_what_is_set() -> None:
    assert opened("").sections()[0].set_in_more == 0
    assert opened("bonus=2&loaded=1&extras=a").sections()[0].set_in_more == 3


def test_a_value_in_error_counts_so_that_its_message_is_seen() -> None:
    assert opened("bonus=99").sections()[0].set_in_more == 1


def test_lines_are_compared_without_the_returns_of_a_browser() -> None:
    assert dict(opened("names=one%0D%0Atwo").canonical()) == {}
    assert dict(opened("names=one").canonical()) == {"names": "one"}
    assert dict(opened("names=").canonical()) == {"names": ""}


def make(**options) -> Calculator:
    def answer(settings: dict) -> Answer:
        return Answer(float(settings["dice"]), str(settings["dice"]), "", "dice.", "")

    return Calculator(name="x", title="X", lead="", form=Sheet, answer=answer, inputs="", results="", **options)


def test_a_bare_address_opens_with_the_welcome_sheet() -> None:
    calculator = make(welcome="dice=5&b-dice=6&compare=1")
    assert [side.answer.shown for side in calculator.read(QueryDict("")) if side.answer] == ["5", "6"]
    assert [side.answer.shown for side in calculator.read(QueryDict("v=1")) if side.answer] == ["3"]


def test_a_calculator_may_have_nothing_to_compare() -> None:
    assert len(make(compares=False).read(QueryDict("compare=1"))) == 1

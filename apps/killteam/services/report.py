"""The report to paste into a chat: everything that was set, in the page's own words, then what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from django.forms import BooleanField, ChoiceField, Field, MultipleChoiceField

from apps.core.calculator import Answer
from apps.core.formats import NBSP, percent
from apps.core.forms import CalculatorForm, Group, Whole
from apps.killteam.forms import FightForm, RulesForm, ShootForm

#: Figures of a profile that are always said, set or not; of the rest only what differs from its default.
ALWAYS = frozenset({"dice", "hit", "normal", "critical", "defence", "save", "wounds", "strategy", "first", "rounds"})
#: Not part of the situation.
NEVER = frozenset({"name", "check"})
HANDS = ("one_crits", "one_norms", "two_crits", "two_norms")


def shoot(answer: Callable[[dict[str, Any]], Answer]) -> Callable[[dict[str, Any]], Answer]:
    """The same answer with its report."""
    return lambda settings: _reported(answer(settings), ShootForm, settings, _shoot_results)


def fight(answer: Callable[[dict[str, Any]], Answer]) -> Callable[[dict[str, Any]], Answer]:
    """The same answer with its report."""
    return lambda settings: _reported(answer(settings), FightForm, settings, _fight_results)


def _reported(
    answer: Answer,
    form: type[RulesForm],
    settings: dict[str, Any],
    results: Callable[[Answer], Iterator[str]],
) -> Answer:
    if answer.facts.get("waiting"):
        return answer
    text = "\n".join([*_sheet(form, settings), "", *results(answer)])
    return replace(answer, facts={**answer.facts, "report": text.replace(NBSP, " ")})  # chats show it oddly


def _sheet(form: type[RulesForm], settings: dict[str, Any]) -> Iterator[str]:
    """One line a group: what it is called, and what is set in it."""
    for group in form.groups:
        of_team = [name for part in form.teams if part.group == group.key for name in part.fields]
        names = (*group.fields, *group.more, *of_team)
        parts = [words for name in names if (words := _words(form, name, settings))]
        if parts:
            yield f"{_title(group, settings)}: {', '.join(parts)}"


def _title(group: Group, settings: dict[str, Any]) -> str:
    return str(settings.get(f"{group.key}_name") or group.title)


def _words(form: type[CalculatorForm], name: str, settings: dict[str, Any]) -> str:
    """A control in words, or nothing where there is nothing to say."""
    field, value = form.base_fields[name], settings[name]
    own = name.removeprefix("one_").removeprefix("two_")
    if own in NEVER or (name in HANDS and not settings["explore"]):
        return ""
    if own not in ALWAYS and name not in HANDS and value in (field.initial, None, "", [], False):
        return ""
    return _said(field, value)


def _said(field: Field, value: Any) -> str:
    if isinstance(field, BooleanField):
        return str(field.label)
    if isinstance(field, MultipleChoiceField):
        return ", ".join(str(dict(field.choices)[key]) for key in value)  # type: ignore[arg-type]
    if isinstance(field, ChoiceField):
        return f"{field.label} {dict(field.choices)[value]}"  # type: ignore[arg-type]
    return f"{field.label} {value}{field.suffix if isinstance(field, Whole) else ''}"


def _shoot_results(answer: Answer) -> Iterator[str]:
    facts = answer.facts
    damage, half = facts["pmf"], -(-facts["wounds"] // 2)
    yield f"{percent(facts['p_kill'])} to kill"
    yield f"{percent(damage.at_least(half))} to do {half} or more"
    yield f"Average damage {damage.mean:.2f} (sd {damage.sd:.2f})"
    yield f"Most likely {damage.mode} ({percent(damage.exactly(damage.mode))})"


def _fight_results(answer: Answer) -> Iterator[str]:
    facts = answer.facts
    (one, one_dies), (two, two_dies) = facts["dead"]
    yield f"{percent(two_dies)} {one} kills, {percent(one_dies)} {two} kills, {percent(facts['p_both_live'])} both live"
    for row in facts["averages"]:
        yield f"{row['name']} keeps {row['left']:.2f} of {row['wounds']} wounds on average"

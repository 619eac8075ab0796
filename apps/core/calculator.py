"""The calculator page: one mechanism for every calculator.

A calculator is a form, a function from the form's values to an :class:`Answer`, and two templates. This module gives it
an address that is its permalink, live answers, errors beside the fields, presets, comparison of two situations, CSV of
every table, copy, short link and print. ``docs/add-a-calculator.md`` is the recipe; ``apps/dice`` an example.

The address: ``?v=1&attacks=5&b-attacks=6&compare=1``. ``v`` is the version of the form's fields. When a calculator
renames or reinterprets a field it raises ``version`` and adds an entry to ``upgrades``, so that old links keep opening.

Buttons that change the sheet itself (add, copy, move, remove a line) send the whole sheet with ``do=w2-copy``; the
answer is a redirect to the changed sheet, so they work without JavaScript too.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_GET

from apps.core import formats
from apps.core.cards import Card, Figure, card_response
from apps.core.forms import CalculatorForm, edit_lines, whole_number
from apps.core.limits import limited


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers as they are, not as they are shown: the CSV keeps every digit."""

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Answer:
    """One situation's result. ``shown`` + ``unit`` + ``claim`` + ``rest`` read as a sentence: "68.0 % to kill. …"."""

    number: float
    shown: str
    unit: str
    claim: str
    rest: str
    tables: tuple[Table, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    #: The probability in the headline, where it is one: a reader may prefer it as a fraction or as "1 in N".
    chance: float | None = None

    @classmethod
    def of_chance(cls, p: float, claim: str, rest: str, **more: Any) -> Answer:
        """An answer whose headline is a probability, written as everywhere else: "<0.1 %", never "0.0 %"."""
        shown, _, unit = formats.percent(p).partition(formats.NBSP)
        return cls(100 * p, shown, unit, claim, rest, chance=p, **more)

    @property
    def headline(self) -> str:
        """The answer without its second half, for titles: "58.3 % to roll 7 or more."."""
        return f"{self.shown}{' ' if self.unit else ''}{self.unit} {self.claim}".strip()

    @property
    def sentence(self) -> str:
        return f"{self.headline} {self.rest}".strip()

    def table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)


@dataclass(frozen=True, slots=True)
class Preset:
    """A worked example one click away."""

    label: str
    values: Mapping[str, Any]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """Situation A or B of one request: its form and, where the form is valid, its answer."""

    letter: str
    form: CalculatorForm
    answer: Answer | None

    @property
    def name(self) -> str:
        cleaned = getattr(self.form, "cleaned_data", {})
        return str(cleaned.get("name") or "")


@dataclass(frozen=True, slots=True)
class Delta:
    """What the second situation changes."""

    number: float
    shown: str
    unit: str

    @property
    def direction(self) -> str:
        if self.number == 0:
            return "even"
        return "gain" if self.number > 0 else "loss"


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """See the module's docstring. ``extras`` may draw charts from the answers of one or both situations.

    ``welcome`` is the query a bare address opens with; ``page`` a template extending ``core/calculator/page.html``.
    """

    name: str
    title: str
    lead: str
    form: type[CalculatorForm]
    answer: Callable[[dict[str, Any]], Answer]
    inputs: str
    results: str
    extras: Callable[[Sequence[Answer]], dict[str, Any]] = lambda answers: {}
    version: int = 1
    upgrades: Mapping[int, Callable[[QueryDict], None]] = field(default_factory=dict)
    presets: tuple[Preset, ...] = ()
    tabs: tuple[tuple[str, str], ...] = ()
    #: Further style sheets and scripts of the page, as static paths.
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    #: More actions than those on lines: change the address in place, or answer with another page.
    act: Callable[[Any, QueryDict, str], HttpResponse | None] = lambda request, data, action: None
    welcome: str = ""
    page_template: str = "core/calculator/page.html"
    compares: bool = True

    def _preview(self, sides: Sequence[Side]) -> dict[str, str]:
        """What a link to the page says about it elsewhere: the answer, or both with the names of their situations."""
        answered = [(side, side.answer) for side in sides if side.answer is not None]
        if not answered:
            return {"title": self.title, "text": self.lead}
        if len(answered) == 1:
            return {"title": answered[0][1].headline, "text": answered[0][1].sentence}
        names = [side.name or side.letter.upper() for side, _ in answered]
        return {
            "title": " ".join(f"{name}: {answer.headline}" for name, (_, answer) in zip(names, answered, strict=True)),
            "text": " ".join(f"{name}: {answer.sentence}" for name, (_, answer) in zip(names, answered, strict=True)),
        }

    def urls(self, at: str = "") -> list[URLPattern]:
        page = limited("page")(self.page)
        table = limited("page")(self.csv)
        card = require_GET(limited("card")(self.card))
        return [
            path(at, page, name=self.name),
            path(f"{at}card.png", card, name=f"{self.name}-card"),
            path(f"{at}<slug:table>.csv", table, name=f"{self.name}-csv"),
        ]

    # -- views ----------------------------------------------------------------------------------------------------

    def page(self, request: HttpRequest) -> HttpResponse:
        """The whole page, or only the answer when htmx asks for it."""
        if "do" in request.GET:
            return self._act(request)
        sides = self.read(request.GET)
        valid = all(side.answer is not None for side in sides)
        live = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-History-Restore-Request")
        live = live and request.headers.get("HX-Target") != "calculator-page"
        if live and not valid:
            return self._errors_only(sides)
        context = self._context(request, sides)
        template = "core/calculator/answer.html" if live else self.page_template
        response = render(request, template, context, status=200 if valid else 422)
        if live:
            response["HX-Replace-Url"] = context["permalink"]  # Back leaves the sheet, it does not undo each press
            response["HX-Trigger-After-Settle"] = json.dumps({"calculator:errors": {}})
        response["Vary"] = "HX-Request"
        return response

    def _act(self, request: HttpRequest) -> HttpResponse:
        """Change the sheet as a button asked and go there; htmx swaps the page in place, so the reader stays put."""
        data = request.GET.copy()
        action = data.pop("do")[-1]
        elsewhere = None if edit_lines(self.form, data, action) else self.act(request, data, str(action))
        target = elsewhere["Location"] if elsewhere is not None else f"{request.path}?{self._tidy(data)}"
        if not request.headers.get("HX-Request") or elsewhere is not None:
            return self._go(request, target)
        response = HttpResponse(status=204)
        page = "#calculator-page"
        response["HX-Location"] = json.dumps({"path": target, "target": page, "select": page, "swap": "outerHTML"})
        return response

    def _go(self, request: HttpRequest, target: str) -> HttpResponse:
        if not request.headers.get("HX-Request"):
            return redirect(target)
        response = HttpResponse(status=204)
        response["HX-Redirect"] = target
        return response

    def _tidy(self, data: QueryDict) -> str:
        """The address without what is left at its default, if the sheet is valid."""
        forms = [self.form(data, prefix=prefix) for prefix in (("", "b") if data.get("compare") else ("",))]
        if not all(form.is_valid() for form in forms):
            return data.urlencode()
        pairs = [pair for form in forms for pair in form.canonical()]
        return self.permalink("", pairs, compare=len(forms) > 1).removeprefix("?")

    def csv(self, request: HttpRequest, table: str) -> HttpResponse:
        """One table of one situation; the other situation is not even computed."""
        sides = self.read(request.GET, only=request.GET.get("side", "a"))
        answer = sides[0].answer if sides else None
        if answer is None or table not in {t.name for t in answer.tables}:
            raise Http404
        return csv_response(f"{self.name}-{table}", answer.table(table))

    def card(self, request: HttpRequest) -> HttpResponse:
        """The picture for a link to this sheet."""
        return card_response(request, self._card(self.read(request.GET)))

    def _card(self, sides: Sequence[Side]) -> Card:
        figures = tuple(
            Figure(side.answer.shown, side.answer.unit, side.answer.claim, side.answer.rest, side.name)
            for side in sides
            if side.answer is not None
        )
        return Card(self.title, self.lead, figures)

    # -- reading an address ---------------------------------------------------------------------------------------

    def read(self, query: QueryDict, *, only: str = "") -> list[Side]:
        """Situation A, and B when it is being compared, from an address of this or any older version.

        ``only`` names the one that is wanted, if not both are.
        """
        data = query.copy() if query else QueryDict(self.welcome, mutable=True)
        version = whole_number(data.get("v", ""))
        for old in range(self.version if version is None else max(0, version), self.version):
            if old in self.upgrades:
                self.upgrades[old](data)
        letters = ("a", "b") if data.get("compare") and self.compares else ("a",)
        return [self._side(letter, data) for letter in letters if only in ("", letter)]

    def _side(self, letter: str, data: QueryDict) -> Side:
        form = self.form(data, prefix="" if letter == "a" else letter)
        if not form.is_valid():
            return Side(letter, form, None)
        try:
            return Side(letter, form, self.answer(form.settings()))
        except ValidationError as error:
            for name, messages in _by_field(error).items():
                form.add_error(name if name in form.fields else None, messages)
            return Side(letter, form, None)

    # -- writing an address ---------------------------------------------------------------------------------------

    def permalink(self, path: str, pairs: Sequence[tuple[str, str]], *, compare: bool) -> str:
        query = [("v", str(self.version)), *pairs, *([("compare", "1")] if compare else [])]
        return f"{path}?{urlencode(query)}"

    def preset_links(self, path: str) -> list[dict[str, str]]:
        def pairs(values: Mapping[str, Any]) -> list[tuple[str, str]]:
            return [(k, str(v)) for k, vs in values.items() for v in (vs if isinstance(vs, (list, tuple)) else [vs])]

        return [
            {"label": p.label, "note": p.note, "href": self.permalink(path, pairs(p.values), compare=False)}
            for p in self.presets
        ]

    def _context(self, request: HttpRequest, sides: list[Side]) -> dict[str, Any]:
        answers = [side.answer for side in sides if side.answer is not None]
        comparing = len(sides) > 1
        pairs = {side.letter: list(side.form.canonical()) for side in sides if side.answer is not None}
        everything = [pair for side_pairs in pairs.values() for pair in side_pairs]
        link = self.permalink(request.path, everything, compare=comparing)
        a_pairs = pairs.get("a", [])
        card_query = link.partition("?")[2] if len(answers) == len(sides) else request.GET.urlencode()
        return {
            "calculator": self,
            "sides": sides,
            "comparing": comparing,
            "answers": answers,
            "answered": [side for side in sides if side.answer is not None],
            "preview": self._preview(sides),
            "delta": _delta(answers),
            "problems": [problem for side in sides for problem in _problems(side, comparing=comparing)],
            "permalink": link if answers else request.get_full_path(),
            "query": link.partition("?")[2],
            "full_link": request.build_absolute_uri(link),
            "card_link": request.build_absolute_uri(f"{request.path}card.png?{card_query}"),
            "with_b": self.permalink(request.path, [*a_pairs, *(("b-" + k, v) for k, v in a_pairs)], compare=True),
            "without_b": self.permalink(request.path, a_pairs, compare=False),
            "presets": self.preset_links(request.path),
            "tab_links": tab_links(self.tabs),
            **(self.extras(answers) if answers else {}),
        }

    def _errors_only(self, sides: list[Side]) -> HttpResponse:
        """Live typing met an error: show it beside its field and leave the last good answer where it is."""
        errors = {
            side.form[name].auto_id if name != "__all__" else f"{side.letter}-form": messages[0]
            for side in sides
            for name, messages in side.form.errors.items()
        }
        response = HttpResponse(status=422)
        response["HX-Reswap"] = "none"
        response["HX-Trigger"] = json.dumps({"calculator:errors": errors})
        return response


def csv_response(name: str, table: Table) -> HttpResponse:
    """A table as a download, every digit kept."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    writer = csv.writer(response)
    writer.writerows([formats.cell(value) for value in row] for row in (table.header, *table.rows))
    return response


def tab_links(tabs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """The tools of one game, for the row of tabs above each of them."""
    return [{"label": label, "name": name, "href": reverse(name)} for label, name in tabs]


def _problems(side: Side, *, comparing: bool) -> Iterator[str]:
    """What keeps a situation from an answer, in sentences, fields that the page does not show included."""
    for name, messages in side.form.errors.items():
        label = str(side.form.fields[name].label or name) if name in side.form.fields else ""
        message = str(messages[0])
        told = message if not label or message.startswith(label) else f"{label}: {message}"
        yield f"{side.letter.upper()}: {told}" if comparing else told


def _by_field(error: ValidationError) -> dict[str, list[str]]:
    return error.message_dict if hasattr(error, "error_dict") else {"__all__": error.messages}


def _delta(answers: Sequence[Answer]) -> Delta | None:
    if len(answers) != 2 or answers[0].unit != answers[1].unit:
        return None
    number = answers[1].number - answers[0].number
    digits = len(answers[0].shown.partition(".")[2])
    size = f"{abs(number):.{digits}f}"
    zero = float(size) == 0
    sign = "" if zero else "+" if number > 0 else "−"
    return Delta(0.0 if zero else number, sign + size, "points" if answers[0].unit == "%" else answers[0].unit)

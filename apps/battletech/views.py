"""Pages of the room. A sheet lives in its address: nothing is stored, every view is a function of the query."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.accounts.http import Request
from apps.battletech.forms import SheetForm
from apps.battletech.services import editor, risk
from apps.battletech.services.address import Address, read
from apps.battletech.services.page import card_of, context
from apps.battletech.services.sheet import Opened, open_sheet, roll
from apps.core.calculator import csv_response
from apps.core.cards import card_response
from apps.core.forms import edit_lines
from apps.core.limits import limited


@require_safe
@limited("page")
def sheet(request: Request) -> HttpResponse:
    """The record sheet. A button's ``do`` leads to the address of what it did; htmx gets it in the same breath."""
    return _sheet_page(request, open_sheet(request.GET), request.GET)


@require_POST
@limited("page")
def play(request: Request) -> HttpResponse:
    """Roll a heat phase, or with ``do=heat`` only go to the heat of the slider; both end at the sheet's address."""
    query = request.POST
    return _sheet_page(request, open_sheet(query) if query.get("do") == "heat" else roll(query), query)


def _sheet_page(request: Request, opened: Opened, query: QueryDict) -> HttpResponse:
    live = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-History-Restore-Request")
    if ("do" in query or request.method == "POST") and not opened.problems and not live:
        return redirect(opened.address.link())
    page = context(opened, query) | {"live_swap": live}
    page["full_link"] = request.build_absolute_uri(page["link"])
    page["card_link"] = request.build_absolute_uri(f"{reverse('battletech:card')}?{page['query']}")
    template = "battletech/record_sheet.html" if live else "battletech/sheet.html"
    response = render(request, template, page, status=422 if opened.problems else 200)
    if live and not opened.problems:
        response["HX-Push-Url" if opened.acted else "HX-Replace-Url"] = page["link"]
    response["Vary"] = "HX-Request"
    return response


@require_GET
@limited("card")
def card(request: Request) -> HttpResponse:
    """The picture for a link to a sheet."""
    return card_response(request, card_of(open_sheet(request.GET)))


@require_safe
@limited("page")
def edit(request: Request) -> HttpResponse:
    """The free-form editor: a form whose address is its state, until it becomes a sheet."""
    data = request.GET.copy()
    action = data.pop("do", [""])[-1]
    if "from" in data or not data:
        data = _values_of(open_sheet(QueryDict(data.get("from", ""))))
    editor.follow_kinds(data)
    if edit_lines(SheetForm, data, str(action)):
        return redirect(f"{request.path}?{data.urlencode()}#lines")
    form, conditions = SheetForm(data), read(data).address
    if action == "use" and form.is_valid():
        try:
            mech = editor.countable(editor.mech_from(form.settings()))
            return redirect(replace(conditions, start=mech, stock="", did=(), at=0).link())
        except ValidationError as error:
            form.add_error(None, error)
    return _editor(request, form, conditions, 422 if form.errors else 200)


@require_POST
@limited("page")
def import_sheet(request: Request) -> HttpResponse:
    upload = request.FILES.get("file")
    text = upload.read().decode("utf-8", "replace") if upload else request.POST.get("text", "")
    try:
        return redirect(editor.import_json(text).link())
    except ValidationError as error:
        opened = open_sheet(QueryDict(""))
        form = SheetForm(_values_of(opened))
        return _editor(
            request, form, opened.address, 422, json_error=error.messages[0], json_text=text[: editor.MOST_JSON]
        )


@require_safe
@limited("page")
def export_sheet(request: Request) -> HttpResponse:
    opened = open_sheet(request.GET)
    response = JsonResponse(editor.export(opened), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{opened.address.stock or "mech"}.json"'
    return response


@require_safe
@limited("page")
def csv(request: Request, table: str) -> HttpResponse:
    opened = open_sheet(request.GET)
    here = opened.address
    tables = risk.tables(opened.mech, here.rules, here.heat, here.heats)
    if table not in tables:
        raise Http404
    return csv_response(f"battletech-{table}", tables[table])


def _values_of(opened: Opened) -> QueryDict:
    """The editor's address for a sheet as it stands, with the rules, the heat and the plan it is played with."""
    values = [*editor.values_from(opened.mech).items(), *opened.address.conditions()]
    return QueryDict(urlencode(values), mutable=True)


def _editor(request: Request, form: SheetForm, conditions: Address, status: int, **more: Any) -> HttpResponse:
    page = {"form": form, "conditions": conditions.conditions(), "warnings": form.warnings(), **more}
    page["json_example"] = editor.JSON_EXAMPLE
    page["blank"] = f"{request.path}?{urlencode([('tonnage', '50'), *conditions.conditions()])}"
    return render(request, "battletech/edit.html", page, status=status)

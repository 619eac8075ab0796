"""Pages of the room. A sheet lives in its address: nothing is stored, every view is a function of the query."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.http import Request
from apps.battletech.forms import SheetForm
from apps.battletech.services import editor, risk
from apps.battletech.services.address import Address
from apps.battletech.services.sheet import context, open_sheet
from apps.core.calculator import csv_response
from apps.core.forms import edit_lines
from apps.core.limits import limited


@require_safe
@limited("page")
def sheet(request: Request) -> HttpResponse:
    """The record sheet. A button's ``do`` leads to the address of what it did; htmx gets it in the same breath."""
    opened = open_sheet(request.GET)
    live = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-History-Restore-Request")
    if "do" in request.GET and not opened.errors and not live:
        return redirect(opened.address.link())
    page = context(opened, request.GET) | {"live_swap": live}
    page["full_link"] = request.build_absolute_uri(page["link"])
    template = "battletech/_sheet.html" if live else "battletech/sheet.html"
    response = render(request, template, page, status=422 if opened.errors else 200)
    if live and not opened.errors:
        response["HX-Push-Url" if opened.acted else "HX-Replace-Url"] = page["link"]
    response["Vary"] = "HX-Request"
    return response


@require_safe
@limited("page")
def edit(request: Request) -> HttpResponse:
    """The free-form editor: a form whose address is its state, until it becomes a sheet."""
    data = request.GET.copy()
    action = data.pop("do", [""])[-1]
    if "from" in data or not data:
        mech = open_sheet(QueryDict(data.get("from", ""))).mech
        data = QueryDict(urlencode(editor.values_from(mech)), mutable=True)
    elif edit_lines(SheetForm, data, str(action)):
        return redirect(f"{request.path}?{data.urlencode()}#lines")
    form = SheetForm(data)
    if action == "use" and form.is_valid():
        try:
            return redirect(Address(editor.mech_from(form.settings())).link())
        except ValidationError as error:
            form.add_error(None, error)
    return _editor(request, form, 422 if form.errors else 200)


@require_POST
@limited("page")
def import_sheet(request: Request) -> HttpResponse:
    upload = request.FILES.get("file")
    text = upload.read().decode("utf-8", "replace") if upload else request.POST.get("text", "")
    try:
        return redirect(editor.import_json(text).link())
    except ValidationError as error:
        form = SheetForm(QueryDict(urlencode(editor.values_from(open_sheet(QueryDict("")).mech))))
        return _editor(request, form, 422, json_error=error.messages[0], json_text=text[: editor.MOST_JSON])


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


def _editor(request: Request, form: SheetForm, status: int, **more: Any) -> HttpResponse:
    return render(request, "battletech/edit.html", {"form": form, **more}, status=status)

"""Pages of the room. The builder itself is a ``Calculator`` (``urls``); what it cannot do alone is here."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts.http import Request
from apps.accounts.saved_profiles import MOST_SAVED
from apps.accounts.services import player_for
from apps.core.limits import limited
from apps.core.services import commitments, dice_log
from apps.jobs import registry
from apps.jobs import services as jobs
from apps.warhammer40k import datasheets, library, saved, sheets
from apps.warhammer40k.builder import tabs_with
from apps.warhammer40k.forms import GROUP_NAMES, GROUPS, MIXED_NAMES, TARGET_NAMES, AttackForm
from apps.warhammer40k.services import advice as advising
from apps.warhammer40k.services import dice, sequences

PER_PAGE = 40
EDITION_TITLES = (("tenth", "10th edition"), ("eleventh", "11th edition"))


# -- The builder's buttons ------------------------------------------------------------------------------------------


def act(request: Request, data: QueryDict, action: str) -> HttpResponse | None:
    """Fill a line from the library, go and browse it, or go and save the line: ``w2-fill``, ``b-target-save`` …"""
    action, _, key = action.partition(".")
    where, _, verb = action.rpartition("-")
    if not sheets.is_place(where):
        return None
    if verb == "lead":
        _lead(request, data, where, key)
        return None
    if verb == "fill":
        profile = find(request, sheets.kind_of(where), sheets.name_at(data, where))
        if profile:
            sheets.fill(data, where, profile.values, profile.further_groups)
        return None
    if verb == "browse":
        query = urlencode({"kind": sheets.kind_of(where), "into": where, "back": data.urlencode()})
        return redirect(f"{reverse('warhammer40k:profiles')}?{query}")
    if verb == "save":
        query = urlencode(
            {"kind": sheets.kind_of(where), "back": data.urlencode(), **sheets.line_at(data, where)}, True
        )
        return redirect(f"{reverse('warhammer40k:save')}?{query}")
    return None


def _lead(request: Request, data: QueryDict, where: str, key: str) -> None:
    """A unit of the library joins the target as its leader."""
    leader = library.by_key(key)
    if leader is None or leader.kind != "unit" or sheets.kind_of(where) != "unit":
        return
    wanted = library.led(leader)
    if sheets.add_groups(data, where, wanted) < len(wanted):
        messages.error(request, f"A target has {GROUPS.most} further groups at most; remove one first.")


def find(request: Request, kind: library.Kind, name: str) -> library.Profile | None:
    """A profile by what one typed: one's own first, then the library's."""
    wanted = name.casefold().strip()
    mine = (p for p in saved.profiles(request.player) if p.kind == kind)
    return next((p for p in mine if p.name.casefold() == wanted), None) or library.by_title(kind, wanted)


# -- Beside the answer ----------------------------------------------------------------------------------------------


@require_GET
@limited("page")
def targets(request: Request) -> HttpResponse:
    """The same weapons into every preset target."""

    def rows(settings: dict[str, Any]) -> dict[str, Any]:
        return {"rows": [{**row, "href": _at_target(request.GET, row["preset"])} for row in advising.targets(settings)]}

    return _beside(request, "targets", "Against other targets", rows)


def _at_target(query: QueryDict, preset: str) -> str:
    """The sheet with a preset in place of its target; "" for its own."""
    if not preset:
        return ""
    data = QueryDict(query.urlencode() or sheets.WELCOME, mutable=True)
    for name in (*TARGET_NAMES, *GROUP_NAMES, *MIXED_NAMES, "counted"):
        data.pop(name, None)
    for name, value in advising.preset_address(preset):
        data.appendlist(name, value)
    return f"{reverse('warhammer40k:builder')}?{sheets.tidy(data)}"


@require_GET
@limited("page")
def advice(request: Request) -> HttpResponse:
    """What to reroll, and what would lift the chance to wipe the unit out."""
    return _beside(request, "advice", "What would help", lambda settings: {"advice": advising.advice(settings)})


def _beside(request: Request, part: str, title: str, ask: Any) -> HttpResponse:
    """A panel fetched after the answer, or a page of its own where there is no script."""
    form = sheets.form_of(request.GET)
    context: dict[str, Any] = {
        "title": title,
        "panel": f"warhammer40k/components/{part}.html",
        "query": request.GET.urlencode(),
    }
    try:
        context |= ask(form.settings())
    except ValidationError as error:
        context["error"] = " ".join(error.messages)
    template = context["panel"] if request.headers.get("HX-Request") else "warhammer40k/beside.html"
    return render(request, template, context)


# -- Real dice ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@limited("page")
def roll(request: Request) -> HttpResponse:
    """The sheet with real dice; a GET shows what would be rolled, a POST rolls it."""
    query = QueryDict(request.POST.get("sheet", "")) if request.method == "POST" else request.GET
    form = sheets.form_of(query)
    context = {"form": form, "runs": dice.RUNS, "job": _job(request), **_roll_page(form)}
    if request.method == "POST":
        source = commitments.take(request.POST.get("commitment", ""))
        try:
            rolled = dice.roll(form.settings(), dice.tray_of(source))
            context |= {"rolled": rolled, "log": dice.log(rolled, source), "promised": source}
        except ValidationError as error:
            context["error"] = " ".join(error.messages)
    live = request.method == "POST" and request.headers.get("HX-Request")
    template = "warhammer40k/components/rolled.html" if live else "warhammer40k/roll.html"
    return render(request, template, context, status=422 if "error" in context and not live else 200)


def _roll_page(form: AttackForm) -> dict[str, Any]:
    """The sheet in short, and the tabs that keep it."""
    summary = sheets.summary(form)
    return summary | {
        "tab_links": tabs_with(summary["sheet"], "warhammer40k:roll"),
        "sequence": sequences.form_from(form.settings()),
        "commitment": commitments.commit(),
    }


def _job(request: Request) -> dict[str, Any] | None:
    """The simulation this address watches, if it is one of the reader's."""
    try:
        found = jobs.visible_to(request.player).filter(pk=uuid.UUID(request.GET.get("job", ""))).first()
    except ValueError:
        return None
    return {"job": found, "kind": registry.find(found.kind)} if found else None


@require_POST
@limited("page")
def sequence(request: Request) -> HttpResponse:
    """One sequence by the Dice-Engine's builder, with every die."""
    asked = sequences.SequenceForm(request.POST)
    sheet = sheets.form_of(QueryDict(request.POST.get("sheet", "")))
    context: dict[str, Any] = {"form": sheet, "runs": dice.RUNS, **_roll_page(sheet), "sequence": asked}
    try:
        if not asked.is_valid():
            raise ValidationError([message for messages in asked.errors.values() for message in messages])
        result, rolled = sequences.roll(asked.settings())
        context |= {"combat": result, "rolled": rolled, "log": dice.log(rolled)}
    except ValidationError as error:
        context["error"] = " ".join(error.messages)
    live = request.headers.get("HX-Request")
    template = "warhammer40k/components/sequence.html" if live else "warhammer40k/roll.html"
    return render(request, template, context, status=422 if "error" in context and not live else 200)


@require_POST
@limited("page")
def verify(request: Request) -> HttpResponse:
    """Recompute every die of a log."""
    try:
        context: dict[str, Any] = {"verified": dice_log.verify(request.POST.get("log", ""))}
    except ValidationError as error:
        context = {"error": " ".join(error.messages)}
    live = request.headers.get("HX-Request")
    context["log"] = request.POST.get("log", "")
    return render(request, "components/verified_dice.html" if live else "warhammer40k/verified.html", context)


@require_POST
@limited("job")
def simulate(request: Request) -> HttpResponse:
    """Queue a simulation of the sheet and watch it on the dice page."""
    sheet = request.POST.get("sheet", "")
    form = sheets.form_of(QueryDict(sheet))
    runs = request.POST.get("runs", "")
    try:
        wanted = int(runs) if runs.isdigit() else 0
        dice.check_simulation(form.settings(), wanted)
    except ValidationError as error:
        context = {"form": form, "runs": dice.RUNS, "error": " ".join(error.messages), **_roll_page(form)}
        return render(request, "warhammer40k/roll.html", context, status=422)
    job = jobs.start(player_for(request), "warhammer40k.simulate", dice.job_document(form.settings(), wanted))
    return redirect(f"{reverse('warhammer40k:roll')}?{sheets.without_job(sheet)}&job={job.pk}#simulate")


# -- Profiles -------------------------------------------------------------------------------------------------------


@require_GET
@limited("page")
def profiles(request: Request) -> HttpResponse:
    """The library and one's own profiles, searchable, to fill a sheet with."""
    kind: library.Kind = "weapon" if request.GET.get("kind") == "weapon" or request.GET.get("into") else "unit"
    kind = "unit" if request.GET.get("kind") == "unit" else kind
    words, faction = request.GET.get("words", "")[:60], request.GET.get("faction", "")
    place = {"into": request.GET.get("into", ""), "back": request.GET.get("back", "")}
    edition = _edition(request.GET.get("edition") or QueryDict(place["back"]).get("edition", ""))
    factions = library.factions(edition)
    found = library.search(kind, words, faction if faction in factions else "", edition)
    context = {
        "kind": kind,
        "words": words,
        "faction": faction,
        "factions": factions,
        "edition": edition,
        "editions": EDITION_TITLES,
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "own": saved.SAVED.visible_to(request.player),
        "most": MOST_SAVED,
        **place,
        "tab_links": tabs_with(place["back"], "warhammer40k:profiles"),
        "search": urlencode({"edition": edition, "kind": kind, "words": words, "faction": faction, **place}),
        "place": urlencode(place),
        "counts": {"weapon": len(library.profiles("weapon", edition)), "unit": len(library.profiles("unit", edition))},
    }
    live = request.headers.get("HX-Target") == "library"
    return render(request, "warhammer40k/library.html" if live else "warhammer40k/profiles.html", context)


@require_GET
@limited("page")
def pick(request: Request) -> HttpResponse:
    """Put a profile into a sheet and go there."""
    key, data = request.GET.get("profile", ""), QueryDict(request.GET.get("back", ""), mutable=True)
    mine = saved.profiles(request.player) if key.startswith("own-") else []
    profile = next((p for p in mine if p.key == key), None) or library.by_key(key)
    if profile is None:
        raise Http404
    into = request.GET.get("into", "")
    if not sheets.is_place(into) or sheets.kind_of(into) != profile.kind:
        into = "w1" if profile.kind == "weapon" else "target"
    title = profile.title if profile.kind == "weapon" else profile.name
    named = {**profile.values, ("name" if profile.kind == "weapon" else "target"): title}
    sheets.fill(data, into, named, profile.further_groups)
    _use_edition(data, profile.edition)
    _name_what_is_left(request, profile.to_set)
    return redirect(f"{reverse('warhammer40k:builder')}?{sheets.tidy(data)}")


@require_GET
@limited("page")
def attack_with(request: Request, *, melee: bool) -> HttpResponse:
    """Put all weapons of a unit into a sheet, as many as it carries, and go there."""
    unit = library.card(request.GET.get("profile", ""))
    if unit is None:
        raise Http404
    data = QueryDict(request.GET.get("back", ""), mutable=True)
    lines = library.armament(unit, melee=melee)
    if not lines:
        messages.error(request, f"{unit.name} has no weapons for that phase.")
        return redirect(
            f"{reverse('warhammer40k:profiles')}?{urlencode({'words': unit.name, 'edition': unit.edition})}"
        )
    left = sheets.arm(data, lines, unit.points(unit.size))
    _use_edition(data, unit.edition)
    _name_what_is_left(request, left)
    return redirect(f"{reverse('warhammer40k:builder')}?{sheets.tidy(data)}")


def _edition(name: str) -> datasheets.Edition:
    return "eleventh" if name == "eleventh" else "tenth"


def _use_edition(data: QueryDict, edition: datasheets.Edition) -> None:
    """A card of the 11th edition is played by its rules; a sheet that shows both stays so."""
    if edition == "eleventh" and data.get("edition") != "both":
        data["edition"] = edition


def _name_what_is_left(request: Request, to_set: Sequence[str]) -> None:
    """What no field holds, for the player to set."""
    if to_set:
        messages.info(request, "Yours to set: " + "; ".join(to_set) + ".")


@require_http_methods(["GET", "POST"])
@limited("play")
def save(request: Request) -> HttpResponse:
    """Name a line of a sheet and keep it."""
    source = request.POST if request.method == "POST" else request.GET
    kind: library.Kind = "unit" if source.get("kind") == "unit" else "weapon"
    known = [n for n in saved.FORMS[kind].base_fields if n in source and n not in ("name", saved.NAME_FIELD[kind])]
    pairs = [(n, value) for n in known for value in source.getlist(n)]
    name = source.get("as") or source.get(saved.NAME_FIELD[kind], "")
    context: dict[str, Any] = {"kind": kind, "pairs": pairs, "name": name, "back": source.get("back", "")}
    if request.method == "POST":
        try:
            kept = saved.SAVED.save(
                player_for(request), kind, source.get("as", ""), {n: source.getlist(n) for n in known}
            )
        except ValidationError as error:
            return render(request, "warhammer40k/save.html", context | {"error": " ".join(error.messages)}, status=422)
        messages.success(request, f"{kept.name} is saved among your profiles.")
        back = source.get("back", "")
        return redirect(f"{reverse('warhammer40k:builder')}?{back}" if back else "warhammer40k:profiles")
    return render(request, "warhammer40k/save.html", context)


@require_POST
@limited("play")
def delete(request: Request, pk: int) -> HttpResponse:
    if not saved.SAVED.delete(request.player, pk):
        raise Http404
    messages.success(request, "The profile is deleted.")
    return redirect("warhammer40k:profiles")


@require_POST
@limited("play")
def import_profiles(request: Request) -> HttpResponse:
    """Read an exported file, pasted or chosen."""
    upload = request.FILES.get("file")
    text = upload.read().decode("utf-8", errors="replace") if upload else request.POST.get("text", "")
    try:
        count = saved.import_all(player_for(request), text)
    except ValidationError as error:
        messages.error(request, "Nothing was imported. " + " ".join(error.messages))
    else:
        messages.success(request, f"{count} profiles imported.")
    return redirect("warhammer40k:profiles")


@require_GET
@limited("page")
def export_profiles(request: Request) -> HttpResponse:
    response = JsonResponse(saved.export(request.player), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="warhammer40k-profiles.json"'
    return response

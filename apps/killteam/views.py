"""What is not a calculator: starting a matrix job and reading what came of it, the library, a player's own profiles."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.accounts.services import player_for
from apps.core.calculator import csv_response, tab_links
from apps.core.limits import limited
from apps.core.templatetags.calculator import control_of, draw
from apps.jobs import services as jobs
from apps.jobs.models import Job, State
from apps.killteam import library, options
from apps.killteam.forms import FightForm, FightMatrixForm, MatrixForm, RulesForm, ShootForm, most_damage_by_default
from apps.killteam.models import SavedProfile
from apps.killteam.services import advice as changes
from apps.killteam.services import fight, fight_matrix, matrix, measures, profiles, sides
from apps.killteam.services import plans as every_plan
from apps.killteam.tabs import TABS


def _sheet(request: Request) -> QueryDict:
    """The settings a page sent along as its own address."""
    return QueryDict(urlsplit(request.POST.get("path", "")).query)


@require_POST
@limited("job")
def run_matrix(request: Request) -> HttpResponse:
    """Start the job of a matrix, of shots or of fights: the page that asked says which."""
    of_fights = urlsplit(request.POST.get("path", "")).path == reverse("killteam:fight-matrix")
    form = (FightMatrixForm if of_fights else MatrixForm)(_sheet(request))
    if not form.is_valid():
        raise Http404
    try:
        document = (fight_matrix if of_fights else matrix).document(form.settings())
    except ValidationError:  # the page has said so beside the list already
        return redirect(f"{request.POST['path']}")
    return redirect(jobs.start(player_for(request), "killteam.matrix", document))


@require_POST
@limited("job")
def run_fight(request: Request) -> HttpResponse:
    """Start the job of a fight that takes longer than a page may, or find the one under way."""
    path, letter = _back(request), "b" if request.POST.get("side") == "b" else "a"
    form = _fight_form(_sheet(request), letter)
    if not form.is_valid():
        raise Http404
    try:
        job = fight.start(player_for(request), form.settings(), path)
    except ValidationError as error:  # the page has said so beside the field already
        raise Http404 from error
    if not request.headers.get("HX-Request"):
        return redirect(job or path)
    return render(request, "killteam/fight_job.html", {"job": job, "letter": letter})


def _shoot_form(query: QueryDict, letter: str) -> RulesForm:
    return ShootForm(query, prefix="" if letter == "a" else letter)


def _fight_form(query: QueryDict, letter: str) -> RulesForm:
    """The fight of an address, of this version or the first."""
    data = query.copy()
    if data.get("v") == "1":
        most_damage_by_default(data)
    return FightForm(data, prefix="" if letter == "a" else letter)


@require_GET
@limited("page")
def plans(request: Request) -> HttpResponse:
    """The fight of an address by every plan: a panel fetched after the answer, or a page of its own."""
    letter = "b" if request.GET.get("side") == "b" else "a"
    form = _fight_form(request.GET, letter)
    if not form.is_valid():
        raise Http404
    names = [form.cleaned_data[f"{who}_name"] for who in sides.WHO]
    try:
        context = {"rows": every_plan.rows(form.settings()), "names": names, "letter": letter}
    except ValidationError as error:
        raise Http404 from error
    live = request.headers.get("HX-Request")
    template = "killteam/components/plans_table.html" if live else "killteam/plans.html"
    return render(request, template, context | {"query": request.GET.urlencode()})


@require_GET
@limited("page")
def advice(request: Request, page: str) -> HttpResponse:
    """What one change would do to the shot or the fight of an address: a panel, or a page of its own."""
    letter = "b" if request.GET.get("side") == "b" else "a"
    is_fight = page == "fight"
    form = (_fight_form if is_fight else _shoot_form)(request.GET, letter)
    if not form.is_valid():
        raise Http404
    try:
        found = (changes.of_a_fight if is_fight else changes.of_a_shot)(form.settings())
    except ValidationError as error:
        raise Http404 from error
    context = {"advice": found, "page": page, "letter": letter, "query": request.GET.urlencode()}
    live = request.headers.get("HX-Request")
    return render(request, "killteam/components/advice.html" if live else "killteam/advice.html", context)


@require_GET
@limited("page")
def team_options(request: Request, page: str) -> HttpResponse:
    """The options of the team chosen on a sheet, to take the place of those of the team before."""
    letter = "b" if request.GET.get("side") == "b" else "a"
    form = (_fight_form if page == "fight" else _shoot_form)(request.GET, letter)
    part = next((part for part in form.teams if part.group == request.GET.get("group")), None)
    if part is None:
        raise Http404
    context = {
        "options": draw(control_of(form[part.options])),
        "left_out": options.left_out(str(form[part.team].value())),
        "letter": letter,
        "group": part.group,
    }
    return render(request, "killteam/components/team_options.html", context)


@require_GET
@limited("page")
def random_sheet(request: Request, page: str) -> HttpResponse:
    """A match-up drawn from the library, to try the page with."""
    return redirect(profiles.random_address(page))


@never_cache
@require_GET
def matrix_job(request: Request, job_id: uuid.UUID) -> HttpResponse:
    """A finished matrix, to sort and read."""
    result = _finished(job_id)
    chosen = {"show": request.GET.get("show", "kill"), "order": request.GET.get("order", "best")}
    every = measures.of(result)
    show = chosen["show"] if chosen["show"] in every else "kill"
    order = chosen["order"] if chosen["order"] in dict(matrix.ORDERS) else "best"
    column, row = (_number(request, key) for key in ("column", "row"))
    context: dict[str, Any] = {
        "job_id": job_id,
        "matrix": matrix.arranged(result, show=show, order=order, column=column, row=row),
        "size": len(result["attackers"]) * len(result["defenders"]),
        "measures": every.values(),
        "new": "killteam:fight-matrix" if result.get("kind") == "fight" else "killteam:matrix",
        "orders": matrix.ORDERS,
        "order": order,
        "query": urlencode({"show": show, "order": order, "column": column, "row": row}),
        "full_link": request.build_absolute_uri(),
    }
    return render(request, "killteam/matrix_job.html", context)


@never_cache
@require_GET
def matrix_job_csv(request: Request, job_id: uuid.UUID, show: str) -> HttpResponse:
    result = _finished(job_id)
    if show not in measures.of(result):
        raise Http404
    return csv_response(f"matrix-{show}", matrix.table(result, show))


def _finished(job_id: uuid.UUID) -> dict[str, Any]:
    """A finished matrix, for whoever has its link: the id is the key, and names and figures are all there is in it."""
    job = Job.objects.filter(pk=job_id, kind="killteam.matrix", state=State.DONE).first()
    if job is None or job.result is None:
        raise Http404
    return dict(job.result)


def _number(request: Request, name: str) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


# -- Profiles -----------------------------------------------------------------------------------------------------

KINDS = (("", "Everything"), ("ranged", "Ranged"), ("melee", "Melee"), ("operative", "Operatives"))
MOST_SHOWN = 20_000  # characters of a refused import that come back into its field
CARDS = 8  # operatives on one page of the library


@require_GET
@limited("page")
def library_page(request: Request) -> HttpResponse:
    """Operatives and their weapons, searched; with ``pick``, each of them goes back into the sheet it was asked for."""
    context = _library_context(request, LibraryQuery.read(request.GET))
    live = request.headers.get("HX-Target") == "library"
    return render(request, "killteam/library.html" if live else "killteam/profiles.html", context)


def _library_context(request: Request, wanted: LibraryQuery) -> dict[str, Any]:
    found = library.cards(wanted.q, wanted.team, wanted.kind)
    pages = Paginator(found, CARDS)
    page = pages.get_page(request.GET.get("page"))
    mine = profiles.SAVED.visible_to(request.player)
    return {
        "wanted": wanted,
        "page": page,
        "count": len(found),
        "cards": [wanted.card(operative, weapons) for operative, weapons in page],
        "saved": [(profile, wanted.saved_links(profile)) for profile in mine],
        "in_matrix": profiles.matrix_address(mine),
        "teams": library.library().teams,
        "kinds": KINDS,
        "tab_links": wanted.tabs(),
    }


def pick(request: Request, sheet: QueryDict, action: str) -> HttpResponse | None:
    """A calculator's "Pick a profile": to the library, with the sheet to come back to."""
    page = request.path.rstrip("/").rpartition("/")[2]
    place = profiles.Place.parse(f"{page}-{action.removeprefix('pick-')}")
    if place is None:
        return None
    return redirect(f"{reverse('killteam:profiles')}?{urlencode({'pick': str(place), 'sheet': sheet.urlencode()})}")


@require_POST
@limited("play")
def save_profile(request: Request) -> HttpResponse:
    """Keep a part of the sheet that was sent along."""
    place = profiles.Place.parse(request.POST.get("place", ""))
    if place is None:
        raise Http404
    try:
        saved = profiles.save_from_sheet(player_for(request), place, request.POST.get("name", ""), _sheet(request))
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect(_back(request))
    messages.success(request, f"Saved {saved.name}. It is under Profiles.")
    return redirect(_back(request))


@require_POST
@limited("play")
def delete_profile(request: Request, profile_id: uuid.UUID) -> HttpResponse:
    if not profiles.SAVED.delete(request.player, profile_id):
        raise Http404
    messages.success(request, "Deleted.")
    return redirect("killteam:profiles")


@never_cache
@require_GET
def export_profiles(request: Request) -> HttpResponse:
    response = JsonResponse(profiles.export(request.player), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = 'attachment; filename="killteam-profiles.json"'
    return response


@require_POST
@limited("play")
def import_profiles(request: Request) -> HttpResponse:
    upload = request.FILES.get("file")
    text = upload.read().decode("utf-8", "replace") if upload else request.POST.get("text", "")
    try:
        count = profiles.import_json(player_for(request), text)
    except ValidationError as error:
        context = _library_context(request, LibraryQuery.read(QueryDict()))
        problem = {"import_error": error.messages[0], "import_text": text[:MOST_SHOWN]}
        return render(request, "killteam/profiles.html", context | problem, status=422)
    else:
        messages.success(request, f"Imported {count} profile{'' if count == 1 else 's'}.")
    return redirect("killteam:profiles")


def _back(request: Request) -> str:
    """The page the sheet belongs to. Only a path of ours: never where somebody else's form points."""
    path = request.POST.get("path", "")
    return (
        path if url_has_allowed_host_and_scheme(path, None) and path.startswith("/killteam/") else "/killteam/profiles/"
    )


@dataclass(frozen=True)
class LibraryQuery:
    """What is looked for, and where a pick goes."""

    q: str
    team: str
    kind: str
    place: profiles.Place | None
    sheet: QueryDict

    @classmethod
    def read(cls, query: QueryDict) -> LibraryQuery:
        place = profiles.Place.parse(query.get("pick", ""))
        kind = query.get("kind", "")
        if place is not None:
            kind = {"attacker": "ranged", "defender": "operative"}.get(place.part, "melee")
        team = query.get("team", "")
        return cls(
            q=query.get("q", "")[:60],
            team=team if team in library.library().teams else "",
            kind=kind if kind in dict(KINDS) else "",
            place=place,
            sheet=QueryDict(query.get("sheet", ""), mutable=True),
        )

    @property
    def query(self) -> str:
        """The same search on another page."""
        pairs = {
            "q": self.q,
            "team": self.team,
            "kind": self.kind,
            "pick": str(self.place or ""),
            "sheet": self.sheet.urlencode(),
        }
        return urlencode({key: value for key, value in pairs.items() if value})

    def tabs(self) -> list[dict[str, str]]:
        """The tools of this game; the page a profile is picked for opens with its sheet."""
        links = tab_links(TABS)
        if self.place is None or not self.sheet:
            return links
        asking = f"killteam:{self.place.page}"
        return [
            link | ({"href": f"{link['href']}?{self.sheet.urlencode()}"} if link["name"] == asking else {})
            for link in links
        ]

    def _place(self, page: str, part: str) -> profiles.Place:
        return self.place or profiles.Place(page, "a", part)

    def card(self, operative: library.Operative, weapons: list[library.Weapon]) -> dict[str, Any]:
        target = None
        if self.place is None or self.place.part == "defender":
            target = profiles.operative_address(self._place("shoot", "defender"), operative, self.sheet)
        return {"operative": operative, "target": target, "weapons": [(w, self._weapon_link(w)) for w in weapons]}

    def _weapon_link(self, weapon: library.Weapon) -> str:
        place = self._place("shoot", "attacker") if weapon.kind == "ranged" else self._place("fight", "one")
        return profiles.weapon_address(place, weapon, self.sheet)

    def saved_links(self, saved: SavedProfile) -> list[tuple[str, str]]:
        """Where one of the player's own may go: into the sheet that asks, or onto a fresh one."""
        if self.place is not None:
            places = [("Use", self.place)] if self.place.role == saved.role else []
        else:
            page, parts = ("fight", ("one", "two")) if saved.role == "fighter" else ("shoot", (saved.role,))
            places = [(f"As {part}" if page == "fight" else "Open", profiles.Place(page, "a", part)) for part in parts]
        return [
            (label, profiles.address(place, profiles.saved_values(saved), saved.name, self.sheet))
            for label, place in places
        ]

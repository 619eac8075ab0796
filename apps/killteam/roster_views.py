"""Pages of rosters: read or choose one, mend it, and set it against another."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.http import Request
from apps.accounts.services import player_for
from apps.core.calculator import csv_response, tab_links
from apps.core.limits import limited
from apps.jobs import registry
from apps.jobs import services as jobs
from apps.killteam import duel_tables, library, options, rosters, saved_rosters
from apps.killteam.models import Roster
from apps.killteam.services import duel as duels
from apps.killteam.services import matchup
from apps.killteam.services.duel import MEASURES, PHASES, Duel
from apps.killteam.tabs import TABS
from apps.rosters.addresses import OTHER, Address
from apps.rosters.keeping import ONE, TWO, Document, sent
from apps.rosters.roster import RosterError

FORMS = ("ktdash JSON", "New Recruit JSON", "BattleScribe .ros or .rosz", "names of operatives, one a line")
SAMPLES = ("Angels of Death", "Legionaries")
SAMPLE_SIZE = 6


# -- Reading a list -------------------------------------------------------------------------------------------------


@require_GET
@limited("page")
def home(request: Request) -> HttpResponse:
    """Paste or send a list, or start from a team's cards; one's own rosters."""
    return _home(request, request.GET)


def _home(request: Request, source: QueryDict, error: str = "") -> HttpResponse:
    own = saved_rosters.SAVED_ROSTERS.visible_to(request.player)
    context = {
        "forms": FORMS,
        "teams": library.library().teams,
        "text": source.get("text", ""),
        "side": source.get("side", ""),
        "other": source.get("other", ""),
        "error": error,
        "saved": [_own(one, source) for one in own],
        "tab_links": tab_links(TABS),
    }
    return render(request, "killteam/rosters.html", context, status=422 if error else 200)


def _own(saved: Any, source: QueryDict) -> dict[str, Any]:
    query = saved.values["query"]
    key = QueryDict(query).get("a", "")
    if saved.kind == TWO:
        href = f"{reverse('killteam:duel')}?{query}"
    elif (side := source.get("side")) and (other := source.get("other")):
        href = _duel_link(side, key, other)
    else:
        href = reverse("killteam:roster", args=[key])
    return {"pk": saved.pk, "name": saved.name, "href": href, "what": saved.get_kind_display()}


def _duel_link(side: str, key: str, other: str) -> str:
    """The duel of a new roster on one side and another one on the other."""
    pair = {"a": key, "b": other} if side == "a" else {"a": other, "b": key}
    return f"{reverse('killteam:duel')}?{urlencode(pair)}"


def _place(request: Request) -> str:
    """Which side the roster is for, and who stands on the other, carried from page to page."""
    place = {name: request.POST[name] for name in ("side", "other") if request.POST.get(name)}
    return f"?{urlencode(place)}" if place else ""


@require_POST
@limited("play")
def read(request: Request) -> HttpResponse:
    """Read a pasted or sent list, and show what was made of each line."""
    try:
        document = rosters.read_list(sent(request.FILES.get("file"), request.POST.get("text", "")))
    except RosterError as error:
        return _home(request, request.POST, str(error))
    return redirect(f"{reverse('killteam:roster', args=[rosters.keep(document).key])}{_place(request)}")


@require_POST
@limited("play")
def from_team(request: Request) -> HttpResponse:
    """Every card of a team, to be thinned out."""
    team = request.POST.get("team", "")
    if team not in library.library().teams:
        raise Http404
    kept = rosters.keep(rosters.from_team(team))
    return redirect(f"{reverse('killteam:roster', args=[kept.key])}{_place(request)}")


@require_POST
@limited("play")
def samples(request: Request) -> HttpResponse:
    """Two small teams of the library, set against each other."""
    keys = []
    for team in SAMPLES:
        whole = rosters.from_team(team)
        keys.append(rosters.keep({**whole, "operatives": whole["operatives"][:SAMPLE_SIZE]}).key)
    return redirect(f"{reverse('killteam:duel')}?{urlencode({'a': keys[0], 'b': keys[1]})}")


# -- One roster -----------------------------------------------------------------------------------------------------


@require_GET
@limited("page")
def roster(request: Request, key: str) -> HttpResponse:
    """What was read of a list, line by line and operative by operative, to be mended by hand."""
    found = _roster(key)
    document = found.document
    context = {
        "roster": found,
        "document": document,
        "operatives": [_row(document, at) for at in range(len(document["operatives"]))],
        "unread": rosters.unread(document),
        "cards": rosters.cards_of(document["team"]),
        "side": request.GET.get("side", ""),
        "other": request.GET.get("other", ""),
        "tab_links": tab_links(TABS),
    }
    return render(request, "killteam/roster.html", context)


def _roster(key: str) -> Roster:
    found = rosters.find(key)
    if found is None:
        raise Http404
    return found


def _row(document: Document, at: int) -> dict[str, Any]:
    operative = document["operatives"][at]
    weapons = [
        {"field": f"o{at + 1}-w{n}", "line": str(rosters.line_of(weapon)), "carried": weapon["carried"]}
        for n, weapon in enumerate(operative["weapons"], 1)
    ]
    return {
        "prefix": f"o{at + 1}-",
        "operative": operative,
        "weapons": weapons,
        "carried": sum(weapon["carried"] for weapon in weapons),
        "notes": [*operative["notes"], *rosters.to_set(operative)],
        "unknown": not operative["card"],
    }


@require_POST
@limited("play")
def mend(request: Request, key: str) -> HttpResponse:
    """The roster with what the form changed, as a new one."""
    found = _roster(key)
    changed = rosters.keep(rosters.mended(found.document, request.POST.dict()))
    side, other = (request.POST.get(name, "") for name in ("side", "other"))
    if request.POST.get("then") == "duel" and side in OTHER and other:
        return redirect(_duel_link(side, changed.key, other))
    if request.POST.get("then") == "against":
        return redirect(f"{reverse('killteam:rosters')}?{urlencode({'side': 'b', 'other': changed.key})}")
    return redirect(f"{reverse('killteam:roster', args=[changed.key])}{_place(request)}")


@require_POST
@limited("play")
def save(request: Request) -> HttpResponse:
    """Keep a roster or a pair under a name."""
    kind = TWO if request.POST.get("kind") == TWO else ONE
    query = request.POST.get("query", "")
    try:
        kept = saved_rosters.SAVED_ROSTERS.save(
            player_for(request), kind, request.POST.get("name", ""), {"query": query}
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, f"{kept.name} is saved among your rosters.")
    if kind == TWO:
        return redirect(f"{reverse('killteam:duel')}?{QueryDict(query).urlencode()}")
    key = QueryDict(query).get("a", "")
    return redirect("killteam:roster", key) if rosters.find(key) else redirect("killteam:rosters")


@require_POST
@limited("play")
def delete(request: Request, pk: int) -> HttpResponse:
    if not saved_rosters.SAVED_ROSTERS.delete(request.player, pk):
        raise Http404
    messages.success(request, "It is deleted.")
    return redirect("killteam:rosters")


# -- Two rosters ----------------------------------------------------------------------------------------------------


def _address(query: QueryDict) -> Address:
    phase = query.get("phase", "")
    phase = phase if phase in PHASES else "shoot"
    show = query.get("show", "")
    return Address(
        duel_tables.ROUTE,
        duel_tables.USUAL,
        query.get("a", "")[:16],
        query.get("b", "")[:16],
        phase,
        show if show in MEASURES[phase] else duel_tables.USUAL,
        tuple(duels.known(query.getlist("on"))),
    )


def _duel(address: Address) -> Duel | None:
    return duels.duel_of(address._asdict())


def _asked(query: QueryDict) -> tuple[Address, Duel]:
    """The duel of an address that has one."""
    address = _address(query)
    found = _duel(address)
    if found is None:
        raise Http404
    return address, found


@require_GET
@limited("page")
def duel(request: Request) -> HttpResponse:
    """Two rosters against each other, both ways: who should attack whom, and every match-up."""
    address = _address(request.GET)
    found = _duel(address)
    if found is None:
        known = next((key for key in (address.a, address.b) if rosters.find(key)), "")
        side = "b" if known == address.a and known else "a"
        query = f"?{urlencode({'side': side, 'other': known})}" if known else ""
        return redirect(f"{reverse('killteam:rosters')}{query}")
    measure = MEASURES[address.phase][address.show]
    grids = found.grids(address.phase)
    context = {
        "duel": found,
        "address": address,
        "query": address.query(),
        "link": address.link(),
        "measure": measure,
        "headline": duel_tables.headline(found, grids["a"], measure) if grids else None,
        "tables": duel_tables.tables(found, grids, address, measure) if grids else [],
        "fights": 2 * len(found.sides["a"]) * len(found.sides["b"]),
        "missing": grids is None,
        "job": _job(request),
        "measures": [(one, address.link(show=one.key)) for one in MEASURES[address.phase].values()],
        "phases": [(key, title, address.link(phase=key, show="")) for key, title in PHASES.items()],
        "teams": [_team(found, address, side) for side in OTHER],
        "operative": _operative(found, address, request.GET.get("operative", "")),
        "tab_links": tab_links(TABS),
    }
    live = request.headers.get("HX-Target") == "duel-tables"
    return render(request, "killteam/components/duel_tables.html" if live else "killteam/duel.html", context)


def _team(found: Duel, address: Address, side: str) -> dict[str, Any]:
    """A roster on the page: its switches, and what of its options is left to the player."""
    document = found.a if side == "a" else found.b
    groups = duel_tables.switch_groups(address, side, document["team"], address.phase)
    return {
        "side": side,
        "key": getattr(address, side),
        "other": getattr(address, OTHER[side]),
        "document": document,
        "switches": groups,
        "words_beside": duel_tables.words_beside(address, groups),
        "active": sum(switch["on"] for group in groups for switch in group["switches"]),
        "left_out": options.left_out(document["team"]),
    }


def _operative(found: Duel, address: Address, wanted: str) -> dict[str, Any] | None:
    """The switches of one operative: ``a3`` is the third of roster A."""
    for side, members in found.sides.items():
        for one in members:
            if f"{side}{one.place + 1}" == wanted:
                team = (found.a if side == "a" else found.b)["team"]
                groups = duel_tables.switch_groups(address, wanted, team, address.phase)
                beside = duel_tables.words_beside(address, groups)
                return {"name": one.name, "switches": groups, "words_beside": beside}
    return None


def _job(request: Request) -> dict[str, Any] | None:
    try:
        found = jobs.visible_to(request.player).filter(pk=uuid.UUID(request.GET.get("job", ""))).first()
    except ValueError:
        return None
    return {"job": found, "kind": registry.find(found.kind)} if found else None


@require_GET
@limited("page")
def cell(request: Request) -> HttpResponse:
    """One operative against another: every weapon, one activation, several targets."""
    address, found = _asked(request.GET)
    pair = matchup.pair_of(found, *(request.GET.get(name, "") for name in ("side", "from", "to")))
    if pair is None:
        raise Http404
    attacker, target = pair
    enemies = found.sides[target.side]
    others = [int(n) for n in request.GET.getlist("with") if n.isdecimal() and len(n) < 3 and int(n) < len(enemies)]
    also = [at for at in dict.fromkeys(others) if at != target.place]
    shots = matchup.shot_rows(found, attacker, target)
    own = f"{address.query()}&{urlencode({'side': attacker.side, 'from': attacker.place, 'to': target.place})}"
    context = {
        "address": address,
        "link": address.link(),
        "query": own,
        "attacker": attacker,
        "target": target,
        "shots": shots,
        "turns": matchup.turn_rows(found, attacker, target),
        "fights": matchup.fight_rows(found, attacker, target),
        "reaches_several": any(row["several"] for row in shots),
        "several": matchup.several(found, attacker, [target, *(enemies[at] for at in also)]),
        "others": [
            {"at": one.place, "name": one.name, "chosen": one.place in also} for one in enemies if one != target
        ],
        "back": duel_tables.cell_link(address, target.side, target.place, attacker.place),
        "tab_links": tab_links(TABS),
    }
    return render(request, "killteam/duel_cell.html", context)


@require_GET
@limited("compute")
def cell_advice(request: Request) -> HttpResponse:
    """What would help one operative against another: a panel fetched after the page, or a page of its own."""
    address, found = _asked(request.GET)
    pair = matchup.pair_of(found, *(request.GET.get(name, "") for name in ("side", "from", "to")))
    if pair is None:
        raise Http404
    context = {
        "attacker": pair[0],
        "target": pair[1],
        "link": address.link(),
        "advice": [(title, matchup.lifts(found, *pair, phase)) for phase, title in PHASES.items()],
    }
    live = request.headers.get("HX-Request")
    return render(request, "killteam/components/duel_advice.html" if live else "killteam/duel_advice.html", context)


@require_POST
@limited("job")
def count(request: Request) -> HttpResponse:
    """Fight the fights of two rosters in the background and watch it on their page."""
    address, _ = _asked(QueryDict(request.POST.get("query", "")))
    document = {"a": address.a, "b": address.b, "on": list(address.on), "query": address.query()}
    job = jobs.start(player_for(request), "killteam.duel", document)
    return redirect(f"{address.link()}&job={job.pk}")


@require_GET
@limited("compute")
def duel_csv(request: Request) -> HttpResponse:
    address, found = _asked(request.GET)
    grids = found.grids(address.phase, wait=True)
    assert grids is not None
    return csv_response(f"duel-{address.phase}", duel_tables.csv_table(found, grids, address.phase))


@require_GET
@limited("compute")
def sheet(request: Request) -> HttpResponse:
    """A sheet to print for the table: each operative of roster A with every enemy."""
    address, found = _asked(request.GET)
    shots, fights = found.grids("shoot"), found.grids("fight")
    assert shots is not None
    context = {
        "duel": found,
        "cards": duel_tables.sheet(found, shots["a"], fights["a"] if fights else None),
        "link": address.link(),
        "fights_link": address.link(phase="fight", show=""),
        "has_fights": fights is not None,
        "switched": [_word(word) for word in address.on],
    }
    return render(request, "killteam/duel_sheet.html", context)


def _word(word: str) -> str:
    """A switch in words: whose, and which."""
    where, _, key = word.partition(".")
    switch = options.by_key(key)
    return f"{where.upper()}: {switch.title if switch else key}"

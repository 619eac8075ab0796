"""Pages of whole armies: read a list, mend it, and set it against another."""

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
from apps.core.calculator import csv_response
from apps.core.limits import limited
from apps.jobs import registry
from apps.jobs import services as jobs
from apps.rosters import files
from apps.rosters.reading import FORMS
from apps.rosters.roster import RosterError
from apps.warhammer40k import armies, datasheets, duel_tables, library, saved_armies, switches
from apps.warhammer40k.builder import tabs_with
from apps.warhammer40k.duel_tables import MEASURES, OTHER, Address
from apps.warhammer40k.models import Army
from apps.warhammer40k.services import duel as duels
from apps.warhammer40k.services.duel import PHASES, Duel, Pair

#: Cells a page counts while it is asked for; more of them are a job.
INLINE = 40
#: The chance to destroy a unit that is enough, in percent.
LEVEL = 80
SAMPLES = (("Space Marines", 6), ("Orks", 6))
EDITIONS = (("", "as the list says"), ("tenth", "10th edition"), ("eleventh", "11th edition"))


# -- Reading a list -------------------------------------------------------------------------------------------------


@require_GET
@limited("page")
def home(request: Request) -> HttpResponse:
    """Paste or send a list; one's own armies."""
    return _home(request, request.GET)


def _home(request: Request, source: QueryDict, error: str = "") -> HttpResponse:
    own = saved_armies.SAVED_ARMIES.visible_to(request.player)
    context = {
        "forms": FORMS[:-1],
        "editions": EDITIONS,
        "text": source.get("text", ""),
        "side": source.get("side", ""),
        "other": source.get("other", ""),
        "error": error,
        "own_armies": [_own(saved, source) for saved in own if saved.kind == "army"],
        "own_duels": [_own(saved, source) for saved in own if saved.kind == "duel"],
        "tab_links": tabs_with("", "warhammer40k:armies"),
    }
    return render(request, "warhammer40k/armies.html", context, status=422 if error else 200)


def _own(saved: Any, source: QueryDict) -> dict[str, Any]:
    query = saved.values["query"]
    key = QueryDict(query).get("a", "")
    if saved.kind == "duel":
        href = f"{reverse('warhammer40k:duel')}?{query}"
    elif (side := source.get("side")) and (other := source.get("other")):
        href = _duel_link(side, key, other)
    else:
        href = reverse("warhammer40k:army", args=[key])
    return {"pk": saved.pk, "name": saved.name, "href": href}


def _duel_link(side: str, key: str, other: str) -> str:
    """The duel of a new army on one side and another one on the other."""
    pair = {"a": key, "b": other} if side == "a" else {"a": other, "b": key}
    return f"{reverse('warhammer40k:duel')}?{urlencode(pair)}"


@require_POST
@limited("play")
def read(request: Request) -> HttpResponse:
    """Read a pasted or sent list, and show what was made of each line."""
    upload = request.FILES.get("file")
    stated = request.POST.get("edition", "")
    edition = stated if stated in datasheets.EDITIONS else None
    try:
        if upload is not None and (upload.size or 0) > files.MOST_BYTES:
            raise files.too_large(upload.size or 0)
        document = armies.read_list(upload.read() if upload else request.POST.get("text", ""), edition)
    except RosterError as error:
        return _home(request, request.POST, str(error))
    kept = armies.keep(document)
    place = {name: request.POST[name] for name in ("side", "other") if request.POST.get(name)}
    return redirect(f"{reverse('warhammer40k:army', args=[kept.key])}{'?' + urlencode(place) if place else ''}")


@require_POST
@limited("play")
def samples(request: Request) -> HttpResponse:
    """Two small armies of the library, set against each other."""
    keys = [armies.keep(_sample(faction, size)).key for faction, size in SAMPLES]
    return redirect(f"{reverse('warhammer40k:duel')}?{urlencode({'a': keys[0], 'b': keys[1]})}")


def _sample(faction: str, size: int) -> armies.Document:
    units = [unit for unit in datasheets.army("eleventh", faction) if unit.weapons and unit.wargear][:size]
    return {
        "name": faction,
        "edition": "eleventh",
        "faction": faction,
        "units": [armies.from_card(unit) for unit in units],
        "lines": [],
    }


# -- One army -------------------------------------------------------------------------------------------------------


@require_GET
@limited("page")
def army(request: Request, key: str) -> HttpResponse:
    """What was read of a list, line by line and unit by unit, to be mended by hand."""
    found = _army(key)
    document = found.document
    context = {
        "army": found,
        "document": document,
        "points": armies.points(document),
        "units": [_unit_row(document, at) for at in range(len(document["units"]))],
        "unread": armies.unread(document),
        "read": [line for line in document["lines"] if line[2]],
        "edition": dict(EDITIONS)[document["edition"]],
        "titles": [unit.title for unit in datasheets.army(document["edition"], document["faction"])]
        if document["faction"] in datasheets.factions(document["edition"])
        else [],
        "side": request.GET.get("side", ""),
        "other": request.GET.get("other", ""),
        "tab_links": tabs_with("", "warhammer40k:armies"),
    }
    return render(request, "warhammer40k/army.html", context)


def _army(key: str) -> Army:
    found = armies.find(key)
    if found is None:
        raise Http404
    return found


def _unit_row(document: armies.Document, at: int) -> dict[str, Any]:
    unit = document["units"][at]
    to_set = [
        f"{weapon['name']}: {rule}" for weapon in unit["weapons"] for mode in weapon["modes"] for rule in mode["to_set"]
    ]
    return {
        "prefix": f"u{at + 1}-",
        "unit": unit,
        "groups": [
            {"field": f"u{at + 1}-g{n}", "name": group[0], "count": group[1], "figures": _figures(group)}
            for n, group in enumerate(unit["groups"], 1)
        ],
        "weapons": [
            {"field": f"u{at + 1}-w{n}", "name": weapon["name"], "count": weapon["count"]}
            for n, weapon in enumerate(unit["weapons"], 1)
        ],
        "leads": armies.leadable(document, at),
        "notes": [*unit["notes"], *dict.fromkeys(to_set)],
        "unknown": not unit["card"],
    }  # fmt: skip


def _figures(group: list[Any]) -> str:
    _, _, toughness, save, wounds, invulnerable, pain = group
    saves = f"{save}+" if save < 7 else "–"
    saves += f"/{invulnerable}++" if invulnerable else ""
    return f"T{toughness}, Sv {saves}, W{wounds}" + (f", FNP {pain}+" if pain else "")


@require_POST
@limited("play")
def mend(request: Request, key: str) -> HttpResponse:
    """The army with what the form changed, as a new one."""
    found = _army(key)
    changed = armies.keep(armies.mended(found.document, request.POST.dict()))
    wanted = request.POST.get("add", "").strip()
    if wanted and len(changed.document["units"]) == len(found.document["units"]):
        messages.error(request, f"There is no unit “{wanted[:60]}” in the library.")
    place = {name: request.POST[name] for name in ("side", "other") if request.POST.get(name)}
    if request.POST.get("then") == "duel" and place.get("side") and place.get("other"):
        return redirect(_duel_link(place["side"], changed.key, place["other"]))
    return redirect(f"{reverse('warhammer40k:army', args=[changed.key])}{'?' + urlencode(place) if place else ''}")


@require_POST
@limited("play")
def save(request: Request) -> HttpResponse:
    """Keep an army or a pair under a name."""
    kind = "duel" if request.POST.get("kind") == "duel" else "army"
    query = request.POST.get("query", "")
    try:
        kept = saved_armies.SAVED_ARMIES.save(player_for(request), kind, request.POST.get("name", ""), {"query": query})
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, f"{kept.name} is saved among your armies.")
    if kind == "duel":
        return redirect(f"{reverse('warhammer40k:duel')}?{QueryDict(query).urlencode()}")
    key = QueryDict(query).get("a", "")
    return redirect("warhammer40k:army", key) if armies.find(key) else redirect("warhammer40k:armies")


@require_POST
@limited("play")
def delete(request: Request, pk: int) -> HttpResponse:
    if not saved_armies.SAVED_ARMIES.delete(request.player, pk):
        raise Http404
    messages.success(request, "It is deleted.")
    return redirect("warhammer40k:armies")


# -- Two armies -----------------------------------------------------------------------------------------------------


def _address(query: QueryDict) -> Address:
    show, phase = query.get("show", ""), query.get("phase", "")
    return Address(
        query.get("a", "")[:16],
        query.get("b", "")[:16],
        phase if phase in PHASES else "shoot",
        show if show in MEASURES else "points",
        tuple(switches.known(query.getlist("on"))),
    )


def _duel(address: Address) -> Duel | None:
    return duels.duel_of(address._asdict())


@require_GET
@limited("page")
def duel(request: Request) -> HttpResponse:
    """The heat map of two armies, both ways. Few missing cells are counted at once, many are a job."""
    address = _address(request.GET)
    found = _duel(address)
    if found is None:
        known = next((key for key in (address.a, address.b) if armies.find(key)), "")
        side = "b" if known == address.a and known else "a"
        return redirect(
            f"{reverse('warhammer40k:armies')}{'?' + urlencode({'side': side, 'other': known}) if known else ''}"
        )
    cells = found.counted()
    missing = [pair for pair in found.pairs() if pair not in cells]
    if len(missing) <= INLINE:
        cells |= dict(found.count(missing))
        missing = []
    unit = _unit_panel(found, address, request.GET.get("unit", ""))
    context = {
        "duel": found,
        "address": address,
        "query": address.query(),
        "link": address.link(),
        "tables": duel_tables.tables(found, cells, address) if not missing else [],
        "missing": len(missing),
        "size": len(found.pairs()),
        "job": _job(request),
        "measure": MEASURES[address.show],
        "measures": [(measure, address.link(show=measure.key)) for measure in MEASURES.values()],
        "phases": [(key, title, address.link(phase=key)) for key, title in PHASES.items()],
        "armies": [
            {
                "side": side,
                "key": getattr(address, side),
                "document": document,
                "points": armies.points(dict(document)),
                "switches": duel_tables.switch_groups(address, side),
                "other": getattr(address, OTHER[side]),
                "active": sum(word.startswith(f"{side}.") for word in address.on),
            }
            for side, document in (("a", found.a), ("b", found.b))
        ],
        "unit": unit,
        "unit_words": [word for word in address.on if word.partition(".")[0][1:]],
        "two_editions": found.a["edition"] != found.b["edition"],
        "tab_links": tabs_with("", "warhammer40k:armies"),
    }  # fmt: skip
    live = request.headers.get("HX-Target") == "duel-tables"
    return render(request, "warhammer40k/components/duel_tables.html" if live else "warhammer40k/duel.html", context)


def _job(request: Request) -> dict[str, Any] | None:
    try:
        found = jobs.visible_to(request.player).filter(pk=uuid.UUID(request.GET.get("job", ""))).first()
    except ValueError:
        return None
    return {"job": found, "kind": registry.find(found.kind)} if found else None


def _unit_panel(found: Duel, address: Address, wanted: str) -> dict[str, Any] | None:
    """The switches of one unit: ``a3`` is the third of army A."""
    for fighter in (one for side in found.fighters.values() for one in side):
        if f"{fighter.side}{fighter.place + 1}" == wanted:
            return {
                "name": fighter.name,
                "prefix": wanted,
                "switches": duel_tables.switch_groups(address, wanted),
                "others": [word for word in address.on if not word.startswith(f"{wanted}.")],
            }
    return None


@require_POST
@limited("job")
def count(request: Request) -> HttpResponse:
    """Count a duel's cells in the background and watch it on its page."""
    address = _address(QueryDict(request.POST.get("query", "")))
    if _duel(address) is None:
        raise Http404
    document = {
        "a": address.a,
        "b": address.b,
        "phase": address.phase,
        "on": list(address.on),
        "query": address.query(),
    }
    job = jobs.start(player_for(request), "warhammer40k.duel", document)
    return redirect(f"{address.link()}&job={job.pk}")


@require_GET
@limited("page")
def duel_csv(request: Request) -> HttpResponse:
    found = _duel(_address(request.GET))
    if found is None:
        raise Http404
    cells = found.counted()
    cells |= dict(found.count(pair for pair in found.pairs() if pair not in cells))
    return csv_response("duel", duel_tables.csv_table(found, {pair: cells[pair] for pair in found.pairs()}))


@require_GET
@limited("page")
def cell(request: Request) -> HttpResponse:
    """One cell in full: every distribution, several units in order, how many it takes."""
    address = _address(request.GET)
    found = _duel(address)
    pair = _pair(request.GET, found)
    if found is None or pair is None:
        raise Http404
    target = found.target(pair)
    others = [int(n) for n in request.GET.getlist("with") if n.isdecimal() and int(n) < len(found.fighters[pair.side])]
    order = list(dict.fromkeys([pair.attacker, *others]))
    attackers = [found.fighters[pair.side][at] for at in order]
    outcome = duels.resolved(attackers, target, found.phase, found.edition)
    own = f"{address.query()}&side={pair.side}&from={pair.attacker}&to={pair.target}"
    context = {
        "address": address,
        "link": address.link(),
        "query": own,
        "pair": pair,
        "attackers": attackers,
        "target": target,
        "phase": PHASES[found.phase],
        "outcome": outcome,
        "answer": duels.answer_of(outcome, target) if outcome else None,
        "steps": duels.in_order(found, attackers, target) if len(attackers) > 1 else [],
        "others": [
            {"at": at, "name": one.name, "on": at in order}
            for at, one in enumerate(found.fighters[pair.side])
            if at != pair.attacker
        ],
        "copies": duels.copies_needed(found, attackers[0], target, LEVEL / 100) if outcome else None,
        "level": LEVEL,
        "most_copies": duels.MOST_COPIES,
        "back_cell": Pair(OTHER[pair.side], pair.target, pair.attacker),
        "tab_links": tabs_with("", "warhammer40k:armies"),
    }
    return render(request, "warhammer40k/duel_cell.html", context)


def _pair(query: QueryDict, found: Duel | None) -> Pair | None:
    side, at, to = query.get("side", ""), query.get("from", ""), query.get("to", "")
    if found is None or side not in OTHER or not (at.isdecimal() and to.isdecimal()):
        return None
    pair = Pair(side, int(at), int(to))
    return pair if pair in set(found.pairs()) else None


@require_GET
@limited("compute")
def plan(request: Request) -> HttpResponse:
    """The use of every unit that takes most points."""
    address = _address(request.GET)
    found = _duel(address)
    side = request.GET.get("side", "a")
    if found is None or side not in OTHER:
        raise Http404
    best = duels.best_plan(found, side)
    attackers, targets = found.fighters[side], found.fighters[OTHER[side]]
    context = {
        "address": address,
        "link": address.link(),
        "points": best.points,
        "rows": [
            {"target": target, "attackers": [one for at, one in enumerate(attackers) if best.targets[at] == to]}
            for to, target in enumerate(targets)
            if to in best.targets
        ],
        "name": found.a["name"] if side == "a" else found.b["name"],
        "side": side,
    }
    live = request.headers.get("HX-Request")
    return render(request, "warhammer40k/components/plan.html" if live else "warhammer40k/plan.html", context)


@require_GET
@limited("page")
def add_options(request: Request) -> HttpResponse:
    """Titles that complete what one types, of an edition."""
    edition: datasheets.Edition = "eleventh" if request.GET.get("edition") == "eleventh" else "tenth"
    found = library.search("unit", request.GET.get("add", "")[:60], "", edition)[:20]
    return render(request, "warhammer40k/components/titles.html", {"titles": [profile.title for profile in found]})

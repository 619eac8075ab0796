"""Open the record sheet at an address, do what was asked, and gather what the page shows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from apps.battletech.services import actions, address, doll, log, risk
from apps.battletech.services.actions import Action, Phase, SetRounds, Step
from apps.battletech.services.address import HOTTEST, MOST_TURNS, Address, Reading
from engine.battletech.explosion import CAUSES, fewest_dice
from engine.battletech.mech import Mech
from engine.battletech.presets import STOCK
from engine.battletech.tables import CASE_TWO, DIFFERENCES, PILOT_HITS_TO_KILL, PROFILES
from engine.wire import EngineError

#: Where the dice of a phase come from.
DICE_FROM = (("random", "Random"), ("seed", "Seed"), ("typed", "My dice"))
#: The three readings of CASE II (ruling 4), in words.
CASE_TWO_WORDS = {
    "contain": "1 to its own structure, 1 onward, the rest vented",
    "full": "its own structure takes all it can, at most 1 onward",
    "official": "1 to its own structure, the rest out through the armour, nothing onward",
}
MOST_SEED = 999_999_999


@dataclass(slots=True)
class Opened:
    """A sheet as it stands, how it got there, and what went wrong on the way."""

    reading: Reading
    steps: list[Step]
    acted: bool = False

    @property
    def address(self) -> Address:
        return self.reading.address

    @property
    def mech(self) -> Mech:
        return self.steps[-1].after if self.steps else self.address.start

    @property
    def errors(self) -> dict[str, str]:
        return self.reading.errors


def open_sheet(query: QueryDict) -> Opened:
    """Read an address, replay it, then do what a button asked for."""
    opened = _replayed(address.read(query))
    before = opened.address
    _set_rounds(opened, query)
    if do := query.get("do", ""):
        _act(opened, query, do)
    try:
        risk.curve(opened.mech, opened.address.rules)
    except EngineError as error:  # more different bins than can be counted: stay at the last sheet that could
        opened.reading.refuse("rounds" if opened.acted else "mech", error.message)
        opened.reading.address = before if opened.acted else address.welcome()
        return _replayed(opened.reading)
    return opened


def _replayed(reading: Reading) -> Opened:
    """Replay what stands; an action that no longer fits (other rules, a cut link) goes, and with it what followed."""
    opened, here = Opened(reading, []), reading.address
    for action in here.done:
        try:
            opened.steps.append(actions.do(opened.mech, here.rules, action))
        except EngineError as error:
            kept = here.did[: len(opened.steps)]
            reading.address = replace(here, did=kept, at=len(kept))
            reading.refuse("did", f"Action {len(kept) + 1} and what followed no longer fit this sheet. {error.message}")
            break
    return opened


def _do(opened: Opened, action: Action) -> None:
    following = opened.address.then(action)
    if len(following.did) <= len(opened.steps):  # a slider still moving: its last stop is replaced
        opened.steps.pop()
    opened.steps.append(actions.do(opened.mech, opened.address.rules, action))
    opened.reading.address = following
    opened.acted = True


def _set_rounds(opened: Opened, query: QueryDict) -> None:
    """Rounds that differ from the sheet's were changed by the reader."""
    called = doll.names(opened.mech)
    for number, item in enumerate(opened.mech.bins, 1):
        text = query.get(f"r{number}", "").strip()
        if f"r{number}" not in query or opened.mech.lost(item) or text == str(item.rounds):
            continue
        if not (text.isdecimal() and len(text) <= 4 and int(text) <= actions.MOST_ROUNDS):
            shown = text[:20] or "nothing"
            message = f"{called[item.bin_id]}: rounds must be 0–{actions.MOST_ROUNDS}; you entered {shown}."
            opened.reading.refuse(f"r{number}", message, text[:20])
        else:
            _attempt(opened, f"r{number}", SetRounds(number, int(text)))


def _attempt(opened: Opened, field: str, action: Action, entered: str = "") -> None:
    try:
        _do(opened, action)
    except EngineError as error:
        opened.reading.refuse(field, error.message, entered)


def _act(opened: Opened, query: QueryDict, do: str) -> None:
    """A button: roll the phase, a degree more or less, a turn more or less, or an action by its code."""
    here = opened.address
    if do == "phase":
        _phase(opened, query)
    elif do in ("cooler", "hotter"):
        step = 1 if do == "hotter" else -1
        opened.reading.address = replace(here, heat=min(HOTTEST, max(0, here.heat + step)))
    elif do == "plan-add":
        opened.reading.address = replace(here, plan=(*here.heats, here.heats[-1])[:MOST_TURNS])
    elif do == "plan-remove":
        opened.reading.address = replace(here, plan=here.heats[:-1] or here.heats)
    elif do == "plan-follow":
        opened.reading.address = replace(here, plan=())
    else:
        try:
            _attempt(opened, "did", actions.parse(do))
        except EngineError as error:
            opened.reading.refuse("did", error.message)


def _phase(opened: Opened, query: QueryDict) -> None:
    here, source = opened.address, query.get("dice_from", "random")
    if "heat" in opened.errors:
        return
    if source == "seed":
        text = query.get("seed", "").strip()
        if not (text.isdecimal() and int(text[:12]) <= MOST_SEED and len(text) <= 9):
            shown = text[:20] or "nothing"
            opened.reading.refuse("seed", f"A seed is 0–{MOST_SEED:,}; you entered {shown}.", text[:20])
        else:
            _attempt(opened, "seed", Phase(here.heat, seed=int(text)))
    elif source == "typed":
        _typed(opened, query.get("dice", ""))
    else:
        _attempt(opened, "dice", actions.roll(opened.mech, here.rules, here.heat))


def _typed(opened: Opened, text: str) -> None:
    faces = re.sub(r"[\s,;.+-]+", "", text)
    if wrong := re.search(r"[^1-6]", faces):
        opened.reading.refuse("dice", f"Dice show 1–6; you entered “{wrong[0]}”.", text[:400])
        return
    here = opened.address
    try:
        _do(opened, Phase(here.heat, tuple(map(int, faces[:400]))))
    except EngineError as error:
        fewest = fewest_dice(opened.mech, here.rules, here.heat)
        hint = f" This phase takes at least {fewest}." if fewest > len(faces) else ""
        opened.reading.refuse("dice", f"{error.message}{hint}", text[:400])


def context(opened: Opened, query: QueryDict) -> dict[str, Any]:
    """Everything the page prints."""
    here, mech = opened.address, opened.mech
    rules, heat = here.rules, here.heat
    stretches = risk.curve(mech, rules)
    now = risk.at_heat(stretches, heat)
    turns = risk.plan(mech, rules, here.heats)
    dumps, chapters = risk.dumps(mech, rules, heat), log.chapters(opened.steps)
    return {
        "address": here,
        "link": here.link(),
        "query": here.link().partition("?")[2],
        "fields": here.fields(),
        "errors": opened.errors,
        "entered": opened.reading.entered,
        "mech": mech,
        "mech_name": mech.name or "A ’Mech of your own",
        "warnings": mech.warnings,
        "cause": _cause(opened),
        "pilot": range(1, PILOT_HITS_TO_KILL + 1),
        "now": now,
        "stretches": stretches,
        "bars": [(at, stretch) for stretch in stretches for at in range(stretch.low, stretch.high + 1)],
        "live": {"stretches": [s.as_json() for s in stretches], "lows": [s.low for s in stretches]},
        "parts": doll.parts(mech, rules, here.start, now.p_location, here),
        "bins": _bins(opened),
        "weapons": _weapons(opened),
        "dumps": [(row, here.link(row.code)) for row in dumps],
        "same_dumps": len({round(row.less_lost, 9) for row in dumps}) == 1 < len(dumps),
        "turns": turns,
        "end": turns[-1],
        "most_turns": MOST_TURNS,
        "protection_rows": risk.comparison_rows(risk.comparison(mech, rules, heat)),
        "chapters": chapters,
        "said": log.said(chapters[0]) if chapters and opened.acted else "",
        "fewest_dice": fewest_dice(mech, rules, heat),
        "dice_from": _dice_from(opened, query),
        "method": risk.method(mech, rules, heat),
        **_rules(here, mech),
        **_links(here),
    }


def _bins(opened: Opened) -> list[dict[str, Any]]:
    """The rows of the bins panel."""
    mech, here, called = opened.mech, opened.address, doll.names(opened.mech)
    rows = []
    for number, item in enumerate(mech.bins, 1):
        most = max(doll.full_rounds(item), item.rounds, here.start.bins[number - 1].rounds, 1)
        field = f"r{number}"
        rows.append(
            {
                "field": field,
                "code": f"b{number}",
                "name": called[item.bin_id],
                "bin": item,
                "protection": doll.PROTECTION_WORDS[mech.protection(item.location, here.rules.book)],
                "lost": mech.lost(item),
                "most": most,
                "error": opened.errors.get(field, ""),
                "value": opened.reading.entered.get(field, item.rounds),
                "hit": here.link(f"b{number}"),
            }
        )
    return rows


def _weapons(opened: Opened) -> list[dict[str, Any]]:
    mech, here, called = opened.mech, opened.address, doll.names(opened.mech)
    return [
        {
            "code": f"e{number}",
            "name": called[item.equipment_id],
            "weapon": item,
            "lost": mech.lost(item),
            "damage": item.explosion(here.rules.book),
            "hit": here.link(f"e{number}"),
            "protection": doll.PROTECTION_WORDS[mech.protection(item.location, here.rules.book)],
        }
        for number, item in enumerate(mech.explosive_equipment, 1)
    ]


def _dice_from(opened: Opened, query: QueryDict) -> dict[str, Any]:
    """The dice panel keeps what was chosen and, after an error, what was entered."""
    chosen = query.get("dice_from", "random")
    chosen = chosen if chosen in dict(DICE_FROM) else "random"
    typed = opened.reading.entered.get("dice", "")
    return {"chosen": chosen, "choices": DICE_FROM, "seed": query.get("seed", "")[:9] or "1", "typed": typed}


def _cause(opened: Opened) -> str:
    for step in opened.steps:
        if step.outcome and step.outcome.cause and step.outcome.cause != "already":
            return CAUSES[step.outcome.cause]
    return ""


def _rules(here: Address, mech: Mech) -> dict[str, Any]:
    rules = here.rules
    model = rules.case2 or rules.book.case_two

    def with_rules(**changes: Any) -> str:
        return replace(here, rules=rules.model_copy(update=changes)).link()

    return {
        "profile": rules.profile,
        "profiles": [
            {"label": label, "link": with_rules(profile=key), "current": key == rules.profile}
            for key, label in (("standard", "Standard"), ("total_warfare", "Total Warfare"))
        ],
        "case_two": [
            {
                "label": key.capitalize(),
                "words": CASE_TWO_WORDS[key],
                "current": key == model,
                "link": with_rules(case2=None if key == rules.book.case_two else key),
                "default": key == PROFILES[rules.profile].case_two,
            }
            for key in CASE_TWO
        ],
        "differences": DIFFERENCES,
        "under": risk.under(mech, rules, here.heat),
    }


def _links(here: Address) -> dict[str, Any]:
    """Undo, redo, start again, and the stock 'Mechs."""
    back = replace(here, at=here.at - 1).link() if here.at else ""
    forth = replace(here, at=here.at + 1).link() if here.at < len(here.did) else ""
    return {
        "undo": back,
        "redo": forth,
        "cooler": here.link("cooler"),
        "hotter": here.link("hotter"),
        "restart": replace(here, did=(), at=0).link() if here.did else "",
        "stock": [{"key": key, "name": row.name, "tonnage": row.tonnage} for key, row in STOCK.items()],
    }

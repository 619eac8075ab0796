"""What the record sheet's page shows: everything its templates print, gathered from the services."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import QueryDict

from apps.battletech.services import doll, log, risk
from apps.battletech.services.address import MOST_TURNS, Address
from apps.battletech.services.sheet import Opened
from apps.core.cards import Card, Figure
from apps.core.formats import percent, percent_parts
from engine.battletech.explosion import fewest_dice, is_out
from engine.battletech.log import CAUSES
from engine.battletech.mech import Mech
from engine.battletech.presets import STOCK
from engine.battletech.tables import CASE_TWO, DIFFERENCES, PILOT_HITS_TO_KILL, PROFILES, ProfileName

#: Where the dice of a phase come from.
DICE_FROM = (("random", "Random"), ("seed", "Seed"), ("typed", "My dice"))
#: The two sets of rules, named for how they roll.
RULE_SETS: dict[ProfileName, str] = {"standard": "One roll per bin", "total_warfare": "Total Warfare: one roll"}
#: The three readings of CASE II (ruling 4), in words.
CASE_TWO_WORDS = {
    "contain": "1 to its own structure, 1 onward, the rest vented",
    "full": "its own structure takes all it can, at most 1 onward",
    "official": "1 to its own structure, the rest out through the armour, nothing onward",
}


def context(opened: Opened, query: QueryDict) -> dict[str, Any]:
    """Everything the page prints."""
    here, mech = opened.address, opened.mech
    rules, heat = here.rules, here.heat
    stretches = risk.curve(mech, rules)
    now = risk.at_heat(stretches, heat)
    other = _other_rules(here)
    elsewhere = risk.curve(mech, other.rules)
    turns = risk.plan(mech, rules, here.heats)
    dumps, chapters = risk.dumps(mech, rules, heat), log.chapters(opened.steps)
    return {
        "address": here,
        "link": here.link(),
        "query": here.link().partition("?")[2],
        "fields": here.fields(),
        "errors": opened.errors,
        "entered": {field: problem.entered for field, problem in opened.problems.items()},
        "mech": mech,
        "mech_name": mech.name or "A ’Mech of your own",
        "warnings": mech.warnings,
        "cause": _cause(opened),
        "pilot": range(1, PILOT_HITS_TO_KILL + 1),
        "now": now,
        "stretches": stretches,
        "bars": [(at, stretch) for stretch in stretches for at in range(stretch.low, stretch.high + 1)],
        "live": {
            "stretches": [s.as_json() for s in stretches],
            "lows": [s.low for s in stretches],
            "other": [[s.low, s.p_any] for s in elsewhere],
        },
        "other": {
            "label": RULE_SETS[other.rules.profile],
            "p_any": risk.at_heat(elsewhere, heat).p_any,
            "link": other.link(),
        },
        "is_out": is_out(mech, rules),
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
        "announcement": log.announcement(chapters[0]) if chapters and opened.acted else "",
        "fewest_dice": fewest_dice(mech, rules, heat),
        "dice_from": _dice_from(opened, query),
        "method": risk.method(mech, rules, heat),
        **_rules(here, mech),
        **_links(here),
    }


def card_of(opened: Opened) -> Card:
    """What the picture for a link shows: the chance of an explosion, and of losing the 'Mech to it."""
    here, mech = opened.address, opened.mech
    now = risk.at_heat(risk.curve(mech, here.rules), here.heat)
    number, unit = percent_parts(now.p_any)
    name = mech.name or "A ’Mech of your own"
    rest = f"The ’Mech is lost {percent(now.p_lost)} of the time."
    figure = Figure(number, unit, f"that something explodes at heat {here.heat}.", rest, name)
    return Card("BattleTech", "", (figure,))


def _other_rules(here: Address) -> Address:
    """The same sheet by the other set of rules."""
    profile: ProfileName = "total_warfare" if here.rules.profile == "standard" else "standard"
    return replace(here, rules=here.rules.model_copy(update={"profile": profile}))


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
                "rounds_label": f"{called[item.bin_id]} rounds",
                "bin": item,
                "protection": doll.PROTECTION_WORDS[mech.protection(item.location, here.rules.book)],
                "lost": mech.lost(item),
                "most": most,
                "error": opened.errors.get(field, ""),
                "value": opened.problems[field].entered if field in opened.problems else item.rounds,
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
    typed = opened.problems["dice"].entered if "dice" in opened.problems else ""
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
            for key, label in RULE_SETS.items()
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


def stock_mechs() -> list[dict[str, Any]]:
    """The 'Mechs that come with the page."""
    return [{"key": key, "name": row.name, "tonnage": row.tonnage} for key, row in STOCK.items()]


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
        "stock": stock_mechs(),
    }

"""BattleTech explosions the slow, obvious way: plain dicts, one branch per rule, every subset in every order.

Reads wire documents. Shares no code with the engine, so that the two can be wrong only separately.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations, permutations
from math import ceil, factorial
from typing import Any

LOCATIONS = ["HD", "CT", "LT", "RT", "LA", "RA", "LL", "RL"]
INWARD = {"LA": "LT", "LL": "LT", "RA": "RT", "RL": "RT", "LT": "CT", "RT": "CT"}

Sheet = dict[str, Any]


def sheet_of(document: dict[str, Any]) -> Sheet:
    """A mutable working copy with running totals."""
    sheet = copy.deepcopy(document)
    sheet.setdefault("pilotHits", 0)
    sheet.setdefault("case", {})
    sheet["totals"] = {"burnt": 0, "explosions": 0, "raw": 0, "pilot": 0}
    sheet["burst"] = []
    return sheet


def tn(profile: str, heat: int) -> int | str | None:
    if heat < 19:
        return None
    if profile == "standard" and heat >= 30:
        return "all"
    return 4 if heat <= 22 else 6 if heat <= 27 else 8


def p_fail(target: int) -> float:
    return sum(a + b < target for a in range(1, 7) for b in range(1, 7)) / 36


def protection(sheet: Sheet, location: str, profile: str) -> str:
    if location in sheet["case"]:
        return str(sheet["case"][location])
    if sheet.get("techBase") == "Clan":
        if profile == "standard" and sheet.get("omni") and location in ("LT", "RT"):
            return "case"
        if profile == "total_warfare" and any(
            b["location"] == location and b["damagePerRound"] > 0 for b in sheet["bins"]
        ):
            return "case"
    return "none"


def pool_of(sheet: Sheet) -> list[dict[str, Any]]:
    return [
        b
        for b in sheet["bins"]
        if not b.get("destroyed") and b["rounds"] * b["damagePerRound"] > 0 and sheet["structure"][b["location"]] > 0
    ]


def hit_structure(sheet: Sheet, location: str, points: int) -> int:
    """Take up to ``points``; say how many were taken. A side torso drops its arm."""
    had = sheet["structure"][location]
    taken = min(had, points)
    sheet["structure"][location] = had - taken
    sheet["totals"]["burnt"] += taken
    if taken and sheet["structure"][location] == 0 and location in ("LT", "RT"):
        sheet["structure"]["LA" if location == "LT" else "RA"] = 0
    return taken


def burst(sheet: Sheet, item: dict[str, Any], profile: str, case2: str) -> None:
    damage = item["rounds"] * item["damagePerRound"]
    location = item["location"]
    shield = protection(sheet, location, profile)
    sheet["burst"].append(item["binId"])
    sheet["totals"]["explosions"] += 1
    sheet["totals"]["raw"] += damage
    unprotected = 1 if shield == "none" else 0
    hurt = 2 if profile == "total_warfare" else unprotected
    sheet["totals"]["pilot"] += hurt
    sheet["pilotHits"] = min(6, sheet["pilotHits"] + hurt)
    at_source(sheet, location, damage, shield, profile, case2)


def at_source(sheet: Sheet, location: str, damage: int, shield: str, profile: str, case2: str) -> None:
    if shield == "none":
        carry(sheet, INWARD.get(location), damage - hit_structure(sheet, location, damage), profile, case2)
    elif shield == "case":
        hit_structure(sheet, location, damage)
    elif case2 == "contain":
        rest = damage - hit_structure(sheet, location, 1)
        carry(sheet, INWARD.get(location), min(1, rest), profile, case2)
    elif case2 == "full":
        rest = damage - hit_structure(sheet, location, damage)
        carry(sheet, INWARD.get(location), min(1, rest), profile, case2)
    elif sheet["structure"][location] > 0:
        rest = damage - hit_structure(sheet, location, 1)
        if location in ("CT", "LT", "RT"):
            sheet["rearArmor"][location] = max(0, sheet["rearArmor"][location] - rest)
        else:
            half = ceil(sheet["maxArmor"][location] / 2)
            sheet["armor"][location] = max(0, sheet["armor"][location] - min(rest, half))


def carry(sheet: Sheet, location: str | None, damage: int, profile: str, case2: str) -> None:
    if location is None or damage == 0:
        return
    if profile == "total_warfare":
        at_source(sheet, location, damage, protection(sheet, location, profile), profile, case2)
        return
    if sheet["structure"][location] > 0:
        soaked = min(damage, sheet["armor"][location])
        sheet["armor"][location] -= soaked
        damage -= soaked
    carry(sheet, INWARD.get(location), damage - hit_structure(sheet, location, damage), profile, case2)


def out(sheet: Sheet, profile: str) -> bool:
    structure = sheet["structure"]
    lost = (structure["LT"] == 0) + (structure["RT"] == 0)
    engine = profile == "total_warfare" and lost * sheet.get("sideTorsoEngineSlots", 0) >= 3
    return structure["CT"] == 0 or structure["HD"] == 0 or sheet["pilotHits"] >= 6 or engine


def phases(sheet: Sheet, profile: str, case2: str, heat: int) -> Iterator[tuple[float, Sheet]]:
    """Every way a heat phase can go, with its probability."""
    target, pool = tn(profile, heat), pool_of(sheet)
    if target is None or not pool:
        yield 1.0, sheet
    elif target == "all":
        yield 1.0, after(sheet, pool, profile, case2)
    elif profile == "total_warfare":
        p = p_fail(int(target))
        yield 1 - p, sheet
        top = max((b["damagePerRound"], b["rounds"]) for b in pool)
        worst = [b for b in pool if (b["damagePerRound"], b["rounds"]) == top]
        for item in worst:
            yield p / len(worst), after(sheet, [item], profile, case2)
    else:
        p = p_fail(int(target))
        for size in range(len(pool) + 1):
            chance = p**size * (1 - p) ** (len(pool) - size) / factorial(size)
            for failing in combinations(pool, size):
                for order in permutations(failing):
                    yield chance, after(sheet, list(order), profile, case2)


def after(sheet: Sheet, items: list[dict[str, Any]], profile: str, case2: str) -> Sheet:
    """The sheet once these bins, found at the start of the phase, have burst one after the other."""
    later = copy.deepcopy(sheet)
    for item in items:
        burst(later, item, profile, case2)
        for b in later["bins"]:
            if b["binId"] == item["binId"]:
                b["destroyed"] = True
    return later


def odds(document: dict[str, Any], rules: dict[str, str], heats: list[int]) -> dict[str, Any]:
    """Enumerate a whole plan. A 'Mech that is out plays no further turn."""
    profile = rules.get("profile", "standard")
    case2 = rules.get("case2") or ("contain" if profile == "standard" else "official")
    ends = [(1.0, sheet_of(document))]
    survive = []
    for turn, heat in enumerate(heats):
        following = []
        for chance, sheet in ends:
            if turn and out(sheet, profile):
                following.append((chance, sheet))
            else:
                following += [(chance * p, later) for p, later in phases(sheet, profile, case2, heat)]
        ends = following
        survive.append(sum(p for p, sheet in ends if not out(sheet, profile)))
    return {**expectations(document, ends), "pMechDestroyed": 1 - survive[-1], "pSurvive": survive}


def expectations(document: dict[str, Any], ends: list[tuple[float, Sheet]]) -> dict[str, Any]:
    def mean(of: str) -> float:
        return sum(p * sheet["totals"][of] for p, sheet in ends)

    lost = {
        name: sum(p for p, sheet in ends if sheet["structure"][name] == 0)
        for name in LOCATIONS
        if document["structure"][name] > 0
    }
    return {
        "pNone": sum(p for p, sheet in ends if not sheet["burst"]),
        "expectedExplosions": mean("explosions"),
        "expectedRawDamage": mean("raw"),
        "expectedStructureLoss": mean("burnt"),
        "expectedPilot": mean("pilot"),
        "pLocation": {name: p for name, p in lost.items() if p > 0},
        "pBin": {b["binId"]: sum(p for p, sheet in ends if b["binId"] in sheet["burst"]) for b in document["bins"]},
    }

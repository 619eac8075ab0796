"""Every number on the page, exact, and counted once per sheet: a slider only ever asks for what is already known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from apps.battletech.services.address import HOTTEST
from apps.battletech.services.doll import names
from apps.core.calculator import Table
from apps.core.formats import percent
from engine.battletech import odds as engine_odds
from engine.battletech.explosion import is_out
from engine.battletech.mech import Bin, Mech, Rules
from engine.battletech.odds import Odds
from engine.battletech.presets import preset
from engine.battletech.tables import (
    LOCATION_NAMES,
    LOCATIONS,
    PROTECTIONS,
    HeatBand,
    Location,
    ProfileName,
    Protection,
    heat_band,
    p_explosion,
)

#: More bins than this are not dumped one by one while a reader waits.
MOST_DUMPS = 12
PROTECTION_NAMES: Mapping[Protection, str] = {"none": "No CASE", "case": "CASE", "case_ii": "CASE II"}


def odds_of(mech: Mech, rules: Rules, heats: tuple[int, ...]) -> Odds:
    """The engine's odds, remembered: heats of one band share an answer."""
    return _counted(mech.model_dump_json(exclude={"name"}), rules, tuple(_stands_for(rules, heat) for heat in heats))


@lru_cache(maxsize=4096)
def _counted(document: str, rules: Rules, heats: tuple[int, ...]) -> Odds:
    return engine_odds.odds(Mech.model_validate_json(document), rules, heats)


def _stands_for(rules: Rules, heat: int) -> int:
    band = heat_band(rules.book, heat)
    return band.heat if band else 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring heats with one answer."""

    low: int
    high: int
    p_any: float
    p_lost: float
    raw_damage: float
    structure_loss: float
    p_location: Mapping[Location, float]
    avoid: str

    def as_json(self) -> dict[str, Any]:
        return {
            "any": self.p_any,
            "lost": self.p_lost,
            "damage": round(self.raw_damage, 6),
            "structure": round(self.structure_loss, 6),
            "locations": {code: self.p_location.get(code, 0.0) for code in LOCATIONS},
            "avoid": self.avoid,
        }


def curve(mech: Mech, rules: Rules) -> list[Stretch]:
    """The whole heat scale."""
    lows = [0, *(band.heat for band in rules.book.heat_bands)]
    highs = [low - 1 for low in lows[1:]] + [HOTTEST]
    return [_stretch(mech, rules, low, high) for low, high in zip(lows, highs, strict=True)]


def _stretch(mech: Mech, rules: Rules, low: int, high: int) -> Stretch:
    if is_out(mech, rules):
        return Stretch(low, high, 0.0, 0.0, 0.0, 0.0, {}, "A ’Mech that is out has no further heat phases.")
    found = odds_of(mech, rules, (low,))
    return Stretch(
        low,
        high,
        found.p_any,
        found.p_mech_destroyed,
        found.expected_raw_damage,
        found.expected_structure_loss,
        found.p_location,
        _avoid(mech, rules, heat_band(rules.book, low)),
    )


def _avoid(mech: Mech, rules: Rules, band: HeatBand | None) -> str:
    if not mech.explosive_bins:
        return "Nothing is left that heat could set off."
    if band is None:
        return "No check below heat 19."
    if band.automatic:
        return "No roll: every bin explodes."
    per = "once for the whole ’Mech" if rules.book.one_roll_per_phase else "for each bin"
    return f"Avoid on {band.target_number}+, rolled {per}."


def at_heat(stretches: list[Stretch], heat: int) -> Stretch:
    return next(stretch for stretch in stretches if stretch.low <= heat <= stretch.high)


@dataclass(frozen=True, slots=True)
class Dump:
    """What getting rid of a bin's rounds would change at this heat."""

    code: str
    name: str
    location: Location
    damage: int
    p_any: float
    p_lost: float
    less_any: float
    less_lost: float


def dumps(mech: Mech, rules: Rules, heat: int) -> list[Dump]:
    """Each bin that can explode, emptied: those that save the 'Mech most often first."""
    if is_out(mech, rules):
        return []
    now = odds_of(mech, rules, (heat,))
    called, explosive = names(mech), {b.bin_id for b in mech.explosive_bins}
    if len(explosive) > MOST_DUMPS:
        return []
    rows = []
    for number, item in enumerate(mech.bins, 1):
        if item.bin_id in explosive:
            emptied = tuple(b.model_copy(update={"rounds": 0}) if b is item else b for b in mech.bins)
            then = odds_of(mech.model_copy(update={"bins": emptied}), rules, (heat,))
            less = now.p_any - then.p_any, now.p_mech_destroyed - then.p_mech_destroyed
            rows.append(
                Dump(
                    f"r{number}-0",
                    called[item.bin_id],
                    item.location,
                    item.explosion,
                    then.p_any,
                    then.p_mech_destroyed,
                    *less,
                )
            )
    return sorted(rows, key=lambda row: (-row.less_lost, -row.less_any))


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the plan. ``p_if_in_play``: of an explosion, the 'Mech having come this far; nothing if it cannot."""

    number: int
    field: str
    heat: int
    avoid: str
    p_explosion: float
    p_if_in_play: float | None
    p_quiet_so_far: float
    p_survive: float


def plan(mech: Mech, rules: Rules, heats: tuple[int, ...]) -> list[Turn]:
    """Turn by turn; a 'Mech that is out has none."""
    if is_out(mech, rules):
        return [
            Turn(number, f"turn-{number}", heat, "out", 0.0, None, 1.0, 0.0) for number, heat in enumerate(heats, 1)
        ]
    found = odds_of(mech, rules, heats)
    in_play = [1.0, *(turn.p_survive for turn in found.turns)]
    return [
        Turn(
            number=number,
            field=f"turn-{number}",
            heat=heats[number - 1],
            avoid="all explode"
            if turn.automatic
            else f"needs {turn.target_number}+"
            if turn.target_number
            else "no check",
            p_explosion=turn.p_explosion,
            p_if_in_play=min(1.0, turn.p_explosion / before) if before > 0 else None,
            p_quiet_so_far=turn.p_none_so_far,
            p_survive=turn.p_survive,
        )
        for number, (turn, before) in enumerate(zip(found.turns, in_play, strict=False), 1)
    ]


def comparison(mech: Mech, rules: Rules, heat: int) -> dict[Protection, Odds]:
    """The same heat with nothing, CASE and CASE II wherever something can explode."""
    fitted = engine_odds.fitted_with
    return {protection: odds_of(fitted(mech, protection), rules, (heat,)) for protection in PROTECTIONS}


def comparison_rows(found: Mapping[Protection, Odds]) -> list[dict[str, Any]]:
    """The comparison as rows: chances first, then averages, then the locations that can be lost."""
    columns = [found[protection] for protection in PROTECTIONS]
    figures = [
        ("An explosion", True, [o.p_any for o in columns]),
        ("’Mech lost", True, [o.p_mech_destroyed for o in columns]),
        ("Structure burnt", False, [o.expected_structure_loss for o in columns]),
        ("Pilot hits", False, [o.expected_pilot for o in columns]),
    ]
    by_place = [(code, [o.p_location.get(code, 0.0) for o in columns]) for code in LOCATIONS]
    figures += [
        (f"{LOCATION_NAMES[code].capitalize()} lost", True, chances) for code, chances in by_place if any(chances)
    ]
    return [
        {
            "label": label,
            "is_chance": is_chance,
            "mark": label == "’Mech lost",
            "cells": [{"value": value, "best": value == min(values) < max(values)} for value in values],
        }
        for label, is_chance, values in figures
    ]


def under(mech: Mech, rules: Rules, heat: int) -> list[dict[str, Any]]:
    """The same sheet at the same heat by either book, for the rules toggle."""
    profiles: tuple[ProfileName, ...] = ("standard", "total_warfare")
    rows = []
    for profile in profiles:
        found = odds_of(mech, Rules(profile=profile, case2=rules.case2), (heat,))
        rows.append({"p_any": found.p_any, "p_lost": found.p_mech_destroyed, "current": profile == rules.profile})
    return rows


def tables(mech: Mech, rules: Rules, heat: int, heats: tuple[int, ...]) -> dict[str, Table]:
    """What can be downloaded, every digit kept."""
    stretches = curve(mech, rules)
    by_heat = [(at, at_heat(stretches, at)) for at in range(HOTTEST + 1)]
    turns = plan(mech, rules, heats)
    compared = comparison(mech, rules, heat)
    risk_header = (
        "Heat",
        "Any explosion",
        "Mech lost",
        "Expected damage",
        "Structure burnt",
        *(f"{c} lost" for c in LOCATIONS),
    )
    rows: dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]] = {
        "risk": (
            risk_header,
            [
                (at, s.p_any, s.p_lost, s.raw_damage, s.structure_loss, *(s.p_location.get(c, 0.0) for c in LOCATIONS))
                for at, s in by_heat
            ],
        ),
        "plan": (
            ("Turn", "Heat", "Explosion", "Explosion if in play", "No explosion so far", "Mech in play"),
            [(t.number, t.heat, t.p_explosion, t.p_if_in_play, t.p_quiet_so_far, t.p_survive) for t in turns],
        ),
        "protection": (
            ("Fitted", "Any explosion", "Mech lost", "Structure burnt", "Pilot hits"),
            [
                (PROTECTION_NAMES[p], o.p_any, o.p_mech_destroyed, o.expected_structure_loss, o.expected_pilot)
                for p, o in compared.items()
            ],
        ),
    }
    return {name: Table(name, name, header, body) for name, (header, body) in rows.items()}


def method(mech: Mech, rules: Rules, heat: int) -> dict[str, Any]:
    """The reader's own numbers, for "how this is computed"."""
    band, bins = heat_band(rules.book, heat), len(mech.explosive_bins)
    p = p_explosion(band)
    return {
        "bins": bins,
        "p_check": p,
        "ways": round(36 * p),
        "target": band.target_number if band else None,
        "automatic": bool(band and band.automatic),
        "one_roll": rules.book.one_roll_per_phase,
        "p_any": percent(1 - (1 - p) ** (min(bins, 1) if rules.book.one_roll_per_phase else bins)),
    }


def warm() -> None:
    """The sheet the page opens with, and one with bins so different that the compiled table is needed."""
    mech, rules = preset("atlas-as7-d"), Rules()
    curve(mech, rules)
    comparison(mech, rules, 23)
    dumps(mech, rules, 23)
    places: tuple[Location, ...] = ("LT", "LA", "LL")
    bins = [Bin(bin_id=str(n), location=places[n % 3], rounds=n + 1, damage_per_round=5) for n in range(8)]
    odds_of(mech.model_copy(update={"bins": tuple(bins)}), rules, (23,))

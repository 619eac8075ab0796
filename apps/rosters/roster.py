"""The neutral form of an army list: units, their models, what they carry, and an account of every line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from apps.catalogues.names import clean, fold

System = Literal["w40k10", "w40k11", "w40k", "kt24"]
Kind = Literal["weapon", "gear", "unknown"]
SYSTEMS: dict[System, str] = {
    "w40k10": "Warhammer 40,000, 10th edition",
    "w40k11": "Warhammer 40,000, 11th edition",
    "w40k": "Warhammer 40,000, edition not stated",
    "kt24": "Kill Team, 2024 edition",
}
GAMES: dict[System, str] = {
    "w40k10": "warhammer40k",
    "w40k11": "warhammer40k",
    "w40k": "warhammer40k",
    "kt24": "killteam",
}
#: More than any event allows; a list beyond it is no list.
MOST_UNITS = 150
MOST_COUNT = 1000


class RosterError(ValueError):
    """A list that cannot be read. The message is one sentence for the reader, with the limit and the way out."""


@dataclass(slots=True)
class Profile:
    """The figures of a weapon as the list itself gives them."""

    name: str
    type: Literal["ranged", "melee"]
    figures: dict[str, int | str | None]
    rules: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """Something carried: ``count`` of it in the whole unit, in the hands of ``bearer``."""

    name: str
    count: int = 1
    kind: Kind = "unknown"
    bearer: str = ""
    profiles: list[Profile] = field(default_factory=list)


@dataclass(slots=True)
class Models:
    """Models of one name. ``figures``: t, sv, inv, w, fnp in 40K; apl, move, save, wounds in Kill Team."""

    name: str
    count: int
    figures: dict[str, Any] | None = None


@dataclass(slots=True)
class Unit:
    """A unit or an operative. ``kinds`` is None where the form does not say which models there are."""

    name: str
    models: int = 1
    kinds: list[Models] | None = None
    points: int | None = None
    items: list[Item] = field(default_factory=list)
    enhancement: str = ""
    warlord: bool = False
    figures: dict[str, Any] | None = None
    abilities: list[str] = field(default_factory=list)
    type_id: str = ""
    type_name: str = ""
    wounds_left: int | None = None
    #: The block of attached units it stands in, where the form has such blocks.
    attached: str = ""

    def carried(self, kind: Kind) -> list[tuple[str, int]]:
        """What the unit carries of a kind, summed over its models, in the order first met."""
        total: dict[str, tuple[str, int]] = {}
        for item in self.items:
            if item.kind == kind:
                name, count = total.get(fold(item.name), (item.name, 0))
                total[fold(item.name)] = (name, count + item.count)
        return list(total.values())

    @property
    def weapons(self) -> list[tuple[str, int]]:
        """Weapons, and whatever nobody has told apart from a weapon yet."""
        return [*self.carried("weapon"), *self.carried("unknown")]

    @property
    def mixed(self) -> bool:
        """Its models differ in their figures."""
        seen = [kind.figures for kind in self.kinds or () if kind.figures]
        return any(figures != seen[0] for figures in seen)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text, or one selection of a file, and what it was taken for; "" = not read."""

    number: int
    text: str
    meaning: str = ""


@dataclass(slots=True)
class Roster:
    """A whole list."""

    format: str
    system: System
    name: str = ""
    faction: str = ""
    detachment: str = ""
    points: int | None = None
    units: list[Unit] = field(default_factory=list)
    equipment: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    @property
    def unread(self) -> list[Line]:
        """What nothing was made of."""
        return [line for line in self.lines if not line.meaning]

    @property
    def game(self) -> str:
        """The room that can use it."""
        return GAMES[self.system]


class Known(Protocol):
    """What a game's library knows about names; see ``resolve``."""

    def is_weapon(self, roster: Roster, unit: str, name: str) -> bool: ...

    def is_model(self, roster: Roster, unit: str, name: str) -> bool: ...


def resolve(roster: Roster, known: Known) -> Roster:
    """Tell weapons from other gear, and models without wargear from wargear, by a library's names.

    Text forms print only names: "1x Icon of Excess" may be a gun, a flag or a man.
    """
    for unit in roster.units:
        for item in list(unit.items):
            if item.kind != "unknown":
                continue
            if known.is_weapon(roster, unit.name, item.name):
                item.kind = "weapon"
            elif not item.bearer and known.is_model(roster, unit.name, item.name):
                unit.items.remove(item)
                _one_more_kind(unit, Models(item.name, item.count))
            else:
                item.kind = "gear"
        if unit.enhancement and known.is_weapon(roster, unit.name, unit.enhancement):
            unit.items.append(Item(unit.enhancement, 1, "weapon"))
            unit.enhancement = ""
    return roster


def _one_more_kind(unit: Unit, models: Models) -> None:
    assumed = unit.kinds is not None and [kind.name for kind in unit.kinds] == [unit.name] and unit.models == 1
    unit.kinds = [models] if assumed or unit.kinds is None else [*unit.kinds, models]
    unit.models = sum(kind.count for kind in unit.kinds)


def expect(roster: Roster, game: str) -> Roster:
    """The roster, if it is of this game; otherwise one sentence that says which it is."""
    if roster.game != game:
        raise RosterError(f"This is a roster of {SYSTEMS[roster.system]}; open it in that game's room.")
    return roster


def document(roster: Roster) -> dict[str, Any]:
    """The roster as plain values, in the shape roster samples are described in."""
    shown: dict[str, Any] = {
        "format": roster.format,
        "system": roster.system,
        "name": roster.name or None,
        "faction": roster.faction or None,
        "points": roster.points,
        "units": [_unit(unit, roster) for unit in roster.units],
    }
    if roster.system != "kt24":
        shown["detachment"] = roster.detachment or None
    if roster.format == "ktdash-roster":
        shown["equipment_ids"] = roster.equipment
    return shown


def _unit(unit: Unit, roster: Roster) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": unit.name,
        "models": unit.models,
        "points": unit.points,
        "weapons": [list(pair) for pair in unit.weapons],
    }
    if roster.system != "kt24":
        shown["model_kinds"] = None if unit.kinds is None else [[kind.name, kind.count] for kind in unit.kinds]
    if unit.figures and not unit.mixed:
        shown["figures"] = unit.figures
    if unit.mixed:
        shown["figures_by_model"] = {kind.name: kind.figures for kind in unit.kinds or ()}
    profiles = [profile for item in unit.items for profile in item.profiles]
    if roster.system == "kt24" and profiles:
        shown["profiles"] = [{"name": p.name, "type": p.type, **p.figures, "rules": p.rules} for p in profiles]
    optional: Mapping[str, Any] = {
        "enhancement": unit.enhancement,
        "warlord": unit.warlord,
        "other": [name for name, _ in unit.carried("gear")],
        "type_id": unit.type_id,
        "wounds_left": unit.wounds_left,
    }
    return shown | {name: value for name, value in optional.items() if value not in ("", False, [], None)}


def checked(roster: Roster) -> Roster:
    """The roster, if it holds at least one unit and not too many."""
    if not roster.units:
        raise RosterError("No unit was found in this roster; export it again with its units, or paste the whole text.")
    if len(roster.units) > MOST_UNITS:
        raise RosterError(f"A roster may hold {MOST_UNITS} units; this one has {len(roster.units)}: send a part of it.")
    return roster


def whole(value: object, default: int = 0) -> int:
    """A count or cost as others write it ("4", 4.0, "1,000"); never negative, never absurd.

    >>> whole("80.0"), whole("2,000"), whole("-"), whole(None, 1)
    (80, 2000, 0, 1)
    """
    if isinstance(value, str):
        digits = value.strip().replace(",", "").replace(" ", "").replace("\N{NO-BREAK SPACE}", "")
        number = digits.partition(".")[0]
        value = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else default
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e9 < value < 1e9:
        return default
    return min(max(int(value), 0), 1_000_000)


def count(value: object) -> int:
    """How many of something: 1 where nothing is said."""
    return min(max(whole(value, 1), 1), MOST_COUNT)


def total(items: Iterable[Models]) -> int:
    """How many models there are."""
    return sum(item.count for item in items)


def short(text: object) -> str:
    """Any text of a list as a name."""
    return clean(text) if isinstance(text, str) else ""

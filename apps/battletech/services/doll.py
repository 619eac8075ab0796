"""The paper doll: where each location is drawn, and what is printed on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from apps.battletech.services.address import Address
from engine.battletech.mech import Bin, Equipment, Mech, Rules
from engine.battletech.tables import AMMO, EXPLOSIVE_EQUIPMENT, LOCATION_NAMES, LOCATIONS, Location, Protection

CELL, GAP = 22, 4
PROTECTION_WORDS: Mapping[Protection, str] = MappingProxyType({"none": "", "case": "CASE", "case_ii": "CASE II"})


class Shape(NamedTuple):
    """A location on the doll: outline, middle of its text, first baseline, and rows of cells for what it carries."""

    outline: str
    x: int
    y: int
    cells: tuple[tuple[int, int], ...]  # how many cells a row takes, and the top of the row


_ARM, _SIDE, _LEG = ((3, 312), (3, 338), (3, 364), (3, 390)), ((4, 240), (2, 266)), ((4, 534), (4, 560), (4, 586))

# Drawn on a canvas of 600 by 656, as the reader sees the sheet: the 'Mech's left is on the left, as on paper.
SHAPES: Mapping[Location, Shape] = MappingProxyType(
    {
        "LA": Shape("4,146 104,116 104,420 16,420 16,300 4,290", 57, 196, _ARM),
        "RA": Shape("596,146 496,116 496,420 584,420 584,300 596,290", 543, 196, _ARM),
        "LT": Shape("112,108 224,108 224,304 180,304 112,266", 168, 132, _SIDE),
        "RT": Shape("488,108 376,108 376,304 420,304 488,266", 432, 132, _SIDE),
        "LL": Shape("184,316 228,316 254,372 294,372 286,490 294,628 150,628 170,490", 228, 420, _LEG),
        "RL": Shape("416,316 372,316 346,372 306,372 314,490 306,628 450,628 430,490", 372, 420, _LEG),
        "CT": Shape("232,108 368,108 368,296 338,360 262,360 232,296", 300, 142, ((5, 252), (4, 278), (3, 304))),
        "HD": Shape("266,-22 334,-22 356,0 356,98 244,98 244,0", 300, 0, ((4, 70),)),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A bin or a weapon: a square filled to the level of its rounds, a diamond for a weapon."""

    element: str
    name: str
    state: str  # full, empty, inert, lost
    words: str
    code: str
    link: str
    x: int
    y: int
    level: float
    weapon: bool

    @property
    def top(self) -> float:
        return self.y + CELL * (1 - self.level)

    @property
    def height(self) -> float:
        return CELL * self.level

    @property
    def diamond(self) -> str:
        half = CELL // 2
        corners = ((half, 0), (CELL, half), (half, CELL), (0, half))
        return " ".join(f"{self.x + right},{self.y + down}" for right, down in corners)


@dataclass(frozen=True, slots=True)
class Part:
    """One location with its figures."""

    code: Location
    name: str
    shape: Shape
    p_lost: float
    gone: bool
    armor: int
    full_armor: int
    rear: int | None
    structure: int
    full_structure: int
    protection: str
    cells: tuple[Cell, ...]
    more: int  # how many did not fit

    @property
    def bar(self) -> float:
        """Length of the armour bar, of 68."""
        return 68 * min(1.0, self.armor / self.full_armor) if self.full_armor else 0.0


def names(mech: Mech) -> dict[str, str]:
    """What people call the bins and weapons: by what they hold, numbered where there are several."""
    weapons = [(e.equipment_id, e.name or _known(e) or e.equipment_id) for e in mech.explosive_equipment]
    taken = {name for _, name in weapons}
    ammo = ((b.bin_id, AMMO.get(b.ammo or "")) for b in mech.bins)
    loads = [(bin_id, known.name if known else bin_id) for bin_id, known in ammo]
    called = [(bin_id, f"{name} rounds" if name in taken else name) for bin_id, name in loads] + weapons
    total, seen = Counter(name for _, name in called), Counter[str]()
    shown: dict[str, str] = {}
    for item_id, name in called:
        seen[name] += 1
        shown[item_id] = f"{name} #{seen[name]}" if total[name] > 1 else name
    return shown


def parts(mech: Mech, rules: Rules, start: Mech, p_location: Mapping[Location, float], address: Address) -> list[Part]:
    """Every location, in the order it is drawn and read out."""
    called = names(mech)
    return [_part(code, mech, rules, start, p_location.get(code, 0.0), address, called) for code in SHAPES]


def _part(
    code: Location, mech: Mech, rules: Rules, start: Mech, p_lost: float, address: Address, called: Mapping[str, str]
) -> Part:
    shape = SHAPES[code]
    items: list[tuple[str, Bin | Equipment]] = [(f"b{n}", b) for n, b in enumerate(mech.bins, 1) if b.location == code]
    items += [(f"e{n}", e) for n, e in enumerate(mech.explosive_equipment, 1) if e.location == code]
    spots = _spots(shape, len(items))
    cells = tuple(
        _cell(mech, rules, item, do, called, spot, address.link(do))
        for (do, item), spot in zip(items, spots, strict=False)
    )
    return Part(
        code=code,
        name=LOCATION_NAMES[code],
        shape=shape,
        p_lost=p_lost,
        gone=not mech.stands(code),
        armor=mech.armor.get(code, 0) if mech.stands(code) else 0,
        full_armor=max(mech.max_armor.get(code, 0), start.armor.get(code, 0)),
        rear=mech.rear_armor.get(code) if mech.stands(code) else None,
        structure=mech.structure.get(code, 0),
        full_structure=max(start.structure.get(code, 0), mech.structure.get(code, 0)),
        protection=PROTECTION_WORDS[mech.protection(code, rules.book)],
        cells=cells,
        more=len(items) - len(cells),
    )


def _cell(
    mech: Mech, rules: Rules, item: Bin | Equipment, do: str, called: Mapping[str, str], spot: tuple[int, int], to: str
) -> Cell:
    if isinstance(item, Bin):
        name, damage = called[item.bin_id], item.explosion
        full = max(full_rounds(item), item.rounds) or 1
        level, figures = item.rounds / full, f"{item.rounds} × {item.damage_per_round} = {damage}"
    else:
        name, damage, level = called[item.equipment_id], item.explosion(rules.book), 1.0
        figures = str(damage)
    state = "lost" if mech.lost(item) else "full" if damage else "inert" if level else "empty"
    words = {
        "lost": f"{name}: destroyed",
        "full": f"{name}, {LOCATION_NAMES[item.location]}: critical hit, {figures} damage",
        "inert": f"{name}, {LOCATION_NAMES[item.location]}: critical hit, nothing to explode",
        "empty": f"{name}, {LOCATION_NAMES[item.location]}: critical hit, empty",
    }[state]
    shown = 0.0 if state in ("lost", "inert") else level
    return Cell(f"doll-{do}", name, state, words, do, to, *spot, shown, isinstance(item, Equipment))


def full_rounds(item: Bin) -> int:
    """A full bin, as far as anyone knows."""
    known = AMMO.get(item.ammo or "")
    return item.max_rounds or (known.rounds if known else 0)


def _spots(shape: Shape, count: int) -> list[tuple[int, int]]:
    """Cells centred row by row; what does not fit is only counted."""
    spots: list[tuple[int, int]] = []
    for most, top in shape.cells:
        here = min(most, count - len(spots))
        left = shape.x - (here * CELL + (here - 1) * GAP) // 2
        spots += [(left + at * (CELL + GAP), top) for at in range(here)]
    return spots


def _known(item: Equipment) -> str:
    return EXPLOSIVE_EQUIPMENT[item.type].name if item.type in EXPLOSIVE_EQUIPMENT else ""


assert set(SHAPES) == set(LOCATIONS)

"""The shelf of profiles: what is printed on the cards, read once from ``data/kt2024.txt``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.text import slugify

from apps.killteam.notation import DEFENCE_DICE, Line, target, weapon

DATA = Path(__file__).parent / "data" / "kt2024.txt"
EDITION = "2024"


@dataclass(frozen=True, slots=True)
class Operative:
    team: str
    line: Line
    key: str

    @property
    def name(self) -> str:
        return self.line.name


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon in the hands of somebody: the same name has other figures elsewhere."""

    operative: Operative
    kind: str  # ranged or melee
    line: Line
    key: str

    @property
    def name(self) -> str:
        return self.line.name

    @property
    def team(self) -> str:
        return self.operative.team


@dataclass(frozen=True)
class Library:
    operatives: tuple[Operative, ...]
    weapons: tuple[Weapon, ...]

    @property
    def teams(self) -> list[str]:
        return sorted({operative.team for operative in self.operatives})

    def loadouts(self, operative: Operative) -> list[Weapon]:
        return [weapon for weapon in self.weapons if weapon.operative is operative]


@cache
def library() -> Library:
    """Everything on the shelf. Read once: the file does not change while we run."""
    team, operative = "", None
    operatives: list[Operative] = []
    weapons: list[Weapon] = []
    for number, text in enumerate(DATA.read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("team:"):
            team = text.removeprefix("team:").strip()
        elif not text.startswith(" "):
            operative = _operative(team, text, number)
            operatives.append(operative)
        else:
            assert operative is not None, f"{DATA.name}:{number}: a weapon without an operative"
            weapons.append(_weapon(operative, text, number))
    return Library(tuple(operatives), tuple(weapons))


def _operative(team: str, text: str, number: int) -> Operative:
    line = target(text, number)
    assert line.figures["num_dice"] == DEFENCE_DICE
    return Operative(team, line, slugify(f"{team} {line.name}"))


def _weapon(operative: Operative, text: str, number: int) -> Weapon:
    kind, _, rest = text.strip().partition(" ")
    assert kind in ("ranged", "melee"), f"{DATA.name}:{number}: {kind}"
    line = weapon(rest, number)
    return Weapon(operative, kind, line, f"{operative.key}-{slugify(line.name)}-{kind}")


def find(query: str = "", team: str = "", kind: str = "") -> tuple[list[Operative], list[Weapon]]:
    """What matches all words of ``query`` in name, team, operative or rules. ``kind``: ranged, melee, operative."""
    words = query.casefold().split()
    shelf = library()

    def fits(team_name: str, *texts: str) -> bool:
        return (not team or team == team_name) and all(any(w in t.casefold() for t in texts) for w in words)

    operatives = [o for o in shelf.operatives if kind in ("", "operative") and fits(o.team, o.team, o.name)]
    weapons = [
        w
        for w in shelf.weapons
        if kind in ("", w.kind) and fits(w.team, w.team, w.name, w.operative.name, *w.line.rules)
    ]
    return operatives, weapons


def cards(query: str = "", team: str = "", kind: str = "") -> list[tuple[Operative, list[Weapon]]]:
    """The same, as loadouts: each operative found, or holding a weapon found, with those weapons."""
    operatives, weapons = find(query, team, kind)
    found: dict[str, tuple[Operative, list[Weapon]]] = {o.key: (o, []) for o in operatives}
    for held in weapons:
        found.setdefault(held.operative.key, (held.operative, []))[1].append(held)
    order = {operative.key: place for place, operative in enumerate(library().operatives)}
    return [found[key] for key in sorted(found, key=order.__getitem__)]

"""Equipment, ploys and faction rules that change dice: named switches of a team, in ``data/options.json``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from django.utils.text import slugify

from apps.catalogues import tables
from apps.killteam.library import DATA

Role = Literal["attacker", "defender", "fighter"]
UNIVERSAL = "universal"


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    """One option in one form. ``effect`` is in the engine's fields; ``caution`` says where it is not exact."""

    key: str
    team: str
    name: str
    kind: str
    sides: tuple[tuple[bool, Role], ...]
    phase: str
    effect: Mapping[str, Any]
    variant: str = ""
    when: str = ""
    limit: str = ""
    weapons: tuple[str, ...] = ()
    caution: str = ""

    @property
    def title(self) -> str:
        return f"{self.name} ({self.variant})" if self.variant else self.name

    @property
    def note(self) -> str:
        """When it counts, for whom, how often, and where it is not exact."""
        armed = f"with {', '.join(self.weapons)}" if self.weapons else ""
        return "; ".join(text for text in (self.when, armed, self.limit, self.caution) if text)

    @property
    def sets_first(self) -> bool:
        """It decides who strikes first."""
        return "first_fighter" in self.effect

    def changes(self, role: Role, *, enemy: bool) -> bool:
        """Whether it works on one's own profile in a role, or on the enemy's."""
        return (enemy, role) in self.sides

    def arms(self, weapon: str) -> bool:
        """Whether it works on this weapon; one without a name is taken to be one of those it works on."""
        if not self.weapons or not weapon:
            return True
        return any(weapon.casefold().startswith(name.casefold()) for name in self.weapons)


@cache
def switches() -> tuple[Switch, ...]:
    """All of them, universal ones first."""
    rows = [*tables.read(DATA / "options.json")["options"], *tables.read(DATA / "abilities.json")["options"]]
    times: Counter[str] = Counter()
    found = []
    for row in rows:
        key = slugify(f"{row['team']} {row['name']} {row.get('variant', '')}")
        times[key] += 1
        found.append(_switch(row, key if times[key] == 1 else f"{key}--{times[key]}"))
    return tuple(found)


def _switch(row: Mapping[str, Any], key: str) -> Switch:
    return Switch(
        key,
        row["team"],
        row["name"],
        row["kind"],
        _sides(row["side"]),
        row["phase"],
        row["effect"],
        row.get("variant", ""),
        row.get("when", ""),
        row.get("limit", ""),
        tuple(row.get("weapons", ())),
        row.get("caution", row["effect"].get("note", "")),
    )


def _sides(text: str) -> tuple[tuple[bool, Role], ...]:
    """Whose profile changes: (enemy's, role).

    >>> _sides("enemy attacker or fighter")
    ((True, 'attacker'), (True, 'fighter'))
    """
    enemy = text.startswith("enemy ")
    roles: tuple[Role, ...] = ("attacker", "defender", "fighter")
    return tuple((enemy, role) for role in roles if role in text)


def of_team(team: str) -> list[Switch]:
    """What a team may use: the universal ones, then its own."""
    return [switch for switch in switches() if switch.team in (UNIVERSAL, team)]


@cache
def _by_key() -> dict[str, Switch]:
    return {switch.key: switch for switch in (*SITUATIONS, *switches())}


def by_key(key: str) -> Switch | None:
    """A switch or a situation."""
    return _by_key().get(key)


@lru_cache(maxsize=128)
def left_out(team: str) -> tuple[Mapping[str, Any], ...]:
    """Options of a team that touch dice and have no field: the player's to set. Rows have name, kind, near."""
    mapped = {switch.name.casefold() for switch in of_team(team)}
    rows = tables.read(DATA / "options.json")["left out"]
    return tuple(row for row in rows if row["team"] == team and row["name"].casefold() not in mapped)


# -- What is so at the table, whatever the team ---------------------------------------------------------------------


def _situation(key: str, name: str, side: str, effect: Mapping[str, Any], when: str) -> Switch:
    phase = "shoot" if side == "defender" else "shoot+fight"
    return Switch(key, UNIVERSAL, name, "situation", _sides(side), phase, effect, when=when)


#: Not options of anybody's: how the operatives stand.
SITUATIONS: tuple[Switch, ...] = (
    _situation("in-cover", "In cover", "defender", {"auto_norms": {"add": 1, "max": 1}}, "when shot at"),
    _situation("obscured", "Obscured", "defender", {"abilities": {"add": ["obscured_target"]}}, "when shot at"),
    _situation("injured", "Injured", "attacker or fighter", {"dice_stat": {"add": 1, "max": 6}}, "hits one worse"),
)

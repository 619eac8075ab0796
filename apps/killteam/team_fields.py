"""A team's equipment, ploys and faction rules on a single sheet: fields whose choices follow the team."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from django.http import QueryDict

from apps.core.forms import Choice, Several, Words
from apps.killteam import options
from apps.killteam.library import library
from apps.killteam.options import Role, Switch

NO_TEAM = ("none", "No team")
MOST_WEAPON = 60
LABEL = "Equipment and ploys"
#: Whose profile a switch must change to matter to a role: (the enemy's, role).
WORKS_FOR: dict[Role, frozenset[tuple[bool, Role]]] = {
    "attacker": frozenset({(False, "attacker"), (True, "defender")}),
    "defender": frozenset({(False, "defender"), (True, "attacker")}),
    "fighter": frozenset({(False, "fighter"), (True, "fighter")}),
}
#: Of the situations at the table this one has no control of its own on a sheet.
INJURED = "injured"


class TeamPart(NamedTuple):
    """One side of a sheet: the group it belongs to, its role, and the names of its fields."""

    group: str
    role: Role
    team: str
    options: str
    weapon: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(name for name in (self.team, self.weapon, self.options) if name)


@cache
def team_names() -> frozenset[str]:
    return frozenset(library().teams)


def team_choices() -> list[tuple[str, str]]:
    return [NO_TEAM, *((team, team) for team in library().teams)]


def team_field() -> Choice:
    return Choice("Team", team_choices())


def weapon_field() -> Words:
    return Words("Weapon", most=MOST_WEAPON, required=False, hint="some options work with certain weapons only")


def usable(team: str, role: Role) -> list[Switch]:
    """What a team may use that matters to a role, universal ones first."""
    phase = "fight" if role == "fighter" else "shoot"
    injured = options.by_key(INJURED)
    every = [*([injured] if injured else []), *options.of_team(team)]
    return [switch for switch in every if phase in switch.phase and _matters(switch, role)]


def _matters(switch: Switch, role: Role) -> bool:
    return bool(WORKS_FOR[role].intersection(switch.sides)) or (role == "fighter" and switch.sets_first)


def _field(switches: list[Switch]) -> Several:
    notes = {switch.key: switch.note for switch in switches if switch.note}
    return Several(LABEL, [(switch.key, switch.title) for switch in switches], notes=notes)


@cache
def options_field(team: str, role: Role) -> Several:
    """The switches of a team, as a control that all sheets share."""
    return _field(usable(team, role))


@cache
def every_options_field(role: Role) -> Several:
    """Those of all teams: what an address may name, before its team is known."""
    switches = {switch.key: switch for team in library().teams for switch in usable(team, role)}
    return _field(list(switches.values()))


def own_options(keys: Sequence[str], team: str, role: Role) -> list[str]:
    """Those a team may use, and words that name nothing: the field says so; what another team may use is left out."""
    if not keys:
        return []
    own = {switch.key for switch in usable(team, role)}
    return [key for key in keys if key in own or options.by_key(key) is None]


def keep_own_options(data: QueryDict, prefix: str, part: TeamPart) -> Several:
    """Take out of an address what another team may use, and return the control of what its own may."""
    team = data.get(prefix + part.team, "")
    team = team if team in team_names() else NO_TEAM[0]
    name = prefix + part.options
    if name in data:
        data.setlist(name, own_options(data.getlist(name), team, part.role))
    return options_field(team, part.role)


def chosen(keys: list[str]) -> list[Switch]:
    """The switches that are on, in the order given."""
    return [switch for key in keys if (switch := options.by_key(key)) is not None]

"""From a roster's operatives to cards of the library: matched by name and team, with the weapons the roster chose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.catalogues.names import Names, fold
from apps.killteam.library import Library, Operative, Weapon, library
from apps.rosters.roster import Profile, Roster, Unit

#: Other names of teams.
ALIASES = {
    "Legionary": "Legionaries", "Legionary Kill Team": "Legionaries", "Intercession Squad": "Angels of Death",
    "Hunter Cadre": "Pathfinders", "Void-dancer Troupe": "Void-Dancer Troupe", "Sanctifier": "Sanctifiers",
    "XV26 Stealth Battlesuit": "XV26 Stealth Battlesuits", "Veteran Guardsmen": "Death Korps",
}  # fmt: skip


@dataclass(slots=True)
class Match:
    """An operative of a roster and what the library knows of it."""

    entry: Unit
    operative: Operative | None = None
    weapons: list[Weapon] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)

    def armed(self, kind: str) -> list[Weapon]:
        """Its weapons for shooting (ranged) or fighting (melee)."""
        return [weapon for weapon in self.weapons if weapon.kind == kind]


@dataclass(slots=True)
class Team:
    """A roster matched with the library."""

    roster: Roster
    name: str
    matches: list[Match]

    @property
    def unmatched(self) -> list[str]:
        """Everything that was not found, one sentence each."""
        return [f"{match.entry.name}: {problem}" for match in self.matches for problem in match.problems]


def match(roster: Roster) -> Team:
    """The roster's operatives in the library."""
    shelf = library()
    teams = Names(((team, team) for team in shelf.teams), ALIASES)
    team = teams.get(roster.faction, "")
    return Team(roster, team, [_match(entry, team, shelf) for entry in roster.units])


def _match(entry: Unit, team: str, shelf: Library) -> Match:
    cards = [operative for operative in shelf.operatives if not team or operative.team == team]
    found = Match(entry, _operative(entry, cards, shelf))
    if found.operative is None:
        found.near = [o.name for o in Names((o.name, o) for o in cards).near(entry.type_name or entry.name)]
        hint = f"; did you mean {' or '.join(found.near)}?" if found.near else ""
        where = f"the team {team}" if team else "any team"
        found.problems.append(f"no operative of this name in {where}{hint}")
        return found
    found.weapons = list(_weapons(found, shelf))
    return found


def _operative(entry: Unit, cards: list[Operative], shelf: Library) -> Operative | None:
    """By the name of its card; where only an own name is given, by its figures and weapons."""
    names = Names((operative.name, operative) for operative in cards)
    for name in (entry.type_name, entry.name):
        if name and (known := names.get(name)):
            return known
    figures = entry.figures or {}
    wanted = {fold(name) for name, _ in entry.weapons}
    alike = [o for o in cards if o.line.figures["wounds"] == figures.get("wounds") and o.apl == figures.get("apl")]
    best = sorted(alike, key=lambda o: -len(wanted & _names(o, shelf)))
    if not wanted or not best or not wanted & _names(best[0], shelf):
        return None
    equal = [o for o in best if len(wanted & _names(o, shelf)) == len(wanted & _names(best[0], shelf))]
    tokens = entry.type_id.rpartition("-")[2].casefold()
    return max(equal, key=lambda o: _initials(o.name, tokens))


def _initials(name: str, token: str) -> int:
    """How much of an id's last part a name explains: "ISGT" and "Intercessor Sergeant" share I, S, G, T in order."""
    at = 0
    for letter in fold(name).replace(" ", ""):
        if at < len(token) and letter == token[at]:
            at += 1
    starts = [word[0] for word in fold(name).split()]
    return 2 * at - abs(len(starts) - 2) + (bool(token) and bool(starts) and starts[0] == token[0])


def _names(operative: Operative, shelf: Library) -> set[str]:
    return {
        fold(name) for weapon in shelf.loadouts(operative) for name in (weapon.name, weapon.name.partition(" (")[0])
    }


def _weapons(found: Match, shelf: Library) -> Iterator[Weapon]:
    operative = found.operative
    assert operative is not None
    held = shelf.loadouts(operative)
    if not found.entry.weapons:
        if held:
            found.problems.append("the roster lists no weapons; all of its card are taken")
        yield from held
        return
    given = [weapon.in_hands_of(operative) for weapon in shelf.equipment_of(operative.team)]
    for name, _ in found.entry.weapons:
        modes = _modes(name, held) or _modes(name, given)
        if not modes:
            close = Names((weapon.name, weapon.name) for weapon in held).near(name, 2)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            found.problems.append(f"“{name}” is no weapon of its card{hint}")
        yield from modes
    for profile in (profile for item in found.entry.items for profile in item.profiles):
        found.problems.extend(_differences(profile, found.weapons or held))


def _modes(name: str, weapons: list[Weapon]) -> list[Weapon]:
    """A weapon by its name, or all modes of a weapon named without one."""
    wanted = fold(name)
    exact = [weapon for weapon in weapons if fold(weapon.name) == wanted]
    return exact or [weapon for weapon in weapons if fold(weapon.name.partition(" (")[0]) == wanted]


def _differences(profile: Profile, held: list[Weapon]) -> Iterator[str]:
    """Where the roster's own figures are not the card's: the roster may be older."""
    fields = {"atk": "num_dice", "hit": "dice_stat", "dmg_norm": "norm_dmg", "dmg_crit": "crit_dmg"}
    for weapon in _modes(profile.name, held):
        if weapon.kind != profile.type:
            continue
        given = {ours: profile.figures.get(theirs) for theirs, ours in fields.items()}
        if any(value is not None and value != weapon.line.figures[name] for name, value in given.items()):
            figures = f"{given['num_dice']} {given['dice_stat']}+ {given['norm_dmg']}/{given['crit_dmg']}"
            yield f"“{profile.name}” is {figures} in the roster; the library's figures are taken"

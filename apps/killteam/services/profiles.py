"""Picking a profile into a sheet, and keeping one's own."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.urls import reverse
from pydantic import ValidationError as NotADocument

from apps.accounts.models import Player
from apps.accounts.saved_profiles import MOST_SAVED, Item, SavedProfiles
from apps.killteam import notation
from apps.killteam.forms import MOST_NAME, FightForm, ShootForm
from apps.killteam.library import EDITION, Operative, Weapon, library
from apps.killteam.models import Role, SavedProfile
from apps.killteam.services import rules
from apps.killteam.services.matrix import MOST
from apps.killteam.team_fields import TeamPart, own_options
from engine.killteam.profile import Attacker, Defender, Fighter
from engine.wire import EngineError, invalid_document

FORMAT = "oddsmith.killteam.profiles"


@dataclass(frozen=True, slots=True)
class Outfit:
    """Whose a profile is: its team, the name of its weapon, and options of the team that are on."""

    team: str = ""
    weapon: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a profile goes in a sheet: which page, which situation, which part of it."""

    page: str
    side: str
    part: str

    @classmethod
    def parse(cls, text: str) -> Place | None:
        """``shoot-a-attacker``, ``fight-b-two``; None for anything else."""
        page, _, rest = text.partition("-")
        side, _, part = rest.partition("-")
        known = {"shoot": ("attacker", "defender"), "fight": ("one", "two")}
        return cls(page, side, part) if side in ("a", "b") and part in known.get(page, ()) else None

    @property
    def role(self) -> Role:
        return Role.FIGHTER if self.page == "fight" else Role(self.part)

    @property
    def prefix(self) -> str:
        start = "b-" if self.side == "b" else ""
        return f"{start}{self.part}_" if self.page == "fight" else start

    @property
    def team_part(self) -> TeamPart:
        """The fields of the team that belong to this part of the sheet."""
        return TEAM_PARTS[self.part]

    def __str__(self) -> str:
        return f"{self.page}-{self.side}-{self.part}"


TEAM_PARTS = {part.group: part for form in (ShootForm, FightForm) for part in form.teams}
#: For each role: engine document, its way to form fields, and the two lists of toggles.
ROLES: dict[Role, tuple[type[Attacker | Defender | Fighter], Mapping[str, str], str, tuple[str, ...]]] = {
    Role.ATTACKER: (Attacker, rules.ATTACKER, "rules", rules.ATTACK_CHIPS),
    Role.DEFENDER: (Defender, rules.DEFENDER, "save_rules", rules.DEFENCE_CHIPS),
    Role.FIGHTER: (Fighter, rules.FIGHTER, "rules", rules.FIGHT_CHIPS),
}


# -- From a profile to an address ---------------------------------------------------------------------------------


def weapon_values(weapon: Weapon, role: Role) -> dict[str, Any]:
    """The properties a weapon gives a sheet; a fighter also brings the wounds and the skin of whoever holds it."""
    if role == Role.FIGHTER:
        return notation.read_armed(weapon.line, weapon.operative.line)
    return notation.read_weapon(weapon.line, "shoot").values


def operative_values(operative: Operative) -> dict[str, Any]:
    return notation.read_target(operative.line).values


def saved_values(saved: SavedProfile) -> dict[str, Any]:
    document = ROLES[Role(saved.role)][0].model_validate(saved.profile)
    return document.model_dump(mode="json", by_alias=False, exclude_defaults=True)


def fields_of(values: Mapping[str, Any], role: Role) -> dict[str, list[str]]:
    """Engine properties as form fields; toggles are split over the two lists of their form."""
    _, names, toggles, at_once = ROLES[role]
    fields = {names[key]: [str(value)] for key, value in values.items() if key in names}
    start = toggles.removesuffix("rules")
    for ability in values.get("abilities", ()):
        if ability in rules.ONE_OF:
            fields[f"{start}{rules.ONE_OF[ability]}"] = [str(ability)]
        else:
            fields.setdefault(toggles if ability in at_once else f"more_{toggles}", []).append(ability)
    return fields


def is_hot(line: notation.Line) -> bool:
    """Whether a weapon may hurt its bearer."""
    return any(rule.casefold() == "hot" for rule in line.rules)


def address(
    place: Place,
    values: Mapping[str, Any],
    name: str,
    sheet: QueryDict | None = None,
    *,
    hot: bool = False,
    outfit: Outfit | None = None,
) -> str:
    """The page with this profile in its place; the rest of the sheet stays as it is."""
    data = dict(sheet.lists()) if sheet is not None else {}
    start = "b-" if place.side == "b" else ""
    for field in _fields_in(place):
        data.pop(field, None)
    for field, texts in fields_of(values, place.role).items():
        data[place.prefix + field] = texts
    if hot and place.role == Role.ATTACKER:
        data[f"{place.prefix}hot"] = ["1"]
    if "fnp_mode" in values:  # one for the whole sheet
        data[f"{start}fnp_mode"] = [str(values["fnp_mode"])]
    if place.page == "fight" or place.part == "attacker":
        data[f"{place.prefix}name"] = [name[:MOST_NAME]]
    _put_on(data, place.team_part, start, outfit or Outfit())
    if place.side == "b":
        data["compare"] = ["1"]
    data.setdefault("v", ["2" if place.page == "fight" else "1"])
    return f"{reverse(f'killteam:{place.page}')}?{urlencode(data, doseq=True)}"


@cache
def _fields_in(place: Place) -> tuple[str, ...]:
    """What a profile takes the place of."""
    _, names, toggles, _ = ROLES[place.role]
    start = toggles.removesuffix("rules")
    fields = [*names.values(), toggles, f"more_{toggles}", f"{start}style", f"{start}elite"]
    return tuple(place.prefix + field for field in (*fields, *(["hot"] if place.role == Role.ATTACKER else [])))


def _put_on(data: dict[str, list[str]], part: TeamPart, start: str, outfit: Outfit) -> None:
    """The team and the weapon of a profile; the options that were on stay on if they are the team's or everybody's."""
    for field, text in ((part.team, outfit.team), (part.weapon, outfit.weapon)):
        data.pop(start + field, None)
        if field and text:
            data[start + field] = [text]
    on = [*outfit.options] or data.pop(start + part.options, [])
    if kept := own_options(on, outfit.team, part.role):
        data[start + part.options] = kept


def random_address(page: str) -> str:
    """A sheet with a weapon and a target, or with two fighters, drawn from the library."""
    shelf, kind = library(), "melee" if page == "fight" else "ranged"
    weapons = [weapon for weapon in shelf.weapons if weapon.kind == kind and weapon.line.figures["norm_dmg"]]
    first = secrets.choice(weapons)
    if page == "fight":
        second = secrets.choice(weapons)
        one = weapon_address(Place("fight", "a", "one"), first)
        return weapon_address(Place("fight", "a", "two"), second, QueryDict(one.partition("?")[2]))
    target = secrets.choice(shelf.operatives)
    one = weapon_address(Place("shoot", "a", "attacker"), first)
    return operative_address(Place("shoot", "a", "defender"), target, QueryDict(one.partition("?")[2]))


def weapon_address(place: Place, weapon: Weapon, sheet: QueryDict | None = None) -> str:
    """The page with a weapon of the library in its place, of the team that has it."""
    name = weapon.name if place.page == "shoot" else weapon.operative.name
    values, outfit = weapon_values(weapon, place.role), Outfit(weapon.team, weapon.name)
    return address(place, values, name, sheet, hot=is_hot(weapon.line), outfit=outfit)


def operative_address(place: Place, operative: Operative, sheet: QueryDict | None = None) -> str:
    """The page with an operative of the library as the target."""
    return address(place, operative_values(operative), operative.name, sheet, outfit=Outfit(operative.team))


def matrix_address(saved: Sequence[SavedProfile]) -> str:
    """The mass analysis with a player's own weapons and targets in its lists; a list with none keeps its example."""
    query = {"v": "1"}
    for field, role in (("attackers", Role.ATTACKER), ("defenders", Role.DEFENDER)):
        named = [{"name": profile.name, **profile.profile} for profile in saved if profile.role == role]
        if named:
            query[field] = json.dumps(named[:MOST], ensure_ascii=False, separators=(",", ":"))
    return f"{reverse('killteam:matrix')}?{urlencode(query)}" if len(query) > 1 else ""


# -- A player's own -----------------------------------------------------------------------------------------------


def save_from_sheet(owner: Player, place: Place, name: str, sheet: QueryDict) -> SavedProfile:
    """Keep one part of a sheet."""
    form = (FightForm if place.page == "fight" else ShootForm)(sheet, "b" if place.side == "b" else "")
    if not form.is_valid():
        raise ValidationError("One of the fields of that sheet needs another value first.")
    values = form.settings()
    side = {"attacker": rules.attacker, "defender": rules.defender}.get(place.part)
    document = side(values) if side else rules.fighter(values, place.part)
    return SAVED.save(owner, place.role, name, document.model_dump(mode="json", exclude_defaults=True))


def checked(role: Role, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as the engine writes it on the wire, without what is at its default."""
    kind = ROLES[role][0]
    try:
        profile = kind.model_validate(dict(document))
    except (NotADocument, EngineError, TypeError, ValueError) as error:
        reason = invalid_document(error).message.rstrip(".") if isinstance(error, NotADocument) else str(error)
        raise ValidationError(f"That is not a {role.label.lower()}: {reason}.") from None
    return profile.model_dump(mode="json", exclude_defaults=True)


def export(player: Player | None) -> dict[str, Any]:
    """Everything saved, as it can be imported again."""
    return {
        "format": FORMAT,
        "version": 1,
        "edition": EDITION,
        "profiles": [{"role": p.role, "name": p.name, "profile": p.profile} for p in SAVED.visible_to(player)],
    }


def import_json(owner: Player, text: str) -> int:
    """Take in what :func:`export` wrote: all of it, or nothing with a reason."""
    try:
        document = json.loads(text)
        if document["format"] != FORMAT or not isinstance(document["profiles"], list):
            raise ValueError
        items = [
            Item(
                f"Profile {number} ({str(item['name'])[:40]})",
                Role(item["role"]),
                str(item["name"]),
                dict(item["profile"]),
            )
            for number, item in enumerate(document["profiles"], 1)
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValidationError("This is not a file of profiles exported here.") from None
    if len(items) > MOST_SAVED:
        raise ValidationError(f"A file may hold {MOST_SAVED} profiles; this one has {len(items)}.")
    return SAVED.import_all(owner, items)


def _checked(role: str, document: Mapping[str, Any]) -> dict[str, Any]:
    return checked(Role(role), document)


SAVED = SavedProfiles(SavedProfile, "role", "profile", _checked)

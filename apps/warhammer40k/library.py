"""Every unit and weapon of both editions, in the sheet's own field names, found by words, by title or by key.

``datasheets`` holds the cards; here a card becomes what fills the sheet. Profiles are made when somebody looks at them:
a search walks over short texts and makes only the ones that are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, overload

from django.utils.text import slugify

from apps.warhammer40k import datasheets, weapon_rules
from apps.warhammer40k.datasheets import Edition, Group, Unit, Weapon
from apps.warhammer40k.forms import ABILITIES, KEYWORDS

Kind = Literal["weapon", "unit"]
KINDS: tuple[Kind, ...] = ("weapon", "unit")
#: Before the key of an edition other than the first.
KEY_OF_EDITION: dict[Edition, str] = {"tenth": "", "eleventh": "11th-"}
_KEYWORDS = frozenset(key for key, _ in KEYWORDS)


@dataclass(frozen=True, slots=True)
class Profile:
    """A weapon in somebody's hands, or a unit. ``values`` fill the sheet; ``to_set`` is left to the player."""

    kind: Kind
    key: str
    name: str
    faction: str
    bearer: str
    values: Mapping[str, Any]
    note: str = ""
    to_set: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    edition: Edition = "tenth"
    #: Unique in its edition: what one types to pick it. Empty where the name alone is.
    known_as: str = ""
    #: Rules that leave the dice alone but say who may use a weapon and whom it hits: Pistol, Precision …
    also: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        if self.known_as:
            return self.known_as
        return f"{self.name} ({self.bearer})" if self.bearer else self.name

    def has(self, field: str) -> bool:
        return str(self.values.get(field) or 0) != "0"

    @property
    def line(self) -> str:
        """The figures in one line, as players write them."""
        v = self.values
        if self.kind == "unit":
            saves = (f"{v['save']}+" if int(v["save"]) < 7 else "–") + (
                f"/{v['invulnerable']}++" if self.has("invulnerable") else ""
            )
            pain = f", FNP {v['fnp']}+" if self.has("fnp") else ""
            others = "".join(f"; {group.number}× {group.name} {shown(group)}" for group in self.groups[1:])
            return f"{v['models']}× T{v['toughness']}, Sv {saves}, W{v['wounds']}{pain}{others}"
        skill = "auto" if "torrent" in v.get("abilities", ()) else f"{v['skill']}+"
        strength = f"{v['strength_dice']}+{v['strength']}" if self.has("strength_dice") else v["strength"]
        return f"{v['count']}× A {v['attacks']}, {skill}, S {strength}, AP −{v['ap']}, D {v['damage']}"

    @property
    def further_groups(self) -> list[dict[str, Any]]:
        """The groups of a unit after the first, as fields of the sheet."""
        return [group_fields(group) for group in self.groups[1:]]

    @property
    def points(self) -> int:
        """Points of a unit as it stands here; 0 where they are not known."""
        return int(self.values.get("unit_points") or 0)

    @property
    def abilities(self) -> list[str]:
        """Its rules by name."""
        v = self.values
        names = dict(ABILITIES) if self.kind == "weapon" else dict(KEYWORDS)
        listed = [names[key] for key in v.get("abilities" if self.kind == "weapon" else "keywords", ())]
        valued = (("sustained", "Sustained Hits {}"), ("rapid_fire", "Rapid Fire {}"), ("melta", "Melta {}"))
        listed += [text.format(v[key]) for key, text in valued if self.has(key)]
        listed += ["Blast"] if self.has("blast") else []
        listed += [f"Cleave {v['cleave']}"] if self.has("cleave") else []
        if self.has("anti"):
            against = v.get("against", "any").replace("_", " or ")
            listed.append(f"Anti-{against} {v['anti']}+")
        return listed


# -- Cards as profiles ----------------------------------------------------------------------------------------------


def unit_profile(unit: Unit, groups: Sequence[Group] = (), points: int | None = None) -> Profile:
    """A unit as the target of a sheet: the smallest one, or the groups and points a roster gives."""
    groups = tuple(groups or unit.groups())
    first = groups[0]
    values: dict[str, Any] = {
        "target": unit.name,
        "models": first.number,
        "toughness": first.figures.toughness,
        "save": first.figures.save,
        "wounds": first.figures.wounds,
        "invulnerable": first.figures.invulnerable,
        "fnp": first.figures.feel_no_pain,
        "keywords": keywords(unit),
        "traits": ["stealth"] if "Stealth" in unit.core else [],
        "unit_points": unit.points(unit.size) if points is None else points,
        "points_for": sum(group.number for group in groups) if len(groups) > 1 else 0,
    }
    values = {name: value for name, value in values.items() if value or name == "unit_points"}
    to_set = []
    if unit.invulnerable_when:
        to_set.append(f"Invulnerable save {first.figures.invulnerable or '–'}+: {unit.invulnerable_when}")
    note = "; ".join(text for text in (unit.note, *to_set) if text)
    key = KEY_OF_EDITION[unit.edition] + slugify(f"{unit.faction} {unit.name}")
    args = (unit.name, unit.faction, "", values, note, tuple(to_set), groups, unit.edition, unit.title)
    return Profile("unit", key, *args)


def group_fields(group: Group) -> dict[str, Any]:
    """A group of models as fields of the sheet."""
    figures = group.figures
    return {
        "name": group.name,
        "models": group.number,
        "toughness": figures.toughness,
        "save": figures.save,
        "wounds": figures.wounds,
        "invulnerable": figures.invulnerable,
        "fnp": figures.feel_no_pain,
    }


def led(leader: Profile) -> list[dict[str, Any]]:
    """The models of a unit as leaders of another, as fields of the sheet."""
    total = sum(group.number for group in leader.groups)
    return [
        {**group_fields(group), "role": "leader", "points": round(leader.points * group.number / total)}
        for group in leader.groups
    ]


@cache
def _leaders(edition: Edition) -> Mapping[str, tuple[Unit, ...]]:
    """Who may join a unit, by the unit's name. The 10th edition's table does not say: the card of the 11th does."""
    later = {(unit.faction, unit.name): unit.joins for unit in datasheets.units("eleventh")}
    found: dict[str, list[Unit]] = {}
    for unit in datasheets.units(edition):
        for name in unit.joins or later.get((unit.faction, unit.name), ()):
            found.setdefault(name.casefold(), []).append(unit)
    return {name: tuple(units) for name, units in found.items()}


def leaders_of(name: str, edition: Edition = "tenth") -> list[Profile]:
    """The units that may join the one of this name as leaders, by name."""
    return [unit_profile(unit) for unit in _leaders(edition).get(name.casefold().strip(), ())]


def shown(group: Group) -> str:
    """A group's figures in a few letters."""
    figures = group.figures
    save = f"{figures.save}+" if figures.save < 7 else "–"
    invulnerable = f"/{figures.invulnerable}++" if figures.invulnerable else ""
    return f"T{figures.toughness}, Sv {save}{invulnerable}, W{figures.wounds}"


def keywords(unit: Unit) -> list[str]:
    """The keywords a sheet knows, in the order of its list."""
    has = {word.casefold() for word in unit.keywords}
    return [key for key, _ in KEYWORDS if key in has]


def weapon_profile(unit: Unit, weapon: Weapon, count: int | None = None) -> Profile:
    """A weapon of a unit as a line of a sheet, as many as the smallest unit usually carries."""
    reading = weapon_rules.read(weapon.rules)
    to_set = list(reading.to_set)
    strength, ap = weapon.strength, weapon.ap
    rolled = ""
    if isinstance(strength, str):
        rolled, strength = rolled_strength(strength)
    if ap is None:
        to_set.append("AP: not readable in the sources; 0 is entered")
    values: dict[str, Any] = {
        "count": min(_usual_count(unit, weapon) if count is None else count, 100),
        "attacks": weapon.attacks,
        "skill": weapon.skill,
        "strength": strength,
        "ap": ap or 0,
        "damage": weapon.damage,
        **({"strength_dice": rolled} if rolled else {}),
        **reading.values,
    }
    if "torrent" in reading.values.get("abilities", ()):
        del values["skill"]
    if weapon.melee:
        values["abilities"] = ["melee", *values.get("abilities", ())]
    if "hazardous" in values.get("abilities", ()):
        values |= _bearer(unit, values["abilities"])
    key = KEY_OF_EDITION[unit.edition] + slugify(f"{unit.faction} {unit.name} {weapon.name}")
    title = f"{weapon.name} ({unit.title})"
    note = "; ".join(text for text in (", ".join(reading.also), *to_set) if text)
    args = (weapon.name, unit.faction, unit.name, values, note, tuple(to_set), (), unit.edition, title, reading.also)
    return Profile("weapon", key, *args)


def _bearer(unit: Unit, abilities: Sequence[str]) -> dict[str, Any]:
    """Who suffers when a Hazardous weapon fails."""
    large = ["bearer_large"] if {"monster", "vehicle"} & set(keywords(unit)) else []
    return {"bearer_wounds": unit.figures.wounds, "abilities": [*abilities, *large]}


def _usual_count(unit: Unit, weapon: Weapon) -> int:
    """By default wargear; a choice as often as one usually takes it, else once."""
    taken = datasheets.common_units().get(unit.faction, {}).get(unit.name, {})
    return unit.arms().get(weapon.base) or taken.get(weapon.name, 1)


def rolled_strength(dice: str) -> tuple[str, int]:
    """A strength that is rolled, as the dice and what is added.

    >>> rolled_strength("D6+6")
    ('D6', 6)
    """
    number, _, plus = dice.upper().partition("+")
    return number, int(plus or 0)


# -- Shelves --------------------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where a profile is: the unit, and which of its weapons (-1 = the unit itself)."""

    unit: Unit
    weapon: int


class Shelf(Sequence[Profile]):
    """Profiles in order, each made when it is looked at."""

    def __init__(self, places: Sequence[_Place]) -> None:
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> Profile: ...

    @overload
    def __getitem__(self, at: slice) -> Shelf: ...

    def __getitem__(self, at: int | slice) -> Profile | Shelf:
        if isinstance(at, slice):
            return Shelf(self._places[at])
        return _made(self._places[at])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._places))


@lru_cache(maxsize=256)
def _made(place: _Place) -> Profile:
    unit, weapon = place
    return unit_profile(unit) if weapon < 0 else weapon_profile(unit, unit.weapons[weapon])


@cache
def _places(kind: Kind, edition: Edition) -> tuple[_Place, ...]:
    units = datasheets.units(edition)
    if kind == "unit":
        return tuple(_Place(unit, -1) for unit in units)
    return tuple(_Place(unit, at) for unit in units for at in range(len(unit.weapons)))


def profiles(kind: Kind, edition: Edition = "tenth") -> Shelf:
    """Every profile of a kind, by army; the ones met most first within it."""
    return Shelf(_places(kind, edition))


@cache
def common(kind: Kind, edition: Edition = "tenth") -> tuple[Profile, ...]:
    """The profiles people meet most: few enough to offer them all at once."""
    found = []
    for faction, wanted in datasheets.common_units().items():
        for unit in datasheets.army(edition, faction):
            if unit.name in wanted:
                if kind == "unit":
                    found.append(unit_profile(unit))
                else:
                    found += [weapon_profile(unit, w) for w in unit.weapons if w.name in wanted[unit.name]]
    return tuple(found)


def factions(edition: Edition = "tenth") -> tuple[str, ...]:
    return datasheets.factions(edition)


def search(kind: Kind, words: str = "", faction: str = "", edition: Edition = "tenth") -> Shelf:
    """Profiles whose name, bearer, army or rules hold every word."""
    wanted = words.casefold().split()
    places, texts = _places(kind, edition), _texts(kind, edition)
    return Shelf(
        [
            place
            for place, text in zip(places, texts, strict=True)
            if (not faction or place.unit.faction == faction) and all(word in text for word in wanted)
        ]
    )


@cache
def _texts(kind: Kind, edition: Edition) -> tuple[str, ...]:
    """What a search looks through, place by place."""
    return tuple(_text(place) for place in _places(kind, edition))


def _text(place: _Place) -> str:
    unit, at = place
    if at < 0:
        words: tuple[str, ...] = (
            unit.name,
            unit.faction,
            *(word for word in unit.keywords if word.casefold() in _KEYWORDS),
        )
    else:
        weapon = unit.weapons[at]
        melee = ("Melee",) if weapon.melee else ()
        words = (weapon.name, unit.name, unit.faction, *weapon.rules, *melee)
    return " ".join(words).casefold()


def by_title(kind: Kind, title: str, edition: Edition = "tenth") -> Profile | None:
    """The profile one typed the title of."""
    wanted = " ".join(title.casefold().split())
    name = wanted.rpartition(" (")[2].removesuffix(")") if kind == "weapon" else wanted
    for faction in factions(edition):
        for unit in datasheets.army(edition, faction):
            if unit.title.casefold() == name:
                return next((p for p in _profiles_of(unit, kind) if p.title.casefold() == wanted), None)
    return None


def by_key(key: str) -> Profile | None:
    """The profile of a key, of either edition and kind."""
    edition: Edition = "eleventh" if key.startswith(KEY_OF_EDITION["eleventh"]) else "tenth"
    bare = key.removeprefix(KEY_OF_EDITION[edition])
    for faction in factions(edition):
        if not bare.startswith(slugify(faction)):
            continue
        for unit in datasheets.army(edition, faction):
            if bare.startswith(slugify(f"{faction} {unit.name}")):
                for kind in KINDS:
                    for profile in _profiles_of(unit, kind):
                        if profile.key == key:
                            return profile
    return None


def card(key: str) -> Unit | None:
    """The unit of a unit profile's key."""
    profile = by_key(key)
    if profile is None or profile.kind != "unit":
        return None
    units = datasheets.army(profile.edition, profile.faction)
    return next((unit for unit in units if unit.name == profile.name), None)


def armament(unit: Unit, *, melee: bool) -> list[Profile]:
    """Every weapon a unit of its smallest size uses in one phase, as many as it carries, in its first mode.

    Where the table does not know the usual wargear, every weapon of the card, once.
    """
    carried = unit.arms() or {weapon.base: _usual_count(unit, weapon) for weapon in unit.weapons}
    lines = []
    for base, number in carried.items():
        mode = next((mode for mode in unit.modes(base) if mode.melee == melee), None)
        if mode is not None:
            lines.append(weapon_profile(unit, mode, number))
    return lines


def _profiles_of(unit: Unit, kind: Kind) -> Iterator[Profile]:
    if kind == "unit":
        yield unit_profile(unit)
    else:
        yield from (weapon_profile(unit, weapon) for weapon in unit.weapons)

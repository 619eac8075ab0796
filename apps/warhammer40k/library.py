"""The profiles players meet most: figures of the 10th edition, in the sheet's own field names.

``data/profiles.json`` holds one profile a line, by faction. A weapon's ``also`` lists rules that do not change the
odds (Pistol, Precision); a unit's ``note`` says what a single figure cannot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from django.utils.text import slugify

from apps.warhammer40k.forms import ABILITIES, KEYWORDS

SOURCE = Path(__file__).parent / "data" / "profiles.json"
Kind = Literal["weapon", "unit"]
#: The library's word for a field where the sheet's differs.
RENAMED = {"feel_no_pain": "fnp", "name": "target"}


@dataclass(frozen=True, slots=True)
class Profile:
    """A weapon in somebody's hands, or a unit. ``values`` fill the sheet."""

    kind: Kind
    key: str
    name: str
    faction: str
    bearer: str
    values: Mapping[str, Any]
    note: str = ""

    @property
    def title(self) -> str:
        """Unique in the library: what one types to pick it."""
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
            return f"{v['models']}× T{v['toughness']}, Sv {saves}, W{v['wounds']}{pain}"
        skill = "auto" if "torrent" in v.get("abilities", ()) else f"{v['skill']}+"
        return f"{v['count']}× A {v['attacks']}, {skill}, S {v['strength']}, AP −{v['ap']}, D {v['damage']}"

    @property
    def abilities(self) -> list[str]:
        """Its rules by name."""
        v = self.values
        names = dict(ABILITIES) if self.kind == "weapon" else dict(KEYWORDS)
        listed = [names[key] for key in v.get("abilities" if self.kind == "weapon" else "keywords", ())]
        valued = (("sustained", "Sustained Hits {}"), ("rapid_fire", "Rapid Fire {}"), ("melta", "Melta {}"))
        listed += [text.format(v[key]) for key, text in valued if self.has(key)]
        listed += ["Blast"] if self.has("blast") else []
        if self.has("anti"):
            against = v.get("against", "any").replace("_", " or ")
            listed.append(f"Anti-{against} {v['anti']}+")
        return listed


@cache
def profiles(kind: Kind) -> tuple[Profile, ...]:
    """Every profile of a kind, by faction."""
    factions = json.loads(SOURCE.read_text(encoding="utf-8"))
    return tuple(_profile(kind, faction["faction"], row) for faction in factions for row in faction[f"{kind}s"])


def _profile(kind: Kind, faction: str, row: dict[str, Any]) -> Profile:
    values = dict(row)
    name, bearer = values["name"], values.pop("bearer", "")
    note = values.pop("note", "") or ", ".join(values.pop("also", []))
    if kind == "unit":
        values = {RENAMED.get(field, field): value for field, value in values.items()}
        values["unit_points"] = round(values.pop("points", 0) * values["models"])
    return Profile(kind, slugify(f"{faction} {bearer} {name}"), name, faction, bearer, values, note)


@cache
def by_title(kind: Kind) -> Mapping[str, Profile]:
    return {profile.title.casefold(): profile for profile in profiles(kind)}


@cache
def by_key(kind: Kind) -> Mapping[str, Profile]:
    return {profile.key: profile for profile in profiles(kind)}


@cache
def factions() -> tuple[str, ...]:
    return tuple(dict.fromkeys(profile.faction for profile in profiles("unit")))


def search(kind: Kind, words: str = "", faction: str = "") -> list[Profile]:
    """Profiles whose name, bearer, faction or rules hold every word."""
    wanted = words.casefold().split()
    return [
        profile
        for profile in profiles(kind)
        if (not faction or profile.faction == faction) and all(word in _words()[profile.key] for word in wanted)
    ]


@cache
def _words() -> Mapping[str, str]:
    """What a search looks through, by key."""
    return {
        p.key: " ".join([p.name, p.bearer, p.faction, *p.abilities]).casefold()
        for kind in ("weapon", "unit")
        for p in profiles(kind)
    }

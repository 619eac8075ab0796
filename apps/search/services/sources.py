"""Where the lines of the index come from, one function for each kind of thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

from django.urls import reverse

from apps.accounts.models import Player
from apps.battletech.services.page import stock_mechs
from apps.classroom.services import classes
from apps.core.calculator import Calculator
from apps.core.navigation import open_rooms
from apps.dice.calculator import DICE
from apps.help import pages
from apps.killteam import library as killteam
from apps.killteam.calculators import fight, fight_matrix, matrix, shoot
from apps.killteam.saved_rosters import SAVED_ROSTERS
from apps.killteam.services.profiles import SAVED as KILLTEAM_SAVED
from apps.lessons import services as lessons
from apps.search.services.index import Entry, Kind
from apps.warhammer40k import datasheets
from apps.warhammer40k.library import unit_profile
from apps.warhammer40k.saved import SAVED as WARHAMMER40K_SAVED
from apps.warhammer40k.saved_armies import SAVED_ARMIES
from apps.warhammer40k.urls import builder

#: Pages of a room besides its front door: name, what one does there, URL name, other words for it.
PAGES = (
    ("Kill Team: shoot", "Damage and chance to kill", "killteam:shoot", "calculator ranged"),
    ("Kill Team: fight", "Strike or parry, wounds left", "killteam:fight", "calculator melee duel"),
    ("Kill Team: rosters", "Your team against theirs", "killteam:rosters", "roster army list import ploys equipment"),
    ("Kill Team: matrix", "Everyone against everyone", "killteam:matrix", "table roster teams"),
    ("Kill Team: fight matrix", "Who should charge whom", "killteam:fight-matrix", "table melee roster teams"),
    ("Kill Team: profiles", "Teams, operatives, weapons", "killteam:profiles", "library"),
    ("40K: targets", "One attack at eight targets", "warhammer40k:targets", "calculator"),
    ("40K: advice", "What to reroll, what to improve", "warhammer40k:advice", "calculator"),
    ("40K: roll it", "Real dice with proofs, simulation", "warhammer40k:roll", "fair verify"),
    ("40K: profiles", "Units and weapons", "warhammer40k:profiles", "library datasheets"),
    ("BattleTech: edit a sheet", "A ’Mech of your own", "battletech:edit", "record sheet editor"),
    ("Dicee: rules", "Every box with an example", "dicee:rules", "yahtzee how to play"),
    ("Dicee: analysis board", "Any card, any dice, every choice", "dicee:analyse", "analyse position solver yahtzee"),
    ("Dicee: your games", "Find games and decisions again", "games:list", "history list search filter export"),
    ("Dicee: starred positions", "Your own collection", "games:starred", "favourites saved practice"),
    ("Dicee: quiz", "Positions to decide", "dicee:quiz", "practice"),
    ("Lessons", "Six units on probability", "lessons:overview", "learn teach"),
    ("Practice", "Positions made for you", "practice:home", "learn train"),
    ("Daily position", "The same for everyone", "practice:daily", "challenge"),
    ("Your progress", "Rating, mistakes, curves", "practice:progress", "statistics"),
    ("Jobs", "Long answers that run", "jobs:home", "queue"),
    ("Account", "Name, password, your data", "accounts:home", "profile export delete"),
    ("Settings", "Theme, odds, keys, motion, sound", "core:settings", "dark light preferences"),
    ("Keyboard", "Every shortcut", "core:keyboard", "keys"),
    ("Privacy", "What is stored, for how long", "accounts:privacy", "data"),
    ("API", "For programs", "docs", "rest json schema"),
)
CALCULATORS: tuple[Calculator, ...] = (shoot, fight, matrix, fight_matrix, builder, DICE)


def _link(name: str, **query: str) -> str:
    return f"{reverse(name)}?{urlencode(query)}"


def tools() -> Iterator[Entry]:
    for room in open_rooms():
        yield Entry(Kind.TOOL, room.name, room.text, room.path, f"{room.verb} {room.label}")
    for title, note, name, words in PAGES:
        yield Entry(Kind.TOOL, title, note, reverse(name), words)


def killteam_teams() -> Iterator[Entry]:
    for team in killteam.library().teams:
        yield Entry(Kind.TEAM, team, "Kill Team", _link("killteam:profiles", team=team))


def killteam_operatives() -> Iterator[Entry]:
    for operative in killteam.library().operatives:
        link = _link("killteam:profiles", q=operative.name, team=operative.team)
        yield Entry(Kind.UNIT, operative.name, f"Kill Team · {operative.team}", link)


def killteam_weapons() -> Iterator[Entry]:
    for name in sorted({weapon.name for weapon in killteam.library().weapons}):
        yield Entry(Kind.WEAPON, name, "Kill Team", _link("killteam:profiles", q=name))


def warhammer40k_armies() -> Iterator[Entry]:
    for faction in datasheets.factions("tenth"):
        link = _link("warhammer40k:profiles", kind="unit", faction=faction)
        yield Entry(Kind.TEAM, faction, "Warhammer 40K", link)


def warhammer40k_units() -> Iterator[Entry]:
    """Units of the tenth edition in the library; the eleventh's own go straight into a sheet."""
    known = set()
    for unit in datasheets.units("tenth"):
        known.add((unit.faction, unit.name))
        link = _link("warhammer40k:profiles", kind="unit", words=unit.name, faction=unit.faction)
        yield Entry(Kind.UNIT, unit.name, f"Warhammer 40K · {unit.faction}", link)
    for unit in datasheets.units("eleventh"):
        if (unit.faction, unit.name) not in known:
            link = _link("warhammer40k:pick", profile=unit_profile(unit).key)
            yield Entry(Kind.UNIT, unit.name, f"Warhammer 40K, 11th edition · {unit.faction}", link)


def warhammer40k_weapons() -> Iterator[Entry]:
    for name in sorted({weapon.name for unit in datasheets.units("tenth") for weapon in unit.weapons}):
        yield Entry(Kind.WEAPON, name, "Warhammer 40K", _link("warhammer40k:profiles", kind="weapon", words=name))


def mechs() -> Iterator[Entry]:
    for mech in stock_mechs():
        link = _link("battletech:sheet", v="1", mech=mech["key"])
        yield Entry(Kind.UNIT, mech["name"], f"BattleTech · {mech['tonnage']} t", link, "mech record sheet")


def presets() -> Iterator[Entry]:
    killteam_names = ("killteam:shoot", "killteam:fight", "killteam:matrix", "killteam:fight-matrix")
    names = (*killteam_names, "warhammer40k:builder", "dice:dice")
    for calculator, name in zip(CALCULATORS, names, strict=True):
        for preset in calculator.preset_links(reverse(name)):
            note = " · ".join(filter(None, (calculator.title, preset["note"])))
            yield Entry(Kind.PRESET, preset["label"], note, preset["href"])


def lesson_pages() -> Iterator[Entry]:
    for card in lessons.cards():
        url = reverse("lessons:lesson", args=[card.lesson.slug])
        yield Entry(Kind.LESSON, card.lesson.title, card.hook, url, "probability lesson")


def help_pages() -> Iterator[Entry]:
    """Every page, and every heading in it with the words below."""
    for page in pages.pages():
        yield Entry(Kind.HELP, page.title, page.summary, page.url)
        for section in page.document.sections[1:]:
            yield Entry(Kind.HELP, section.title, page.title, f"{page.url}#{section.anchor}", section.text)


SOURCES: tuple[Callable[[], Iterator[Entry]], ...] = (
    tools,
    killteam_teams,
    warhammer40k_armies,
    mechs,
    presets,
    lesson_pages,
    help_pages,
    killteam_operatives,
    warhammer40k_units,
    killteam_weapons,
    warhammer40k_weapons,
)


def saved_by(player: Player | None) -> Iterator[Entry]:
    """What a player keeps: profiles, rosters, armies, classes. Read each time, never kept: it is theirs alone."""
    if player is None:
        return
    for profile in KILLTEAM_SAVED.visible_to(player):
        note = f"Kill Team · {profile.get_role_display()}"
        yield Entry(Kind.OWN, profile.name, note, reverse("killteam:profiles"))
    for roster in SAVED_ROSTERS.visible_to(player):
        yield Entry(Kind.OWN, roster.name, f"Kill Team · {roster.get_kind_display()}", reverse("killteam:rosters"))
    for army in SAVED_ARMIES.visible_to(player):
        note = f"Warhammer 40K · {army.get_kind_display()}"
        yield Entry(Kind.OWN, army.name, note, reverse("warhammer40k:armies"))
    for own in WARHAMMER40K_SAVED.visible_to(player):
        link = _link("warhammer40k:pick", profile=f"own-{own.pk}")
        yield Entry(Kind.OWN, own.name, f"Warhammer 40K · {own.get_kind_display()}", link)
    for classroom in classes.taught_by(player):
        yield Entry(Kind.OWN, classroom.name, "Class", reverse("classroom:class", args=[classroom.pk]))

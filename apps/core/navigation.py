"""The sections of the site: one table for the header, the menu and the doors on the home page."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import Resolver404, resolve


@dataclass(frozen=True)
class Room:
    """A tool as the header and the home page show it."""

    label: str
    path: str
    verb: str  # what one does there: Play, Calculate, Teach
    name: str  # in full, for its door
    text: str


ROOMS = (
    Room("Dicee", "/dicee/", "Play", "Dicee", "Play with a coach that has solved the game."),
    Room("Kill Team", "/killteam/", "Calculate", "Kill Team", "Shoot and fight, every ability, side by side."),
    Room("40K", "/warhammer40k/", "Calculate", "Warhammer 40K", "Stack weapons, pick a target, see what falls."),
    Room("BattleTech", "/battletech/", "Calculate", "BattleTech", "Bins, heat, CASE: what goes, and with what."),
    Room("Classroom", "/classroom/", "Teach", "Classroom", "Set a position, see the class decide, talk about why."),
    Room("Dice", "/dice/", "Calculate", "Any dice", "Type 3D6+2 and read the whole distribution."),
)


@dataclass(frozen=True)
class Link:
    room: Room
    current: str  # the value of aria-current: "page", "true" inside the room, "" elsewhere


def is_open(path: str) -> bool:
    """Whether something answers at ``path`` in this installation."""
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def open_rooms() -> list[Room]:
    return [room for room in ROOMS if is_open(room.path)]


def links(here: str) -> list[Link]:
    """The header's links, with the room one is in marked."""
    return [Link(room, _current(room.path, here)) for room in open_rooms()]


def _current(path: str, here: str) -> str:
    if here == path:
        return "page"
    return "true" if here.startswith(path) else ""

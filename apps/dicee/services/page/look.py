"""How a player wants every table shown."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from apps.accounts.models import Player
from apps.dicee.services.review.profile import LEVELS, profile

PROFILES = (
    ("beginner", "Beginner", "The best choice is marked, chances are words."),
    ("intermediate", "Intermediate", "Percentages, expected points, and why."),
    ("expert", "Expert", "Fractions, both horizons, every hold, simulation, export."),
)
SETTINGS_KEY = "dicee"
#: Nothing is suggested before the lowest threshold's number of games (RFC-002 §5.1).
ENOUGH_GAMES = min(games for _, games, _, _ in LEVELS)


@dataclass(frozen=True)
class Look:
    """A player's own choices for every table."""

    profile: str = "intermediate"
    stats: bool = True
    always: bool = False  # statistics stay when the switch is off (RFC-002 §5.5)
    horizon: str = "game"
    decide: bool = True  # the numbers come after the decision
    predict: bool = False
    ask_zero: bool = True  # before a 0 is written while there are rolls left
    win: bool = True
    reactions: bool = True  # what others call across the table
    auto: bool = False
    tutored: bool = False

    @classmethod
    def of(cls, player: Player | None) -> Look:
        """Unknown names and values are dropped: the settings may be older than this code."""
        kept = (player.settings if player else {}).get(SETTINGS_KEY, {})
        return cls().chosen(kept if isinstance(kept, dict) else {})

    def chosen(self, values: dict[str, Any]) -> Look:
        allowed = {"profile": [name for name, *_ in PROFILES], "horizon": ["game", "turn"]}
        switches = ("stats", "always", "decide", "predict", "ask_zero", "win", "reactions", "auto", "tutored")
        kept: dict[str, Any] = {name: values[name] for name in allowed if values.get(name) in allowed[name]}
        kept |= {name: values[name] in (True, "1", "on") for name in switches if name in values}
        return replace(self, **kept)

    @property
    def visible(self) -> bool:
        return self.stats or self.always


def keep_look(player: Player, values: dict[str, Any]) -> Look:
    """Remember a player's choices; those not named stay as they are."""
    look = Look.of(player).chosen(values)
    player.settings = player.settings | {SETTINGS_KEY: asdict(look)}
    player.save(update_fields=["settings"])
    return look


def taught(player: Player) -> None:
    """Who has written a box needs no steps any more."""
    if not Look.of(player).tutored:
        keep_look(player, {"tutored": True})


def suggestion(player: Player | None) -> str:
    """The profile that a player's games speak for, if it is another than the chosen one; else ""."""
    if player is None:
        return ""
    look, found = Look.of(player), profile(player)
    return found.suggested if found.games >= ENOUGH_GAMES and found.suggested != look.profile else ""


def adjust(player: Player) -> None:
    """Follow the thresholds where the player wants that. Between games only: a level does not change in play."""
    if Look.of(player).auto and (level := suggestion(player)):
        keep_look(player, {"profile": level})

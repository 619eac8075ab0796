"""What happened at a table lately, in words: what a screen reader hears, what opponents did, who left and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.dicee.models import GameEvent, Stream
from apps.dicee.services.table import Place, TableView
from engine.dicee.advice import TITLES
from engine.dicee.boxes import BOX_NUMBER
from engine.dicee.game.events import Source
from engine.dicee.game.state import GameState

#: A turn has at most three rolls and a score, and one of the players may leave in between.
EVENTS_PER_TURN = 5
SHOWN = ("roll", "score", "score_undone", "game_abandoned")


@dataclass(frozen=True)
class Happening:
    """One event of the game, with the player it belongs to."""

    seq: int
    kind: str
    place: Place
    payload: Mapping[str, Any]

    @property
    def dice(self) -> list[int]:
        return list(self.payload.get("diceResult", ()))

    @property
    def by_clock(self) -> bool:
        """Whether the clock did it for a player whose time was up."""
        return self.payload.get("eventSource") == Source.SYSTEM

    @property
    def points(self) -> int:
        return int(self.payload.get("pointsEarned", 0))

    @property
    def words(self) -> str:
        """What happened, for everyone."""
        who = self.place.shown_name
        match self.kind:
            case "roll":
                return f"{who} rolled {', '.join(map(str, self.dice))}."
            case "score" if self.by_clock:
                return f"{who} ran out of time: {self.points} in {TITLES[self.payload['chosenCategory']]}."
            case "score":
                return f"{who}: {self.points} in {TITLES[self.payload['chosenCategory']]}."
            case "score_undone":
                return f"{who} took {TITLES[self.payload['category']]} back."
            case _:
                return f"{who} {'ran out of time and left' if self.payload.get('reason') == 'timeout' else 'left'}."


def happenings(table: TableView, state: GameState) -> tuple[Happening, ...]:
    """The last round of the game, oldest first. Of a table of one the state itself says it all."""
    if table.status == "waiting":
        return ()
    alone = len(table.places) == 1 and table.settings.time_limit is None
    return _last_move(table, state) if alone else _last_round(table)


def _last_move(table: TableView, state: GameState) -> tuple[Happening, ...]:
    place, last = table.places[0], state.last_score
    if state.dice:
        return (Happening(state.sequence, "roll", place, {"diceResult": state.dice}),)
    if last is None:
        return ()
    written = state.seats[last.seat].card.points[BOX_NUMBER[last.category]]
    payload = {"chosenCategory": last.category, "pointsEarned": written}
    return (Happening(state.sequence, "score", place, payload),)


def _last_round(table: TableView) -> tuple[Happening, ...]:
    places = {str(place.ref): place for place in table.places}
    rows = GameEvent.objects.filter(game=table.game, stream=Stream.DOMAIN, type__in=SHOWN).order_by("-seq")
    found = rows.values_list("seq", "type", "payload")[: EVENTS_PER_TURN * len(places)]
    return tuple(
        Happening(seq, kind, places[payload["playerId"]], payload)
        for seq, kind, payload in reversed(found)
        if payload.get("playerId") in places
    )


def since_my_move(found: tuple[Happening, ...]) -> tuple[Happening, ...]:
    """My last move and everything after it; all of it for those who watch."""
    mine = [number for number, happening in enumerate(found) if happening.place.is_me]
    return found[mine[-1] :] if mine else found


def since_a_person_moved(found: tuple[Happening, ...]) -> tuple[Happening, ...]:
    """The last move of a person and what bots did after it: what came before was told when it happened."""
    people = [number for number, happening in enumerate(found) if not happening.place.bot]
    return found[people[-1] :] if people else found


def announcement(table: TableView, found: tuple[Happening, ...]) -> str:
    """The news for someone who cannot see the table: what was written, the dice that lie there, whose turn it is."""
    news = since_a_person_moved(found)
    told = [happening.words for happening in news if happening.kind != "roll"]
    if news and news[-1].kind == "roll":
        left = table.rolls_left
        told.append(f"{news[-1].words} {left} roll{'' if left == 1 else 's'} left.")
    elif table.status == "active" and len(table.places) > 1 and table.on_turn:
        told.append("Your turn." if table.my_turn else f"{table.on_turn.name} is about to roll.")
    return " ".join(told)


def opponent_moves(table: TableView, found: tuple[Happening, ...]) -> list[dict[str, Any]]:
    """What bots did after my last move, roll by roll, for the page to show one after the other."""
    dice: dict[str, list[int]] = {}
    moves = []
    for happening in since_my_move(found):
        if happening.kind == "roll":
            dice[str(happening.place.ref)] = happening.dice
        if happening.place.bot and happening.kind in ("roll", "score"):
            lying = dice.get(str(happening.place.ref), [])
            moves.append({"seq": happening.seq, "words": happening.words, "dice": lying})
    return moves

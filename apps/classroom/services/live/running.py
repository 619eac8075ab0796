"""How a running game goes, kept up move by move.

A tally belongs to one seat and to the last event counted in it. It lives in the shared cache, so the next move folds
one event and analyses one decision, whichever process does it; what the cache forgets is counted again from the
events. ``review.story`` tells the same of a game as a whole, with every reason and at a hundred times the price.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from django.core.cache import cache
from django.db.models import Max

from apps.dicee.decisions import analyze
from apps.dicee.models import Game, GameEvent, Stream
from apps.dicee.services import store
from engine.dicee import notation
from engine.dicee.analysis import Position
from engine.dicee.boxes import Scorecard
from engine.dicee.game import events
from engine.dicee.game.events import Event
from engine.dicee.game.state import ROLLS_PER_TURN, GameState, GameStatus
from engine.dicee.learning.patterns import Spot, opportunities

KEPT_SECONDS = 24 * 3600
#: Points from which a choice counts as a slip, as in ``review.quiz``.
SLIP = 1.0

Place = tuple[uuid.UUID, uuid.UUID]  # a game, and the seat's ``player_ref`` in it


@dataclass(frozen=True, slots=True)
class Tally:
    """One seat of a game after the event ``seq``."""

    seq: int = 0
    decisions: int = 0
    right: int = 0
    lost: float = 0.0
    slips: int = 0  # in a row, up to now
    slips_lost: float = 0.0
    #: Patterns fallen for in this game: key, times, points lost.
    habits: tuple[tuple[str, int, float], ...] = ()
    position: str = ""  # what the player looks at; empty once the card is full
    turn: int = 1
    roll: int = 0
    score: int = 0
    on_turn: bool = False
    over: bool = False
    at: int = 0  # of the last event, in milliseconds of the epoch
    acted: int = 0  # of the player's own last event
    edition: int = 0

    @property
    def accuracy(self) -> float | None:
        return self.right / self.decisions if self.decisions else None


def tally(game: Game, ref: uuid.UUID, state: GameState | None = None) -> Tally:
    """The seat as it stands now, and kept for whoever asks next."""
    return _catch_up(game, ref, cache.get(_key((game.pk, ref))), state)


def tallies(games: Collection[tuple[Game, uuid.UUID]]) -> dict[Place, Tally]:
    """Many seats at once: one look at the cache, one at the last events' numbers; only what lags is folded."""
    known = cache.get_many([_key((game.pk, ref)) for game, ref in games])
    newest = dict(
        GameEvent.objects.filter(game__in=[game.pk for game, _ in games], stream=Stream.DOMAIN)
        .values_list("game_id")
        .annotate(Max("seq"))
        .order_by()
    )
    found = {}
    for game, ref in games:
        kept: Tally | None = known.get(_key((game.pk, ref)))
        fresh = kept is not None and kept.edition == game.edition and kept.seq == newest.get(game.pk)
        found[game.pk, ref] = kept if fresh and kept else _catch_up(game, ref, kept)
    return found


def _catch_up(game: Game, ref: uuid.UUID, kept: Tally | None, state: GameState | None = None) -> Tally:
    if kept is None or kept.edition != game.edition:
        kept = Tally(edition=game.edition)
    newer = store.stream(game, kept.seq)
    if any(isinstance(event, events.ScoreUndone) for event in newer):  # rare enough to count again from the start
        kept, newer = Tally(edition=game.edition), store.stream(game)
    counted = fold(kept, _standing(newer), ref)
    if newer:
        counted = replace(counted, seq=newer[-1].sequence_number)
    after = _stand(counted, ref, state or store.current(game))
    cache.set(_key((game.pk, ref)), after, KEPT_SECONDS)
    return after


def _standing(stream: Iterable[Event]) -> list[Event]:
    """The events without scores that were taken back; an undo itself says nothing about a decision."""
    stream = list(stream)
    undone = {event.undone_event_id for event in stream if isinstance(event, events.ScoreUndone)}
    return [event for event in stream if event.id not in undone and not isinstance(event, events.ScoreUndone)]


def fold(before: Tally, stream: Iterable[Event], ref: uuid.UUID) -> Tally:
    """Count the decisions of one seat in events that follow ``before``."""
    now = before
    for event in stream:
        if isinstance(event, events.GameCreated):
            now = replace(now, position=notation.write(Position(Scorecard(), event.settings.rules_variant)))
        elif event.player_id == ref and isinstance(event, events.Rolled):
            now = _rolled(now, event)
        elif event.player_id == ref and isinstance(event, events.Scored):
            now = _scored(now, event)
        acted = event.timestamp if event.player_id == ref else now.acted
        now = replace(now, seq=event.sequence_number, at=event.timestamp, acted=acted)
    return now


def _rolled(now: Tally, event: events.Rolled) -> Tally:
    here = notation.read(now.position)
    if here.dice:
        keep = [face for face, kept in zip(here.dice, event.kept_mask, strict=True) if kept]
        now = _decided(now, here, keep=keep)
    there = Position(here.card, here.variant, event.dice_result, ROLLS_PER_TURN - event.roll_number)
    return replace(now, position=notation.write(there))


def _scored(now: Tally, event: events.Scored) -> Tally:
    here = notation.read(now.position)
    now = _decided(now, here, box=event.chosen_category)
    card = Scorecard.from_wire(event.updated_scorecard)
    return replace(now, position="" if card.is_complete else notation.write(Position(card, here.variant)))


def _decided(now: Tally, here: Position, *, keep: list[int] | None = None, box: str | None = None) -> Tally:
    found = analyze(here)
    chosen = found.option(keep=keep, box=box)
    lost = chosen.cost
    now = replace(now, decisions=now.decisions + 1, right=now.right + (not lost), lost=now.lost + lost)
    if lost < SLIP:
        return replace(now, slips=0, slips_lost=0.0)
    habits = {key: (times, points) for key, times, points in now.habits}
    for key, fitting in opportunities(Spot(here, found)).items():
        if chosen in fitting:
            times, points = habits.get(key, (0, 0.0))
            habits[key] = (times + 1, points + lost)
    listed = tuple((key, *counted) for key, counted in habits.items())
    return replace(now, slips=now.slips + 1, slips_lost=now.slips_lost + lost, habits=listed)


def _stand(counted: Tally, ref: uuid.UUID, state: GameState) -> Tally:
    """What the state says better than a count: whose turn it is, how far, how many points."""
    seat = state.seat_of(ref)
    mine = state.status is GameStatus.ACTIVE and state.seat is seat
    return replace(
        counted,
        on_turn=mine,
        turn=min(len(seat.card.points), seat.card.turns_completed + 1),
        roll=state.roll_number if mine else 0,
        score=seat.card.grand_total,
        at=state.timestamp,
        over=seat.left or state.status in (GameStatus.COMPLETED, GameStatus.ABANDONED),
    )


def _key(place: Place) -> str:
    return f"classroom:running:1:{place[0]}:{place[1]}"

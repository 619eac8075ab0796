"""What a worker does after a move: file the analysis of each roll, redraw the win bar, sum up a game that is over."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

from apps.dicee.models import Game, Mode, Stream
from apps.dicee.services import chances, horizon, settings, store
from apps.dicee.services.api.statistics import recommend, vector
from apps.dicee.services.record import telemetry
from apps.dicee.services.review import profile
from engine.dicee.advice import Depth
from engine.dicee.analysis import Horizon, Position
from engine.dicee.game.events import AnalysisComputed, Rolled, Scored
from engine.dicee.game.state import GameState

MovedHook = Callable[[Game, GameState], None]

moved_hooks: list[MovedHook] = []


def on_moved(hook: MovedHook) -> MovedHook:
    """Register ``hook(game, state)``: another room that wants to hear, in a worker, of every move."""
    moved_hooks.append(hook)
    return hook


def follow_up(game_id: uuid.UUID, first: int, last: int) -> None:
    """After the domain events numbered ``first`` to ``last``. Done twice, it does the same once."""
    game = Game.objects.get(pk=game_id)
    steps = list(store.steps(game, first))
    moves = [(event, state) for event, state in steps if event.sequence_number <= last]
    rolls = [analysis_of(event, state.position) for event, state in moves if isinstance(event, Rolled)]
    telemetry.append(game_id, Stream.ANALYSIS, rolls)
    state = steps[-1][1]
    for hook in moved_hooks:
        hook(game, state)
    if game.is_over:
        profile.summarise(game)
    elif _bar_is_shown(game) and any(isinstance(event, Scored) for event, _ in moves):
        chances.refresh(game, state)


def _bar_is_shown(game: Game) -> bool:
    return game.mode in (Mode.MULTIPLAYER, Mode.BOTS) and settings.read(game.settings).win_chances


def analysis_of(event: Rolled, position: Position) -> AnalysisComputed:
    """What could be known when a roll lay on the table. Its id is the roll's ``analysisId``, so it is filed once."""
    began = time.perf_counter()
    seen = horizon.sight(position.variant, Horizon.GAME)
    odds, advised = vector(position), recommend(position, Depth.DETAILED, seen.horizon, seen.table)
    filed = event.analysis_id or uuid.uuid4()
    return AnalysisComputed(
        id=filed,
        analysis_id=filed,
        source_event_id=event.id,
        sequence_number=1,
        trace_id=event.trace_id,
        causal_chain=(event.id,),
        timestamp=int(time.time() * 1000),
        game_id=event.game_id,
        player_id=event.player_id,
        turn_number=event.turn_number,
        roll_number=event.roll_number,
        probabilities=odds,
        recommendations=(advised,),
        computation_time_ms=round((time.perf_counter() - began) * 1000, 3),
        service_name="dicee.follow_up",
    )

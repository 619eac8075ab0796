"""What can be done at a table. Every verb takes the acting player and answers with what it led to.

``key`` makes a request safe to send again; ``seen`` is the sequence number the player was looking at.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Player
from apps.accounts.services import on_renamed
from apps.dicee.models import DailyDice, Game, Mode, Seat, Status
from apps.dicee.services import horizon, screens, settings, store
from apps.dicee.services.bots import NAMES
from apps.dicee.services.screens import Screen
from apps.dicee.services.seats import is_closed, seat_of
from apps.dicee.services.settings import Lapse, TableSettings
from apps.dicee.services.store import MoveOutcome
from engine.dice import fair
from engine.dicee.analysis import Horizon, analyze
from engine.dicee.game import commands
from engine.dicee.game.events import MOST_SEATS, GameMode, Intent, Scored, Source
from engine.dicee.simulate import Bot
from engine.wire import EngineError, refuse

#: Modes that begin at once; a live table waits for its host.
AT_ONCE = (Mode.SOLO, Mode.BOTS, Mode.TUTORIAL)
MOST_LAPSES = 2  # turns in a row that the clock ends for a player; at the next one they are out
UNKNOWN_SCREEN = Screen()
TRIES = 10  # for a code no other table has: one in ten million is taken by each


def create(
    host: Player,
    mode: str = "solo",
    table_settings: Mapping[str, Any] | None = None,
    bots: Sequence[str] = (),
    *,
    key: uuid.UUID | None = None,
    daily: DailyDice | None = None,
) -> Game:
    """Open a table. ``solo``, ``tutorial`` and ``bots`` begin at once; ``multiplayer`` waits for others to join.

    ``table_settings`` is the wire form of :class:`settings.TableSettings`; ``bots`` are names of :class:`Bot`. With a
    ``key`` the game has that id, and asking again opens no second one. ``daily``: with the dice of a day.
    """
    chosen = settings.read(table_settings or {})
    kind, kinds = _check_party(mode, bots)
    for _ in range(TRIES):
        if key is not None and (opened := _opened_before(host, key)) is not None:
            return opened
        try:
            return _open(host, Party(kind, kinds), chosen, key or uuid.uuid4(), daily)
        except IntegrityError:  # another table drew the same code, or the same request was faster
            if daily is not None and (begun := daily.games.filter(host=host).first()) is not None:
                return begun
            continue
    raise RuntimeError("no free code for a table was found")


@dataclass(frozen=True, slots=True)
class Party:
    """How a table is filled when it is opened."""

    mode: Mode
    bots: Sequence[Bot]


@transaction.atomic
def _open(host: Player, party: Party, chosen: TableSettings, game_id: uuid.UUID, daily: DailyDice | None) -> Game:
    mode, seed = party.mode, daily.seed if daily else fair.new_seed()
    game = Game(
        id=game_id,
        mode=mode,
        host=host,
        seed=seed,
        commitment=fair.commitment(seed),
        daily=daily,
        settings=chosen.model_dump(mode="json", by_alias=True),
    )
    game.save(force_insert=True)
    seats = [Seat(game=game, player=host, player_ref=host.pk, name=host.pseudonym)]
    seats += [_bot_seat(game, bot) for bot in party.bots]
    Seat.objects.bulk_create(seats)
    game_mode = GameMode.MULTIPLAYER if mode in (Mode.BOTS, Mode.MULTIPLAYER) else GameMode(mode)
    create = commands.Create(game.pk, host.pk, tuple(seat.player_ref for seat in seats), game_mode, chosen.rules)
    store.create(game, create, *([commands.Start(host.pk)] if mode in AT_ONCE else []))
    return game


def _opened_before(host: Player, key: uuid.UUID) -> Game | None:
    if key.version != 4:
        refuse("A key is a random UUID (version 4).", field="key", constraint="uuid4", expected=4, actual=key.version)
    game = Game.objects.filter(pk=key).first()
    if game is not None and game.host_id != host.pk:
        refuse("This key is taken.", code="ERR_CONFLICT", field="key", constraint="unused", actual=str(key))
    return game


def _check_party(mode: str, bots: Sequence[str]) -> tuple[Mode, list[Bot]]:
    if mode not in Mode.values:
        refuse("There is no such mode.", field="mode", constraint="one of", expected=Mode.values, actual=mode)
    kind = Mode(mode)
    unknown = [bot for bot in bots if bot not in list(Bot)]
    if unknown:
        refuse(
            "There is no such bot.",
            field="bots",
            constraint="one of",
            expected=[bot.value for bot in Bot],
            actual=unknown[0],
        )
    most = MOST_SEATS - 1 if kind in (Mode.BOTS, Mode.MULTIPLAYER) else 0
    least = 1 if kind is Mode.BOTS else 0
    if not least <= len(bots) <= most:
        refuse(
            f"A {kind.value} game has {least} to {most} bots; you asked for {len(bots)}.",
            field="bots",
            constraint="seats",
            expected=f"{least}–{most}",
            actual=len(bots),
        )
    return kind, [Bot(bot) for bot in bots]


def join(code: str, player: Player, *, arranged: bool = False) -> Game:
    """Take a seat at a waiting table by its code. Who already sits there simply comes back.

    At a closed table only an ``arranged`` seat can be taken; for everybody else there is no such table.
    """
    game = Game.objects.filter(code=code.strip().upper()).first()
    if game is not None and game.seats.filter(player=player).exists():
        return game
    if game is None or (is_closed(game) and not arranged):
        refuse(
            "No table has this code.", code="ERR_GAME_NOT_FOUND", field="code", constraint="existing table", actual=code
        )
    try:
        _seat(game, Seat(game=game, player=player, player_ref=player.pk, name=player.pseudonym))
    except IntegrityError:  # the same player, twice at the same moment: the other request has the seat
        return game
    return game


@transaction.atomic
def _seat(game: Game, seat: Seat) -> None:
    """Put a seat at a waiting table, if one is free."""
    Game.objects.select_for_update().get(pk=game.pk)
    taken = game.seats.count()
    if taken >= MOST_SEATS:
        refuse(
            f"All {MOST_SEATS} seats are taken.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="free seat",
            expected=MOST_SEATS,
            actual=taken,
        )
    seat.position = taken
    seat.save()
    store.act(game, commands.Join(seat.player_ref))


def _bot_seat(game: Game, bot: Bot) -> Seat:
    return Seat(game=game, player_ref=uuid.uuid4(), bot=bot, name=NAMES[bot])


def add_bot(game: Game, player: Player, bot: str) -> Game:
    """The host fills a seat of a waiting table with a bot."""
    me = seat_of(game, player)
    if me.player_id != game.host_id or is_closed(game):
        refuse("Only the host adds bots.", code="ERR_FORBIDDEN", field="playerId", constraint="host")
    _, (kind,) = _check_party(Mode.MULTIPLAYER, [bot])
    _seat(game, _bot_seat(game, kind))
    return game


def rematch(game: Game, player: Player) -> Game:
    """Another game of the same kind: the same rules and bots. People who sat at the table take their seats at one new
    table, whoever asks first being its host."""
    seat_of(game, player)
    if not game.is_over:
        refuse("This game is not over.", code="ERR_INVALID_TURN", field="status", constraint="over", actual=game.status)
    bots = [seat.bot for seat in game.seats.all() if seat.bot]
    if game.mode != Mode.MULTIPLAYER:
        return create(player, Mode.SOLO if game.mode == Mode.TUTORIAL else game.mode, game.settings, bots)
    with transaction.atomic():
        table = Game.objects.select_for_update(of=("self",)).select_related("rematch").get(pk=game.pk)
        waiting = table.rematch is not None and table.rematch.status == Status.WAITING
        if not waiting:
            table.rematch = create(player, game.mode, game.settings, bots)
            table.save(update_fields=["rematch"])
        following = table.rematch
    assert following is not None
    store.broadcast_look_again(game)
    return join(following.code, player)


@on_renamed
def rename_at_tables(player: Player) -> None:
    """A new name is seen at the tables where the player sits now, but for closed ones: those know who sits there."""
    seats = Seat.objects.filter(player=player, game__status__in=(Status.WAITING, Status.ACTIVE))
    for seat in seats.exclude(name=player.pseudonym).select_related("game"):
        if is_closed(seat.game):
            continue
        seat.name = player.pseudonym
        seat.save(update_fields=["name"])
        store.broadcast_look_again(seat.game)


def start(game: Game, player: Player, *, key: uuid.UUID | None = None, arranged: bool = False) -> MoveOutcome:
    """The host begins; the order of play is drawn. A closed table begins when it is ``arranged``: once it is full."""
    me = seat_of(game, player)
    if game.status == Status.WAITING and is_closed(game) and not arranged:
        refuse(
            "This table begins by itself as soon as everybody is here.",
            code="ERR_INVALID_TURN",
            field="players",
            constraint="full table",
            actual=game.seats.count(),
        )
    if game.status == Status.WAITING and game.seats.count() < 2:
        refuse(
            "A live table needs at least two players. Share the code, or add a bot.",
            code="ERR_INVALID_TURN",
            field="players",
            constraint="at least 2",
            expected=2,
            actual=1,
        )
    return store.act(game, commands.Start(me.player_ref), key=key)


def roll(
    game: Game,
    player: Player,
    keep_mask: Sequence[bool] | None = None,
    *,
    key: uuid.UUID | None = None,
    seen: int | None = None,
    screen: Screen = UNKNOWN_SCREEN,
    intent: Intent | None = None,
) -> MoveOutcome:
    """Roll the dice that are not kept; all five at the start of a turn."""
    me = seat_of(game, player)
    screens.note(game, store.current(game), me.player_ref, screen)
    mask = tuple(keep_mask) if keep_mask is not None else None
    return store.act(game, commands.Roll(me.player_ref, mask, intent), key=key, seen=seen)


def score(
    game: Game,
    player: Player,
    box: str,
    *,
    key: uuid.UUID | None = None,
    seen: int | None = None,
    considered: Sequence[str] = (),
    backtracks: int = 0,
    screen: Screen = UNKNOWN_SCREEN,
) -> MoveOutcome:
    """Write the dice on the table into a box. Bots whose turn it then is play at once."""
    me = seat_of(game, player)
    state = store.current(game)
    screens.note(game, state, me.player_ref, screen)
    hinted = screen.hint or screens.was_hinted(game, state, me.player_ref)
    command = commands.Score(me.player_ref, box, tuple(considered), backtracks, hinted)
    return store.act(game, command, key=key, seen=seen)


def undo(game: Game, player: Player, *, key: uuid.UUID | None = None, seen: int | None = None) -> MoveOutcome:
    """Take one's own score back, where the table allows it and nobody has rolled since."""
    me = seat_of(game, player)
    return store.act(game, commands.Undo(me.player_ref), key=key, seen=seen)


def abandon(game: Game, player: Player, *, key: uuid.UUID | None = None) -> MoveOutcome:
    """Leave for good. The others play on; the last human's leaving ends the game."""
    me = seat_of(game, player)
    return store.act(game, commands.Abandon(me.player_ref), key=key)


def time_out(game: Game) -> MoveOutcome:
    """The clock's move for a player whose time is up, as the table has it: the best box is written, or they leave.

    Who lets it run out again and again has gone, and leaves the others to play on.
    """
    state = store.current(game)
    if settings_of(game).lapse is Lapse.LEAVE or _lapses(game, state.seat.player_id) >= MOST_LAPSES:
        return store.act(game, commands.TimeOut())
    commands.check_time_is_up(state, int(time.time() * 1000))
    late = state.seat.player_id
    if not state.dice:
        state = store.act(game, commands.Roll(late, source=Source.SYSTEM), seen=state.sequence).state
    table = horizon.ready(state.variant)
    box = analyze(state.position, Horizon.GAME if table else Horizon.TURN, table).boxes[0].box
    assert box is not None
    return store.act(game, commands.Score(late, box, source=Source.SYSTEM), seen=state.sequence)


def _lapses(game: Game, player_ref: uuid.UUID) -> int:
    """How many of a player's last scores in a row the clock has written."""
    mine = [event for event in store.stream(game) if event.player_id == player_ref and isinstance(event, Scored)]
    by_player = [number for number, event in enumerate(reversed(mine)) if event.event_source is not Source.SYSTEM]
    return by_player[0] if by_player else len(mine)


def run_the_clocks() -> int:
    """Time out every turn whose deadline has passed. Returns how many did."""
    late = Game.objects.filter(status=Status.ACTIVE, deadline__lte=timezone.now())
    return sum(_timed_out(game) for game in late)


def _timed_out(game: Game) -> bool:
    try:
        time_out(game)
    except EngineError:  # moved in the meantime
        return False
    return True


def settings_of(game: Game) -> TableSettings:
    return settings.read(game.settings)

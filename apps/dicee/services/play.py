"""What can be done at a table. Every verb takes the acting player and answers with what it led to.

``key`` makes a request safe to send again; ``seen`` is the sequence number the player was looking at.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee.models import Game, Mode, Seat, Status
from apps.dicee.services import settings, store
from apps.dicee.services.bots import NAMES
from apps.dicee.services.seats import is_closed, seat_of
from apps.dicee.services.settings import TableSettings
from apps.dicee.services.store import MoveOutcome
from engine.dice import fair
from engine.dicee.game import commands
from engine.dicee.game.events import MOST_SEATS, GameMode
from engine.dicee.simulate import Bot
from engine.wire import EngineError, refuse

#: Modes that begin at once; a live table waits for its host.
AT_ONCE = (Mode.SOLO, Mode.BOTS, Mode.TUTORIAL)
TRIES = 10  # for a code no other table has: one in ten million is taken by each


def create(
    host: Player,
    mode: str = "solo",
    table_settings: Mapping[str, Any] | None = None,
    bots: Sequence[str] = (),
    *,
    key: uuid.UUID | None = None,
) -> Game:
    """Open a table. ``solo``, ``tutorial`` and ``bots`` begin at once; ``multiplayer`` waits for others to join.

    ``table_settings`` is the wire form of :class:`settings.TableSettings`; ``bots`` are names of :class:`Bot`. With a
    ``key`` the game has that id, and asking again opens no second one.
    """
    chosen = settings.read(table_settings or {})
    kind, kinds = _check_party(mode, bots)
    for _ in range(TRIES):
        if key is not None and (opened := _opened_before(host, key)) is not None:
            return opened
        try:
            return _open(host, kind, chosen, kinds, key or uuid.uuid4())
        except IntegrityError:  # another table drew the same code, or the same request was faster
            continue
    raise RuntimeError("no free code for a table was found")


@transaction.atomic
def _open(host: Player, mode: Mode, chosen: TableSettings, bots: Sequence[Bot], game_id: uuid.UUID) -> Game:
    seed = fair.new_seed()
    game = Game(
        id=game_id,
        mode=mode,
        host=host,
        seed=seed,
        commitment=fair.commitment(seed),
        settings=chosen.model_dump(mode="json", by_alias=True),
    )
    game.save(force_insert=True)
    seats = [Seat(game=game, player=host, player_ref=host.pk, name=host.pseudonym)]
    seats += [Seat(game=game, player_ref=uuid.uuid4(), bot=bot, name=NAMES[bot]) for bot in bots]
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
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=game.pk)
            if game.seats.count() >= MOST_SEATS:
                refuse(
                    f"All {MOST_SEATS} seats are taken.",
                    code="ERR_FORBIDDEN",
                    field="playerId",
                    constraint="free seat",
                    expected=MOST_SEATS,
                    actual=game.seats.count(),
                )
            Seat.objects.create(
                game=game, player=player, player_ref=player.pk, name=player.pseudonym, position=game.seats.count()
            )
            store.act(game, commands.Join(player.pk))
    except IntegrityError:  # the same player, twice at the same moment: the other request has the seat
        return game
    return game


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
) -> MoveOutcome:
    """Roll the dice that are not kept; all five at the start of a turn."""
    me = seat_of(game, player)
    mask = tuple(keep_mask) if keep_mask is not None else None
    return store.act(game, commands.Roll(me.player_ref, mask), key=key, seen=seen)


def score(
    game: Game,
    player: Player,
    box: str,
    *,
    key: uuid.UUID | None = None,
    seen: int | None = None,
    considered: Sequence[str] = (),
    backtracks: int = 0,
    hinted: bool = False,
) -> MoveOutcome:
    """Write the dice on the table into a box. Bots whose turn it then is play at once."""
    me = seat_of(game, player)
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
    """The clock's move: the player whose time is up leaves the game."""
    return store.act(game, commands.TimeOut())


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

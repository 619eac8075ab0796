"""Simulated games as real event streams: commands decided by the engine, dice that follow from the game's seed.

Nothing tells such a game from one that was played by hand: it replays, its report adds up and its dice verify.
"""

from __future__ import annotations

import datetime
import itertools
import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.accounts.models import Player
from apps.dicee.models import CODE_ALPHABET, CODE_LENGTH, Game, GameEvent, Mode, Seat
from apps.dicee.services import settings
from apps.dicee.services.store import FairRoller
from engine.dice import fair
from engine.dicee.game import commands
from engine.dicee.game.commands import Command, Stamp, decide
from engine.dicee.game.events import GameMode, Rolled
from engine.dicee.game.state import GameState, GameStatus, apply, replay
from engine.dicee.lattice import kept_mask
from engine.dicee.learning.students import Student, choose
from engine.dicee.tables import Table

EDITION = "oddsmith demo"
SPREAD = 0.5  # of thinking times, on the scale of their logarithm


@dataclass(frozen=True)
class Seated:
    """A player at a table of the demo, and the simulated student who decides."""

    player: Player
    name: str
    student: Student
    seconds: float


@dataclass
class Written:
    """Rows to be inserted at once."""

    games: list[Game] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    events: list[GameEvent] = field(default_factory=list)

    def insert(self) -> None:
        Game.objects.bulk_create(self.games)
        Seat.objects.bulk_create(self.seats)
        GameEvent.objects.bulk_create(self.events, batch_size=2000)


class Drawn:
    """Who begins, from the demo's own luck."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck

    def roll(self, sides: int) -> int:
        return self.luck.randint(1, sides)


class Recorder:
    """Plays games and writes them down."""

    def __init__(self, luck: random.Random, table: Table) -> None:
        self.luck, self.table = luck, table
        self.ids = fresh_ids()
        self.written = Written()
        self.codes: set[str] = set(Game.objects.values_list("code", flat=True))

    def play(
        self,
        people: Sequence[Seated],
        begins: datetime.datetime,
        table_settings: dict[str, Any],
        stops_after: int | None = None,
    ) -> Game:
        """One game; ``stops_after`` leaves it open after so many moves."""
        game = self._open(people, begins, table_settings)
        played = _Play(game, self.luck, self.ids, self.table, begins)
        host, refs = people[0].player.pk, tuple(person.player.pk for person in people)
        wire = GameMode.SOLO if len(people) == 1 else GameMode.MULTIPLAYER
        played.do(commands.Create(game.pk, host, refs, wire, settings.read(table_settings).rules))
        played.do(commands.Start(host), 2.0)
        deciding = {person.player.pk: person for person in people}
        while played.state.status is GameStatus.ACTIVE and (stops_after is None or played.moves < stops_after):
            person = deciding[played.state.seat.player_id]
            played.do(self._next(person, played.state), person.seconds * self.luck.lognormvariate(0, SPREAD))
        self._close(game, played)
        return game

    def _open(self, people: Sequence[Seated], begins: datetime.datetime, chosen: dict[str, Any]) -> Game:
        seed = self.luck.randbytes(fair.SEED_BYTES).hex()
        return Game(
            id=next(self.ids),
            code=self._code(),
            mode=Mode.SOLO if len(people) == 1 else Mode.MULTIPLAYER,
            host=people[0].player,
            seed=seed,
            commitment=fair.commitment(seed),
            created_at=begins,
            settings=settings.read(chosen).model_dump(mode="json", by_alias=True),
        )

    def _code(self) -> str:
        while (code := "".join(self.luck.choices(CODE_ALPHABET, k=CODE_LENGTH))) in self.codes:
            pass
        self.codes.add(code)
        return code

    def _next(self, person: Seated, state: GameState) -> Command:
        if not state.dice:
            return commands.Roll(person.player.pk)
        move = choose(person.student, state.position, self.table, self.luck)
        if move.box:
            return commands.Score(person.player.pk, move.box)
        return commands.Roll(person.player.pk, kept_mask(state.position.dice, move.keep or ()))

    def _close(self, game: Game, played: _Play) -> None:
        """Rows of a game with the columns that lists read, as the event store would have set them."""
        game.status = played.state.status.value
        game.started_at = game.created_at
        game.finished_at = played.now if game.is_over else None
        self.written.games.append(game)
        self.written.events += played.rows
        self.written.seats += played.seats()


class _Play:
    """A game while it is played: its state, its clock, its rows."""

    def __init__(
        self, game: Game, luck: random.Random, ids: Iterator[uuid.UUID], table: Table, begins: datetime.datetime
    ) -> None:
        self.game, self.luck, self.ids, self.table, self.now = game, luck, ids, table, begins
        self.rows: list[GameEvent] = []
        self.moves = 0
        self._state: GameState | None = None

    @property
    def state(self) -> GameState:
        assert self._state is not None
        return self._state

    def do(self, command: Command, seconds: float = 0.0) -> None:
        self.now += datetime.timedelta(seconds=seconds)
        self.moves += 1
        stamp = Stamp(int(self.now.timestamp() * 1000), next(self.ids), self.ids.__next__)
        before = self._state
        roller = (
            FairRoller(self.game.seed, str(self.game.pk), before.sequence + 1)
            if before is not None and isinstance(command, commands.Roll)
            else Drawn(self.luck)
        )
        for event in decide(before, command, stamp, roller, self.table):
            if isinstance(event, Rolled):
                event = event.model_copy(update={"analysis_id": next(self.ids)})
            self._state = replay((event,)) if self._state is None else apply(self._state, event)
            proof = roller.proof if isinstance(roller, FairRoller) else ""
            self.rows.append(
                GameEvent(
                    id=event.id,
                    game=self.game,
                    stream=event.stream_type,
                    seq=event.sequence_number,
                    type=event.event_type,
                    payload=event.to_wire(),
                    trace_id=event.trace_id,
                    proof=proof,
                    created_at=self.now,
                )
            )

    def seats(self) -> list[Seat]:
        return [
            Seat(
                game=self.game,
                player_id=seat.player_id,
                player_ref=seat.player_id,
                position=place,
                joined_at=self.game.created_at,
                final_score=seat.card.grand_total if self.state.status is GameStatus.COMPLETED else None,
            )
            for place, seat in enumerate(self.state.seats)
        ]


def fresh_ids() -> Iterator[uuid.UUID]:
    """The same ids in every new house. Events are never deleted, so a second demo in the same one takes others."""
    for edition in itertools.count():
        ids = _ids(random.Random(f"{EDITION}/{edition}"))
        first = next(ids)  # becomes the id of the first game
        if not Game.objects.filter(pk=first).exists():
            return itertools.chain([first], ids)
    raise AssertionError("counting never ends")


def _ids(luck: random.Random) -> Iterator[uuid.UUID]:
    while True:
        yield uuid.UUID(int=luck.getrandbits(128), version=4)

"""The teacher's board: one tile per student, and who needs help now.

What decides between "thinking", "stuck" and "idle" is the table of thresholds below, in seconds. A whole class costs
six queries and two looks at the shared cache, whatever its size; no game is folded for it (``running``).
"""

from __future__ import annotations

import datetime
import time
import uuid
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from apps.classroom.models import ClassGame, Classroom, Membership, Phase, Standing
from apps.classroom.services.live import presence, running
from apps.classroom.services.live.running import Place, Tally
from apps.classroom.services.students import member_group
from apps.core.broadcast import broadcast
from apps.dicee.decisions import first_hint
from apps.dicee.models import Game, GameEvent, Status, Stream
from apps.dicee.services import settings
from engine.dicee import notation
from engine.dicee.game.state import GameState
from engine.dicee.learning.patterns import PATTERNS

#: Seconds in front of the same decision before a student counts as stuck. Most decisions take under twenty.
STUCK_AFTER = 45
#: Seconds without a sign of life: three pings missed.
IDLE_AFTER = 60
HINTS_A_TURN = 2
SLIPS_IN_A_ROW = 3
SAME_SLIP = 3
#: How long a finished game stays on the board.
LESSON = datetime.timedelta(minutes=90)
HINTS_LOOK_BACK = datetime.timedelta(minutes=10)
TURNS = 13


#: What a student can be doing, the most urgent first.
STATES = ("stuck", "playing", "waiting", "idle", "done", "here", "away")


@dataclass(frozen=True, slots=True)
class Tile:
    """One student on the board. Two tiles that are equal look the same."""

    member_id: uuid.UUID
    nickname: str
    state: str
    game_id: uuid.UUID | None = None
    tally: Tally | None = None
    reason: str = ""
    #: When the decision in front of the student came up, in seconds of the epoch.
    since: float = 0.0
    nudged: bool = False

    @property
    def mark(self) -> str:
        """Names what the student is at, so that one hint is sent for it."""
        return f"{self.game_id}:{self.tally.seq if self.tally else 0}:{self.since:.0f}"

    @property
    def progress(self) -> float:
        """Turns played, in percent."""
        return 100.0 * (TURNS if self.tally and self.tally.over else self.tally.turn - 1 if self.tally else 0) / TURNS

    @property
    def is_stuck(self) -> bool:
        return self.state == "stuck"


@dataclass(frozen=True, slots=True)
class Board:
    tiles: tuple[Tile, ...]

    @property
    def stuck(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if tile.is_stuck)

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(tile.state for tile in self.tiles)
        return {state: found[state] for state in STATES}

    @property
    def playing(self) -> int:
        return sum(tile.state in ("playing", "stuck", "waiting") for tile in self.tiles)

    @property
    def accuracy(self) -> float | None:
        """Best choices of everyone who plays now."""
        shown = [tile.tally for tile in self.tiles if tile.tally]
        decisions = sum(tally.decisions for tally in shown)
        return sum(tally.right for tally in shown) / decisions if decisions else None


def board(classroom: Classroom) -> Board:
    """The class as it is now."""
    members = students(classroom)
    games = _games(members)
    tallies = running.tallies(list(games.values()))
    hints = _hints([game for game, _ in games.values() if game.status == Status.ACTIVE])
    signs = presence.signs([member.pk for member in members])
    silent, asked_at = _silent(classroom)
    tiles = []
    for member in members:
        place = (games[member.pk][0].pk, games[member.pk][1]) if member.pk in games else None
        tally = tallies[place] if place else None
        asked = hints[place, tally.turn] if place and tally else 0
        waited = asked_at if member.pk in silent else 0.0
        alive, sent = signs[member.pk]
        tile = _tile(member, place, tally, alive, asked, waited)
        tiles.append(replace(tile, nudged=sent == tile.mark))
    return Board(tuple(tiles))


def students(classroom: Classroom) -> list[Membership]:
    """Everyone who is in, in the order of the nicknames."""
    return list(classroom.members.filter(standing=Standing.IN, player__isnull=False))


def _games(members: Iterable[Membership]) -> dict[uuid.UUID, tuple[Game, uuid.UUID]]:
    """The game each student is in, or has just finished: the newest of each."""
    lately = Q(game__finished_at__gt=timezone.now() - LESSON, game__status=Status.COMPLETED)
    rows = (
        ClassGame.objects.filter(member__in=list(members), game__seats__player=F("member__player"))
        .filter(Q(game__status=Status.ACTIVE) | lately)
        .select_related("game")
        .only("member_id", "game__status", "game__edition")
        .annotate(ref=F("game__seats__player_ref"))
        .order_by("game__created_at")
    )
    return {row.member_id: (row.game, row.ref) for row in rows}


def _hints(games: Collection[Game]) -> Counter[tuple[Place, int]]:
    """Hints asked for lately, by seat and turn."""
    rows = GameEvent.objects.filter(
        game__in=[game.pk for game in games],
        stream=Stream.TELEMETRY,
        type="hint_requested",
        created_at__gt=timezone.now() - HINTS_LOOK_BACK,
    )
    told: Iterable[tuple[uuid.UUID, dict[str, Any]]] = rows.values_list("game_id", "payload")
    return Counter(((game_id, uuid.UUID(hint["playerId"])), hint["turnNumber"]) for game_id, hint in told)


def _silent(classroom: Classroom) -> tuple[frozenset[uuid.UUID], float]:
    """Who has not answered the question that is open, and since when it could be answered."""
    asked = classroom.rounds.filter(phase=Phase.VOTE).first()
    if asked is None:
        return frozenset(), 0.0
    answered = asked.votes.exclude(choice="").values_list("member_id", flat=True)
    silent = classroom.members.filter(standing=Standing.IN).exclude(pk__in=answered).values_list("pk", flat=True)
    return frozenset(silent), asked.phase_at.timestamp()


def _tile(
    member: Membership, place: Place | None, tally: Tally | None, alive: float, hints: int, asked_at: float
) -> Tile:
    now = time.time()
    state, reason, since = _state(tally, max(alive, tally.acted / 1000 if tally else 0.0), hints, now)
    if state in ("playing", "waiting", "done", "here", "stuck") and asked_at and now - asked_at > STUCK_AFTER:
        state, reason, since = "stuck", "No answer to the question yet.", asked_at
    return Tile(member.pk, member.nickname, state, place[0] if place else None, tally, reason, since)


def _state(tally: Tally | None, alive: float, hints: int, now: float) -> tuple[str, str, float]:
    """What a student is doing, why that needs a teacher, and since when."""
    here = now - alive < IDLE_AFTER
    if tally is None or tally.over:
        return ("here" if here else "away") if tally is None else "done", "", 0.0
    since = tally.at / 1000
    if not here:
        return "idle", "", since
    if not tally.on_turn:
        return "waiting", "", since
    reason = _why_stuck(tally, now - since, hints)
    return "stuck" if reason else "playing", reason, since


def _why_stuck(tally: Tally, seconds: float, hints: int) -> str:
    """What a teacher should know before going over, or nothing."""
    reasons = []
    if seconds > STUCK_AFTER:
        reasons.append(f"In front of the same decision, turn {tally.turn}.")
    if hints >= HINTS_A_TURN:
        reasons.append(f"Asked for {hints} hints in this turn.")
    again = [(cost, times, key) for key, times, cost in tally.habits if times >= SAME_SLIP]
    if again:
        cost, times, key = max(again)
        reasons.append(f"{PATTERNS[key].title}: {times} times in this game, −{cost:.1f} points.")
    elif tally.slips >= SLIPS_IN_A_ROW:
        reasons.append(f"{tally.slips} costly choices in a row, −{tally.slips_lost:.1f} points.")
    return " ".join(reasons)


# -- Telling ------------------------------------------------------------------------------------------------------


def moved(game: Game, state: GameState) -> None:
    """After each move, in a worker: bring the tally up to date and tell the boards that show it."""
    seats = {seat.player_id: seat for seat in state.seats}
    rows = ClassGame.objects.filter(game=game, game__seats__player=F("member__player"))
    told = rows.annotate(ref=F("game__seats__player_ref")).select_related("member__classroom")
    for row in told:
        if row.ref in seats:
            running.tally(game, row.ref, state)
        broadcast(row.member.classroom.board_group, {"type": "board.moved", "member": str(row.member_id)})


# -- A nudge ------------------------------------------------------------------------------------------------------

WITHOUT_HINTS = "Look again at which boxes are still open, and what these dice could become."
ANSWER_PLEASE = "The class is waiting for your answer."
ROLL_FIRST = "It is your turn: roll, and see what comes."


def nudge(member: Membership) -> str:
    """Send a student a first hint: where to look, never what to do. Answers what was sent."""
    text = _nudge_words(member)
    tile = next((tile for tile in board(member.classroom).tiles if tile.member_id == member.pk), None)
    if tile is not None:
        presence.nudged(member.pk, tile.mark)
    presence.leave_hint(member.pk, text)
    broadcast(member_group(member.pk), {"type": "class.hint", "text": text})
    return text


def _nudge_words(member: Membership) -> str:
    if member.pk in _silent(member.classroom)[0]:
        return ANSWER_PLEASE
    found = _games([member]).get(member.pk)
    tally = running.tallies([found])[found[0].pk, found[1]] if found else None
    if found is None or tally is None or tally.over or not tally.position:
        return WITHOUT_HINTS
    here = notation.read(tally.position)
    if not here.dice:
        return ROLL_FIRST
    if not settings.read(found[0].settings).hints:
        return WITHOUT_HINTS
    return first_hint(here)


def is_reachable(member: Membership) -> bool:
    """Does one of the student's pages listen?"""
    return time.time() - presence.last_seen(member.pk) < IDLE_AFTER

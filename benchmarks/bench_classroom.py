"""The live board of a class of forty: server time from a move to the message that changes the teacher's page.

Forty students sit at real tables, in a real database, half-way through a game. An update is what the worker does after
a move (one decision analysed, the tally kept) and what the board's socket does then (look at the class, render what is
different). The moves themselves are made before the clock starts; bench_dicee_play measures them. The baseline counts
every game from its first event again.
"""

from __future__ import annotations

import atexit
import itertools
import logging
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

STUDENTS = 40
TURNS = 3  # so that forty moves five times over fit into the rest of the games
FOLDER = Path(tempfile.mkdtemp(prefix="oddsmith-bench-"))
os.environ |= {"VAR_DIR": str(FOLDER), "DJANGO_SETTINGS_MODULE": "config.settings", "RATE_LIMIT_SCALE": "100000"}
os.environ.setdefault("ODDSMITH_TABLES_DIR", str(Path("var/solver").resolve()))

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import cache as shared  # noqa: E402
from django.core.management import call_command  # noqa: E402

from apps.accounts.models import Player  # noqa: E402
from apps.classroom.consumers import Shown  # noqa: E402
from apps.classroom.models import ClassGame, Classroom, Membership  # noqa: E402
from apps.classroom.services.insight import concepts  # noqa: E402
from apps.classroom.services.live import board, presence, running  # noqa: E402
from apps.core import broadcast  # noqa: E402
from apps.core.processes import Family, valkey_command, wait_for_socket  # noqa: E402
from apps.dicee import services  # noqa: E402
from apps.dicee.models import Game  # noqa: E402
from apps.dicee.services import horizon, store  # noqa: E402
from benchmarks.harness import Benchmark  # noqa: E402


class Lesson:
    """A class at work, and one board that shows it."""

    def __init__(self) -> None:
        teacher = Player.objects.create(pseudonym="Teacher")
        self.classroom = Classroom.objects.create(teacher=teacher, name="Forty")
        self.seats = [self._sit_down(number) for number in range(STUDENTS)]
        self.next = itertools.cycle(self.seats)
        for game, player in self.seats:
            for _ in range(TURNS):
                self._turn(game, player)
            board.moved(game, store.current(game))
        self.shown = Shown()
        self.shown.news(self.classroom)

    def _sit_down(self, number: int) -> tuple[Game, Player]:
        player = Player.objects.create(pseudonym=f"Student {number}")
        member = Membership.objects.create(classroom=self.classroom, player=player, nickname=f"Student {number:02}")
        game = services.create(player)
        ClassGame.objects.create(game=game, member=member)
        presence.seen(member.pk)
        return game, player

    def _turn(self, game: Game, player: Player) -> None:
        services.roll(game, player)
        services.score(game, player, store.current(game).seat.card.open_boxes[0])

    def move(self) -> Game:
        """The next student rolls, or writes what lies on the table."""
        self.last, player = next(self.next)
        state = store.current(self.last)
        if state.dice:
            services.score(self.last, player, state.seat.card.open_boxes[0])
        else:
            services.roll(self.last, player)
        broadcast._announcer.submit(int).result()  # what the web process sends is not the board's time
        return self.last

    def update(self) -> None:
        """What the worker does after a move, and the message it makes."""
        board.moved(self.last, store.current(self.last))
        assert len(self.shown.news(self.classroom)["tiles"]) == 1

    def everybody_moves(self) -> None:
        for _ in self.seats:
            game = self.move()
            board.moved(game, store.current(game))

    def redraw(self) -> None:
        assert len(self.shown.news(self.classroom)["tiles"]) == STUDENTS

    def count_again(self) -> None:
        shared.delete_many([running._key((game.pk, player.pk)) for game, player in self.seats])
        board.board(self.classroom)


@cache
def lesson() -> Lesson:
    """Made at the first measurement, not when the list of benchmarks is read."""
    logging.disable()
    family = Family()
    child = family.start("valkey", valkey_command(settings.VALKEY_SOCKET), log=FOLDER / "valkey.log")
    assert wait_for_socket(settings.VALKEY_SOCKET, child)
    atexit.register(_take_down, family)
    call_command("migrate", verbosity=0)
    horizon.solve_all()
    return Lesson()


def _take_down(family: Family) -> None:
    family.stop()
    shutil.rmtree(FOLDER, ignore_errors=True)


BENCHMARKS = [
    Benchmark(
        "live board update, 40 students",
        lambda: lesson().update(),
        lambda: lesson().count_again(),
        "every game again",
        budget=0.100,
        repeats=60,
        baseline_repeats=2,
        prepare=lambda: lesson().move(),
    ),
    Benchmark(
        "live board update, all 40 moved at once",
        lambda: lesson().redraw(),
        budget=0.100,
        repeats=8,
        prepare=lambda: lesson().everybody_moves(),
    ),
    Benchmark("live board, opened", lambda: Shown().news(lesson().classroom), budget=0.100, repeats=30),
    Benchmark("class × concept, 40 students", lambda: concepts.heat_map(lesson().classroom), repeats=20),
]

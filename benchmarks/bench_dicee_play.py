"""Dicee play on the server, under load: what one player's page waits for while others play on the same machine.

Requests go through the whole stack (middleware, sessions, limits, database, channel layer) except the network. Every
sample is one request; :data:`OTHERS` players make a move every :data:`PAUSE` seconds each in the meantime, against a
perfect bot, in the same process: about what a school class does. The budgets are for the p95, which is beside them.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

OTHERS = 4
PAUSE = 0.2
FOLDER = Path(tempfile.mkdtemp(prefix="oddsmith-bench-"))
os.environ |= {"VAR_DIR": str(FOLDER), "DJANGO_SETTINGS_MODULE": "config.settings", "RATE_LIMIT_SCALE": "100000"}
os.environ.setdefault("ODDSMITH_TABLES_DIR", str(Path("var/solver").resolve()))

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from apps.core.processes import Family, valkey_command, wait_for_socket  # noqa: E402
from apps.dicee.services import horizon  # noqa: E402
from apps.dicee.services.review import par  # noqa: E402
from benchmarks.harness import Benchmark  # noqa: E402
from engine.dicee.boxes import Variant  # noqa: E402


def _stand_up() -> None:
    """A Valkey, a migrated database and the solved game, as in production."""
    logging.disable()  # whoever is in mid-move when the process ends has something to complain about
    family = Family()
    child = family.start("valkey", valkey_command(settings.VALKEY_SOCKET), log=FOLDER / "valkey.log")
    assert wait_for_socket(settings.VALKEY_SOCKET, child)
    atexit.register(_take_down, family)
    settings.ALLOWED_HOSTS.append("testserver")
    call_command("migrate", verbosity=0)
    horizon.solve_all()
    par.make(Variant.STANDARD, games=10_000)


def _take_down(family: Family) -> None:
    family.stop()
    shutil.rmtree(FOLDER, ignore_errors=True)


class Player:
    """A guest in a browser with a game of their own; starts a new one when it is over."""

    def __init__(self) -> None:
        self.client = Client()
        self.finished = ""
        self.begin()

    def begin(self) -> None:
        game = self._post("games", {"mode": "bots", "bots": ["perfect"]})
        open_boxes = [player["scorecard"]["categoriesRemaining"] for player in game["players"]]
        self.game, self.boxes = game["gameId"], max(open_boxes, key=len)  # the bot may have had its first turn
        self.rolled = False

    def move(self) -> None:
        """The next request of a game: roll, or score and let the bot play."""
        if self.rolled:
            self._post(f"games/{self.game}/score", {"category": self.boxes.pop(0)})
        elif self.boxes:
            self._post(f"games/{self.game}/roll", {})
        else:
            self.finished = self.game
            return self.begin()
        self.rolled = not self.rolled
        return None

    def finish_a_game(self) -> None:
        while not self.finished:
            self.move()

    def analyse(self) -> None:
        body = {"diceResult": [5, 5, 3, 2, 6], "rollsRemaining": 2, "horizon": "game", "explanationDepth": "detailed"}
        self._post("stats/recommendation", body)

    def read_report(self) -> None:
        assert self.client.get(f"/api/v1/games/{self.finished}/report").status_code == 200

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        reply = self.client.post(f"/api/v1/{path}", body, content_type="application/json")
        assert reply.status_code in (200, 201), reply.content
        return dict(reply.json())


_others = [threading.Thread(target=lambda: _play_on()) for _ in range(OTHERS)]


def _play_on() -> None:
    """Somebody else, until the benchmark is over."""
    player = Player()
    while threading.main_thread().is_alive():
        player.move()
        time.sleep(PAUSE)


@cache
def me() -> Player:
    """Made at the first measurement, not when the list of benchmarks is read."""
    _stand_up()
    for other in _others:
        other.start()
    player = Player()
    player.finish_a_game()
    return player


BENCHMARKS = [
    Benchmark("analysis, while others play", lambda: me().analyse(), budget=0.025, repeats=200),
    Benchmark("roll or score, while others play", lambda: me().move(), budget=0.040, repeats=200),
    Benchmark("report, while others play", lambda: me().read_report(), budget=0.500, repeats=30),
]

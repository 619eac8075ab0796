"""Dicee play on the server, under load: what one player's page waits for while others play on the same machine.

Requests go through the whole stack (middleware, sessions, limits, database, channel layer) except the network. Every
sample is one request; :data:`OTHERS` players make a move every :data:`PAUSE` seconds each in the meantime, against a
perfect bot, in the same process: about what a school class does. The budgets are for the p95, which is beside them.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import Any

from benchmarks import site  # first: it decides the settings
from benchmarks.harness import Benchmark

# isort: split
from django.test import Client

from apps.dicee.services.review import par
from engine.dicee.boxes import Variant

OTHERS = 4
PAUSE = 0.2


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
    site.stand_up()
    par.make(Variant.STANDARD, games=10_000)
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

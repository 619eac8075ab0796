"""Dicee play under load: what one player's page waits for while a school class plays on the same machine.

The real server (``manage.py up``: one web process, one worker), asked over HTTP. Every sample is one request as the
server times it (``Server-Timing``: from reading it to having the answer); in the meantime :data:`OTHERS` players in a
process of their own make a move every :data:`PAUSE` seconds each, against the perfect bot. The budgets are for the p95.
"""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from http.cookies import SimpleCookie
from typing import Any

from benchmarks.harness import Benchmark
from tests.browser import server

OTHERS = 30
PAUSE = 3.0  # brisk, thinking included
BETWEEN = 0.05  # seconds between samples: who measures is one more player, not a class of their own


class Player:
    """A guest in a browser with a game of their own; starts a new one when it is over."""

    def __init__(self, address: str) -> None:
        self.line = http.client.HTTPConnection(address.removeprefix("http://"))
        self.cookies: dict[str, str] = {}
        self.ask("GET", "/dicee/")
        self.finished = ""
        self.begin()

    def begin(self) -> None:
        game = self.post("games", {"mode": "bots", "bots": ["perfect"]})
        open_boxes = [player["scorecard"]["categoriesRemaining"] for player in game["players"]]
        self.game, self.boxes = game["gameId"], max(open_boxes, key=len)  # the bot may have had its first turn
        self.rolled = False

    def be_ready(self) -> None:
        """Have a game in which there is something left to do, and let the others play a little."""
        time.sleep(BETWEEN)
        if not self.boxes and not self.rolled:
            self.finished = self.game
            self.begin()

    def move(self) -> None:
        """The next request of a game: roll, or score and let the bot play."""
        if self.rolled:
            self.post(f"games/{self.game}/score", {"category": self.boxes.pop(0)})
        else:
            self.post(f"games/{self.game}/roll", {})
        self.rolled = not self.rolled

    def finish_a_game(self) -> None:
        while not self.finished:
            self.move()
            self.be_ready()

    def analyse(self) -> None:
        """Dice and a card that hardly anybody has asked about, so that nothing is remembered."""
        dice, chance = [random.randint(1, 6) for _ in range(5)], random.randint(5, 30)
        self.post(
            "stats/recommendation",
            {
                "diceResult": dice,
                "rollsRemaining": 2,
                "currentScorecard": {"chance": chance},
                "horizon": "game",
                "explanationDepth": "detailed",
            },
        )

    def time(self, ask: Callable[[], None]) -> float:
        """Seconds the server took for the request that this makes."""
        ask()
        return self.took

    def read_report(self) -> None:
        self.ask("GET", f"/api/v1/games/{self.finished}/report")

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return dict(json.loads(self.ask("POST", f"/api/v1/{path}", json.dumps(body))))

    def ask(self, method: str, path: str, body: str | None = None) -> bytes:
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
            "Content-Type": "application/json",
        }
        self.line.request(method, path, body, headers)
        reply = self.line.getresponse()
        content = reply.read()
        self.took = float(str(reply.headers["Server-Timing"]).partition("dur=")[2]) / 1000
        assert reply.status in (200, 201), (path, reply.status, content)
        for header in reply.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}
        return content


def play_on(address: str) -> None:
    """Somebody else, until the process is ended."""
    time.sleep(random.random() * PAUSE)
    player = Player(address)
    while True:
        player.move()
        time.sleep(PAUSE - BETWEEN)
        player.be_ready()


STARTED = ExitStack()
tidy_up = STARTED.close  # the class goes home and slows nothing that is measured next


@cache
def me() -> Player:
    """Made at the first measurement, not when the list of benchmarks is read."""
    address = STARTED.enter_context(server.running(RATE_LIMIT_SCALE="100000"))
    others = subprocess.Popen([sys.executable, "-m", "benchmarks.bench_dicee_play", address])
    STARTED.callback(others.wait)
    STARTED.callback(others.terminate)
    time.sleep(2 * PAUSE)  # until they all play
    player = Player(address)
    player.finish_a_game()
    return player


BENCHMARKS = [
    Benchmark(name, run, budget=budget, budget_at="p95", repeats=repeats, prepare=lambda: me().be_ready(), reports=True)
    for name, run, budget, repeats in (
        ("analysis, while a class plays", lambda: me().time(me().analyse), 0.025, 300),
        ("roll or score, while a class plays", lambda: me().time(me().move), 0.040, 300),
        ("report, while a class plays", lambda: me().time(me().read_report), 0.500, 100),
    )
]


if __name__ == "__main__":
    for _ in range(OTHERS):
        threading.Thread(target=play_on, args=(sys.argv[1],), daemon=True).start()
    threading.Event().wait()

"""The board and the class line over a real channel layer: who hears what, and who hears nothing."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connections

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.classroom import consumers
from apps.classroom.models import Membership, Standing
from apps.classroom.services.live import board, presence, rounds
from apps.dicee import services
from apps.dicee.models import GameEvent, Stream
from config.asgi import application
from tests.apps.classroom.lesson import Lesson, browser, lesson, sit, teacher, work_off

sync = database_sync_to_async


class Socket:
    """One page's line."""

    def __init__(self, cookie: str | None, path: str) -> None:
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        if cookie:
            headers.append((b"cookie", f"sessionid={cookie}".encode()))
        self.socket = WebsocketCommunicator(application, path, headers=headers)

    async def __aenter__(self) -> Socket:
        assert (await self.socket.connect(timeout=5))[0]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.disconnect()

    async def hear(self, kind: str | None = None) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = await self.socket.receive_json_from(timeout=5)
            if kind in (None, message["type"]):
                return message

    async def closed(self) -> int:
        while True:
            output = await self.socket.receive_output(timeout=5)
            if output["type"] == "websocket.close":
                return int(output.get("code", 1000))


def cookie_of(who: Any) -> str:
    if isinstance(who, Player):
        who = browser(who)
    assert SESSION_KEY in who.session
    return str(who.session.session_key)


@pytest.fixture
async def _leave_no_connection() -> AsyncIterator[None]:
    yield
    await sync(connections.close_all)()


live = pytest.mark.usefixtures("_leave_no_connection")
real = [pytest.mark.service, pytest.mark.django_db(transaction=True), live]


def marks(test: Any) -> Any:
    for mark in real:
        test = mark(test)
    return test


def board_path(made: Lesson) -> str:
    return f"/ws/v1/class/{made.classroom.pk}/board/"


def class_path(made: Lesson) -> str:
    return f"/ws/v1/class/{made.classroom.pk}/"


@marks
async def test_a_move_puts_only_that_students_tile_on_the_board() -> None:
    made = await sync(lesson)("Ada", "Ben")
    ada = made.members["Ada"]
    game = await sync(made.begin)("Ada")
    async with Socket(await sync(cookie_of)(made.teacher), board_path(made)) as page:
        first = await page.hear("board")
        assert set(first["tiles"]) == {str(m.pk) for m in made.members.values()}
        await sync(services.roll)(game, ada.player)
        await sync(work_off)(game)
        news = await page.hear("board")
        assert set(news["tiles"]) == {str(ada.pk)}
        assert 'data-state="playing"' in news["tiles"][str(ada.pk)]
        assert "stuck" not in news


@marks
async def test_a_burst_of_a_class_is_one_message() -> None:
    made = await sync(lesson)(*(f"S{n:02}" for n in range(12)))
    games = {n: await sync(made.begin)(n) for n in made.members}
    async with Socket(await sync(cookie_of)(made.teacher), board_path(made)) as page:
        await page.hear("board")

        def everybody_rolls() -> None:
            for nickname, game in games.items():
                services.roll(game, made.members[nickname].player)
                work_off(game)

        await sync(everybody_rolls)()
        told: set[str] = set()
        messages = 0
        while len(told) < 12:
            told |= set((await page.hear("board"))["tiles"])
            messages += 1
        assert messages <= 4, "a dozen moves must not cost a dozen redraws"


@marks
async def test_getting_stuck_is_noticed_without_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "LOOK_AGAIN_EVERY", 0.1)
    made = await sync(lesson)("Ada")
    game = await sync(made.begin)("Ada")
    await sync(services.roll)(game, made.members["Ada"].player)
    async with Socket(await sync(cookie_of)(made.teacher), board_path(made)) as page:
        await page.hear("board")
        await sync(sit)(made, "Ada", board.STUCK_AFTER + 5)
        news = await page.hear("board")
        assert "Hint" in news["stuck"]
        assert news["counts"]["stuck"] == 1


@marks
async def test_somebody_new_makes_the_page_ask_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "LOOK_AGAIN_EVERY", 0.1)
    made = await sync(lesson)("Ada")
    async with Socket(await sync(cookie_of)(made.teacher), board_path(made)) as page:
        await page.hear("board")
        await sync(made.join)("Zoe")
        assert (await page.hear("board"))["again"]


@marks
async def test_nobody_else_hears_the_board() -> None:
    made = await sync(lesson)("Ada")
    other = (await sync(teacher)("Mr Other"))[0]
    stranger = await sync(Player.objects.create)()
    for who in (
        await sync(cookie_of)(other),
        await sync(cookie_of)(stranger),
        await sync(cookie_of)(made.members["Ada"].player),
        None,
    ):
        async with Socket(who, board_path(made)) as page:
            assert await page.closed() == consumers.NOT_FOUND
    async with Socket(await sync(cookie_of)(made.teacher), f"/ws/v1/class/{uuid.uuid4()}/board/") as page:
        assert await page.closed() == consumers.NOT_FOUND


@marks
async def test_the_class_line_is_for_its_students() -> None:
    made = await sync(lesson)("Ada")
    await sync(made.join)("Eve", Standing.WAITING)
    await sync(made.join)("Mallory", Standing.REMOVED)
    other = (await sync(teacher)("Mr Other"))[0]
    for who in (
        await sync(cookie_of)(other),
        await sync(cookie_of)(made.members["Eve"].player),
        await sync(cookie_of)(made.members["Mallory"].player),
        None,
    ):
        async with Socket(who, class_path(made)) as page:
            assert await page.closed() == consumers.NOT_FOUND
    async with Socket(await sync(cookie_of)(made.members["Ada"].player), class_path(made)) as page:
        assert await page.hear() == {"type": "round", "round": "", "phase": "", "answered": False}


@marks
async def test_an_open_page_is_a_sign_of_life_and_hears_a_hint() -> None:
    made = await sync(lesson)("Ada", "Ben")
    ada = made.members["Ada"]
    async with (
        Socket(await sync(cookie_of)(ada.player), class_path(made)) as page,
        Socket(await sync(cookie_of)(made.members["Ben"].player), class_path(made)) as bens,
    ):
        await page.hear()
        await bens.hear()
        assert time.time() - await sync(presence.last_seen)(ada.pk) < 5
        await page.socket.send_to(text_data="anything at all {")
        await sync(board.nudge)(ada)
        assert (await page.hear("hint"))["text"] == board.WITHOUT_HINTS
        assert await bens.socket.receive_nothing(timeout=0.3), "a hint is for one student"


@marks
async def test_a_student_taken_off_the_class_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "PING_AT_MOST_EVERY", 0.0)
    made = await sync(lesson)("Ada")
    async with Socket(await sync(cookie_of)(made.members["Ada"].player), class_path(made)) as page:
        await page.hear()
        await sync(Membership.objects.filter(pk=made.members["Ada"].pk).update)(standing=Standing.REMOVED)
        await page.socket.send_to(text_data="here")
        assert await page.closed() == consumers.NOT_FOUND


@marks
async def test_phases_are_told_to_students_and_votes_to_the_board() -> None:
    made = await sync(lesson)("Ada", "Ben")
    async with (
        Socket(await sync(cookie_of)(made.teacher), board_path(made)) as page,
        Socket(await sync(cookie_of)(made.members["Ada"].player), class_path(made)) as adas,
    ):
        await adas.hear()
        asked = await sync(rounds.open_question)(made.classroom, "55526/1")
        opened = await adas.hear("round")
        assert opened == {"type": "round", "round": str(asked.pk), "phase": "vote"}
        assert (await page.hear("round"))["phase"] == "vote"
        await sync(rounds.vote)(asked.pk, made.members["Ada"], dice=["1", "2", "3"])
        while (news := await page.hear("board")).get("answered") != [1, 2]:
            await asyncio.sleep(0)
        assert "555" not in str(news), "the board hears how many, not what"
        assert await adas.socket.receive_nothing(timeout=0.3), "a vote is nobody else's news"
        await sync(rounds.advance)(asked, "revealed")
        assert (await adas.hear("round"))["phase"] == "revealed"


@marks
async def test_a_page_that_comes_back_hears_what_is_open_and_whether_it_was_answered() -> None:
    made = await sync(lesson)("Ada")
    ada, cookie = made.members["Ada"], await sync(cookie_of)(made.members["Ada"].player)
    asked = await sync(rounds.open_question)(made.classroom, "55526/1")
    async with Socket(cookie, class_path(made)) as page:
        assert (await page.hear("round"))["answered"] is False
    await sync(rounds.vote)(asked.pk, ada, dice=["1"])
    async with Socket(cookie, class_path(made)) as page:
        assert (await page.hear("round"))["answered"] is True


@marks
async def test_a_hint_stays_until_it_is_read() -> None:
    made = await sync(lesson)("Ada")
    ada, cookie = made.members["Ada"], await sync(cookie_of)(made.members["Ada"].player)
    await sync(board.nudge)(ada)
    for _ in range(2):
        async with Socket(cookie, class_path(made)) as page:
            assert (await page.hear("hint"))["text"] == board.WITHOUT_HINTS
    async with Socket(cookie, class_path(made)) as page:
        await page.hear("hint")
        await page.socket.send_to(text_data="hint-read")
        while await sync(presence.hint_left)(ada.pk):
            pass
    async with Socket(cookie, class_path(made)) as page:
        await page.hear("round")
        assert await page.socket.receive_nothing(timeout=0.3)


@pytest.mark.django_db
def test_the_class_line_is_on_class_pages_and_class_tables_only() -> None:
    made = lesson("Ada")
    client, ada = made.browser("Ada"), made.members["Ada"].player
    line = f'data-class="/ws/v1/class/{made.classroom.pk}/"'
    own, set_by_class = services.create(ada), made.begin("Ada")
    assert line in client.get(f"/dicee/{set_by_class.pk}/").content.decode()
    assert line in client.get(made.address + "round/").content.decode()
    assert "data-class" not in client.get(f"/dicee/{own.pk}/").content.decode()
    assert "data-class" not in client.get("/dicee/").content.decode()
    assert GameEvent.objects.filter(game=set_by_class, stream=Stream.DOMAIN).count() == 2

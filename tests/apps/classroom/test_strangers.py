"""Six kinds of stranger try a class table: by code, link, page, API and socket, waiting and playing. None gets in."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Callable

import pytest
from channels.db import database_sync_to_async
from django.db import connections
from django.test import Client

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.classroom.models import Assignment, Classroom, Standing, Task
from apps.classroom.services import assignments, students
from apps.dicee import api_urls as programs
from apps.dicee import consumers, tokens
from apps.dicee import urls as pages
from apps.dicee.models import Game, GameEvent, Seat, Status
from apps.dicee.services import store
from tests.apps.classroom.lesson import Lesson, browser, lesson, teacher
from tests.apps.support import Socket

pytestmark = [pytest.mark.service, pytest.mark.django_db(transaction=True)]
sync = database_sync_to_async


def nobody(made: Lesson) -> Client:
    return Client()


def guest(made: Lesson) -> Client:
    return browser(Player.objects.create())


def account(made: Lesson) -> Client:
    return teacher("Somebody")[0]


def other_teacher(made: Lesson) -> Client:
    client, player = teacher("Mr Other")
    Classroom.objects.create(teacher=player, name="Period 4")
    return client


def student_of_another_class(made: Lesson) -> Client:
    return lesson("Olga").browser("Olga")


def student_taken_off(made: Lesson) -> Client:
    made.join("Mallory", Standing.REMOVED)
    return made.browser("Mallory")


STRANGERS: tuple[Callable[[Lesson], Client], ...] = (
    nobody,
    guest,
    account,
    other_teacher,
    student_of_another_class,
    student_taken_off,
)
PHASES = (Status.WAITING, Status.ACTIVE)


def set_match(made: Lesson) -> Assignment:
    return assignments.create(made.classroom, "Beat a classmate", Task.MATCH, assignments.Match(), None)


def class_table(phase: Status) -> tuple[Lesson, Game]:
    """A match of a class: one waits for a classmate, or two are playing."""
    made = lesson("Lena", "Elif")
    match = set_match(made)
    game = assignments.find_table(match, made.members["Lena"])
    if phase == Status.ACTIVE:
        assignments.find_table(match, made.members["Elif"])
    game.refresh_from_db()
    assert game.status == phase
    return made, game


def routes_of(patterns: object, game: Game) -> list[str]:
    """Every address of a table that needs nothing but the table."""
    routes = [str(pattern.pattern) for pattern in patterns.urlpatterns]
    of_a_table = [route for route in routes if "<uuid:game_id>" in route and route.count("<") == 1]
    return [route.replace("<uuid:game_id>", str(game.pk)) for route in of_a_table]


def player_of(client: Client) -> Player | None:
    return Player.objects.filter(pk=client.session.get(SESSION_KEY, uuid.uuid4())).first()


def cookie_of(client: Client) -> str | None:
    return client.session.session_key


def names_nobody(text: str) -> bool:
    return "Lena" not in text and "Elif" not in text


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.__name__)
def test_no_stranger_gets_in_by_code_link_page_or_api(stranger: Callable[[Lesson], Client], phase: Status) -> None:
    made, game = class_table(phase)
    client = stranger(made)
    before = seats_and_events(game)
    me = player_of(client)
    headers = {"authorization": f"Bearer {tokens.issue(me, 'test')[1]}"} if me else {}
    addresses = [
        f"/dicee/join/{game.code}/",
        *(f"/dicee/{route}" for route in routes_of(pages, game)),
        *(f"/api/v1/{route}" for route in routes_of(programs, game)),
        f"/classroom/{made.classroom.pk}/",
        f"/classroom/{made.classroom.pk}/assignments/{Assignment.objects.get().pk}/play/",
    ]
    assert len(addresses) > 35
    for address in addresses:
        for answer in (
            client.get(address, headers=headers),
            client.post(address, "{}", content_type="application/json", headers=headers),
            client.post(address, {"keep": "1", "box": "chance", "bot": "perfect"}, headers=headers),
        ):
            assert answer.status_code in (302, 400, 401, 403, 404, 405, 415, 422), address
            assert names_nobody(answer.content.decode()), address
    typed = client.post("/dicee/join/", {"code": game.code}, follow=True)
    assert "No table has this code." in typed.content.decode()
    asked = client.post("/api/v1/games/join", {"code": game.code}, content_type="application/json", headers=headers)
    assert asked.status_code in (401, 404)
    assert names_nobody(typed.content.decode() + asked.content.decode())
    assert seats_and_events(game) == before


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.__name__)
async def test_no_stranger_gets_in_by_socket(stranger: Callable[[Lesson], Client], phase: Status) -> None:
    made, game = await sync(class_table)(phase)
    client = await sync(stranger)(made)
    me = await sync(player_of)(client)
    before = await sync(seats_and_events)(game)
    cookie = await sync(cookie_of)(client)
    secret = (await sync(tokens.issue)(me, "test"))[1] if me else None
    lines = [
        Socket(f"/ws/v1/game/{game.pk}", cookie=cookie),
        Socket(f"/ws/v1/game/{game.pk}?page", cookie=cookie),
        Socket(f"/ws/v1/game/{game.pk}", bearer=secret),
    ]
    for line in lines:
        async with line as opened:
            told = await opened.hear()
            assert told["status"] == "disconnected"
            assert names_nobody(json.dumps(told))
            await opened.say(type="join", playerId=str(me.pk if me else uuid.uuid4()), clientVersion="1.0.0")
            assert await opened.closed() == consumers.FORBIDDEN
    board = Socket(f"/ws/v1/class/{made.classroom.pk}/board/", cookie=cookie)
    async with board as opened:
        assert await opened.closed() == consumers.NOT_FOUND
    assert await sync(seats_and_events)(game) == before


@pytest.mark.parametrize("phase", PHASES)
async def test_who_sits_there_and_the_teacher_hear_the_table(phase: Status) -> None:
    """The same line opens for those it is for: the refusals above are about who asks."""
    made, game = await sync(class_table)(phase)
    lena = await sync(lambda: cookie_of(made.browser("Lena")))()
    ms_okafor = await sync(cookie_of)(made.teacher)
    for cookie in (lena, ms_okafor):
        async with Socket(f"/ws/v1/game/{game.pk}", cookie=cookie) as opened:
            assert (await opened.hear())["status"] == "connected"
            assert "Lena" in json.dumps(await opened.hear("state_update"))


@pytest.mark.parametrize("phase", PHASES)
async def test_who_is_taken_off_while_at_the_table_leaves_it(phase: Status) -> None:
    """The classmate plays on; the one taken off sees the table no more, until let back in."""
    made, game = await sync(class_table)(phase)
    lena = made.members["Lena"]
    tablet = await sync(made.browser)("Lena")
    cookie = await sync(cookie_of)(tablet)
    await sync(students.remove)(lena)
    async with Socket(f"/ws/v1/game/{game.pk}", cookie=cookie) as opened:
        assert (await opened.hear())["status"] == "disconnected"
        assert await opened.closed() == consumers.FORBIDDEN
    assert (await sync(tablet.get)(f"/dicee/{game.pk}/")).status_code == 403
    await sync(game.refresh_from_db)()
    if phase == Status.WAITING:
        assert game.status == Status.ABANDONED
        return
    assert game.status == Status.ACTIVE
    assert (await sync(store.current)(game)).seat.player_id == made.members["Elif"].player_id
    await sync(students.approve)(lena)
    assert (await sync(tablet.get)(f"/dicee/{game.pk}/")).status_code == 200


def seats_and_events(game: Game) -> tuple[int, int]:
    return Seat.objects.filter(game=game).count(), GameEvent.objects.filter(game=game, stream="domain").count()


@pytest.fixture(autouse=True)
async def _leave_no_connection() -> AsyncIterator[None]:
    """The thread that sockets read the database in keeps its connection; PostgreSQL cannot drop a database in use."""
    yield
    await sync(connections.close_all)()

"""The class live: a board that hears of every move, and students who hear of the question and of a teacher's hint.

A class that plays makes bursts of news. The board collects them for a moment and then sends only the tiles that look
different, so forty moves at once cost one look at the class and one message.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.template.loader import render_to_string

from apps.accounts.services import player_of_scope
from apps.classroom.models import Classroom, Membership, Standing
from apps.classroom.services import classes, students
from apps.classroom.services.live import board, presence, rounds

NOT_FOUND = 4404
#: News of this many seconds goes into one message.
TOGETHER = 0.4
#: A student gets stuck without doing anything, and pub/sub delivers at most once: the board looks by itself, too.
LOOK_AGAIN_EVERY = 5.0
#: Signs of life closer together than this say nothing new.
PING_AT_MOST_EVERY = 5.0
#: What a student's page says when its hint was closed.
HINT_READ = "hint-read"


class BoardConsumer(AsyncJsonWebsocketConsumer):
    """For the teacher's board and projector."""

    classroom: Classroom
    _watch: asyncio.Task[None] | None = None
    _soon: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()  # a refusal before this would reach the browser without its reason
        found = await database_sync_to_async(self._enter)()
        if found is None:
            return await self.close(NOT_FOUND)
        self.classroom = found
        self.shown = Shown()
        await self.channel_layer.group_add(found.board_group, self.channel_name)
        self.groups.append(found.board_group)
        await self._look()
        self._watch = asyncio.create_task(self._look_again())
        return None

    async def disconnect(self, code: int) -> None:
        for task in (self._watch, self._soon):
            if task is not None:
                task.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """A board only listens."""

    async def board_moved(self, event: dict[str, Any]) -> None:
        if self._soon is None or self._soon.done():
            self._soon = asyncio.create_task(self._look_soon())

    board_voted = board_moved

    async def class_round(self, event: dict[str, Any]) -> None:
        await self.send_json({"type": "round", "round": event["round"], "phase": event["phase"]})

    async def _look_soon(self) -> None:
        await asyncio.sleep(TOGETHER)
        await self._look()

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AGAIN_EVERY)
            await self._look()

    async def _look(self) -> None:
        """Send what is different from what the page shows."""
        news = await database_sync_to_async(self._news)()
        if news is None:
            await self.close(NOT_FOUND)  # the class was deleted, or given to somebody else
        elif news:
            await self.send_json({"type": "board", **news})

    def _news(self) -> dict[str, Any] | None:
        found = self._enter()
        return None if found is None else self.shown.news(found)

    def _enter(self) -> Classroom | None:
        class_id = uuid.UUID(self.scope["url_route"]["kwargs"]["class_id"])
        return classes.taught(class_id, player_of_scope(self.scope))


class Shown:
    """What one board page shows, to send only what changes."""

    def __init__(self) -> None:
        self.tiles: dict[uuid.UUID, board.Tile] = {}
        self.parts: dict[str, object] = {}

    def news(self, classroom: Classroom) -> dict[str, Any]:
        now = board.board(classroom)
        tiles = {tile.member_id: tile for tile in now.tiles}
        fresh = [tile for tile in now.tiles if self.tiles.get(tile.member_id) != tile]
        told: dict[str, Any] = {"tiles": {str(tile.member_id): _tile_html(classroom, tile) for tile in fresh}}
        if self.tiles and list(tiles) != list(self.tiles):
            told["again"] = True  # somebody came or left: the page asks for all of it
        self.tiles = tiles
        counts = now.counts | {"playing": now.playing, "students": len(tiles)}
        parts: dict[str, Any] = {"stuck": now.stuck, "counts": counts, "answered": _answered(classroom)}
        changed = {name: part for name, part in parts.items() if self.parts.get(name) != part}
        self.parts |= parts
        if "stuck" in changed:
            changed["stuck"] = render_to_string(
                "classroom/components/stuck_students.html", {"board": now, "classroom": classroom}
            )
        return told | changed if told["tiles"] or "again" in told or changed else {}


def _tile_html(classroom: Classroom, tile: board.Tile) -> str:
    return render_to_string("classroom/components/board_tile.html", {"tile": tile, "classroom": classroom})


def _answered(classroom: Classroom) -> tuple[int, int] | None:
    question = rounds.current(classroom)
    return rounds.answered(question.asked) if question else None


class ClassConsumer(AsyncJsonWebsocketConsumer):
    """For every page of a class that a student has open."""

    member: Membership
    _heard = 0.0

    async def connect(self) -> None:
        await self.accept()
        found = await database_sync_to_async(self._enter)()
        if found is None:
            return await self.close(NOT_FOUND)
        self.member = found
        for group in (found.classroom.group, students.member_group(found.pk)):
            await self.channel_layer.group_add(group, self.channel_name)
            self.groups.append(group)
        for missed in await database_sync_to_async(self._present)():
            await self.send_json(missed)
        return None

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """Whatever a page says is a sign of life; a student who was taken off the class hears so here."""
        if text_data == HINT_READ:
            await database_sync_to_async(presence.hint_read)(self.member.pk)
            return
        if time.monotonic() - self._heard < PING_AT_MOST_EVERY:
            return
        self._heard = time.monotonic()
        if await database_sync_to_async(self._enter)() is None:
            await self.close(NOT_FOUND)

    async def class_round(self, event: dict[str, Any]) -> None:
        await self.send_json({"type": "round", "round": event["round"], "phase": event["phase"]})

    async def class_hint(self, event: dict[str, Any]) -> None:
        await self.send_json({"type": "hint", "text": event["text"]})

    async def class_gone(self, event: dict[str, Any]) -> None:
        """The student moved to another device or is out of the class: the page finds out what to say."""
        await self.send_json({"type": "gone"})
        await self.close(NOT_FOUND)

    def _enter(self) -> Membership | None:
        class_id = uuid.UUID(self.scope["url_route"]["kwargs"]["class_id"])
        found = classes.member(class_id, player_of_scope(self.scope))
        if found is None or found.standing != Standing.IN:
            return None
        presence.seen(found.pk)
        return found

    def _present(self) -> list[dict[str, Any]]:
        """Which question is on and which hint is unread, so that a page that was away knows what it missed."""
        question = rounds.current(self.member.classroom)
        missed: list[dict[str, Any]] = [
            {
                "type": "round",
                "round": str(question.asked.pk) if question else "",
                "phase": str(question.asked.phase) if question else "",
                "answered": question is not None and rounds.has_answered(question.asked, self.member),
            }
        ]
        if hint := presence.hint_left(self.member.pk):
            missed.append({"type": "hint", "text": hint})
        return missed

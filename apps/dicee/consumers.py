"""The socket of a game: join its group, send how it stands, then forward what is newer.

Clients of RFC-003 §7 hear whole messages. A web page adds ``?page`` to the address and hears only that something
changed; it then asks for the part it shows.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from apps.accounts.models import Player
from apps.accounts.services import player_of_scope
from apps.core.limits import spend
from apps.dicee import services, tokens
from apps.dicee.models import Game
from apps.dicee.services import horizon
from apps.dicee.services.api import messages
from apps.dicee.services.api.messages import Reply

FORBIDDEN, NOT_FOUND = 4403, 4404
CLOSES = {"ERR_FORBIDDEN": FORBIDDEN, "ERR_GAME_NOT_FOUND": NOT_FOUND}
#: Pub/sub delivers at most once. A watcher that missed a word hears of it no later than this.
LOOK_AGAIN_EVERY = 10.0


class GameConsumer(AsyncWebsocketConsumer):
    seq = 0
    player: Player | None = None
    game: Game
    is_page = False
    is_admitted = False
    _watch: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()  # a refusal before this would reach the client without its reason
        self.is_page = "page" in self._query()
        try:
            self.player, self.game = await database_sync_to_async(self._enter)()
        except services.Refused as refused:
            await self._send(messages.ConnectionStatusMessage(status="disconnected", reason=refused.message))
            return await self.close(CLOSES.get(refused.code, FORBIDDEN))
        self.is_admitted = True
        for group in (self.game.group, horizon.WAITING_GROUP):
            await self.channel_layer.group_add(group, self.channel_name)
            self.groups.append(group)
        await self._send(messages.ConnectionStatusMessage(status="connected"))
        await self._snapshot()
        self._watch = asyncio.create_task(self._look_again())
        return None

    async def disconnect(self, code: int) -> None:
        if self._watch is not None:
            self._watch.cancel()

    # -- from the client

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.is_admitted:
            return None  # was on its way while the line was being closed
        try:
            raw = json.loads(text_data or "")
        except (ValueError, RecursionError):
            return await self._refuse("ERR_INVALID_JSON", "A message is one JSON object.")
        if not isinstance(raw, dict):
            return await self._refuse("ERR_INVALID_JSON", "A message is one JSON object.")
        if await database_sync_to_async(spend)("play", self._who()):
            return await self._refuse("ERR_RATE_LIMIT", "Too many messages. Wait a moment.")
        try:
            reply = await database_sync_to_async(self._handle)(raw)
        except services.Refused as refused:
            return await self._refuse(refused.code, refused.message)
        for message in reply.messages:
            await self._send(message)
        if reply.outcome is not None:
            events = [event.to_wire() for event in reply.outcome.events]
            if reply.outcome.state.sequence <= self.seq:  # done before: the same key again gets the same answer
                await self._tell(reply.outcome.state.sequence, events, reply)
            else:
                await self._forward(reply.outcome.state.sequence, events, reply)
        return None

    # -- from the game

    async def game_changed(self, event: dict[str, Any]) -> None:
        await self._forward(event["seq"], event["events"], Reply())

    async def game_chances(self, event: dict[str, Any]) -> None:
        await self._send(messages.ChancesMessage(seq=event["seq"], chances=event["chances"]))

    async def game_reaction(self, event: dict[str, Any]) -> None:
        if self.is_page:
            await self._send(messages.ReactionMessage(player_id=event["playerId"], text=event["text"]))

    async def game_look_again(self, event: dict[str, Any]) -> None:
        if self.is_page:
            await self._send(messages.LookAgainMessage())

    async def horizon_ready(self, event: dict[str, Any]) -> None:
        await self._send(messages.HorizonReadyMessage())

    async def _forward(self, seq: int, events: list[dict[str, Any]], reply: Reply) -> None:
        if seq <= self.seq:
            return None
        if events[0]["sequenceNumber"] != self.seq + 1:
            return await self._snapshot()  # something was missed
        self.seq = seq
        return await self._tell(seq, events, reply)

    async def _tell(self, seq: int, events: list[dict[str, Any]], reply: Reply) -> None:
        if self.is_page:
            return await self._send(messages.ChangedMessage(seq=seq))
        for message in await database_sync_to_async(messages.messages_of)(self.game, events, reply.probabilities):
            await self._send(message)
        return None

    async def _snapshot(self) -> None:
        seq = (await database_sync_to_async(services.current)(self.game)).sequence
        if seq <= self.seq:
            return None
        if self.is_page:
            self.seq = seq
            return await self._send(messages.ChangedMessage(seq=seq))
        update = await database_sync_to_async(messages.state_update)(self.game)
        self.seq = update.game_state.sequence_number
        await self._send(update)
        return None

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AGAIN_EVERY)
            await self._snapshot()

    # -- in a thread

    def _enter(self) -> tuple[Player | None, Game]:
        player = self._program() or player_of_scope(self.scope)
        return player, services.find(uuid.UUID(self.scope["url_route"]["kwargs"]["game_id"]), player, joining=True)

    def _program(self) -> Player | None:
        """A program names its token in the header, or in the address where it cannot set headers."""
        headers = dict(self.scope["headers"])
        secret = headers.get(b"authorization", b"").decode("latin-1").partition(" ")[2]
        secret = secret or next(iter(self._query().get("token", [])), "")
        return tokens.player_of(secret) if secret else None

    def _handle(self, raw: dict[str, Any]) -> Reply:
        self.game.refresh_from_db()
        return messages.handle(self.game, self.player, raw)

    # -- to the client

    async def _send(self, message: messages.Message) -> None:
        await self.send(message.model_dump_json(by_alias=True, exclude_none=True))

    async def _refuse(self, code: str, text: str) -> None:
        await self._send(messages.ErrorMessage(error_code=code, message=text, severity="warning", recoverable=True))

    def _query(self) -> dict[str, list[str]]:
        return parse_qs(self.scope["query_string"].decode(), keep_blank_values=True)

    def _who(self) -> str:
        return f"p:{self.player.pk}" if self.player else f"c:{self.channel_name}"

"""Live progress of one job: join, send what the database says, then only what is newer."""

from __future__ import annotations

import asyncio
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from apps.accounts.services import player_of_scope
from apps.jobs.models import LIVE, Job, State

FORBIDDEN, NOT_FOUND = 4403, 4404
#: Pub/sub delivers at most once. A watcher that missed a word hears of it no later than this.
LOOK_AGAIN_EVERY = 10.0


class JobConsumer(AsyncJsonWebsocketConsumer):
    seq = -1
    _watch: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()  # a refusal before this would reach the browser without its reason
        job = await database_sync_to_async(self._job)()
        if job is None:
            return await self.close(NOT_FOUND)
        player = await database_sync_to_async(player_of_scope)(self.scope)
        if player is None or player.pk != job.owner_id:
            return await self.close(FORBIDDEN)
        await self.channel_layer.group_add(job.group, self.channel_name)
        self.groups.append(job.group)
        await self._send_snapshot()
        if job.is_live:
            self._watch = asyncio.create_task(self._look_again())
        return None

    async def disconnect(self, code: int) -> None:
        if self._watch is not None:
            self._watch.cancel()

    async def job_changed(self, event: dict[str, Any]) -> None:
        message = event["job"]
        if message["seq"] <= self.seq:
            return
        if message["state"] == State.DONE:
            await self._send_snapshot()  # with the result, which is too large to broadcast
        else:
            await self._send(message)

    async def _send_snapshot(self) -> None:
        job = await database_sync_to_async(self._job)()
        if job is None:
            await self.close(NOT_FOUND)  # deleted while it was watched
        elif job.seq > self.seq:
            await self._send(job.message())

    async def _send(self, message: dict[str, Any]) -> None:
        self.seq = message["seq"]
        await self.send_json(message)
        if message["state"] not in LIVE:
            await self.close()

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AGAIN_EVERY)
            await self._send_snapshot()

    def _job(self) -> Job | None:
        return Job.objects.filter(pk=self.scope["url_route"]["kwargs"]["job_id"]).first()

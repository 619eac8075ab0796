"""Live progress over a real WebSocket stack and a real Valkey."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import pytest
from channels.db import database_sync_to_async
from django.db import connections
from django.test import Client

from apps.accounts.models import Player
from apps.jobs import consumers, progress, services
from apps.jobs.models import Job, State
from tests.apps.support import PATIENCE, Socket, guest

pytestmark = pytest.mark.django_db(transaction=True)

sync = database_sync_to_async


@pytest.fixture(autouse=True)
async def _leave_no_connection() -> AsyncIterator[None]:
    """The thread that sockets read the database in keeps its connection; PostgreSQL cannot drop a database in use."""
    yield
    await sync(connections.close_all)()


class Watcher(Socket):
    """One browser tab."""

    def __init__(self, client: Client | None, job_id: object) -> None:
        cookie = client.cookies["sessionid"].value if client is not None and "sessionid" in client.cookies else None
        super().__init__(f"/ws/v1/jobs/{job_id}/", cookie=cookie)

    async def closed(self) -> int:
        """Without a word before."""
        output = await self.socket.receive_output(timeout=PATIENCE)
        assert output["type"] == "websocket.close"
        return int(output.get("code", 1000))


def new_job(name: str = "Alice") -> tuple[Client, Player, Job]:
    client, player = guest(name)
    return client, player, services.start(player, "test.add", {"numbers": [1, 2, 3]})


async def test_first_the_present_then_each_change_in_order() -> None:
    client, _, job = await sync(new_job)()
    async with Watcher(client, job.id) as tab:
        assert await tab.hear() == {
            "type": "job",
            "id": str(job.id),
            "seq": 0,
            "state": "queued",
            "done": 0,
            "total": 0,
            "note": "",
        }
        await sync(services.run)(job.pk)
        claimed, report, end = [await tab.hear() for _ in range(3)]
        assert (claimed["seq"], claimed["state"]) == (1, "running")
        assert (report["seq"], report["done"], report["total"], report["note"]) == (2, 1, 3, "added 1")
        assert (end["seq"], end["state"], end["result"]) == (3, "done", {"sum": 6})
        assert await tab.closed() == 1000


async def test_another_tab_and_a_reload_see_the_same() -> None:
    client, _, job = await sync(new_job)()
    async with Watcher(client, job.id) as first:
        await first.hear()
        await sync(services._claim)(job.pk)
        async with Watcher(client, job.id) as second:
            assert await second.hear() == await first.hear()
            await sync(services.cancel)(job, job.owner)
            for tab in (first, second):
                assert (await tab.hear())["state"] == "cancelled"
                assert await tab.closed() == 1000


async def test_a_job_that_has_ended_is_told_at_once() -> None:
    client, _, job = await sync(new_job)()
    await sync(services.run)(job.pk)
    async with Watcher(client, job.id) as tab:
        message = await tab.hear()
        assert (message["state"], message["result"]) == ("done", {"sum": 6})
        assert await tab.closed() == 1000


async def test_a_failure_carries_its_reason_and_no_result() -> None:
    client, player, _ = await sync(new_job)()
    job = await sync(services.start)(player, "test.illegal", {})
    await sync(services.run)(job.pk)
    async with Watcher(client, job.id) as tab:
        message = await tab.hear()
        assert message["error"]["code"] == "ERR_INVALID_INPUT"
        assert "result" not in message


async def test_old_messages_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that was under way while the snapshot was read arrives after it, and twice."""
    client, _, job = await sync(new_job)()
    claimed = await sync(services._claim)(job.pk)
    async with Watcher(client, job.id) as tab:
        assert (await tab.hear())["seq"] == 1
        for stale in (claimed, claimed):
            await sync(services._announce)(stale)
        await sync(services.cancel)(job, job.owner)
        assert (await tab.hear())["seq"] == 2


async def test_a_change_between_joining_and_the_snapshot_is_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _, job = await sync(new_job)()
    read = consumers.JobConsumer._job
    reads: list[int] = []

    def change_before_second_read(consumer: consumers.JobConsumer) -> Job | None:
        reads.append(1)
        if len(reads) == 2:  # the group has been joined; its snapshot has not been read
            services._claim(job.pk)
        return read(consumer)

    monkeypatch.setattr(consumers.JobConsumer, "_job", change_before_second_read)
    async with Watcher(client, job.id) as tab:
        assert (await tab.hear())["seq"] == 1
        await sync(services.cancel)(job, job.owner)
        assert (await tab.hear())["seq"] == 2


async def test_a_message_that_was_lost_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pub/sub may lose a word, for instance while Valkey restarts; the database has it."""
    monkeypatch.setattr(consumers, "LOOK_AGAIN_EVERY", 0.05)
    client, _, job = await sync(new_job)()
    async with Watcher(client, job.id) as tab:
        await tab.hear()
        await sync(Job.objects.filter(pk=job.pk).update)(seq=7, state=State.RUNNING, note="unannounced")
        message = await tab.hear()
        assert (message["seq"], message["note"]) == (7, "unannounced")
        assert await tab.socket.receive_nothing(timeout=0.3)


async def test_a_job_deleted_while_it_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "LOOK_AGAIN_EVERY", 0.05)
    client, _, job = await sync(new_job)()
    async with Watcher(client, job.id) as tab:
        await tab.hear()
        await sync(job.delete)()
        assert await tab.closed() == consumers.NOT_FOUND


@pytest.mark.parametrize("who", ["another player", "visitor"])
async def test_nobody_else_may_watch(who: str) -> None:
    _, _, job = await sync(new_job)()
    stranger = (await sync(guest)("Bob"))[0] if who == "another player" else None
    async with Watcher(stranger, job.id) as tab:
        assert await tab.closed() == consumers.FORBIDDEN


async def test_a_job_that_does_not_exist() -> None:
    client, _, _ = await sync(new_job)()
    async with Watcher(client, uuid.uuid4()) as tab:
        assert await tab.closed() == consumers.NOT_FOUND


async def test_another_site_cannot_open_it_with_the_owners_cookie() -> None:
    client, _, job = await sync(new_job)()
    tab = Watcher(client, job.id)
    tab.socket.scope["headers"] = [
        (k, b"https://evil.example" if k == b"origin" else v) for k, v in tab.socket.scope["headers"]
    ]
    assert not (await tab.socket.connect())[0]


async def test_reports_come_a_few_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    client, player, _ = await sync(new_job)()
    job = await sync(services.start)(player, "test.add", {"numbers": list(range(2000))})
    async with Watcher(client, job.id) as tab:
        await tab.hear()
        await sync(services.run)(job.pk)
        heard = [await tab.hear()]
        while heard[-1]["state"] != "done":
            heard.append(await tab.hear())
    assert len(heard) < 20
    assert [m["seq"] for m in heard] == sorted({m["seq"] for m in heard})
    assert progress.REPORT_EVERY >= 0.1

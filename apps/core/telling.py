"""News to open pages, from code that is not asynchronous.

``async_to_sync`` makes an event loop for every call, and the channel layer a new connection with it: ten times the cost
of the message. Here one loop in a thread of its own keeps its connection. It is made at the first news, so that a
process that forks before does not inherit it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import cache
from typing import Any

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

#: Seconds after which a Valkey that does not answer is somebody else's problem: pages look again by themselves.
PATIENCE = 5.0


def tell(group: str, message: dict[str, Any]) -> None:
    """Send a message to everyone in a group. News that cannot be told never undoes what it is about."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        asyncio.run_coroutine_threadsafe(layer.group_send(group, message), _loop()).result(PATIENCE)
    except Exception:
        log.warning("%s was not told to %s", message["type"], group, exc_info=True)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="telling", daemon=True).start()
    return loop

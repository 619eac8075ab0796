"""Messages to open pages, from code that is not asynchronous.

``async_to_sync`` makes an event loop for every call, and the channel layer a new connection with it: ten times the cost
of the message. Here one loop in a thread of its own keeps its connection. It is made at the first message, so that a
process that forks before does not inherit it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, ParamSpec

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from apps.core.cache import is_away, note_outage

log = logging.getLogger(__name__)

P = ParamSpec("P")

#: Seconds after which a Valkey that does not answer is somebody else's problem: pages look again by themselves.
PATIENCE = 5.0

#: One thread, so that messages keep their order.
_announcer = ThreadPoolExecutor(1, "announcer")


def broadcast(group: str, message: dict[str, Any]) -> None:
    """Send a message to everyone in a group. A message that cannot be sent never undoes what it is about."""
    layer = get_channel_layer()
    assert layer is not None
    if is_away():
        log.info("%s was not sent to %s: pages look again by themselves", message["type"], group)
        return
    try:
        asyncio.run_coroutine_threadsafe(layer.group_send(group, message), _loop()).result(PATIENCE)
    except (RedisError, TimeoutError) as error:
        note_outage(error)
    except Exception:
        log.warning("%s was not sent to %s", message["type"], group, exc_info=True)


def announce(send: Callable[P, object], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Send in the background, in order: whoever moved does not wait until everyone has heard of it."""
    _announcer.submit(_logged, send, *args, **kwargs)


def _logged(send: Callable[P, object], /, *args: P.args, **kwargs: P.kwargs) -> None:
    try:
        send(*args, **kwargs)
    except Exception:  # pages look again by themselves; what happened is in the database
        log.exception("An announcement failed")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="broadcast", daemon=True).start()
    return loop

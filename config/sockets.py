"""Every WebSocket address, room by room, and who may knock."""

from typing import Any
from urllib.parse import parse_qs

from channels.security.websocket import AllowedHostsOriginValidator

from apps.classroom.routing import urlpatterns as classroom
from apps.dicee.routing import urlpatterns as dicee
from apps.jobs.routing import urlpatterns as jobs

urlpatterns = [*jobs, *dicee, *classroom]


class ProgramsNeedNoOrigin:
    """Lets a browser in from our own pages only, and a program that names its token without an ``Origin``.

    A browser says where a socket was opened, whatever the page wants; only a program can leave that out, and one that
    brings a token has no cookie to be abused.
    """

    def __init__(self, application: Any) -> None:
        self.application, self.browsers = application, AllowedHostsOriginValidator(application)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        bearer = headers.get(b"authorization", b"").lower().startswith(b"bearer ")
        token = bearer or "token" in parse_qs(scope["query_string"].decode("latin-1"))
        door = self.application if token and b"origin" not in headers else self.browsers
        return await door(scope, receive, send)

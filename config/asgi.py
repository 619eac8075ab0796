"""The web application: pages and API through WSGI in a bounded thread pool, sockets through Channels.

Django's own ASGI path runs each synchronous view through a per-request thread hop and served about a seventh of the
requests per second that the same views do through a fixed pool, so ``http`` goes the WSGI way.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from a2wsgi import WSGIMiddleware
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.wsgi import get_wsgi_application

pages = get_wsgi_application()

from apps.core import warm_up  # noqa: E402
from apps.core.socket_limits import SocketLimits  # noqa: E402
from config.sockets import ProgramsNeedNoOrigin, urlpatterns  # noqa: E402

warm_up.settle()
if settings.WARM_UP:
    warm_up.follow()

sockets = AuthMiddlewareStack(URLRouter(urlpatterns))  # type: ignore[arg-type]
application = ProtocolTypeRouter(
    {
        "http": WSGIMiddleware(pages, workers=settings.WEB_THREADS),  # type: ignore[arg-type]
        "websocket": SocketLimits(ProgramsNeedNoOrigin(sockets)),
    }
)

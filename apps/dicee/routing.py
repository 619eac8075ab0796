"""The WebSocket address of a game."""

from django.urls import re_path

from apps.dicee.consumers import GameConsumer

urlpatterns = [
    re_path(r"^ws/v1/game/(?P<game_id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$", GameConsumer.as_asgi())  # type: ignore[arg-type]
]

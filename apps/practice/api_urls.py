"""A player's games and positions under ``/api/v1``."""

from django.urls import path

from apps.practice import api

urlpatterns = [
    path("games/mine", api.MyGamesView.as_view(), name="my-games"),
    path("games/mine/decisions", api.MyDecisionsView.as_view(), name="my-decisions"),
    path("games/read", api.ReadGameView.as_view(), name="read-game"),
    path("games/<uuid:game_id>/text", api.GameTextView.as_view(), name="game-text"),
    path("positions/starred", api.StarredView.as_view(), name="starred-positions"),
]

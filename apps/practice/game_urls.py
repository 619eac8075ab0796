"""``/dicee/games/``: a player's own games and decisions, and the positions they have starred."""

from django.urls import path

from apps.practice.views import games

app_name = "games"
urlpatterns = [
    path("", games.games, name="list"),
    path("decisions/", games.decisions, name="decisions"),
    path("starred/", games.starred, name="starred"),
    path("star/", games.star, name="star"),
]

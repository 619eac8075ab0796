"""Dicee under ``/api/v1``."""

from django.urls import path

from apps.dicee import api

urlpatterns = [
    path("stats/probabilities", api.ProbabilitiesView.as_view(), name="dicee-probabilities"),
    path("stats/recommendation", api.RecommendationView.as_view(), name="dicee-recommendation"),
    path("stats/evaluate", api.EvaluateView.as_view(), name="dicee-evaluate"),
    path("simulate", api.SimulateView.as_view(), name="dicee-simulate"),
    path("games", api.GamesView.as_view(), name="dicee-games"),
    path("games/join", api.JoinView.as_view(), name="dicee-join"),
    path("games/<uuid:game_id>", api.GameView.as_view(), name="dicee-game"),
    path("games/<uuid:game_id>/events", api.EventsView.as_view(), name="dicee-events"),
    path("games/<uuid:game_id>/start", api.StartView.as_view(), name="dicee-start"),
    path("games/<uuid:game_id>/roll", api.RollView.as_view(), name="dicee-roll"),
    path("games/<uuid:game_id>/score", api.ScoreView.as_view(), name="dicee-score"),
    path("games/<uuid:game_id>/undo", api.UndoView.as_view(), name="dicee-undo"),
    path("games/<uuid:game_id>/abandon", api.AbandonView.as_view(), name="dicee-abandon"),
    path("games/<uuid:game_id>/report", api.ReportView.as_view(), name="dicee-report"),
    path("games/<uuid:game_id>/verification", api.VerificationView.as_view(), name="dicee-verification"),
    path("games/<uuid:game_id>/telemetry", api.TelemetryView.as_view(), name="dicee-telemetry"),
    path("players/<uuid:player_id>/profile", api.ProfileView.as_view(), name="dicee-profile"),
    path("tokens", api.TokensView.as_view(), name="dicee-tokens"),
    path("tokens/<int:token_id>", api.TokenView.as_view(), name="dicee-token"),
]

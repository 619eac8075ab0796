"""``/dicee/``: the lobby, a table and what can be done there, what comes after the game."""

from django.urls import path

from apps.dicee import reviews, views

app_name = "dicee"
urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("rules/", views.rules, name="rules"),
    path("new/", views.new, name="new"),
    path("learn/", views.learn, name="learn"),
    path("join/", views.join, name="join"),
    path("join/<slug:code>/", views.invite, name="invite"),
    path("look/", views.look, name="look"),
    path("<uuid:game_id>/", views.table, name="table"),
    path("<uuid:game_id>/start/", views.start, name="start"),
    path("<uuid:game_id>/roll/", views.roll, name="roll"),
    path("<uuid:game_id>/score/", views.score, name="score"),
    path("<uuid:game_id>/undo/", views.undo, name="undo"),
    path("<uuid:game_id>/leave/", views.leave, name="leave"),
    path("<uuid:game_id>/hint/", views.hint, name="hint"),
    path("<uuid:game_id>/predict/", views.predict, name="predict"),
    path("<uuid:game_id>/breakdown/", views.breakdown, name="breakdown"),
    path("<uuid:game_id>/simulate/", views.simulate, name="simulate"),
    path("<uuid:game_id>/win/", views.win, name="win"),
    path("<uuid:game_id>/notes/", views.notes, name="notes"),
    path("<uuid:game_id>/holds.csv", views.csv, name="csv"),
    path("<uuid:game_id>/report/", reviews.report, name="report"),
    path("<uuid:game_id>/replay/", reviews.replay, name="replay"),
    path("<uuid:game_id>/share/", reviews.share, name="share"),
    path("<uuid:game_id>/quiz/", reviews.quiz, name="game-quiz"),
    path("quiz/", reviews.quiz, name="quiz"),
    path("quiz/answer/", reviews.answer, name="answer"),
    path("<uuid:game_id>/verify/", reviews.verify, name="verify"),
    path("<uuid:game_id>/verify.json", reviews.verify_json, name="verify-json"),
    path("verify_dice.py", reviews.verify_script, name="verify-script"),
]

"""``/dicee/``: the lobby, a table and what can be done there, what comes after the game."""

from django.urls import path

from apps.dicee.views import coach, lobby, review, table, tokens

app_name = "dicee"
urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("rules/", lobby.rules, name="rules"),
    path("new/", lobby.new, name="new"),
    path("learn/", lobby.learn, name="learn"),
    path("join/", lobby.join, name="join"),
    path("join/<slug:code>/", lobby.invite, name="invite"),
    path("look/", table.look, name="look"),
    path("tokens/", tokens.tokens_page, name="tokens"),
    path("tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke-token"),
    path("<uuid:game_id>/", table.table, name="table"),
    path("<uuid:game_id>/again/", lobby.again, name="again"),
    path("<uuid:game_id>/start/", table.start, name="start"),
    path("<uuid:game_id>/roll/", table.roll, name="roll"),
    path("<uuid:game_id>/score/", table.score, name="score"),
    path("<uuid:game_id>/undo/", table.undo, name="undo"),
    path("<uuid:game_id>/leave/", table.leave, name="leave"),
    path("<uuid:game_id>/hint/", coach.hint, name="hint"),
    path("<uuid:game_id>/predict/", coach.predict, name="predict"),
    path("<uuid:game_id>/breakdown/", coach.breakdown, name="breakdown"),
    path("<uuid:game_id>/simulate/", coach.simulate, name="simulate"),
    path("<uuid:game_id>/win/", coach.win, name="win"),
    path("<uuid:game_id>/notes/", coach.notes, name="notes"),
    path("<uuid:game_id>/holds.csv", coach.csv, name="csv"),
    path("<uuid:game_id>/report/", review.report, name="report"),
    path("<uuid:game_id>/replay/", review.replay, name="replay"),
    path("<uuid:game_id>/share/", review.share, name="share"),
    path("<uuid:game_id>/quiz/", review.quiz, name="game-quiz"),
    path("quiz/", review.quiz, name="quiz"),
    path("quiz/answer/", review.answer, name="answer"),
    path("<uuid:game_id>/verify/", review.verify, name="verify"),
    path("<uuid:game_id>/verify.json", review.verify_json, name="verify-json"),
    path("verify_dice.py", review.verify_script, name="verify-script"),
]

"""``/dicee/``: the lobby, a table and what can be done there, what comes after the game."""

import datetime

from django.urls import path, register_converter

from apps.dicee.views import analyse, coach, lobby, review, table, tokens


class DateConverter:
    """A day in an address: ``2026-11-17``."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> datetime.date:
        return datetime.date.fromisoformat(value)

    def to_url(self, value: datetime.date) -> str:
        return value.isoformat()


register_converter(DateConverter, "date")

#: A position in an address, as ``engine.dicee.notation`` writes it, after the version of that form.
POSITION = "<str:version>/<str:variant>/<str:card>/<str:dice>/<str:rolls>"

app_name = "dicee"
urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("rules/", lobby.rules, name="rules"),
    path("new/", lobby.new, name="new"),
    path("no-rated/", lobby.no_rated, name="no-rated"),
    path("learn/", lobby.learn, name="learn"),
    path("join/", lobby.join, name="join"),
    path("join/<slug:code>/", lobby.invite, name="invite"),
    path("daily/", lobby.daily_game, name="daily-today"),
    path("daily/play/", lobby.play_daily, name="daily-play"),
    path("daily/<date:day>/", lobby.daily_game, name="daily"),
    path("daily/<date:day>/card.png", lobby.daily_card, name="daily-card"),
    path("analyse/", analyse.blank, name="analyse"),
    path(f"analyse/{POSITION}/", analyse.position, name="analyse-position"),
    path(f"analyse/{POSITION}/card.png", analyse.card_picture, name="analyse-card"),
    path("look/", table.look, name="look"),
    path("tokens/", tokens.tokens_page, name="tokens"),
    path("tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke-token"),
    path("<uuid:game_id>/", table.table, name="table"),
    path("<uuid:game_id>/again/", lobby.again, name="again"),
    path("<uuid:game_id>/name/", lobby.name, name="name"),
    path("<uuid:game_id>/bot/", table.add_bot, name="add-bot"),
    path("<uuid:game_id>/react/", table.react, name="react"),
    path("<uuid:game_id>/start/", table.start, name="start"),
    path("<uuid:game_id>/roll/", table.roll, name="roll"),
    path("<uuid:game_id>/score/", table.score, name="score"),
    path("<uuid:game_id>/undo/", table.undo, name="undo"),
    path("<uuid:game_id>/leave/", table.leave, name="leave"),
    path("<uuid:game_id>/hint/", coach.hint, name="hint"),
    path("<uuid:game_id>/reveal/", coach.reveal, name="reveal"),
    path("<uuid:game_id>/predict/", coach.predict, name="predict"),
    path("<uuid:game_id>/breakdown/", coach.breakdown, name="breakdown"),
    path("<uuid:game_id>/simulate/", coach.simulate, name="simulate"),
    path("<uuid:game_id>/win/", coach.win, name="win"),
    path("<uuid:game_id>/notes/", coach.notes, name="notes"),
    path("<uuid:game_id>/holds.csv", coach.csv, name="csv"),
    path("<uuid:game_id>/report/", review.report, name="report"),
    path("<uuid:game_id>/replay/", review.replay, name="replay"),
    path("<uuid:game_id>/result.svg", review.picture, name="picture"),
    path("<uuid:game_id>/card.png", review.card, name="card"),
    path("<uuid:game_id>/game.txt", review.text, name="text"),
    path("read/", review.read_text, name="read-text"),
    path("<uuid:game_id>/share/", review.share, name="share"),
    path("<uuid:game_id>/quiz/", review.quiz, name="game-quiz"),
    path("quiz/", review.quiz, name="quiz"),
    path("quiz/answer/", review.answer, name="answer"),
    path("<uuid:game_id>/verify/", review.verify, name="verify"),
    path("<uuid:game_id>/verify.json", review.verify_json, name="verify-json"),
    path("verify_dice.py", review.verify_script, name="verify-script"),
]

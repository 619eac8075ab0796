"""Addresses of the live board, rounds and what a class's figures say."""

from django.urls import URLPattern, path

from apps.classroom.views import board, insight, rounds

urlpatterns: list[URLPattern] = [
    path("<uuid:class_id>/board/", board.board, name="board"),
    path("<uuid:class_id>/board/<uuid:member_id>/hint/", board.hint, name="board-hint"),
    path("<uuid:class_id>/round/", rounds.round_page, name="round"),
    path("<uuid:class_id>/round/new/", rounds.new_round, name="round-new"),
    path("<uuid:class_id>/round/<uuid:round_id>/", rounds.past_round, name="round-past"),
    path("<uuid:class_id>/round/<uuid:round_id>/step/", rounds.step, name="round-step"),
    path("<uuid:class_id>/round/<uuid:round_id>/vote/", rounds.vote, name="round-vote"),
    path("<uuid:class_id>/round/<uuid:round_id>/guess/", rounds.guess, name="round-guess"),
    path("<uuid:class_id>/insight/", insight.insight, name="insight"),
    path("<uuid:class_id>/insight/print/", insight.sheets, name="insight-print"),
    path("<uuid:class_id>/insight/assign/", insight.assign, name="insight-assign"),
    path("<uuid:class_id>/insight/<slug:name>.csv", insight.csv, name="insight-csv"),
    path("<uuid:class_id>/insight/<uuid:member_id>/", insight.student, name="insight-student"),
]

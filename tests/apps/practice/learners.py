"""Players of a kind at real tables: the dice are the game's own, only the choices are a simulated student's."""

from __future__ import annotations

import random

from django.test import Client

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import store
from apps.dicee.services.review.profile import summarise
from engine.dicee import tables
from engine.dicee.analysis import Option
from engine.dicee.boxes import Variant
from engine.dicee.learning.students import STUDENTS, choose

KINDS = {student.name: student for student in STUDENTS}


def browser(player: Player | None) -> Client:
    client = Client()
    if player:
        session = client.session
        session[SESSION_KEY] = str(player.id)
        session.save()
    return client


def play(player: Player, kind: str = "very careless", seed: int = 1, turns: int = 13, learn: bool = True) -> Game:
    """A game of a kind of player, and what a worker does after it."""
    table, luck = tables.load(Variant.STANDARD), random.Random(seed)
    game = services.create(player)
    for _ in range(turns):
        services.roll(game, player)
        while not (option := choose(KINDS[kind], store.current(game).position, table, luck)).box:
            services.roll(game, player, mask(store.current(game).dice, option))
        services.score(game, player, option.box)
    game.refresh_from_db()
    if learn and game.is_over:
        summarise(game)
    return game


def mask(dice: tuple[int, ...], option: Option) -> list[bool]:
    left = list(option.keep or ())
    kept = []
    for face in dice:
        kept.append(face in left)
        if face in left:
            left.remove(face)
    return kept

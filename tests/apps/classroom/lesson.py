"""A lesson: a teacher, students with nicknames, their class games, and those who have no business here."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from apps.accounts.models import Player
from apps.accounts.services import SESSION_KEY
from apps.classroom.models import ClassGame, Classroom, Membership, Standing
from apps.classroom.services.live import presence, running
from apps.dicee import services
from apps.dicee.models import Game
from apps.dicee.services import store
from apps.dicee.services.record.follow_up import follow_up

_numbers = itertools.count(1)


def teacher(name: str) -> tuple[Client, Player]:
    """Somebody with an account."""
    user = User.objects.create_user(f"{name.lower()}{next(_numbers)}", password="a long enough word")
    player = Player.objects.create(pseudonym=name, user=user)
    client = Client()
    client.force_login(user)
    session = client.session
    session[SESSION_KEY] = str(player.pk)
    session.save()
    return client, player


def browser(player: Player) -> Client:
    client = Client()
    session = client.session
    session[SESSION_KEY] = str(player.pk)
    session.save()
    return client


@dataclass
class Lesson:
    teacher: Client
    classroom: Classroom
    members: dict[str, Membership] = field(default_factory=dict)

    def join(self, nickname: str, standing: str = Standing.IN) -> Membership:
        player = Player.objects.create(pseudonym=f"Guest {nickname}")
        self.members[nickname] = Membership.objects.create(
            classroom=self.classroom, player=player, nickname=nickname, standing=standing
        )
        return self.members[nickname]

    def browser(self, nickname: str) -> Client:
        player = self.members[nickname].player
        assert player is not None
        return browser(player)

    def begin(self, nickname: str, **settings: object) -> Game:
        """A class game, as the class's pages begin one."""
        member = self.members[nickname]
        assert member.player is not None
        game = services.create(member.player, "solo", {"allowUndo": True, **settings})
        ClassGame.objects.create(game=game, member=member)
        return game

    @property
    def address(self) -> str:
        return f"/classroom/{self.classroom.pk}/"


def lesson(*nicknames: str) -> Lesson:
    client, player = teacher("Ms Okafor")
    made = Lesson(client, Classroom.objects.create(teacher=player, name="Period 3"))
    for nickname in nicknames:
        made.join(nickname)
    return made


def play_turn(game: Game, player: Player, box: str | None = None) -> None:
    services.roll(game, player)
    services.score(game, player, box or store.current(game).seat.card.open_boxes[0])


def work_off(game: Game) -> None:
    """What a worker does after the moves so far."""
    game.refresh_from_db()
    follow_up(game.pk, 1, store.current(game).sequence)


def sit(made: Lesson, nickname: str, seconds: float) -> None:
    """Let a student be in front of the same decision for so long, with the page open."""
    member = made.members[nickname]
    row = ClassGame.objects.get(member=member)
    counted = running.tally(row.game, member.player_id)
    moment = int((time.time() - seconds) * 1000)
    held = running.replace(counted, at=moment, acted=moment)
    cache.set(running._key((row.game_id, member.player_id)), held)
    presence.seen(member.pk)

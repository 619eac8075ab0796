"""A class as its teacher runs it: made, changed, let go; who may see what of it."""

from __future__ import annotations

import datetime
import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import Player
from apps.classroom.models import Assignment, ClassGame, Classroom, Membership, Standing, new_code
from apps.dicee.models import Game, Status
from apps.dicee.services.review.profile import is_suspicious, rate_of

#: How long a class may be kept from today, in days.
KEEP_CHOICES = (30, 90, 180, 365)
WARN_DAYS = 14
MOST_CLASSES = 50
TRIES = 10  # for a code no other class has: one in 244 million is taken by each
#: In ``Player.settings`` of a stand-in who keeps a student's seats warm until the new key is used.
VACANT = "vacant"


class TooManyClasses(ValueError):  # noqa: N818  says what is wrong, in the house's words
    pass


# -- Made, changed, let go ----------------------------------------------------------------------------------------


def create(teacher: Player, name: str, joining: str, keep_days: int) -> Classroom:
    """A new class with a code nobody else has."""
    if teacher.classrooms.count() >= MOST_CLASSES:
        raise TooManyClasses(f"A teacher has at most {MOST_CLASSES} classes; delete one first.")
    return _with_free_code(Classroom(teacher=teacher, name=name, joining=joining, expires_on=in_days(keep_days)))


def edit(classroom: Classroom, name: str, joining: str, keep_days: int | None) -> Classroom:
    """Rename, open or close, keep longer or shorter. ``keep_days`` counts from today; None leaves the day as it is."""
    classroom.name, classroom.joining = name, joining
    if keep_days is not None:
        classroom.expires_on = in_days(keep_days)
    classroom.save(update_fields=["name", "joining", "expires_on"])
    return classroom


def renew_code(classroom: Classroom) -> Classroom:
    """A new code; the old one opens nothing any more. Who is in stays in."""
    classroom.code = new_code()
    return _with_free_code(classroom)


def _with_free_code(classroom: Classroom) -> Classroom:
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                classroom.save()
        except IntegrityError:  # another class drew the same code
            classroom.code = new_code()
        else:
            return classroom
    raise RuntimeError("no free code for a class was found")


@transaction.atomic
def delete(classroom: Classroom) -> None:
    """The class and all that hangs on it. Games stay with those who played them."""
    vacant = list(Player.objects.filter(memberships__classroom=classroom, settings__has_key=VACANT))
    classroom.delete()
    for player in vacant:
        player.delete()


def expire(today: datetime.date | None = None) -> int:
    """Delete every class whose day has come. Returns how many."""
    over = list(Classroom.objects.filter(expires_on__lt=today or timezone.now().date()))
    for classroom in over:
        delete(classroom)
    return len(over)


def in_days(days: int) -> datetime.date:
    return timezone.now().date() + datetime.timedelta(days=days)


def days_left(classroom: Classroom) -> int:
    return (classroom.expires_on - timezone.now().date()).days


# -- Who may ------------------------------------------------------------------------------------------------------


def taught(class_id: uuid.UUID, player: Player | None) -> Classroom | None:
    """The class, if this player teaches it."""
    return Classroom.objects.filter(pk=class_id, teacher=player).first() if player else None


def member(class_id: uuid.UUID, player: Player | None) -> Membership | None:
    """The player's own place in a class, unless it was taken away."""
    if player is None:
        return None
    mine = Membership.objects.select_related("classroom").filter(classroom=class_id, player=player)
    return mine.exclude(standing=Standing.REMOVED).first()


def with_code(code: str) -> Classroom | None:
    return Classroom.objects.filter(code=code.strip().upper()).first()


def oversees(game: Game, viewer: Player) -> bool:
    """A teacher may follow what students of the class began from its pages, and nothing else of theirs."""
    if viewer.is_guest:
        return False
    games = ClassGame.objects.filter(game=game, member__classroom__teacher=viewer)
    return games.filter(member__player__isnull=False).exists()


def is_class_table(game: Game) -> bool:
    """A table of a class: its students are seated by the assignment, nobody else sits down."""
    return ClassGame.objects.filter(game=game).exists()


def keeps_to_itself(game: Game) -> bool:
    """A game of a class whose teacher has not allowed its games to be shared."""
    return ClassGame.objects.filter(game=game, member__classroom__sharing=False).exists()


def taught_by(player: Player | None) -> QuerySet[Classroom]:
    if player is None:
        return Classroom.objects.none()
    students = Count("members", filter=Q(members__standing=Standing.IN))
    return Classroom.objects.filter(teacher=player).annotate(students=students).order_by("-created_at")


def joined_by(player: Player | None) -> QuerySet[Membership]:
    if player is None:
        return Membership.objects.none()
    mine = Membership.objects.filter(player=player).exclude(standing=Standing.REMOVED)
    return mine.select_related("classroom").order_by("-joined_at")


# -- What a teacher sees on one page ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """One game a student began from the class's pages."""

    member_id: uuid.UUID
    work_id: int | None
    game_id: uuid.UUID
    status: str
    finished_at: datetime.datetime | None
    player_ref: uuid.UUID
    score: int | None
    summary: dict[str, Any] | None

    @property
    def flags(self) -> list[str]:
        """What fair play (RFC-001 §10.4) noticed; only the game's teacher and the staff see it."""
        return list((self.summary or {}).get("flags", ()))

    @property
    def is_suspicious(self) -> bool:
        return is_suspicious(self.flags)


@dataclass(frozen=True)
class Student:
    """A student's line: who, how much, how well."""

    member: Membership
    played: tuple[Played, ...]
    handed_in: int

    @property
    def games(self) -> int:
        return sum(game.status == Status.COMPLETED for game in self.played)

    @property
    def last_played(self) -> datetime.datetime | None:
        return max((game.finished_at for game in self.played if game.finished_at), default=None)

    @property
    def _summaries(self) -> list[dict[str, Any]]:
        return [game.summary for game in self.played if game.summary]

    @property
    def accuracy(self) -> float | None:
        return rate_of(self._summaries) if self._summaries else None

    @property
    def points_lost(self) -> float | None:
        """Per game."""
        lost = [summary["pointsLost"] for summary in self._summaries]
        return sum(lost) / len(lost) if lost else None

    @property
    def suspicious(self) -> tuple[Played, ...]:
        return tuple(game for game in self.played if game.is_suspicious)


def games_of(members: Iterable[Membership]) -> dict[uuid.UUID, list[Played]]:
    """What each of these students has played for the class, oldest first; one query for all."""
    rows = (
        ClassGame.objects.filter(member__in=list(members), game__seats__player=F("member__player"))
        .order_by("game__created_at")
        .values_list(
            "member_id",
            "work_id",
            "game_id",
            "game__status",
            "game__finished_at",
            "game__seats__player_ref",
            "game__seats__final_score",
            "game__seats__summary",
        )
    )
    found: dict[uuid.UUID, list[Played]] = defaultdict(list)
    for row in rows:
        found[row[0]].append(Played(*row))
    return found


def fair_play(member: Membership) -> list[Played]:
    """A student's class games that look less than human, newest first, each with its flags."""
    return [game for game in reversed(games_of([member])[member.pk]) if game.is_suspicious]


def students(classroom: Classroom) -> list[Student]:
    """Everyone with a place in the class or a wish for one, in the order of the nicknames."""
    handed_in = Count("work", filter=Q(work__handed_in_at__isnull=False))
    members = list(classroom.members.filter(player__isnull=False).annotate(handed_in=handed_in))
    members.sort(key=lambda member: member.nickname.casefold())
    played = games_of(members)
    return [Student(member, tuple(played[member.pk]), member.handed_in) for member in members]


def assignments(classroom: Classroom) -> QuerySet[Assignment]:
    """What was set, each with how many have handed it in."""
    done = Q(work__handed_in_at__isnull=False, work__member__standing=Standing.IN)
    return classroom.assignments.annotate(handed_in=Count("work", filter=done)).order_by("-created_at")

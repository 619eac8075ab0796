"""A class as its teacher runs it: made, changed, let go; who may see what of it."""

from __future__ import annotations

import datetime
import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import Player
from apps.classroom.models import Assignment, ClassGame, Classroom, Membership, Standing, new_code
from apps.dicee.models import Game, Mode, Seat, Status
from apps.dicee.player_data import DEPARTED
from apps.dicee.services.review.profile import is_suspicious, rate_of

#: How long a class may be kept from today, in days.
KEEP_CHOICES = (30, 90, 180, 365)
WARN_DAYS = 14
MOST_CLASSES = 50
MOST_NOTICES = 20
#: How long something that was taken away can be brought back.
UNDO = datetime.timedelta(minutes=10)
TRIES = 10  # for a code no other class has: one in 244 million is taken by each
#: In ``Player.settings`` of a stand-in who keeps a student's seats warm until the new key is used.
VACANT = "vacant"


class TooManyClasses(ValueError):  # noqa: N818  says what is wrong, in the house's words
    pass


# -- Made, changed, let go ----------------------------------------------------------------------------------------


def create(teacher: Player, name: str, joining: str, keep_days: int, **more: Any) -> Classroom:
    """A new class with a code nobody else has. ``more``: time zone, how long devices stay signed in, sharing."""
    if teacher.classrooms.count() >= MOST_CLASSES:
        raise TooManyClasses(f"A teacher has at most {MOST_CLASSES} classes; delete one first.")
    return _with_free_code(
        Classroom(teacher=teacher, name=name, joining=joining, expires_on=in_days(keep_days), **more)
    )


def edit(classroom: Classroom, name: str, joining: str, keep_days: int | None, **more: Any) -> Classroom:
    """Rename, open or close, keep longer or shorter. ``keep_days`` counts from today; None leaves the day as it is."""
    classroom.name, classroom.joining = name, joining
    if keep_days is not None:
        classroom.expires_on = in_days(keep_days)
    for field, value in more.items():
        setattr(classroom, field, value)
    classroom.save(update_fields=["name", "joining", "expires_on", *more])
    if not classroom.sharing:
        Game.objects.filter(class_games__member__classroom=classroom, shared=True).update(shared=False)
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
    """The class and all that hangs on it, for good. Games stay with those who played them, without the nicknames."""
    members = Membership.everything.filter(classroom=classroom)
    for member in members.filter(player__isnull=False).select_related("player"):
        take_name_off(member)
    vacant = list(Player.objects.filter(memberships__classroom=classroom, settings__has_key=VACANT))
    classroom.delete()
    for player in vacant:
        player.delete()


def take_name_off(member: Membership) -> None:
    """The nickname goes from the tables: a game alone gets the player's own name, others at a table read none."""
    assert member.player is not None
    games = Game.objects.filter(class_games__member=member).annotate(seated=Count("seats", distinct=True))
    alone = [game.pk for game in games if game.seated == 1]
    seats = Seat.objects.filter(game__class_games__member=member, player=member.player)
    seats.exclude(game__in=alone).update(name=DEPARTED)
    seats.filter(game__in=alone).update(name=member.player.pseudonym)


# -- Taken away, with ten minutes to think better of it ------------------------------------------------------------


def discard(row: Classroom | Assignment | Membership) -> None:
    """Take something away. It is gone from every page at once, and for good after :data:`UNDO`."""
    row.deleted_at = timezone.now()
    row.save(update_fields=["deleted_at"])


def restore(model: type[Classroom | Assignment | Membership], pk: uuid.UUID, teacher: Player | None) -> bool:
    """Bring back what this teacher took away, while it can be. Answers whether it did."""
    whose = {"teacher": teacher} if model is Classroom else {"classroom__teacher": teacher}
    since = timezone.now() - UNDO
    found = model.everything.filter(pk=pk, deleted_at__gt=since, **whose) if teacher else model.everything.none()
    return bool(found.update(deleted_at=None))


@dataclass(frozen=True)
class Discarded:
    """Something that can still be brought back: its word in the address, its id, its name."""

    kind: str
    pk: uuid.UUID
    name: str


def discarded(teacher: Player | None, classroom: Classroom | None = None) -> list[Discarded]:
    """What a teacher took away lately: of one class, or whole classes."""
    if teacher is None:
        return []
    lately = {"deleted_at__gt": timezone.now() - UNDO}
    if classroom is None:
        rows = Classroom.everything.filter(teacher=teacher, **lately)
        return [Discarded("class", row.pk, row.name) for row in rows]
    tasks = Assignment.everything.filter(classroom=classroom, **lately)
    members = Membership.everything.filter(classroom=classroom, **lately)
    return [Discarded("assignment", row.pk, row.title) for row in tasks] + [
        Discarded("student", row.pk, row.nickname) for row in members
    ]


def purge(now: datetime.datetime | None = None) -> int:
    """Delete for good what was taken away long enough ago. Returns how many."""
    before = {"deleted_at__lt": (now or timezone.now()) - UNDO}
    members = list(Membership.everything.filter(**before).select_related("player"))
    for member in members:
        erase(member)
    assignments_gone, _ = Assignment.everything.filter(**before).delete()
    gone = list(Classroom.everything.filter(**before))
    for classroom in gone:
        delete(classroom)
    return len(members) + len(gone) + bool(assignments_gone)


@transaction.atomic
def erase(member: Membership) -> None:
    """Everything the class keeps of a student, for good."""
    if member.player is not None:
        take_name_off(member)
        if VACANT in member.player.settings:
            member.player.delete()
    member.delete()


# -- Handed to a colleague ----------------------------------------------------------------------------------------


def offer(classroom: Classroom, username: str) -> None:
    """Let a colleague with an account take the class over. A name that nobody has is an offer that nobody takes."""
    found = Player.objects.filter(user__username__iexact=username.strip()).exclude(pk=classroom.teacher_id).first()
    classroom.offered_to = found
    classroom.save(update_fields=["offered_to"])


def offered_to(player: Player | None) -> QuerySet[Classroom]:
    """Classes that colleagues would hand to this player."""
    return Classroom.objects.filter(offered_to=player) if player else Classroom.objects.none()


@transaction.atomic
def take_over(class_id: uuid.UUID, player: Player) -> Classroom | None:
    """Accept an offered class; None if there is no such offer."""
    classroom = Classroom.objects.select_for_update().filter(pk=class_id, offered_to=player).first()
    if classroom is None or player.is_guest:
        return None
    classroom.teacher, classroom.offered_to = player, None
    classroom.save(update_fields=["teacher", "offered_to"])
    return classroom


# -- What a teacher has to know -----------------------------------------------------------------------------------


def note(classroom: Classroom, text: str) -> None:
    """A sentence for the teacher, shown until it is put away."""
    now = Classroom.everything.select_for_update().get(pk=classroom.pk)
    now.notices = [*now.notices, text][-MOST_NOTICES:]
    now.save(update_fields=["notices"])


def put_notices_away(classroom: Classroom) -> None:
    classroom.notices = []
    classroom.save(update_fields=["notices"])


# -- Time ---------------------------------------------------------------------------------------------------------


def zone(classroom: Classroom) -> datetime.tzinfo:
    """The zone in which the class reads its clock."""
    try:
        return ZoneInfo(classroom.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        return datetime.UTC


def expire(today: datetime.date | None = None) -> int:
    """Delete every class whose day has come. Returns how many."""
    over = list(Classroom.everything.filter(expires_on__lt=today or timezone.now().date()))
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
    games = ClassGame.objects.filter(game=game, member__in=Membership.objects.filter(classroom__teacher=viewer))
    return games.filter(member__player__isnull=False).exists()


def is_class_table(game: Game) -> bool:
    """A table of a class: its students are seated by the assignment, nobody else sits down."""
    return ClassGame.objects.filter(game=game).exists()


def bars(game: Game, viewer: Player) -> bool:
    """Was this player taken off the class whose students sit at the table? Games played alone stay the player's."""
    if game.mode != Mode.MULTIPLAYER:
        return False
    return ClassGame.objects.filter(game=game, member__player=viewer, member__standing=Standing.REMOVED).exists()


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
        return [game.summary for game in self.played if game.summary and game.summary["decisions"]]

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

    @property
    def pk(self) -> uuid.UUID:
        return self.member.pk

    @property
    def nickname(self) -> str:
        return self.member.nickname


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

"""A student: a nickname in one class. Joining, coming back, leaving, and what the teacher may do about it.

The return key opens one membership and nothing else. Using it moves the membership, and the seats of its class games,
to the browser that used it; the player who had them before keeps everything that is not the class's. So neither a
teacher who resets access nor a finder of the note gets at anything else the student does here.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Player
from apps.classroom.models import ClassGame, Classroom, Joining, Membership, Standing, Work
from apps.classroom.services import classes, names
from apps.classroom.services.classes import VACANT
from apps.core.broadcast import broadcast
from apps.dicee import services as dicee
from apps.dicee.models import CODE_ALPHABET, Game, Mode, Seat, Status
from apps.dicee.player_data import DEPARTED
from apps.practice import player_data
from apps.practice.models import Answer, Drill
from apps.practice.services import progress, record

KEY_LENGTH = 8
#: In ``Player.settings``: classes in which somebody else's device has become this student.
MOVED = "moved_classes"
MOST_STUDENTS = 200
#: A game begun from the class's pages is seen by its teacher and by no passer-by.
CLASS_TABLE = {"spectators": False, "winChances": False, "allowUndo": True}


class Refused(ValueError):  # noqa: N818  says what is wrong, in the house's words
    """Why something may not be, in words for the person, and the field it belongs to."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.message, self.field = message, field


# -- Joining ------------------------------------------------------------------------------------------------------


def join(classroom: Classroom, player: Player, nickname: str) -> tuple[Membership, str]:
    """Take a place in a class. Answers the membership and the return key, which is not kept and never shown again."""
    if player.pk == classroom.teacher_id:
        raise Refused("You teach this class.")
    try:
        with transaction.atomic():
            return _join(Classroom.objects.select_for_update().get(pk=classroom.pk), player, nickname)
    except IntegrityError as error:  # two at the same moment: the other one has it
        raise Refused("Somebody was a moment faster. Try again.", "nickname") from error


def _join(classroom: Classroom, player: Player, nickname: str) -> tuple[Membership, str]:
    for erased in Membership.everything.filter(classroom=classroom, player=player, deleted_at__isnull=False):
        classes.erase(erased)
    if before := classroom.members.filter(player=player).first():
        if before.standing == Standing.REMOVED:
            raise Refused("Your teacher has taken you off this class. Ask to be let back in.")
        return before, ""
    if classroom.joining == Joining.CLOSED:
        raise Refused("This class takes nobody new. Ask your teacher to open it.")
    if classroom.members.count() >= MOST_STUDENTS:
        raise Refused(f"This class is full: it has {MOST_STUDENTS} students.")
    _check_free(classroom, nickname)
    key = new_key()
    standing = Standing.WAITING if classroom.joining == Joining.APPROVAL else Standing.IN
    member = Membership.objects.create(
        classroom=classroom, player=player, nickname=nickname, standing=standing, key_digest=digest(key)
    )
    return member, key


def _check_free(classroom: Classroom, nickname: str, besides: Membership | None = None) -> None:
    others = Membership.everything.filter(classroom=classroom)
    if besides is not None:
        others = others.exclude(pk=besides.pk)
    alike = names.skeleton(nickname)
    for other in others.values_list("nickname", flat=True):
        if other.casefold() == nickname.casefold():
            raise Refused(f"Somebody in this class is already called {nickname}. Take another nickname.", "nickname")
        if names.skeleton(other) == alike:
            raise Refused(
                f"{nickname} looks like {other}, who is in this class already. Take another nickname.", "nickname"
            )


def new_key() -> str:
    """A word to write down, in two halves: no letter or digit in it is read wrongly."""
    letters = [secrets.choice(CODE_ALPHABET) for _ in range(KEY_LENGTH)]
    return f"{''.join(letters[: KEY_LENGTH // 2])}-{''.join(letters[KEY_LENGTH // 2 :])}"


def digest(key: str) -> str:
    """What is kept of a key. Dashes, spaces and small letters make no difference."""
    plain = "".join(letter for letter in key.upper() if letter.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()


# -- Coming back --------------------------------------------------------------------------------------------------


def opens(classroom: Classroom, key: str) -> Membership | None:
    """Whose place a return key opens."""
    return classroom.members.exclude(standing=Standing.REMOVED).filter(key_digest=digest(key)).first()


@transaction.atomic
def come_back(classroom: Classroom, key: str, player: Player) -> Membership:
    """Be the student the key belongs to, in this browser. Whichever browser was that student before no longer is."""
    places = classroom.members.select_for_update().exclude(standing=Standing.REMOVED)
    member = places.filter(key_digest=digest(key)).first()
    if member is None or not member.key_digest:
        raise Refused("This key does not open this class. Check both, or ask your teacher for a new key.", "key")
    mine = classroom.members.filter(player=player).first()
    if mine is not None and mine.pk != member.pk:
        raise Refused(f"In this browser you are {mine.nickname} in this class. Sign out first.", "key")
    if member.player_id != player.pk:
        _hand_over(member, player)
    return member


@transaction.atomic
def reset(member: Membership) -> str:
    """A new key; the old one is worthless, and the browser that was this student is out of the class."""
    _hand_over(member, Player.objects.create(settings={VACANT: True}))
    return renew_key(member)


def renew_key(member: Membership) -> str:
    """A new return key in place of the old one, which opens nothing any more."""
    key = new_key()
    member.key_digest = digest(key)
    member.save(update_fields=["key_digest"])
    return key


def _hand_over(member: Membership, player: Player) -> None:
    """The membership and the seats of its class games go to another player; nothing else does."""
    before = member.player
    Seat.objects.filter(game__class_games__member=member, player=before).update(player=player)
    Game.objects.filter(class_games__member=member, host=before).update(host=player)
    Answer.objects.filter(work__member=member).update(player=player)
    member.player = player
    member.save(update_fields=["player"])
    if before is not None and before.is_guest:
        _move_practice(member, before, player)
    progress.refresh(player)
    if before is not None and VACANT in before.settings:
        before.delete()
    elif before is not None:
        before.settings = before.settings | {MOVED: [*before.settings.get(MOVED, ()), str(member.classroom_id)]}
        before.save(update_fields=["settings"])
        progress.refresh(before)
        transaction.on_commit(lambda: broadcast(member_group(member.pk), {"type": "class.gone"}))


def _move_practice(member: Membership, before: Player, player: Player) -> None:
    """Practice follows the student: all of a guest who was nothing else, otherwise what the class's games made."""
    if not before.memberships.exists():
        player_data.hand_over(before, player)
        return
    games = [str(pk) for pk in ClassGame.objects.filter(member=member).values_list("game_id", flat=True)]
    known = set(Drill.objects.filter(player=player).values_list("position", flat=True))
    for drill in Drill.objects.filter(player=before).exclude(position__in=known):
        if drill.origin.partition(":")[0] in games:
            Drill.objects.filter(pk=drill.pk).update(player=player)


def has_moved(class_id: uuid.UUID, player: Player | None) -> bool:
    """Was this player the student of a class who now works on another device?"""
    return player is not None and str(class_id) in player.settings.get(MOVED, ())


def member_group(member_id: uuid.UUID) -> str:
    """The channel-layer group of one student's open pages."""
    return f"member.{member_id}"


# -- What the teacher may do --------------------------------------------------------------------------------------


def approve(member: Membership) -> None:
    """Let somebody in who waits, or back in who was taken off."""
    _stand(member, Standing.IN)


def decline(member: Membership) -> None:
    """Somebody who waits is turned away and nothing is kept."""
    if member.standing == Standing.WAITING:
        member.delete()


@transaction.atomic
def remove(member: Membership) -> None:
    """Off the class: its pages and its matches are gone for this student. What was done stays; letting back in is easy.

    A classmate at the same table plays on instead of waiting for somebody who may not move.
    """
    shared = Game.objects.filter(
        class_games__member=member, mode=Mode.MULTIPLAYER, status__in=(Status.WAITING, Status.ACTIVE)
    )
    for game in shared.distinct():
        if member.player is not None:
            dicee.abandon(game, member.player)
    _stand(member, Standing.REMOVED)


def _stand(member: Membership, standing: Standing) -> None:
    member.standing = standing
    member.save(update_fields=["standing"])


@transaction.atomic
def rename(member: Membership, nickname: str) -> None:
    """Another nickname, at the tables of the class too."""
    Classroom.objects.select_for_update().get(pk=member.classroom_id)
    _check_free(member.classroom, nickname, besides=member)
    member.nickname = nickname
    member.save(update_fields=["nickname"])
    _seats(member).update(name=nickname)


# -- Leaving ------------------------------------------------------------------------------------------------------


@transaction.atomic
def leave(member: Membership, *, erase: bool = False) -> None:
    """Leave the class. Work and votes stay under a name that says nothing, or go as well; games are the player's."""
    handed_in = member.work.filter(handed_in_at__isnull=False).count()
    if erase and handed_in:
        what = "an assignment" if handed_in == 1 else f"{handed_in} assignments"
        classes.note(member.classroom, f"A student has left and deleted {what} that had been handed in.")
    if erase:
        classes.erase(member)
    else:
        classes.take_name_off(member)
        anonymise(member)


def anonymise(member: Membership) -> None:
    """Keep what was done for the class, not who did it (ruling D17)."""
    Answer.objects.filter(work__member=member).update(player=None)
    member.nickname = _departed_name(member)
    member.player, member.key_digest, member.standing = None, "", Standing.REMOVED
    member.save(update_fields=["nickname", "player", "key_digest", "standing"])


def _departed_name(member: Membership) -> str:
    taken = set(member.classroom.members.exclude(pk=member.pk).values_list("nickname", flat=True))
    names = (DEPARTED if n == 1 else f"{DEPARTED} {n}" for n in range(1, MOST_STUDENTS + 2))
    return next(name for name in names if name not in taken)


def _seats(member: Membership) -> Any:
    return Seat.objects.filter(game__class_games__member=member, player=member.player)


# -- Playing ------------------------------------------------------------------------------------------------------


def unfinished(member: Membership) -> Game | None:
    """The game of the class that the student was in last, if it still goes on."""
    games = Game.objects.filter(class_games__member=member, seats__player=member.player)
    return games.filter(status__in=(Status.WAITING, Status.ACTIVE)).order_by("-created_at").first()


@transaction.atomic
def play(member: Membership) -> Game:
    """A game alone that the teacher may follow."""
    assert member.player is not None
    return attach(dicee.create(member.player, "solo", CLASS_TABLE), member)


def attach(game: Game, member: Membership, work: Work | None = None) -> Game:
    """Tie a game to the class. At its table the student goes by the nickname."""
    ClassGame.objects.create(game=game, member=member, work=work)
    Seat.objects.filter(game=game, player=member.player).update(name=member.nickname)
    return game


# -- A copy to take along -----------------------------------------------------------------------------------------


def document(member: Membership) -> dict[str, Any]:
    """Everything a class keeps of a student."""
    return {
        "class": member.classroom.name,
        "nickname": member.nickname,
        "standing": member.standing,
        "joinedAt": member.joined_at.isoformat(),
        "games": [str(game) for game in member.games.values_list("game_id", flat=True)],
        "work": [_work_document(work) for work in member.work.select_related("assignment").order_by("started_at")],
        "votes": [
            {
                "position": vote.round.position,
                "predicted": vote.predicted,
                "choice": vote.choice,
                "lost": vote.lost,
                "at": vote.changed_at.isoformat(),
            }
            for vote in member.votes.select_related("round").order_by("changed_at")
        ],
        "exportedAt": timezone.now().isoformat(),
    }


def _work_document(work: Work) -> dict[str, Any]:
    return {
        "title": work.assignment.title,
        "task": work.assignment.task,
        "startedAt": work.started_at.isoformat(),
        "handedInAt": work.handed_in_at.isoformat() if work.handed_in_at else None,
        "result": work.result,
        "answers": [record.document(answer) for answer in work.answers.order_by("created_at")],
    }

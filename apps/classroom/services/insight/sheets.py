"""A student on one sheet of paper, in plain words, for those at home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.classroom.models import Classroom, Membership, Work
from apps.classroom.services import classes
from apps.classroom.services.classes import Played
from apps.dicee.models import Status
from apps.practice.models import Answer, PlayedGame
from apps.practice.services import progress
from apps.practice.services.progress import Page

#: Shares of best choices and what to call them; the first that is reached.
LEVELS = (
    (0.85, "chooses like an expert"),
    (0.7, "chooses very well"),
    (0.55, "chooses well"),
    (0.4, "is getting the idea"),
    (0.0, "is finding out how the game works"),
)
#: Games at each end of a comparison.
ENDS = 5
CLEAR = 0.03


@dataclass(frozen=True)
class Sheet:
    member: Membership
    games: tuple[Played, ...]
    profile: Page | None
    handed_in: int
    set_work: int
    votes: int

    @property
    def share(self) -> float | None:
        return self.profile.found.accuracy if self.profile else None

    @property
    def level(self) -> str:
        share = self.share
        return "" if share is None else next(words for least, words in LEVELS if share >= least)

    @property
    def best_score(self) -> int:
        return max((game.score or 0 for game in self.games), default=0)

    @property
    def average_score(self) -> float:
        scores = [game.score or 0 for game in self.games]
        return sum(scores) / len(scores) if scores else 0.0

    @property
    def change(self) -> str:
        """Earlier games against the latest ones, in a sentence."""
        if len(self.games) < 2 * ENDS:
            return "There are too few games yet to say how it develops."
        before, after = _rate(self.games[:ENDS]), _rate(self.games[-ENDS:])
        then, now = f"{100 * before:.0f} %", f"{100 * after:.0f} %"
        if after - before > CLEAR:
            return f"Good choices went from {then} in the first games to {now} in the latest."
        if before - after > CLEAR:
            return f"Good choices went from {then} in the first games to {now} in the latest: worth a little practice."
        return f"Good choices stay at about {now}."


def sheets(classroom: Classroom, members: Sequence[Membership]) -> list[Sheet]:
    played = classes.games_of(members)
    set_work = classroom.assignments.count()
    return [_sheet(member, played[member.pk], set_work) for member in members]


def _sheet(member: Membership, played: Sequence[Played], set_work: int) -> Sheet:
    games = tuple(game for game in played if game.status == Status.COMPLETED and game.summary)
    return Sheet(
        member=member,
        games=games,
        profile=class_profile(member),
        handed_in=Work.objects.filter(member=member, handed_in_at__isnull=False).count(),
        set_work=set_work,
        votes=member.votes.exclude(choice="").count(),
    )


def class_profile(member: Membership) -> Page | None:
    """The learning model's view of a student, from what was done for this class and nothing else."""
    played = PlayedGame.objects.filter(seat__game__class_games__member=member, seat__player=member.player)
    return progress.page_of(played, Answer.objects.filter(work__member=member))


def _rate(games: Sequence[Played]) -> float:
    decisions = sum((game.summary or {}).get("decisions", 0) for game in games)
    return sum((game.summary or {}).get("best", 0) for game in games) / decisions if decisions else 0.0

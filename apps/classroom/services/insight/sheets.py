"""A student on one sheet of paper, in plain words, for those at home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.classroom.models import Classroom, Membership, Work
from apps.classroom.services import classes
from apps.classroom.services.classes import Played
from apps.core.formats import number
from apps.dicee.models import Status
from apps.practice.models import Answer, PlayedGame
from apps.practice.services import progress
from apps.practice.services.progress import Page
from engine.dicee.learning import Direction

#: Points lost a game, up to and including, and what to call that.
LEVELS = (
    (6.0, "chooses like an expert"),
    (15.0, "chooses very well"),
    (30.0, "chooses well"),
    (55.0, "is getting the idea"),
    (float("inf"), "is finding out how the game works"),
)
CHANGES = {
    Direction.UNKNOWN: "There are too few games yet to say how it develops.",
    Direction.STEADY: "It stays about the same.",
    Direction.BETTER: "It is clearly getting better.",
    Direction.WORSE: "Lately it costs clearly more: worth a little practice.",
}


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
        if self.profile is None:
            return ""
        lost = self.profile.found.lost_per_game
        return next(words for most, words in LEVELS if lost <= most)

    @property
    def best_score(self) -> int:
        return max((game.score or 0 for game in self.games), default=0)

    @property
    def average_score(self) -> float:
        scores = [game.score or 0 for game in self.games]
        return sum(scores) / len(scores) if scores else 0.0

    @property
    def change(self) -> str:
        """Earlier games against the latest ones, in a sentence; only what lies beyond the margin."""
        lost = self.profile.found.lost_per_decision if self.profile else None
        if lost is None or lost.direction is Direction.UNKNOWN:
            return CHANGES[Direction.UNKNOWN]
        figures = f"{number(lost.rolling)} points lost per decision lately, {number(lost.overall)} over all games."
        return f"{CHANGES[lost.direction]} {figures}"


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

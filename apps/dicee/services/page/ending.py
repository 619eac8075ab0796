"""The end of a game as the table shows it: how it went, beside one's other games, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from django.urls import reverse

from apps.accounts.models import Player
from apps.core import formats
from apps.dicee.models import Game, Mode, Seat, Status
from apps.dicee.services import daily
from apps.dicee.services.review import profile
from apps.dicee.services.review.decisions import Decision, story
from apps.dicee.services.review.quiz import WORTH_ASKING
from apps.dicee.services.seats import seat_if_any


@dataclass(frozen=True)
class Slip:
    """The decision of a game that cost most, and where it can be practised."""

    decision: Decision
    game: Game

    @property
    def words(self) -> str:
        decision = self.decision
        lost = formats.number(decision.lost, 1)
        return f"Turn {decision.turn}: “{decision.chosen_words}” cost {lost} points. “{decision.best_words}” was best."

    @property
    def url(self) -> str:
        key = f"{self.game.pk}:{self.decision.number}"
        return f"{reverse('dicee:game-quiz', args=[self.game.pk])}?q={key}"


@dataclass(frozen=True)
class Ending:
    """What the player of a finished game sees first. ``others`` are their scores in earlier games."""

    game: Game
    score: int
    others: tuple[int, ...]
    rating: float | None
    slip: Slip | None
    rematch: Game | None  # a table at which others have sat down again

    @property
    def best_before(self) -> int | None:
        return max(self.others, default=None)

    @property
    def is_record(self) -> bool:
        return self.best_before is not None and self.score > self.best_before

    @property
    def record_words(self) -> str:
        if not self.is_record or self.best_before is None:
            return ""
        return f"Your best game yet, {self.score - self.best_before} better than before."

    @property
    def figures(self) -> list[tuple[str, str]]:
        """This game beside the player's others, and the rating where there is one."""
        scores = (self.score, *self.others)
        lines = [("Your best", str(max(scores))), (f"Average of {len(scores)}", formats.number(fmean(scores), 1))]
        if self.rating is not None:
            lines.append(("Rating", formats.number(self.rating, 0)))
        return lines if self.others else lines[2:]

    @property
    def again_words(self) -> str:
        if self.game.mode != Mode.MULTIPLAYER:
            return "Play again"
        if self.rematch is None:
            return "Rematch"
        return f"Rematch: {self.rematch.seats.count()} waiting"

    @property
    def may_play_again(self) -> bool:
        """The game of a day is played once."""
        return self.game.daily_id is None

    @property
    def daily(self) -> daily.DailyView | None:
        return daily.daily_view(self.game.host, self.game.daily_id) if self.game.daily_id else None


def ending(game: Game, viewer: Player | None) -> Ending | None:
    """The end of a completed game for somebody who played it."""
    seat = seat_if_any(game, viewer)
    if viewer is None or seat is None or game.status != Status.COMPLETED or seat.final_score is None:
        return None
    earlier = Seat.objects.filter(player=viewer, game__status=Status.COMPLETED).exclude(game=game)
    others = tuple(score for score in earlier.values_list("final_score", flat=True) if score is not None)
    waiting = game.rematch if game.rematch is not None and game.rematch.status == Status.WAITING else None
    return Ending(game, seat.final_score, others, profile.rating_of(viewer), _costliest(game, seat), waiting)


def _costliest(game: Game, seat: Seat) -> Slip | None:
    slips = [decision for decision in story(game, seat.player_ref).decisions if decision.lost >= WORTH_ASKING]
    return Slip(max(slips, key=lambda decision: decision.lost), game) if slips else None

"""The report of a game: how good, how lucky, where points were lost, and against what."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import Player
from apps.dicee.models import Game, Seat
from apps.dicee.services import horizon, store
from apps.dicee.services.review import par as yardstick
from apps.dicee.services.review.decisions import Decision, Story, story
from engine.dicee import notation
from engine.dicee.advice import TITLES
from engine.dicee.analysis import Horizon
from engine.dicee.boxes import BOXES, Scorecard
from engine.dicee.game.events import Scored, ScoreUndone
from engine.wire import refuse

#: In the order of quality, best first (RFC-003 §4.1).
QUALITIES = ("optimal", "excellent", "good", "acceptable", "suboptimal", "poor")
SQUARES = {"optimal": "🟩", "excellent": "🟩", "good": "🟨", "acceptable": "🟨", "suboptimal": "🟧", "poor": "🟥"}


@dataclass(frozen=True)
class TurnLine:
    """One turn of the score timeline. ``expected_final`` is None while only the turn horizon is known."""

    turn: int
    box: str
    title: str
    points: int
    total: int
    expected_final: float | None
    luck: float
    lost: float
    worst: str  # quality of the turn's weakest decision


@dataclass(frozen=True)
class BoxLine:
    name: str
    title: str
    points: int
    perfect: float | None

    @property
    def difference(self) -> float | None:
        return None if self.perfect is None else self.points - self.perfect


@dataclass(frozen=True)
class Phase:
    """Some decisions of a game that belong together: how many count for accuracy, how many were best, what was lost."""

    key: str
    title: str
    decisions: int
    counted: int
    perfect: int
    lost: float

    @classmethod
    def of(cls, key: str, title: str, found: Sequence[Decision]) -> Phase:
        counted = [decision for decision in found if not decision.obvious]
        perfect, lost = sum(decision.was_best for decision in counted), sum(decision.lost for decision in found)
        return cls(key, title, len(found), len(counted), perfect, lost)

    @property
    def accuracy(self) -> float | None:
        return self.perfect / self.counted if self.counted else None


#: The last turns of the first two thirds of a game.
EARLY, MIDDLE = 4, 9
PHASES: tuple[tuple[str, str, Callable[[Decision], bool]], ...] = (
    ("first_keep", "First keep", lambda d: d.chosen.box is None and d.roll == 1),
    ("second_keep", "Second keep", lambda d: d.chosen.box is None and d.roll == 2),
    ("box", "Box", lambda d: d.chosen.box is not None),
    ("early", f"Early, turns 1–{EARLY}", lambda d: d.turn <= EARLY),
    ("middle", f"Middle, turns {EARLY + 1}–{MIDDLE}", lambda d: EARLY < d.turn <= MIDDLE),
    ("late", f"Late, turns {MIDDLE + 1}–13", lambda d: d.turn > MIDDLE),
)


@dataclass(frozen=True)
class Report:
    """Everything the report page prints about one player of one game."""

    game: Game
    seat: Seat
    score: int
    par: float | None
    percentile: float | None  # share of perfect games this score beats or equals
    percentile_interval: tuple[float, float] | None
    horizon: Horizon
    notice: str
    decisions: tuple[Decision, ...]
    luck: float | None  # EV gained by the dice
    points_lost: float  # EV lost by choices
    turns: tuple[TurnLine, ...]
    boxes: tuple[BoxLine, ...]

    @property
    def counted(self) -> tuple[Decision, ...]:
        """The decisions accuracy is about: those a beginner could miss."""
        return tuple(decision for decision in self.decisions if not decision.obvious)

    @property
    def perfect(self) -> int:
        """How many of them nothing was better than."""
        return sum(decision.was_best for decision in self.counted)

    @property
    def accuracy(self) -> float:
        """Share of the decisions that are not obvious which nothing was better than; 1 where there are none."""
        return self.perfect / len(self.counted) if self.counted else 1.0

    @property
    def phases(self) -> tuple[Phase, ...]:
        """What was lost by kind of decision and by part of the game."""
        found = [Phase.of(key, title, [d for d in self.decisions if within(d)]) for key, title, within in PHASES]
        return tuple(phase for phase in found if phase.decisions)

    @property
    def coached(self) -> int:
        """Decisions taken with an answer in sight, which count for no rating (ruling D20)."""
        return sum(decision.assisted for decision in self.decisions)

    @property
    def qualities(self) -> dict[str, int]:
        counted = Counter(decision.quality for decision in self.decisions)
        return {quality: counted[quality] for quality in QUALITIES}

    @property
    def slips(self) -> tuple[Decision, ...]:
        """Decisions that lost points, the costliest first."""
        return tuple(sorted((d for d in self.decisions if d.lost), key=lambda d: (-d.lost, d.number)))

    @property
    def worst_slip(self) -> Decision | None:
        return next(iter(self.slips), None)

    @property
    def best_find(self) -> Decision | None:
        """The right decision where going for the most points this turn would have cost most."""
        found = [decision for decision in self.decisions if decision.was_best and decision.trap > 0]
        return max(found, key=lambda decision: decision.trap, default=None)


def report(game: Game, viewer: Player | None, player_ref: uuid.UUID | None = None) -> Report:
    """The report of one player: the one named, else the viewer, else whoever did best."""
    seat = _whose(game, viewer, player_ref)
    if not game.is_over:
        refuse(
            "The report comes when the game is over.",
            code="ERR_INVALID_TURN",
            field="status",
            constraint="over",
            expected="over",
            actual=game.status,
        )
    state = store.current(game)
    played = story(game, seat.player_ref)
    card = state.seat_of(seat.player_ref).card
    solved, against = horizon.ready(state.variant), yardstick.par(state.variant)
    share, interval = against.percentile(card.grand_total) if against and card.is_complete else (None, None)
    seen = played.horizon is Horizon.GAME
    return Report(
        game=game,
        seat=seat,
        score=card.grand_total,
        par=solved.expected_score if solved else None,
        percentile=share,
        percentile_interval=(interval.low, interval.high) if interval else None,
        horizon=played.horizon,
        notice=played.notice,
        decisions=played.decisions,
        luck=sum(throw.luck for throw in played.throws) if seen else None,
        points_lost=sum(decision.lost for decision in played.decisions),
        turns=_turns(game, seat.player_ref, played),
        boxes=_boxes(card, yardstick.per_box_if_ready(state.variant)),
    )


def _whose(game: Game, viewer: Player | None, player_ref: uuid.UUID | None) -> Seat:
    seats = list(game.seats.all())
    asked = [seat for seat in seats if seat.player_ref == player_ref]
    if player_ref is not None and not asked:
        refuse(
            "Nobody with this id played here.",
            code="ERR_FORBIDDEN",
            field="playerId",
            constraint="seated",
            actual=str(player_ref),
        )
    mine = [seat for seat in seats if viewer is not None and seat.player_id == viewer.pk]
    people = sorted((seat for seat in seats if not seat.bot), key=lambda seat: -(seat.final_score or 0))
    return (asked or mine or people or seats)[0]


def _turns(game: Game, player_ref: uuid.UUID, played: Story) -> tuple[TurnLine, ...]:
    lines = []
    for event in _scores(game, player_ref):
        turn = event.turn_number
        choices = [decision for decision in played.decisions if decision.turn == turn]
        card = Scorecard.from_wire(event.updated_scorecard)
        lines.append(
            TurnLine(
                turn,
                event.chosen_category,
                TITLES[event.chosen_category],
                event.points_earned,
                card.grand_total,
                _expected_final(card, choices[-1] if choices else None, played.horizon),
                sum(throw.luck for throw in played.throws if throw.turn == turn),
                sum(decision.lost for decision in choices),
                max((decision.quality for decision in choices), key=QUALITIES.index, default=QUALITIES[0]),
            )
        )
    return tuple(lines)


def _scores(game: Game, player_ref: uuid.UUID) -> list[Scored]:
    stream = store.stream(game)
    undone = {event.undone_event_id for event in stream if isinstance(event, ScoreUndone)}
    return [e for e in stream if isinstance(e, Scored) and e.player_id == player_ref and e.id not in undone]


def _expected_final(card: Scorecard, last: Decision | None, seen: Horizon) -> float | None:
    """What perfect play would average from here: the points on the card and those still to come."""
    if seen is not Horizon.GAME or last is None:
        return None
    return last.position.card.grand_total + last.chosen.ev if not card.is_complete else float(card.grand_total)


def _boxes(card: Scorecard, perfect: dict[str, float]) -> tuple[BoxLine, ...]:
    lines = [BoxLine(name, TITLES[name], card.points[n] or 0, perfect.get(name)) for n, name in enumerate(BOXES)]
    lines.append(BoxLine("upper_bonus", TITLES["upper_bonus"], card.upper_bonus, perfect.get("upper_bonus")))
    lines.append(BoxLine("dicee_bonus", TITLES["dicee_bonus"], card.dicee_bonus, perfect.get("dicee_bonus")))
    return tuple(lines)


def share_text(found: Report, link: str) -> str:
    """A result to send around. It names no dice and no boxes, so nothing is spoiled for who plays the same game."""
    squares = "".join(SQUARES[line.worst] for line in found.turns)
    luck = "" if found.luck is None else f" · luck {found.luck:+.0f}"
    return (
        f"Dicee {found.score} · {found.accuracy:.0%} best choices · {found.points_lost:.1f} points lost{luck}\n"
        f"{squares}\n{link}"
    )


def document(found: Report) -> dict[str, Any]:
    """The report on the wire."""
    return {
        "success": True,
        "gameId": str(found.game.pk),
        "playerId": str(found.seat.player_ref),
        "displayName": found.seat.name,
        "score": found.score,
        "par": found.par,
        "percentile": found.percentile,
        "percentileCi95": found.percentile_interval,
        "horizon": found.horizon.value,
        "notice": found.notice,
        "accuracy": found.accuracy,
        "countedDecisions": len(found.counted),
        "coachedDecisions": found.coached,
        "phases": [_phase(phase) for phase in found.phases],
        "qualities": found.qualities,
        "luck": found.luck,
        "pointsLost": found.points_lost,
        "decisions": [_decision(decision) for decision in found.decisions],
        "bestFind": found.best_find.number if found.best_find else None,
        "worstSlip": found.worst_slip.number if found.worst_slip else None,
        "turns": [
            {
                "turn": line.turn,
                "category": line.box,
                "points": line.points,
                "total": line.total,
                "expectedFinal": line.expected_final,
                "luck": line.luck,
                "pointsLost": line.lost,
            }
            for line in found.turns
        ],
        "boxes": [{"source": line.name, "points": line.points, "perfect": line.perfect} for line in found.boxes],
    }


def _phase(phase: Phase) -> dict[str, Any]:
    return {
        "phase": phase.key,
        "decisions": phase.decisions,
        "countedDecisions": phase.counted,
        "accuracy": phase.accuracy,
        "pointsLost": phase.lost,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "number": decision.number,
        "sequenceNumber": decision.seq,
        "turnNumber": decision.turn,
        "rollNumber": decision.roll,
        "dice": list(decision.position.dice),
        "chosen": decision.chosen_words,
        "best": decision.best_words,
        "pointsLost": decision.lost,
        "decisionQuality": decision.quality,
        "luck": decision.luck,
        "obvious": decision.obvious,
        "withCoach": decision.assisted,
        "position": notation.write(decision.position),
    }

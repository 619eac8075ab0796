"""A finished or running game as one player's decisions, each beside the best one.

Every roll moves the expected final score by luck, every choice by skill, and nothing else moves it:

    final score = par + Σ luck − Σ points lost

where par is what perfect play averages from an empty card. The identity is exact (``tests/apps/dicee``), because both
sides read the same table.
"""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from apps.dicee.models import DecisionScreen, Game
from apps.dicee.services import horizon, screens, store
from engine.dicee import advice, analysis
from engine.dicee.advice import TITLES
from engine.dicee.analysis import Analysis, Horizon, Option, Position
from engine.dicee.game import events
from engine.dicee.game.events import Event, Source
from engine.dicee.game.state import GameState, apply, replay
from engine.dicee.lattice import DICE
from engine.dicee.learning import is_obvious
from engine.dicee.tables import Table

REMEMBERED = 32  # stories a process keeps
NUMBER = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True)
class Decision:
    """One choice: what was on the table, what was chosen, what would have been best."""

    number: int  # 1 for the player's first decision: the ``?at=`` of a link
    event_id: uuid.UUID
    seq: int  # of the event it led to
    turn: int
    roll: int
    position: Position
    found: Analysis
    chosen: Option
    time_to_decision: int  # ms
    luck: float  # points the roll before it brought, against its average
    hinted: bool = False
    coached: bool = False  # an answer was in sight, a verdict had been given, or the clock took it
    screen: DecisionScreen | None = None  # what was in sight, where anything is known

    @property
    def best(self) -> Option:
        return self.found.best

    @cached_property
    def short(self) -> Analysis:
        """The same in the turn horizon, for whoever asks: most only want to know what was lost."""
        return self.found if self.found.horizon is Horizon.TURN else analysis.analyze(self.position)

    @cached_property
    def lost(self) -> float:
        return self.chosen.cost

    @property
    def assisted(self) -> bool:
        """Whether an answer was in sight: such a decision shows no skill (ruling D20)."""
        return self.hinted or self.coached

    @cached_property
    def obvious(self) -> bool:
        """Whether a beginner would not miss it: such a decision is no part of any accuracy."""
        return is_obvious(self.position, self.found)

    @property
    def was_best(self) -> bool:
        return not self.lost

    @property
    def quality(self) -> str:
        """Bands are shares of the turn's optimum in both horizons (ruling D7)."""
        return advice.band(self.lost, self.short.ev)[0]

    @property
    def chosen_words(self) -> str:
        return say(self.position, self.chosen)

    @property
    def best_words(self) -> str:
        return say(self.position, self.best)

    @cached_property
    def trap(self) -> float:
        """What the most tempting other choice, the one with the most points this turn, would have lost."""
        tempting = self.short.best
        return self.found.option(keep=tempting.keep, box=tempting.box).points_lost


@dataclass(frozen=True)
class Throw:
    """One roll of a player's: the luck in it."""

    turn: int
    roll: int
    luck: float


@dataclass(frozen=True)
class Story:
    """All a player decided and was dealt, in order."""

    horizon: Horizon
    decisions: tuple[Decision, ...]
    throws: tuple[Throw, ...]
    notice: str = ""


def say(position: Position, option: Option) -> str:
    """An option as an instruction.

    >>> from engine.dicee.boxes import Scorecard, Variant
    >>> here = Position(Scorecard(), Variant.STANDARD, (5, 5, 5, 2, 6), 1)
    >>> say(here, Option(0.0, 0.0, 1, keep=(5, 5, 5)))
    'Keep 5-5-5, roll two'
    """
    if option.box:
        points = position.card.legal_scores(position.dice, position.variant)[option.box]
        return f"Score {TITLES[option.box]} for {points}" if points else f"Strike {TITLES[option.box]}"
    if not option.keep:
        return "Roll all five" if position.rolls_left == analysis.BEFORE_FIRST_ROLL else "Roll all five again"
    return f"Keep {'-'.join(map(str, option.keep))}, roll {NUMBER[DICE - len(option.keep)]}"


def story(game: Game, player_ref: uuid.UUID) -> Story:
    """Every decision of one player. Scores taken back are not among them."""
    key = (game.pk, game.edition, player_ref)
    if key in _stories:
        return _stories[key]
    played = _read_story(game, player_ref)
    if game.is_over and played.horizon is Horizon.GAME:  # nothing about it will change any more
        _stories[key] = played
        while len(_stories) > REMEMBERED:
            _stories.popitem(last=False)
    return played


#: After a game its story is asked for several times in a row: summary, profile, report, the open decision.
_stories: OrderedDict[tuple[uuid.UUID, int, uuid.UUID], Story] = OrderedDict()


def _read_story(game: Game, player_ref: uuid.UUID) -> Story:
    stream = store.stream(game)
    state = replay(stream[:1])
    seen = horizon.sight(state.variant, Horizon.GAME.value)
    teller = _Teller(player_ref, seen.table, screens.of_game(game, player_ref))
    for event in stream[1:]:
        after = apply(state, event)
        teller.hear(event, state, after)
        state = after
    return Story(seen.horizon, tuple(teller.decisions), tuple(teller.throws), seen.notice)


Place = tuple[int, int]  # turn and roll


class _Teller:
    """Collects one player's decisions while the game is folded."""

    def __init__(self, player_ref: uuid.UUID, table: Table | None, seen: Mapping[Place, DecisionScreen]) -> None:
        self.player_ref, self.table, self.screens = player_ref, table, seen
        self.judged: set[Place] = set()  # rolls whose score was taken back: the event had named the best box
        self.horizon = Horizon.GAME if table else Horizon.TURN
        self.decisions: list[Decision] = []
        self.throws: list[Throw] = []
        self.found: Analysis | None = None  # of the dice on the table
        self.luck = 0.0

    def hear(self, event: Event, before: GameState, after: GameState) -> None:
        if isinstance(event, events.ScoreUndone):
            self._take_back(event.undone_event_id, after)
        elif event.player_id != self.player_ref:
            return
        elif isinstance(event, events.Rolled):
            self._roll(event, before, after)
        elif isinstance(event, events.Scored) and self.found:
            chosen = self.found.option(box=event.chosen_category)
            self._decide(event, before, chosen, event.time_to_decision, hinted=event.hint_requested)
            self.found = None

    def _roll(self, event: events.Rolled, before: GameState, after: GameState) -> None:
        if self.found and before.dice:
            keep = [face for face, kept in zip(before.dice, event.kept_mask, strict=True) if kept]
            chosen = self.found.option(keep=keep)
            self._decide(event, before, chosen, event.time_from_previous_action)
            hoped = chosen.ev
        else:
            hoped = analysis.analyze(before.position, self.horizon, self.table).ev
        self.found = analysis.analyze(after.position, self.horizon, self.table)
        self.luck = self.found.ev - hoped
        self.throws.append(Throw(event.turn_number, event.roll_number, self.luck))

    def _decide(self, event: Event, before: GameState, chosen: Option, took: int, *, hinted: bool = False) -> None:
        assert self.found is not None
        place = (event.turn_number, before.roll_number)
        screen = self.screens.get(place)
        in_sight = (screen is not None and screen.shows_answer) or place in self.judged
        self.decisions.append(
            Decision(
                len(self.decisions) + 1,
                event.id,
                event.sequence_number,
                event.turn_number,
                before.roll_number,
                before.position,
                self.found,
                chosen,
                took,
                self.luck,
                hinted,
                in_sight or event.event_source is Source.SYSTEM,
                screen,
            )
        )

    def _take_back(self, event_id: uuid.UUID, after: GameState) -> None:
        if self.decisions and self.decisions[-1].event_id == event_id:
            undone = self.decisions.pop()
            self.found = undone.found
            self.judged.add((undone.turn, undone.roll))


def numbered(decisions: Iterable[Decision], number: int) -> Decision | None:
    return next((decision for decision in decisions if decision.number == number), None)

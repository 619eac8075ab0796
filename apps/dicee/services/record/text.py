"""A game as text (``engine.dicee.transcript``): written from the events, read back with what every choice cost."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from apps.dicee.models import Game
from apps.dicee.services import horizon, store
from apps.dicee.services.analyse import address, judged
from apps.dicee.services.review.decisions import say
from engine.dicee import line as lines
from engine.dicee import notation, transcript
from engine.dicee.analysis import Position
from engine.dicee.boxes import Scorecard
from engine.dicee.decision import NO_DICE, read_choice
from engine.dicee.game.events import Rolled, Scored, ScoreUndone
from engine.dicee.transcript import Played


def text_of(game: Game) -> str:
    """The text of a game that is over. Scores taken back are not in it; a turn that was left is not either."""
    variant = store.current(game).variant
    players = [Played(seat.name, _line(game, seat.player_ref)) for seat in game.seats.all()]
    return transcript.write(variant, players)


def _line(game: Game, player_ref: uuid.UUID) -> lines.Line:
    stream = store.stream(game)
    undone = {event.undone_event_id for event in stream if isinstance(event, ScoreUndone)}
    moves: list[str] = []
    turn: list[str] = []
    for event in stream:
        if event.player_id != player_ref or event.id in undone:
            continue
        if isinstance(event, Rolled):
            turn += _roll(event)
        elif isinstance(event, Scored):
            moves += [*turn, event.chosen_category]
            turn = []
    start = Position(Scorecard(), store.current(game).variant)
    return lines.read(start, lines.DOT.join(moves))


def _roll(event: Rolled) -> list[str]:
    dice = "".join(map(str, event.dice_result))
    if event.pre_roll_dice is None:
        return [dice]
    kept = sorted(face for face, keep in zip(event.pre_roll_dice, event.kept_mask, strict=True) if keep)
    return ["".join(map(str, kept)) or NO_DICE, dice]


@dataclass(frozen=True)
class ReadDecision:
    """One decision of a game that came as text."""

    position: str
    chosen: str
    best: str
    lost: float


@dataclass(frozen=True)
class ReadPlayer:
    """One player of a game that came as text: the score, what each choice cost, and the board to walk it on."""

    name: str
    score: int
    decisions: tuple[ReadDecision, ...]
    link: str

    @property
    def lost(self) -> float:
        return sum(decision.lost for decision in self.decisions)


def read(text: str) -> tuple[ReadPlayer, ...]:
    """A game from its text, every decision judged as far as the tables reach."""
    return tuple(_player(played) for played in transcript.read(text))


def _player(played: Played) -> ReadPlayer:
    table = horizon.ready(played.line.start.variant)
    found = []
    for step in played.line.steps:
        if not step.choice:
            continue
        every = judged(step.before, table)
        chosen = read_choice(every, step.choice)
        words = say(step.before, chosen), say(step.before, every.best)
        found.append(ReadDecision(notation.write(step.before), *words, chosen.cost))
    score = played.line.card.grand_total
    link = address(played.line.start, line=played.line.text, note=f"{played.name}, {score} points")
    return ReadPlayer(played.name, score, tuple(found), link)

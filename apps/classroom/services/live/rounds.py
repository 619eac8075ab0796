"""Predict, vote, reveal: one position, the whole class, and nobody sees an answer before everybody may.

The server decides the phase. A vote locks the round's row, and so does every step to the next phase: a vote is in
before the reveal or it is not in at all. What the choices cost is worked out at the reveal and not before, so there is
nothing to leak.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.classroom.models import Classroom, Membership, Phase, Round, Standing, Vote
from apps.classroom.services.assignments.settings import decidable
from apps.classroom.services.live import presence
from apps.classroom.services.students import Refused
from apps.core.broadcast import announce, broadcast
from apps.core.formats import PRINTS_AS_ZERO
from apps.dicee.decisions import (
    BOX_WORDS,
    analyze,
    best_chance,
    prediction_target,
    read_choice,
    say,
    solved,
    write_choice,
)
from engine.dicee import advice, notation
from engine.dicee.advice import TITLES
from engine.dicee.analysis import Analysis, Position
from engine.dicee.boxes import BOX_NUMBER, BOXES
from engine.dicee.decision import NO_DICE
from engine.dicee.lattice import DICE, kept_mask
from engine.wire import EngineError

#: From each phase the ones that may follow. Closing is always possible.
NEXT = {Phase.PREDICT: Phase.VOTE, Phase.VOTE: Phase.REVEALED, Phase.REVEALED: Phase.CLOSED}
#: Why an answer is not taken, by the phase the question is in.
NOT_NOW = {
    Phase.PREDICT: "The vote has not begun yet: guess first.",
    Phase.VOTE: "Guessing is over: it is time to vote.",
    Phase.REVEALED: "Too late: the answer is out.",
    Phase.CLOSED: "This question is over.",
}
WORTH_TALKING = PRINTS_AS_ZERO
ROLLS = ("no rolls", "one roll", "two rolls")
OPEN_BOXES_NAMED = 3
PAST_SHOWN = 12
NUMBERS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


# -- Run by the teacher -------------------------------------------------------------------------------------------


def open_question(classroom: Classroom, text: str, *, predicts: bool = False) -> Round:
    """Put a position to the class. A question that is still open is closed first, with the votes it has."""
    try:
        position = decidable(text)
    except EngineError as error:
        raise Refused(error.message, "position") from error
    box = _box_to_guess(position) if predicts else ""
    phase = Phase.PREDICT if box else Phase.VOTE
    try:
        with transaction.atomic():
            for before in classroom.rounds.select_for_update().exclude(phase=Phase.CLOSED):
                _close(before)
            opened = Round.objects.create(
                classroom=classroom, position=notation.write(position), predicts=box, phase=phase
            )
    except IntegrityError as error:  # opened in two tabs at the same moment
        raise Refused("Another question was opened a moment ago.") from error
    _announce(opened)
    return opened


def _close(asked: Round) -> None:
    """End a question; votes that were never revealed are counted, so that it can be looked at later."""
    if asked.phase in (Phase.PREDICT, Phase.VOTE):
        _count(asked)
    asked.phase, asked.phase_at = Phase.CLOSED, timezone.now()
    asked.save(update_fields=["phase", "phase_at"])


def _box_to_guess(position: Position) -> str:
    number = prediction_target(position)
    if number is None:
        raise Refused("Nothing can be guessed here: every open box is sure or impossible.", "position")
    return BOXES[number]


def advance(asked: Round, to: str) -> Round:
    """The next phase. A second press of the same button changes nothing."""
    if to not in Phase.values:
        raise Refused("There is no such step.")
    with transaction.atomic():
        now = Round.objects.select_for_update().get(pk=asked.pk)
        if now.phase == to:
            return now
        if to != Phase.CLOSED and NEXT.get(Phase(now.phase)) != to:
            raise Refused("The question has moved on. Look again.")
        if to == Phase.CLOSED:
            _close(now)
        else:
            if to == Phase.REVEALED:
                _count(now)
            now.phase, now.phase_at = Phase(to), timezone.now()
            now.save(update_fields=["phase", "phase_at"])
    _announce(now)
    return now


def _count(asked: Round) -> None:
    """What each vote costs, now that nobody can change it."""
    found = analyze(notation.read(asked.position))
    votes = list(asked.votes.exclude(choice=""))
    for vote in votes:
        vote.lost = _lost(found, vote.choice)
    Vote.objects.bulk_update(votes, ["lost"])


def _announce(asked: Round) -> None:
    """Everyone hears which phase it is, and nothing more."""
    message = {"type": "class.round", "round": str(asked.pk), "phase": str(asked.phase)}
    announce(broadcast, asked.classroom.group, message)
    announce(broadcast, asked.classroom.board_group, message)


# -- Done by a student --------------------------------------------------------------------------------------------


def guess(round_id: uuid.UUID, member: Membership, percent: str) -> Vote:
    """The chance a student expects, before the vote. It can change until the vote begins."""
    if not percent.isdecimal() or not 0 <= int(percent) <= 100:
        raise Refused(f"A chance is 0 to 100 percent; you entered {percent or 'nothing'}.", "percent")
    return _put(round_id, member, Phase.PREDICT, "predicted", int(percent) / 100)


def vote(
    round_id: uuid.UUID, member: Membership, *, dice: Sequence[str] = (), box: str = "", none: bool = False
) -> Vote:
    """What a student would do: dice to keep, by their places 1–5, or ``none``; a box once no roll is left."""
    asked = Round.objects.filter(pk=round_id, classroom=member.classroom_id).first()
    if asked is None:
        raise Refused(NOT_NOW[Phase.CLOSED])
    return _put(round_id, member, Phase.VOTE, "choice", _choice(notation.read(asked.position), dice, box, none=none))


def _choice(position: Position, dice: Sequence[str], box: str, *, none: bool) -> str:
    if not position.rolls_left:
        if box not in position.card.legal_scores(position.dice, position.variant):
            raise Refused("Choose one of the open boxes.", "box")
        return box
    places = sorted({int(die) for die in dice if die.isdecimal() and 1 <= int(die) <= DICE})
    if bool(places) == none:
        raise Refused("Tap the dice you would keep, or “Roll all five”.", "keep")
    return "".join(sorted(str(position.dice[place - 1]) for place in places)) or NO_DICE


@transaction.atomic
def _put(round_id: uuid.UUID, member: Membership, phase: Phase, field: str, value: object) -> Vote:
    """Write one field of a student's only vote, if its phase is still on."""
    asked = Round.objects.select_for_update().filter(pk=round_id, classroom=member.classroom_id).first()
    if asked is None or asked.phase != phase:
        raise Refused(NOT_NOW[Phase(asked.phase) if asked else Phase.CLOSED])
    found, _ = Vote.objects.update_or_create(
        round=asked, member=member, defaults={field: value, "changed_at": timezone.now()}
    )
    presence.seen(member.pk)
    message = {"type": "board.voted", "round": str(asked.pk)}
    transaction.on_commit(lambda: announce(broadcast, member.classroom.board_group, message))
    return found


# -- Seen by everyone ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """The open question without anything that gives it away."""

    asked: Round

    @classmethod
    def of(cls, position: str) -> Question:
        """A position as a question nobody has asked yet."""
        return cls(Round(position=position, phase=Phase.VOTE))

    @cached_property
    def position(self) -> Position:
        return notation.read(self.asked.position)

    @property
    def dice(self) -> list[tuple[int, int]]:
        """Each die with its place."""
        return list(enumerate(self.position.dice, 1))

    @property
    def writes(self) -> bool:
        """Is a box to be chosen, rather than dice to keep?"""
        return not self.position.rolls_left

    @property
    def title(self) -> str:
        if self.asked.phase == Phase.PREDICT:
            return f"How likely is {self.predicted_box}?"
        return "Where would you write it?" if self.writes else "What would you keep?"

    @property
    def predicted_box(self) -> str:
        return TITLES[self.asked.predicts] if self.asked.predicts else ""

    @property
    def sentence(self) -> str:
        """The situation in a line, as a projector shows it."""
        turn = self.position.card.turns_completed + 1
        opened = self.position.card.open_boxes
        if len(opened) == len(BOXES):
            boxes = "every box open"
        elif len(opened) <= OPEN_BOXES_NAMED:
            boxes = f"open: {', '.join(TITLES[box] for box in opened)}"
        else:
            boxes = f"{len(opened)} boxes open"
        return f"Turn {turn}, {ROLLS[self.position.rolls_left]} left, {boxes}."

    @property
    def card(self) -> list[tuple[str, int | None]]:
        """The score card, a line for each box."""
        return [(short, points) for (_, short, _), points in zip(BOX_WORDS, self.position.card.points, strict=True)]

    @property
    def boxes(self) -> list[tuple[str, str, int]]:
        """What may be written: name, title, points, in the order of the card."""
        legal = self.position.card.legal_scores(self.position.dice, self.position.variant)
        return [(box, TITLES[box], points) for box, points in legal.items()]

    @property
    def is_open(self) -> bool:
        return self.asked.phase in (Phase.PREDICT, Phase.VOTE)

    def held(self, choice: str) -> set[int]:
        """The places of the dice a vote keeps."""
        mask = kept_mask(self.position.dice, [int(face) for face in choice if face.isdecimal()])
        return {place for place, kept in enumerate(mask, 1) if kept}


def current(classroom: Classroom) -> Question | None:
    """The question that is open or just revealed."""
    asked = classroom.rounds.exclude(phase=Phase.CLOSED).select_related("classroom").first()
    return Question(asked) if asked else None


def past(classroom: Classroom) -> list[Question]:
    """The last questions that are over, newest first, also those that were closed before the answer was out."""
    over = classroom.rounds.filter(phase__in=(Phase.REVEALED, Phase.CLOSED))
    return [Question(asked) for asked in over[:PAST_SHOWN]]


def has_answered(asked: Round, member: Membership) -> bool:
    """Whether a student has answered the phase that is on."""
    mine = asked.votes.filter(member=member)
    mine = mine.filter(predicted__isnull=False) if asked.phase == Phase.PREDICT else mine.exclude(choice="")
    return mine.exists()


def answered(asked: Round) -> tuple[int, int]:
    """How many have answered the phase that is on, of how many."""
    of = asked.classroom.members.filter(standing=Standing.IN, player__isnull=False)
    votes = asked.votes.filter(member__in=of)
    in_phase = votes.filter(predicted__isnull=False) if asked.phase == Phase.PREDICT else votes.exclude(choice="")
    return in_phase.count(), of.count()


# -- After the reveal ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """One choice of the class: how many made it, what it costs, and who, if names are asked for."""

    words: str
    dice: tuple[int, ...]
    count: int
    share: float
    lost: float
    names: tuple[str, ...]
    mine: bool = False

    @property
    def is_best(self) -> bool:
        return self.lost < WORTH_TALKING


@dataclass(frozen=True)
class Guessed:
    """What the class guessed beside the truth."""

    box: str
    truth: float
    middle: float
    low: float
    high: float
    count: int
    mine: float | None


@dataclass(frozen=True)
class Result:
    choices: tuple[Chosen, ...]
    silent: tuple[str, ...]
    students: int
    talk: str
    guessed: Guessed | None

    @property
    def votes(self) -> int:
        return sum(chosen.count for chosen in self.choices)

    @property
    def right(self) -> int:
        return sum(chosen.count for chosen in self.choices if chosen.is_best)

    @property
    def share(self) -> float:
        return self.right / self.votes if self.votes else 0.0

    @property
    def headline(self) -> str:
        if not self.votes:
            return "Nobody has voted"
        return f"{_in_words(self.right).capitalize()} of {_in_words(self.votes)} chose best"

    @property
    def silent_share(self) -> float:
        return len(self.silent) / self.students if self.students else 0.0


def result(asked: Round, me: Membership | None = None) -> Result | None:
    """How the class decided; None before the reveal, whoever asks. ``me`` marks one's own choice."""
    if asked.phase not in (Phase.REVEALED, Phase.CLOSED):
        return None
    question = Question(asked)
    members = {
        member.pk: member.nickname
        for member in asked.classroom.members.filter(standing=Standing.IN, player__isnull=False)
    }
    votes = list(asked.votes.select_related("member"))
    found = analyze(question.position)
    groups: dict[str, list[Vote]] = {}
    for each in votes:
        if each.choice:
            groups.setdefault(each.choice, []).append(each)
    best = _key(question.position, found)
    groups.setdefault(best, [])
    cast = sum(map(len, groups.values())) or 1
    choices = [_chosen(question, found, choice, made, cast, me) for choice, made in groups.items()]
    silent = sorted(set(members) - {each.member_id for each in votes if each.choice}, key=lambda pk: members[pk])
    return Result(
        choices=tuple(sorted(choices, key=lambda chosen: (not chosen.is_best, -chosen.count, chosen.lost))),
        silent=tuple(members[pk] for pk in silent),
        students=len(members),
        talk=_talk(question.position, found, groups, best),
        guessed=_guessed(asked, question.position, votes, me),
    )


def _chosen(
    question: Question, found: Analysis, choice: str, made: list[Vote], cast: int, me: Membership | None
) -> Chosen:
    position = question.position
    dice = tuple(int(face) for face in choice if face.isdecimal())
    words = f"Write {TITLES[choice]}" if choice in BOX_NUMBER else _keep_words(position, dice)
    names = tuple(sorted(each.member.nickname for each in made))
    mine = me is not None and any(each.member_id == me.pk for each in made)
    return Chosen(words, dice, len(made), len(made) / cast, _lost(found, choice), names, mine)


def _keep_words(position: Position, dice: Sequence[int]) -> str:
    if len(dice) == DICE:
        return "Keep all five"
    return f"Keep {' '.join(map(str, dice))}" if dice else "Roll all five"


def _lost(found: Analysis, choice: str) -> float:
    return read_choice(found, choice).cost


def _key(position: Position, found: Analysis) -> str:
    """The best choice as a vote for it is written."""
    best = found.best
    if best.box and position.rolls_left:  # a vote to stop is one to keep all five dice
        return "".join(map(str, sorted(position.dice)))
    return write_choice(best)


def _talk(position: Position, found: Analysis, groups: dict[str, list[Vote]], best: str) -> str:
    """A sentence to start from: why the best is best, and what the most popular other choice overlooks."""
    table = solved(position.variant)
    reasons = advice.advise(position, advice.Depth.DETAILED, found.horizon, table).reasons
    why = f"{say(position, found.best)}. {reasons[1].text if len(reasons) > 1 else ''}".strip()
    wrong = [(len(made), choice) for choice, made in groups.items() if _lost(found, choice) >= WORTH_TALKING and made]
    if not wrong:
        return why
    option = read_choice(found, max(wrong)[1])
    graded = advice.grade(position, keep=option.keep, box=option.box, horizon=found.horizon, table=table)
    return f"{why} “{say(position, option)}” costs {option.points_lost:.2f}: {_lower(graded.reasoning)}"


def _in_words(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _guessed(asked: Round, position: Position, votes: Sequence[Vote], me: Membership | None) -> Guessed | None:
    said = [each.predicted for each in votes if each.predicted is not None]
    if not asked.predicts:
        return None
    truth = best_chance(position, BOX_NUMBER[asked.predicts])
    mine = next((each.predicted for each in votes if me is not None and each.member_id == me.pk), None)
    low, high, middle = (min(said), max(said), median(said)) if said else (0.0, 0.0, 0.0)
    return Guessed(TITLES[asked.predicts], truth, middle, low, high, len(said), mine)

"""What has to be computed for a fight: at once where that is quick, else as a job whose result anyone's link finds.

A fight has one answer, so a finished job answers whoever asks the same again. Its key is made of everything the answer
depends on, and of nothing else: names are put in when a page is made.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from apps.accounts.models import Player
from apps.jobs import services as jobs
from apps.jobs.models import LIVE, Job, State
from apps.jobs.registry import Progress
from apps.killteam.services import check
from engine.killteam import simulate
from engine.killteam.fight import Budget, Outcome, Plan
from engine.killteam.fight.line import LinePlan
from engine.killteam.profile import Fighter, FightOptions, Strategy
from engine.wire import EngineError

KIND = "killteam.fight"
EDITION = 1  # of results: raise it when the same fight would be answered differently
AT_ONCE = 0.5  # predicted seconds that a page may take; a longer fight is a job
LONGEST = 25 * 60.0  # predicted seconds that a job may take; the queue ends it after thirty minutes
BUDGET = Budget(seconds=LONGEST, chance_seconds=LONGEST)
MILLION = 1_000_000

Hand = tuple[int, int]


@dataclass(frozen=True)
class Question:
    """A fight, with the dice on the table if their best line is asked for too."""

    one: Fighter
    two: Fighter
    options: FightOptions
    hands: tuple[Hand, Hand] | None
    check: bool
    sideways: tuple[tuple[int, int], ...] = ()  # other moves than the best: the step's number, the move's

    @property
    def perfect(self) -> FightOptions:
        """The best line is that of two who play perfectly."""
        return self.options.model_copy(update={"strategy1": Strategy.OPTIMAL, "strategy2": Strategy.OPTIMAL})

    @property
    def document(self) -> dict[str, Any]:
        wanted: dict[str, Any] = {
            "one": self.one.model_dump(mode="json"),
            "two": self.two.model_dump(mode="json"),
            "options": self.options.model_dump(mode="json"),
            "hands": self.hands,
            "check": self.check,
        }
        wanted |= {"sideways": self.sideways} if self.sideways else {}
        text = json.dumps([EDITION, wanted], sort_keys=True)
        return {"key": hashlib.sha256(text.encode()).hexdigest(), **wanted}

    @classmethod
    def read(cls, document: dict[str, Any]) -> Question:
        one, two = (Fighter.model_validate(document[who]) for who in ("one", "two"))
        hands = document["hands"] and tuple(tuple(hand) for hand in document["hands"])
        return cls(one, two, FightOptions.model_validate(document["options"]), hands, document["check"],
                   tuple((at, move) for at, move in document.get("sideways", ())))  # fmt: skip

    @cached_property
    def plan(self) -> Plan:
        return Plan(self.one, self.two, self.options, BUDGET)

    @cached_property
    def line(self) -> LinePlan | None:
        return LinePlan(self.one, self.two, *self.hands, self.perfect, BUDGET) if self.hands else None

    @cached_property
    def seconds(self) -> float:
        """About how long it takes. Raises what the engine refuses."""
        total = self.plan.seconds
        if self.line:
            total += self.line.seconds
        if self.check:
            total += simulate.choices_plan(self.one, self.two, self.options, BUDGET).seconds
        return total


@dataclass(frozen=True, slots=True)
class Solved:
    """What came of it, as plain data but for the outcome."""

    outcome: Outcome
    steps: list[dict[str, Any]] | None
    check: dict[str, Any] | None

    def to_wire(self) -> dict[str, Any]:
        return {"joint": self.outcome.joint.tolist(), "steps": self.steps, "check": self.check}

    @classmethod
    def from_wire(cls, result: dict[str, Any]) -> Solved:
        return cls(Outcome(np.array(result["joint"])), result["steps"], result["check"])


def solve(question: Question, progress: Progress = lambda done, total, note="": None) -> Solved:
    def counted(done: int, total: int) -> None:
        progress(done // MILLION, max(1, total // MILLION), "million states")

    outcome = question.plan.solve(counted)
    steps = [asdict(step) for step in question.line.solve(dict(question.sideways))] if question.line else None
    return Solved(outcome, steps, _rolled(question, outcome) if question.check else None)


def _rolled(question: Question, outcome: Outcome) -> dict[str, Any]:
    _, left = simulate.fight_samples(question.one, question.two, question.options, check.GAMES, check.dice(), BUDGET)
    return check.against(outcome.p_kill1, left == 0)


def compute(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The job."""
    return solve(Question.read(document), progress).to_wire()


def answer(question: Question) -> Solved | float:
    """What is known or quickly found out, else about how many seconds it would take."""
    seconds = question.seconds
    if seconds <= AT_ONCE:
        return solve(question)
    if seconds > LONGEST:
        raise EngineError(
            f"This takes about {seconds / 60:.0f} minutes, more than {LONGEST / 60:.0f}. "
            "Use fewer dice, wounds or rounds, or python -m engine, which has the time.",
            field="fighter1.numDice",
            constraint="seconds",
            expected=LONGEST,
            actual=round(seconds),
        )
    done = Job.objects.filter(kind=KIND, state=State.DONE, document__key=question.document["key"]).first()
    return Solved.from_wire(done.result) if done is not None and done.result else seconds


def start(player: Player, question: Question, path: str) -> Job:
    """The player's job for this fight: the one under way, or a new one. ``path`` is the page that asked."""
    document = question.document
    waiting = jobs.visible_to(player).filter(kind=KIND, state__in=LIVE, document__key=document["key"]).first()
    return waiting or jobs.start(player, KIND, document | {"path": path})


def can_be_rolled(one: Fighter, two: Fighter, options: FightOptions) -> bool:
    """Whether a check by rolling fits: it needs the choice at every state written down."""
    try:
        return simulate.choices_plan(one, two, options, BUDGET).seconds <= LONGEST
    except EngineError:
        return False

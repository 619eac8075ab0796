"""Does the model see what is there? Students whose wrong idea and true skill are known, and what it says of them.

    python -m engine.dicee.learning.study --students 6 --games 30 --jobs 2

Every kind of ``students`` plays, those with a wrong idea in several degrees of carelessness, and is judged after every
game as a page would. A name is right when it is the planted one and comes first, wrong when another comes first, and
wrong at any time of a student without a wrong idea. True skill is the mean loss of many other games of the same player
as that player is after so many games. Thresholds were set on seeds below ``FIRST_SEED``; the study refuses those.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean

from engine.dicee import tables
from engine.dicee.boxes import Variant
from engine.dicee.learning.concepts import Concept
from engine.dicee.learning.evidence import Looks, Played
from engine.dicee.learning.patterns import PATTERNS
from engine.dicee.learning.profiles import GameDigest, digest
from engine.dicee.learning.rating import Rating, ratings
from engine.dicee.learning.standing import Standing, standings, strongest, weakest
from engine.dicee.learning.students import REFORMED, STUDENTS, Student, observations, play
from engine.dicee.learning.trends import Direction, direction
from engine.dicee.tables import Table

FIRST_SEED = 1_000_000_000
STUDENT_SEEDS = 1_000  # games that one student may play
KIND_SEEDS = 1_000 * STUDENT_SEEDS
TRUTH_SEEDS = 500 * KIND_SEEDS  # true skill comes from other games than the ones judged
CARELESSNESS = (0.2, 0.5, 0.8)  # temperatures of students with a wrong idea
MARKS = (5, 10, 20, 30)
CLASS_SIZE, CLASS_GAMES, CLASSES = 24, 12, 400
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Trial:
    """One student: what was named after every game, and rating and truth at the marks."""

    student: Student
    names: tuple[tuple[str, ...], ...]
    directions: tuple[Direction, ...]
    rated: dict[int, Rating]
    truth: dict[int, float]
    standing: dict[Concept, Standing]  # over the first games, as a class would have them

    @property
    def planted(self) -> str:
        return self.student.pattern or NOTHING

    def named(self, games: int) -> str:
        """The first pattern named."""
        return next(iter(self.names[games - 1]), NOTHING)

    def is_right(self, games: int) -> bool:
        return self.named(games) == self.planted

    def is_wrong(self, games: int) -> bool:
        return self.named(games) not in (self.planted, NOTHING)

    @property
    def ever_wrong(self) -> bool:
        """Was another pattern named first after any game?"""
        return any(self.is_wrong(games) for games in range(1, len(self.names) + 1))

    def covers(self, games: int) -> bool:
        return self.rated[games].lost_low <= self.truth[games] <= self.rated[games].lost_high

    def width(self, games: int) -> float:
        return self.rated[games].high - self.rated[games].low

    @property
    def trend_ever(self) -> set[Direction]:
        return {said for said in self.directions if said in (Direction.BETTER, Direction.WORSE)}


def run(
    students: int, games: int, seed: int, truth_games: int, table: Table, kinds: Sequence[Student]
) -> Iterator[Trial]:
    """Let ``students`` of every kind play ``games`` each, and judge them as the app would."""
    if seed < FIRST_SEED:
        raise ValueError(f"seeds below {FIRST_SEED:,} were used to set thresholds")
    for number, kind in enumerate(kinds):
        yield from run_kind(students, games, seed + number * KIND_SEEDS, truth_games, table, kind)


def run_kind(students: int, games: int, first: int, truth_games: int, table: Table, kind: Student) -> list[Trial]:
    """The students of one kind, all on seeds from ``first`` on."""
    degrees = [kind.careless(noise) for noise in CARELESSNESS] if kind.pattern else [kind]
    marks = sorted({games, *(mark for mark in MARKS if mark < games)})
    truth = cache(lambda student: _true_loss(student, first + TRUTH_SEEDS, truth_games, table))
    trials = []
    for place in range(students):
        student = degrees[place % len(degrees)]
        seeds = range(first + place * STUDENT_SEEDS, first + place * STUDENT_SEEDS + games)
        played = [play(student.at(game), each, table) for game, each in enumerate(seeds)]
        digests = [digest(observations(game, table), game.score) for game in played]
        truths = {mark: truth(_as_after(student, mark)) for mark in marks}
        trials.append(_judged(student, digests, truths))
    return trials


def _as_after(student: Student, games: int) -> Student:
    """The player whose skill a rating after so many games is about: frozen if it changes, else as it is."""
    return student if student.is_steady else replace(student.at(games - 1), becomes=None, drops_after=None)


def _true_loss(student: Student, first: int, games: int, table: Table) -> float:
    return fmean(play(student.at(game), first + game, table).lost for game in range(games))


def _judged(student: Student, digests: Sequence[GameDigest], truth: dict[int, float]) -> Trial:
    looks = Looks([Played.of(game.choices) for game in digests])
    lost = [game.lost for game in digests]
    rated = ratings(lost)
    return Trial(
        student,
        tuple(tuple(weight.key for weight in looks.named(count)) for count in range(1, len(digests) + 1)),
        tuple(direction(lost[:count]) for count in range(1, len(digests) + 1)),
        {mark: rated[mark] for mark in truth},
        truth,
        standings([game.choices for game in digests[:CLASS_GAMES]]),
    )


def share(trials: Iterable[Trial], holds: Callable[[Trial], bool]) -> float:
    """Of how many trials something holds."""
    return fmean(holds(trial) for trial in trials)


def by_kind(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    """The trials of each kind of student, in the order they were run."""
    names = dict.fromkeys(trial.student.name for trial in trials)
    return {name: [trial for trial in trials if trial.student.name == name] for name in names}


def quiet_classes(trials: Sequence[Trial], seed: int = 1) -> float:
    """Of classes drawn from students without a weakness, the share in which no idea is called weak or strong."""
    luck, plain = random.Random(seed), [trial.standing for trial in trials if trial.student.pattern is None]
    quiet = 0
    for _ in range(CLASSES):
        whole: dict[Concept, Standing] = {}
        for standing in luck.choices(plain, k=CLASS_SIZE):
            for concept, one in standing.items():
                whole[concept] = whole.get(concept, Standing()) + one
        quiet += weakest(whole) is None and not strongest(whole)
    return quiet / CLASSES


def report(trials: Sequence[Trial], at: int) -> str:
    """The study in words and Markdown tables; ``at`` is the number of games the summary speaks of."""
    marks = sorted(trials[0].rated)
    lasting = [trial for trial in trials if trial.student.drops_after is None]
    planted = [trial for trial in lasting if trial.student.pattern]
    plain = [trial for trial in lasting if not trial.student.pattern]
    dropped = [trial for trial in trials if trial.student.drops_after is not None]
    lines = [f"{len(trials)} students of {len(by_kind(trials))} kinds, {len(trials[0].names)} games each."]
    if planted:
        lines.append(
            f"With a wrong idea ({len(planted)}): after {at} games {share(planted, lambda t: t.is_right(at)):.1%} have "
            f"it named first, {share(planted, lambda t: t.is_wrong(at)):.1%} have another named first."
        )
    if plain:
        quiet = share(plain, lambda t: weakest(t.standing) is None and not strongest(t.standing))
        lines.append(
            f"Without one ({len(plain)}): {share(plain, lambda t: t.ever_wrong):.1%} are ever given a name. No idea is "
            f"called weak or strong of {quiet:.1%} of them and in {quiet_classes(plain):.1%} of classes of "
            f"{CLASS_SIZE}, {CLASS_GAMES} games each."
        )
    if dropped:
        gone = share(dropped, lambda t: t.student.pattern not in t.names[-1])
        lines.append(f"Of {len(dropped)} who gave the idea up, {gone:.1%} are no longer told so at the end.")
    steady = [trial for trial in trials if trial.student.is_steady]
    if steady:
        lines.append(f"A trend is ever claimed of {share(steady, lambda t: bool(t.trend_ever)):.1%} who do not change.")
    return "\n\n".join(
        (
            " ".join(lines),
            _table(
                (
                    *("Student", "Planted", f"Right at {at}", "Wrong", "Ever wrong", "True loss"),
                    *(f"Covered at {mark}" for mark in marks),
                    "Width",
                ),
                [_kind_row(name, some, at, marks) for name, some in by_kind(trials).items()],
            ),
            _confusion(lasting, at) if lasting else "",
            _table(
                ("Games", "Right", "Wrong", "Covered, steady", "Covered, changing", "Mean width (rating)"),
                [_mark_row(trials, games) for games in marks],
            ),
        )
    )


def _kind_row(name: str, trials: Sequence[Trial], at: int, marks: Sequence[int]) -> tuple[str, ...]:
    return (
        name,
        trials[0].planted,
        f"{share(trials, lambda trial: trial.is_right(at)):.0%}",
        f"{share(trials, lambda trial: trial.is_wrong(at)):.0%}",
        f"{share(trials, lambda trial: trial.ever_wrong):.0%}",
        f"{fmean(trial.truth[at] for trial in trials):.1f}",
        *(f"{share(trials, lambda trial, mark=mark: trial.covers(mark)):.0%}" for mark in marks),  # type: ignore[misc]
        f"{fmean(trial.width(at) for trial in trials):.2f}",
    )


def _mark_row(trials: Sequence[Trial], games: int) -> tuple[str, ...]:
    steady = [trial for trial in trials if trial.student.is_steady]
    changing = [trial for trial in trials if not trial.student.is_steady]
    planted = [trial for trial in steady if trial.student.pattern]
    return (
        str(games),
        *(
            f"{share(some, holds):.1%}" if some else "–"
            for some, holds in (
                (planted, lambda trial: trial.is_right(games)),
                (planted, lambda trial: trial.is_wrong(games)),
                (steady, lambda trial: trial.covers(games)),
                (changing, lambda trial: trial.covers(games)),
            )
        ),
        f"{fmean(trial.width(games) for trial in trials):.2f}",
    )


def _confusion(trials: Sequence[Trial], at: int) -> str:
    """Rows: what was planted. Columns: what was named first."""
    keys = [*PATTERNS, NOTHING]
    counts = Counter((trial.planted, trial.named(at)) for trial in trials)
    numbers = {key: str(place) for place, key in enumerate(keys, 1)}
    planted = [key for key in keys if any(counts[key, other] for other in keys)]
    rows = [(f"{numbers[key]} {key}", *(str(counts[key, other] or "·") for other in keys)) for key in planted]
    return _table(("Planted \\ named", *numbers.values()), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _job(students: int, games: int, first: int, truth_games: int, kind: Student) -> list[Trial]:
    return run_kind(students, games, first, truth_games, tables.load(Variant.STANDARD), kind)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and print it."""
    parser = argparse.ArgumentParser(prog="python -m engine.dicee.learning.study", description=__doc__)
    parser.add_argument("--students", type=int, default=6, help="of every kind")
    parser.add_argument("--games", type=int, default=30, help="of every student")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"at least {FIRST_SEED:,}")
    parser.add_argument("--truth-games", type=int, default=200, help="for the true skill of every kind and degree")
    parser.add_argument("--strength", type=float, default=1.0, help="of planted appeals: 0.5 halves their pull")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args(arguments)
    if given.seed < FIRST_SEED:
        parser.error(f"--seed must be at least {FIRST_SEED}: smaller ones were used to set thresholds")
    if not 1 <= given.games <= STUDENT_SEEDS or not 1 <= given.students <= KIND_SEEDS // STUDENT_SEEDS:
        parser.error("--games and --students must be 1–1000")
    kinds = [replace(student, pull=student.pull * given.strength) for student in (*STUDENTS, *REFORMED)]
    tables.load(Variant.STANDARD)  # solved once, before processes need it
    work = [
        (given.students, given.games, given.seed + number * KIND_SEEDS, given.truth_games, kind)
        for number, kind in enumerate(kinds)
    ]
    trials: list[Trial] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for done in pool.map(_job, *zip(*work, strict=True)) if given.jobs > 1 else (_job(*each) for each in work):
            trials += done
            sys.stderr.write(f"\r{len(trials)} of {given.students * len(kinds)} students")
    sys.stderr.write("\n")
    sys.stdout.write(report(trials, at=min(20, given.games)) + "\n")


if __name__ == "__main__":
    main()

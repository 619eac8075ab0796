"""Does the model see what is there? Students whose wrong idea and true skill are known, and what it says of them.

    python -m engine.dicee.learning.study --students 9 --games 40 --seed 1000000000

Every kind of ``students`` plays in several degrees of carelessness. A named pattern is right when it is the planted
one, and when none is named of a player who has none. True skill is the mean loss of many other games of the same
player. Thresholds were set on seeds below ``FIRST_SEED``; the study refuses those.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from engine.dicee import tables
from engine.dicee.boxes import Variant
from engine.dicee.learning.patterns import PATTERNS
from engine.dicee.learning.profiles import Profile, digest, profile
from engine.dicee.learning.students import STUDENTS, Student, observations, play
from engine.dicee.tables import Table

FIRST_SEED = 1_000_000_000
STUDENT_SEEDS = 1_000  # games that one student may play
KIND_SEEDS = 1_000 * STUDENT_SEEDS
TRUTH_SEEDS = 500 * KIND_SEEDS  # true skill comes from other games than the ones judged
CARELESSNESS = (0.2, 0.5, 0.8)  # temperatures of students with a wrong idea
CHECKPOINTS = (5, 10, 20, 40)
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Trial:
    """One student, and the profile after each number of games."""

    student: Student
    true_loss: float
    profiles: dict[int, Profile]

    @property
    def planted(self) -> str:
        return self.student.pattern or NOTHING

    def named(self, games: int) -> str:
        """The first pattern named."""
        found = self.profiles[games].patterns
        return found[0].key if found else NOTHING

    def is_right(self, games: int) -> bool:
        return self.named(games) == self.planted

    def covers(self, games: int) -> bool:
        seen = self.profiles[games]
        return seen.lost_low <= self.true_loss <= seen.lost_high

    def width(self, games: int) -> float:
        return self.profiles[games].high - self.profiles[games].low


def run(
    students: int, games: int, seed: int, truth_games: int, table: Table, kinds: Sequence[Student]
) -> Iterator[Trial]:
    """Let ``students`` of every kind play ``games`` each, and judge them as the app would."""
    if seed < FIRST_SEED:
        raise ValueError(f"seeds below {FIRST_SEED:,} were used to set thresholds")
    for number, kind in enumerate(kinds):
        first = seed + number * KIND_SEEDS
        degrees = [kind.careless(noise) for noise in CARELESSNESS] if kind.pattern else [kind]
        truths = [_true_loss(student, first + TRUTH_SEEDS, truth_games, table) for student in degrees]
        for place in range(students):
            degree = place % len(degrees)
            seeds = range(first + place * STUDENT_SEEDS, first + place * STUDENT_SEEDS + games)
            yield Trial(degrees[degree], truths[degree], _judged(degrees[degree], seeds, table))


def _true_loss(student: Student, first: int, games: int, table: Table) -> float:
    return fmean(play(student, seed, table).lost for seed in range(first, first + games))


def _judged(student: Student, seeds: Sequence[int], table: Table) -> dict[int, Profile]:
    played = [play(student, seed, table) for seed in seeds]
    digests = [digest(observations(game, table), game.score) for game in played]
    return {games: profile(digests[:games]) for games in _checkpoints(len(digests))}


def _checkpoints(games: int) -> list[int]:
    return sorted({games, *(mark for mark in CHECKPOINTS if mark < games)})


def share(trials: Iterable[Trial], holds: Callable[[Trial], bool]) -> float:
    """Of how many trials something holds."""
    return fmean(holds(trial) for trial in trials)


def by_kind(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    """The trials of each kind of student, in the order they were run."""
    names = dict.fromkeys(trial.student.name for trial in trials)
    return {name: [trial for trial in trials if trial.student.name == name] for name in names}


def report(trials: Sequence[Trial], at: int) -> str:
    """The study in words and Markdown tables; ``at`` is the number of games the first two speak of."""
    marks = sorted(trials[0].profiles)
    right = share(trials, lambda trial: trial.is_right(at))
    covered = share(trials, lambda trial: trial.covers(at))
    return "\n\n".join(
        (
            f"After {at} games each, {right:.1%} of {len(trials)} students have the right pattern named first, and the "
            f"90 % interval covers the true skill of {covered:.1%}.",
            _table(
                ("Student", "Planted", "Right", "Also named", "True loss", "Covered", "Width"),
                [_kind_row(name, some, at) for name, some in by_kind(trials).items()],
            ),
            _confusion(trials, at),
            _table(
                ("Games", "Right", "Covered", "Mean width (rating)", "Mean width (points per game)"),
                [_mark_row(trials, games) for games in marks],
            ),
        )
    )


def _kind_row(name: str, trials: Sequence[Trial], at: int) -> tuple[str, ...]:
    others = fmean(sum(found.key != trial.planted for found in trial.profiles[at].patterns) for trial in trials)
    return (
        name,
        trials[0].planted,
        f"{share(trials, lambda trial: trial.is_right(at)):.0%}",
        f"{others:.2f}",
        f"{fmean(trial.true_loss for trial in trials):.1f}",
        f"{share(trials, lambda trial: trial.covers(at)):.0%}",
        f"{fmean(trial.width(at) for trial in trials):.2f}",
    )


def _mark_row(trials: Sequence[Trial], games: int) -> tuple[str, ...]:
    points = fmean(trial.profiles[games].lost_high - trial.profiles[games].lost_low for trial in trials)
    return (
        str(games),
        f"{share(trials, lambda trial: trial.is_right(games)):.1%}",
        f"{share(trials, lambda trial: trial.covers(games)):.1%}",
        f"{fmean(trial.width(games) for trial in trials):.2f}",
        f"{points:.1f}",
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and print it."""
    parser = argparse.ArgumentParser(prog="python -m engine.dicee.learning.study", description=__doc__)
    parser.add_argument("--students", type=int, default=9, help="of every kind")
    parser.add_argument("--games", type=int, default=40, help="of every student")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"at least {FIRST_SEED:,}")
    parser.add_argument("--truth-games", type=int, default=300, help="for the true skill of every kind and degree")
    parser.add_argument("--strength", type=float, default=1.0, help="of planted appeals: 0.5 halves their pull")
    given = parser.parse_args(arguments)
    if given.seed < FIRST_SEED:
        parser.error(f"--seed must be at least {FIRST_SEED}: smaller ones were used to set thresholds")
    if not 1 <= given.games <= STUDENT_SEEDS or not 1 <= given.students <= KIND_SEEDS // STUDENT_SEEDS:
        parser.error("--games and --students must be 1–1000")
    table = tables.load(Variant.STANDARD)
    kinds = [replace(student, pull=student.pull * given.strength) for student in STUDENTS]
    trials = []
    for trial in run(given.students, given.games, given.seed, given.truth_games, table, kinds):
        trials.append(trial)
        sys.stderr.write(f"\r{len(trials)} of {given.students * len(STUDENTS)} students")
    sys.stderr.write("\n")
    sys.stdout.write(report(trials, at=min(20, given.games)) + "\n")


if __name__ == "__main__":
    main()

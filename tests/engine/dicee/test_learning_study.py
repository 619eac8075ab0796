"""The study: is what was planted named, and does the interval cover the truth? Small here, whole when slow."""

from __future__ import annotations

import pytest

from engine.dicee.boxes import Variant
from engine.dicee.learning import study
from engine.dicee.learning.patterns import PATTERNS
from engine.dicee.learning.students import STUDENTS
from engine.dicee.learning.study import FIRST_SEED, by_kind, main, report, run, share

SEED = FIRST_SEED + 77_000_000_000  # neither of tuning nor of the published run
QUICK = [student for student in STUDENTS if student.name in ("perfect", "very careless", "stops early")]


@pytest.fixture(scope="module")
def standard(table_of):
    return table_of(Variant.STANDARD)


@pytest.fixture(scope="module")
def trials(standard):
    return list(run(2, 20, SEED, 40, standard, QUICK))


def test_patterns_are_named_right_and_none_is_invented(trials):
    assert len(trials) == 6
    assert sum(trial.is_right(20) for trial in trials) == 6
    assert all(not trial.profiles[20].patterns for trial in trials if trial.planted == study.NOTHING)


def test_intervals_cover_the_truth_and_narrow(trials):
    assert sum(trial.covers(20) for trial in trials) >= 4
    assert all(trial.width(20) < trial.width(5) for trial in trials)
    assert all(trial.profiles[20].settled for trial in trials)
    perfect = next(trial for trial in trials if trial.student.name == "perfect")
    assert perfect.true_loss == pytest.approx(0, abs=1e-6)
    assert perfect.covers(20)


def test_the_report_says_what_was_found(trials):
    text = report(trials, 20)
    assert text.startswith("After 20 games each, 100.0% of 6 students")
    for name in by_kind(trials):
        assert f"| {name} |" in text
    stops = [*PATTERNS].index("stops_early")
    row = next(line for line in text.splitlines() if line.startswith(f"| {stops + 1} stops_early"))
    assert [cell.strip() for cell in row.strip("|").split("|")][1 + stops] == "2"
    assert share(trials, lambda trial: True) == 1


def test_seeds_of_tuning_are_refused(standard, capsys):
    with pytest.raises(ValueError, match="set thresholds"):
        next(run(1, 5, FIRST_SEED - 1, 5, standard, QUICK))
    with pytest.raises(SystemExit):
        main(["--seed", "7"])
    with pytest.raises(SystemExit):
        main(["--games", "0"])
    assert "were used to set thresholds" in capsys.readouterr().err


def test_the_command_prints_the_study(standard, capsys, monkeypatch):
    monkeypatch.setattr(study.tables, "load", lambda variant: standard)
    monkeypatch.setattr(study, "STUDENTS", QUICK[:1])
    main(["--students", "1", "--games", "6", "--truth-games", "2", "--seed", str(SEED)])
    out = capsys.readouterr().out
    assert out.startswith("After 6 games each, 100.0% of 1 students")
    assert "| perfect |" in out


@pytest.mark.slow
def test_every_kind_is_named_right_and_nine_intervals_in_ten_hold(standard):
    """All kinds in all degrees of carelessness, on seeds of its own."""
    every = list(run(3, 20, SEED + 10**9, 60, standard, STUDENTS))
    assert share(every, lambda trial: trial.is_right(20)) > 0.8
    assert all(share(some, lambda trial: trial.is_right(20)) > 0.6 for some in by_kind(every).values())
    assert share(every, lambda trial: trial.covers(20)) >= 0.8  # 45 students: two errors below 0.9

"""The study: is what was planted named and nothing else, and are intervals honest? Small here, whole when slow."""

from __future__ import annotations

import pytest

from engine.dicee.boxes import Variant
from engine.dicee.learning import digest, study
from engine.dicee.learning.evidence import Looks, Played
from engine.dicee.learning.patterns import PATTERNS
from engine.dicee.learning.students import REFORMED, STUDENTS
from engine.dicee.learning.study import FIRST_SEED, by_kind, main, quiet_classes, report, run, share
from tests.oracles import other_students as others

SEED = FIRST_SEED + 77_000_000_000  # neither of tuning nor of the published run
QUICK = [student for student in STUDENTS if student.name in ("perfect", "second or third best", "stops early")]
#: Players that were no part of the study, two with a habit and three without.
OTHERS = ("chases Dicee when behind", "upper section first", "second or third 25 %", "any box 12 %", "improves")


@pytest.fixture(scope="module")
def standard(table_of):
    return table_of(Variant.STANDARD)


@pytest.fixture(scope="module")
def trials(standard):
    return list(run(1, 20, SEED, 20, standard, QUICK))


def test_patterns_are_named_right_and_none_is_invented(trials):
    assert len(trials) == 3
    assert all(trial.is_right(20) for trial in trials)
    assert not any(trial.ever_wrong for trial in trials)
    assert all(not any(trial.names) for trial in trials if trial.planted == study.NOTHING)
    assert not any(name for trial in trials for name in trial.names[:6])  # nothing before enough games


def test_intervals_cover_the_truth_and_narrow(trials):
    assert sum(trial.covers(20) for trial in trials) >= 2
    assert all(trial.width(20) < trial.width(5) for trial in trials)
    assert all(trial.rated[20].settled for trial in trials)
    perfect = next(trial for trial in trials if trial.student.name == "perfect")
    assert perfect.truth[20] == pytest.approx(0, abs=1e-6)
    assert perfect.covers(20)


def test_the_report_says_what_was_found(trials):
    text = report(trials, 20)
    assert text.startswith("3 students of 3 kinds, 20 games each. With a wrong idea (1): after 20 games 100.0%")
    assert "Without one (2): 0.0% are ever given a name." in text
    for name in by_kind(trials):
        assert f"| {name} |" in text
    stops = [*PATTERNS].index("stops_early")
    row = next(line for line in text.splitlines() if line.startswith(f"| {stops + 1} stops_early"))
    assert [cell.strip() for cell in row.strip("|").split("|")][1 + stops] == "1"
    assert share(trials, lambda trial: True) == 1


@pytest.mark.parametrize("name", OTHERS)
def test_players_that_the_study_does_not_know(standard, name):
    kind = next(kind for kind in (*others.HABITS, *others.NULLS) if kind.name == name)
    games = [Played.of(digest(*others.play(kind, 900, game, standard)).choices) for game in range(20)]
    looks = Looks(games)
    named = [[weight.key for weight in looks.named(count)] for count in range(1, 21)]
    assert named[-1][:1] == list(kind.expected[:1])
    assert others.OPPOSITES.get(name) not in {key for look in named for key in look}


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
    monkeypatch.setattr(study, "REFORMED", ())
    main(["--students", "1", "--games", "6", "--truth-games", "2", "--seed", str(SEED)])
    out = capsys.readouterr().out
    assert out.startswith("1 students of 1 kinds, 6 games each.")
    assert "| perfect |" in out


@pytest.mark.slow
def test_every_kind_is_named_right_and_nine_intervals_in_ten_hold(standard):
    """All kinds in all degrees of carelessness, on seeds of its own."""
    every = list(run(3, 30, SEED + 10**9, 60, standard, [*STUDENTS, *REFORMED]))
    lasting = [trial for trial in every if trial.student.drops_after is None]
    planted = [trial for trial in lasting if trial.student.pattern]
    plain = [trial for trial in lasting if not trial.student.pattern]
    assert share(planted, lambda trial: trial.is_right(20)) >= 0.9
    assert share(planted, lambda trial: trial.is_wrong(20)) <= 0.03  # one of 48: 1 % needs more students
    assert share(plain, lambda trial: trial.ever_wrong) < 0.02
    assert quiet_classes(plain) >= 0.95
    assert all(trial.student.pattern not in trial.names[24] for trial in every if trial.student.drops_after == 15)
    for games in (10, 20, 30):
        assert share(every, lambda trial, games=games: trial.covers(games)) >= 0.82  # 102 students: two errors below

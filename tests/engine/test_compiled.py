"""Compiled loops: what works in place gives what Python gives, and cannot make an array."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from engine import compiled
from engine.compiled import LOOPS, Loop, compiled_in_place, compiling, inner, is_compiled
from engine.contracts import call

Floats = NDArray[np.float64]


def add_up(numbers: Floats, sums: Floats) -> float:
    total = 0.0
    for at in range(len(numbers)):
        total += numbers[at]
        sums[at] = total
    return total


def doubled(numbers: Floats) -> float:
    twice = np.empty(len(numbers))
    for at in range(len(numbers)):
        twice[at] = 2 * numbers[at]
    return float(twice[-1])


def kept_copy(numbers: Floats) -> float:
    copy = numbers.copy()
    return float(copy[-1])


def test_a_loop_in_place_gives_what_its_python_gives() -> None:
    numbers = np.random.default_rng(7).random(50)
    expected, found = np.empty(50), np.empty(50)
    assert compiled_in_place(add_up)(numbers, found) == add_up(numbers, expected)
    assert (found == expected).all()


@pytest.mark.parametrize("loop", [doubled, kept_copy])
def test_a_loop_in_place_that_makes_an_array_is_refused(loop: Callable[[Floats], float]) -> None:
    with pytest.raises(numba.core.errors.NumbaError):
        compiled_in_place(loop)(np.ones(3))


@pytest.fixture
def interpreting() -> Iterator[None]:
    with compiled.interpreting():
        yield


@pytest.fixture(autouse=True)
def only_the_loops_of_the_engine() -> Iterator[None]:
    known = list(LOOPS)
    yield
    LOOPS[:] = known


@pytest.mark.usefixtures("interpreting")
def test_while_it_interprets_a_process_compiles_nothing_except_where_it_goes_ahead() -> None:
    numbers, loop = np.random.default_rng(7).random(50), compiled_in_place(add_up)
    assert isinstance(loop, Loop)
    sums, again = np.empty(50), np.empty(50)
    assert loop(numbers, sums) == add_up(numbers, again)
    assert loop._dispatcher is None
    assert not is_compiled()
    with compiling():
        assert is_compiled()
        assert loop(numbers, sums) == add_up(numbers, again)
    assert len(loop.dispatcher.signatures) == 1
    assert (sums == again).all()


def test_parts_of_a_loop_are_python_to_python_and_machine_code_to_the_loop() -> None:
    twice = inner(doubled_number)

    def all_twice(numbers: Floats, out: Floats) -> None:
        for at in range(len(numbers)):
            out[at] = twice(numbers[at])

    numbers, out = np.arange(5.0), np.empty(5)
    loop = compiled_in_place(all_twice)
    loop(numbers, out)
    assert isinstance(loop, Loop)
    assert isinstance(twice, Loop)
    assert len(loop.dispatcher.signatures) == len(twice.dispatcher.signatures) == 1
    assert (out == 2 * numbers).all()
    assert twice(2.0) == 4.0
    assert twice(2) == 4
    assert len(twice.dispatcher.signatures) == 1, "called from Python it is Python, and compiles nothing more"


def doubled_number(number: float) -> float:
    return 2 * number


QUESTIONS: dict[str, dict[str, Any]] = {
    "killteam.shoot": {
        "attacker": {"numDice": 5, "diceStat": 3, "normDmg": 3, "critDmg": 4, "reroll": "most_common_fail"},
        "defender": {"numDice": 3, "diceStat": 4, "wounds": 12, "fnp": 5},
    },
    "killteam.fight": {
        "fighter1": {"numDice": 4, "diceStat": 3, "normDmg": 3, "critDmg": 5, "wounds": 11, "abilities": ["shock"]},
        "fighter2": {"numDice": 4, "diceStat": 4, "normDmg": 4, "critDmg": 5, "wounds": 9},
        "options": {"strategy1": "optimal", "numRounds": 2},
    },
    "warhammer40k.attack": {
        "weapons": [{"attacks": "2", "count": 5, "skill": 3, "strength": 4, "ap": 1, "damage": "2"}],
        "defender": {"toughness": 4, "save": 3, "wounds": 2, "models": 5},
    },
}


def test_a_cold_front_door_answers_the_same_without_a_compiler(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"op": op, "input": question}) + "\n" for op, question in QUESTIONS.items())
    script = "import sys; from engine.__main__ import main; main([]); print('numba' in sys.modules)"
    cold = subprocess.run(
        [sys.executable, "-c", script],
        input=lines,
        text=True,
        capture_output=True,
        check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    *answers, has_numba = cold.stdout.splitlines()
    assert has_numba == "False"
    for (op, question), answer in zip(QUESTIONS.items(), answers, strict=True):
        assert numbers_of(json.loads(answer)) == pytest.approx(numbers_of(call(op, question)), abs=1e-12)


def numbers_of(document: Any) -> list[float]:
    """Every number in a document, in order."""
    if isinstance(document, dict):
        return [number for key in sorted(document) for number in numbers_of(document[key])]
    if isinstance(document, list):
        return [number for each in document for number in numbers_of(each)]
    return [float(document)] if isinstance(document, int | float) else []


def test_memory_of_the_compiler_is_given_back_and_loops_go_on() -> None:
    numbers, loop = np.arange(50.0), compiled_in_place(add_up)
    total = loop(numbers, np.empty(50))
    before = resident()
    compiled.all_loaded()
    assert resident() < before or sys.platform != "linux"
    assert loop(numbers, np.empty(50)) == total
    assert compiled_in_place(add_up)(numbers, np.empty(50)) == total, "and LLVM is there again when it is wanted"


def resident() -> int:
    """Pages of memory this process has."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) if statm.exists() else 0


SMAPS = """\
7f00-7f80 r--p 00000000 08:01 77 /lib/libllvmlite.so
Rss:                  40 kB
Anonymous:             0 kB
7f80-7fc0 r--p 00000000 08:01 77 /lib/libllvmlite.so
Anonymous:             8 kB
7fc0-7fd0 rw-p 00000000 08:01 77 /lib/libllvmlite.so
Anonymous:             0 kB
7fd0-7fe0 r-xp 00000000 08:01 99 /lib/libpython.so
Anonymous:             0 kB
7fe0-7ff0 r-xp 00000000 08:01 77 /lib/libllvmlite.so
Anonymous:             0 kB
"""


def test_only_what_was_never_written_to_is_given_back() -> None:
    from engine.compiler import _clean_extents

    assert list(_clean_extents(SMAPS)) == [(0x7F00, 0x7F80), (0x7FE0, 0x7FF0)]

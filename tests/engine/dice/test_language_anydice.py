"""AnyDice programs against figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.dice.language.errors import LanguageError
from engine.dice.language.program import answer, read

F = Fraction

#: A program and the chances of its last output, each counted on paper.
PROGRAMS: dict[str, dict[int, Fraction]] = {
    # 3, 4 and 18 of 216.
    'output 3d6 = {3,4,18} named "few"': {0: F(211, 216), 1: F(5, 216)},
    # The higher of two dice is k in 2k − 1 of 36 ways.
    "output [highest 1 of 2d6]": {k: F(2 * k - 1, 36) for k in range(1, 7)},
    "output [lowest 1 of 2d6]": {7 - k: F(2 * k - 1, 36) for k in range(1, 7)},
    # The middle of three dice with two faces: 1 in 4 of 8 ways.
    "output [middle 1 of 3d2]": {1: F(1, 2), 2: F(1, 2)},
    "output d{1,1,2,3}": {1: F(1, 2), 2: F(1, 4), 3: F(1, 4)},
    "output d{0:3, 1:2, 5}": {0: F(3, 6), 1: F(2, 6), 5: F(1, 6)},
    "output 2d{0,1}": {0: F(1, 4), 1: F(1, 2), 2: F(1, 4)},
    # A variable is rolled anew at each mention.
    "X: d2\noutput X + X": {2: F(1, 4), 3: F(1, 2), 4: F(1, 4)},
    "output d2 * 3 - 1": {2: F(1, 2), 5: F(1, 2)},
    "output d6 / 2": {0: F(1, 6), 1: F(1, 3), 2: F(1, 3), 3: F(1, 6)},
    "output d6 > d6": {0: F(21, 36), 1: F(15, 36)},
    "output (d2 = 1) & (d2 = 1)": {0: F(3, 4), 1: F(1, 4)},
    "output (d2 = 1) | (d2 = 1)": {0: F(1, 4), 1: F(3, 4)},
    "output !(d4 = 1)": {0: F(1, 4), 1: F(3, 4)},
    "output [count {5,6} in 2d6]": {0: F(16, 36), 1: F(16, 36), 2: F(4, 36)},
    # Two explosions at most: 6 + 6 + d6 with 1/216 each.
    "output [explode d6]": {
        **{k: F(1, 6) for k in range(1, 6)},
        **{6 + k: F(1, 36) for k in range(1, 6)},
        **{12 + k: F(1, 216) for k in range(1, 7)},
    },
    'set "explode depth" to 1\noutput [explode d2]': {1: F(1, 2), 3: F(1, 4), 4: F(1, 4)},
    "output 1@3d2": {1: F(1, 8), 2: F(7, 8)},
    "output 3@3d2": {1: F(7, 8), 2: F(1, 8)},
    "output {1,2}@3d2": {2: F(1, 8), 3: F(3, 8), 4: F(4, 8)},
    "output d2d2": {1: F(1, 4), 2: F(1, 4) + F(1, 8), 3: F(1, 4), 4: F(1, 8)},
    "output [highest of d2 and d4]": {1: F(1, 8), 2: F(3, 8), 3: F(1, 4), 4: F(1, 4)},
    "output [absolute d3 - 2]": {0: F(1, 3), 1: F(2, 3)},
    "output #{1,5,9} + [maximum of d8]": {11: F(1)},
    "function: double X:n { result: X + X }\noutput [double d2]": {2: F(1, 2), 4: F(1, 2)},
    "function: twice X:d { result: X + X }\noutput [twice d2]": {2: F(1, 4), 3: F(1, 2), 4: F(1, 4)},
    "function: double X:n { result: X + X }\nY: [double d2]\noutput Y + Y": {4: F(1, 4), 6: F(1, 2), 8: F(1, 4)},
    "function: hit R:n need N:n { if R >= N { result: d2 } result: 0 }\noutput [hit d20 need 11]": {
        0: F(1, 2),
        1: F(1, 4),
        2: F(1, 4),
    },
    "function: grade X:n { if X = 1 { result: 10 } else if X = 2 { result: 20 } else { result: 30 } }\n"
    "output [grade d4]": {10: F(1, 4), 20: F(1, 4), 30: F(1, 2)},
    "function: ends R:s { result: 1@R - 2@R }\noutput [ends 2d2]": {0: F(1, 2), 1: F(1, 2)},
    # A die that calls itself on its highest face, ten calls deep.
    "function: again X:n { if X = 2 { result: 2 + [again d2] } result: X }\noutput [again d2] > 3": {
        0: F(1, 2) + F(1, 4),
        1: F(1, 4),
    },
    "N: 3\nif N > 2 { output d2 } else { output d4 }": {1: F(1, 2), 2: F(1, 2)},
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_chances_are_those_counted_by_hand(program: str) -> None:
    ours = dict(answer(program, "anydice")[-1].pmf.items())
    expected = PROGRAMS[program]
    assert set(ours) == set(expected)
    for value, p in expected.items():
        assert ours[value] == pytest.approx(float(p), abs=1e-13)


def test_a_loop_outputs_a_family_with_names() -> None:
    lines = answer('loop N over {1..3} {\n output [highest 1 of Nd2] named "best of [N]"\n}', "anydice")
    assert [line.label for line in lines] == ["best of 1", "best of 2", "best of 3"]
    assert [line.pmf.exactly(1) for line in lines] == pytest.approx([1 / 2, 1 / 4, 1 / 8])


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("output 2 ^ d6", "Powers are not read"),
        ("output [sort 3d6]", "There is no function"),
        ("X: 3d6", "no output"),
        ("output Y", "Y has no value yet"),
        ("output 3d6 named sum", "name of the output is missing"),
        ('set "position order" to "lowest first"\noutput d6', "not read"),
        ("output [highest 5 of 2d6]", "kept must be 1–2"),
        ("if d6 > 3 { output 1 }", "Outside a function"),
        ("output 0d6", "number of dice must be"),
        ("function: f X:q { result: X }\noutput [f d6]", "no kind of parameter"),
    ],
)
def test_what_is_not_read_is_said(program: str, said: str) -> None:
    with pytest.raises(LanguageError, match="character") as refused:
        read(program, "anydice")
    assert said in refused.value.message

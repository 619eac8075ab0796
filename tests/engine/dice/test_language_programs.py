"""Whole programs: names, families, conditions, plans; random programs against every roll played through."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice.language.errors import LanguageError
from engine.dice.language.program import Plan, answer, read
from engine.dice.roller import SeededRoller
from tests.oracles.dice import every_roll

Die = Callable[[int], int]
Run = Callable[[Die], int]


def chances(text: str) -> dict[Hashable, float]:
    line = answer(text)[-1]
    return {line.labels[value] if line.kind == "text" else value: p for value, p in line.pmf.items()}


def blades(faces: list[int]) -> str:
    if faces.count(6) >= 2:
        return "critical"
    return "full" if max(faces) == 6 else "partial" if max(faces) >= 4 else "bad"


BLADES = """pool = 3D6
if pool count 6 >= 2 then "critical"
else if highest 1 of pool = 6 then "full"
else if highest 1 of pool >= 4 then "partial" else "bad" """


def conditional(run: Callable[[Die], int | None]) -> dict[Hashable, float]:
    """What is left when the rolls without a value are thrown away."""
    everything = every_roll(run)
    missed = everything.pop(None, 0)
    return {value: float(p / (1 - missed)) for value, p in everything.items()}


def critical(d: Die) -> int:
    roll = d(20)
    return sum(d(4) for _ in range(4)) if roll == 20 else d(4) + d(4) if roll + 5 >= 15 else 0


SAME_ROLL: dict[str, Callable[[Die], Hashable]] = {
    "a = D6; a + a": lambda d: 2 * d(6),
    "a = D6; b = a + D4; a * b": lambda d: (lambda a: a * (a + d(4)))(d(6)),
    "hit = D20; if hit = 20 then 4D4 else if hit + 5 >= 15 then 2D4 else 0": critical,
    "a = D6; b = D8; if a > b then a - b else b": lambda d: (lambda a, b: a - b if a > b else b)(d(6), d(8)),
    BLADES: lambda d: blades([d(6), d(6), d(6)]),
    "p = 3D4; largest_set(p) * 10 + highest 1 of p": lambda d: (lambda f: 10 * max(f.count(x) for x in f) + max(f))(
        [d(4), d(4), d(4)]
    ),
    "a = D4; aD6 + a": lambda d: (lambda a: a + sum(d(6) for _ in range(a)))(d(4)),
    "a = D6; 2x(a)": lambda d: d(6) + d(6),
    "a = 2D6; b = D6; max(a, b) - min(a, b)": lambda d: abs(d(6) + d(6) - d(6)),
    'a = D6; b = bands(a, 2: "low", "high"); if b = "low" then a else 10': lambda d: (lambda a: a if a < 3 else 10)(
        d(6)
    ),
    "a = D6; b = D6; a vs b": lambda d: (lambda a, b: "left wins" if a > b else "tie" if a == b else "right wins")(
        d(6), d(6)
    ),
    "a = D6; abs(a - 3) + (a / 2) + -a": lambda d: (lambda a: abs(a - 3) + a // 2 - a)(d(6)),
    "a = D6; b = D4; (a > 3 and not b = 1) or a = b": lambda d: (lambda a, b: int((a > 3 and b != 1) or a == b))(
        d(6), d(4)
    ),
}


@pytest.mark.parametrize("text", SAME_ROLL)
def test_a_name_is_one_roll_wherever_it_is_mentioned(text: str) -> None:
    expected = every_roll(SAME_ROLL[text])
    ours = chances(text)
    assert set(ours) == set(expected)
    for value, p in expected.items():
        assert ours[value] == pytest.approx(float(p), abs=1e-13)


def test_given_looks_at_the_rolls_where_it_holds() -> None:
    pairs: Callable[[Die], int | None] = lambda d: (lambda a, b: a + b if a > b else None)(d(6), d(6))  # noqa: E731
    assert chances("a = D6; b = D6; a + b given a > b") == pytest.approx(conditional(pairs), abs=1e-13)
    at_least: Callable[[Die], int | None] = lambda d: (lambda t: t if t >= 12 else None)(d(6) + d(6) + d(6))  # noqa: E731
    assert chances("3D6 given >= 12") == pytest.approx(conditional(at_least), abs=1e-13)
    six: Callable[[Die], int | None] = lambda d: (lambda f: sum(f) if 6 in f else None)([d(6), d(6)])  # noqa: E731
    assert chances("p = 2D6; p given p count 6 >= 1") == pytest.approx(conditional(six), abs=1e-13)


def test_a_loop_draws_a_family() -> None:
    lines = answer("for n in 1..6: nD6kh1")
    assert [line.label for line in lines] == [f"n = {n}" for n in range(1, 7)]
    assert [line.family for line in lines] == [(("n", n),) for n in range(1, 7)]
    for n, line in enumerate(lines, 1):
        assert line.pmf.mean == pytest.approx(sum(1 - ((k - 1) / 6) ** n for k in range(1, 7)))
    grid = answer("for n in 1..2: for t in {4,6}: nD6 count >=t")
    assert [line.label for line in grid] == ["n = 1, t = 4", "n = 1, t = 6", "n = 2, t = 4", "n = 2, t = 6"]
    assert [line.pmf.mean for line in grid] == pytest.approx([1 / 2, 1 / 6, 1, 1 / 3])


def test_lines_are_labelled_and_a_name_alone_is_asked() -> None:
    lines = answer('output 3D6 named "sum"\n2D6 as "two"\nD6')
    assert [line.label for line in lines] == ["sum", "two", "D6"]
    assert [line.label for line in answer("hit = D20 + 5")] == ["hit"]


def test_a_constant_can_be_named_and_used_where_numbers_go() -> None:
    assert chances("need = 5; 4D6 count >=need") == pytest.approx(chances("4D6 count >=5"))
    assert chances("n = 2 + 1; (n+1)D6kh n") == pytest.approx(chances("4D6kh3"))


# -- random programs --------------------------------------------------------------------------------------------------


def dice_pool(draw: st.DrawFn) -> tuple[str, Callable[[Die], list[int]]]:
    count, sides = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    return f"{count}D{sides}", lambda d: [d(sides) for _ in range(count)]


@st.composite
def numbers(draw: st.DrawFn, depth: int = 2) -> tuple[str, Run]:
    """A text and the same in Python."""
    sort = draw(st.sampled_from(["number", "dice", "keep", "count", "set"] + ["pair", "if", "extreme"] * (depth > 0)))
    if sort == "number":
        value = draw(st.integers(0, 5))
        return str(value), lambda d: value
    if sort in ("dice", "keep", "count", "set"):
        text, pool = dice_pool(draw)
        if sort == "dice":
            return text, lambda d: sum(pool(d))
        if sort == "keep":
            return f"{text}kh1", lambda d: max(pool(d))
        if sort == "set":
            return f"largest_set({text})", lambda d: (lambda f: max(map(f.count, f)))(pool(d))
        return f"({text} count >=2)", lambda d: sum(face >= 2 for face in pool(d))
    (a, left), (b, right) = draw(numbers(depth - 1)), draw(numbers(depth - 1))
    if sort == "if":
        limit = draw(st.integers(1, 6))
        return f"(if {a} > {limit} then {b} else {limit})", lambda d: right(d) if left(d) > limit else limit
    if sort == "extreme":
        return f"max({a}, {b})", lambda d: max(left(d), right(d))
    sign = draw(st.sampled_from("+-*"))
    operation: dict[str, Callable[[int, int], int]] = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
    }
    return f"({a}) {sign} ({b})", lambda d: operation[sign](left(d), right(d))


@settings(max_examples=60, deadline=None)
@given(numbers(), st.integers(2, 4), st.booleans())
def test_random_programs_agree_with_every_roll(made: tuple[str, Run], sides: int, shared: bool) -> None:
    text, run = made
    paths = 0

    def counted(d: Die) -> int:
        nonlocal paths
        paths += 1
        if paths > 40_000:
            raise OverflowError
        a = d(sides)
        return run(d) + (a * a if shared else a)

    try:
        expected = every_roll(counted)
    except OverflowError:
        return
    ours = chances(f"a = D{sides}\n({text}) + {'a * a' if shared else 'a'}")
    assert set(ours) == set(expected)
    for value, p in expected.items():
        assert ours[value] == pytest.approx(float(p), abs=1e-12)


# -- plans ------------------------------------------------------------------------------------------------------------

#: What others give up on, and what tables ask for: all of it belongs on the page.
INSTANT = [
    "9D20kh1", "4D6 vs 4D6", "largest_set(10D10)", "pairs(10D10)", "100D100", "20D6!", "10D10! count >=8 twice 10",
    "pair_off(10D10, 10D10)", "a = D100; b = D100; a - b given a > b", "{4D6, 4D8, 4D10}kh3", "longest_run(20D20)",
    "for n in 1..20: nD10 count >=7 botch 1", "100D20kh50",
]  # fmt: skip


@pytest.mark.parametrize("text", INSTANT)
def test_what_others_give_up_on_is_planned_for_the_page(text: str) -> None:
    plan = Plan(read(text))
    assert plan.verdict == "page"
    for line in plan.answer():
        assert line.pmf.p.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "verdict", "said"),
    [
        ("1000D1000", "job", ""),
        ("{20D6, 20D8, 20D10}kh3", "job", ""),
        ("a = 50D6; largest_set(a) + longest_run(a)", "refuse", "7 minutes of computing"),
        ("{60D6, 60D8, 60D10, 60D12}kh3", "refuse", "Pools of equal dice are far cheaper"),
    ],
)
def test_too_much_is_known_before_it_is_begun(text: str, verdict: str, said: str) -> None:
    plan = Plan(read(text))
    assert plan.verdict == verdict
    if verdict == "refuse":
        with pytest.raises(LanguageError, match="computing") as refused:
            plan.answer()
        assert said in refused.value.message
        assert "simulate" in refused.value.message


def test_results_beyond_counting_are_refused_with_the_figure() -> None:
    with pytest.raises(LanguageError, match="different results"):
        Plan(read("1000D1000 * 1000D1000")).answer()


def test_a_simulation_says_its_margin() -> None:
    (line,) = Plan(read("a = 50D6; largest_set(a) + longest_run(a)")).simulate(2000, seed=1)
    assert line.margin == pytest.approx(0.98 / 2000**0.5)
    assert line.pmf.p.sum() == pytest.approx(1)


def test_explosions_say_their_limit_and_the_tail() -> None:
    (line,) = answer("4D6!")
    assert line.plan.notes == ("A die adds at most 10 more; the chance that it would go on is 2.8e-09 a die.",)


def test_a_division_says_how_it_rounds() -> None:
    assert answer("2D6/2")[0].plan.notes == ("2D6/2 is rounded down.",)
    assert answer("ceil(2D6/2)")[0].plan.notes == ("ceil(2D6/2) is rounded up.",)


def test_names_fall_once_for_all_lines_of_a_roll() -> None:
    plan = Plan(read("a = 3D6\na\na + 10\nhighest 1 of a"))
    for seed in range(20):
        (_, total, dice), (_, more, none), (_, best, _) = plan.roll(SeededRoller(seed))
        faces = [die.face for die in dice]
        assert (total, more, best) == (sum(faces), sum(faces) + 10, max(faces))
        assert not none


def test_every_line_says_how_it_is_computed() -> None:
    for line in answer("4D6kh3; 10D6; 8D6 count >=5; largest_set(10D10); a = D6; a * a; pair_off(3D6, 2D6)"):
        assert line.plan.steps, line.text

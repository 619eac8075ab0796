"""Every operator of the dice language: every roll played through, another library or a closed form, and rolling it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import comb, factorial

import dyce
import icepool
import pytest

from engine.dice.language import syntax
from engine.dice.language.pools import sets as sets_of_dice
from engine.dice.language.pools.dice import Die as KindOfDie
from engine.dice.language.pools.sets import asked
from engine.dice.language.program import Plan, answer, read
from engine.dice.pmf import Pmf
from tests.oracles.dice import every_roll

Die = Callable[[int], int]


def rolled(die: Die, count: int, sides: int) -> list[int]:
    return [die(sides) for _ in range(count)]


def chain(die: Die, sides: int, on: Callable[[int], bool], limit: int) -> list[int]:
    """A die and the dice it adds."""
    faces = [die(sides)]
    while on(faces[-1]) and len(faces) <= limit:
        faces.append(die(sides))
    return faces


def again(die: Die, sides: int, on: Callable[[int], bool]) -> int:
    face = die(sides)
    return die(sides) if on(face) else face


def sets(faces: list[int], size: int) -> int:
    return sum(number >= size for number in Counter(faces).values())


def run_length(faces: list[int]) -> int:
    return max(n for n in range(1, 8) for start in faces if all(start + step in faces for step in range(n)))


def botch(faces: list[int]) -> int:
    good, ones = sum(face >= 4 for face in faces), faces.count(1)
    return -1 if not good and ones else good


def pairs_won(left: list[int], right: list[int], ties: bool) -> int:
    together = zip(sorted(left)[::-1], sorted(right)[::-1], strict=False)
    return sum(a > b or (ties and a == b) for a, b in together)


def highest_and_number(faces: list[int]) -> str:
    return f"{max(faces)} ×{faces.count(max(faces))}"


def wins(left: int, right: int) -> str:
    return "left wins" if left > right else "right wins" if left < right else "tie"


def graded(value: int) -> str:
    return "bad" if value < 0 else "good" if value < 4 else "great"


FATE, ODD = (-1, 0, 1), (1, 1, 2, 3)

#: The text, and the same thing said in Python about dice that are rolled one by one.
OPERATORS: dict[str, Callable[[Die], Hashable]] = {
    "2D6+D4-1": lambda d: d(6) + d(6) + d(4) - 1,
    "2D4*D3": lambda d: (d(4) + d(4)) * d(3),
    "-D4*2": lambda d: -2 * d(4),
    "(D6+1)*(D4-3)": lambda d: (d(6) + 1) * (d(4) - 3),
    "2D6/D3": lambda d: (d(6) + d(6)) // d(3),
    "floor((D6-4)/2)": lambda d: (d(6) - 4) // 2,
    "ceil(2D6/3)": lambda d: -(-(d(6) + d(6)) // 3),
    "round(2D6/4)": lambda d: int((d(6) + d(6)) / 4 + 0.5),
    "min(D6, D8)": lambda d: min(d(6), d(8)),
    "max(D6, 2D4, 3)": lambda d: max(d(6), d(4) + d(4), 3),
    "abs(D6-D6)": lambda d: abs(d(6) - d(6)),
    "2D{1,1,2,3}": lambda d: ODD[d(4) - 1] + ODD[d(4) - 1],
    "D{0..2,5:3}": lambda d: (0, 1, 2, 5, 5, 5)[d(6) - 1],
    "3dF": lambda d: sum(FATE[d(3) - 1] for _ in range(3)),
    "D%/10": lambda d: d(100) // 10,
    "2x(D6+D4)": lambda d: d(6) + d(4) + d(6) + d(4),
    "3x(2D3)kh1": lambda d: max(d(3) + d(3) for _ in range(3)),
    "(D3)D4": lambda d: sum(rolled(d, d(3), 4)),
    "(D3)D4kh1": lambda d: max(rolled(d, d(3), 4)),
    "2D(D3)": lambda d: (lambda n: d(n) + d(n))(d(3)),
    "4D6kh3": lambda d: sum(sorted(rolled(d, 4, 6))[1:]),
    "4D4kl2": lambda d: sum(sorted(rolled(d, 4, 4))[:2]),
    "5D4km3": lambda d: sum(sorted(rolled(d, 5, 4))[1:4]),
    "4D4km1": lambda d: sorted(rolled(d, 4, 4))[2],
    "4D5dh1": lambda d: sum(sorted(rolled(d, 4, 5))[:3]),
    "4D5dl2": lambda d: sum(sorted(rolled(d, 4, 5))[2:]),
    "5D4dh1dl2": lambda d: sum(sorted(rolled(d, 5, 4))[2:4]),
    "highest 2 of 3D6": lambda d: sum(sorted(rolled(d, 3, 6))[1:]),
    "{D4, D6, D6}kh2": lambda d: sum(sorted([d(4), d(6), d(6)])[1:]),
    "{2D4, D6}dl1": lambda d: sum(sorted([d(4), d(4), d(6)])[1:]),
    "2D4! limit 2": lambda d: sum(chain(d, 4, lambda f: f == 4, 2) + chain(d, 4, lambda f: f == 4, 2)),
    "2D4!! limit 2": lambda d: sum(chain(d, 4, lambda f: f == 4, 2) + chain(d, 4, lambda f: f == 4, 2)),
    "2D4!o": lambda d: sum(chain(d, 4, lambda f: f == 4, 1) + chain(d, 4, lambda f: f == 4, 1)),
    "D4!>=3 limit 3": lambda d: sum(chain(d, 4, lambda f: f >= 3, 3)),
    "D4!{1,4} limit 3": lambda d: sum(chain(d, 4, lambda f: f in (1, 4), 3)),
    "2D4!p limit 2": lambda d: sum(sum(c) - len(c) + 1 for c in (chain(d, 4, lambda f: f == 4, 2) for _ in "ab")),
    "3D6ro1": lambda d: sum(again(d, 6, lambda f: f == 1) for _ in range(3)),
    "2D6ro<3": lambda d: sum(again(d, 6, lambda f: f < 3) for _ in range(2)),
    "2D6r<3": lambda d: d(4) + d(4) + 4,
    "3D6r{1,6}kh1": lambda d: max(d(4) + 1 for _ in range(3)),
    "4D4rl2": lambda d: sum(sorted(rolled(d, 4, 4))[2:]) + d(4) + d(4),
    "3D6min3": lambda d: sum(max(3, face) for face in rolled(d, 3, 6)),
    "3D6max4kh2": lambda d: sum(sorted(min(4, face) for face in rolled(d, 3, 6))[1:]),
    "D20adv": lambda d: max(d(20), d(20)),
    "disadvantage(2D4, 3)": lambda d: min(d(4) + d(4) for _ in range(3)),
    "4D6 count >=5": lambda d: sum(face >= 5 for face in rolled(d, 4, 6)),
    "4D6 count {1,6}": lambda d: sum(face in (1, 6) for face in rolled(d, 4, 6)),
    "4D6t4": lambda d: sum(face >= 4 for face in rolled(d, 4, 6)),
    "4D6 count >=5 twice 6": lambda d: sum((face >= 5) + (face == 6) for face in rolled(d, 4, 6)),
    "4D6 count >=5 minus 1": lambda d: sum((face >= 5) - (face == 1) for face in rolled(d, 4, 6)),
    "4D6 count >=5 cancel 1": lambda d: max(0, sum((face >= 5) - (face == 1) for face in rolled(d, 4, 6))),
    "4D6 count >=4 botch 1": lambda d: botch(rolled(d, 4, 6)),
    "{D4, D6} count >=3": lambda d: (d(4) >= 3) + (d(6) >= 3),
    "pairs(5D4)": lambda d: sets(rolled(d, 5, 4), 2),
    "sets(5D3, 3)": lambda d: sets(rolled(d, 5, 3), 3),
    "largest_set(5D4)": lambda d: max(Counter(rolled(d, 5, 4)).values()),
    "largest_set({2D4, D6, D{2,2,5}})": lambda d: max(Counter([d(4), d(4), d(6), (2, 2, 5)[d(3) - 1]]).values()),
    "different(4D5)": lambda d: len(set(rolled(d, 4, 5))),
    "longest_run(5D5)": lambda d: run_length(rolled(d, 5, 5)),
    "longest_run({2D4, 2D6})": lambda d: run_length([d(4), d(4), d(6), d(6)]),
    "longest_run(3D{1,2,4,5})": lambda d: run_length([(1, 2, 4, 5)[d(4) - 1] for _ in range(3)]),
    "highest_count(4D4)": lambda d: highest_and_number(rolled(d, 4, 4)),
    "highest_count({D4, 2D6})": lambda d: highest_and_number([d(4), d(6), d(6)]),
    "pair_off(3D6, 2D6)": lambda d: pairs_won(rolled(d, 3, 6), rolled(d, 2, 6), False),
    "pair_off(2D4, 3D4, left)": lambda d: pairs_won(rolled(d, 2, 4), rolled(d, 3, 4), True),
    "pair_off({D4, D6}, 2D4)": lambda d: pairs_won([d(4), d(6)], rolled(d, 2, 4), False),
    "D6 > D8": lambda d: int(d(6) > d(8)),
    "2D6 >= 9": lambda d: int(d(6) + d(6) >= 9),
    "2D4 = 5": lambda d: int(d(4) + d(4) == 5),
    "D6 != D6": lambda d: int(d(6) != d(6)),
    "D6 beats D4": lambda d: int(d(6) > d(4)),
    "2D6 vs D10": lambda d: wins(d(6) + d(6), d(10)),
    "D6 > 3 and D4 > 2": lambda d: int((d(6) > 3) & (d(4) > 2)),
    "D6 > 5 or D4 > 3": lambda d: int((d(6) > 5) | (d(4) > 3)),
    "not D6 = 1": lambda d: int(d(6) != 1),
    "margin(D20+5, 15)": lambda d: d(20) - 10,
    'bands(D10-5, -1: "bad", 3: "good", "great")': lambda d: graded(d(10) - 5),
    "if D6 > 4 then 2D4 else 1": lambda d: d(4) + d(4) if d(6) > 4 else 1,
    'if D6 = 6 then "hit" else "miss"': lambda d: "hit" if d(6) == 6 else "miss",
    # Explosions, and what is kept or counted of the longer row of dice.
    "2D4! limit 2 kh2": lambda d: sum(sorted(chain(d, 4, lambda f: f == 4, 2) + chain(d, 4, lambda f: f == 4, 2))[-2:]),
    "2D4! limit 2 count >=3": lambda d: sum(
        face >= 3 for face in chain(d, 4, lambda f: f == 4, 2) + chain(d, 4, lambda f: f == 4, 2)
    ),
    "2D4!>=3 limit 1 count 3 minus 1 botch 1": lambda d: _chained_botch(d),
    "pairs(2D4! limit 2)": lambda d: sets(chain(d, 4, lambda f: f == 4, 2) + chain(d, 4, lambda f: f == 4, 2), 2),
    "largest_set(2D4!{2,4} limit 1)": lambda d: max(
        Counter(chain(d, 4, lambda f: f in (2, 4), 1) + chain(d, 4, lambda f: f in (2, 4), 1)).values()
    ),
}


def _chained_botch(d: Die) -> int:
    faces = chain(d, 4, lambda f: f >= 3, 1) + chain(d, 4, lambda f: f >= 3, 1)
    if 3 not in faces and 1 in faces:
        return -1
    return faces.count(3) - faces.count(1)


def distribution(text: str) -> dict[Hashable, float]:
    """The answer of a text, by what its results are called."""
    (line,) = answer(text)
    return {line.labels[value] if line.kind == "text" else value: p for value, p in line.pmf.items()}


@pytest.mark.parametrize("text", OPERATORS)
def test_the_answer_is_that_of_every_roll_played_through(text: str) -> None:
    expected = every_roll(OPERATORS[text])
    ours = distribution(text)
    assert set(ours) == set(expected)
    for value, chance in expected.items():
        assert ours[value] == pytest.approx(float(chance), abs=1e-13), value


@pytest.mark.parametrize("text", OPERATORS)
def test_rolling_it_gives_what_is_answered(text: str) -> None:
    """The largest difference of the cumulative chances stays inside the 99.99 % bound of Kolmogorov and Smirnov."""
    runs = 1500
    plan = Plan(read(text))
    (exact,), (seen,) = plan.answer(), plan.simulate(runs, seed=11)
    ours = {exact.name_of(value): p for value, p in exact.pmf.items()}
    theirs = {seen.name_of(value): p for value, p in seen.pmf.items()}
    assert set(theirs) <= set(ours)
    difference = total = 0.0
    for value, p in ours.items():
        total += p - theirs.get(value, 0.0)
        difference = max(difference, abs(total))
    assert difference < 2.23 / runs**0.5


@pytest.mark.parametrize("text", OPERATORS)
def test_the_canonical_text_reads_back_the_same(text: str) -> None:
    program = read(text, "oddsmith")
    assert read(str(program), "oddsmith") == program


def d(sides: int) -> icepool.Die[int]:
    return icepool.d(sides)


SECOND_LIBRARY: dict[str, Callable[[], object]] = {
    "9D20kh1": lambda: d(20).highest(9, 1),
    "10D10kh4": lambda: d(10).highest(10, 4),
    "7D6kl3": lambda: d(6).lowest(7, 3),
    "9D6km3": lambda: d(6).pool(9).middle(3).sum(),
    "{2D6, 2D8, D10}kh3": lambda: icepool.Pool([d(6), d(6), d(8), d(8), d(10)]).highest(3).sum(),
    "8D6!": lambda: 8 @ d(6).explode(depth=10),
    "6D6r1kh3": lambda: d(6).reroll([1], depth="inf").highest(6, 3),
    "20D6 count >=5": lambda: 20 @ (d(6) >= 5),
    "largest_set(10D10)": lambda: d(10).pool(10).largest_count(),
    "longest_run(10D10)": lambda: d(10).pool(10).largest_straight(),
    "pairs(10D10)": lambda: d(10).pool(10).keep_counts(">=", 2).unique().size(),
    "different(12D8)": lambda: d(8).pool(12).unique().size(),
    "(D8)D6": lambda: d(8) @ d(6),
    "max(3D6, 2D10)": lambda: icepool.highest(3 @ d(6), 2 @ d(10)),
    "3D6*2D4": lambda: (3 @ d(6)) * (2 @ d(4)),
    "30D6+20D8": lambda: 30 @ d(6) + 20 @ d(8),
}


@pytest.mark.parametrize("text", SECOND_LIBRARY)
def test_the_answer_is_that_of_another_library(text: str) -> None:
    theirs = SECOND_LIBRARY[text]()
    ours = distribution(text)
    for outcome in theirs.outcomes():  # type: ignore[attr-defined]
        expected = float(theirs.probability(outcome))  # type: ignore[attr-defined]
        assert ours.get(outcome, 0.0) == pytest.approx(expected, abs=1e-13), outcome


@pytest.mark.parametrize(("count", "sides", "keep"), [(4, 6, 3), (6, 8, 2), (5, 10, 4)])
def test_what_is_kept_is_that_of_a_third_library(count: int, sides: int, keep: int) -> None:
    theirs: Counter[int] = Counter()
    for faces, ways in dyce.P(*[dyce.H(sides)] * count).rolls_with_counts():
        theirs[sum(faces[-keep:])] += ways
    ours = distribution(f"{count}D{sides}kh{keep}")
    for outcome, ways in theirs.items():
        assert ours[outcome] == pytest.approx(ways / sides**count, abs=1e-14)


@pytest.mark.parametrize(("dice", "faces"), [(5, 6), (10, 10), (30, 20), (200, 6)])
def test_a_count_is_binomial(dice: int, faces: int) -> None:
    ours = distribution(f"{dice}D{faces} count {faces}")
    for k in range(dice + 1):
        expected = float(comb(dice, k) * Fraction(1, faces) ** k * Fraction(faces - 1, faces) ** (dice - k))
        assert ours.get(k, 0.0) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("dice", "sides"), [(9, 20), (100, 6), (1000, 100)])
def test_the_highest_die_has_its_closed_form(dice: int, sides: int) -> None:
    ours = distribution(f"{dice}D{sides}kh1")
    for face in range(1, sides + 1):
        expected = float(Fraction(face, sides) ** dice - Fraction(face - 1, sides) ** dice)
        assert ours.get(face, 0.0) == pytest.approx(expected, abs=1e-14)


def test_an_exploding_die_averages_its_closed_form() -> None:
    """Without a limit a D6 that explodes averages 3.5 · 6/5; ten explosions leave out less than 10⁻⁷."""
    assert answer("D6!")[0].pmf.mean == pytest.approx(4.2, abs=1e-6)
    assert answer("D6! limit 60")[0].pmf.mean == pytest.approx(4.2, abs=1e-12)


def test_risk_is_as_published() -> None:
    """Three dice against two: the attacker takes both armies with 2890/7776, none with 2275/7776."""
    ours = distribution("pair_off(3D6, 2D6)")
    assert ours[2] == pytest.approx(2890 / 7776, abs=1e-15)
    assert ours[1] == pytest.approx(2611 / 7776, abs=1e-15)
    assert ours[0] == pytest.approx(2275 / 7776, abs=1e-15)


# -- many dice --------------------------------------------------------------------------------------------------------


def test_the_rarest_sets_and_runs_keep_their_digits() -> None:
    (sets_of, runs) = answer("largest_set(20D20); longest_run(30D30)")
    assert sets_of.pmf.exactly(20) == pytest.approx(20.0**-19, rel=1e-12)
    assert runs.pmf.exactly(30) == pytest.approx(factorial(30) / 30**30, rel=1e-12)


@pytest.mark.parametrize(("dice", "sides"), [(7, 3), (12, 20), (30, 12), (61, 6), (70, 10)])
def test_fair_dice_are_counted_as_any_others(dice: int, sides: int) -> None:
    """A die whose faces are hardly unequal goes another way to nearly the same chances."""
    nearly = [(face, 1.0 + (1e-9 if face == 1 else 0.0)) for face in range(1, sides + 1)]
    other = KindOfDie(Pmf.from_weights(dict(nearly)))
    questions: tuple[tuple[str, syntax.PoolQuestion, int], ...] = (
        ("longest_run", "longest_run", 0),
        ("largest_set", "largest_set", 0),
        ("different", "different", 0),
        ("pairs", "sets", 2),
    )
    for text, question, size in questions:
        (line,) = answer(f"{text}({dice}D{sides})")
        assert line.pmf.close_to(asked(((other, dice),), question, size), 1e-7), text


@pytest.mark.parametrize("question", ["largest_set", "pairs"])
def test_few_and_many_dice_are_counted_alike(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{question}(25D8); {question}(12D{{1,1,2,3,4}})"
    few = [line.pmf for line in answer(text)]
    monkeypatch.setattr(sets_of_dice, "FEW_DICE", 0)
    many = [line.pmf for line in answer(text)]
    assert all(one.close_to(other, 1e-14) for one, other in zip(few, many, strict=True))

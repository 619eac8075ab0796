"""Reading dice programs: what people type, what is refused and how it is said, and that nothing breaks the parser."""

from __future__ import annotations

import random
import time

import pytest

from engine.contracts import call
from engine.dice.language.errors import LanguageError
from engine.dice.language.program import answer, detect, read

#: What people type elsewhere, and the same in the native notation.
TYPED = {
    "4d6!": "4D6!",
    "d6!>5": "D6!>5",
    "3d6e6": "3D6!6",
    "8d6 count >= 5": "(8D6 count >=5)",
    "5d6t4": "(5D6 count >=4)",
    "10d10>7f1": "(10D10 count >=7 minus 1)",
    "d6>d8": "D6 > D8",
    "2d6 vs 2d6": "2D6 vs 2D6",
    "4d6dl1": "4D6dl1",
    "4d6dh1": "4D6dh1",
    "4d6k3": "4D6kh3",
    "4d6h3": "4D6kh3",
    "4d6d1": "4D6dl1",
    "[highest 3 of 4d6]": "4D6kh3",
    "2d6r<3": "2D6r<3",
    "3d6r1": "3D6r1",
    "2d6*2": "2D6*2",
    "2d6×2": "2D6*2",
    "d6/2": "D6/2",
    "(2d6+1)*2": "(2D6+1)*2",
    "d%": "D100",
    "4dF": "4dF",
    "d{0,1,2}": "D{0,1,2}",
    "max(d6,d8)": "max(D6, D8)",
    "4D6KH3": "4D6kh3",
    "3d6−1": "3D6-1",
    "2d6 ≥ 9": "2D6 >= 9",
    "/roll 4d6kh3!r1": "4D6r1!kh3",
    "/r 8d6>5": "(8D6 count >=5)",
    "[[2d6+1]] + 3[fire]": "2D6+1+3",
    "4d6kh3!r1": "4D6r1!kh3",
    "advantage(d20) + 5": "2x(D20)kh1+5",
    "d20 advantage + 5": "2x(D20)kh1+5",
    "d20 disadvantage": "2x(D20)kl1",
    "4d6 keep 3": "4D6kh3",
    "4d6 drop 1": "4D6dl1",
    "4d6 reroll 1": "4D6r1",
    "5d10 explode": "5D10!",
}


@pytest.mark.parametrize("text", TYPED)
def test_what_people_type_is_read(text: str) -> None:
    typed = text if "highest" not in text else f"output {text}"
    assert str(read(typed)) == TYPED[text]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("4d6kh3", "oddsmith"),
        ("output 2d6", "anydice"),
        ("X: 2d6\noutput X", "anydice"),
        ("/roll 2d6", "roll20"),
        ("[[2d6]]", "roll20"),
        ("8d10>7f1", "roll20"),
        ("hit = d20; hit > 3", "oddsmith"),
    ],
)
def test_the_notation_is_told_by_its_marks(text: str, notation: str) -> None:
    assert detect(text) == notation


@pytest.mark.parametrize(
    ("text", "character", "problem", "fix"),
    [
        ("", 1, "nothing to roll yet", "Write dice like 3D6+2"),
        ("3D", 3, "no sides", "Write D6, D%"),
        ("4d6 + ", 7, "Something is missing", "Write dice like"),
        ("3z6", 2, "“z” is not dice notation", "Write dice like"),
        ("4d6kh9", 4, "kept must be 1–4; you entered 9", "from 1 to 4"),
        ("1001d6", 1, "number of dice must be 1–1000", "from 1 to 1000"),
        ("d1001", 2, "number of sides must be 1–1000", "from 1 to 1000"),
        ("(2d6+1)kh1", 8, "no single dice here", "such as 4D6"),
        ("4d6kh3kh1", 7, "kept or counted only once", "Remove one"),
        ("if d6 then 1 else 2", 1, "needs a question", "Compare something"),
        ("if d6 > 3 then 1", 17, "“else” is missing", "else 0"),
        ("d6 + hit", 6, "“hit” is not dice notation", "Write dice like"),
        ("largst_set(4d6)", 1, "“largst_set” is not dice notation", "largest_set"),
        ('2d6 + "hit"', 5, "cannot be counted with", "compared with =="),
        ("2d6/0", 4, "divided by 0", "another number"),
        ("99999999", 1, "too large a number", "up to 1,000,000"),
        ("for in 1..6: d6", 5, "needs a name", "for n in 1..6"),
        ("for n in 1..100: nd6", 10, "100 values", "At most 60"),
        ("a = d6; a = d8; a", 9, "already the name of a roll", "another name"),
        ("max = d6", 1, "already means something", "another name"),
        ("hit = 4d6; hit! + hit", 15, "already been rolled", "hit = 4D6!"),
        ("3x(2d6)!", 8, "On which results", "3x(2D6)!>=11"),
        ("d20 with advantage", 5, "“with” is not dice notation", "advantage(D20)"),
        ("2d20 advantage", 6, "“advantage” follows one die", "write 2D20kh1"),
        ("2d20 dis", 6, "“dis” follows one die", "write 2D20kl1"),
        ("7d10 successes", 6, "“successes” is not dice notation", "7D10 count >=8"),
        ("avg 3d6", 1, "“avg” is not dice notation", "every answer has the average"),
        ("D8+STR", 4, "“STR” is not dice notation", "STR = 3"),
        ("2d6 > 7?", 8, "“?” means nothing", "question mark out"),
        ("d6^2", 3, "“^” means nothing", "a * a"),
        ("d6,d8", 3, "“,” is not dice notation", "{D6, D8}"),
        ("d6 §", 4, "“§” means nothing", "list of operators"),
        ('d6 named "x', 10, "no closing quotation", "critical"),
        ("(" * 40 + "d6" + ")" * 40, 30, "nested too deeply", "At most 30"),
    ],
)
def test_an_error_points_at_the_character_and_says_the_fix(text: str, character: int, problem: str, fix: str) -> None:
    with pytest.raises(LanguageError, match="character") as refused:
        read(text, "oddsmith")
    assert problem in refused.value.message
    assert fix in refused.value.message
    assert refused.value.column == character


@pytest.mark.parametrize(
    "text",
    [
        "pool = 4D6\npool kh1 + (pool count 6)",
        "a = D6\nb = 3D6\nif b dl1 > a then b dh1dl1 else largest_set(b)",
        "hit = D20\nhit given hit >= 11",
    ],
)
def test_programs_with_names_read_back_the_same(text: str) -> None:
    program = read(text, "oddsmith")
    assert read(str(program), "oddsmith") == program


def test_what_is_met_while_computing_points_into_the_text() -> None:
    with pytest.raises(LanguageError, match="line 2, character 4") as refused:
        answer("3d6\n2d6/(d6-1)")
    assert refused.value.details["position"] == 7


def test_an_error_names_the_line() -> None:
    with pytest.raises(LanguageError) as refused:
        read("hit = d20\nhit + + zzz\n2d6")
    assert (refused.value.line, refused.value.column) == (2, 9)
    assert "line 2, character 9" in refused.value.message


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("d6r>=1", "rolled again for ever"),
        ("2d6/(d6-1)", "can be 0"),
        ("(d6-3)d6", "can be negative"),
        ("2d(d6-1)", "no sides"),
        ("d6 given > 6", "never holds"),
        ("2d6 given 2d6 > 7", "other dice"),
        ("a = D6; b = D6; a given b > 3", "other dice"),
    ],
)
def test_what_only_shows_when_asked_is_refused_too(text: str, problem: str) -> None:
    with pytest.raises(LanguageError, match=problem):
        answer(text)


PIECES = [
    *'0123456789dDkhlrxtcefp!<>=+-*/(){}[],:;.#"\n %_nNX≥−§é\\&|@^',
    *(
        "d6",
        "4d6",
        "kh3",
        "2d",
        "for n in 1..6:",
        "if ",
        " then ",
        " else ",
        "given",
        "hit = ",
        "output ",
        "named ",
        "count ",
    ),
    *(
        "limit ",
        "max(",
        "bands(",
        "pair_off(",
        "{1,2}",
        "..",
        "x(",
        "dF",
        "[highest 3 of ",
        "]",
        "loop N over {1..3} {",
        "}",
    ),
    *("function: f X:n {", "result: ", "/roll ", "[[", "]]", "99999999999", " and ", "not ", "((((((", "!!", "set "),
]


def test_no_text_breaks_the_parser_or_keeps_it_busy() -> None:
    """Ten thousand random texts: each is read or refused by the language's own error, none in more than 50 ms."""
    chance = random.Random(20_26)
    refused, slowest = 0, 0.0
    for _ in range(10_000):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 40)))
        start = time.process_time()
        try:
            read(text, chance.choice(["auto", "oddsmith", "roll20", "anydice"]))
        except LanguageError:
            refused += 1
        slowest = max(slowest, time.process_time() - start)
    assert 0 < refused < 10_000
    assert slowest < 0.05


LONG = [
    "(" * 3999,
    "d6+" * 1300,
    "for n in 1..60: " * 200 + "d6",
    "{" * 2000,
    "not " * 900 + "d6",
    "-" * 3000,
    "if " * 999,
    "output " + "(" * 3000,
    "function: f X:n { result: [f X] + [f X] + [f X] }\noutput [f d6]",
    "loop N over {1..60} {" * 9,
]


@pytest.mark.parametrize("text", LONG)
def test_long_and_deep_texts_end_quickly(text: str) -> None:
    start = time.process_time()
    with pytest.raises(LanguageError):
        read(text)
    assert time.process_time() - start < 0.5


def test_the_front_door_answers_programs_and_points_at_slips() -> None:
    reply = call("dice.program", {"program": "hit = d20+5; if hit >= 15 then 2d6+3 else 0"})
    (only,) = reply["result"]["answers"]
    assert only["mean"] == pytest.approx(11 / 20 * 10)
    assert reply["result"]["notation"] == "oddsmith"
    error = call("dice.program", {"program": "4d6kh9"})["error"]
    assert error["details"]["position"] == 3
    assert error["code"] == "ERR_INVALID_INPUT"


def test_the_old_operation_speaks_the_language() -> None:
    assert call("dice.distribution", {"expression": "4d6!"})["result"]["expression"] == "4D6!"
    assert call("dice.distribution", {"expression": "8d6 count >=5"})["result"]["mean"] == pytest.approx(8 / 3)
    assert call("dice.distribution", {"expression": "2D6; 3D6"})["error"]["details"]["field"] == "expression"
    assert call("dice.distribution", {"expression": 'if d6 > 3 then "a" else "b"'})["ok"] is False
    assert call("dice.roll", {"expression": "4d6kh3!", "seed": 1})["result"]["total"] >= 3

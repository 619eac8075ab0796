"""Numbers as people read them. Pure functions; templates reach them through ``templatetags/odds.py``.

The same rules run in the browser for numbers that change under the finger: ``static/js/lib/odds.js``.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from math import log10

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"

#: The longest tail a sum of doubles can lose: closer to 1 than this is certain, not "almost".
CERTAIN = 1 - 1e-12
#: Dice make small denominators; a double this close to one of them is that fraction, not its neighbour.
EXACT_DENOMINATOR, EXACT_WITHIN = 10_000, 1e-12
ROUGH_DENOMINATOR = 100
HEAT_STEPS = 9
#: Points below this print as 0.00: a difference that small is shown as none.
PRINTS_AS_ZERO = 0.005
#: Above this power of ten there are no words, only the power.
WORDED = 15
SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def fixed(x: float, places: int) -> str:
    """Rounded with halves away from zero, as browsers and people do; thousands separated.

    >>> fixed(56.25, 1), fixed(1234.5, 0)
    ('56.3', '1,235')
    """
    if (2 * x * 10**places) % 2 != 1:  # not a half, nor anything that looks like one: the fast way is right
        return f"{x:,.{places}f}"
    return f"{Decimal(x).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,}"


def loss(points: float) -> str:
    """Points given up, with a minus sign; what would print as 0.00 is no loss.

    >>> loss(1.234), loss(0.004), loss(0)
    ('−1.23', '0.00', '0.00')
    """
    return f"{MINUS}{fixed(points, 2)}" if points >= PRINTS_AS_ZERO else "0.00"


def percent(p: float, places: int = 1) -> str:
    """A probability as a percentage; what can happen is never shown as 0, what can fail never as 100.

    >>> percent(0.6238), percent(0.0004), percent(0.9999), percent(0), percent(1)
    ('62.4\\xa0%', '<0.1\\xa0%', '>99.9\\xa0%', '0\\xa0%', '100\\xa0%')
    """
    if p <= 0:
        return f"0{NBSP}%"
    if p >= CERTAIN:
        return f"100{NBSP}%"
    least = 10**-places
    if 100 * p < least:
        return f"<{least:.{places}f}{NBSP}%"
    if 100 * p > 100 - least:
        return f">{100 - least:.{places}f}{NBSP}%"
    return f"{fixed(100 * p, places)}{NBSP}%"


def percent_parts(p: float, places: int = 1) -> tuple[str, str]:
    """The number and its sign apart, for answers that print the sign smaller.

    >>> percent_parts(0.6238)
    ('62.4', '%')
    """
    shown, _, unit = percent(p, places).partition(NBSP)
    return shown, unit


def one_in(p: float) -> str:
    """A probability as "1 in N"; so close to certain that N would print as 1, by what is missing.

    >>> one_in(1 / 36), one_in(0.6), one_in(1 / 7776), one_in(2e-7), one_in(0), one_in(1)
    ('1 in 36', '1 in 1.7', '1 in 7,776', '1 in 5 million', 'never', 'always')
    >>> one_in(0.9996)
    'all but 1 in 2,500'
    """
    if p <= 0:
        return "never"
    if p >= CERTAIN:
        return "always"
    n = _big(p)
    return f"all but {one_in(1 - p)}" if n == "1" else f"1 in {n}"


def _big(p: float) -> str:
    """1/p in few characters: "1.7", "36", "7,776", "5 million", "10⁴⁶"."""
    if p < 10.0**-WORDED:
        return "10" + str(round(-log10(p))).translate(RAISED)
    scale, word = next(((scale, f" {word}") for scale, word in SCALES if 1 / p >= scale), (1, ""))
    n = 1 / p / scale
    return (fixed(n, 0) if n >= 9.95 else fixed(n, 1).removesuffix(".0")) + word


def fraction(p: float) -> str:
    """A probability as a fraction: the exact one where dice made it, else a close one marked "≈".

    >>> fraction(11 / 36), fraction(0.62381), fraction(0), fraction(1)
    ('11/36', '≈58/93', '0', '1')
    """
    if p <= 0:
        return "0"
    if p >= CERTAIN:
        return "1"
    n, d = closest(p, EXACT_DENOMINATOR)
    if n and abs(n / d - p) <= EXACT_WITHIN:
        return f"{n:,}/{d:,}"
    if p * ROUGH_DENOMINATOR < 1:
        return f"≈1/{_big(p)}"
    if (1 - p) * ROUGH_DENOMINATOR < 1:
        d = round(1 / (1 - p))
        return f"≈{d - 1:,}/{d:,}"
    n, d = closest(p, ROUGH_DENOMINATOR)
    return f"≈{n}/{d}"


def closest(p: float, most: int) -> tuple[int, int]:
    """The fraction nearest to ``p`` with a denominator up to ``most``, by continued fractions.

    ``Fraction.limit_denominator`` does the same with whole numbers of fifty bits and takes thirty times as long, which
    a table of three hundred cells would notice.

    >>> closest(0.3055555555555556, 100)
    (11, 36)
    """
    if 2 * p * most < 1:
        return 0, 1
    n0, d0, n1, d1, x = 0, 1, 1, 0, p
    while d0 + int(x) * d1 <= most:
        a = int(x)
        n0, d0, n1, d1 = n1, d1, n0 + a * n1, d0 + a * d1
        if x == a:
            return n1, d1
        x = 1 / (x - a)
    k = (most - d0) // d1
    bound = n0 + k * n1, d0 + k * d1
    return (n1, d1) if abs(n1 / d1 - p) <= abs(bound[0] / bound[1] - p) else bound


#: The three ways to print a probability, by the name of the preference.
ODDS = {"percent": percent, "fraction": fraction, "one_in": one_in}


def odds(p: float, style: str = "percent") -> str:
    """A probability in the reader's preferred form.

    >>> odds(1 / 6, "fraction")
    '1/6'
    """
    return ODDS.get(style, percent)(p)


def number(x: float, places: int = 2) -> str:
    """Thousands separated, a true minus.

    >>> number(1234.5, 1), number(-0.001)
    ('1,234.5', '0.00')
    """
    text = fixed(x, places)
    return text.replace("-", MINUS) if float(text.replace(",", "")) else f"{0:.{places}f}"


def signed(x: float, places: int = 2) -> str:
    """A difference with its sign; no sign when it rounds to nothing.

    >>> signed(1.2), signed(-3.316), signed(-0.001)
    ('+1.20', '−3.32', '0.00')
    """
    text = number(x, places)
    return f"+{text}" if x > 0 and float(text.replace(",", "")) else text


def trend(x: float, places: int = 2) -> str:
    """The word for a difference's direction as it is printed: ``gain``, ``loss`` or ``even``.

    >>> trend(0.3), trend(-0.3), trend(0.001)
    ('gain', 'loss', 'even')
    """
    text = signed(x, places)
    return {"+": "gain", MINUS: "loss"}.get(text[0], "even")


def heat(p: float | None) -> str:
    """The step of the nine-step ramp for a value from 0 to 1, or "n" where there is nothing to show.

    >>> heat(0.001), heat(0.5), heat(1), heat(0), heat(None)
    ('0', '4', '8', 'n', 'n')
    """
    if p is None or p <= 0:
        return "n"
    return str(min(HEAT_STEPS - 1, int(p * HEAT_STEPS)))


#: A spreadsheet runs whatever begins like this, and people choose names.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> object:
    """A value as a CSV file may have it: every digit of a number, no text that would run.

    >>> cell(1 / 3), cell("=1+1"), cell(None), cell(7)
    ('0.3333333333333333', "'=1+1", '', 7)
    """
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value

"""Numbers as people read them. Pure functions; templates reach them through ``templatetags/odds.py``.

The same rules run in the browser for numbers that change under the finger: ``static/js/odds.js``.
"""

from __future__ import annotations

from fractions import Fraction

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"

#: The longest tail a sum of doubles can lose: closer to 1 than this is certain, not "almost".
CERTAIN = 1 - 1e-12
#: Dice make small denominators; a double this close to one of them is that fraction, not its neighbour.
EXACT_DENOMINATOR, EXACT_WITHIN = 10_000, 1e-12
ROUGH_DENOMINATOR = 100
HEAT_STEPS = 9
SCALES = (
    (10**18, "quintillion"),
    (10**15, "quadrillion"),
    (10**12, "trillion"),
    (10**9, "billion"),
    (10**6, "million"),
)


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
    return f"{100 * p:.{places}f}{NBSP}%"


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
    n = 1 / p
    if _short(n) == "1":
        return f"all but {one_in(1 - p)}"
    scale, word = next(((scale, f" {word}") for scale, word in SCALES if n >= scale), (1, ""))
    return f"1 in {_short(n / scale)}{word}"


def _short(n: float) -> str:
    """One decimal below ten, none above, no trailing zero."""
    return f"{n:,.0f}" if n >= 9.95 else f"{n:.1f}".removesuffix(".0")


def fraction(p: float) -> str:
    """A probability as a fraction: the exact one where dice made it, else a close one marked "≈".

    >>> fraction(11 / 36), fraction(0.62381), fraction(0), fraction(1)
    ('11/36', '≈58/93', '0', '1')
    """
    if p <= 0:
        return "0"
    if p >= CERTAIN:
        return "1"
    exact = Fraction(p).limit_denominator(EXACT_DENOMINATOR)
    if exact and abs(float(exact) - p) <= EXACT_WITHIN:
        return f"{exact.numerator:,}/{exact.denominator:,}"
    rough = Fraction(p).limit_denominator(ROUGH_DENOMINATOR)
    if rough == 0:
        return f"≈1/{round(1 / p):,}"
    if rough == 1:
        n = round(1 / (1 - p))
        return f"≈{n - 1:,}/{n:,}"
    return f"≈{rough.numerator}/{rough.denominator}"


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
    text = f"{x:,.{places}f}"
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

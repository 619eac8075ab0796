"""Why one choice is better than another, in figures of this very position.

A comparison makes at most two claims. *Odds*: the box that best play makes more often after the better choice, with
its chance when it is played for, counted in whole rolls where one roll is left. *Points*: what both bring this turn
on average and what both leave for the rest of the game; the two differences add up to the points lost. Every figure
is kept with the sentence, so that a test can hold it against the analysis.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.dicee.analysis import Option, Position, box_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES, UPPER, UPPER_BONUS
from engine.dicee.lattice import DICE, SIDES
from engine.dicee.outlook import TITLES, Outlook, outlook
from engine.dicee.tables import Table

COUNTABLE = SIDES**3  # outcomes: more than this are told in percent
WORTH_SAYING = 0.02  # a chance must differ by so much to be a reason
#: What making a box is worth when two claims compete for the first sentence.
WORTH = {
    **{box: 3.0 * (number + 1) for number, box in enumerate(BOXES) if number in UPPER},
    "three_of_kind": 20.0,
    "four_of_kind": 22.0,
    "full_house": 25.0,
    "small_straight": 30.0,
    "large_straight": 40.0,
    "dicee": 50.0,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One figure for the better choice and the same for the other. ``about`` names a box for odds."""

    kind: str  # odds, turn, later or bonus
    better: Fraction | float
    other: Fraction | float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    text: str
    claims: tuple[Claim, ...]


def compare(
    position: Position, better: Option, other: Option, table: Table | None, bonus: tuple[float, float] | None = None
) -> Comparison:
    """Why ``better`` is better than ``other``. Without a table: for this turn alone.

    ``bonus`` is what the upper bonus is still worth after each of the two, where that is known.

    >>> from engine.dicee.analysis import analyze
    >>> from engine.dicee.boxes import Scorecard, Variant
    >>> card = Scorecard.from_wire({"fives": 15, "threeOfKind": 20, "chance": 20})
    >>> found = analyze(Position(card, Variant.STANDARD, (5, 5, 5, 2, 6), 1))
    >>> best, spare = found.option(keep=(5, 5, 5)), found.option(keep=(5, 5, 5, 6))
    >>> compare(found.position, best, spare, None).text.split(". ")[0]
    'Keeping 5-5-5 makes Four of a Kind in 11 of 36 rolls, keeping 5-5-5-6 in 6 of 36'
    """
    ahead, rival = (outlook(position, option, table) for option in (better, other))
    claims = [claim for claim in (_odds_claim(position, (better, ahead), (other, rival)),) if claim]
    sentences = [_odds_words(position, better, other, claim) for claim in claims]
    points = _points_claims(position, (better, ahead), (other, rival), table)
    sentences.append(_points_words(position, better, other, points))
    if bonus is not None and f"{bonus[0]:.1f}" != f"{bonus[1]:.1f}":
        points.append(Claim("bonus", *bonus))
        sentences.append(
            f"The bonus of {UPPER_BONUS} is still worth {bonus[0]:.1f} points after {doing(position, better)}, "
            f"{bonus[1]:.1f} after {doing(position, other)}."
        )
    return Comparison(" ".join(sentences), (*claims, *points))


def doing(position: Position, option: Option) -> str:
    """An option as something one does.

    >>> from engine.dicee.boxes import Scorecard, Variant
    >>> here = Position(Scorecard(), Variant.STANDARD, (5, 5, 5, 2, 6), 1)
    >>> doing(here, Option(0.0, 0.0, 1, keep=(5, 5, 5))), doing(here, Option(0.0, 0.0, 1, box="ones"))
    ('keeping 5-5-5', 'striking Ones')
    """
    if option.box:
        points = position.card.legal_scores(position.dice, position.variant)[option.box]
        return f"writing {points} in {TITLES[option.box]}" if points else f"striking {TITLES[option.box]}"
    return f"keeping {'-'.join(map(str, option.keep))}" if option.keep else "rolling all five"


def _odds_claim(position: Position, better: tuple[Option, Outlook], other: tuple[Option, Outlook]) -> Claim | None:
    """The box that best play makes more often after the better keep, the one that matters most in points, with its
    chance when it is played for. Natural scores only, so no jokers."""
    (first, ahead), (second, rival) = better, other
    if first.box or second.box:
        return None
    ours = box_odds(position.dice, position.rolls_left, first.keep)
    theirs = box_odds(position.dice, position.rolls_left, second.keep)
    gains = {
        box: (chance - rival.made.get(box, 0.0)) * WORTH[box]
        for box, chance in ahead.made.items()
        if chance > rival.made.get(box, 0.0) and ours[box].probability - theirs[box].probability >= WORTH_SAYING
    }
    if not gains:
        return None
    box = max(gains, key=lambda name: gains[name])
    return Claim("odds", ours[box].probability, theirs[box].probability, box)


def _odds_words(position: Position, better: Option, other: Option, claim: Claim) -> str:
    box = f"three {TITLES[claim.about]}" if BOX_NUMBER[claim.about] in UPPER else TITLES[claim.about]
    first, second = doing(position, better), doing(position, other)
    whole = SIDES ** (DICE - min(len(better.keep or ()), len(other.keep or ())))
    if position.rolls_left == 1 and whole <= COUNTABLE:
        many, few = (int(chance * whole) for chance in (claim.better, claim.other))
        return f"{_capital(first)} makes {box} in {many} of {whole} rolls, {second} in {few} of {whole}."
    ours, theirs = (f"{100 * float(chance):.1f} %" for chance in (claim.better, claim.other))
    return f"Played for {box}, {first} makes it {ours} of the time, {second} {theirs}."


def _points_claims(
    position: Position, better: tuple[Option, Outlook], other: tuple[Option, Outlook], table: Table | None
) -> list[Claim]:
    if table is None:
        return [Claim("turn", better[0].ev, other[0].ev)]
    now, then = (ahead.points for _, ahead in (better, other))
    return [Claim("turn", now, then), Claim("later", better[0].ev - now, other[0].ev - then)]


def _points_words(position: Position, better: Option, other: Option, claims: list[Claim]) -> str:
    first, second = _capital(doing(position, better)), doing(position, other)
    turn = claims[0]
    later = claims[1] if len(claims) > 1 else Claim("later", 0.0, 0.0)
    now, then = _told(turn)
    if now == then:
        if _same(later):
            return f"Both bring {now} points this turn."
        more, less = _told(later)
        return f"Both bring {now} points this turn; {_small(first)} leaves more for later, {more} against {less}."
    brings = f"{first} brings {now} points this turn on average, {second} {then}"
    if _same(later):
        return f"{brings}."
    ours, theirs = _told(later)
    gains = turn.better > turn.other
    rises = later.better > later.other
    link = "and" if gains == rises else "but"
    return f"{brings}, {link} leaves {'more' if rises else 'less'} for later: {ours} against {theirs}."


def _told(claim: Claim) -> tuple[str, str]:
    """Both figures with as few decimals as tell them apart, two at most."""
    for digits in (1, 2):
        shown = f"{float(claim.better):.{digits}f}", f"{float(claim.other):.{digits}f}"
        if shown[0] != shown[1]:
            return shown
    return shown


def _same(claim: Claim) -> bool:
    first, second = _told(claim)
    return first == second


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _small(words: str) -> str:
    return words[0].lower() + words[1:]

"""A decision in words: what to do, why, what it costs to do otherwise, and what to learn from it.

Nothing here guesses. Where a keep leads comes from following best play forward to every final roll; what a choice
gives up comes from the exact value of every option; which boxes a difference lies in comes from the table of shares.
Wording, bands and tips are tables at the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from engine.dicee import analysis
from engine.dicee.analysis import FIVES, Analysis, Horizon, Option, Position, box_values, odds, position_odds
from engine.dicee.boxes import (
    BOX_NUMBER,
    BOXES,
    CHANCE,
    DICEE,
    DICEE_BONUS,
    FIVE_OF,
    UPPER,
    UPPER_BONUS,
    UPPER_PAR,
    Scorecard,
    rules,
    situation,
)
from engine.dicee.lattice import DICE, ROLLS, SUB_KEEPS, SUB_START, TRANSITION, best_of_keeps, keep_number
from engine.dicee.solver import DICEE_SOURCE, N_SOURCES, SOURCES, TIE, Floats, Ints, row_of, slots
from engine.dicee.tables import Table, slot_of

# Share of the yardstick lost, up to and including (RFC-003 §4.1; yardsticks: ruling D7).
BANDS = (("excellent", 0.05), ("good", 0.10), ("acceptable", 0.20), ("suboptimal", 0.50))
NEAR_TIE = 0.05  # points: less than one point in twenty games
SIMPLE_LIMIT = 200  # characters (RFC-001 §3.2)
LIKELY = 0.10  # destinations below this are not worth a sentence
PAR_COUNT = 3  # of each face

TITLES = {
    **{name: name.capitalize() for name in BOXES},
    "three_of_kind": "Three of a Kind",
    "four_of_kind": "Four of a Kind",
    "full_house": "Full House",
    "small_straight": "Small Straight",
    "large_straight": "Large Straight",
    "upper_bonus": "Upper bonus",
    "dicee_bonus": "Dicee bonus",
}

TIPS = {
    "bonus": "Three of each face makes 63 exactly. Sixes and Fives above par pay for weak Ones and Twos.",
    "strike": "When nothing fits, give up the box that earns least on average: usually Ones, later often Dicee.",
    "chance": "Chance is the safety net. It is worth most when it is still open for a turn that goes wrong.",
    "straight": "An open run of four (2-3-4-5) is completed by two faces, a gap or an end by only one.",
    "kinds": "Pairs and triples build five boxes at once; single high dice build almost nothing.",
    "dicee": "With 50 in the Dicee box every further five of a kind adds 100, whatever box it goes in.",
    "stop": "A made box with little left to gain is better banked: a reroll cannot raise a fixed score.",
    "later": "The best box is not the one that pays most now but the one whose points are hardest to get later.",
    "reroll": "An unused roll is free. Keep what you need and throw the rest unless the box is already full value.",
}


# What a box must pay to count as made: three of a face, anything in the lower section; Chance is never a goal.
MADE = np.array([PAR_COUNT * (box + 1) if box in UPPER else 1 for box in range(len(BOXES))])
MADE[CHANCE] = np.iinfo(MADE.dtype).max

NUMBER = ("none", "one", "two", "three", "four", "five")


class Depth(StrEnum):
    SIMPLE = "simple"
    DETAILED = "detailed"
    EXPERT = "expert"


class Pace(StrEnum):
    """How the upper section stands against three of each face."""

    UNSTARTED = "unstarted"
    AHEAD = "ahead"
    LEVEL = "level"
    BEHIND = "behind"
    SECURED = "secured"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Reason:
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommendation with its reasons, most telling first."""

    option: Option
    text: str
    reasons: tuple[Reason, ...]
    near_tie: bool
    pace: Pace
    made: dict[str, float]  # the boxes best play makes from here, with their chance
    alternatives: tuple[Option, ...]
    tip: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Grade:
    """How good a choice was. ``points_lost`` is optimal minus chosen, never negative (ruling D5)."""

    quality: str
    points_lost: float
    share_lost: float
    chosen: Option
    best: Option
    mistake: str | None  # probability, expected_value or strategy
    summary: str
    reasoning: str
    tip: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """What best play makes of an option: the chance of each final roll and the box it is then written in."""

    final: Floats
    box: Ints
    pays: Ints  # the points of that box
    earns: Floats  # everything the turn then pays, bonuses included (ruling D18)

    @property
    def points(self) -> float:
        """Points expected from this turn."""
        return float(self.final @ self.earns)

    @property
    def made(self) -> dict[str, float]:
        """The boxes best play ends up making, likeliest first. An upper box is made with three of its face."""
        return self._chances(self.pays >= MADE[self.box])

    @property
    def settled(self) -> dict[str, float]:
        """The boxes that take the dice when nothing is made: Chance, a low upper score, a box struck."""
        return self._chances(self.pays < MADE[self.box])

    def _chances(self, which: NDArray[np.bool_]) -> dict[str, float]:
        chance = np.bincount(self.box[which], self.final[which], len(BOXES))
        order = np.argsort(-chance, kind="stable")
        return {BOXES[box]: float(chance[box]) for box in order if chance[box] > 0}


def outlook(position: Position, option: Option, table: Table | None) -> Outlook:
    """Follow an option to the end of the turn under best play (of the game with a table, of the turn without)."""
    scored = box_values(position.card, position.variant, table)
    box = scored.argmax(axis=0)
    final = np.zeros(len(ROLLS))
    if option.box:
        final[position.roll] = 1.0
        box[position.roll] = BOX_NUMBER[option.box]
    else:
        final = TRANSITION[keep_number(option.keep or ())].copy()
        held = scored.max(axis=0)
        plans = []
        for _ in range(position.rolls_left - 1):
            worth = TRANSITION @ held
            plans.append(_best_keep(worth))
            held = best_of_keeps(worth)
        for plan in reversed(plans):
            final = final @ TRANSITION[plan]
    cases = np.zeros(len(ROLLS), np.int64)
    cases[FIVES] = [situation(position.card.filled, int(roll)) for roll in FIVES]
    pays = rules(position.variant).scores[cases, box, np.arange(len(ROLLS))]
    earns = box_values(position.card, position.variant, None)[box, np.arange(len(ROLLS))]
    return Outlook(final, box, np.maximum(pays, 0), np.where(final > 0, earns, 0.0))


def _best_keep(worth: Floats) -> Ints:
    """For each roll its best keep; all five, which comes last, on a tie."""
    is_best = worth[SUB_KEEPS] == np.repeat(best_of_keeps(worth), np.diff(SUB_START))
    last = np.maximum.reduceat(np.where(is_best, np.arange(SUB_KEEPS.size), -1), SUB_START[:-1])
    plan: Ints = SUB_KEEPS[last]
    return plan


def account(position: Position, option: Option, table: Table, shares: Table) -> dict[str, float]:
    """Where the points still to come lie after an option: 13 boxes and two bonuses, adding up to its value."""
    card, ahead = position.card, outlook(position, option, table)
    slot, filled = slot_of(card.filled, card.upper_subtotal), card.filled
    found = np.zeros(N_SOURCES)
    for roll in np.flatnonzero(ahead.final):
        box, pays, chance = int(ahead.box[roll]), int(ahead.pays[roll]), ahead.final[roll]
        there = slot if box not in UPPER else int(slots().after[slot, box, pays // (box + 1)])
        row = row_of(filled | 1 << box, card.holds_dicee or (box == DICEE and pays > 0))
        found += chance * shares.values[row, there]
        found[box] += chance * pays
        found[DICEE_SOURCE] += chance * DICEE_BONUS * (card.holds_dicee and FIVE_OF[roll] >= 0)
    found[SOURCES.index("upper_bonus")] -= card.upper_bonus
    return dict(zip(SOURCES, found.tolist(), strict=True))


def difference(position: Position, better: Option, worse: Option, table: Table, shares: Table) -> dict[str, float]:
    """An EV difference taken apart: what one option expects more (or less) than another in each box and bonus."""
    ours, theirs = (account(position, option, table, shares) for option in (better, worse))
    gaps = {source: ours[source] - theirs[source] for source in SOURCES}
    return dict(sorted(gaps.items(), key=lambda item: -abs(item[1])))


def pace(card: Scorecard) -> Pace:
    """How the upper bonus stands.

    >>> pace(Scorecard.from_wire({"sixes": 24})).value
    'ahead'
    """
    open_faces = [box + 1 for box in UPPER if card.points[box] is None]
    if card.upper_subtotal >= UPPER_PAR:
        return Pace.SECURED
    if card.upper_subtotal + DICE * sum(open_faces) < UPPER_PAR:
        return Pace.DEAD
    if len(open_faces) == len(UPPER):
        return Pace.UNSTARTED
    against = card.upper_subtotal - (UPPER_PAR - PAR_COUNT * sum(open_faces))
    return Pace.AHEAD if against > 0 else Pace.BEHIND if against < 0 else Pace.LEVEL


def advise(
    position: Position, depth: Depth = Depth.SIMPLE, horizon: Horizon = Horizon.GAME, table: Table | None = None
) -> Advice:
    """The best option of a position, in words.

    >>> from engine.dicee.boxes import Variant
    >>> here = Position(Scorecard(), Variant.STANDARD, (2, 3, 4, 5, 6), 1)
    >>> advise(here, horizon=Horizon.TURN).text
    'Score Large Straight for 40. No reroll can raise it.'
    """
    found = analysis.analyze(position, horizon, table)
    best = found.best
    if best.action == "roll":
        text = f"Roll all five dice. {TITLES['upper_bonus']}: {_pace_words(position.card)}"
        return Advice(best, text, (Reason("roll", text),), False, pace(position.card), {}, (), TIPS["bonus"])
    ahead = outlook(position, best, table if horizon is Horizon.GAME else None)
    reasons = _reasons(found, ahead, table)
    wanted = {Depth.SIMPLE: 2, Depth.DETAILED: 5, Depth.EXPERT: len(reasons)}[depth]
    text = " ".join(reason.text for reason in reasons[:wanted])
    if depth is Depth.SIMPLE and len(text) > SIMPLE_LIMIT:
        text = reasons[0].text
    if depth is Depth.EXPERT:
        text += f" {_figures(found)}"
    return Advice(
        best,
        text,
        reasons,
        _near_tie(found),
        pace(position.card),
        ahead.made,
        found.options[1:4],
        TIPS[_lesson(position, best, ahead)],
    )


def _reasons(found: Analysis, ahead: Outlook, table: Table | None) -> tuple[Reason, ...]:
    """The instruction, then every reason that applies, most telling first."""
    position, best = found.position, found.best
    reasons = [Reason("action", _instruction(position, best))]
    if _near_tie(found):
        reasons.append(Reason("near_tie", _tie_words(found)))
    reasons.append(_why(found, ahead))
    reasons += [] if best.box else _odds_reasons(position, best, ahead)
    if found.horizon is Horizon.GAME:
        reasons += _turn_against_rest(found, ahead, table)
    reasons.append(Reason("pace", f"Upper bonus: {_pace_words(position.card)}"))
    if position.card.holds_dicee and not best.box and ahead.final[FIVE_OF >= 0].sum() >= 0.01:
        chance = _percent(ahead.final[FIVE_OF >= 0].sum())
        reasons.append(Reason("dicee_bonus", f"Another five of a kind ({chance}) would add {DICEE_BONUS}."))
    if len(found.options) > 1 and not _near_tie(found):
        other = found.options[1]
        reasons.append(
            Reason("gives_up", f"Next best: {_short(position, other)}, {other.points_lost:.2f} points less.")
        )
    return tuple(reasons)


def _instruction(position: Position, option: Option) -> str:
    if option.box:
        points = position.card.legal_scores(position.dice, position.variant)[option.box]
        extra = " and the +100 bonus" if position.card.bonus_for(position.dice) else ""
        if not points:
            return f"Strike {TITLES[option.box]}{extra}."
        return f"Score {TITLES[option.box]} for {points}{extra}."
    if not option.keep:
        return "Roll all five again."
    return f"Keep {'-'.join(map(str, option.keep))}, roll {NUMBER[DICE - len(option.keep)]}."


def _short(position: Position, option: Option) -> str:
    """An instruction inside a sentence."""
    words = _instruction(position, option)
    return words[0].lower() + words[1:-1]


def _why(found: Analysis, ahead: Outlook) -> Reason:
    """The one reason a beginner needs."""
    position, best = found.position, found.best
    if best.box:
        return _why_score(position, best.box, int(ahead.pays[position.roll]), found.horizon)
    return _why_keep(position, best, ahead)


def _why_score(position: Position, box: str, points: int, horizon: Horizon) -> Reason:
    number, this_turn_only = BOX_NUMBER[box], horizon is Horizon.TURN
    if not points and this_turn_only:
        return Reason("strike", "No open box pays anything for these dice.")
    if not points:
        return Reason("strike", f"Nothing here pays enough, and {TITLES[box]} is the cheapest box to lose.")
    if position.rolls_left and points == rules(position.variant).scores[:, number].max():
        return Reason("full_value", "No reroll can raise it.")
    if position.rolls_left:
        return Reason("bank", "Rolling again would risk more than it could add.")
    if number == CHANCE:
        return Reason("chance", "Nothing better is made, and Chance takes any dice.")
    if this_turn_only:
        return Reason("best_box", "No other box pays more for these dice.")
    if number in UPPER and pace(position.card) not in (Pace.DEAD, Pace.SECURED):
        over = points // (number + 1) - PAR_COUNT
        if over >= 0:
            gain = f"puts you {over * (number + 1)} ahead of" if over else "is exactly"
            return Reason(
                "par", f"{NUMBER[over + PAR_COUNT].capitalize()} of a face {gain} the par the upper bonus needs."
            )
        return Reason("dump", f"It is below par, but {TITLES[box]} is where a bad roll costs least.")
    return Reason("best_box", "No other box does more with these dice over the rest of the game.")


def _why_keep(position: Position, best: Option, ahead: Outlook) -> Reason:
    alone = position_odds(position, best.keep)
    safe = [box for box in ahead.made if alone[box].probability == 1]
    goals = [f"{TITLES[box]} ({_percent(p)})" for box, p in ahead.made.items() if p >= LIKELY and box not in safe][:2]
    if safe and goals:
        return Reason("improve", f"{TITLES[safe[0]]} is already safe; it can still become {' or '.join(goals)}.")
    if safe:
        return Reason("add", f"{TITLES[safe[0]]} is already safe; the roll can only add to it.")
    if goals:
        return Reason("going_for", f"It goes for {' or '.join(goals)}.")
    if BOXES[CHANCE] in ahead.settled:
        points = float(alone[BOXES[CHANCE]].expected)
        return Reason("raise_chance", f"Little can be made; these dice average {points:.1f} for Chance.")
    return Reason("open", "No box stands out; this keeps the most of them within reach.")


def _odds_reasons(position: Position, best: Option, ahead: Outlook) -> list[Reason]:
    """The exact odds of the first goal, and what happens when it fails."""
    alone = position_odds(position, best.keep)
    reasons = []
    goal = next((box for box in ahead.made if 0 < alone[box].probability < 1), None)
    if goal:
        what = f"three {TITLES[goal]}" if BOX_NUMBER[goal] in UPPER else TITLES[goal]
        chance = odds(alone[goal].probability)
        reasons.append(
            Reason("odds", f"Played for alone, {what} comes {chance.percent} of the time ({chance.one_in}).")
        )
    fallback = next(iter(ahead.settled.items()), None)
    if fallback and fallback[1] >= LIKELY:
        reasons.append(
            Reason("fallback", f"If it misses, {TITLES[fallback[0]]} takes the loss ({_percent(fallback[1])}).")
        )
    return reasons


def _percent(p: float) -> str:
    return f"{p:.0%}".replace("%", " %")


def _turn_against_rest(found: Analysis, ahead: Outlook, table: Table | None) -> list[Reason]:
    """Say so when the most points now and the best choice for the game are different things.

    Both figures are of one way to play on: the turn played out for its own points (of boxes that pay the same, the
    better one for the game), the game perfectly after it.
    """
    short = analysis.analyze(found.position)
    now = short.best
    same = now.box == found.best.box and now.keep == found.best.keep
    if same or found.option(keep=now.keep, box=now.box).points_lost <= NEAR_TIE:
        return []
    position, greedy = found.position, outlook(found.position, now, None)
    this_turn, game = (box_values(position.card, position.variant, ahead_of) for ahead_of in (None, table))
    worth = np.where(this_turn >= this_turn.max(axis=0) - TIE, game, -np.inf).max(axis=0)
    cost = found.ev - float(greedy.final @ worth)
    gain = max(0.0, short.ev - ahead.points)
    return [
        Reason(
            "turn_against_rest",
            f"For points this turn alone: {_short(found.position, now)} (+{gain:.1f} now), but that costs "
            f"{gain + cost:.1f} later.",
        )
    ]


def _near_tie(found: Analysis) -> bool:
    return len(found.options) > 1 and found.options[1].points_lost <= NEAR_TIE


def _tie_words(found: Analysis) -> str:
    other = found.options[1]
    if other.points_lost <= TIE:
        return f"Exactly as good: {_short(found.position, other)}."
    return f"Effectively tied with {_short(found.position, other)}, {other.points_lost:.2f} points behind."


def _pace_words(card: Scorecard) -> str:
    open_faces = [box for box in UPPER if card.points[box] is None]
    needed = UPPER_PAR - card.upper_subtotal
    against = card.upper_subtotal - (UPPER_PAR - PAR_COUNT * sum(box + 1 for box in open_faces))
    names = ", ".join(TITLES[BOXES[box]] for box in open_faces)
    return {
        Pace.SECURED: f"secured, {UPPER_BONUS} points are yours.",
        Pace.DEAD: f"out of reach, {needed} short{f' with only {names} open' if names else ''}.",
        Pace.UNSTARTED: "not started, three of each face makes it.",
        Pace.AHEAD: f"{against} ahead of pace, {needed} to go with {names}.",
        Pace.LEVEL: f"exactly on pace, three each of {names} makes it.",
        Pace.BEHIND: f"{-against} behind pace, {needed} to go with {names}.",
    }[pace(card)]


def _figures(found: Analysis) -> str:
    """The expert's line: the value, and the three best options with what they lose."""
    listed = "; ".join(
        f"{_short(found.position, option)} {option.ev:.3f}"
        + (f" (−{option.points_lost:.3f})" if option.points_lost > TIE else "")
        for option in found.top
    )
    what = "points to come" if found.horizon is Horizon.GAME else "points this turn"
    return f"Value {found.ev:.3f} {what}. Ranked: {listed}."


def _lesson(position: Position, best: Option, ahead: Outlook) -> str:
    """Which tip fits the decision."""
    if best.box:
        if not ahead.pays[position.roll]:
            return "strike"
        if best.box == BOXES[CHANCE]:
            return "chance"
        if BOX_NUMBER[best.box] in UPPER and pace(position.card) not in (Pace.DEAD, Pace.SECURED):
            return "bonus"
        return "stop" if position.rolls_left else "later"
    if position.card.holds_dicee and len(set(best.keep or ())) == 1 and len(best.keep or ()) >= PAR_COUNT:
        return "dicee"
    if "straight" in next(iter(ahead.made), ""):
        return "straight"
    return "kinds" if best.keep and len(set(best.keep)) <= 2 else "reroll"


def grade(
    position: Position,
    *,
    keep: Sequence[int] | None = None,
    box: str | None = None,
    horizon: Horizon = Horizon.GAME,
    table: Table | None = None,
) -> Grade:
    """Judge a choice against the best one. Bands are shares of the turn's optimum in both horizons (ruling D7)."""
    found = analysis.analyze(position, horizon, table)
    chosen, best = found.option(keep=keep, box=box), found.best
    lost = chosen.cost
    yardstick = found.ev if horizon is Horizon.TURN else analysis.analyze(position).ev
    quality, share = band(lost, yardstick)
    ahead = outlook(position, best, table if horizon is Horizon.GAME else None)
    lesson = TIPS[_lesson(position, best, ahead)]
    if not lost:
        words = "The best choice." if found.ties == 1 else f"One of {found.ties} equally good choices."
        return Grade(quality, 0.0, 0.0, chosen, best, None, words, _why(found, ahead).text, lesson)
    mistake = _mistake(position, chosen, best, ahead, table if horizon is Horizon.GAME else None)
    summary = f"Better by {lost:.2f} points: {_short(position, best)}."
    if lost <= NEAR_TIE:
        summary = f"As good as it gets: {lost:.2f} points from the best choice."
    return Grade(quality, lost, share, chosen, best, mistake, summary, MISTAKES[mistake], lesson)


MISTAKES = {
    "probability": "Both choices chase the same box; the better one gets there more often.",
    "expected_value": "The better choice brings more points this turn on average.",
    "strategy": "It pays at least as much this turn, but uses up something the rest of the game needs.",
}


def _mistake(position: Position, chosen: Option, best: Option, ahead: Outlook, table: Table | None) -> str:
    """What kind of thing was misjudged: what comes later, the odds of a shared target, or points now."""
    mine = outlook(position, chosen, table)
    if mine.points >= ahead.points - TIE:
        return "strategy"
    if not (chosen.box or best.box) and next(iter(mine.made), 0) == next(iter(ahead.made), 1):
        return "probability"
    return "expected_value"


def band(lost: float, yardstick: float) -> tuple[str, float]:
    """The quality of a loss against a yardstick, and the share it is.

    >>> band(0.0, 0.0), band(1.0, 20.0)[0], band(1.0, 0.0)[0]
    (('optimal', 0.0), 'excellent', 'poor')
    """
    if lost <= 0:
        return "optimal", 0.0
    if yardstick <= 0:
        return "poor", 1.0
    share = lost / yardstick
    return next((name for name, limit in BANDS if share <= limit + TIE), "poor"), share

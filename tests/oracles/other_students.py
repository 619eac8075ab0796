"""Players of other kinds than those of the study: rules applied with a probability, odd beliefs, odd carelessness.

Nothing here knows of patterns, opportunities or ways of erring. A policy looks at the analysis of a position and
picks; ``expected`` are the names a teacher would accept for it, none for players without a habit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.dicee.analysis import Analysis, Horizon, Option, Position, analyze
from engine.dicee.boxes import BOXES, Scorecard, Variant
from engine.dicee.learning import Observation, observe
from engine.dicee.learning.students import Belief, Student, choose
from engine.dicee.tables import Table

UPPER_BOXES = BOXES[:6]
DICEE_BOX = "dicee"


@dataclass
class Moment:
    """What a policy may look at."""

    found: Analysis
    luck: random.Random
    game: int  # the first is 0
    turn: int
    held: tuple[int, ...]
    table: Table
    memory: dict[str, float] = field(default_factory=dict)  # of one game

    @property
    def here(self) -> Position:
        return self.found.position

    @property
    def rolling(self) -> bool:
        return self.here.rolls_left > 0

    @property
    def scores(self) -> dict[str, int]:
        return self.here.card.legal_scores(self.here.dice, self.here.variant)

    @property
    def every(self) -> list[Option]:
        return [*self.found.keeps, *self.found.boxes]

    def soft(self, temperature: float, among: Sequence[Option] | None = None) -> Option:
        options = list(among if among is not None else self.every)
        weights = [
            math.exp(-max(o.points_lost - min(p.points_lost for p in options), 0) / temperature) for o in options
        ]
        return self.luck.choices(options, weights)[0]


Policy = Callable[[Moment], Option]


@dataclass(frozen=True)
class Other:
    name: str
    policy: Policy
    expected: tuple[str, ...] = ()  # acceptable first names
    tolerated: tuple[str, ...] = ()  # true of the player, though not what was planted


def softly(temperature: float) -> Policy:
    return lambda m: m.soft(temperature)


def with_rule(rule: Callable[[Moment], Option | None], share: float = 1.0, temperature: float = 0.3) -> Policy:
    def policy(m: Moment) -> Option:
        if m.luck.random() < share and (wanted := rule(m)) is not None:
            return wanted
        return m.soft(temperature)

    return policy


# -- Rules ----------------------------------------------------------------------------------------------------------


def stop_on_twenty(m: Moment) -> Option | None:
    box, points = max(m.scores.items(), key=lambda item: item[1])
    return m.found.option(box=box) if m.rolling and points >= 20 else None


def pair_over_run(m: Moment) -> Option | None:
    dice = sorted(m.here.dice)
    faces = sorted(set(dice))
    run = any({f, f + 1, f + 2} <= set(faces) for f in range(1, 5))
    pairs = [f for f in faces if dice.count(f) == 2]
    if m.rolling and run and pairs and not any(dice.count(f) > 2 for f in faces):
        return m.found.option(keep=(pairs[-1],) * 2)
    return None


def chance_unless_twenty(m: Moment) -> Option | None:
    scores = m.scores
    if m.rolling or "chance" not in scores or any(v >= 20 for k, v in scores.items() if k != "chance"):
        return None
    return m.found.option(box="chance")


def most_points(m: Moment) -> Option | None:
    if m.rolling:
        return None
    scores = m.scores
    return m.found.option(box=max(scores, key=lambda box: scores[box]))


def commonest_face(m: Moment) -> Option | None:
    if not m.rolling:
        return most_points(m)
    dice = m.here.dice
    face = max(set(dice), key=lambda f: (dice.count(f), f))
    if dice.count(face) == 5:
        return None
    return m.found.option(keep=(face,) * dice.count(face))


def believing(belief: Belief, temperature: float = 0.3, when: Callable[[Moment], bool] | None = None) -> Policy:
    student = Student("", belief=belief, noise=temperature)
    sober = Student("", noise=temperature)

    def policy(m: Moment) -> Option:
        thinks = student if when is None or when(m) else sober
        chosen = choose(thinks, m.here, m.table, m.luck)
        return m.found.option(keep=chosen.keep, box=chosen.box)

    return policy


def behind(m: Moment) -> bool:
    return m.here.card.grand_total < 19 * (m.turn - 1)


def set_when_behind(m: Moment) -> Option | None:
    """Goes for five of a kind whenever the score is poor and the box is open."""
    dice = m.here.dice
    face = max(set(dice), key=lambda f: (dice.count(f), f))
    if not m.rolling or not behind(m) or DICEE_BOX not in m.here.card.open_boxes or not 2 <= dice.count(face) < 5:
        return None
    return m.found.option(keep=(face,) * dice.count(face))


def upper_in_order(m: Moment) -> Option | None:
    """Writes the upper box that pays most while any is open."""
    scores = {box: v for box, v in m.scores.items() if box in UPPER_BOXES and v > 0}
    return None if m.rolling or not scores else m.found.option(box=max(scores, key=lambda box: scores[box]))


def never_two_pairs(m: Moment) -> Option | None:
    best = m.found.best.keep
    if m.rolling and best is not None and len(best) == 4 and len(set(best)) == 2 and best.count(best[0]) == 2:
        return m.found.option(keep=best[2:])
    return None


def never_chance(m: Moment) -> Option | None:
    others = [o for o in m.found.boxes if o.box != "chance"]
    return others[0] if not m.rolling and m.found.best.box == "chance" and others else None


def never_rethrow(m: Moment) -> Option | None:
    if not m.rolling or not m.held:
        return None
    fine = [o for o in m.found.keeps if all((o.keep or ()).count(f) >= m.held.count(f) for f in set(m.held))]
    best = m.found.best
    if best.box or not fine or any(o.keep == best.keep for o in fine):
        return None
    return fine[0]


def roll_with_made(m: Moment) -> Option | None:
    return m.found.keeps[0] if m.rolling and m.found.best.box and m.scores[m.found.best.box] >= 15 else None


def never_zero(m: Moment) -> Option | None:
    paying = [o for o in m.found.boxes if m.scores[str(o.box)] > 0]
    return paying[0] if not m.rolling and paying and not m.scores[str(m.found.best.box)] else None


def fresh_five(m: Moment) -> Option | None:
    dice = m.here.dice
    if m.rolling and max(map(dice.count, dice)) <= 2 and not m.found.best.box:
        return m.found.option(keep=())
    return None


def six_only(m: Moment) -> Option | None:
    dice = m.here.dice
    if m.rolling and dice.count(6) == 1 and max(map(dice.count, dice)) <= 2 and not m.found.best.box:
        return m.found.option(keep=(6,))
    return None


def four_in_hand(m: Moment) -> Option | None:
    """Always holds one die too many beside a set."""
    best = m.found.best.keep
    if not m.rolling or best is None or len(best) not in (2, 3) or len(set(best)) > 1:
        return None
    spare = [f for f in m.here.dice if f != best[0]]
    return m.found.option(keep=tuple(sorted((*best, max(spare))))) if spare else None


def run_over_pair(m: Moment) -> Option | None:
    faces = sorted(set(m.here.dice))
    for low in range(4, 0, -1):
        run = (low, low + 1, low + 2)
        if m.rolling and set(run) <= set(faces) and not m.found.best.box:
            return m.found.option(keep=run)
    return None


def zero_in_straight(m: Moment) -> Option | None:
    for box in ("large_straight", "full_house", "four_of_kind"):
        if not m.rolling and m.scores.get(box) == 0 and m.scores[str(m.found.best.box)] < 10:
            return m.found.option(box=box)
    return None


def lucky_four(m: Moment) -> Option | None:
    """Holds fours, whatever else lies there."""
    fours = m.here.dice.count(4)
    if m.rolling and 0 < fours < 5 and not m.found.best.box:
        return m.found.option(keep=(4,) * fours)
    return None


def more_dice(m: Moment) -> Option | None:
    """Of keeps within three points of the best, the one that holds most dice."""
    if not m.rolling or m.found.best.box:
        return None
    near = [o for o in m.found.keeps if o.points_lost <= 3]
    return max(near, key=lambda o: len(o.keep or ())) if near else None


def dicee_held_open(m: Moment) -> Option | None:
    others = [o for o in m.found.boxes if o.box != DICEE_BOX]
    return others[0] if not m.rolling and m.found.best.box == DICEE_BOX and others and not m.scores[DICEE_BOX] else None


# -- Odd carelessness -------------------------------------------------------------------------------------------------


def second_or_third(share: float, keeping: bool = True, writing: bool = True) -> Policy:
    def policy(m: Moment) -> Option:
        if (keeping if m.rolling else writing) and m.luck.random() < share:
            return m.found.options[min(m.luck.choice((1, 2)), len(m.found.options) - 1)]
        return m.found.best

    return policy


def any_of_top(top: int, share: float) -> Policy:
    return lambda m: m.luck.choice(m.found.options[:top]) if m.luck.random() < share else m.found.best


def any_within(points: float, share: float) -> Policy:
    def policy(m: Moment) -> Option:
        near = [o for o in m.every if o.points_lost <= points]
        return m.luck.choice(near) if m.luck.random() < share else m.found.best

    return policy


def any_box(share: float) -> Policy:
    return lambda m: m.luck.choice(m.found.boxes) if not m.rolling and m.luck.random() < share else m.found.best


def any_keep(share: float) -> Policy:
    return lambda m: m.luck.choice(m.found.keeps) if m.rolling and m.luck.random() < share else m.found.best


def changing(temperature: Callable[[Moment], float]) -> Policy:
    return lambda m: m.soft(max(0.05, temperature(m)))


def relative(share: float) -> Policy:
    """Carelessness in proportion to what is at stake this turn."""
    return lambda m: m.soft(max(0.05, share * max(m.scores.values())))


def blurred(spread: float, heavy: bool = False) -> Policy:
    def policy(m: Moment) -> Option:
        def seems(o: Option) -> float:
            off = m.luck.gauss(0, spread)
            return -o.points_lost + (off / max(0.2, abs(m.luck.gauss(0, 1))) if heavy else off)

        return max(m.found.options, key=seems)

    return policy


def clustered(m: Moment) -> Option:
    """Spells of inattention that last several decisions."""
    if m.memory.get("away", 0) > 0:
        m.memory["away"] -= 1
        return m.soft(4.0)
    if m.luck.random() < 0.05:
        m.memory["away"] = 5
    return m.soft(0.2)


def after_bad_turn(m: Moment) -> float:
    """Hotter while behind."""
    return 2.0 if behind(m) else 0.2


NULLS = (
    Other("steady 0.15", softly(0.15)),
    Other("steady 0.3", softly(0.3)),
    Other("steady 0.6", softly(0.6)),
    Other("steady 1.2", softly(1.2)),
    Other("steady 2.5", softly(2.5)),
    Other("steady 6", softly(6.0)),
    Other("keeps carelessly", lambda m: m.soft(2.0) if m.rolling else m.found.best),
    Other("any keep 15 %", any_keep(0.15)),
    Other("writes carelessly", lambda m: m.found.best if m.rolling else m.soft(2.0)),
    Other("writes very carelessly", lambda m: m.found.best if m.rolling else m.soft(5.0)),
    Other("any box 12 %", any_box(0.12)),
    Other("second or third 25 %", second_or_third(0.25)),
    Other("second or third 50 %", second_or_third(0.5)),
    Other("second or third when writing", second_or_third(0.3, keeping=False)),
    Other("second or third when keeping", second_or_third(0.3, writing=False)),
    Other("any of the top five 20 %", any_of_top(5, 0.2)),
    Other("any within 5 points 10 %", any_within(5.0, 0.1)),
    Other("any within 10 points 10 %", any_within(10.0, 0.1)),
    Other("any within 3 points always", any_within(3.0, 1.0)),
    Other("tires within a game", changing(lambda m: 0.1 + 0.25 * (m.turn - 1))),
    Other("warms up within a game", changing(lambda m: 3.0 - 0.22 * (m.turn - 1))),
    Other("improves", changing(lambda m: 2.6 - 0.08 * m.game)),
    Other("gets worse", changing(lambda m: 0.2 + 0.08 * m.game)),
    Other("reckless every third game", changing(lambda m: 3.5 if m.game % 3 == 0 else 0.3)),
    Other("rushes the first keep", changing(lambda m: 3.0 if m.here.rolls_left == 2 else 0.2)),
    Other("rushes the second keep", changing(lambda m: 3.0 if m.here.rolls_left == 1 else 0.2)),
    Other("hot while behind", changing(after_bad_turn)),
    Other("relative to the stakes", relative(0.08)),
    Other("blurred 1", blurred(1.0)),
    Other("blurred 3", blurred(3.0)),
    Other("blurred, heavy tails", blurred(0.7, heavy=True)),
    Other("spells of inattention", clustered),
)

HABITS = (
    Other("stops on any 20", with_rule(stop_on_twenty), ("stops_early",)),
    Other("pairs over runs", with_rule(pair_over_run, 0.8), ("pairs_over_runs",)),
    Other("pairs over runs, mild", with_rule(pair_over_run, 0.35), ("pairs_over_runs",)),
    Other("Chance unless 20 elsewhere", with_rule(chance_unless_twenty), ("chance_early",)),
    Other("most points", with_rule(most_points), ("most_now",), ("chance_early",)),
    Other("commonest face, most points", with_rule(commonest_face), ("most_now", "pairs_over_runs", "chases_dicee")),
    Other("no bonus", believing(Belief(upper_bonus=0)), ("ignores_bonus",)),
    Other("chases Dicee", believing(Belief(dicee=200)), ("chases_dicee",)),
    Other("chases Dicee when behind", with_rule(set_when_behind), ("chases_dicee",)),
    Other("upper section first", with_rule(upper_in_order), ("upper_first",)),
    Other("upper section first, mild", with_rule(upper_in_order, 0.5), ("upper_first",)),
    Other("never two pairs", with_rule(never_two_pairs), ("splits_two_pairs",)),
    Other("saves Chance", with_rule(never_chance), ("saves_chance",)),
    Other("never throws a held die", with_rule(never_rethrow), ("clings",)),
    Other("rolls on with a made box", with_rule(roll_with_made), ("risks_made",), ("chases_dicee",)),
    Other("never a zero", with_rule(never_zero), ("avoids_zero",), ("chases_dicee",)),
    Other("throws all five", with_rule(fresh_five, 0.7), ("throws_all",)),
    Other("holds a lone six", with_rule(six_only), ("keeps_highest",)),
    Other("one die too many", with_rule(four_in_hand, 0.6), ("keeps_kicker",)),
    Other("runs over pairs", with_rule(run_over_pair, 0.6), ("chases_straights",)),
    Other("strikes big boxes", with_rule(zero_in_straight), ("strikes_big",)),
)

#: Habits that have no name of their own: silence is right, a name that is true of them is tolerated.
UNNAMED = (
    Other("believes in Dicee when behind", believing(Belief(dicee=250), when=behind), (), ("chases_dicee",)),
    Other("overvalues the bonus", believing(Belief(upper_bonus=100)), (), ("upper_first",)),
    Other("loves fours", with_rule(lucky_four, 0.7), (), ("throws_all",)),
    Other("holds more dice", with_rule(more_dice), (), ("keeps_kicker",)),
    Other("never strikes Dicee", with_rule(dicee_held_open), (), ("chases_dicee",)),
)

#: The opposite of what a player does must never be named.
OPPOSITES = {
    "upper section first": "ignores_bonus",
    "upper section first, mild": "ignores_bonus",
    "overvalues the bonus": "ignores_bonus",
    "no bonus": "upper_first",
    "saves Chance": "chance_early",
    "Chance unless 20 elsewhere": "saves_chance",
    "pairs over runs": "chases_straights",
    "runs over pairs": "pairs_over_runs",
    "stops on any 20": "risks_made",
    "rolls on with a made box": "stops_early",
}


def play(other: Other, seed: int, game: int, table: Table) -> tuple[list[Observation], int]:
    """One game: its decisions as the learning model sees them, and the score."""
    luck, card = random.Random(f"{other.name}/{seed}/{game}"), Scorecard()
    seen: list[Observation] = []
    memory: dict[str, float] = {}
    for turn in range(1, len(BOXES) + 1):
        dice = tuple(luck.randint(1, 6) for _ in range(5))
        held: tuple[int, ...] = ()
        for left in (2, 1, 0):
            here = Position(card, Variant.STANDARD, dice, left)
            found = analyze(here, Horizon.GAME, table)
            chosen = other.policy(Moment(found, luck, game, turn, held, table, memory))
            seen.append(observe(here, chosen, found, held=held))
            if chosen.box:
                card = card.after(chosen.box, dice, here.variant)
                break
            held = chosen.keep or ()
            dice = (*held, *(luck.randint(1, 6) for _ in range(5 - len(held))))
    return seen, card.grand_total

"""The view model of the table page: the table, and the coach's numbers for each line of the card."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.forms.utils import flatatt
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from apps.accounts.models import Player
from apps.core import formats
from apps.core.formats import PRINTS_AS_ZERO
from apps.dicee.models import Game, Mode
from apps.dicee.services import chances, horizon, store
from apps.dicee.services.page import coach, news
from apps.dicee.services.page.coach import Words
from apps.dicee.services.page.ending import Ending, ending
from apps.dicee.services.page.look import Look
from apps.dicee.services.page.news import Happening
from apps.dicee.services.page.phrases import PHRASES
from apps.dicee.services.table import Card, Place, TableView, table_view
from engine.dicee import advice, holds
from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, UPPER, UPPER_BONUS, UPPER_PAR
from engine.dicee.holds import Hold, Numbers
from engine.dicee.lattice import DICE
from engine.dicee.tables import Table

#: Title, short title for a phone, sign where there is no die to draw.
BOX_WORDS = (
    ("Ones", "Ones", ""), ("Twos", "Twos", ""), ("Threes", "Threes", ""), ("Fours", "Fours", ""),
    ("Fives", "Fives", ""), ("Sixes", "Sixes", ""), ("Three of a kind", "3 of a kind", "3×"),
    ("Four of a kind", "4 of a kind", "4×"), ("Full house", "Full house", "3+2"),
    ("Small straight", "Sm straight", "4→"), ("Large straight", "Lg straight", "5→"), ("Dicee", "Dicee", "5×"),
    ("Chance", "Chance", "Σ"),
)  # fmt: skip
SHOWN_HOLDS = 6
FREE_WORDS = ("nothing", "1 die", "2 dice", "3 dice", "4 dice", "5 dice")
ROLLS_PER_TURN = 3
#: What the tutorial says at each step.
STEPS = {
    1: "Roll all five dice. A turn has three rolls and fills one box.",
    2: "Tap the dice you want to keep, then roll the rest; or tap a box's name to see what goes in.",
    3: "No rolls left: tap a number under “Now” to write the dice into that box.",
}


def attributes(values: dict[str, Any]) -> SafeString:
    """Attributes of an element; those that are None or False are left out."""
    return mark_safe(flatatt({name: value for name, value in values.items() if value is not None}).lstrip())


# -- The scorecard with numbers -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A line of the scorecard. Numbers are those of the hold on show; ``best_bar`` is what the best hold would have."""

    number: int
    points: int | None
    now: int | None = None  # what the dice on the table pay here; None if nothing may be written now
    p: float = 0.0
    expected: float = 0.0
    final: float | None = None
    rank: int = 0  # 0 while nothing is ranked
    writable: bool = False  # the viewer may write the dice here now
    bar: float = 0.0  # expected points as a share of the best box's
    best_bar: float = 0.0

    @property
    def name(self) -> str:
        return BOXES[self.number]

    @property
    def title(self) -> str:
        return BOX_WORDS[self.number][0]

    @property
    def short(self) -> str:
        return BOX_WORDS[self.number][1]

    @property
    def sign(self) -> str:
        return BOX_WORDS[self.number][2]

    @property
    def face(self) -> int:
        return self.number + 1 if self.number in UPPER else 0

    @property
    def asked(self) -> str:
        """The box as the question for its odds names it: of an upper box, three or more (ruling D16)."""
        return f"three or more {self.title}" if self.face else self.title

    @property
    def word(self) -> str:
        return coach.word(self.p, best=self.rank == 1)

    @property
    def fraction(self) -> str:
        """The chance as a fraction where it is an exact one, else as "1 in N"; card.js prints the same."""
        exact = formats.fraction(self.p)
        return formats.one_in(self.p) if exact.startswith("≈") else exact

    @property
    def is_ranked(self) -> bool:
        return self.rank > 0

    @property
    def classes(self) -> str:
        states = {"score-row--done": self.points is not None, "score-row--best": self.rank == 1}
        return " ".join(["score-row", *(name for name, holds in states.items() if holds)])

    @property
    def attributes(self) -> SafeString:
        """What the scripts read off a row: of an open box its number and what it would write, else its name."""
        if not self.writable:
            return attributes({"data-done": self.name})
        return attributes(
            {
                "data-box": self.number,
                "data-name": self.name,
                "data-title": self.title,
                "data-now": self.now,
                "style": f"--bar:{self.bar:.1f};--tick:{self.best_bar:.1f}" if self.is_ranked else None,
            }
        )


@dataclass(frozen=True)
class Die:
    number: int  # 1–5
    face: int
    held: bool


@dataclass(frozen=True)
class HoldCost:
    """A hold beside the best: the points it costs, and that as the share of the longest bar in percent."""

    keep: tuple[int, ...]
    lost: float
    share: float

    @property
    def words(self) -> str:
        """Said instead of drawn where there is no die to draw."""
        return {0: "roll all", DICE: "stop here"}.get(len(self.keep), "")

    @property
    def spoken(self) -> str:
        return {0: "Roll all five", DICE: "Stop and write"}.get(len(self.keep), f"Keep {' '.join(map(str, self.keep))}")


@dataclass(frozen=True)
class OptionLine:
    """A line of the expert's list: a hold or a box, its expected final score, and its worth this turn alone."""

    name: str
    final: float
    lost: float
    turn: float

    @property
    def lost_words(self) -> str:
        return loss(self.lost)


@dataclass(frozen=True)
class UpperBonus:
    """How far the upper section is; ``par`` is where three of each face so far would be, in percent."""

    have: int
    ahead: int
    need: int = UPPER_PAR
    pays: int = UPPER_BONUS

    @property
    def share(self) -> float:
        return min(100.0, 100 * self.have / self.need)

    @property
    def par(self) -> float:
        return max(0.0, 100 * (self.have - self.ahead) / self.need)

    @property
    def paid_words(self) -> str:
        """The bonus as part of the upper total."""
        return f"with +{self.pays} bonus" if self.have >= self.need else f"bonus +{self.pays} at {self.need}"

    @property
    def par_words(self) -> str:
        return f"{formats.signed(self.ahead, 0) if self.ahead else '±0'} par"


@dataclass(frozen=True)
class TotalLine:
    """A line of the card that sums up a section."""

    label: str
    points: int
    note: str


def loss(points: float) -> str:
    """Points given away as they are printed.

    >>> loss(1.6), loss(0.001)
    ('−1.60', '0.00')
    """
    return f"−{formats.number(points, 2)}" if points >= PRINTS_AS_ZERO else "0.00"


def roll_name(player_ref: uuid.UUID | None, turn: int, roll: int) -> str:
    """What the dice of one roll are called on the page, and by whoever remembers something about them."""
    return f"{player_ref.hex[:6] if player_ref else ''}.{turn}.{roll}"


def standing(places: Sequence[Place]) -> str:
    """Who won and by how much, as the viewer would say it."""
    winners = [place for place in places if place.won]
    if not winners:
        return "Nobody finished."
    best = winners[0].card.total
    names = " and ".join(place.shown_name for place in winners)
    if len(winners) > 1:
        return f"{names} share the win with {best} each."
    behind = max((place.card.total for place in places if not place.won), default=None)
    margin = "" if behind is None else f", {best - behind} ahead"
    return f"{names} {'win' if winners[0].is_me else 'wins'} with {best}{margin}."


@dataclass(frozen=True)
class TablePage:
    """Everything ``templates/dicee/table.html`` prints: the table, and what the coach makes of it."""

    table: TableView
    look: Look
    position: Position | None  # of whoever is on turn
    solved: Table | None
    happenings: tuple[Happening, ...] = ()  # the last round, oldest first
    viewer: Player | None = None

    @property
    def shown(self) -> Place:
        """Whose card is on the page: yours; a spectator follows whoever plays, and at the end sees who won."""
        winner = next((place for place in self.table.places if place.won), self.table.places[0])
        return self.table.me or self.table.on_turn or winner

    @property
    def card(self) -> Card:
        return self.shown.card

    @property
    def many(self) -> bool:
        return len(self.table.places) > 1

    @property
    def dice(self) -> tuple[Die, ...]:
        held = self.table.kept_mask if self.table.rolls_left else (False,) * DICE
        return tuple(Die(i + 1, face, held[i]) for i, face in enumerate(self.table.dice))

    @property
    def free(self) -> int:
        return sum(not die.held for die in self.dice) if self.dice else DICE

    @property
    def free_words(self) -> str:
        return FREE_WORDS[self.free]

    @property
    def all_free_words(self) -> str:
        """What the button says for no, one, … five dice to roll, for the script."""
        return "|".join(FREE_WORDS)

    @property
    def headline(self) -> str:
        """What is going on, for those who cannot see it."""
        if self.table.status == "waiting":
            return "Dicee: waiting for players"
        if self.table.status != "active":
            return "Dicee: the game is over"
        roll = f", roll {self.table.roll_number} of {ROLLS_PER_TURN}" if self.table.dice else ""
        return f"Dicee: turn {self.turn} of {len(BOXES)}{roll}"

    @property
    def attributes(self) -> SafeString:
        """What the scripts and the style sheet read off the table; an attribute that is None is left out."""
        table, look = self.table, self.look
        live = table.is_over or table.is_live or self.notice or self.many or table.deadline is not None
        values: dict[str, Any] = {
            "data-game": table.game.pk,
            "data-seq": table.seq,
            "data-status": table.status,
            "data-mine": "1" if table.my_turn else "",
            "data-profile": look.profile,
            "data-horizon": look.horizon,
            "data-quiet": not look.visible or not table.settings.statistics,
            "data-numbers": self.numbers is not None,
            "data-stops": self.numbers is not None and self.numbers.stops,
            "data-predict": look.predict,
            "data-decide": self.decides_first,
            "data-covered": self.decides_first and self.numbers is not None,
            "data-deciding": self.decides_first and self.numbers is not None,
            "data-no-win": not look.win,
            "data-zero": "1" if look.ask_zero else "",
            "data-many": "1" if self.many else "",
            "data-mute": not look.reactions,
            "data-bonus": "1" if self.card.upper_bonus else "",
            "data-record": "1" if self.ending is not None and self.ending.is_record else "",
            "data-left": table.rolls_left,
            "data-roll": self.roll_id,
            "data-title": self.title,
            "data-announcement": self.announcement,
            "data-url": reverse("dicee:table", args=[table.game.pk]),
            "data-live": f"/ws/v1/game/{table.game.pk}/?page" if live else False,
            "data-short": bool(self.notice),
            "data-deadline": table.deadline or False,
        }
        return attributes(values)

    @property
    def roll_id(self) -> str:
        """Names the dice on the table: as long as it is the same, what is held stays held."""
        turn = self.table.on_turn
        return roll_name(turn.ref if turn else None, self.table.turn_number, self.table.roll_number)

    @property
    def decides_first(self) -> bool:
        """Whether the numbers stay covered until the decision is taken."""
        mine = self.table.me is not None
        return mine and self.look.decide and self.look.profile != "expert" and not self.step

    @property
    def shows_answers(self) -> bool:
        """Whether the values of the options are in sight before the decision is taken (ruling D20)."""
        if self.numbers is None or not self.look.visible or self.decides_first:
            return False
        return not (self.look.predict and self.target is not None)

    @cached_property
    def ending(self) -> Ending | None:
        return ending(self.table.game, self.viewer) if self.table.is_over else None

    @property
    def upper_total(self) -> TotalLine:
        return TotalLine("Upper", self.card.upper_total, self.bonus.paid_words)

    @property
    def lower_total(self) -> TotalLine:
        more = self.card.dicee_bonus
        return TotalLine("Lower", self.card.lower_total, f"with +{more} for more Dicees" if more else "")

    @property
    def offers_statistics(self) -> bool:
        return self.table.settings.statistics and self.table.status == "active"

    @property
    def shows_win_chances(self) -> bool:
        return self.many and self.table.settings.win_chances and self.table.status == "active"

    @property
    def gives_hints(self) -> bool:
        return self.table.my_turn and self.table.settings.hints

    @property
    def horizons(self) -> tuple[tuple[str, str], ...]:
        return (("game", "The whole game"), ("turn", "This turn"))

    @property
    def switches(self) -> list[tuple[str, str, bool]]:
        """The table options that are on or off: name, words, state."""
        look, statistics = self.look, self.table.settings.statistics
        offered = [
            ("always", "Always show statistics", look.always, statistics),
            ("decide", "Decide first, then see", look.decide, statistics),
            ("predict", "Guess odds first, then see", look.predict, statistics),
            ("ask_zero", "Ask before I write a 0", look.ask_zero, True),
            ("auto", "Adjust my level to my play", look.auto, statistics),
            ("win", "Who will win", look.win, self.many and self.table.settings.win_chances),
            ("reactions", "Show reactions", look.reactions, self.may_react),
        ]
        return [(name, label, on) for name, label, on, shown in offered if shown]

    @property
    def result(self) -> str:
        """How a finished game ended."""
        if self.table.status == "abandoned":
            return "The game was left unfinished."
        if not self.many:
            return f"{self.card.total} points."
        return standing(self.table.places)

    @property
    def turn(self) -> int:
        return min(len(BOXES), self.card.turns_completed + 1)

    @property
    def coached(self) -> bool:
        """Whether statistics may be seen now, at a table that allows them: on the own turn, or by who watches."""
        watches = self.table.me is None and self.table.status == "active"
        return (self.table.my_turn or watches) and self.table.settings.statistics

    @property
    def may_react(self) -> bool:
        """Whether there is somebody to hear a reaction."""
        return self.table.me is not None and sum(not place.bot for place in self.table.places) > 1

    @property
    def notice(self) -> str:
        return horizon.WARMING_UP if self.coached and self.solved is None else ""

    @cached_property
    def numbers(self) -> Numbers | None:
        if not self.coached or self.position is None or not self.position.dice:
            return None
        return holds.numbers(self.position, self.solved)

    @property
    def holds_json(self) -> dict[str, Any] | None:
        """What the script repaints the card from."""
        return coach.wire(self.numbers) if self.numbers else None

    @cached_property
    def words(self) -> Words | None:
        if not self.coached or self.position is None:
            return None
        return coach.words(self.position, None if self.by_turn else self.solved)

    @cached_property
    def mask(self) -> int:
        """The hold on show: what was kept for the last roll; else, until a die is touched, the best one."""
        assert self.numbers is not None
        if not self.table.rolls_left:
            return holds.STOP
        kept = sum(1 << i for i, keep in enumerate(self.table.kept_mask) if keep)
        if kept or not self.by_turn:
            return kept or self.numbers.best
        return next(mask for mask in range(holds.STOP + 1) if self.numbers.hold(mask) is self.best_hold)

    @property
    def by_turn(self) -> bool:
        """Whether values look at this turn alone: wished, or all there is until the game is solved."""
        return self.look.horizon == "turn" or self.solved is None

    def _worth(self, hold: Hold) -> float:
        return hold.turn if self.by_turn else hold.final

    @cached_property
    def best_hold(self) -> Hold:
        """The best hold in the horizon on show; stopping wins a tie, as in ``static/js/dicee/numbers.js``."""
        assert self.numbers is not None
        if not self.by_turn:
            return self.numbers.hold(self.numbers.best)
        return max(self.numbers.holds, key=lambda hold: (round(hold.turn, 9), len(hold.keep)))

    @property
    def hold(self) -> Hold | None:
        return self.numbers.hold(self.mask) if self.numbers else None

    @property
    def hold_is_chosen(self) -> bool:
        return any(self.table.kept_mask)

    @property
    def target(self) -> Row | None:
        """The box to guess the chance of, for those who guess first."""
        if self.numbers is None or self.position is None:
            return None
        number = coach.prediction_target(self.position)
        return None if number is None else Row(number, None)

    @property
    def behind(self) -> float:
        """What the hold on show costs against the best."""
        if self.numbers is None or self.hold is None:
            return 0.0
        return max(0.0, self._worth(self.best_hold) - self._worth(self.hold))

    @property
    def is_behind(self) -> bool:
        return self.behind >= PRINTS_AS_ZERO

    @property
    def behind_words(self) -> str:
        undecided = not self.table.rolls_left or not self.hold_is_chosen
        return "–" if undecided else loss(self.behind)

    @property
    def hold_words(self) -> str:
        """What is said of the dice held; ``static/js/dicee/card.js`` says the same while dice are touched."""
        if not self.table.rolls_left:
            name = "choose"
        elif not self.hold_is_chosen:
            name = "undecided"
        elif not self.is_behind:
            name = "best"
        else:
            name = "worse_words" if self.look.profile == "beginner" else "worse"
        return str(PHRASES[name])

    @property
    def hold_value_words(self) -> str:
        return str(PHRASES["turn" if self.by_turn else "final"])

    @property
    def hold_value(self) -> float:
        assert self.hold is not None
        return self.hold.turn if self.by_turn else self.hold.final

    @property
    def costs(self) -> list[HoldCost]:
        """The best holds, each with what it costs; stopping counts as a hold."""
        if self.numbers is None or not self.table.rolls_left:
            return []
        ranked = sorted(self.numbers.holds, key=lambda hold: -self._worth(hold))[:SHOWN_HOLDS]
        worths = [self._worth(hold) for hold in ranked]
        most = max(worths[0] - worths[-1], 1.0)
        return [
            HoldCost(hold.keep, worth - worths[0], 100 * (worths[0] - worth) / most)
            for hold, worth in zip(ranked, worths, strict=True)
        ]

    @property
    def options(self) -> list[OptionLine]:
        """Every keep and every box, ranked, in both horizons: the expert's list."""
        if self.numbers is None:
            return []
        game, turn, total = self.numbers.game, self.numbers.turn, self.card.total
        rows = [
            OptionLine(
                " ".join(map(str, o.keep or ())) or "roll all",
                total + o.ev,
                o.points_lost,
                turn.option(keep=o.keep).ev,
            )
            for o in game.keeps
        ]
        rows += [
            OptionLine(BOX_WORDS[BOXES.index(str(o.box))][0], total + o.ev, o.points_lost, turn.option(box=o.box).ev)
            for o in game.boxes
        ]
        return sorted(rows, key=lambda row: row.lost)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        mine = self.shown.on_turn
        plain = [
            Row(
                n,
                box.points,
                box.would_score if mine else None,
                writable=self.table.can.score and box.points is None and box.would_score is not None,
            )
            for n, box in enumerate(self.card.boxes)
        ]
        hold = self.hold
        if hold is None or self.numbers is None:
            return tuple(plain)
        best = self.best_hold
        opened = [row.number for row in plain if row.points is None]
        order = hold.order(opened, by_turn=self.by_turn)
        most = max(hold.points[n] for n in opened) or 1.0
        return tuple(
            replace(
                row,
                p=hold.p[row.number],
                expected=hold.points[row.number],
                final=hold.finals[row.number],
                rank=order.index(row.number) + 1,
                bar=100 * hold.points[row.number] / most,
                best_bar=min(100.0, 100 * best.points[row.number] / most),
            )
            if row.points is None
            else row
            for row in plain
        )

    @property
    def upper_rows(self) -> tuple[Row, ...]:
        return self.rows[: len(UPPER)]

    @property
    def lower_rows(self) -> tuple[Row, ...]:
        return self.rows[len(UPPER) :]

    @property
    def bonus(self) -> UpperBonus:
        return UpperBonus(self.card.upper_subtotal, self.card.bonus.ahead)

    @property
    def boards(self) -> list[tuple[Row, list[int | None]]]:
        """All cards side by side, a line for each box."""
        cards = [place.card.boxes for place in self.table.places]
        return [(Row(n, None), [boxes[n].points for boxes in cards]) for n in range(len(BOXES))]

    @property
    def recent(self) -> list[str]:
        """What the others wrote since I moved, oldest first, who left, and what the clock wrote for me."""
        told = news.since_my_move(self.happenings)
        shown = [event for event in told if event.kind != "roll" and (event.by_clock or not event.place.is_me)]
        return [event.words for event in shown][-len(self.table.places) :]

    @property
    def announcement(self) -> str:
        over = f" {self.result}" if self.table.is_over else ""
        return news.announcement(self.table, self.happenings) + over

    @property
    def opponent_moves(self) -> list[dict[str, Any]]:
        return news.opponent_moves(self.table, self.happenings)

    @property
    def title(self) -> str:
        """What the browser's tab says: whose turn it is, where there are others."""
        table = self.table
        if table.status == "waiting":
            return f"Dicee, table {table.game.code}"
        if table.is_over:
            return f"Dicee, final score {self.card.total}"
        if self.many and table.my_turn:
            return "● Your turn · Dicee"
        if self.many and table.on_turn:
            return f"{table.on_turn.name} plays · Dicee"
        return f"Dicee, turn {self.turn}"

    @property
    def step(self) -> int:
        """Where the three-step tutorial stands: roll, hold, write; 0 when there is nothing to teach."""
        mode = self.table.game.mode
        learning = mode == Mode.TUTORIAL or (mode == Mode.SOLO and not self.look.tutored)
        if not self.table.my_turn or self.turn > 1 or not learning:
            return 0
        return 1 if not self.dice else 2 if self.table.rolls_left else 3

    @property
    def step_words(self) -> str:
        """What the tutorial says, looking at the dice on the table."""
        if self.step == 1 or self.numbers is None:
            return STEPS[self.step]
        box = BOX_WORDS[self.numbers.best_box][0]
        points = self.rows[self.numbers.best_box].now
        if self.step == 3:
            return f"No rolls left: tap a number under “Now” to write. {box} for {points} is the best one."
        if self.numbers.stops:
            return f"Look: these dice are worth {points} in {box}. Nothing can beat that, so write it now."
        keep = "-".join(map(str, self.numbers.hold(self.numbers.best).keep))
        return f"{STEPS[2]} Here {f'{keep} is a good start' if keep else 'no die is worth keeping'}."


def table_page(game: Game, viewer: Player | None) -> TablePage:
    """The table of a game as this viewer may see it."""
    state = store.current(game)
    seen = table_view(game, state, viewer)
    position = state.position if seen.status == "active" else None
    told = news.happenings(seen, state)
    return TablePage(seen, Look.of(viewer), position, horizon.ready(state.variant), told, viewer)


def option_rows(page: TablePage) -> tuple[Sequence[str], list[Sequence[object]]]:
    """The expert's table for a file: every hold with its value in both horizons, then the odds of every box."""
    heads = ("keep", "expected_final", "turn_ev", *(f"p_{box}" for box in BOXES), *(f"ev_{box}" for box in BOXES))
    holds = sorted(page.numbers.holds if page.numbers else (), key=lambda hold: -hold.final)
    return heads, [(" ".join(map(str, h.keep)), h.final, h.turn, *h.p, *h.points) for h in holds]


# -- Where the points come from -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """One box or bonus: the points still expected from it with the best choice, and with the one on show."""

    title: str
    best: float
    chosen: float

    @property
    def difference(self) -> float:
        return self.chosen - self.best


def breakdown(page: TablePage, mask: int) -> tuple[str, list[Source]]:
    """An EV difference taken apart, the largest part first; a sentence instead while the shares are not known."""
    shares = horizon.shares_ready(page.position.variant) if page.position else None
    if page.numbers is None or page.position is None or page.solved is None or shares is None:
        return "The breakdown is still being computed.", []
    best, found = page.numbers.game.best, page.numbers.game
    chosen = found.option(keep=page.numbers.hold(mask).keep)
    ours, theirs = (advice.account(page.position, option, page.solved, shares) for option in (best, chosen))
    rows = [Source(advice.TITLES[name], ours[name], theirs[name]) for name in ours]
    shown = [row for row in rows if row.best > PRINTS_AS_ZERO or row.chosen > PRINTS_AS_ZERO]
    return "", sorted(shown, key=lambda row: (row.difference, -row.best))


# -- Who will win -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WinBar:
    """One player's chance to win, with the simulation's margin."""

    place: Place
    p: float
    margin: float


def win_bars(seen: TableView) -> list[WinBar]:
    """The last chances worked out for this game, in the order of play."""
    found = chances.latest(seen.game)
    if found is None:
        return []
    by_player = {chance["playerId"]: chance for chance in found["chances"]}
    return [
        WinBar(place, by_player[str(place.ref)]["probability"], by_player[str(place.ref)]["margin"])
        for place in seen.places
        if str(place.ref) in by_player
    ]

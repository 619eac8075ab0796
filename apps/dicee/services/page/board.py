"""The view model of the table page: the table, and the coach's numbers for each line of the card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from apps.accounts.models import Player
from apps.core.formats import PRINTS_AS_ZERO
from apps.dicee.models import Game, GameEvent, Mode, Stream
from apps.dicee.services import chances, horizon, store
from apps.dicee.services.page import coach
from apps.dicee.services.page.coach import Words
from apps.dicee.services.page.look import Look
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
    rank: int = 0
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
    def word(self) -> str:
        return coach.word(self.p, best=self.rank == 1)


@dataclass(frozen=True)
class Die:
    number: int  # 1–5
    face: int
    held: bool


@dataclass(frozen=True)
class TablePage:
    """Everything ``templates/dicee/table.html`` prints: the table, and what the coach makes of it."""

    table: TableView
    look: Look
    position: Position | None  # of whoever is on turn
    solved: Table | None
    recent: tuple[str, ...] = ()  # what the others wrote last, oldest first

    @property
    def shown(self) -> Place:
        """Whose card is on the page: yours; a spectator follows whoever plays."""
        return self.table.me or self.table.on_turn or self.table.places[0]

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
    def turn(self) -> int:
        return min(len(BOXES), self.card.turns_completed + 1)

    @property
    def coached(self) -> bool:
        """Whether this viewer may see statistics now: on their own turn, at a table that allows them."""
        return self.table.my_turn and self.table.settings.statistics

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
        return coach.words(self.position, self.solved) if self.coached and self.position else None

    @cached_property
    def mask(self) -> int:
        """The hold on show: what was kept for the last roll; else, until a die is touched, the best one."""
        assert self.numbers is not None
        if not self.table.rolls_left:
            return holds.STOP
        kept = sum(1 << i for i, keep in enumerate(self.table.kept_mask) if keep)
        return kept or self.numbers.best

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
        return max(0.0, self.numbers.hold(self.numbers.best).final - self.hold.final)

    @property
    def costs(self) -> list[tuple[Hold, float, float]]:
        """The best holds, each with what it costs and the length of its bar; stopping counts as a hold."""
        if self.numbers is None or not self.table.rolls_left:
            return []
        ranked = sorted(self.numbers.holds, key=lambda hold: -hold.final)[:SHOWN_HOLDS]
        best, most = ranked[0].final, max(ranked[0].final - ranked[-1].final, 1.0)
        return [(hold, hold.final - best, 100 * (best - hold.final) / most) for hold in ranked]

    @property
    def options(self) -> list[dict[str, Any]]:
        """Every keep and every box, ranked, in both horizons: the expert's list."""
        if self.numbers is None:
            return []
        game, turn, total = self.numbers.game, self.numbers.turn, self.card.total
        rows = [
            {
                "keep": o.keep,
                "box": "",
                "final": total + o.ev,
                "lost": o.points_lost,
                "turn": turn.option(keep=o.keep).ev,
            }
            for o in game.keeps
        ]
        rows += [
            {
                "keep": None,
                "box": BOX_WORDS[BOXES.index(str(o.box))][0],
                "final": total + o.ev,
                "lost": o.points_lost,
                "turn": turn.option(box=o.box).ev,
            }
            for o in game.boxes
        ]
        return sorted(rows, key=lambda row: row["lost"])

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        mine = self.shown.on_turn
        plain = [Row(n, box.points, box.would_score if mine else None) for n, box in enumerate(self.card.boxes)]
        hold = self.hold
        if hold is None or self.numbers is None:
            return tuple(plain)
        best = self.numbers.hold(self.numbers.best)
        opened = [row.number for row in plain if row.points is None]
        order = hold.order(opened, by_turn=self.look.horizon == "turn" or self.solved is None)
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
    def bonus(self) -> dict[str, Any]:
        """How far the upper section is, and where three of each face so far would be."""
        have, ahead = self.card.upper_subtotal, self.card.bonus.ahead
        share = min(100.0, 100 * have / UPPER_PAR)
        return {
            "have": have,
            "need": UPPER_PAR,
            "pays": UPPER_BONUS,
            "share": share,
            "ahead": ahead,
            "par": max(0.0, 100 * (have - ahead) / UPPER_PAR),
        }

    @property
    def boards(self) -> list[tuple[Row, list[int | None]]]:
        """All cards side by side, a line for each box."""
        cards = [place.card.boxes for place in self.table.places]
        return [(Row(n, None), [boxes[n].points for boxes in cards]) for n in range(len(BOXES))]

    @property
    def step(self) -> int:
        """Where the three-step tutorial stands: roll, hold, write; 0 when there is nothing to teach."""
        if not self.table.my_turn or self.turn > 1 or (self.look.tutored and self.table.game.mode != Mode.TUTORIAL):
            return 0
        return 1 if not self.dice else 2 if self.table.rolls_left else 3


def table_page(game: Game, viewer: Player | None) -> TablePage:
    """The table of a game as this viewer may see it."""
    state = store.current(game)
    seen = table_view(game, state, viewer)
    position = state.position if seen.status == "active" else None
    return TablePage(seen, Look.of(viewer), position, horizon.ready(state.variant), _recent_scores(seen))


def _recent_scores(seen: TableView) -> tuple[str, ...]:
    """What the others wrote last, oldest first; nothing at a table of one."""
    if len(seen.places) < 2 or seen.status == "waiting":
        return ()
    names = {str(place.ref): place.name for place in seen.others}
    rows = GameEvent.objects.filter(game=seen.game, stream=Stream.DOMAIN, type="score").order_by("-seq")
    last = list(rows.values_list("payload", flat=True)[: len(seen.places) - 1])
    return tuple(
        f"{names[score['playerId']]}: {score['pointsEarned']} in {BOX_WORDS[BOXES.index(score['chosenCategory'])][0]}"
        for score in reversed(last)
        if score["playerId"] in names
    )


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

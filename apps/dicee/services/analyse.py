"""The analysis board: any position at an address, every choice valued and explained, and lines walked from it.

The address is all there is: rules, card, dice and rolls left in its path (``engine.dicee.notation``), then the line
played from there, the choice that is open and a comment. Its first part is the version of that form.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from urllib.parse import urlencode

from django.urls import reverse

from apps.dicee.services import horizon
from apps.dicee.services.page.board import BOX_WORDS
from apps.dicee.services.review.decisions import NUMBER, say
from apps.dicee.services.review.quiz import judge
from engine.dicee import holds, notation
from engine.dicee import line as lines
from engine.dicee.advice import Grade
from engine.dicee.analysis import BEFORE_FIRST_ROLL, Analysis, Horizon, Option, Position, analyze, position_odds
from engine.dicee.boxes import BOX_NUMBER, BOXES, DICEE_BONUS, Scorecard, Variant, natural_score
from engine.dicee.decision import read_choice, write_choice
from engine.dicee.holds import Hold, Numbers
from engine.dicee.lattice import DICE, ROLLS, SIDES
from engine.dicee.line import Line
from engine.dicee.tables import Table
from engine.wire import EngineError

VERSION = "v1"
LONGEST_NOTE = 300
ODDS_SHOWN = 3  # boxes beside each keep
START = Position(Scorecard(), Variant.STANDARD)
EXAMPLE = "standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1"
MOST_BONUSES = 9


@dataclass(frozen=True)
class Place:
    """What an address says."""

    line: Line
    show: str = ""
    note: str = ""

    @property
    def position(self) -> Position | None:
        return self.line.position


def read(text: str, query: Mapping[str, str]) -> Place:
    """The board that a position and the rest of its address stand for."""
    start = notation.read(text)
    note = " ".join(query.get("note", "").split())[:LONGEST_NOTE]
    return Place(lines.read(start, query.get("line", "")), query.get("show", ""), note)


def address(start: Position, *, line: str = "", show: str = "", note: str = "") -> str:
    """Where a board stands."""
    variant, card, dice, rolls = notation.write(start).split("/")
    path = reverse("dicee:analyse-position", args=[VERSION, variant, card, dice, rolls])
    query = {name: value for name, value in (("line", line), ("show", show), ("note", note)) if value}
    return f"{path}?{urlencode(query)}" if query else path


def link_to(position: Position, choice: Option | None = None) -> str:
    """A position on the board, with a choice open."""
    return address(position, show=write_choice(choice) if choice else "")


def position_text(form: Mapping[str, str]) -> str:
    """The text of a position set by hand, field by field; a text that was pasted counts instead of them."""
    pasted = form.get("position", "").strip()
    if pasted:
        return _from_address(pasted)
    boxes = ".".join(form.get(box, "") or "-" for box in BOXES)
    bonuses = form.get("bonuses", "")
    dice = "".join(form.get("dice", "").split()) or "-"
    rolls = form.get("rolls", "") if dice != "-" else str(BEFORE_FIRST_ROLL)
    more = f"+{bonuses}" if bonuses not in ("", "0") else ""
    return f"{form.get('variant') or Variant.STANDARD.value}/{boxes}{more}/{dice}/{rolls or 2}"


def _from_address(text: str) -> str:
    """A position's text, also out of a whole address of this board."""
    _, found, rest = text.partition(f"/{VERSION}/")
    return "/".join(rest.split("?")[0].strip("/").split("/")[:4]) if found else text


def random_roll(place: Place) -> str:
    """As many faces as the open choice rolls, as they fall."""
    kept = 0 if place.show in ("", "-") else len(place.show)
    return "".join(str(secrets.randbelow(SIDES) + 1) for _ in range(DICE - kept))


def embed_code(link: str) -> str:
    """What to put on one's own page."""
    source = f"{link}{'&' if '?' in link else '?'}embed=1"
    return f'<iframe src="{source}" width="480" height="520" title="Dicee position" loading="lazy"></iframe>'


def fell(place: Place, faces: str) -> str:
    """The line after what fell: the five faces of a first roll, or those of the dice that were not kept."""
    kept = "" if place.show in ("", "-") else place.show
    faces = "".join(faces.split())
    position = place.position
    opening = position is not None and not position.dice
    moves = [faces] if opening else [place.show or "-", kept + faces]
    return ".".join(part for part in (place.line.text, *moves) if part)


# -- As it is shown -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OptionRow:
    """One choice: what to do, what it is worth, what it costs, and the odds of what it is for."""

    words: str
    choice: str
    final: float
    lost: float
    turn: float | None
    odds: tuple[tuple[str, float], ...]
    is_best: bool
    is_shown: bool
    link: str


@dataclass(frozen=True)
class BoxRow:
    """One open box under the choice that is open: the chance to make it, the points when it is played for alone."""

    title: str
    p: float
    points: float
    ends: float | None  # the chance that best play from here writes it this turn


@dataclass(frozen=True)
class StepRow:
    """One move of the line: words, what it cost, and the address that goes back to before it."""

    words: str
    lost: float | None
    back: str


@dataclass(frozen=True)
class CardField:
    """One box of the card to be set by hand."""

    name: str
    title: str
    value: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DieLink:
    """A die to tap: its face, and the board with the next face instead."""

    number: int
    face: int
    link: str


def _title(box: str) -> str:
    return BOX_WORDS[BOX_NUMBER[box]][0]


@cache
def _possible_points(box: int) -> tuple[int, ...]:
    """What a box can hold."""
    return tuple(sorted({0} | {natural_score(box, roll) for roll in ROLLS}))


@dataclass(frozen=True)
class Board:
    """Everything the page shows of one address."""

    place: Place

    @property
    def line(self) -> Line:
        return self.place.line

    @property
    def position(self) -> Position | None:
        return self.line.position

    @property
    def card(self) -> Scorecard:
        return self.line.card

    @property
    def variant(self) -> Variant:
        return self.line.start.variant

    @cached_property
    def table(self) -> Table | None:
        return horizon.ready(self.variant)

    @property
    def notice(self) -> str:
        return "" if self.table else horizon.WARMING_UP

    @cached_property
    def numbers(self) -> Numbers | None:
        """Every hold of the dice on the table."""
        if self.position is None or not self.position.dice:
            return None
        return holds.numbers(self.position, self.table)

    @cached_property
    def found(self) -> Analysis | None:
        return self.numbers.game if self.numbers else None

    @property
    def text(self) -> str:
        """The position in its notation."""
        return notation.write(self.position) if self.position else ""

    @property
    def expected(self) -> float:
        """The final score best play averages from here."""
        if self.position is None:
            return float(self.card.grand_total)
        return judged(self.position, self.table).ev + self.card.grand_total

    @property
    def rolls_words(self) -> str:
        """How many rolls are left, in words."""
        left = self.position.rolls_left if self.position else 0
        return {0: "no roll left", 1: "one roll left"}.get(left, f"{NUMBER[left]} rolls left")

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        if self.position is None:
            return f"The card is full: {self.card.grand_total} points."
        if self.found is None:
            return "All five dice are to be rolled."
        return f"{say(self.position, self.found.best)}."

    @cached_property
    def shown(self) -> Option | None:
        """The choice that is open: the one the address names, else the best."""
        if self.found is None:
            return None
        return read_choice(self.found, self.place.show) if self.place.show else self.found.best

    @property
    def shown_words(self) -> str:
        return say(self.position, self.shown) if self.position and self.shown else ""

    @cached_property
    def grade(self) -> Grade | None:
        """Why the open choice is good or not."""
        return judge(self.found, self.shown) if self.found and self.shown else None

    @property
    def rows(self) -> list[OptionRow]:
        """Every keep and every box, best first."""
        if self.found is None:
            return []
        options = sorted((*self.found.keeps, *self.found.boxes), key=lambda option: (-option.ev, option.box is None))
        return [self._row(option) for option in options]

    def _row(self, option: Option) -> OptionRow:
        assert self.position is not None
        assert self.found is not None
        assert self.numbers is not None
        hold = None if option.box else self.numbers.hold(holds.mask_of(self.position.dice, option))
        opened = [BOX_NUMBER[box] for box in self.position.card.open_boxes]
        likely = hold.order(opened)[:ODDS_SHOWN] if hold else ()
        return OptionRow(
            words=say(self.position, option),
            choice=write_choice(option),
            final=option.ev + self.card.grand_total,
            lost=max(0.0, self.found.ev - option.ev),
            turn=hold.turn if hold else None,
            odds=tuple((BOX_WORDS[box][1], hold.p[box]) for box in likely) if hold else (),
            is_best=option == self.found.best,
            is_shown=self.shown is not None and write_choice(option) == write_choice(self.shown),
            link=self.at(show=write_choice(option)),
        )

    @property
    def boxes(self) -> list[BoxRow]:
        """Every open box for the dice the open choice keeps; before the first roll, for the turn to come."""
        if self.position is None:
            return []
        opened = [BOX_NUMBER[box] for box in self.position.card.open_boxes]
        if self.numbers is None or self.shown is None:
            odds = position_odds(self.position)
            found = [odds[BOXES[box]] for box in opened]
            return [BoxRow(_title(o.box), float(o.probability), float(o.expected), None) for o in found]
        hold = self._held(self.numbers, self.shown)
        ends = hold.ends if not self.shown.box else None
        return [BoxRow(BOX_WORDS[box][0], hold.p[box], hold.points[box], ends[box] if ends else None) for box in opened]

    def _held(self, numbers: Numbers, shown: Option) -> Hold:
        return numbers.hold(holds.mask_of(numbers.position.dice, shown))

    @property
    def steps(self) -> list[StepRow]:
        """The line so far; each move can be taken back to."""
        rows = []
        for number, step in enumerate(self.line.steps):
            back = self.at(line=lines.write(self.line.steps[:number]), show=step.choice)
            found = judged(step.before, self.table) if step.choice else None
            option = read_choice(found, step.choice) if found else None
            words = say(step.before, option) if option else "Roll all five"
            rows.append(StepRow(f"{words}: {step.fell}" if step.fell else words, option.cost if option else None, back))
        return rows

    @property
    def take_back(self) -> str:
        """The address one move back; nothing at the start."""
        return self.at(line=lines.write(self.line.steps[:-1])) if self.line.steps else ""

    @property
    def write_link(self) -> str:
        """The address after the open box is written; nothing where a keep is open."""
        if self.shown is None or not self.shown.box:
            return ""
        return self.at(line=".".join(part for part in (self.line.text, self.shown.box) if part))

    @property
    def to_roll(self) -> int:
        """How many dice the next roll has; 0 where a box is open or the game is over."""
        if self.position is None or (self.shown is not None and self.shown.box):
            return 0
        return DICE - len(self.shown.keep or ()) if self.shown else DICE

    @property
    def kept(self) -> tuple[int, ...]:
        return self.shown.keep or () if self.shown and not self.shown.box else ()

    @property
    def dice(self) -> list[tuple[int, bool]]:
        """The dice with whether the open choice keeps each."""
        wanted = Counter(self.kept)
        marked = []
        for face in self.position.dice if self.position else ():
            marked.append((face, wanted[face] > 0))
            wanted[face] -= 1
        return marked

    def at(self, *, line: str | None = None, show: str = "") -> str:
        """Another address of the same start: the same line unless one is given."""
        return address(self.line.start, line=self.line.text if line is None else line, show=show, note=self.place.note)

    @property
    def here(self) -> str:
        """The address itself, in its canonical form."""
        return self.at(show=self.place.show)

    @property
    def picture_link(self) -> str:
        """The address of the picture for a link to this board."""
        variant, card, dice, rolls = notation.write(self.line.start).split("/")
        path = reverse("dicee:analyse-card", args=[VERSION, variant, card, dice, rolls])
        query = urlencode({"line": self.line.text, "show": self.place.show})
        return f"{path}?{query}"

    @property
    def dice_links(self) -> list[DieLink]:
        """Each die with the board that has its next face, as a new start."""
        position = self.position
        if position is None:
            return []
        links = []
        for number, face in enumerate(position.dice):
            dice = list(position.dice)
            dice[number] = face % SIDES + 1
            other = Position(position.card, position.variant, tuple(dice), position.rolls_left)
            links.append(DieLink(number + 1, face, address(other, note=self.place.note)))
        return links

    @property
    def card_fields(self) -> list[CardField]:
        """The card to be set by hand."""
        fields = []
        for number, box in enumerate(BOXES):
            points = self.card.points[number]
            choices = (("", "open"), *((str(value), str(value)) for value in _possible_points(number)))
            fields.append(CardField(box, BOX_WORDS[number][0], "" if points is None else str(points), choices))
        return fields

    @property
    def shown_choice(self) -> str:
        """The open choice as text."""
        return write_choice(self.shown) if self.shown else ""

    @property
    def dice_text(self) -> str:
        return "".join(map(str, self.position.dice)) if self.position else ""

    @property
    def rolls_text(self) -> str:
        return str(self.position.rolls_left) if self.position else ""

    @property
    def bonuses(self) -> int:
        return self.card.dicee_bonus // DICEE_BONUS


def board(place: Place) -> Board:
    """The page of an address. A choice that cannot be is refused here, before anything is drawn."""
    found = Board(place)
    if place.show and found.found is None:
        raise EngineError("There is nothing to choose before the first roll.", field="show", constraint="dice")
    if place.show not in BOX_NUMBER and set(place.show) - set("123456-"):
        message = f"{place.show[:20]} is no choice: faces to keep, - or a box."
        raise EngineError(message, field="show", constraint="choice", actual=place.show)
    _ = found.shown
    return found


def judged(position: Position, table: Table | None) -> Analysis:
    """Every choice of a position, seen as far as the tables reach."""
    return analyze(position, Horizon.GAME if table else Horizon.TURN, table)

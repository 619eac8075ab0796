"""Open the record sheet at an address and do what was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import QueryDict

from apps.battletech.services import actions, address, doll, risk
from apps.battletech.services.actions import Action, Phase, SetRounds, Step
from apps.battletech.services.address import HOTTEST, MOST_TURNS, Address, Problem, Reading
from engine.battletech.explosion import fewest_dice
from engine.battletech.mech import Mech
from engine.wire import EngineError

MOST_SEED = 999_999_999
MOST_TYPED = 400


@dataclass(frozen=True, slots=True)
class Opened:
    """A sheet as it stands, how it got there, and what went wrong on the way."""

    address: Address
    steps: tuple[Step, ...] = ()
    problems: Mapping[str, Problem] = field(default_factory=dict)
    acted: bool = False

    @property
    def mech(self) -> Mech:
        return self.steps[-1].after if self.steps else self.address.start

    @property
    def errors(self) -> dict[str, str]:
        return {name: problem.message for name, problem in self.problems.items()}

    def refused(self, name: str, message: str, entered: str = "") -> Opened:
        """The same sheet with a problem more; the first one of a field stays."""
        return replace(self, problems={name: Problem(message, entered), **self.problems})

    def after(self, action: Action) -> Opened:
        """The sheet after one more action. Raises ``EngineError`` where it cannot be done."""
        following = self.address.then(action)
        before = replace(self, steps=self.steps[: len(following.did) - 1])  # a slider still moving: its last stop goes
        return before.with_step(following, actions.do(before.mech, self.address.rules, action))

    def with_step(self, following: Address, step: Step) -> Opened:
        return replace(self, address=following, steps=(*self.steps, step), acted=True)

    def attempted(self, action: Action, name: str, entered: str = "") -> Opened:
        """The sheet after an action, or as it was with the reason why not beside the field."""
        try:
            return self.after(action)
        except EngineError as error:
            return self.refused(name, error.message, entered)


def open_sheet(query: QueryDict) -> Opened:
    """Read an address, replay it, then do what a button asked for. Nothing here rolls dice."""
    before = _replayed(address.read(query))
    opened = _with_rounds(before, query)
    if do := query.get("do", ""):
        opened = _act(opened, do)
    return _countable(opened, before.address)


def roll(query: QueryDict) -> Opened:
    """Open the sheet of an address and roll a heat phase with the dice it asks for: real, seeded or typed in."""
    before = _replayed(address.read(query))
    return _countable(_phase(_with_rounds(before, query), query), before.address)


def _countable(opened: Opened, before: Address) -> Opened:
    """The sheet, or the last one whose odds can be counted: bins may be too many and too different."""
    try:
        risk.curve(opened.mech, opened.address.rules)
    except EngineError as error:
        refused = opened.refused("rounds" if opened.acted else "mech", error.message)
        return _replayed(Reading(before if opened.acted else address.welcome(), refused.problems))
    return opened


def _replayed(reading: Reading) -> Opened:
    """Replay what stands; an action that no longer fits (other rules, a cut link) goes, and with it what followed."""
    here = reading.address
    opened = Opened(here, problems=reading.problems)
    for action in here.done:
        try:
            step = actions.do(opened.mech, here.rules, action)
        except EngineError as error:
            standing = here.did[: len(opened.steps)]
            cut = replace(opened, address=replace(here, did=standing, at=len(standing)))
            where = f"Action {len(standing) + 1} and what followed no longer fit this sheet."
            return cut.refused("did", f"{where} {error.message}")
        opened = replace(opened, steps=(*opened.steps, step))
    return opened


def _with_rounds(opened: Opened, query: QueryDict) -> Opened:
    """Rounds that differ from the sheet's were changed by the reader."""
    called = doll.names(opened.mech)
    for number, item in enumerate(opened.mech.bins, 1):
        text = query.get(f"r{number}", "").strip()
        if f"r{number}" not in query or opened.mech.lost(item) or text == str(item.rounds):
            continue
        if text.isdecimal() and len(text) <= 4 and int(text) <= actions.MOST_ROUNDS:
            opened = opened.attempted(SetRounds(number, int(text)), f"r{number}")
        else:
            limits = f"{called[item.bin_id]}: rounds must be 0–{actions.MOST_ROUNDS}"
            opened = opened.refused(f"r{number}", f"{limits}; you entered {text[:20] or 'nothing'}.", text[:20])
    return opened


def _act(opened: Opened, do: str) -> Opened:
    """A button: a degree more or less, a turn more or less, or an action by its code."""
    here = opened.address
    match do:
        case "cooler" | "hotter":
            step = 1 if do == "hotter" else -1
            return replace(opened, address=replace(here, heat=min(HOTTEST, max(0, here.heat + step))))
        case "plan-add":
            return replace(opened, address=replace(here, plan=(*here.heats, here.heats[-1])[:MOST_TURNS]))
        case "plan-remove":
            return replace(opened, address=replace(here, plan=here.heats[:-1] or here.heats))
        case "heat":
            return opened
        case "plan-follow":
            return replace(opened, address=replace(here, plan=()))
    try:
        return opened.attempted(actions.parse(do), "did")
    except EngineError as error:
        return opened.refused("did", error.message)


def _phase(opened: Opened, query: QueryDict) -> Opened:
    here = opened.address
    if "heat" in opened.problems:
        return opened
    match query.get("dice_from", "random"):
        case "seed":
            text = query.get("seed", "").strip()
            if text.isdecimal() and len(text) <= 9 and int(text) <= MOST_SEED:
                return opened.attempted(Phase(here.heat, seed=int(text)), "seed", text)
            limits = f"A seed is 0–{MOST_SEED:,}; you entered {text[:20] or 'nothing'}."
            return opened.refused("seed", limits, text[:20])
        case "typed":
            return _typed(opened, query.get("dice", ""))
    step = actions.roll(opened.mech, here.rules, here.heat)
    try:
        return opened.with_step(here.then(step.action), step)
    except EngineError as error:  # the sheet remembers no more actions
        return opened.refused("dice", error.message)


def _typed(opened: Opened, text: str) -> Opened:
    faces = re.sub(r"[\s,;.+-]+", "", text)
    if wrong := re.search(r"[^1-6]", faces):
        return opened.refused("dice", f"Dice show 1–6; you entered “{wrong[0]}”.", text[:MOST_TYPED])
    here = opened.address
    try:
        return opened.after(Phase(here.heat, tuple(map(int, faces[:MOST_TYPED]))))
    except EngineError as error:
        fewest = fewest_dice(opened.mech, here.rules, here.heat)
        hint = f" This phase takes at least {fewest}." if fewest > len(faces) else ""
        return opened.refused("dice", f"{error.message}{hint}", text[:MOST_TYPED])

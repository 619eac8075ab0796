"""One attack with real dice: every die kept, with what it came from and the proof of how it was drawn.

Which face hits, wounds, saves or is rerolled is read off the engine's own tables (``Stages``), the same ones the exact
answer is made of. What is decided here is only the order of play: weapons in turn, each die of a step before the next
step, devastating wounds after every other attack, mortal wounds last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.dice.rolls import DiceRoll, DiceTray
from engine.warhammer40k.allocation import room
from engine.warhammer40k.mixed import MixedInput, Salvo
from engine.warhammer40k.mixed_allocation import Order
from engine.warhammer40k.profile import AttackInput, expression
from engine.warhammer40k.simulate_mixed import line_of
from engine.warhammer40k.stages import CRITICAL, FAIL, DieTable, Stages, mortal_feel_no_pain, wound_target

OUTCOMES = {
    "hit": ("misses", "hits", "critical hit"),
    "wound": ("fails", "wounds", "critical wound"),
    "save": ("fails", "saved", "saved"),
}


@dataclass(frozen=True, slots=True)
class Die:
    """One die on the table: its number, what it was for, and the die it came from."""

    number: int
    phase: str
    roll: DiceRoll
    outcome: str
    good: bool
    origin: int | None = None
    rerolls: int | None = None
    #: Superseded by a reroll.
    stale: bool = False


@dataclass(slots=True)
class Step:
    """The dice of one step of one weapon."""

    title: str
    dice: list[Die] = field(default_factory=list)
    note: str = ""


@dataclass(slots=True)
class WeaponRoll:
    name: str
    steps: list[Step]
    hits: int = 0
    wounds: int = 0
    unsaved: int = 0


@dataclass(slots=True)
class Rolled:
    """The whole attack as it fell."""

    weapons: list[WeaponRoll]
    last: Step
    lost: int = 0
    destroyed: int = 0
    dice: list[Die] = field(default_factory=list)
    #: Models of the unit, and how many of each of its groups fell, where they differ.
    models: int = 0
    fallen: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def rerolls(self) -> dict[str, int]:
        """How many dice of each phase were rolled again."""
        counted: dict[str, int] = {}
        for die in self.dice:
            if die.stale:
                counted[die.phase] = counted.get(die.phase, 0) + 1
        return counted


class Table:
    """A table with dice on it: rolls them, numbers them, and keeps the unit's wounds."""

    def __init__(self, request: AttackInput, tray: DiceTray) -> None:
        self.request, self.tray = request, tray
        self.dice: list[Die] = []
        self.left = room(request.defender)
        self.lost, self.mortals = 0, 0
        self.waiting: list[int] = []

    def resolve(self) -> Rolled:
        weapons = [
            self._weapon(Stages(weapon, self.request.defender, self.request.rules), at)
            for at, weapon in enumerate(self.request.weapons)
        ]
        for points in self.waiting:
            self._strike(points)
        self.lost = min(len(self.left) - 1, self.lost + self.mortals)
        defender = self.request.defender
        destroyed = (self.lost + defender.wounds_already_lost) // defender.wounds if defender.total_wounds else 0
        notes = [f"{len(self.waiting)} devastating wounds land after the rest."] if self.waiting else []
        notes += [f"{self.mortals} mortal wounds spill from model to model."] if self.mortals else []
        last = Step("At the end", note=" ".join(notes))
        return Rolled(weapons, last, self.lost, destroyed, self.dice, defender.models)

    # -- one weapon -----------------------------------------------------------------------------------------------

    def _weapon(self, stages: Stages, at: int) -> WeaponRoll:
        weapon = stages.weapon
        rolled = WeaponRoll(weapon.name or f"Weapon {at + 1}", [])
        if weapon.type == "mortal":
            step = self._step(rolled, "Mortal wounds")
            points = sum(self._amount(weapon.mortal_wounds, "mortal wounds", step) for _ in range(weapon.count))
            self.mortals += self._felt(points, mortal_feel_no_pain(stages.defender), step, None)
            return rolled
        hits = self._hits(stages, rolled)
        wounds = self._wounds(stages, rolled, hits)
        self._saves(stages, rolled, wounds)
        rolled.steps = [step for step in rolled.steps if step.dice or step.note]
        return rolled

    def _hits(self, stages: Stages, rolled: WeaponRoll) -> list[tuple[int | None, bool]]:
        """Every hit as (the die it came from, does it wound by itself)."""
        weapon = stages.weapon
        step = self._step(rolled, "Number of attacks")
        attacks = 0
        for _ in range(weapon.count):
            attacks += self._amount(weapon.attacks, "attacks", step) + stages.extra_attacks
            attacks += self._amount(weapon.rapid_fire, "attacks", step) if weapon.half_range else 0
        step.note = f"{attacks} attacks." if step.dice else ""
        step = self._step(rolled, "To hit")
        hits: list[tuple[int | None, bool]] = []
        for _ in range(attacks):
            if stages.hit is None:
                hits.append((None, False))
                continue
            die, outcome = self._roll(stages.hit, "hit", step, None)
            if outcome == CRITICAL:
                extra = self._amount(weapon.sustained_hits, "sustained", step, die.number)
                hits += [(die.number, stages.lethal), *[(die.number, False)] * extra]
            elif outcome != FAIL:
                hits.append((die.number, False))
        rolled.hits = len(hits)
        step.note = f"{_count(len(hits), 'hit')}{', without a roll' if stages.hit is None else ''}."
        return hits

    def _wounds(
        self, stages: Stages, rolled: WeaponRoll, hits: list[tuple[int | None, bool]]
    ) -> list[tuple[int | None, bool]]:
        """Every wound as (the die it came from, is it critical)."""
        step = self._step(rolled, "To wound")
        wounds: list[tuple[int | None, bool]] = []
        for origin, automatic in hits:
            if automatic:
                wounds.append((origin, False))
                continue
            die, outcome = self._roll(self._wound_die(stages, step, origin), "wound", step, origin)
            if outcome != FAIL:
                wounds.append((die.number, outcome == CRITICAL))
        rolled.wounds = len(wounds)
        lethal = sum(automatic for _, automatic in hits)
        step.note = f"{_count(len(wounds), 'wound')}{f', {lethal} of them by Lethal Hits' if lethal else ''}."
        return wounds

    def _wound_die(self, stages: Stages, step: Step, origin: int | None) -> DieTable:
        """The wound die of a hit; a Strength that is rolled is rolled for each."""
        if not stages.rolls_strength:
            return stages.wound
        rolled = self._amount(stages.weapon.strength_dice, "strength", step, origin)
        return stages.wound_on(wound_target(stages.weapon.strength + rolled, stages.defender.toughness))

    def _saves(self, stages: Stages, rolled: WeaponRoll, wounds: list[tuple[int | None, bool]]) -> None:
        saves, damage = self._step(rolled, "Saves"), self._step(rolled, "Damage")
        mortal_pain = mortal_feel_no_pain(stages.defender)
        for origin, critical in wounds:
            if critical:
                extra = self._amount(stages.weapon.extra_mortals_on_crit_wound, "mortal wounds", damage, origin)
                self.mortals += self._felt(extra, mortal_pain, damage, origin)
            if critical and stages.devastating:
                rolled.unsaved += 1
                points = self._points(stages, damage, origin, devastating=True)
                points = self._felt(points, mortal_pain, damage, origin)
                if stages.spills:
                    self.mortals += points
                else:
                    self.waiting.append(points)
                continue
            die, outcome = self._roll(stages.save, "save", saves, origin)
            if outcome == FAIL:
                rolled.unsaved += 1
                points = self._points(stages, damage, die.number, devastating=False)
                self._strike(self._felt(points, stages.defender.feel_no_pain, damage, die.number))
        saves.note = f"{_count(rolled.unsaved, 'unsaved wound')}." if wounds else ""

    # -- dice -----------------------------------------------------------------------------------------------------

    def _step(self, rolled: WeaponRoll, title: str) -> Step:
        rolled.steps.append(Step(title))
        return rolled.steps[-1]

    def _put(self, step: Step, die: Die) -> Die:
        self.dice.append(die)
        step.dice.append(die)
        return die

    def _roll(self, table: DieTable, phase: str, step: Step, origin: int | None) -> tuple[Die, int]:
        """One die and, where the table says so, its reroll."""
        roll = self.tray.roll(6)
        again = table.rerolled[roll.value - 1]
        outcome = table.outcomes[roll.value - 1]
        die = self._put(step, self._die(phase, roll, outcome, origin, stale=again))
        if not again:
            return die, outcome
        fresh = self.tray.reroll(roll)
        outcome = table.outcomes[fresh.value - 1]
        return self._put(step, self._die(phase, fresh, outcome, origin, rerolls=die.number)), outcome

    def _die(
        self,
        phase: str,
        roll: DiceRoll,
        outcome: int,
        origin: int | None,
        *,
        stale: bool = False,
        rerolls: int | None = None,
    ) -> Die:
        good = outcome != FAIL
        word = OUTCOMES[phase][outcome] + (", rerolled" if stale else "")
        return Die(len(self.dice) + 1, phase, roll, word, good, origin, rerolls, stale)

    def _amount(
        self,
        text: str,
        phase: str,
        step: Step,
        origin: int | None = None,
        keep_from: Callable[[int], int] = lambda sides: 1,
    ) -> int:
        """Roll a dice field, each die below what ``keep_from`` says for its sides once more."""
        total = 0
        for term in expression(text).terms:
            if not term.sides:
                total += term.sign * term.count
                continue
            for _ in range(term.count):
                total += term.sign * self._plain(term.sides, phase, step, origin, keep_from(term.sides))
        return max(0, total)

    def _plain(self, sides: int, phase: str, step: Step, origin: int | None, keep_from: int) -> int:
        roll = self.tray.roll(sides)
        again = roll.value < keep_from
        word = f"D{sides}" + (", rerolled" if again else "")
        die = self._put(step, Die(len(self.dice) + 1, phase, roll, word, True, origin, None, again))
        if again:
            roll = self.tray.reroll(roll)
            self._put(step, Die(len(self.dice) + 1, phase, roll, f"D{sides}", True, origin, die.number))
        return roll.value

    def _points(self, stages: Stages, step: Step, origin: int | None, *, devastating: bool) -> int:
        """One attack's damage before Feel No Pain."""
        rerolls = stages.weapon.reroll_damage != "none"
        keep_from = stages.keep_from if rerolls else lambda sides: 1
        base = self._amount(stages.weapon.damage, "damage", step, origin, keep_from)
        if devastating and stages.edition.devastating_unreduced:
            return base + stages.melta
        return stages.reduced(base)

    def _felt(self, points: int, pain: int, step: Step, origin: int | None) -> int:
        """What Feel No Pain does not stop; a die per point."""
        if not pain:
            return points
        lost = 0
        for _ in range(points):
            roll = self.tray.roll(6)
            stopped = roll.value >= max(2, pain)
            word = "ignored" if stopped else "felt"
            self._put(step, Die(len(self.dice) + 1, "feel no pain", roll, word, stopped, origin))
            lost += not stopped
        return lost

    def _strike(self, points: int) -> None:
        self.lost += min(points, int(self.left[self.lost]))


class MixedTable(Table):
    """The same for a unit of different models: each wound goes to whoever is next in line, with its own save."""

    def __init__(self, request: MixedInput, tray: DiceTray) -> None:
        super().__init__(AttackInput(defender=request.defender.unprotected), tray)
        self.unit, self.line = request.defender, line_of(request)
        self.salvos = [Salvo(weapon, request.defender, request.rules) for weapon in request.weapons]
        self.state = 0
        #: Devastating wounds that land at the end: whose, and the die they came from.
        self.later: list[tuple[Salvo, int | None]] = []

    def resolve(self) -> Rolled:
        weapons = [self._salvo(salvo, at) for at, salvo in enumerate(self.salvos)]
        last = Step("At the end")
        for salvo, origin in self.later:
            self._strike_next(salvo, last, origin, devastating=True)
        for _ in range(self.mortals):
            group = int(self.line.usual.group[self.state])
            if group >= 0:
                pain = mortal_feel_no_pain(self.unit.facing(group))
                self._lose(self.line.usual, self._felt(1, pain, last, None))
        notes = [f"{_count(len(self.later), 'devastating wound')} landed after the rest."] if self.later else []
        notes += [f"{_count(self.mortals, 'mortal wound')} went from model to model."] if self.mortals else []
        last.note = " ".join(notes)
        removed, lost = self.line.space.removed[:, self.state], self.line.space.lost[:, self.state]
        fallen = [(group.name, int(n), group.models) for group, n in zip(self.unit.groups, removed, strict=True)]
        return Rolled(weapons, last, int(lost.sum()), int(removed.sum()), self.dice, self.unit.models, fallen)

    def _salvo(self, salvo: Salvo, at: int) -> WeaponRoll:
        stages = salvo.volley.stages
        rolled = WeaponRoll(salvo.weapon.name or f"Weapon {at + 1}", [])
        if not salvo.rolls:
            step = self._step(rolled, "Mortal wounds")
            for _ in range(salvo.weapon.count):
                self.mortals += self._amount(salvo.weapon.mortal_wounds, "mortal wounds", step)
            return rolled
        hits = self._hits(stages, rolled)
        self._saves_in_line(salvo, rolled, self._wounds(stages, rolled, hits))
        rolled.steps = [step for step in rolled.steps if step.dice or step.note]
        return rolled

    def _saves_in_line(self, salvo: Salvo, rolled: WeaponRoll, wounds: list[tuple[int | None, bool]]) -> None:
        saves, damage = self._step(rolled, "Saves"), self._step(rolled, "Damage")
        stages = salvo.volley.stages
        to_save: list[int | None] = []
        for origin, critical in wounds:
            if critical:
                self.mortals += self._amount(salvo.weapon.extra_mortals_on_crit_wound, "mortal wounds", damage, origin)
            if not (critical and stages.devastating):
                to_save.append(origin)
                continue
            rolled.unsaved += 1
            if stages.spills:
                first = salvo.against[self.unit.bodyguards[0]]
                self.mortals += self._points(first, damage, origin, devastating=False)
            else:
                self.later.append((salvo, origin))
        if not salvo.saves_alike and stages.edition.saves_lowest_first:
            self._lowest_first(salvo, rolled, to_save, saves, damage)
        else:
            self._one_by_one(salvo, rolled, to_save, saves, damage)
        saves.note = f"{_count(rolled.unsaved, 'unsaved wound')}." if wounds else ""

    def _one_by_one(
        self, salvo: Salvo, rolled: WeaponRoll, to_save: list[int | None], saves: Step, damage: Step
    ) -> None:
        """Each wound is saved by whoever it goes to; once the unit is gone, nobody saves."""
        for origin in to_save:
            group = int(self._order(salvo).group[self.state])
            if group < 0:
                return
            die, outcome = self._roll(salvo.saves[group], "save", saves, origin)
            if outcome == FAIL:
                rolled.unsaved += 1
                self._strike_next(salvo, damage, die.number, devastating=False)

    def _lowest_first(
        self, salvo: Salvo, rolled: WeaponRoll, to_save: list[int | None], saves: Step, damage: Step
    ) -> None:
        """All saves are rolled, then taken from the lowest; rerolls are those of the first bodyguards."""
        first = salvo.saves[self.unit.bodyguards[0]]
        shown = [self._roll(first, "save", saves, origin)[0] for origin in to_save]
        for die in sorted(shown, key=lambda die: die.roll.value):
            group = int(self._order(salvo).group[self.state])
            if group >= 0 and die.roll.value < salvo.saves[group].need:
                rolled.unsaved += 1
                self._strike_next(salvo, damage, die.number, devastating=False)

    def _order(self, salvo: Salvo) -> Order:
        return self.line.precise if salvo.weapon.precision else self.line.usual

    def _strike_next(self, salvo: Salvo, step: Step, origin: int | None, *, devastating: bool) -> None:
        """The model in front takes the strike; what is left over is lost."""
        order = self._order(salvo)
        group = int(order.group[self.state])
        if group < 0:
            return
        stages = salvo.against[group]
        pain = mortal_feel_no_pain(stages.defender) if devastating else stages.defender.feel_no_pain
        points = self._points(stages, step, origin, devastating=devastating)
        self._lose(order, self._felt(points, pain, step, origin))

    def _lose(self, order: Order, points: int) -> None:
        self.state += min(points, int(order.left[self.state])) * int(order.step[self.state])


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"

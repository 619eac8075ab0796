"""The log: every action with its dice, its sums and its reasons, from the engine's own account of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from apps.battletech.services.actions import HitBin, HitEquipment, Phase, SetRounds, Step
from apps.battletech.services.doll import names
from engine.battletech.explosion import Check, LogLine, Outcome
from engine.battletech.ops import DESTINATIONS

CHECK = "Heat check"
#: Where damage can end up, in words, in the order of DESTINATIONS.
ENDED = {
    "structure": "structure",
    "armor": "armour",
    "rear_armor": "rear armour",
    "vented": "vented",
    "wasted": "left over",
}


@dataclass(slots=True)
class Entry:
    """One paragraph: a check that held or failed, an explosion with its sums, or a plain note."""

    kind: str  # hold, boom, note
    title: str
    text: str = ""
    dice: tuple[int, ...] = ()
    sums: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chapter:
    """One action."""

    number: int
    title: str
    tag: str
    entries: tuple[Entry, ...]
    total: str
    destroyed: bool


def chapters(steps: Sequence[Step]) -> list[Chapter]:
    """The newest first."""
    return [_chapter(number, step) for number, step in enumerate(steps, 1)][::-1]


def said(chapter: Chapter) -> str:
    """A chapter in one breath, for those who listen."""
    entries = (f"{entry.title}: {entry.text}." for entry in chapter.entries)
    return " ".join([f"{chapter.title}.", *entries])


def _chapter(number: int, step: Step) -> Chapter:
    called = names(step.before)
    title, tag = _headline(step, called)
    if step.outcome is None:
        assert isinstance(step.action, SetRounds)
        at = step.action.number - 1
        before, after = step.before.bins[at].rounds, step.after.bins[at].rounds
        entry = Entry("note", called[step.before.bins[at].bin_id], f"{before} → {after} rounds")
        return Chapter(number, title, tag, (entry,), "", destroyed=False)
    entries = tuple(_entries(step.outcome, called, {b.bin_id: b.location for b in step.before.bins}))
    return Chapter(number, title, tag, entries, _total(step.outcome), step.outcome.mech_destroyed)


def _headline(step: Step, called: Mapping[str, str]) -> tuple[str, str]:
    action = step.action
    if isinstance(action, Phase):
        tag = f"seed {action.seed}" if action.seed is not None else f"{len(action.dice)} dice" if action.dice else ""
        return f"Heat phase at {action.heat}", tag
    if isinstance(action, SetRounds):
        return "Rounds changed", ""
    if isinstance(action, HitBin):
        hit = step.before.bins[action.number - 1]
        return f"Critical hit on {called[hit.bin_id]}", hit.location
    assert isinstance(action, HitEquipment)
    weapon = step.before.explosive_equipment[action.number - 1]
    return f"Critical hit on {called[weapon.equipment_id]}", weapon.location


def _entries(outcome: Outcome, called: Mapping[str, str], places: Mapping[str, str]) -> Iterator[Entry]:
    """Checks as they were rolled, then each explosion with every line that belongs to it."""
    checks = iter(outcome.checks)
    open_entry: Entry | None = None
    for line in outcome.log:
        if line.label == CHECK:
            yield from (_checked(check, called, places) for check in islice(checks, 1))
        elif line.reason == "explodes" or open_entry is None:
            if open_entry is not None:
                yield open_entry
            open_entry = _opened(line, called)
        else:
            open_entry.sums.append((line.label, line.sum, line.reason))
    if open_entry is not None:
        yield open_entry


def _opened(line: LogLine, called: Mapping[str, str]) -> Entry:
    item, _, place = line.label.partition(" in ")
    title = f"{called[item]} · {place}" if place and item in called else called.get(line.label, line.label)
    if line.reason == "explodes":
        return Entry("boom", title, f"{line.sum} damage: explodes")
    return Entry("note", title, f"{line.sum}: {line.reason}" if line.sum != "0" else line.reason)


def _checked(check: Check, called: Mapping[str, str], places: Mapping[str, str]) -> Entry:
    first, second = check.dice
    name = f"{called[check.bin_id]} · {places[check.bin_id]}" if check.bin_id else "The whole ’Mech"
    verdict = "explodes" if check.exploded else "holds"
    text = f"{first} + {second} = {first + second}, needs {check.target_number}: {verdict}"
    return Entry("fail" if check.exploded else "hold", name, text, check.dice)


def _total(outcome: Outcome) -> str:
    """Where all the damage went; it always adds up."""
    sums = Counter[str]()
    for flow in outcome.flows:
        sums[flow.kind] += flow.amount
    parts = [f"{ENDED[kind]} {sums[kind]}" for kind in DESTINATIONS if sums[kind]]
    whole = sum(sums[kind] for kind in DESTINATIONS)
    return f"{' + '.join(parts)} = {whole} points" if len(parts) > 1 else ""

"""The log of a sheet: every action as a chapter, from the typed entries of the engine's log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.battletech.services.actions import HitBin, HitEquipment, Phase, SetRounds, Step
from apps.battletech.services.doll import names
from engine.battletech.explosion import Outcome
from engine.battletech.log import (
    Check,
    Entry,
    Explosion,
    Harmless,
    LogLine,
    NoRoll,
    check_sum,
    consequences,
    explosion_sum,
    harmless_reason,
    item_id,
    no_roll_reason,
    product,
)
from engine.battletech.mech import Bin
from engine.battletech.ops import DESTINATIONS

Kind = Literal["hold", "fail", "boom", "note"]
#: Where damage can end up, in words, in the order of DESTINATIONS.
ENDED = {
    "structure": "structure",
    "armor": "armour",
    "rear_armor": "rear armour",
    "vented": "vented",
    "wasted": "left over",
}


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A check that held or failed, an explosion with its sums, or a plain note."""

    kind: Kind
    title: str
    text: str
    dice: tuple[int, ...] = ()
    sums: tuple[LogLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One action."""

    number: int
    title: str
    tag: str
    paragraphs: tuple[Paragraph, ...]
    total: str


def chapters(steps: Sequence[Step]) -> list[Chapter]:
    """The newest first."""
    return [_chapter(number, step) for number, step in enumerate(steps, 1)][::-1]


def announcement(chapter: Chapter) -> str:
    """A chapter in one breath, for those who listen."""
    sentences = (f"{paragraph.title}: {paragraph.text}." for paragraph in chapter.paragraphs)
    return " ".join([f"{chapter.title}.", *sentences])


def _chapter(number: int, step: Step) -> Chapter:
    called = names(step.before)
    title, tag = _headline(step, called)
    if step.outcome is None:
        assert isinstance(step.action, SetRounds)
        at = step.action.number - 1
        before, after = step.before.bins[at].rounds, step.after.bins[at].rounds
        paragraph = Paragraph("note", called[step.before.bins[at].bin_id], f"{before} → {after} rounds")
        return Chapter(number, title, tag, (paragraph,), "")
    places = {b.bin_id: b.location for b in step.before.bins}
    paragraphs = tuple(_paragraph(entry, called, places) for entry in step.outcome.entries)
    return Chapter(number, title, tag, paragraphs, _total(step.outcome))


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


def _paragraph(entry: Entry, called: Mapping[str, str], places: Mapping[str, str]) -> Paragraph:
    match entry:
        case NoRoll():
            return Paragraph("note", f"Heat {entry.heat}", f"no roll: {no_roll_reason(entry)}")
        case Check():
            verdict = "explodes" if entry.exploded else "holds"
            name = f"{called[entry.bin_id]} · {places[entry.bin_id]}" if entry.bin_id else "The whole ’Mech"
            kind: Kind = "fail" if entry.exploded else "hold"
            return Paragraph(kind, name, f"{check_sum(entry)}: {verdict}", entry.dice)
        case Harmless():
            shown = (
                f"{product(entry.source)}: " if isinstance(entry.source, Bin) and entry.reason != "destroyed" else ""
            )
            return Paragraph("note", called[item_id(entry.source)], f"{shown}{harmless_reason(entry)}")
        case Explosion():
            title = f"{called[item_id(entry.source)]} · {entry.source.location}"
            return Paragraph("boom", title, f"{explosion_sum(entry)} damage: explodes", sums=tuple(consequences(entry)))


def _total(outcome: Outcome) -> str:
    """Where all the damage went; it always adds up."""
    sums = Counter[str]()
    for flow in outcome.flows:
        sums[flow.kind] += flow.amount
    parts = [f"{ENDED[kind]} {sums[kind]}" for kind in DESTINATIONS if sums[kind]]
    whole = sum(sums[kind] for kind in DESTINATIONS)
    return f"{' + '.join(parts)} = {whole} points" if len(parts) > 1 else ""

"""One explosion through the hull: who absorbs how much, what moves on, what is vented and what is wasted.

Damage is never lost: structure + armour + rear armour + vented + wasted of a blast add up to the explosion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from engine.battletech.mech import Mech, Rules
from engine.battletech.tables import ARM_OF, LOCATIONS, NEXT_INWARD, TORSOS, UNPROTECTED, Containment

FlowKind = Literal["structure", "armor", "rear_armor", "transfer", "vented", "wasted", "destroyed", "fell"]


class Flow(NamedTuple):
    """One line of the arithmetic. ``before``: what the absorbing part had; ``to``: where it moves, or falls from."""

    kind: FlowKind
    at: int
    amount: int
    before: int = 0
    to: int | None = None


class Hull(NamedTuple):
    """The points a blast can eat, by location."""

    structure: tuple[int, ...]
    armor: tuple[int, ...]
    rear_armor: tuple[int, ...]

    @classmethod
    def of(cls, mech: Mech) -> Hull:
        return cls(
            tuple(mech.structure.get(name, 0) for name in LOCATIONS),
            tuple(mech.armor.get(name, 0) for name in LOCATIONS),
            tuple(mech.rear_armor.get(name, 0) for name in LOCATIONS),
        )


class Layout(NamedTuple):
    """What does not change while things explode: containment at the source and on the way, and full armour."""

    at_source: tuple[Containment, ...]
    on_the_way: tuple[Containment, ...]
    armor_takes_carried: bool
    full_armor: tuple[int, ...]

    @classmethod
    def of(cls, mech: Mech, rules: Rules) -> Layout:
        book = rules.book
        at_source = tuple(rules.containment(mech.protection(name, book)) for name in LOCATIONS)
        return cls(
            at_source,
            at_source if book.case_stops_carried else (UNPROTECTED,) * len(LOCATIONS),
            book.armor_takes_carried,
            tuple(mech.max_armor.get(name, mech.armor.get(name, 0)) for name in LOCATIONS),
        )


def blast(hull: Hull, layout: Layout, source: int, damage: int) -> tuple[Hull, list[Flow]]:
    """Run ``damage`` from ``source`` inward and return the hull after it with every step taken.

    >>> mech = Mech(tonnage=100, armor={"CT": 47})
    >>> _, flows = blast(Hull.of(mech), Layout.of(mech, Rules()), LOCATIONS.index("LT"), 36)
    >>> [(flow.kind, LOCATIONS[flow.at], flow.amount) for flow in flows if flow.amount]
    [('structure', 'LT', 21), ('transfer', 'LT', 15), ('armor', 'CT', 15)]
    """
    structure, armor, rear = list(hull.structure), list(hull.armor), list(hull.rear_armor)
    flows: list[Flow] = []

    def absorb(kind: FlowKind, pool: list[int], at: int, wanted: int) -> int:
        taken = min(wanted, pool[at])
        if taken > 0:
            flows.append(Flow(kind, at, taken, pool[at]))
            pool[at] -= taken
        return taken

    here, left, carried = source, damage, False
    while left > 0:
        containment = (layout.on_the_way if carried else layout.at_source)[here]
        standing = structure[here] > 0
        # A lost location shelters nothing: its armour is gone with it.
        if carried and standing and layout.armor_takes_carried:
            left -= absorb("armor", armor, here, left)
        limit = left if containment.own_structure is None else min(left, containment.own_structure)
        left -= absorb("structure", structure, here, limit)
        if standing and structure[here] == 0:
            _mark_destroyed(structure, here, flows)
        if standing and containment.blows_out_armor:
            left -= _blow_out(absorb, armor, rear, layout.full_armor, here, left)
        onward = left if containment.onward is None else min(left, containment.onward)
        if left > onward:
            flows.append(Flow("vented", here, left - onward))
        following = NEXT_INWARD[here]
        if following is None:
            if onward:
                flows.append(Flow("wasted", here, onward))
            break
        if onward:
            flows.append(Flow("transfer", here, onward, to=following))
        here, left, carried = following, onward, True
    return Hull(tuple(structure), tuple(armor), tuple(rear)), flows


def _mark_destroyed(structure: list[int], here: int, flows: list[Flow]) -> None:
    """The location is gone, and with a side torso its arm (ruling 7)."""
    flows.append(Flow("destroyed", here, 0))
    arm = ARM_OF.get(here)
    if arm is not None and structure[arm] > 0:
        flows.append(Flow("fell", arm, 0, structure[arm], here))
        structure[arm] = 0


def _blow_out(
    absorb: Callable[[FlowKind, list[int], int, int], int],
    armor: list[int],
    rear: list[int],
    full_armor: tuple[int, ...],
    here: int,
    left: int,
) -> int:
    """Printed CASE II: out through a torso's rear armour, elsewhere at most half the full armour, rounded up."""
    if here in TORSOS:
        return absorb("rear_armor", rear, here, left)
    return absorb("armor", armor, here, min(left, -(-full_armor[here] // 2)))

"""What the cells of a matrix can show, for shots and for fights."""

from __future__ import annotations

from typing import Any, NamedTuple


class Measure(NamedTuple):
    """A way to read a cell. ``more_is_better`` says which end is good for the attacker."""

    key: str
    short: str
    title: str
    claim: str
    is_chance: bool
    more_is_better: bool


def _by_key(*measures: Measure) -> dict[str, Measure]:
    return {measure.key: measure for measure in measures}


SHOTS = _by_key(
    Measure("kill", "Kill", "Chance to kill", "to kill", True, True),
    Measure("damage", "Damage", "Average damage", "damage", False, True),
    Measure("left", "Left", "Wounds left on average", "wounds left", False, False),
)
FIGHTS = _by_key(
    Measure("kill", "Kill", "Chance to kill", "to kill", True, True),
    Measure("die", "Be killed", "Chance to be killed", "to be killed", True, False),
    Measure("live", "Both live", "Both live", "that both live", True, True),
    Measure("traded", "Wounds", "Wounds taken less wounds lost", "wounds more taken than lost", False, True),
    Measure("least", "At least", "At least so many wounds", "to take at least so many wounds", True, True),
    Measure("charge", "Charge", "Points gained by striking first", "points gained by striking first", False, True),
)
#: By the kind of a matrix; results of jobs that name none are of shots.
OF_KIND = {"shoot": SHOTS, "fight": FIGHTS}


def of(result: dict[str, Any]) -> dict[str, Measure]:
    return OF_KIND[result.get("kind", "shoot")]

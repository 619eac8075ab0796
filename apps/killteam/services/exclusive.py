"""Rules that exclude each other, in the page's words."""

from __future__ import annotations

from collections.abc import Sequence

from apps.killteam.services import rules
from engine.killteam.profile import EXCLUSIVE

#: Severe beside Rending is what Severe's own text speaks of, so it is no mistake (ruling K4).
ALLOWED_TOGETHER = frozenset({"rending", "severe"})


def conflict(chosen: Sequence[str]) -> str:
    """What is wrong with these rules on one model, or nothing.

    >>> conflict(["rending", "severe"])
    ''
    """
    for name, group in EXCLUSIVE:
        titles = [rules.rule(key).title for key in chosen if key in group]
        if len(titles) > 1 and not set(chosen) & set(group) <= ALLOWED_TOGETHER:
            return f"{' and '.join(titles)} exclude each other: a model has one {name}."
    return ""

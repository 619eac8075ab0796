"""Fights between two operatives, solved exactly.

:mod:`~.plan` is the way in: a :class:`Plan` is built once, knows how long the fight takes and solves it within a
:class:`Budget`. :mod:`~.arena` holds the two fighters in figures, :mod:`~.moves` what a die may do, :mod:`~.states` the
one walk over the states of a round; :mod:`~.certain` and (with Feel No Pain) :mod:`~.chance` fill its tables and go
from round to round; :mod:`~.line` plays the dice on the table.
"""

from engine.killteam.fight.budget import Budget
from engine.killteam.fight.plan import Outcome, Plan, fight, seconds

__all__ = ["Budget", "Outcome", "Plan", "fight", "seconds"]

"""Dice side by side, counted exactly.

How many dice show each face is all that a pool's questions depend on, so faces are visited one after the other and
only what the question needs is carried along: never the single dice, never every roll.

* Given their sum, the numbers of dice per face are independent Poisson variables. Each face is therefore one
  polynomial in the number of dice, and a question multiplies them, picking the coefficient of all dice at the end
  (``faces.numbers``). Every term is positive: nothing cancels, precision is that of doubles.
* The sum of the highest ``k`` of ``n`` needs no state at all: it is a sum over the face of the k-th die and the number
  of dice above it (``ranks.highest_sum``).
* Pools of different dice visit faces with the numbers left of each kind as the state (``faces.visit``).

Dice that add new dice are a mixture: with ``a`` dice on exploding faces and ``b`` on others (``Pool.expanded``).
"""

from engine.dice.language.pools.pairing import paired_off
from engine.dice.language.pools.pool import Pool

__all__ = ["Pool", "paired_off"]

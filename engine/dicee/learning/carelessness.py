"""The ways in which players without any habit err, and how a player mixes them.

A *way* is a rule that looks at what choices lose and at nothing else: softmax at six temperatures (a choice that
loses x points is e^(x/T) times rarer than the best), anything at all, the second or the third best, one of the best
five, and anything that loses little. A player without a habit is a mixture of ways. The mixture is learnt from the
player's own decisions, apart for the first keep, the second keep and the box, and for the two halves of a game: some
are careless only when writing, some only when tired.

Learning is online EM over games, old games fading, so the mixture follows a player who changes. One pass over n
decisions costs O(n × ways) and is shared by all patterns as one more array axis.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.dicee.analysis import Analysis, Option

Floats = NDArray[np.float64]

TEMPERATURES = (0.15, 0.4, 0.8, 1.5, 3.0, 6.0)  # points
RANKS = (1, 2)  # second and third best
TOP = 5  # choices: "one of the best few"
WITHIN = (3.0, 8.0)  # points: "anything that loses little"
WAYS = len(TEMPERATURES) + 1 + len(RANKS) + 1 + len(WITHIN)
LATE = 7  # turns: the second half of a game begins after these
STAGES, HALVES = 3, 2
CELLS = STAGES * HALVES
FADING = 0.85  # what a game still weighs one game later
POOLED = 8.0  # decisions: how much a cell leans on its stage, and a stage on the whole player
ROUNDS = 4  # of EM per game; each starts where the last game ended
FIT_ROUNDS, FIT_PRIOR, FIT_POOLED = 30, 0.05, 2.0  # the same where all games are there at once
#: What is assumed of a player nobody has seen, in decisions. Errs on the careless side.
PRIOR: Floats = np.array([4.0] * len(TEMPERATURES) + [1.0] * (WAYS - len(TEMPERATURES)))


def actions(found: Analysis) -> tuple[Option, ...]:
    """Everything a player can do: every keep and every box, unlike ``options``, which lists stopping once."""
    return (*found.keeps, *found.boxes)


def chances(found: Analysis) -> Floats:
    """The chance of every action under every way of erring, ``[way, action]``."""
    lost = np.array([option.points_lost for option in actions(found)])
    table = np.empty((WAYS, len(lost)))
    weights = np.exp(-lost[None, :] / np.array(TEMPERATURES)[:, None])
    table[: len(TEMPERATURES)] = weights / weights.sum(axis=1, keepdims=True)
    table[len(TEMPERATURES)] = 1 / len(lost)
    boxes = len(found.boxes) if not found.position.rolls_left else 1
    order = np.argsort(lost[: len(found.keeps) + boxes].round(9), kind="stable")
    for row, rank in enumerate(RANKS, len(TEMPERATURES) + 1):
        table[row] = 0
        table[row, order[min(rank, len(order) - 1)]] = 1
    table[-len(WITHIN) - 1] = 0
    table[-len(WITHIN) - 1, order[:TOP]] = 1 / min(TOP, len(order))
    for row, within in enumerate(WITHIN, WAYS - len(WITHIN)):
        near = lost <= within
        table[row] = near / near.sum()
    return table


def cell(rolls_left: int, turn: int) -> int:
    """Which mixture a decision is drawn from: by stage of the turn and half of the game."""
    return rolls_left * HALVES + (turn > LATE)


@dataclass
class Mixture:
    """How some players mix the ways, ``[player, cell, way]``, learnt game by game.

    A "player" is a row: the same games with different decisions left out are rows of one mixture.
    """

    rows: int
    counts: Floats = field(init=False)
    weights: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.counts = np.zeros((self.rows, CELLS, WAYS))
        self.weights = _leaning(self.counts, PRIOR, POOLED)

    def learn(self, likelihood: Floats, cells: NDArray[np.int64], counted: Floats) -> None:
        """Take one game in: ``likelihood[decision, way]`` of what was chosen, and who counts it ``[row, decision]``."""
        faded = self.counts * FADING
        hot = (cells[:, None] == np.arange(CELLS)).astype(np.float64)  # [decision, cell]
        for _ in range(ROUNDS):
            shares = self.weights[:, cells] * likelihood  # [row, decision, way]
            shares *= (counted / shares.sum(axis=2))[:, :, None]
            self.counts = faded + np.einsum("rdw,dc->rcw", shares, hot)
            self.weights = _leaning(self.counts, PRIOR, POOLED)


def fitted(likelihood: Floats, cells: NDArray[np.int64]) -> Floats:
    """The mixture that fits some decisions best, all at once, ``[cell, way]``. Unlike ``Mixture`` it assumes little."""
    hot = (cells[:, None] == np.arange(CELLS)).astype(np.float64)
    weights = np.full((CELLS, WAYS), 1 / WAYS)
    for _ in range(FIT_ROUNDS):
        shares = weights[cells] * likelihood
        shares /= shares.sum(axis=1, keepdims=True)
        weights = _leaning((hot.T @ shares)[None], FIT_PRIOR, FIT_POOLED)[0]
    return weights


def _leaning(counts: Floats, prior: Floats | float, pooled: float) -> Floats:
    """Shares of counts ``[row, cell, way]``: cells leaning on their stage, stages on the player, the player on the
    prior."""
    rows = counts.shape[0]
    whole = _shares(counts.sum(axis=1) + prior)
    stages = counts.reshape(rows, STAGES, HALVES, WAYS)
    stage = _shares(stages.sum(axis=2) + pooled * whole[:, None])
    return _shares(stages + pooled * stage[:, :, None]).reshape(rows, CELLS, WAYS)


def _shares(counts: Floats) -> Floats:
    shares: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return shares

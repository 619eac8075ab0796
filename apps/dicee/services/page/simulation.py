"""The Monte Carlo check: a position played to the end many times, beside its exact value."""

from __future__ import annotations

from typing import Any

from apps.core import charts
from apps.core.charts import Figure
from apps.dicee.services import horizon
from apps.dicee.services.page.board import TablePage
from engine.dicee.analysis import Horizon, Position, analyze
from engine.dicee.boxes import Scorecard, Variant
from engine.dicee.simulate import Policy, simulate

KIND = "dicee.simulate"
#: What the panel offers (RFC-002 §5.4 asks for up to 100,000).
GAMES = (10_000, 100_000, 1_000_000)
SEED = 1


def simulation_of(page: TablePage, games: str) -> dict[str, Any]:
    """The position on the table as a job's document."""
    assert page.position is not None
    here = page.position
    return {
        "scorecard": here.card.to_wire(),
        "rulesVariant": here.variant.value,
        "dice": list(here.dice),
        "rollsLeft": here.rolls_left,
        "games": next((n for n in GAMES if str(n) == games), GAMES[0]),
    }


def run(document: dict[str, Any], progress: Any) -> dict[str, Any]:
    """Play; with the table by its optimum, without it for the points of each turn."""
    variant, games = Variant(document["rulesVariant"]), int(document["games"])
    here = Position(Scorecard.from_wire(document["scorecard"]), variant, tuple(document["dice"]), document["rollsLeft"])
    table = horizon.ready(variant)
    played = simulate(
        here,
        games,
        SEED,
        Policy.OPTIMAL if table else Policy.TURN,
        table,
        progress=lambda share: progress(round(share * games), games, "games played"),
        workers=1,
    )
    exact = here.card.grand_total + analyze(here, Horizon.GAME, table).ev if table else None
    return {
        "games": played.actual_iterations,
        "mean": played.mean,
        "low": played.ci95.low,
        "high": played.ci95.high,
        "sd": played.sd,
        "exact": exact,
        "convergence": [[point.games, point.mean, point.half_width] for point in played.convergence],
    }


def convergence(result: dict[str, Any]) -> Figure:
    """The running mean with its 95 % band, closing in on the exact value."""
    points = result["convergence"]
    games, means = [point[0] for point in points], [point[1] for point in points]
    band = (games, [p[1] - p[2] for p in points], [p[1] + p[2] for p in points])
    return charts.lines(
        [("Mean so far", games, means)], x="Games", y="Final score", band=band, target=result["exact"], log_x=True
    )

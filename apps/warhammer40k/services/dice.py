"""Roll the sheet once with proofs, or simulate it a million times."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError

from apps.core import charts
from apps.core.services import beside_the_field, dice_log
from apps.core.services.commitments import CommittedSource
from apps.jobs.registry import Progress
from apps.warhammer40k.services.rolling import Die, MixedTable, Rolled, Table
from apps.warhammer40k.services.sheet import editions_of, question_of
from engine.dice.rolls import DiceTray
from engine.warhammer40k.attack import Outcome, Volley, resolve
from engine.warhammer40k.mixed import MixedInput, MixedOutcome, Salvo, resolve_mixed
from engine.warhammer40k.profile import AttackInput, Defender, Weapon
from engine.warhammer40k.simulate import Simulated
from engine.warhammer40k.simulate import simulate as simulate_attack
from engine.warhammer40k.simulate_mixed import simulate_mixed
from engine.warhammer40k.stages import Stages
from engine.wire import EngineError

#: Attack dice one may look at one by one; beyond, a simulation says more.
MOST_ATTACKS = 200
RUNS = (1_000, 10_000, 100_000, 1_000_000)
COMPARED = ("damage", "destroyed")


def roll(settings: dict[str, Any], tray: DiceTray | None = None) -> Rolled:
    """The sheet once, with the system's randomness unless told otherwise."""
    with beside_the_field({}):
        request = question_of(settings, editions_of(settings)[0])
    most = sum(volley.attacks.high for volley in _volleys(request))
    if most > MOST_ATTACKS:
        raise ValidationError(
            f"Up to {MOST_ATTACKS} attacks can be rolled one by one; these are up to {most}. Simulate them instead."
        )
    with beside_the_field({}):
        if isinstance(request, MixedInput):
            return MixedTable(request, tray or DiceTray()).resolve()
        return Table(request, tray or DiceTray()).resolve()


def _volleys(request: AttackInput | MixedInput) -> list[Volley]:
    """Hits and wounds of each weapon."""
    if isinstance(request, MixedInput):
        return [Salvo(weapon, request.defender, request.rules).volley for weapon in request.weapons]
    return [Volley(Stages(weapon, request.defender, request.rules)) for weapon in request.weapons]


def tray_of(source: CommittedSource | None) -> DiceTray:
    """Dice from a promise, or from the system's randomness where there is none."""
    return DiceTray(source) if source else DiceTray()


def log(rolled: Rolled, source: CommittedSource | None = None) -> str:
    """Every die a line, for people and for ``dice_log.verify``; first the promise they follow from, if there is one."""
    lines = [_log_line(die) for die in rolled.dice]
    return "\n".join([dice_log.promise(source), *lines] if source else lines)


def _log_line(die: Die) -> str:
    tail = f" from #{die.origin}" if die.origin else ""
    tail += f" rerolls #{die.rerolls}" if die.rerolls else ""
    return dice_log.line(die.number, die.roll, die.phase, f"{die.outcome}{tail}")


# -- a million times ------------------------------------------------------------------------------------------------


def job_document(settings: dict[str, Any], runs: int) -> dict[str, Any]:
    """What a simulation job needs, as JSON."""
    request = question_of(settings, editions_of(settings)[0])
    mixed = {"mixed": True} if isinstance(request, MixedInput) else {}
    return {"attack": request.model_dump(mode="json"), "runs": runs, "seed": secrets.randbits(32), **mixed}


def simulate(document: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Run a simulation job and lay it over the exact answer where there is one."""
    request: AttackInput | MixedInput
    kind = MixedInput if document.get("mixed") else AttackInput
    request, runs = kind.model_validate(document["attack"]), int(document["runs"])
    simulated = _simulated(
        request, runs, int(document["seed"]), lambda done, of: progress(done, of, "sequences rolled")
    )
    outcome: Outcome | MixedOutcome | None
    try:
        outcome = resolve_mixed(_in_fixed_order(request)) if isinstance(request, MixedInput) else resolve(request)
    except EngineError:
        outcome = None
    rows = []
    for stage in COMPARED:
        pmf, error = simulated.distribution(stage), simulated.standard_error(stage)
        mean = getattr(outcome, stage).mean if outcome else None
        rows.append(
            {
                "stage": {"damage": "Damage", "destroyed": "Models destroyed"}[stage],
                "simulated": pmf.mean,
                "error": error,
                "exact": mean,
                "off": (pmf.mean - mean) / error if mean is not None and error else None,
            }
        )
    error = simulated.p_wiped_error
    rows.append(
        {
            "stage": "Unit wiped out",
            "simulated": simulated.p_wiped,
            "error": error,
            "exact": outcome.p_wiped if outcome else None,
            "off": (simulated.p_wiped - outcome.p_wiped) / error if outcome and error else None,
        }
    )
    shown = "destroyed" if request.defender.models > 1 else "damage"
    seen = simulated.distribution(shown)
    series = [(f"{runs:,} simulated", seen.low, seen.p.tolist())]
    figure = charts.distribution(series, axis={"damage": "Damage", "destroyed": "Models destroyed"}[shown])
    if outcome:
        pmf = getattr(outcome, shown)
        figure["data"].append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "exact",
                "x": list(range(pmf.low, pmf.high + 1)),
                "y": pmf.p.tolist(),
                "line": {"color": "var(--series-d)", "width": 3},
                "marker": {"size": 7},
            }
        )
        figure["layout"]["showlegend"] = True
    return {"runs": runs, "seed": document["seed"], "rows": rows, "figure": figure}


def _simulated(
    request: AttackInput | MixedInput, runs: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> Simulated:
    if isinstance(request, MixedInput):
        return simulate_mixed(request, runs, seed, progress)
    return simulate_attack(request, runs, seed, progress)


def _in_fixed_order(request: MixedInput) -> MixedInput:
    """What dice can be laid over: they keep to one order, whatever the defender might decide in between."""
    if request.defender.order != "adaptive":
        return request
    return request.model_copy(update={"defender": request.defender.model_copy(update={"order": "best"})})


def check_simulation(settings: dict[str, Any], runs: int) -> None:
    """Refuse what would take too long, before a job is made of it."""
    if runs not in RUNS:
        raise ValidationError(f"Choose one of {', '.join(f'{n:,}' for n in RUNS)} repetitions.")
    with beside_the_field({}):
        _simulated(question_of(settings, editions_of(settings)[0]), 1, 1)


def warm_up() -> None:
    """Compile the loops an attack and a simulation use."""
    bolters = Weapon(count=5, attacks="2", skill=3, strength=4, ap=1, damage="D3", devastating_wounds=True)
    marines = Defender(models=5, toughness=4, save=3, wounds=2, feel_no_pain=6)
    request = AttackInput(weapons=(bolters, bolters), defender=marines)
    resolve(request)
    simulate_attack(request, 10, 1)

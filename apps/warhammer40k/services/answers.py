"""The builder's answer: the sentence, the funnel, the distributions and the chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.core import charts
from apps.core.calculator import Answer, Table
from apps.core.formats import number, percent, percent_parts
from apps.warhammer40k.forms import COUNTED, EDITIONS
from apps.warhammer40k.services.sheet import editions_of, exact, points_each, question_of
from engine.dice.pmf import Pmf
from engine.warhammer40k.advice import Doubt, doubts
from engine.warhammer40k.attack import Outcome, Volley
from engine.warhammer40k.explain import explain
from engine.warhammer40k.hazard import hazard_of
from engine.warhammer40k.mixed import MixedInput, MixedOutcome
from engine.warhammer40k.profile import AttackInput

STAGES = (
    ("attacks", "Attacks"),
    ("hits", "Hits"),
    ("wounds", "Wounds"),
    ("unsaved", "Unsaved"),
    ("damage", "Damage"),
    ("destroyed", "Models"),
)
#: Where models differ, a save belongs to whoever takes the wound: there is no number of unsaved wounds to go on with.
MIXED_STAGES = tuple(stage for stage in STAGES if stage[0] != "unsaved")
Resolved = Outcome | MixedOutcome
#: A bar of a chart carries its number when there are no more bars than this.
LABELLED_BARS = 26
#: Below this many models on average, points per model say nothing.
SMALLEST_MEAN = 0.005


def answer(settings: dict[str, Any]) -> Answer:
    """The sentence, the funnel and every distribution, for one edition or for both."""
    runs = [run(settings, edition) for edition in editions_of(settings)]
    first = runs[0]
    whole, unit, claim = _headline(first["outcome"])
    return Answer(
        number=whole,
        shown=_shown(whole) if not unit else percent_parts(whole / 100)[0],
        unit=unit,
        claim=claim,
        rest=_rest(runs, settings),
        tables=tuple(table for one in runs for table in one["tables"]),
        facts={
            "runs": runs,
            "first": first,
            "counted": first["counted"],
            "rows_of_editions": _rows_of_editions(runs),
            "question": settings["question"],
            "doubts": list(dict.fromkeys(doubt for one in runs for doubt in one["doubts"])),
        },
    )


def run(settings: dict[str, Any], edition: str) -> dict[str, Any]:
    """One edition's exact answer in the parts a page shows."""
    request = question_of(settings, edition)
    outcome = exact(request, settings)
    counted = _counted(settings, outcome)
    chosen: Pmf = getattr(outcome, counted)
    return {
        "edition": edition,
        "counted": counted,
        "groups": _groups(outcome),
        "order": order_in_words(outcome),
        "title": dict(EDITIONS)[edition],
        "outcome": outcome,
        "weapons": _shares(outcome),
        "funnel": _funnel(outcome),
        "pmf": chosen,
        "p_wiped": outcome.p_wiped,
        "points": _points(settings, outcome),
        "tables": _tables(outcome, settings, edition),
        "doubts": _doubts(request, outcome),
        "hazards": _hazards(settings, outcome),
        "arithmetic": _arithmetic(outcome),
    }


def _counted(settings: dict[str, Any], outcome: Resolved) -> str:
    """The stage the chart shows."""
    counted: str = settings["counted"]
    return "damage" if counted == "unsaved" and isinstance(outcome, MixedOutcome) else counted


def _stages(outcome: Resolved) -> tuple[tuple[str, str], ...]:
    return MIXED_STAGES if isinstance(outcome, MixedOutcome) else STAGES


def _groups(outcome: Resolved) -> list[dict[str, Any]]:
    """What every group of a target of different models loses."""
    if not isinstance(outcome, MixedOutcome):
        return []
    return [group_row(outcome, at) for at in range(len(outcome.unit.groups))]


def group_row(outcome: MixedOutcome, at: int) -> dict[str, Any]:
    """What one group of models loses on average, and the chance that none of it is left."""
    group, removed = outcome.unit.groups[at], outcome.destroyed_of(at)
    return {
        "name": group.name,
        "models": group.models,
        "leader": group.leader,
        "mean": removed.mean,
        "gone": removed.exactly(group.models),
    }


def order_in_words(outcome: Resolved) -> str:
    """In which order the groups of a target take wounds, in words."""
    if not isinstance(outcome, MixedOutcome):
        return ""
    if not outcome.order:
        return "chosen anew at every wound"
    return "first " + ", then ".join(outcome.unit.groups[at].name or f"group {at + 1}" for at in outcome.order)


def _rows_of_editions(runs: Sequence[dict[str, Any]]) -> list[tuple[str, list[float]]]:
    """The mean of every stage after the first, edition by edition."""
    stages = _stages(runs[0]["outcome"])[1:]
    return [(label, [getattr(one["outcome"], stage).mean for one in runs]) for stage, label in stages]


def _hazards(settings: dict[str, Any], outcome: Resolved) -> list[dict[str, Any]]:
    """What Hazardous weapons cost their own side."""
    wounds = {line["name"]: line["bearer_wounds"] for line in settings["weapons"]}
    rows = []
    for at, one in enumerate(outcome.volleys):
        hazard = hazard_of(one.weapon, one.stages.rules.edition)
        if hazard is not None:
            rows.append(
                {
                    "name": _weapon_name(one, at),
                    "rolls": hazard.rolls,
                    "fails": hazard.fail_chance,
                    "failures": hazard.failures.mean,
                    "any": hazard.failures.at_least(1),
                    "mortal_wounds": None if hazard.mortal_wounds_each is None else hazard.mortal_wounds.mean,
                    "models": hazard.models_lost(wounds.get(one.weapon.name, 1)).mean,
                }
            )
    return rows


def _doubts(request: AttackInput | MixedInput, outcome: Resolved) -> list[str]:
    """The engine's doubts, with the weapon's name where there are several."""
    said = []
    for doubt in _doubts_of_all_groups(request, outcome):
        part = doubt.field.split(".")
        several = part[0] == "weapons" and len(request.weapons) > 1
        name = f"{_weapon_name(outcome.volleys[int(part[1])], int(part[1]))}: " if several else ""
        said.append(name + doubt.message)
    return list(dict.fromkeys(said))


def _doubts_of_all_groups(request: AttackInput | MixedInput, outcome: Resolved) -> list[Doubt]:
    """What is doubtful whichever group takes the wounds."""
    if not isinstance(outcome, MixedOutcome):
        return list(doubts(request))
    first, *others = (
        list(doubts(request, [salvo.against[at] for salvo in outcome.salvos])) for at in range(len(outcome.unit.groups))
    )
    return [doubt for doubt in first if all(doubt in other for other in others)]


def _arithmetic(outcome: Resolved) -> list[dict[str, Any]]:
    """The engine's working, weapon by weapon, the unit last."""
    steps = explain(outcome)
    places = [*range(len(outcome.volleys)), None]
    return [
        {
            "name": "The unit" if at is None else _weapon_name(outcome.volleys[at], at),
            "steps": [step for step in steps if step.weapon == at],
        }
        for at in places
    ]


def _headline(outcome: Resolved) -> tuple[float, str, str]:
    """The number the page opens with: models for a unit, the chance to destroy it for a single model."""
    models, destroyed = outcome.defender.models, outcome.destroyed
    if models == 1:
        return 100 * outcome.p_wiped, "%", "to destroy it."
    return destroyed.mean, "", f"models fall out of {models}; most likely {destroyed.mode}."


def _shown(mean: float) -> str:
    """A mean as the headline prints it: what is possible is never 0.00."""
    return "<0.01" if 0 < mean < SMALLEST_MEAN else number(mean)


def _rest(runs: Sequence[dict[str, Any]], settings: dict[str, Any]) -> str:
    outcome: Resolved = runs[0]["outcome"]
    total, models = outcome.defender.total_wounds, outcome.defender.models
    if models == 1:
        parts = [f"{number(outcome.damage.mean, 1)} of {total} wounds on average; most likely {outcome.damage.mode}."]
    else:
        half = max(1, (models + 1) // 2)
        parts = [f"{half} or more: {percent(outcome.destroyed.at_least(half))}."] if models else []
        parts.append(f"The whole unit: {percent(outcome.p_wiped)}.")
    if len(runs) > 1:
        other: Resolved = runs[1]["outcome"]
        said = percent(other.p_wiped) if models == 1 else f"{number(other.destroyed.mean)} models"
        return " ".join([*parts, f"That is the 10th edition; the 11th: {said}."])
    best = max(runs[0]["weapons"], key=lambda one: one["share"], default=None)
    if best and len(runs[0]["weapons"]) > 1 and best["share"] > 0:
        parts.append(f"{best['name']} does {percent(best['share'], 0)} of the work.")
    return " ".join([*parts, f"{runs[0]['title']} edition."])


def _shares(outcome: Resolved) -> list[dict[str, Any]]:
    """Who does the work: each weapon's part of the damage, allocation aside."""
    lines = outcome.at_first_guards if isinstance(outcome, MixedOutcome) else outcome.volleys
    totals = [one.raw_damage.mean for one in lines]
    return [
        {
            "number": at + 1,
            "name": _weapon_name(one, at),
            "share": total / sum(totals) if sum(totals) else 0.0,
        }
        for at, (one, total) in enumerate(zip(outcome.volleys, totals, strict=True))
    ]


def _weapon_name(volley: Volley, at: int) -> str:
    name = volley.weapon.name or f"Weapon {at + 1}"
    return f"{name} (mortal wounds)" if volley.weapon.type == "mortal" else name


def _funnel(outcome: Resolved) -> list[dict[str, Any]]:
    """The stages: means, what is left from the stage before, and each weapon's part as a height in percent."""
    means = {stage: getattr(outcome, stage).mean for stage, _ in _stages(outcome)}
    tallest = max(means["attacks"], means["hits"], means["wounds"], 1e-9)
    steps = []
    before = 0.0
    for stage, label in _stages(outcome)[:-2]:
        parts = [{"at": at, "v": 100 * getattr(one, stage).mean / tallest} for at, one in enumerate(outcome.volleys)]
        factor = f"×{means[stage] / before:.2f}" if before else ""
        steps.append({"label": label, "mean": means[stage], "factor": factor, "parts": parts[::-1], "of": None})
        before = means[stage]
    for stage, label, most in (
        ("damage", "Damage", outcome.defender.total_wounds),
        ("destroyed", "Models", outcome.defender.models),
    ):
        factor = f"×{means[stage] / before:.2f}" if before else ""
        filled = [{"at": None, "v": 100 * means[stage] / most if most else 0}]
        steps.append({"label": label, "mean": means[stage], "factor": factor, "parts": filled, "of": most})
        before = means[stage]
    return steps


def _points(settings: dict[str, Any], outcome: Resolved) -> dict[str, float] | None:
    """Points spent per model and per point destroyed, where points are given."""
    killed, spent = outcome.destroyed.mean, settings["points"]
    if not spent or killed < SMALLEST_MEAN:
        return None
    each = points_each(settings)
    taken, whole = each * killed, each * settings["models"]
    if isinstance(outcome, MixedOutcome):
        taken, whole = outcome.points_lost, sum(group.points * group.models for group in outcome.unit.groups)
    return {
        "spent": spent,
        "per_kill": spent / killed,
        "taken": taken,
        "returned": taken / spent,
        "each": 0 if settings["groups"] else each,
        "unit": whole,
    }


def _tables(outcome: Resolved, settings: dict[str, Any], edition: str) -> tuple[Table, ...]:
    counted = _counted(settings, outcome)
    end = "-11th" if settings["edition"] == "both" and edition == "eleventh" else ""
    pmf: Pmf = getattr(outcome, counted)
    high = {"destroyed": outcome.defender.models, "damage": outcome.defender.total_wounds}.get(counted, pmf.high)
    rows = [(v, pmf.exactly(v), pmf.at_least(v), pmf.at_most(v)) for v in range(high + 1)]
    label = dict(COUNTED)[counted]
    stages = [
        (label, p.mean, p.sd, p.mode, p.low, p.high)
        for label, p in ((label, getattr(outcome, stage)) for stage, label in _stages(outcome))
    ]
    groups = [(one["name"], one["models"], one["mean"], one["gone"]) for one in _groups(outcome)]
    by_group = (Table(f"groups{end}", "Who falls", ("Group", "Models", "Fall", "All of them"), groups),)
    return (
        Table(f"distribution{end}", label, (label, "Exactly", "At least", "At most"), rows),
        *(by_group if groups else ()),
        Table(f"stages{end}", "Every stage", ("Stage", "Mean", "Deviation", "Most likely", "Least", "Most"), stages),
    )


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    """One chart over every situation and edition on the page."""
    question, counted = answers[0].facts["question"], answers[0].facts["counted"]
    series = []
    for letter, one in zip("AB", answers, strict=False):
        for part in one.facts["runs"]:
            name = " ".join(filter(None, [letter if len(answers) > 1 else "", part["title"]]))
            series.append((name, part["pmf"].low, part["pmf"].p.tolist()))
    axis = dict(COUNTED)[counted]
    if question == "exactly":
        figure = charts.distribution(series, axis=axis)
        if len(series) == 1:
            _mark_the_mode(figure, answers[0].facts["first"]["pmf"])
    else:
        figure = charts.cumulative(series, axis=axis, at_least=question == "at_least")
    return {"figure": figure, "chart_title": axis}


def _mark_the_mode(figure: charts.Figure, pmf: Pmf) -> None:
    """The most likely value is gold, and every bar says its percentage where there is room."""
    bars = figure["data"][0]
    bars["marker"]["color"] = ["var(--accent)" if v == pmf.mode else "var(--series-a)" for v in bars["x"]]
    bars["marker"]["line"] = {"color": "var(--rule)", "width": 1.5}
    if len(bars["x"]) <= LABELLED_BARS:
        bars["text"] = [percent_parts(p)[0] for p in bars["y"]]
        bars["textposition"], bars["cliponaxis"] = "outside", False
        figure["layout"]["xaxis"]["dtick"] = 1

"""Fighting: from a match-up to an answer, with both fighters' wounds, the joint picture and the dice behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from apps.accounts.models import Player
from apps.core import charts
from apps.core.calculator import Answer, Table
from apps.core.formats import percent_parts
from apps.core.services import beside_the_field
from apps.jobs.models import Job
from apps.killteam.services import rules, sides, solving
from apps.killteam.services.dice_on_the_table import fight_rerolls
from apps.killteam.services.sides import WHO
from apps.killteam.services.solving import Question, Solved
from engine.dice.pmf import Pmf
from engine.killteam.advice import fight_mistakes, fight_report
from engine.killteam.fight import Outcome, fight
from engine.killteam.fight.line import best_line
from engine.killteam.pool import distribution, outcomes, roll_of
from engine.killteam.profile import Fighter, FightOptions

MINUTE = 60
JOINT_CELLS = 14  # rows and columns of the joint picture; the CSV has every pair
#: What the engine refuses on a valid form → the field it is said beside.
FIELDS = {
    f"fighter{n}.{wire}": f"{who}_{name}"
    for n, who in enumerate(WHO, 1)
    for wire, name in (("numDice", "dice"), ("abilities", "rules"))
}


def answer(settings: dict[str, Any]) -> Answer:
    """Who is likelier to stand, and everything behind it."""
    with beside_the_field(FIELDS):
        question = asked(settings)
        rerolls = fight_rerolls(question, settings)
        solved = solving.answer(question)
    if not isinstance(solved, Solved):
        return _waiting(solved)
    outcome, fighters, options = solved.outcome, (question.one, question.two), question.options
    names = [settings[f"{who}_name"] for who in WHO]
    dies, sign = percent_parts(outcome.p_kill2)
    return Answer.of_chance(
        outcome.p_kill1,
        f"for {names[0]} to kill {names[1]}.",
        f"{names[0]} dies in {dies} {sign}, else has {_alive_mean(outcome.wounds1):.1f} wounds left.",
        tables=(*_wounds(outcome, names), _joint(outcome, names), *_dice(fighters, names, settings)),
        facts=_facts(outcome, names, fighters, settings)
        | {"rerolls": rerolls}
        | {"line": _line(question, solved, names), "report": fight_report(*fighters, outcome, options)}
        | ({"check": solved.check} if solved.check else {})
        | {"cannot_check": settings["check"] and not question.check},
        warnings=(  # rules that exclude each other have been refused by the form; Severe beside Rending is allowed
            *(f"{m.message} {m.fix}" for m in fight_mistakes(*fighters, options) if m.code != "exclusive"),
            *sides.remarks_on_a_fight(settings),
        ),
    )


def asked(settings: dict[str, Any]) -> Question:
    """What the sheet asks the engine."""
    one, two, options = sides.of_a_fight(settings, _options(settings))
    hands = [(settings[f"{who}_crits"], settings[f"{who}_norms"]) for who in WHO]
    is_rolled = bool(settings["check"]) and solving.can_be_rolled(one, two, options)
    explored = (hands[0], hands[1]) if settings["explore"] else None
    return Question(one, two, options, explored, is_rolled, sideways_of(settings["sideways"]) if explored else ())


def start(player: Player, settings: dict[str, Any], path: str) -> Job | None:
    """The job that computes a fight of a sheet; None if there is nothing to wait for."""
    with beside_the_field(FIELDS):
        question = asked(settings)
        known = isinstance(solving.answer(question), Solved)
    return None if known else solving.start(player, question, path)


def _waiting(seconds: float) -> Answer:
    """In place of an answer that takes longer than a page may: it is computed as a job, and then found here."""
    shown = f"{seconds:.0f}" if seconds < MINUTE else f"{seconds / MINUTE:.0f}"
    unit = "s" if seconds < MINUTE else "min"
    return Answer(
        number=seconds if unit == "s" else seconds / MINUTE,
        shown=f"~{max(1, int(shown))}",
        unit=unit,
        claim="to count this fight exactly.",
        rest="It is computed in the background; the answer appears here, under the same link.",
        facts={"waiting": True},
    )


def _options(settings: dict[str, Any]) -> FightOptions:
    return FightOptions(
        strategy1=settings["one_strategy"],
        strategy2=settings["two_strategy"],
        num_rounds=settings["rounds"],
        first_fighter=int(settings["first"]),
        injury=settings["injury"],
        fnp_mode=settings["fnp_mode"],
        severe_triggers_crit_rules=settings["severe_chain"],
    )


def _line(question: Question, solved: Solved, names: Sequence[str]) -> dict[str, Any] | None:
    """What to do with the dice on the table when both play perfectly, move by move."""
    if question.hands is None or solved.steps is None:
        return None
    steps = [_step(step, names) | _ways(at, step, question.sideways) for at, step in enumerate(solved.steps, 1)]
    return {"hands": list(zip(names, question.hands, strict=True)), "steps": steps}


SIDEWAYS = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})")


def sideways_of(text: str) -> tuple[tuple[int, int], ...]:
    """Moves other than the best, as an address writes them.

    >>> sideways_of("2.1 5.0"), sideways_of("nonsense")
    (((2, 1), (5, 0)), ())
    """
    return tuple((int(at), int(move)) for at, move in SIDEWAYS.findall(text))


def _ways(at: int, step: dict[str, Any], sideways: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For the address: how each other move of a step is followed; whether this step was sent another way."""
    before = [f"{step_at}.{move}" for step_at, move in sideways if step_at < at]
    moves = [alternative["action"] for alternative in step["alternatives"]]
    return {
        "is_sideways": at in dict(sideways),
        "ways": {action: " ".join([*before, f"{at}.{number}"]) for number, action in enumerate(moves)},
    }


def _step(step: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A move in words, with what each other move would have been worth to whoever makes it."""
    others = [a for a in step["alternatives"] if a["action"] != step["action"]]
    return {
        "name": names[step["fighter"] - 1],
        "letter": "ab"[step["fighter"] - 1],
        "action": step["action"],
        "damage": step["damage"],
        "wounds": list(zip(names, step["wounds"], strict=True)),
        "chosen": next((a for a in step["alternatives"] if a["action"] == step["action"]), None),
        "others": sorted(others, key=lambda a: (-a["win"], -a["margin"])),
    }


def _alive_mean(wounds: Pmf) -> float:
    """Average wounds left of a fighter who lives."""
    alive = wounds.at_least(1)
    return wounds.mean / alive if alive > 0 else 0.0


def _wounds(outcome: Outcome, names: Sequence[str]) -> tuple[Table, Table]:
    one, two = (
        Table(
            f"wounds-{who}",
            f"Wounds left: {name}",
            ("Wounds left", "P(=)", "P(≥)", "P(≤)"),
            [(w, p, pmf.at_least(w), pmf.at_most(w)) for w, p in pmf.items()],
        )
        for who, name, pmf in zip(WHO, names, (outcome.wounds1, outcome.wounds2), strict=True)
    )
    return one, two


def _joint(outcome: Outcome, names: Sequence[str]) -> Table:
    rows = [(int(a), int(b), float(outcome.joint[a, b])) for a, b in np.argwhere(outcome.joint > 0)]
    return Table("joint", "Both together", (f"Wounds left: {names[0]}", f"Wounds left: {names[1]}", "P"), rows)


def _dice(fighters: Sequence[Fighter], names: Sequence[str], settings: dict[str, Any]) -> list[Table]:
    return [
        Table(
            f"dice-{who}",
            f"Successes: {name}",
            ("Criticals", "Normals", "P"),
            list(outcomes(distribution(roll_of(fighter, chain=settings["severe_chain"])))),
        )
        for who, name, fighter in zip(WHO, names, fighters, strict=True)
    ]


def _facts(
    outcome: Outcome, names: Sequence[str], fighters: Sequence[Fighter], settings: dict[str, Any]
) -> dict[str, Any]:
    pmfs = (outcome.wounds1, outcome.wounds2)
    figure = charts.distribution(
        [(name, pmf.low, pmf.p.tolist()) for name, pmf in zip(names, pmfs, strict=True)], axis="Wounds left"
    )
    figure["layout"]["showlegend"] = False  # the panel's head names the series
    return {
        "names": names,
        "dead": [(name, pmf.exactly(0)) for name, pmf in zip(names, pmfs, strict=True)],
        "p_both_live": max(0.0, 1 - outcome.p_kill1 - outcome.p_kill2),
        "averages": [
            {
                "name": name,
                "left": pmf.mean,
                "lost": fighter.wounds - pmf.mean,
                "sd": pmf.sd,
                "p_dead": pmf.exactly(0),
                "p_unhurt": pmf.exactly(fighter.wounds),
                "wounds": fighter.wounds,
            }
            for name, pmf, fighter in zip(names, pmfs, fighters, strict=True)
        ],
        "figure": figure,
        "joint": joint_picture(outcome),
        "dice": [_dice_picture(fighter, settings) for fighter in fighters],
        "rules_in_use": [rules.rule(key) for key in sorted({key for f in fighters for key in f.abilities})],
        "strategies": [rules.STRATEGY_WORDS[settings[f"{who}_strategy"]] for who in WHO],
    }


def joint_picture(outcome: Outcome) -> dict[str, Any]:
    """The likeliest wounds of both as a grid; each axis keeps its likeliest values, in order."""
    rows, columns = (_likeliest(pmf) for pmf in (outcome.wounds1, outcome.wounds2))
    top = max(float(outcome.joint[r, c]) for r in rows for c in columns)
    cells = [
        (r, [(float(outcome.joint[r, c]), float(outcome.joint[r, c]) / top, r == 0 or c == 0) for c in columns])
        for r in rows
    ]
    covered = sum(p for _, row in cells for p, _, _ in row)
    return {"columns": columns, "rows": cells, "left_out": max(0.0, 1 - covered)}


def _likeliest(pmf: Pmf) -> list[int]:
    common = sorted(pmf.items(), key=lambda item: -item[1])[:JOINT_CELLS]
    return sorted((value for value, _ in common), reverse=True)


def _dice_picture(fighter: Fighter, settings: dict[str, Any]) -> list[tuple[int, list[float]]]:
    """P(criticals, normals) as rows by criticals."""
    grid = distribution(roll_of(fighter, chain=settings["severe_chain"]))
    return [(c, [float(grid[c, n]) for n in range(grid.shape[0] - c)]) for c in range(grid.shape[0])]


def warm() -> float:
    """Compile the loops before anyone waits for them."""
    one = Fighter(num_dice=2, dice_stat=3, norm_dmg=3, crit_dmg=4, wounds=6)
    plain, best = FightOptions(), FightOptions(strategy1="optimal", strategy2="optimal", num_rounds=2)
    best_line(one, one, (1, 1), (1, 1), best)
    return fight(one, one, plain).p_kill1 + fight(one, one, best).p_kill1 + fight(one, one.changed(fnp=5)).p_kill1

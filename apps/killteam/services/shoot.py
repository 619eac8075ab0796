"""Shooting: from a sheet to an answer with its tables, charts and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.core import charts
from apps.core.calculator import Answer, Table
from apps.core.formats import number, percent
from apps.core.services import beside_the_field
from apps.killteam.services import check, rules, sides
from apps.killteam.services.dice_on_the_table import rerolls as rerolls_of
from engine.dice.pmf import Pmf
from engine.killteam.activation import Volley, hot_damage
from engine.killteam.advice import shoot_mistakes, shoot_reasons, shoot_report
from engine.killteam.profile import Attacker, Defender, ShootOptions
from engine.killteam.shoot import Shot, by_save, kill_grid, shoot
from engine.killteam.simulate import shoot_samples

SAVES = (2, 3, 4, 5, 6)
#: Wounds people meet: the columns of the kill grid are the nearest of these.
COMMON_WOUNDS = (5, 7, 8, 9, 10, 11, 12, 14, 15, 18, 20)
GRID_COLUMNS = 7
SHOWN_ROWS = 60  # of the table on the page; the CSV has them all
NEGLIGIBLE = 1e-4  # on the page, tails rarer than this are left to the CSV when the table is long

#: What the engine refuses on a valid form → the field it is said beside.
FIELDS = {"attacker.abilities": "rules", "defender.abilities": "save_rules", "rolled": "rolled"}


def answer(settings: dict[str, Any]) -> Answer:
    """The chance to kill, and everything behind it."""
    with beside_the_field(FIELDS):
        attacker, defender = sides.of_a_shot(settings)
        options = options_of(settings)
        shots = by_save(attacker, defender, options)
        shot = shots.get(defender.dice_stat) or shoot(attacker, defender, options)
        rerolls = rerolls_of(attacker, defender, options, settings["rolled"])
    damage = shot.damage
    return Answer.of_chance(
        shot.p_kill,
        "to kill.",
        f"Most likely {damage.mode} damage, {damage.mean:.2f} on average.",
        tables=(_outcomes(damage), _saves(shots), _grid(shots, defender.wounds)),
        facts=_facts(attacker, defender, options, shot)
        | {"rerolls": rerolls, "several": _several(shot, settings["targets"]), "hot": _hot(settings, attacker)}
        | {"by_save": {save: one.damage for save, one in shots.items()}}
        | {"why_save": _why_each_save(attacker, defender, options)}
        | ({"check": _check(attacker, defender, options, shot)} if settings["check"] else {}),
        warnings=(  # rules that exclude each other have been refused by the form; Severe beside Rending is allowed
            *(f"{m.message} {m.fix}" for m in shoot_mistakes(attacker, defender, options) if m.code != "exclusive"),
            *sides.remarks_on_a_shot(settings),
        ),
    )


def options_of(settings: dict[str, Any]) -> ShootOptions:
    return ShootOptions(
        num_rounds=settings["rounds"],
        fire_team_rules=settings["fire_team"],
        fnp_mode=settings["fnp_mode"],
        severe_triggers_crit_rules=settings["severe_chain"],
    )


def _several(shot: Shot, targets: int) -> dict[str, Any] | None:
    """How many of several targets alike fall, each with a roll of its own."""
    if targets < 2:
        return None
    volley = Volley((shot,) * targets)
    kills = volley.kills
    return {
        "targets": targets,
        "mean": kills.mean,
        "wounds": volley.wounds_lost,
        "rows": [(number, kills.exactly(number), kills.at_least(number)) for number in range(targets + 1)],
    }


def _hot(settings: dict[str, Any], attacker: Attacker) -> dict[str, float] | None:
    """What a Hot weapon costs its bearer over all shots: a roll after each."""
    if not settings["hot"]:
        return None
    shots = settings["rounds"]
    harm = hot_damage(attacker.dice_stat).repeat(shots)
    return {"mean": harm.mean, "p_hurt": harm.at_least(1), "most": harm.high, "shots": shots}


def _outcomes(damage: Pmf) -> Table:
    rows = [(value, p, damage.at_least(value), damage.at_most(value)) for value, p in damage.items()]
    return Table("damage", "Every outcome", ("Damage", "P(=)", "P(≥)", "P(≤)"), rows)


def _saves(shots: dict[int, Shot]) -> Table:
    rows = [(f"{save}+", shot.p_kill, shot.damage.mean, shot.damage.sd) for save, shot in shots.items()]
    return Table("saves", "By save", ("Save", "Kill", "Average damage", "Standard deviation"), rows)


def _grid(shots: dict[int, Shot], wounds: int) -> Table:
    columns = _columns(wounds)
    rows = [(f"{save}+", *chances) for save, chances in kill_grid(shots, columns).items()]
    return Table("kill", "Chance to kill, by save and wounds", ("Save", *(f"{w} W" for w in columns)), rows)


def _columns(wounds: int) -> list[int]:
    """The target's wounds and the nearest of the common ones."""
    nearest = sorted((w for w in COMMON_WOUNDS if w != wounds), key=lambda w: abs(w - wounds))[: GRID_COLUMNS - 1]
    return sorted([wounds, *nearest])


def _why_each_save(attacker: Attacker, defender: Defender, options: ShootOptions) -> dict[str, str]:
    """For each row of the table by save: how the defender's dice come about."""
    words = {}
    for save in SAVES:
        reasons = shoot_reasons(attacker, defender.changed(dice_stat=save), options)
        parts = [f"{r.label} {r.value}: {r.why}." for r in reasons if r.label.startswith(("Defence", "Save on"))]
        words[f"{save}+"] = " ".join(parts)
    return words


def _check(attacker: Attacker, defender: Defender, options: ShootOptions, shot: Shot) -> dict[str, Any]:
    damage = shoot_samples(attacker, defender, options, check.GAMES, check.dice())
    return check.against(shot.p_kill, damage >= defender.wounds)


def _facts(attacker: Attacker, defender: Defender, options: ShootOptions, shot: Shot) -> dict[str, Any]:
    damage = shot.damage
    return {
        "pmf": damage,
        "wounds": defender.wounds,
        "grid_column": 1 + _columns(defender.wounds).index(defender.wounds),
        "save": f"{defender.dice_stat}+",
        "p_kill": shot.p_kill,
        "p_nothing": damage.exactly(0),
        "wounds_left": defender.wounds - damage.capped(defender.wounds).mean,
        "sd": damage.sd,
        "middle_half": (damage.quantile(0.25), damage.quantile(0.75)),
        "rules_in_use": [rules.rule(key) for key in (*attacker.abilities, *defender.abilities)],
        "reasons": shoot_reasons(attacker, defender, options),
        "report": shoot_report(attacker, defender, shot, options),
    }


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    """What is drawn over both situations: the chart, the joint table, both volleys at one target."""
    series = [(letter, a.facts["pmf"].low, a.facts["pmf"].p.tolist()) for letter, a in zip("AB", answers, strict=False)]
    wounds = answers[0].facts["wounds"]
    label = f"killed: {wounds} or more"
    figure = charts.distribution(series, axis="Damage", threshold=wounds, threshold_label=label)
    figure["layout"]["showlegend"] = False  # the panel's head names the series
    return {
        "figure": figure,
        "at_least": _at_least(series, wounds),
        "family": [(letter, _family(a.facts["by_save"])) for letter, a in zip("ab", answers, strict=False)],
        "outcomes": joint_rows([a.facts["pmf"] for a in answers], wounds),
        "combined": _combined(answers) if len(answers) == 2 else None,
    }


def _at_least(series: Sequence[charts.Series], wounds: int) -> charts.Figure:
    """The chance of so much damage or more, beside the bars."""
    figure = charts.cumulative(series, axis="Damage")
    figure["layout"] |= {"showlegend": False}
    figure["layout"]["shapes"] = [charts.rule_at(wounds)]
    return figure


def _family(by_save: Mapping[int, Pmf]) -> charts.Figure:
    """The same chance for each save a target may have."""
    figure = charts.cumulative([(f"{save}+", pmf.low, pmf.p.tolist()) for save, pmf in by_save.items()], axis="Damage")
    figure["data"][-1]["line"] |= {"dash": "longdashdot", "width": 2}  # the fifth would look like the first
    return figure


def joint_rows(pmfs: Sequence[Pmf], mark: int) -> list[dict[str, Any]]:
    """One row a value that can happen in either situation; a long table loses its rarest tail on the page only."""
    values = sorted({value for pmf in pmfs for value, _ in pmf.items()})
    if len(values) > SHOWN_ROWS:
        values = [v for v in values if any(p.at_least(v) > NEGLIGIBLE and p.at_most(v) > NEGLIGIBLE for p in pmfs)]
    first_kill = next((value for value in values if value >= mark), None)
    return [
        {
            "value": value,
            "is_mark": value == first_kill,
            "cells": [
                (letter, pmf.exactly(value), pmf.at_least(value), pmf.at_most(value))
                for letter, pmf in zip("ab", pmfs, strict=False)
            ],
        }
        for value in values
    ]


def _combined(answers: Sequence[Answer]) -> dict[str, Any]:
    """Both volleys at A's target: damage adds up, so the distributions convolve."""
    first, second = (answer.facts["pmf"] for answer in answers)
    wounds = answers[0].facts["wounds"]
    total = first.convolve(second)
    p_kill = total.at_least(wounds)
    return {
        "p_kill": p_kill,
        "shown": percent(p_kill),
        "mean": number(total.mean),
        "sd": number(total.sd),
        "wounds": wounds,
        "wounds_differ": wounds != answers[1].facts["wounds"],
        "apart": 1 - (1 - first.at_least(wounds)) * (1 - second.at_least(wounds)),
    }


def warm() -> float:
    """Compile the loops before anyone waits for them."""
    attacker = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4, mwx=1)
    defender = Defender(num_dice=3, dice_stat=4, wounds=8, fnp=5)
    shoot_samples(attacker, defender, ShootOptions(), 1, check.dice())
    return shoot(attacker, defender).p_kill

"""Many fighters against many: reading lists, fighting every pair both ways, measuring the outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError

from apps.core.calculator import Answer
from apps.jobs import parts
from apps.killteam import notation
from apps.killteam.library import Weapon, library
from apps.killteam.services import matrix, measures
from apps.killteam.services.matrix import Named, Progress
from engine.killteam.fight import Budget, Outcome
from engine.killteam.fight.matrix import Bout
from engine.killteam.fight.matrix import matrix as fought
from engine.killteam.fight.matrix import seconds as predicted
from engine.killteam.profile import Fighter, FightOptions
from engine.wire import EngineError

AT_ONCE = 1.2  # predicted seconds a page may take; a longer matrix is a job
LONGEST = 25 * 60.0  # predicted seconds a job may take
ROWS = "killteam.fight_matrix_row"
BUDGET = Budget(seconds=LONGEST, chance_seconds=LONGEST)
METHOD = (
    "Every cell is the exact answer of the fight page: all rolls of both sides counted, both playing as set, by "
    "default as well as can be. Wounds taken less wounds lost are averages. The gain by striking first is what it adds "
    "to the chance to kill less the chance to be killed, in percentage points: where it is highest, charge; where it "
    "is near 0, it does not matter who does."
)


# -- Reading lists ----------------------------------------------------------------------------------------------------


def read_lists(settings: dict[str, Any]) -> tuple[list[Named], list[Named]]:
    """Pasted lines, then the team that was picked. Raises a form error beside the list that is wrong."""
    lists = []
    for field, team in (("attackers", "attack_team"), ("defenders", "defend_team")):
        named = _pasted(field, settings[field]) + _team_fighters(settings[team])
        if not 1 <= len(named) <= matrix.MOST:
            raise ValidationError({field: f"{field.title()} must be 1–{matrix.MOST}; you entered {len(named)}."})
        lists.append(named)
    return lists[0], lists[1]


def _pasted(field: str, text: str) -> list[Named]:
    try:
        if text.lstrip().startswith("["):
            return matrix.from_json(text, Fighter, EXAMPLE)
        lines = [notation.fighter(line, at) for at, line in notation.lines(text)]
        return [matrix.checked(line.name, notation.read_fighter(line).values, Fighter) for line in lines]
    except notation.NotationError as error:
        raise ValidationError({field: str(error)}) from None
    except EngineError as error:
        raise ValidationError({field: error.message}) from None


EXAMPLE = '[{"name": "Ork Boy", "numDice": 3, "diceStat": 3, "normDmg": 4, "critDmg": 5, "wounds": 10}]'


def _team_fighters(team: str) -> list[Named]:
    """Each melee weapon of a team in the hands of each who holds it."""
    return [_armed(weapon) for weapon in library().weapons if weapon.team == team and weapon.kind == "melee"]


def _armed(weapon: Weapon) -> Named:
    values = notation.read_armed(weapon.line, weapon.operative.line)
    return matrix.checked(f"{weapon.operative.name}, {weapon.name.casefold()}", values, Fighter)


def _warnings(settings: dict[str, Any]) -> tuple[str, ...]:
    found: dict[tuple[str, str], None] = {}
    for field in ("attackers", "defenders"):
        if not settings[field].lstrip().startswith("["):
            for at, text in notation.lines(settings[field]):
                line = notation.fighter(text, at)
                found |= dict.fromkeys((word, line.name) for word in notation.read_fighter(line).left_out)
    return matrix.not_counted(list(found))


# -- Computing --------------------------------------------------------------------------------------------------------


def document(settings: dict[str, Any]) -> dict[str, Any]:
    """Everything a job needs, as plain data."""
    attackers, defenders = read_lists(settings)
    return {
        "kind": "fight",
        "attackers": [list(named) for named in attackers],
        "defenders": [list(named) for named in defenders],
        "plans": [settings["attacker_plan"], settings["defender_plan"]],
        "first": settings["first"],
        "least": settings["least"],
        "rounds": settings["rounds"],
    }


def options_of(wanted: dict[str, Any]) -> FightOptions:
    one, two = wanted["plans"]
    return FightOptions(strategy1=one, strategy2=two, num_rounds=wanted["rounds"])


def fighters_of(wanted: dict[str, Any], side: str) -> list[Fighter]:
    return [Fighter(**values) for _, values in wanted[side]]


@parts.part_of_a_job(ROWS)
def row(wanted: dict[str, Any], number: int) -> list[tuple[float, ...]]:
    """The cells of one attacker, each with every measure."""
    attacker, defenders = Fighter(**wanted["attackers"][number][1]), fighters_of(wanted, "defenders")
    (bouts,) = fought([attacker], defenders, options_of(wanted), BUDGET)
    return [
        _cell(bout, attacker, defender, wanted["first"], wanted["least"])
        for bout, defender in zip(bouts, defenders, strict=True)
    ]


def _cell(bout: Bout, attacker: Fighter, defender: Fighter, first: str, least: int) -> tuple[float, ...]:
    """In the order of the measures."""
    outcome: Outcome = bout.charges if first == "attacker" else bout.waits
    lost, taken = attacker.wounds - outcome.wounds1.mean, defender.wounds - outcome.wounds2.mean
    enough = outcome.wounds2.at_most(defender.wounds - least) if least <= defender.wounds else 0.0
    both_live = max(0.0, 1.0 - outcome.p_kill1 - outcome.p_kill2)
    return outcome.p_kill1, outcome.p_kill2, both_live, taken - lost, enough, 100 * bout.gain


def compute(wanted: dict[str, Any], progress: Progress = lambda done, total, note="": None) -> dict[str, Any]:
    """The job: every pair, row by row, by as many workers as are free."""
    rows = parts.shared_out(ROWS, wanted, len(wanted["attackers"]), progress)
    return _result(wanted, rows)


def _result(wanted: dict[str, Any], rows: Sequence[Sequence[Sequence[float]]]) -> dict[str, Any]:
    return {
        "kind": "fight",
        "attackers": [name for name, _ in wanted["attackers"]],
        "defenders": [name for name, _ in wanted["defenders"]],
        **{key: [[cell[at] for cell in cells] for cells in rows] for at, key in enumerate(measures.FIGHTS)},
    }


# -- Answering --------------------------------------------------------------------------------------------------------


def answer(settings: dict[str, Any]) -> Answer:
    """The best all-rounder, and every match-up; what takes longer is left to a job."""
    wanted = document(settings)
    warnings = _warnings(settings)
    try:
        attackers, defenders = fighters_of(wanted, "attackers"), fighters_of(wanted, "defenders")
        seconds = predicted(attackers, defenders, options_of(wanted), BUDGET)
    except EngineError as error:
        raise ValidationError({"attackers": error.message}) from None
    size = len(wanted["attackers"]) * len(wanted["defenders"])
    if seconds > LONGEST:
        raise ValidationError({"attackers": "These fights would take hours: use fewer of them, or fewer dice."})
    if seconds > AT_ONCE:
        rest = "They are fought in the background: start below, leave if you like, come back."
        return matrix.left_to_a_job(size, rest, warnings)
    result = _result(wanted, [row(wanted, number) for number in range(len(wanted["attackers"]))])
    return matrix.summed_up(result, settings, "on average over these opponents", warnings)


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    return matrix.extras(answers) | {
        "csv": "killteam:fight-matrix-csv",
        "kind": "killteam:fight-matrix",
        "notation_template": "killteam/components/fighter_lines.html",
        "method": METHOD,
    }

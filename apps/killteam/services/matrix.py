"""Many attackers against many defenders: reading lists, computing every pair, arranging the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from pydantic import ValidationError as NotADocument

from apps.core.calculator import Answer, Table
from apps.core.formats import number, percent_parts
from apps.killteam import notation
from apps.killteam.library import library
from apps.killteam.services import measures
from apps.killteam.weapon_rules import why_left_out
from engine.killteam.profile import Attacker, Defender, Fighter, ShootOptions
from engine.killteam.shoot import Shot, matrix
from engine.wire import EngineError

MOST = 100  # attackers, and defenders
ALIKE = 9  # decimals beyond which two cells count as equal and stay in the order entered
MOST_WARNED = 8  # words without effect that are named
INLINE = 400  # match-ups a page computes while it is asked for; more of them are a job

#: Engine fields as a list names them.
WORDS = {"num_dice": "dice", "dice_stat": "target number", "norm_dmg": "normal damage", "crit_dmg": "critical damage",
         "apx": "Piercing", "px": "Piercing Crits", "mwx": "Devastating", "lethal": "Lethal", "auto_norms": "Accurate",
         "invuln_save": "Invulnerable", "fnp": "Feel No Pain", "hardyx": "Hardy"}  # fmt: skip
Progress = Callable[..., None]


MEASURES = measures.SHOTS
METHOD = (
    "Every cell is the exact answer of the shooting page: all rolls of both sides counted, the defender saving as well "
    "as can be. Average damage is not capped by wounds; wounds left are."
)
#: The two matrices: their titles and pages.
KINDS = (("Shots", "killteam:matrix"), ("Fights", "killteam:fight-matrix"))
ORDERS = [("entered", "As entered"), ("best", "Best first"), ("name", "By name")]


class Named(NamedTuple):
    """A profile with the name its line gave it."""

    name: str
    profile: dict[str, Any]


# -- Reading lists ------------------------------------------------------------------------------------------------


def read_lists(settings: dict[str, Any]) -> tuple[list[Named], list[Named]]:
    """Pasted lines, then the team that was picked. Raises a form error beside the list that is wrong."""
    lists = []
    for field, team, read, shelf in (
        ("attackers", "attack_team", _attacker, _team_weapons),
        ("defenders", "defend_team", _defender, _team_operatives),
    ):
        named = _pasted(field, settings[field], read) + [read(line) for line in shelf(settings[team])]
        if not 1 <= len(named) <= MOST:
            raise ValidationError({field: f"{field.title()} must be 1–{MOST}; you entered {len(named)}."})
        lists.append(named)
    return lists[0], lists[1]


def _pasted(field: str, text: str, read: Callable[[notation.Line], Named]) -> list[Named]:
    try:
        if text.lstrip().startswith("["):
            kind = Attacker if field == "attackers" else Defender
            return from_json(text, kind, EXAMPLE)
        parse = notation.weapon if field == "attackers" else notation.target
        return [read(parse(line, at)) for at, line in notation.lines(text)]
    except notation.NotationError as error:
        raise ValidationError({field: str(error)}) from None
    except EngineError as error:
        raise ValidationError({field: error.message}) from None


EXAMPLE = '[{"name": "Plasma gun", "numDice": 4, "diceStat": 3, "normDmg": 4, "critDmg": 6}]'
Kind = type[Attacker] | type[Defender] | type[Fighter]


def from_json(text: str, kind: Kind, example: str) -> list[Named]:
    """``[{"name": "Plasma gun", "numDice": 4, …}]``: engine documents with a name."""
    try:
        items = json.loads(text)
        named = []
        for item in items:
            name = str(item.pop("name"))[:60]
            named.append(Named(name, kind.model_validate(item).model_dump(mode="json", exclude_defaults=True)))
    except (ValueError, KeyError, AttributeError, TypeError, NotADocument):
        raise notation.NotationError(f"JSON must be a list like {example}.") from None
    return named


def without_effect(settings: dict[str, Any]) -> list[tuple[str, str]]:
    """The words of pasted lines that change nothing, each with its line's name: of something else, or misspelt."""
    found: dict[tuple[str, str], None] = {}
    for field, parse, read in (
        ("attackers", notation.weapon, lambda line: notation.read_weapon(line, "shoot")),
        ("defenders", notation.target, notation.read_target),
    ):
        text = settings[field]
        if text.lstrip().startswith("["):
            continue
        for at, line in notation.lines(text):
            parsed = parse(line, at)
            found |= dict.fromkeys((word, parsed.name) for word in read(parsed).left_out)
    return list(found)


def _warnings(settings: dict[str, Any]) -> tuple[str, ...]:
    return not_counted(without_effect(settings))


def not_counted(words: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Warnings about words without effect, each with the line's name: those nobody knows, and those to set by hand.

    Rules that never touch dice (Range, Silent …) are passed over: nothing is missing without them.
    """
    unknown = [f"“{word}” ({name})" for word, name in words if why_left_out(word) is None]
    by_hand = [f"“{word}” ({name}): {why}" for word, name in words if (why := why_left_out(word))]
    return tuple(
        f"{says}: {', '.join(found[:MOST_WARNED])}{_and_more(len(found) - MOST_WARNED)}."
        for says, found in (("Not counted, check the spelling", unknown), ("Not counted, yours to set", by_hand))
        if found
    )


def _and_more(number: int) -> str:
    return f" and {number} more" if number > 0 else ""


def _attacker(line: notation.Line) -> Named:
    return checked(line.name, notation.read_weapon(line, "shoot").values, Attacker)


def _defender(line: notation.Line) -> Named:
    return checked(line.name, notation.read_target(line).values, Defender)


def checked(name: str, values: dict[str, Any], kind: Kind) -> Named:
    try:
        return Named(name, kind(**values).model_dump(mode="json", exclude_defaults=True))
    except NotADocument as error:
        wrong = error.errors()[0]
        word, limits = WORDS.get(str(wrong["loc"][0]), str(wrong["loc"][0])), wrong.get("ctx", {})
        limit = f"{limits['le']} or less" if "le" in limits else f"{limits.get('ge', 0)} or more"
        raise notation.NotationError(f"{name}: {word} must be {limit}; you entered {wrong['input']}.") from None


def _team_weapons(team: str) -> list[notation.Line]:
    """Each ranged weapon of a team once; the same name with other figures counts as another."""
    seen: dict[tuple[Any, ...], notation.Line] = {}
    for weapon in library().weapons:
        if weapon.team == team and weapon.kind == "ranged":
            seen.setdefault((weapon.name, *weapon.line.figures.values()), weapon.line)
    return list(seen.values())


def _team_operatives(team: str) -> list[notation.Line]:
    return [operative.line for operative in library().operatives if operative.team == team]


# -- Computing ----------------------------------------------------------------------------------------------------


def document(settings: dict[str, Any]) -> dict[str, Any]:
    """Everything a job needs, as plain data."""
    attackers, defenders = read_lists(settings)
    return {
        "attackers": [list(named) for named in attackers],
        "defenders": [list(named) for named in defenders],
        "cover": settings["cover"],
        "rounds": settings["rounds"],
    }


def compute(wanted: dict[str, Any], progress: Progress = lambda done, total, note="": None) -> dict[str, Any]:
    """Every attacker against every defender: kill chance, average damage, average wounds left."""
    options = ShootOptions(num_rounds=wanted["rounds"])
    attackers = [(name, Attacker(**values)) for name, values in wanted["attackers"]]
    defenders = [(name, _in_cover(Defender(**values), wanted["cover"])) for name, values in wanted["defenders"]]
    result: dict[str, Any] = {
        "attackers": [name for name, _ in attackers],
        "defenders": [name for name, _ in defenders],
        **{measure: [] for measure in MEASURES},
    }
    for done, (name, attacker) in enumerate(attackers):
        progress(done * len(defenders), len(attackers) * len(defenders), name)
        (shots,) = matrix([attacker], [defender for _, defender in defenders], options)
        cells = [_cell(shot) for shot in shots]
        for measure, values in zip(MEASURES, zip(*cells, strict=True), strict=True):
            result[measure].append(list(values))
    return result


def _in_cover(defender: Defender, cover: int) -> Defender:
    return defender.changed(auto_norms=min(20, defender.auto_norms + cover)) if cover else defender


def _cell(shot: Shot) -> tuple[float, float, float]:
    left = shot.wounds - shot.damage.capped(shot.wounds).mean if shot.wounds else 0.0
    return shot.p_kill, shot.damage.mean, left


# -- Arranging and answering --------------------------------------------------------------------------------------


def arranged(
    result: dict[str, Any], *, show: str = "kill", order: str = "entered", column: int = 0, row: int = 0
) -> dict[str, Any]:
    """The grid of one measure in the order asked for. ``column`` and ``row`` count from 1 as entered; 0 = none."""
    measure = measures.of(result)[show]
    grid = result[show]
    sign = -1 if measure.more_is_better else 1
    rows, columns = list(range(len(grid))), list(range(len(result["defenders"])))
    if order == "name":
        rows.sort(key=lambda r: result["attackers"][r].casefold())
    elif order == "best":
        rows.sort(key=lambda r: sign * round(sum(grid[r]), ALIKE))
    if 0 < column <= len(columns):
        rows.sort(key=lambda r: sign * round(grid[r][column - 1], ALIKE))
    if 0 < row <= len(rows):
        columns.sort(key=lambda c: sign * round(grid[row - 1][c], ALIKE))
    top, low = max(map(max, grid)), min(0.0, min(map(min, grid)))
    # The ramp ends at the highest cell: of chances, too, or a table of small ones would be one colour.
    return {
        "measure": measure,
        "columns": [(c + 1, result["defenders"][c]) for c in columns],
        "rows": [(r + 1, result["attackers"][r], [grid[r][c] for c in columns]) for r in rows],
        "low": low,
        "top": top,
        "span": (top - low) or 1.0,
        "sorted_by": column,
        "sorted_along": row,
    }


def table(result: dict[str, Any], show: str) -> Table:
    rows = [(name, *cells) for name, cells in zip(result["attackers"], result[show], strict=True)]
    return Table(show, measures.of(result)[show].title, ("Attacker", *result["defenders"]), rows)


def answer(settings: dict[str, Any]) -> Answer:
    """The best all-rounder, and every match-up; too many of them are left to a job."""
    wanted = document(settings)
    size = len(wanted["attackers"]) * len(wanted["defenders"])
    if size > INLINE:
        rest = f"More than {INLINE} are computed in the background: start below, leave if you like, come back."
        return left_to_a_job(size, rest, _warnings(settings))
    return summed_up(compute(wanted), settings, "on average over these targets", _warnings(settings))


def left_to_a_job(size: int, rest: str, warnings: tuple[str, ...]) -> Answer:
    """A matrix that takes longer than a page may."""
    return Answer(
        number=float(size),
        shown=f"{size:,}",
        unit="",
        claim="match-ups.",
        rest=rest,
        facts={"is_job": True, "size": size},
        warnings=warnings,
    )


def summed_up(result: dict[str, Any], settings: dict[str, Any], over: str, warnings: tuple[str, ...]) -> Answer:
    """The best all-rounder of a finished matrix, with its tables."""
    every = measures.of(result)
    measure = every[settings["show"]]
    means = [sum(cells) / len(cells) for cells in result[measure.key]]
    best = (max if measure.more_is_better else min)(range(len(means)), key=means.__getitem__)
    shown, unit = percent_parts(means[best]) if measure.is_chance else (number(means[best]), "")
    return Answer(
        number=100 * means[best] if measure.is_chance else means[best],
        shown=shown,
        unit=unit,
        claim=f"{measure.claim}, {over},",
        rest=f"with {result['attackers'][best]}: the best all-rounder of {len(means)}.",
        warnings=warnings,
        tables=tuple(table(result, key) for key in every),
        facts={
            "arranged": arranged(result, **{key: settings[key] for key in ("show", "order", "column", "row")}),
            "size": len(means) * len(result["defenders"]),
        },
    )


def extras(answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "matrix": answers[0].facts.get("arranged"),
        "is_job": answers[0].facts.get("is_job", False),
        "csv": "killteam:matrix-csv",
        "kinds": KINDS,
        "kind": "killteam:matrix",
        "notation_template": "killteam/components/shot_lines.html",
        "method": METHOD,
    }

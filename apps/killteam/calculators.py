"""The calculators of Kill Team: which form, which service and which templates belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps.core.calculator import Answer, Calculator, Preset
from apps.core.forms import CalculatorForm
from apps.killteam import views
from apps.killteam.forms import FightForm, FightMatrixForm, MatrixForm, ShootForm, most_damage_by_default
from apps.killteam.services import fight as fighting
from apps.killteam.services import fight_matrix as brawling
from apps.killteam.services import matrix as matching
from apps.killteam.services import report
from apps.killteam.services import shoot as shooting
from apps.killteam.services.remembering import KEPT_LARGE, remembered
from apps.killteam.tabs import TABS

STYLES = ("css/pages/killteam.css",)


def _sheet(
    name: str, form: type[CalculatorForm], answer: Callable[[dict[str, Any]], Answer], page: str, **more: Any
) -> Calculator:
    """A calculator of this game: the same controls, tabs and style sheet on every page."""
    common = {"inputs": "killteam/inputs.html", "tabs": TABS, "styles": STYLES}
    return Calculator(name=name, form=form, answer=answer, page_template=f"killteam/{page}.html", **(common | more))


def _matrix(
    name: str, form: type[CalculatorForm], service: Any, presets: tuple[Preset, ...], *, title: str, lead: str
) -> Calculator:
    """Everyone against everyone: nothing to compare, and one way to show it."""
    more = {"results": "killteam/matrix_results.html", "extras": service.extras, "compares": False}
    return _sheet(
        name, form, remembered(service.answer, KEPT_LARGE), "matrix", presets=presets, title=title, lead=lead, **more
    )


#: A bare address opens on a worked comparison: what a bit of cover is worth.
EXAMPLE = "dice=5&normal=4&critical=5&reroll=balanced&piercing=1&wounds=10"
WELCOME = f"name=In+the+open&{EXAMPLE}&b-name=In+cover&" + "&".join(f"b-{pair}" for pair in EXAMPLE.split("&"))
WELCOME += "&b-cover=1&compare=1"

shoot = _sheet(
    "shoot",
    ShootForm,
    remembered(report.shoot(shooting.answer)),
    "calculator",
    title="Kill Team: shoot",
    lead="Every ability, exact; two situations side by side.",
    extras=shooting.extras,
    results="killteam/shoot_results.html",
    act=views.pick,
    scripts=("js/killteam/calculator.js",),
    welcome=WELCOME,
    presets=(
        Preset("Bolt rifle at a Marine", {"piercing_crits": 1, "save": 3, "wounds": 14}, "4 dice, 3+, 3/4"),
        Preset(
            "Supercharged plasma at a Marine",
            {"normal": 5, "critical": 6, "lethal": 5, "piercing": 1, "save": 3, "wounds": 14},
            "Piercing 1, Lethal 5+",
        ),
        Preset(
            "Melta at a heavy Marine",
            {"normal": 6, "critical": 3, "devastating": 4, "piercing": 2, "save": 3, "wounds": 18},
            "Devastating 4: criticals no save stops",
        ),
        Preset(
            "Sniper at an Ork in cover",
            {"hit": 2, "devastating": 3, "piercing": 1, "critical": 3, "save": 5, "wounds": 10, "cover": 1},
            "mortis rounds",
        ),
        Preset("Lasgun, three times", {"hit": 4, "normal": 2, "critical": 3, "wounds": 7, "save": 5, "rounds": 3}),
    ),
)
fight = _sheet(
    "fight",
    FightForm,
    remembered(report.fight(fighting.answer)),
    "fight",
    title="Kill Team: fight",
    lead="Strike or parry, five ways to play, exact to the last wound.",
    version=2,
    upgrades={1: most_damage_by_default},
    results="killteam/fight_results.html",
    act=views.pick,
    styles=(*STYLES, "css/pages/jobs.css"),
    scripts=("js/killteam/calculator.js", "js/jobs/progress.js"),
    presets=(
        Preset(
            "Power fist against chainaxe",
            {
                "one_name": "Power fist",
                "one_normal": 5,
                "one_critical": 7,
                "one_wounds": 15,
                "one_rules": "brutal",
                "two_name": "Chainaxe",
                "two_dice": 5,
                "two_hit": 4,
                "two_normal": 5,
                "two_critical": 7,
                "two_wounds": 14,
            },
            "Brutal: only criticals parry",
        ),
        Preset(
            "Perfect play, three rounds",
            {"rounds": 3},
            "both play the game's true optimum",
        ),
    ),
)
#: Two whole teams of the library, in either matrix.
TEAMS = {
    "attackers": "",
    "attack_team": "Legionaries",
    "defenders": "",
    "defend_team": "Angels of Death",
    "order": "best",
}
matrix = _matrix(
    "matrix",
    MatrixForm,
    matching,
    (
        Preset("Legionaries against Angels", TEAMS, "each gun of the library against each of its operatives"),
        Preset("Everyone in cover", {"cover": 1}, "the same targets, one save kept"),
    ),
    title="Kill Team: matrix",
    lead="Many attackers against many defenders, every pair exact.",
)
fight_matrix = _matrix(
    "fight-matrix",
    FightMatrixForm,
    brawling,
    (
        Preset("Who should charge", {"show": "charge"}, "what striking first is worth, pair by pair"),
        Preset("Legionaries against Angels", TEAMS, "each blade of the library against each"),
    ),
    title="Kill Team: fight matrix",
    lead="Many fighters against many, every pair exact, and who should charge.",
)

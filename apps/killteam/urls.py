"""``/killteam/``: shoot, fight, matrix, profiles."""

from django.urls import path
from django.views.generic import RedirectView

from apps.core.calculator import Calculator, Preset
from apps.killteam import roster_views, views
from apps.killteam.forms import FightForm, FightMatrixForm, MatrixForm, ShootForm, most_damage_by_default
from apps.killteam.services import fight as fighting
from apps.killteam.services import fight_matrix as brawling
from apps.killteam.services import matrix as matching
from apps.killteam.services import report
from apps.killteam.services import shoot as shooting
from apps.killteam.tabs import TABS

app_name = "killteam"


#: A bare address opens on a worked comparison: what a bit of cover is worth.
EXAMPLE = "dice=5&normal=4&critical=5&reroll=balanced&piercing=1&wounds=10"
WELCOME = f"name=In+the+open&{EXAMPLE}&b-name=In+cover&" + "&".join(f"b-{pair}" for pair in EXAMPLE.split("&"))
WELCOME += "&b-cover=1&compare=1"

shoot = Calculator(
    name="shoot",
    title="Kill Team: shoot",
    lead="Every ability, exact; two situations side by side.",
    form=ShootForm,
    answer=report.shoot(shooting.answer),
    extras=shooting.extras,
    inputs="killteam/inputs.html",
    results="killteam/shoot_results.html",
    page_template="killteam/calculator.html",
    act=views.pick,
    tabs=TABS,
    styles=("css/pages/killteam.css",),
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
fight = Calculator(
    name="fight",
    title="Kill Team: fight",
    lead="Strike or parry, five ways to play, exact to the last wound.",
    form=FightForm,
    answer=report.fight(fighting.answer),
    version=2,
    upgrades={1: most_damage_by_default},
    inputs="killteam/inputs.html",
    results="killteam/fight_results.html",
    page_template="killteam/fight.html",
    act=views.pick,
    styles=("css/pages/killteam.css", "css/pages/jobs.css"),
    scripts=("js/killteam/calculator.js", "js/jobs/progress.js"),
    tabs=TABS,
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
matrix = Calculator(
    name="matrix",
    title="Kill Team: matrix",
    lead="Many attackers against many defenders, every pair exact.",
    form=MatrixForm,
    answer=matching.answer,
    extras=matching.extras,
    inputs="killteam/inputs.html",
    results="killteam/matrix_results.html",
    page_template="killteam/matrix.html",
    styles=("css/pages/killteam.css",),
    tabs=TABS,
    compares=False,
    presets=(
        Preset(
            "Legionaries against Angels",
            {
                "attackers": "",
                "attack_team": "Legionaries",
                "defenders": "",
                "defend_team": "Angels of Death",
                "order": "best",
            },
            "each gun of the library against each of its operatives",
        ),
        Preset("Everyone in cover", {"cover": 1}, "the same targets, one save kept"),
    ),
)
fight_matrix = Calculator(
    name="fight-matrix",
    title="Kill Team: fight matrix",
    lead="Many fighters against many, every pair exact, and who should charge.",
    form=FightMatrixForm,
    answer=brawling.answer,
    extras=brawling.extras,
    inputs="killteam/inputs.html",
    results="killteam/matrix_results.html",
    page_template="killteam/matrix.html",
    styles=("css/pages/killteam.css",),
    tabs=TABS,
    compares=False,
    presets=(
        Preset("Who should charge", {"show": "charge"}, "what striking first is worth, pair by pair"),
        Preset(
            "Legionaries against Angels",
            {
                "attackers": "",
                "attack_team": "Legionaries",
                "defenders": "",
                "defend_team": "Angels of Death",
                "order": "best",
            },
            "each blade of the library against each",
        ),
    ),
)
urlpatterns = [
    path("", RedirectView.as_view(pattern_name="killteam:shoot"), name="home"),
    *shoot.urls("shoot/"),
    path("shoot/advice/", views.advice, {"page": "shoot"}, name="shoot-advice"),
    path("shoot/random/", views.random_sheet, {"page": "shoot"}, name="shoot-random"),
    path("fight/advice/", views.advice, {"page": "fight"}, name="fight-advice"),
    path("fight/random/", views.random_sheet, {"page": "fight"}, name="fight-random"),
    path("fight/run/", views.run_fight, name="fight-run"),
    path("fight/plans/", views.plans, name="fight-plans"),
    *fight.urls("fight/"),
    path("matrix/run/", views.run_matrix, name="matrix-run"),
    path("matrix/job/<uuid:job_id>/", views.matrix_job, name="matrix-job"),
    path("matrix/job/<uuid:job_id>/<slug:show>.csv", views.matrix_job_csv, name="matrix-job-csv"),
    *fight_matrix.urls("matrix/fight/"),
    *matrix.urls("matrix/"),
    path("rosters/", roster_views.home, name="rosters"),
    path("rosters/read/", roster_views.read, name="read-roster"),
    path("rosters/team/", roster_views.from_team, name="team-roster"),
    path("rosters/samples/", roster_views.samples, name="sample-rosters"),
    path("rosters/save/", roster_views.save, name="save-roster"),
    path("rosters/saved/<int:pk>/delete/", roster_views.delete, name="delete-roster"),
    path("rosters/<slug:key>/", roster_views.roster, name="roster"),
    path("rosters/<slug:key>/mend/", roster_views.mend, name="mend-roster"),
    path("duel/", roster_views.duel, name="duel"),
    path("duel/count/", roster_views.count, name="duel-count"),
    path("duel/cell/", roster_views.cell, name="duel-cell"),
    path("duel/advice/", roster_views.cell_advice, name="duel-advice"),
    path("duel/csv/", roster_views.duel_csv, name="duel-csv"),
    path("duel/sheet/", roster_views.sheet, name="duel-sheet"),
    path("profiles/", views.library_page, name="profiles"),
    path("profiles/save/", views.save_profile, name="profile-save"),
    path("profiles/<uuid:profile_id>/delete/", views.delete_profile, name="profile-delete"),
    path("profiles/export.json", views.export_profiles, name="profiles-export"),
    path("profiles/import/", views.import_profiles, name="profiles-import"),
]

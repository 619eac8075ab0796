"""``/warhammer40k/``: the builder, real dice, the library, armies and their duels."""

from django.urls import path

from apps.core.calculator import Preset
from apps.warhammer40k import army_views, sheets, views
from apps.warhammer40k.builder import TABS, Builder
from apps.warhammer40k.forms import AttackForm
from apps.warhammer40k.services import answers

app_name = "warhammer40k"

builder = Builder(
    name="builder",
    title="40K: attack builder",
    lead="Weapons in order into one unit. Every distribution is exact.",
    form=AttackForm,
    answer=answers.answer,
    extras=answers.extras,
    act=views.act,
    inputs="warhammer40k/inputs.html",
    results="warhammer40k/results.html",
    page_template="warhammer40k/builder.html",
    styles=("css/pages/warhammer40k.css",),
    scripts=("js/warhammer40k/builder.js",),
    tabs=TABS,
    welcome=sheets.WELCOME,
    presets=tuple(Preset(label, values, note) for label, values, note in sheets.EXAMPLES),
)

urlpatterns = [
    *builder.urls(),
    path("targets/", views.targets, name="targets"),
    path("advice/", views.advice, name="advice"),
    path("roll/", views.roll, name="roll"),
    path("roll/sequence/", views.sequence, name="sequence"),
    path("roll/verify/", views.verify, name="verify"),
    path("simulate/", views.simulate, name="simulate"),
    path("profiles/", views.profiles, name="profiles"),
    path("profiles/pick/", views.pick, name="pick"),
    path("profiles/shoot/", views.attack_with, {"melee": False}, name="shoot-with"),
    path("profiles/fight/", views.attack_with, {"melee": True}, name="fight-with"),
    path("profiles/save/", views.save, name="save"),
    path("profiles/<int:pk>/delete/", views.delete, name="delete"),
    path("profiles/import/", views.import_profiles, name="import"),
    path("profiles/export/", views.export_profiles, name="export"),
    path("armies/", army_views.home, name="armies"),
    path("armies/read/", army_views.read, name="read-army"),
    path("armies/samples/", army_views.samples, name="sample-armies"),
    path("armies/save/", army_views.save, name="save-army"),
    path("armies/titles/", army_views.add_options, name="unit-titles"),
    path("armies/saved/<int:pk>/delete/", army_views.delete, name="delete-army"),
    path("armies/<slug:key>/", army_views.army, name="army"),
    path("armies/<slug:key>/mend/", army_views.mend, name="mend-army"),
    path("duel/", army_views.duel, name="duel"),
    path("duel/count/", army_views.count, name="duel-count"),
    path("duel/csv/", army_views.duel_csv, name="duel-csv"),
    path("duel/cell/", army_views.cell, name="duel-cell"),
    path("duel/plan/", army_views.plan, name="duel-plan"),
]

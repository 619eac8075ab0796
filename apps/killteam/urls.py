"""``/killteam/``: shoot, fight, rosters, matrices, profiles."""

from django.urls import path
from django.views.generic import RedirectView

from apps.killteam import roster_views, views
from apps.killteam.calculators import fight, fight_matrix, matrix, shoot

app_name = "killteam"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="killteam:shoot"), name="home"),
    *shoot.urls("shoot/"),
    path("shoot/advice/", views.advice, {"page": "shoot"}, name="shoot-advice"),
    path("shoot/random/", views.random_sheet, {"page": "shoot"}, name="shoot-random"),
    path("shoot/options/", views.team_options, {"page": "shoot"}, name="shoot-options"),
    path("fight/options/", views.team_options, {"page": "fight"}, name="fight-options"),
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

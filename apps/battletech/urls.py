"""``/battletech/``: the record sheet, its editor, JSON and CSV."""

from django.urls import path

from apps.battletech import views

app_name = "battletech"
urlpatterns = [
    path("", views.sheet, name="sheet"),
    path("roll/", views.play, name="play"),
    path("edit/", views.edit, name="edit"),
    path("import/", views.import_sheet, name="import"),
    path("sheet.json", views.export_sheet, name="export"),
    path("card.png", views.card, name="card"),
    path("<slug:table>.csv", views.csv, name="csv"),
]

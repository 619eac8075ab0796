"""What browsers ask for at the root: the manifest, the worker, and the page for when nothing answers."""

from django.urls import path

from apps.offline import views

app_name = "offline"
urlpatterns = [
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("service-worker.js", views.worker, name="worker"),
    path("offline/", views.page, name="page"),
]

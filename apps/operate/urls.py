"""The operator's page."""

from django.urls import path

from apps.operate import views

app_name = "operate"
urlpatterns = [path("", views.figures, name="figures")]

"""The REST API: engine operations, each room's own endpoints, the schema and its offline documentation."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

urlpatterns = [
    path("v1/", include("apps.core.api_urls")),
    path("v1/", include("apps.jobs.api_urls")),
    path("v1/", include("apps.dicee.api_urls")),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
]

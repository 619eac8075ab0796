"""The REST API: engine operations, each room's own endpoints, the schema and its offline documentation."""

from django.urls import include, path
from django.views.decorators.cache import cache_page
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

urlpatterns = [
    path("v1/", include("apps.core.api_urls")),
    path("v1/", include("apps.jobs.api_urls")),
    path("v1/", include("apps.dicee.api_urls")),
    path("v1/", include("apps.practice.api_urls")),
    # Half a second to write, and the same until the next release.
    path("schema/", cache_page(60)(SpectacularAPIView.as_view()), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
]

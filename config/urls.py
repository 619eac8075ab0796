"""Every address, room by room."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("apps.core.urls")),
    path("", include("apps.offline.urls")),
    path("help/", include("apps.help.urls")),
    path("search/", include("apps.search.urls")),
    path("dice/", include("apps.dice.urls")),
    path("dicee/games/", include("apps.practice.game_urls")),
    path("dicee/", include("apps.dicee.urls")),
    path("warhammer40k/", include("apps.warhammer40k.urls")),
    path("killteam/", include("apps.killteam.urls")),
    path("battletech/", include("apps.battletech.urls")),
    path("classroom/", include("apps.lessons.urls")),
    path("classroom/", include("apps.practice.urls")),
    path("classroom/", include("apps.classroom.urls")),
    path("account/", include("apps.accounts.urls")),
    path("s/", include("apps.share.urls")),
    path("jobs/", include("apps.jobs.urls")),
    path("api/", include("config.api")),
    path("staff/figures/", include("apps.operate.urls")),
    path("staff/", admin.site.urls),
]
handler400 = "apps.core.errors.bad_request"
handler403 = "apps.core.errors.forbidden"
handler404 = "apps.search.views.not_found"
handler500 = "apps.core.errors.server_error"

"""The manifest, the worker and the page that stands in for one that was never opened."""

from __future__ import annotations

import hashlib
import json

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from apps.core.context import DESCRIPTION
from apps.core.navigation import open_rooms
from apps.core.static_files import modules_of

#: The worker asks for nothing but what every page needs; the rest is kept as it is used.
SHELL = (
    "css/site.css",
    "css/print.css",
    "fonts/inter-latin-opsz-normal.woff2",
    "fonts/jetbrains-mono-latin-wght-normal.woff2",
    "django_htmx/htmx-2.min.js",
    "icon.svg",
    "js/site.js",
    "js/offline/pages.js",
)
WORKER = "js/offline/worker.js"
ICONS = (
    ("icons/icon-192.png", 192, "any"),
    ("icons/icon-512.png", 512, "any"),
    ("icons/mask-512.png", 512, "maskable"),
)


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device shows when the site is installed."""
    icons = [
        {"src": staticfiles_storage.url(file), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    shortcuts = [{"name": room.name, "url": room.path, "description": room.text} for room in open_rooms()]
    document = {
        "id": "/",
        "name": "Oddsmith",
        "short_name": "Oddsmith",
        "description": DESCRIPTION,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#FAFAFA",
        "theme_color": "#0A0A0A",
        "icons": icons,
        "shortcuts": shortcuts,
    }
    return JsonResponse(document, content_type="application/manifest+json")


@require_GET
@never_cache
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, with the names of this release's files at its head: a new release is a new worker."""
    modules = (module for file in SHELL if file.startswith("js/") for module in modules_of(file))
    shell = [staticfiles_storage.url(file) for file in dict.fromkeys([*SHELL, *modules])]
    source = (settings.ROOT / "static" / WORKER).read_text(encoding="utf-8")
    version = hashlib.sha256(json.dumps([shell, source]).encode()).hexdigest()[:12]
    settled = {"version": version, "shell": shell, "page": reverse("offline:page")}
    head = f"const RELEASE = {json.dumps(settled)};\n"
    return HttpResponse(head + source, content_type="text/javascript")


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """What is shown instead of a page that was never opened; the worker keeps it, so it names nobody."""
    return render(request, "offline/page.html")

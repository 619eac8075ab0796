"""What a browser needs to install the site and to show it without a network."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import get_resolver
from PIL import Image

from apps.core.calculator import Calculator
from apps.offline import pages, views

pytestmark = pytest.mark.django_db


def test_the_manifest_names_icons_of_the_size_it_says(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    document = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert document["start_url"] == document["scope"] == "/"
    for file, size, _ in views.ICONS:
        found = finders.find(file)
        assert isinstance(found, str)
        with Image.open(found) as icon:
            assert icon.size == (size, size)
    assert {entry["purpose"] for entry in document["icons"]} == {"any", "maskable"}
    for shortcut in document["shortcuts"]:
        assert client.get(shortcut["url"], follow=True).status_code == 200


def test_the_worker_begins_with_the_files_of_this_release_and_is_never_kept_by_the_browser(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    head = re.match(r"const RELEASE = (\{.*\});\n", answer.content.decode())
    assert head
    release = json.loads(head[1])
    assert any("css/site" in file for file in release["shell"])
    assert any("js/lib/dom" in file for file in release["shell"]), "with the modules that the scripts import"
    assert re.fullmatch(r"[0-9a-f]{12}", release["version"])


@pytest.mark.parametrize("path", ["/", "/help/", "/dice/?v=1&roll=2D6", "/killteam/fight/", "/classroom/lessons/"])
def test_pages_of_figures_and_texts_may_be_kept(client: Client, path: str) -> None:
    assert client.get(path)["X-Offline"] == "keep"


@pytest.mark.parametrize("path", ["/account/", "/jobs/", "/classroom/", "/dicee/", "/search/", "/offline/"])
def test_a_person_s_own_pages_are_not(client: Client, path: str) -> None:
    assert "X-Offline" not in client.get(path)


def test_an_error_or_a_part_of_a_page_is_not(client: Client) -> None:
    assert "X-Offline" not in client.get("/dice/?v=1&roll=3Z6")
    assert "X-Offline" not in client.get("/dice/?v=1&roll=2D6", headers={"HX-Request": "true"})


def test_whose_page_it_is_changes_with_the_session_and_only_then(client: Client) -> None:
    nobody = client.get("/help/")["X-Person"]
    assert client.get("/dice/")["X-Person"] == nobody
    session = client.session
    session["x"] = 1
    session.save()
    somebody = client.get("/help/")["X-Person"]
    assert somebody != nobody
    assert str(session.session_key) not in somebody
    client.logout()
    assert client.get("/help/")["X-Person"] == nobody


def test_every_calculator_is_kept() -> None:
    found = set()
    for namespace, (_, resolver) in get_resolver().namespace_dict.items():
        for pattern in resolver.url_patterns:
            view = getattr(pattern, "callback", None)
            page = getattr(view, "__wrapped__", view)
            if getattr(page, "__func__", None) is Calculator.page:
                found.add((namespace, getattr(pattern, "name", None)))
    assert len(found) >= 5
    assert all(name in pages.ROOMS[namespace] for namespace, name in found)

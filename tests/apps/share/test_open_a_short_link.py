import re

import pytest
from django.test import Client

from apps.share import services

pytestmark = pytest.mark.django_db


def test_a_person_is_taken_there_at_once(client: Client) -> None:
    snapshot = services.shorten("core:home", "/?a=1&b=x%26y", "62.4 % to kill", "Five attacks at 3+")
    page = client.get(f"/s/{snapshot.key}/").content.decode()
    assert '<meta http-equiv="refresh" content="0; url=/?a=1&amp;b=x%26y">' in page
    assert '<a href="/?a=1&amp;b=x%26y">' in page
    assert "<script" not in page


def test_a_preview_has_title_description_and_address(client: Client) -> None:
    snapshot = services.shorten("core:home", "/?a=1", "62.4 % to kill", "Five attacks at 3+")
    page = client.get(f"/s/{snapshot.key}/").content.decode()
    found = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert found["title"] == "62.4 % to kill"
    assert found["description"] == "Five attacks at 3+"
    assert found["url"] == "http://testserver/?a=1"


def test_a_link_without_a_title_has_the_sites_name(client: Client) -> None:
    snapshot = services.shorten("core:home", "/")
    assert "<title>Oddsmith</title>" in client.get(f"/s/{snapshot.key}/").content.decode()


def test_markup_in_a_title_stays_text(client: Client) -> None:
    snapshot = services.shorten("core:home", "/", '"><script>alert(1)</script>')
    assert "<script" not in client.get(f"/s/{snapshot.key}/").content.decode()


def test_it_may_be_cached_and_sets_no_cookie(client: Client) -> None:
    snapshot = services.shorten("core:home", "/")
    response = client.get(f"/s/{snapshot.key}/")
    assert "public" in response["Cache-Control"]
    assert not client.cookies
    assert client.head(f"/s/{snapshot.key}/").status_code == 200


@pytest.mark.parametrize("key", ["1111111111", "0OIl000000", "short", "a" * 45])
def test_an_unknown_key_is_not_found(client: Client, key: str) -> None:
    assert client.get(f"/s/{key}/").status_code == 404

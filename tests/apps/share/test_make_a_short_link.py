import json
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from apps.share import services
from apps.share.models import Snapshot

PAGE = "/?v=2&b=2&a=1"
FIELD = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)


def make(client: Client, path: str = PAGE, htmx: bool = False, **fields: str):
    return client.post("/s/", {"path": path, **fields}, headers={"HX-Request": "true"} if htmx else {})


@pytest.mark.django_db
def test_a_page_comes_back_without_javascript(client: Client) -> None:
    response = make(client, title="Shoot")
    snapshot = Snapshot.objects.get()
    assert response.status_code == 201
    assert f'value="http://testserver/s/{snapshot.key}/"' in response.content.decode()
    assert "<html" in response.content.decode()


@pytest.mark.django_db
def test_a_fragment_comes_back_to_htmx(client: Client) -> None:
    page = make(client, htmx=True).content.decode()
    assert "<html" not in page
    assert "data-copy" in page
    assert f"/s/{Snapshot.objects.get().key}/" in page


@pytest.mark.django_db
def test_the_inputs_are_kept_and_nothing_else(client: Client) -> None:
    make(client, title=" 62.4 %  to kill ", description="Five attacks", owner="eve")
    snapshot = Snapshot.objects.get()
    assert (snapshot.tool, snapshot.version) == ("core:home", 2)
    assert snapshot.document == {"path": "/", "query": [["a", "1"], ["b", "2"], ["v", "2"]]}
    assert (snapshot.title, snapshot.description) == ("62.4 % to kill", "Five attacks")
    assert "sessionid" not in client.cookies


@pytest.mark.django_db
def test_the_key_is_the_start_of_the_contents_digest() -> None:
    snapshot = services.shorten("core:home", PAGE, "T", "D")
    assert re.fullmatch("[1-9A-HJ-NP-Za-km-z]{10}", snapshot.key)
    assert services.base58(bytes.fromhex(snapshot.digest)).startswith(snapshot.key)


@pytest.mark.django_db
def test_equal_inputs_share_a_link_and_others_do_not() -> None:
    first = services.shorten("core:home", "/?a=1&b=2", "T")
    assert services.shorten("core:home", "/?b=2&a=1#fragment", " T ") == first
    others = [("/?a=2&b=2", "T"), ("/?a=1&b=2", "U"), ("/styleguide/?a=1&b=2", "T"), ("/?a=1&b=2&b=3", "T")]
    keys = {services.shorten("core:home", path, title).key for path, title in others}
    assert len(keys) == 4
    assert first.key not in keys


@pytest.mark.django_db
def test_the_order_of_repeated_fields_is_part_of_the_input() -> None:
    assert services.shorten("t", "/?w=1&w=2") != services.shorten("t", "/?w=2&w=1")


@pytest.mark.django_db
def test_a_collision_makes_the_newcomers_key_longer_for_good() -> None:
    wanted = services.shorten("core:home", PAGE)
    Snapshot.objects.all().delete()
    Snapshot.objects.create(key=wanted.key, digest="0" * 64, tool="other", document={"path": "/", "query": []})
    lengthened = services.shorten("core:home", PAGE)
    assert len(lengthened.key) == services.KEY_LENGTH + 1
    assert lengthened.key.startswith(wanted.key)
    assert services.shorten("core:home", PAGE) == lengthened
    assert Snapshot.objects.get(key=wanted.key).tool == "other"


@pytest.mark.django_db
def test_a_snapshot_never_changes() -> None:
    snapshot = services.shorten("core:home", PAGE, "Before")
    snapshot.title = "After"
    with pytest.raises(TypeError, match="immutable"):
        snapshot.save()
    assert Snapshot.objects.get().title == "Before"
    assert str(snapshot) == f"{snapshot.key}: core:home"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "",
        "relative/",
        "https://example.org/",
        "//example.org/",
        "///example.org/",
        "/\\example.org",
        "\\\\example.org",
        "javascript:alert(1)",
        "/\t/example.org",
        "\x00/",
        "/\n/example.org",
        "/nothing/here/",
        "/account/",
        "/jobs/",
        "/staff/",
        "/api/docs/",
        "/api/v1/compute/dice.roll",
        "/s/",
        "/?a=" + "9" * 5000,
        "/?a=%00",
        "/?%00=a",
    ],
)
def test_only_a_page_that_can_be_shared(client: Client, path: str) -> None:
    response = make(client, path, htmx=True)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert Snapshot.objects.count() == 0


@pytest.mark.django_db
def test_long_words_are_clipped(client: Client) -> None:
    make(client, title="t" * 500, description="d" * 500)
    snapshot = Snapshot.objects.get()
    assert (len(snapshot.title), len(snapshot.description)) == (120, 300)
    assert snapshot.title.endswith("…")


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "version"), [("", 1), ("?v=7", 7), ("?v=x", 1), ("?v=99999999", 1), ("?v=-1", 1)])
def test_the_version_of_the_link_is_kept(query: str, version: int) -> None:
    assert services.shorten("core:home", f"/{query}").version == version


@pytest.mark.django_db
def test_it_is_limited(client: Client, settings) -> None:
    settings.RATE_LIMIT_SCALE = 1 / 60
    assert make(client).status_code == 201
    assert make(client).status_code == 429


@pytest.mark.django_db
def test_it_takes_a_post_with_a_token(client: Client) -> None:
    assert client.get("/s/").status_code == 405
    assert make(Client(enforce_csrf_checks=True)).status_code == 403


@given(st.binary(max_size=40))
def test_base58_can_be_read_back(data: bytes) -> None:
    text = services.base58(data)
    zeros = len(text) - len(text.lstrip("1"))
    number = 0
    for character in text:
        number = number * 58 + services.ALPHABET.index(character)
    digits = number.to_bytes((number.bit_length() + 7) // 8)
    assert b"\0" * zeros + digits == data


def test_base58_agrees_with_published_vectors() -> None:
    """From the Base58 encoding scheme draft (draft-msporny-base58)."""
    assert services.base58(b"Hello World!") == "2NEpo7TZRRrLZSi2U"
    assert services.base58(bytes.fromhex("0000287fb4cd")) == "11233QC4"


@pytest.mark.django_db
@given(st.lists(st.tuples(FIELD.filter(bool), FIELD), max_size=5))
def test_the_permalink_opens_with_the_same_fields(pairs: list[tuple[str, str]]) -> None:
    content = services._content("core:home", f"/?{urlencode(pairs)}", "", "")
    permalink = Snapshot(document=json.loads(json.dumps(content["document"]))).permalink
    assert parse_qsl(urlsplit(permalink).query, keep_blank_values=True) == sorted(pairs, key=lambda pair: pair[0])

"""The pages that belong to no game, and the frame round every page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.db import DatabaseError
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory, override_settings
from django.urls import path

from apps.accounts.models import Player
from apps.core import navigation
from apps.core.context import CHOICES, Preferences, site
from apps.core.errors import problem
from apps.core.services import doors
from apps.core.services.specimens import SpecimenForm
from config.urls import urlpatterns as real_urls

pytestmark = pytest.mark.django_db
TEMPLATES = sorted(Path(settings.ROOT / "templates").rglob("*.html"))


class Tags(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def all(self, tag):
        return [attrs for name, attrs in self.found if name == tag]


def page(client, address, **extra):
    response = client.get(address, **extra)
    assert response.status_code == 200
    return response.content.decode()


# -- the frame


@pytest.mark.parametrize("address", ["/", "/styleguide/", "/settings/", "/keyboard/"])
def test_every_page_has_its_landmarks_and_a_preview(client, address):
    tags = Tags(page(client, address))
    names = [tag for tag, _ in tags.found]
    for landmark in ("header", "main", "footer", "h1"):
        assert names.count(landmark) == 1, landmark
    assert tags.all("a")[0]["href"] == "#main"
    meta = {a.get("property") or a.get("name"): a.get("content") for a in tags.all("meta")}
    assert meta["og:title"]
    assert meta["og:description"] == meta["description"]
    ids = [attrs["id"] for _, attrs in tags.found if "id" in attrs]
    assert sorted(ids) == sorted(set(ids))


def test_htmx_may_not_evaluate_code_and_swaps_validation_errors(client):
    metas = Tags(page(client, "/")).all("meta")
    config = json.loads(next(a["content"] for a in metas if a.get("name") == "htmx-config"))
    assert config["allowEval"] is False
    assert config["includeIndicatorStyles"] is False
    first = next(rule for rule in config["responseHandling"] if rule["code"] in {"422", "[45].."})
    assert first == {"code": "422", "swap": True}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda p: str(p.relative_to(settings.ROOT / "templates")))
def test_no_template_carries_code(template):
    """The content policy forbids inline script; a handler or a script body would fail silently in the browser."""
    for tag, attrs in Tags(template.read_text()).found:
        assert not [name for name in attrs if name.startswith("on") or name.startswith("hx-on")], (tag, attrs)
        assert not str(attrs.get("href", "")).startswith("javascript:")
        if tag == "script":
            assert "src" in attrs or attrs.get("type") == "application/json", attrs


def test_what_the_server_says_lands_in_the_live_region():
    message = Message(constants.ERROR, "Out of dice")
    text = Template('{% include "components/toasts.html" %}').render(Context({"messages": [message]}))
    tags = Tags(text)
    assert tags.found[0][1]["aria-live"] == "polite"
    assert tags.all("div")[1]["class"] == "toast toast--error"
    assert "Out of dice" in text


def test_an_error_page_shows_its_id_and_a_way_on():
    request = RequestFactory().get("/nowhere/")
    request.id = "ab12cd34"
    text = problem(request, 404, "ERR_NOT_FOUND").content.decode()
    assert "ab12cd34" in text
    assert any(a.get("href") == "/" and "btn" in a.get("class", "") for a in Tags(text).all("a"))


def frame(request):
    return Template('{% extends "base.html" %}').render(Context({"request": request, **site(request)}))


def test_the_frame_renders_before_there_is_a_session():
    """A body that is too large is refused before sessions are read; its error page still needs a header."""
    assert "<span>Guest</span>" in frame(RequestFactory().get("/"))


def test_the_frame_renders_without_a_database():
    class Request(type(RequestFactory().get("/"))):
        @property
        def player(self):
            raise DatabaseError

    request = RequestFactory().get("/")
    request.__class__ = Request
    assert "<span>Guest</span>" in frame(request)


def test_a_player_is_called_by_name():
    request = RequestFactory().get("/")
    request.player = Player(pseudonym="Brave Otter")
    assert "<span>Brave Otter</span>" in frame(request)


# -- navigation


def _answers(request):
    raise AssertionError("only resolved, never called")


class Elsewhere:
    urlpatterns = [*real_urls, path("killteam/", _answers), path("killteam/fight/", _answers)]
    handler404 = "apps.search.views.not_found"


def test_only_rooms_that_answer_are_shown(client):
    shown = {room.path for room in navigation.open_rooms()}
    for room in navigation.ROOMS:
        assert (room.path in shown) == navigation.is_open(room.path)
    tags = Tags(page(client, "/"))
    doors_shown = {a["href"] for a in tags.all("a") if a.get("class") == "door"}
    assert doors_shown == shown
    assert "/dice/" in shown


@override_settings(ROOT_URLCONF=Elsewhere)
def test_the_room_one_is_in_is_marked():
    marks = {link.room.path: link.current for link in navigation.links("/killteam/fight/")}
    assert marks["/killteam/"] == "true"
    assert marks["/dice/"] == ""
    assert {link.room.path: link.current for link in navigation.links("/killteam/")}["/killteam/"] == "page"


def test_every_room_has_a_door_with_a_number():
    assert set(doors.EXAMPLES) == {room.path for room in navigation.ROOMS}
    for path_ in doors.EXAMPLES:
        example = doors.example(path_)
        assert example.shown
        assert example.bars or example.dice
        assert all(0 <= i < len(example.bars) for i in example.hot)


def five_alike_in_a_turn() -> float:
    """The chain of "dice alike" over three rolls, the commonest face kept each time."""
    chance = {1: 1.0}  # before the first roll, any one die is as good as none: the others must match it
    for _ in range(3):
        after: dict[int, float] = {}
        for alike, p in chance.items():
            for roll in product(range(1, 7), repeat=5 - alike):
                dice = [1] * alike + list(roll)
                best = max(dice.count(face) for face in dice)
                after[best] = after.get(best, 0) + p / 6 ** (5 - alike)
        chance = after
    return chance[5]


def test_the_numbers_on_the_doors_are_counted_not_invented():
    faces = range(1, 7)
    hits = sum(sum(face >= 3 for face in roll) >= 3 for roll in product(faces, repeat=5)) / 6**5
    totals = [sum(roll) + 2 for roll in product(faces, repeat=3)]
    fives = sum(5 in roll for roll in product(faces, repeat=2))
    below_six = sum(a + b < 6 for a, b in product(faces, repeat=2)) / 36
    assert doors.example("/dicee/").shown == f"{100 * five_alike_in_a_turn():.1f}"
    assert doors.example("/killteam/").shown == f"{100 * hits:.1f}"
    assert doors.example("/dice/").shown == f"{100 * sum(t >= 14 for t in totals) / len(totals):.1f}"
    assert doors.example("/classroom/").shown + doors.example("/classroom/").unit == f"{fives}/36"
    assert doors.example("/battletech/").shown == f"{100 * below_six:.1f}"
    assert doors.example("/warhammer40k/").shown == f"{10 * 4 / 6 * 3 / 6 * 4 / 6:.2f}"


def test_the_tray_opens_with_the_odds_of_its_own_dice():
    kept = [face for face, held in doors.TRAY_DICE if held]
    tests = {
        "three": lambda c: max(c.values()) >= 3,
        "four": lambda c: max(c.values()) >= 4,
        "five": lambda c: max(c.values()) == 5,
        "full": lambda c: sorted(c.values()) == [2, 3],
        "small": lambda c: any({a, a + 1, a + 2, a + 3} <= set(c) for a in (1, 2, 3)),
        "large": lambda c: any(set(range(a, a + 5)) <= set(c) for a in (1, 2)),
    }
    rolls = [kept + list(roll) for roll in product(range(1, 7), repeat=5 - len(kept))]
    for slug, _, p in doors.TRAY_ODDS:
        hits = sum(tests[slug]({face: roll.count(face) for face in roll}) for roll in rolls)
        assert p == hits / len(rolls), slug


# -- preferences


def test_the_first_paint_already_follows_the_cookie(client):
    client.cookies["prefs"] = "theme=dark&odds=fraction&motion=reduced&keys=off"
    text = page(client, "/")
    root = Tags(text).all("html")[0]
    assert (root["data-theme"], root["data-motion"], root["data-keys"]) == ("dark", "reduced", "off")
    assert ">11/36</span>" in text


def test_without_a_cookie_the_system_decides(client):
    root = Tags(page(client, "/")).all("html")[0]
    assert "data-theme" not in root
    assert "data-motion" not in root
    assert root["data-sound"] == "off"


def test_preferences_can_be_set_without_a_script(client):
    response = client.post("/settings/", {"theme": "light", "odds": "one_in", "next": "/keyboard/"})
    assert response.status_code == 302
    assert response["Location"] == "/keyboard/"
    text = page(client, "/")
    assert Tags(text).all("html")[0]["data-theme"] == "light"
    assert "1 in 36" in text


def test_one_button_changes_only_its_own_preference(client):
    client.post("/settings/", {"odds": "fraction"})
    client.post("/settings/", {"theme": "dark"})
    root = Tags(page(client, "/")).all("html")[0]
    assert (root["data-theme"], root["data-odds"]) == ("dark", "fraction")


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_the_way_back_never_leaves_the_house(client, target):
    assert client.post("/settings/", {"theme": "dark", "next": target})["Location"] == "/settings/"


@pytest.mark.parametrize("cookie", ["", "theme=", "theme=<script>", "a" * 4000, "theme=dark=light", "%ff%fe"])
def test_a_broken_cookie_is_a_default(client, cookie):
    client.cookies["prefs"] = cookie
    assert "<script>" not in Tags(page(client, "/")).all("html")[0].get("data-theme", "")


def test_preferences_survive_their_cookie():
    for choice in CHOICES:
        for value, _ in choice.values:
            chosen = Preferences().chosen({choice.name: value})
            assert Preferences.parse(chosen.cookie()) == chosen
        assert getattr(Preferences(), choice.name) == choice.values[0][0], "the first value is the default"


# -- template words


def render(text, **context):
    return Template(text).render(Context(context))


def test_odds_carry_their_exact_value_and_follow_the_preference():
    text = render("{% odds p %}", p=1 / 36, prefs=Preferences(odds="one_in"))
    assert text == f'<span class="odds num" data-p="{1 / 36!r}">1 in 36</span>'
    assert "2.8\xa0%" in render("{% odds p %}", p=1 / 36)


def test_a_die_says_its_face():
    attrs = Tags(render('{% die 5 size="s" kind="keep" %}')).found[0][1]
    assert attrs == {"class": "die die--s die--keep", "role": "img", "aria-label": "five"}


def test_a_stepper_is_a_number_input():
    tags = Tags(render('{% stepper "attacks" 5 "Attacks" min=1 max=60 error="no" %}'))
    field = tags.all("input")[0]
    assert (field["type"], field["min"], field["max"], field["value"]) == ("number", "1", "60", "5")
    assert field["aria-describedby"] == "attacks-error"
    assert all(button["type"] == "button" for button in tags.all("button"))


def test_a_spark_has_one_bar_per_value_and_fits_its_box():
    bars = Tags(render("{% spark values hot %}", values=[1, 2, 4], hot=[1])).all("rect")
    assert [bar["class"] for bar in bars] == ["", "spark__likeliest", ""]
    assert [float(bar["height"]) for bar in bars] == [14.0, 28.0, 56.0]
    assert float(bars[-1]["x"]) + float(bars[-1]["width"]) == pytest.approx(200, abs=0.2)


def test_chart_data_cannot_close_its_script():
    text = render("{% figure_json figure %}", figure={"name": "</script><script>alert(1)</script>"})
    assert text.count("</script>") == 1
    assert 'type="application/json"' in text


def test_a_row_ties_label_control_and_error_together():
    tags = Tags(render("{% row form.code %}", form=SpecimenForm({"code": ""})))
    field = tags.all("input")[0]
    assert tags.all("label")[0]["for"] == field["id"]
    assert field["aria-invalid"] == "true"
    assert tags.all("p")[0]["id"] == "id_code-error"


def test_remember_prints_a_block_twice_and_refuses_nonsense():
    assert render("{% remember as x %}a<b{% endremember %}|{{ x }}") == "a<b|a<b"
    with pytest.raises(TemplateSyntaxError):
        Template("{% remember x %}{% endremember %}")

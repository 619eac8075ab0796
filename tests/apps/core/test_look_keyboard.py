"""One table of shortcuts: no key means two things, and the page prints what the script obeys."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from django.conf import settings

from apps.core.keyboard import EVERYWHERE, SCOPES

EVERY = next(scope for scope in SCOPES if scope.slug == EVERYWHERE)


def keys_of(scope):
    return [key for shortcut in scope.shortcuts for key in shortcut.keys]


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.slug)
def test_a_key_means_one_thing_on_a_page(scope):
    keys = keys_of(scope) if scope is EVERY else keys_of(scope) + keys_of(EVERY)
    assert sorted(keys) == sorted(set(keys))


def test_scopes_and_their_words_are_distinct():
    for a, b in combinations(SCOPES, 2):
        assert a.slug != b.slug
        assert a.name != b.name
    for scope in SCOPES:
        labels = [shortcut.label for shortcut in scope.shortcuts]
        assert len(labels) == len(set(labels))


def test_every_key_can_be_pressed():
    """Names are what the browser reports: one lower-case character, or a named key, or Shift with a digit."""
    for scope in SCOPES:
        for key in keys_of(scope):
            assert re.fullmatch(r"[^A-Z\s]|Space|Escape|Enter|Arrow(?:Left|Right|Up|Down)|Shift\+\d", key), key


def test_the_keys_of_the_rfc_are_there():
    dicee = next(scope for scope in SCOPES if scope.slug == "dicee")
    wanted = {"Space", "Enter", "a", "r", "s", "h", "e", *"12345", *(f"Shift+{n}" for n in range(1, 6))}
    assert wanted <= set(keys_of(dicee))
    assert {"?", "Escape"} <= set(keys_of(EVERY))


@pytest.mark.django_db
def test_the_dialog_prints_every_row(client):
    text = client.get("/").content.decode()
    dialog = text[text.index('<dialog class="dialog" id="keyboard"') :]
    assert dialog.count("data-keys=") == sum(len(scope.shortcuts) for scope in SCOPES)
    assert "data-pref-keys" in dialog


def test_shortcuts_that_hold_everywhere_have_something_to_press():
    templates = "".join(p.read_text() for p in (settings.ROOT / "templates").rglob("*.html"))
    script = (settings.ROOT / "static/js/site/keys.js").read_text()
    for shortcut in EVERY.shortcuts:
        if shortcut.action:
            assert f'data-key="{shortcut.action}"' in templates or f'"{shortcut.action}"' in script, shortcut

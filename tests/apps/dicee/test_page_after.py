"""Report, replay, quiz, sharing and proof as pages, for the player and for a stranger."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from django.urls import reverse

from apps.accounts.models import Player
from apps.dicee import services
from apps.dicee.figures import shares, waterfall
from apps.dicee.models import Game
from apps.dicee.services import review
from apps.dicee.templatetags.dicee import verdict
from tests.apps.dicee.conftest import play_out
from tests.apps.dicee.test_page_table import browser, url


@pytest.fixture
def played(alice: Player) -> Game:
    """Thirteen thoughtless turns, closed to strangers."""
    game = services.create(alice, "solo", {"spectators": False})
    play_out(game, alice)
    return game


def test_the_report_adds_up(played: Game, alice: Player) -> None:
    page = browser(alice).get(url(played, "report")).content.decode()
    found = review.report(played, alice)
    assert f'<p class="report__number num">{found.score}</p>' in page
    steps = {step.name: step for step in waterfall(found)}
    assert steps["Par"].shown + steps["Dice"].shown + steps["Decisions"].shown == pytest.approx(steps["You"].shown)
    assert all(0 <= step.left <= step.end <= 100 for step in steps.values())
    assert max(shares(found).values()) == 100
    assert page.count('class="decision-link"') == len(found.slips)


def test_the_report_of_a_running_game_is_its_table(solo: Game, alice: Player) -> None:
    assert browser(alice).get(url(solo, "report")).headers["Location"] == url(solo)
    assert browser(alice).get(url(solo, "replay")).headers["Location"] == url(solo)


def test_a_link_leads_to_the_exact_decision(played: Game, alice: Player) -> None:
    page = browser(alice).get(url(played, "replay") + "?at=7").content.decode()
    assert "Decision 7 of 13" in page
    assert re.search(r'rel="next" href="\?at=8', page)
    assert re.search(r'rel="prev" href="\?at=6', page)
    beyond = browser(alice).get(url(played, "replay") + "?at=99").content.decode()
    assert "Decision 13 of 13" in beyond
    assert 'rel="next"' not in beyond
    detail = browser(alice).get(url(played, "replay") + "?at=7", headers={"HX-Request": "true", "HX-Target": "detail"})
    assert b"<html" not in detail.content


def test_a_stranger_opens_a_game_only_once_it_is_shared(played: Game, alice: Player, carol: Player) -> None:
    for name in ("report", "replay", "verify"):
        assert browser(carol).get(url(played, name)).status_code == 403
    browser(alice).post(url(played, "share"))
    for name in ("report", "replay", "verify"):
        assert browser(None).get(url(played, name)).status_code == 200
    assert "Share it" not in browser(carol).get(url(played, "report")).content.decode()


def test_a_stranger_cannot_share(played: Game, alice: Player, carol: Player) -> None:
    browser(alice).post(url(played, "share"))
    Game.objects.filter(pk=played.pk).update(shared=False)
    assert browser(carol).post(url(played, "share")).status_code == 403
    played.refresh_from_db()
    assert not played.shared


def test_the_text_to_share_names_no_box(played: Game, alice: Player) -> None:
    page = browser(alice).get(url(played, "report")).content.decode()
    text = re.search(r'<textarea[^>]*id="share-text"[^>]*>(.*?)</textarea>', page, re.S)[1]
    assert text.startswith("Dicee ")
    assert not re.search(r"ones|fives|straight|house|chance", text, re.I)


def test_mistakes_come_back_as_questions(played: Game, alice: Player) -> None:
    client = browser(alice)
    page = client.get(url(played, "game-quiz")).content.decode()
    key = re.search(r'name="q" value="([^"]+)"', page)[1]
    asked = review.question(alice, key)
    right = next(n for n, choice in enumerate(asked.choices) if choice.option == asked.decision.best)
    wrong = next(n for n, choice in enumerate(asked.choices) if choice.option == asked.decision.chosen)
    assert "<b>Right.</b>" in client.post(reverse("dicee:answer"), {"q": key, "choice": right}).content.decode()
    assert (
        f"−{asked.decision.lost:.2f}."
        in client.post(reverse("dicee:answer"), {"q": key, "choice": wrong}).content.decode()
    )
    assert client.post(reverse("dicee:answer"), {"q": key, "choice": "9"}).status_code == 404
    assert client.post(reverse("dicee:answer"), {"q": "nonsense", "choice": "0"}).status_code == 404


def test_nobody_is_quizzed_on_someone_elses_game(played: Game, alice: Player, carol: Player) -> None:
    browser(alice).post(url(played, "share"))
    page = browser(carol).get(url(played, "game-quiz")).content.decode()
    assert "No mistakes to learn from yet" in page
    assert "No mistakes to learn from yet" in browser(None).get(reverse("dicee:quiz")).content.decode()


def test_the_downloads_of_the_verify_page_prove_the_dice(played: Game, alice: Player, tmp_path: Path) -> None:
    client = browser(alice)
    page = client.get(url(played, "verify")).content.decode()
    assert "Every roll is the one promised before the game." in page
    (tmp_path / "game.json").write_bytes(client.get(url(played, "verify-json")).content)
    script = b"".join(client.get(reverse("dicee:verify-script")).streaming_content)  # type: ignore[attr-defined]
    (tmp_path / "verify_dice.py").write_bytes(script)
    done = subprocess.run([sys.executable, "verify_dice.py", "game.json"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("13 rolls checked")


def test_the_seed_stays_secret_while_the_game_goes_on(solo: Game, alice: Player) -> None:
    services.roll(solo, alice)
    client = browser(alice)
    proof = json.loads(client.get(url(solo, "verify-json")).content)
    assert proof["seed"] is None
    page = client.get(url(solo, "verify")).content.decode()
    assert solo.seed not in page
    assert solo.commitment in page


def test_a_question_has_one_right_answer_and_the_quiz_a_result(played: Game, alice: Player) -> None:
    questions = review.quiz(alice, played)
    for asked in questions:
        assert sum(choice.option.points_lost < 0.005 for choice in asked.choices) == 1
    first = questions[0]
    right = next(n for n, choice in enumerate(first.choices) if choice.option == first.decision.best)
    form = {"q": first.key, "choice": right, "next": questions[1].key, "asked": 3, "right": 1, "game": played.pk}
    client = browser(alice)
    page = client.post(reverse("dicee:answer"), form).content.decode()
    assert "2 of 4 right." in page
    following = client.get(re.search(r'href="([^"]+asked=4[^"]+)"', page)[1].replace("&amp;", "&")).content.decode()
    assert 'name="right" value="2"' in following
    last = client.post(reverse("dicee:answer"), form | {"next": ""}).content.decode()
    assert "That was the last one." in last


def test_a_share_link_shows_the_sharer(duel: Game, alice: Player, bob: Player) -> None:
    services.abandon(duel, alice)
    services.abandon(duel, bob)
    duel.refresh_from_db()
    services.share(duel, alice)
    page = browser(alice).get(url(duel, "report")).content.decode()
    text = re.search(r'<textarea[^>]*id="share-text"[^>]*>(.*?)</textarea>', page, re.S)[1]
    link = text.splitlines()[-1].partition("//")[2].partition("/")[2].replace("&amp;", "&")
    shown = browser(None).get(f"/{link}").content.decode()
    assert f"· {alice.pseudonym}" in shown
    assert f"?player={alice.pk}&amp;at=" in shown or f"?player={alice.pk}" in shown


def test_another_players_report_is_about_them(alice: Player) -> None:
    """“You” is who reads; what cannot be done with somebody else's game is not offered."""
    game = services.create(alice, "bots", bots=["greedy"])
    play_out(game, alice)
    gus = game.seats.get(bot="greedy")
    client = browser(alice)
    mine = client.get(url(game, "report")).content.decode()
    theirs = client.get(f"{url(game, 'report')}?player={gus.player_ref}").content.decode()
    replay = f"{url(game, 'replay')}?player={gus.player_ref}&at=2"
    detail = client.get(replay, headers={"HX-Request": "true", "HX-Target": "detail"}).content.decode()
    assert '<dt class="eyebrow">You</dt>' in mine
    assert '<th scope="col">You</th>' in mine
    for page in (theirs, client.get(replay).content.decode(), detail):
        assert f'<dt class="eyebrow">{gus.name}</dt>' in page
        assert not re.search(r">\s*You\s*<", page.partition("<main")[2] or page)
    assert "Learn from your mistakes" not in theirs
    assert 'id="share-text"' not in theirs


@pytest.mark.parametrize(
    ("luck", "lost", "words"),
    [
        (8.5, 32.5, "The dice gave 8.5; decisions gave back 32.5."),
        (-8.5, 32.5, "The dice took 8.5; decisions cost another 32.5."),
        (8.5, 0.0, "The dice gave 8.5; no decision cost anything."),
        (-8.5, 0.0, "The dice took 8.5; no decision cost anything."),
    ],
)
def test_the_headline_is_right_for_every_sign(
    played: Game, alice: Player, luck: float, lost: float, words: str
) -> None:
    found = replace(review.report(played, alice), luck=luck, points_lost=lost)
    assert verdict(found).endswith(words)

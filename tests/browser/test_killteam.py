"""A player's evening: set up both situations on a phone, share the link, fight, fill a matrix, keep a profile."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch

Opener = Callable[..., Page]
GUNS = "\n".join(f"Gun {n}: 5 3+ {n}/{n + 1}" for n in range(1, 26))
TARGETS = "\n".join(f"Target {n}: 3+ {n}W" for n in range(1, 26))


def numbers(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".headline__number").all_inner_texts()]


def press(page: Page, label: str, side: str, times: int = 1) -> None:
    """Tap the + of a stepper, and wait for the answer that follows."""
    button = page.locator(f".side--{side}").get_by_role("button", name=f"Increase {label}", exact=True).first
    for _ in range(times):
        with page.expect_response(lambda r: "/killteam/" in r.url and r.request.headers.get("hx-request") == "true"):
            button.click()


def test_both_situations_on_a_phone_shared_and_opened_elsewhere(open_browser: Opener, watch: Watch) -> None:
    phone = open_browser("phone-light")
    phone.goto("/killteam/shoot/")
    before = numbers(phone)
    assert len(before) == 2

    press(phone, "Attack dice", "a")
    phone.get_by_role("radio", name="B", exact=True).check()
    expect(phone.locator(".side--a")).to_be_hidden()
    press(phone, "Wounds", "b", times=2)
    phone.locator('[name="b-rules"][value="rending"]').check()
    phone.wait_for_url("**b-rules=rending**")
    after = numbers(phone)
    assert after[0] != before[0]
    expect(phone.locator(".dock")).to_be_visible()

    phone.get_by_role("button", name="Copy link").click()
    link = phone.evaluate("navigator.clipboard.readText()")
    assert "dice=6" in link
    assert "b-wounds=12" in link

    friend = open_browser("desktop-dark")
    friend.goto(link)
    assert numbers(friend) == after
    expect(friend.locator('[name="b-wounds"]')).to_have_value("12")


def test_the_table_comes_as_csv_with_every_digit(page: Page) -> None:
    page.goto("/killteam/shoot/?v=1&dice=4")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="CSV").last.click()
    rows = list(csv.reader(io.StringIO(Path(downloading.value.path()).read_text())))
    assert rows[0][0] == "Damage"
    assert abs(sum(float(row[1]) for row in rows[1:]) - 1) < 1e-12


def test_an_error_is_beside_its_field_and_the_answer_stays(page: Page, watch: Watch) -> None:
    watch.allow("422")
    page.goto("/killteam/shoot/?v=1")
    shown = numbers(page)
    page.locator("#a-dice").fill("21")
    expect(page.locator("#a-dice-error")).to_contain_text("Attack dice must be 0–20; you entered 21.")
    assert numbers(page) == shown
    page.locator("#a-dice").fill("5")
    expect(page.locator("#a-dice-error")).to_be_hidden()


def test_rarer_controls_fold_away_but_say_when_they_are_set(page: Page, watch: Watch) -> None:
    page.goto("/killteam/shoot/?v=1")
    fold = page.locator("#a-fold-attacker")
    expect(page.locator("#a-devastating")).to_be_hidden()
    fold.locator("> summary").click()
    page.locator("#a-devastating").fill("2")
    page.locator("#a-devastating").blur()
    expect(fold.locator("[data-fold-count]")).to_have_text("1 set")
    page.wait_for_url("**devastating=2**")
    page.reload()
    expect(page.locator("#a-devastating")).to_be_visible()


def test_a_weapon_from_the_library_lands_in_the_sheet(page: Page, watch: Watch) -> None:
    page.goto("/killteam/shoot/?v=1&wounds=17")
    page.get_by_role("button", name="Pick a profile for the attacker of A").click()
    page.wait_for_url("**/killteam/profiles/**")
    page.get_by_label("Words").fill("plasma gun supercharge kasrkin")
    page.get_by_role("link", name="Plasma gun (supercharge)").click()
    page.wait_for_url("**/killteam/shoot/**")
    expect(page.locator("#a-piercing")).to_have_value("1")
    expect(page.locator("#a-wounds")).to_have_value("17")
    expect(page.locator("#a-name")).to_have_value("Plasma gun (supercharge)")


def test_a_fight_is_compared_and_its_best_line_read(page: Page) -> None:
    page.goto("/killteam/fight/?v=1")
    page.locator("#a-fold-table summary").click()
    page.locator("#a-explore").check()
    expect(page.locator("#line-a")).to_contain_text("On the table: Fighter one 1 critical, 2 normals")
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".headline__number")).to_have_count(2)
    press(page, "Attack dice", "b")
    expect(page.locator(".headline__difference .delta")).to_be_visible()


def test_a_long_fight_counts_before_ones_eyes_and_then_answers(page: Page, axe: Callable[[Page], list[str]]) -> None:
    most = "&".join(f"{who}_{what}" for who in ("one", "two") for what in ("dice=20", "wounds=99", "normal=3"))
    address = f"/killteam/fight/?v=1&{most}&rounds=2&two_strategy=parry"
    page.goto(address)
    expect(page.locator(".headline__text")).to_contain_text("to count this fight exactly")
    expect(page.locator("#fight-job-a [data-job]")).to_be_visible(timeout=20_000)
    assert axe(page) == []
    expect(page.locator(".headline__text")).to_contain_text("to kill", timeout=120_000)
    expect(page.locator("#fight-job-a")).to_have_count(0)
    assert "rounds=2" in page.url
    page.reload()
    expect(page.locator(".headline__text")).to_contain_text("to kill")


def test_a_matrix_job_fills_before_ones_eyes(page: Page, watch: Watch, axe: Callable[[Page], list[str]]) -> None:
    page.goto("/killteam/matrix/")
    page.locator("#a-attackers").fill(GUNS)
    page.locator("#a-defenders").fill(TARGETS)
    page.get_by_role("button", name="Compute 625 match-ups").click()
    page.wait_for_url("**/jobs/**")
    expect(page.locator("[data-job-state]")).to_have_text("Done", timeout=60_000)
    expect(page.locator(".match-matrix tbody tr")).to_have_count(25)
    page.get_by_role("link", name="Sort and read it").click()
    page.get_by_role("link", name="Average damage").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Average damage")
    assert axe(page) == []


def test_a_profile_is_kept_and_used_again(page: Page) -> None:
    page.goto("/killteam/shoot/?v=1&dice=7&rules=severe")
    page.get_by_text("Save as my profile").click()
    page.get_by_label("Name", exact=True).fill("House gun")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved House gun.")
    page.goto("/killteam/profiles/")
    page.get_by_role("link", name="Open House gun").click()
    expect(page.locator("#a-dice")).to_have_value("7")
    expect(page.locator("#a-rules-severe")).to_be_checked()


def test_a_fight_prints_each_fighter_in_one_column_with_its_plan_in_full(page: Page) -> None:
    page.set_viewport_size({"width": 794, "height": 1123})
    page.goto("/killteam/fight/?v=2&two_strategy=max_dmg_to_enemy")
    page.emulate_media(media="print")
    for who in ("one", "two"):
        first, last = (page.locator(f"#a-{who}_{name}").bounding_box() for name in ("dice", "lethal"))
        assert first is not None
        assert last is not None
        assert last["y"] > first["y"]
        assert abs(first["x"] + first["width"] - last["x"] - last["width"]) < 60, "in one column"
    plan = page.locator("#a-two_strategy")
    wanted = plan.evaluate(
        """select => {
          const probe = document.createElement("span");
          probe.style.font = getComputedStyle(select).font;
          probe.style.position = "absolute";
          probe.textContent = select.selectedOptions[0].text;
          document.body.append(probe);
          return probe.getBoundingClientRect().width;
        }"""
    )
    box = plan.bounding_box()
    assert box is not None
    assert box["width"] >= wanted


def test_one_style_is_chosen_and_another_move_followed(page: Page, watch: Watch) -> None:
    page.goto("/killteam/fight/?v=2&explore=1&one_crits=2&two_crits=1&two_norms=2")
    page.locator("#a-one_style").select_option("dueller")
    page.wait_for_url("**one_style=dueller**")
    move = page.locator("#line-a .other-moves").first
    move.locator("summary").click()
    move.get_by_role("link").first.click()
    page.wait_for_url("**sideways=**")
    expect(page.locator("#line-a")).to_contain_text("not the best")


def test_dice_on_the_table_say_what_to_roll_again(open_browser: Opener, watch: Watch) -> None:
    phone = open_browser("phone-dark")
    phone.goto("/killteam/shoot/?v=1&reroll=most_common_fail&rolled=6+4+2+2")
    expect(phone.locator("#rerolls-a")).to_contain_text("Re-roll 2 and 2")
    expect(phone.locator("#advice-a .bars").first).to_be_visible()
    phone.keyboard.press("r")
    phone.wait_for_url(lambda url: "rolled" not in url)
    expect(phone.locator(".headline__number")).to_be_visible()


def test_names_of_two_situations_are_told_apart(page: Page) -> None:
    page.goto("/killteam/shoot/?v=1&name=Plasma+gun+(standard)&b-name=Plasma+gun+(supercharge)&compare=1")
    for name in page.locator(".side__name").all():
        assert name.evaluate("input => input.scrollWidth <= input.clientWidth"), "the whole name is in sight"


def test_a_ploy_is_switched_on_and_goes_with_its_team(open_browser: Opener, watch: Watch) -> None:
    phone = open_browser("phone-light")
    phone.goto("/killteam/shoot/?v=1&name=Plasma+gun+%28supercharge%29", wait_until="networkidle")
    name = phone.locator(".side__name").first
    assert name.evaluate("field => field.scrollWidth <= field.clientWidth"), "the weapon's name is whole"
    before = numbers(phone)
    attacker = phone.locator("#a-fold-attacker-team")
    attacker.locator("summary").first.click()
    attacker.get_by_label("Team", exact=True).select_option("Angels of Death")
    attacker.get_by_label("Combat Doctrine (Devastator Doctrine)", exact=True).check()
    expect(phone.locator(".headline__number")).not_to_have_text(before[0])
    phone.wait_for_url("**options=angels-of-death-combat-doctrine**")
    expect(attacker.locator("[data-fold-count]")).to_have_text("2 set")
    attacker.get_by_label("Team", exact=True).select_option("Plague Marines")
    expect(attacker.get_by_label("Combat Doctrine (Devastator Doctrine)", exact=True)).to_have_count(0)
    expect(attacker.locator("[data-fold-count]")).to_have_text("1 set")
    expect(phone.locator(".headline__number")).to_have_text(before[0])
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_rolled_fight_says_what_to_roll_again(page: Page, axe: Callable[[Page], list[str]]) -> None:
    page.goto("/killteam/fight/?v=2&one_reroll=balanced&one_dice=4", wait_until="networkidle")
    page.locator("#a-fold-table summary").click()
    page.get_by_label("Fighter one's dice", exact=False).fill("6 4 2 1")
    panel = page.get_by_role("region", name="Best re-roll of Fighter one")
    expect(panel).to_contain_text("Re-roll 1, against any roll of Fighter two.")
    assert axe(page) == []

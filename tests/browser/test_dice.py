"""An evening's questions about dice: typed, mistyped, looked at, rolled, saved, and asked on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch

Opener = Callable[..., Page]


def ask(page: Page, program: str) -> None:
    page.locator("#a-roll").fill(program)


def test_typing_answers_and_a_slip_is_underlined_where_it_is(page: Page, watch: Watch) -> None:
    watch.allow("422")
    page.goto("/dice/?v=2&roll=3D6%2B2&target=12")
    ask(page, "advantage(d20) + 5")
    expect(page.locator(".headline__number")).to_have_text("91.0%")
    expect(page.locator(".token--word", has_text="advantage")).to_be_visible()
    ask(page, "2d6 + advantge(d20)")
    expect(page.locator("#a-roll-error")).to_contain_text("Did you mean advantage?")
    expect(page.locator(".token--slip")).to_have_text("a")
    ask(page, "")
    expect(page.locator("#a-roll-error")).to_contain_text("Write dice like 3D6+2")
    ask(page, "3d6")
    expect(page.locator("#a-roll-error")).to_be_hidden()
    expect(page.locator(".headline__number")).to_have_text("37.5%")


def test_the_colours_lie_exactly_behind_the_text(page: Page) -> None:
    page.goto("/dice/?v=1&roll=8D6+count+%3E%3D5&target=")
    text, colours = page.locator("#a-roll"), page.locator("[data-colours]").first
    for style in ("fontFamily", "fontSize", "lineHeight", "fontVariantLigatures", "paddingLeft", "paddingTop"):
        read = f"element => getComputedStyle(element).{style}"
        assert text.evaluate(read) == colours.evaluate(read), style


def test_dice_roll_on_the_page_with_proofs(page: Page) -> None:
    page.goto("/dice/?v=1&roll=4D6kh3&target=")
    page.get_by_role("button", name="Roll the dice").click()
    rolled = page.locator("#rolled")
    expect(rolled.locator(".dice-faces span")).to_have_count(4)
    expect(rolled.locator(".spark__likeliest")).to_have_count(1)
    rolled.get_by_text("4 dice with proof").click()
    rolled.get_by_role("button", name="Verify every die").click()
    expect(page.locator("#verified")).to_contain_text("All 4 dice verified")


def test_the_chart_is_saved_as_a_drawing_and_as_a_picture(page: Page, tmp_path: Path) -> None:
    page.goto("/dice/?v=1&roll=3D6&target=")
    for name, kind, begins in (
        ("Drawing (SVG)", "dice.svg", b"<svg"), ("Picture (PNG)", "dice.png", b"\x89PNG"),
    ):  # fmt: skip
        page.locator("#dice-save > summary").click()
        with page.expect_download() as downloading:
            page.get_by_role("link", name=name).click()
        file = tmp_path / kind
        downloading.value.save_as(file)
        assert downloading.value.suggested_filename == kind
        assert file.read_bytes().startswith(begins)
        page.keyboard.press("Escape")
        page.goto("/dice/?v=1&roll=3D6&target=")


def test_on_a_phone_nothing_sticks_out(open_browser: Opener) -> None:
    phone = open_browser("phone-dark")
    for program in ("for+n+in+2..8%3A+nD10%21+count+%3E%3D8", "100D100", "3D6+vs+2D10", "3D6%0A2D10"):
        phone.goto(f"/dice/?v=1&roll={program}&target=")
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    phone.goto("/dice/language/")
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_without_a_script_the_drawing_stands_in_for_the_chart(open_browser: Opener) -> None:
    plain = open_browser("desktop-light", java_script_enabled=False)
    plain.goto("/dice/?v=1&roll=3D6&target=12")
    expect(plain.locator(".dice-drawing")).to_be_visible()
    plain.locator("#a-roll").fill("2D6")
    plain.get_by_role("button", name="Calculate").click()
    expect(plain.locator(".headline__number")).to_contain_text("2.8")
    plain.get_by_role("button", name="Roll the dice").click()
    expect(plain.locator(".dice-faces span")).to_have_count(2)


def test_what_takes_long_is_started_from_the_answer_and_comes_back_with_its_chart(open_browser: Opener) -> None:
    page = open_browser("phone-light")
    page.goto("/dice/?v=1&roll=100D1000&target=")
    start = page.get_by_role("button", name="Start it")
    expect(start).to_be_in_viewport()
    start.click()
    expect(page.locator("[data-job-state]")).to_have_text("Done")
    expect(page.get_by_text("50,050.00 on average. 100D1000 gives 100–100,000, most often 50,050.")).to_be_visible()
    expect(page.locator("[data-job] .js-plotly-plot")).to_be_visible()
    expect(page.get_by_text("percent answered")).to_have_count(0)
    page.get_by_role("link", name="Ask something else").click()
    expect(page.locator("#a-roll")).to_have_value("100D1000")


def test_the_first_press_counts_after_typing(page: Page) -> None:
    """Leaving the field must not draw the answer anew under the finger."""
    page.goto("/dice/")
    ask(page, "4D6kh3")
    target = page.locator("#a-target")
    target.press_sequentially("15")
    expect(page.locator(".headline__number")).to_have_text("23.1%")
    page.locator("#dice-save summary").click()
    page.wait_for_timeout(500)
    expect(page.get_by_role("link", name="Drawing (SVG)")).to_be_visible()


def test_on_a_phone_a_slip_is_read_without_scrolling(open_browser: Opener, watch: Watch) -> None:
    watch.allow("422")
    page = open_browser("phone-dark")
    page.goto("/dice/")
    ask(page, "4d6hk3")
    message = page.locator("#a-roll-error")
    expect(message).to_contain_text("To keep the highest, write 4D6kh3.")
    expect(page.locator(".stale-note")).to_contain_text("To keep the highest, write 4D6kh3.")
    expect(page.locator(".dock")).to_be_hidden()

"""A short journey through every room in Firefox and in WebKit. The long ones are Chromium's, in the folder above."""

from __future__ import annotations

import re
import uuid

from tests.browser.engines.driver import Driver

SEARCH = "(part) => location.search.includes(part)"
SETTLED = "() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added')"
#: The number of the last move at a table, once it is another than before.
MOVED = "(before) => { const now = document.querySelector('#game')?.dataset.seq; return now !== before && now; }"
PASSWORD = "correct horse battery"


def test_play_a_turn_of_dicee(driver: Driver) -> None:
    driver.open("/dicee/")
    driver.click("Play now")
    start = driver.wait(MOVED, "")
    driver.click("#roll")
    rolled = driver.wait(MOVED, start)
    driver.wait("() => document.querySelectorAll('[id^=die-]').length >= 5")
    driver.click("#box-chance")  # never a 0, so nobody is asked whether they mean it
    driver.wait(MOVED, rolled)
    driver.wait("() => !document.querySelector('#roll').disabled")


def test_shoot_in_kill_team(driver: Driver) -> None:
    driver.open("/killteam/shoot/?v=1")
    before = driver.text("#answer")
    assert "%" in before
    driver.click("Increase Attack dice")
    driver.wait(SEARCH, "dice=5")
    assert driver.wait_for_change("#answer", before)


def test_fight_in_kill_team(driver: Driver) -> None:
    driver.open("/killteam/fight/?v=1")
    before = driver.text("#answer")
    assert "%" in before
    driver.click("Increase Wounds")
    assert driver.wait_for_change("#answer", before)


def test_build_an_attack_for_warhammer_40000(driver: Driver) -> None:
    driver.open("/warhammer40k/?v=1")
    before = driver.text("#answer")
    driver.click("Increase Strength")
    driver.wait(SEARCH, "w1-strength=5")
    stronger = driver.wait_for_change("#answer", before)
    driver.click("Lethal Hits")
    driver.wait(SEARCH, "w1-abilities=lethal")
    driver.wait_for_change("#answer", stronger)
    driver.click("+ Add a weapon")
    driver.wait("() => !!document.querySelector('[name=w2-strength]')")


def test_roll_a_heat_phase_in_battletech(driver: Driver) -> None:
    driver.open("/battletech/?v=1&mech=atlas-as7-k&heat=23")
    driver.click("One heat more")
    driver.wait(SEARCH, "heat=24")
    driver.wait(SETTLED)  # the sheet is drawn anew; a press in that very moment would meet the old one
    driver.click("Roll the phase")
    driver.wait_for("Heat phase at 24")
    assert re.search(r"did=h24-[1-6]+", driver.evaluate("() => location.search"))
    driver.click("Undo")
    driver.wait_for("Roll the phase at heat 24")  # what an empty log says


def test_join_a_class(driver: Driver) -> None:
    driver.open("/classroom/")
    driver.click("Sign up to teach")
    driver.fill("[name=username]", f"teacher-{uuid.uuid4().hex[:8]}")
    driver.fill("[name=password]", PASSWORD)
    driver.fill("[name=again]", PASSWORD)
    driver.click("Make the account")
    driver.wait_for("Recovery codes")
    driver.click("I have them: go on")
    driver.wait_for("New class")
    driver.fill("Name of the class", "Period 6")
    driver.click("Create the class")
    driver.wait_for("Period 6", "h1")
    driver.click("Show the code")
    label = driver.wait("() => document.querySelector('[aria-label^=\"Code: \"]')?.ariaLabel")
    code = label.removeprefix("Code: ")

    driver.forget()  # from here on a student
    driver.open(f"/classroom/join/{code}/")
    driver.fill("Nickname", "Ada")
    driver.click("Join the class")
    driver.wait_for("Ada", "h1")

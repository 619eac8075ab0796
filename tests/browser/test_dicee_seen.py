"""What is seen and heard of a move once its animations have ended: alone, against a bot, with friends; on a phone and
on a desktop."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Watch, look_at
from tests.browser.test_dicee import call_api, moved, open_table, roll, seq, set_look, swipe_for_real, write
from tests.browser.test_dicee_live import in_step, on_turn, sit_down

TURNED = """() => [...document.querySelectorAll("[data-dice] .die")].map(die => {
  const style = getComputedStyle(die);
  return [style.rotate, style.transform, style.scale].filter(value => value !== "none").join(" ");
})"""
#: Nothing tumbles, lands or flashes any more. What follows an animation is waited for, too.
AT_REST = """async () => {
  const moving = ".is-tumbling, .is-landing, .is-scored, .confetti";
  while (document.querySelector(moving)) await new Promise(requestAnimationFrame);
  const ending = document.getAnimations().filter(({effect}) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(animation => animation.finished));
}"""
HEARD = """() => {
  window.heard = [];
  new MutationObserver(() => {
    const text = document.querySelector("#announcement").textContent;
    if (text) window.heard.push(text);
  }).observe(document.querySelector("#announcement"), {childList: true, characterData: true, subtree: true});
}"""
#: What was drawn of dice in motion: what stands at the beginning of a frame and has stood since the one before.
DRAWN = """() => {
  window.started = [];
  document.addEventListener("animationstart", event => window.started.push(event.animationName), true);
  window.drawn = [];
  let last = new Map();
  const look = () => {
    const dice = new Map([...document.querySelectorAll(".die.is-tumbling")].map(die => {
      return [die, getComputedStyle(die).rotate + die.querySelector("use").getAttribute("href")];
    }));
    window.drawn.push([...last].filter(([die]) => dice.has(die)).map(([, shown]) => shown));
    last = dice;
    requestAnimationFrame(look);
  };
  look();
}"""


def tumbled(page: Page) -> set[str]:
    """How tumbling dice were drawn: the angle and the face, of those that had left their place."""
    drawn: list[list[str]] = page.evaluate("window.drawn")
    return {die for frame in drawn for die in frame if not die.startswith(("none", "0deg"))}


def at_rest(page: Page) -> None:
    page.evaluate(AT_REST)


@pytest.mark.parametrize("screen", ["desktop-light", "phone-light"])
@pytest.mark.parametrize("against", ["solo", "greedy"])
def test_a_roll_tumbles_lands_upright_and_is_told(open_browser: Callable[..., Page], screen: str, against: str) -> None:
    page = open_browser(screen)
    open_table(page, against)
    page.evaluate(HEARD)
    page.evaluate(DRAWN)
    roll(page)
    at_rest(page)
    assert len(tumbled(page)) >= 2, [frame for frame in page.evaluate("window.drawn") if frame]
    assert page.evaluate(TURNED) == [""] * 5
    faces = page.locator("[data-dice] label.die").evaluate_all("dice => dice.map(die => die.dataset.n)")
    drawn = page.locator("[data-dice] use").evaluate_all("uses => uses.map(use => use.getAttribute('href'))")
    assert drawn == [f"#d{face}" for face in faces]
    assert "landing" in page.evaluate("window.started")
    assert page.evaluate("window.heard")[-1].startswith(f"You rolled {', '.join(faces)}. 2 rolls left.")
    page.locator("#die-2").click(force=True)
    at_rest(page)
    held = page.locator("label.die").nth(1).evaluate("die => getComputedStyle(die).rotate")
    assert held == "none"
    write(page, page.locator("#box-chance"))
    at_rest(page)
    assert "scored" in page.evaluate("window.started")
    assert "in Chance." in page.evaluate("window.heard")[-1]
    assert not page.locator(".is-tumbling, .is-landing, .is-scored, .confetti").count()


def test_an_answer_that_is_there_at_once_still_tumbles(page: Page) -> None:
    """The server's answer is in the page before the next frame: the dice turn nevertheless, kept dice lie still."""
    open_table(page)
    roll(page)
    at_rest(page)
    page.locator("#die-3").click(force=True)
    page.evaluate(DRAWN)
    page.evaluate(
        """() => {
          const send = XMLHttpRequest.prototype.send;
          XMLHttpRequest.prototype.send = function(body) {  // no frame between the request and its answer
            const now = new XMLHttpRequest();
            now.open("POST", this.responseURL || document.querySelector("#roll-form").action, false);
            for (const [name, value] of [["HX-Request", "true"], ["HX-Target", "game"]])
              now.setRequestHeader(name, value);
            now.setRequestHeader("X-CSRFToken", JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]);
            now.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
            XMLHttpRequest.prototype.send = send;
            now.send(body);
            for (const [name, value] of [["status", now.status], ["response", now.response], ["readyState", 4]])
              Object.defineProperty(this, name, {value});
            this.getAllResponseHeaders = () => now.getAllResponseHeaders();
            this.getResponseHeader = name => now.getResponseHeader(name);
            this.onload();
          };
        }"""
    )
    kept = page.locator("[data-dice] label.die").nth(2)
    before = kept.get_attribute("data-n")
    roll(page)
    at_rest(page)
    assert len(tumbled(page)) >= 2, [frame for frame in page.evaluate("window.drawn") if frame]
    assert max(len(frame) for frame in page.evaluate("window.drawn")) == 4
    assert kept.get_attribute("data-n") == before


def test_reduced_motion_lands_at_once(open_browser: Callable[..., Page]) -> None:
    page = open_browser("desktop-light", reduced_motion="reduce")
    open_table(page)
    page.evaluate(DRAWN)
    roll(page)
    write(page, page.locator("#box-chance"))
    at_rest(page)
    assert tumbled(page) == set()
    assert not {"tumbling", "landing"} & set(page.evaluate("window.started"))


def test_dice_tumble_before_the_answer_is_here(page: Page) -> None:
    """With 800 ms of latency the dice are in motion at once; a refused roll puts the old faces back."""
    open_table(page)
    roll(page)
    at_rest(page)
    before = page.locator("[data-dice] use").evaluate_all("uses => uses.map(use => use.getAttribute('href'))")
    page.locator("#die-1").click(force=True)

    def late(route: Route) -> None:
        page.wait_for_timeout(800)
        route.continue_()

    page.route("**/roll/", late)
    page.locator("#roll").click(no_wait_after=True)
    expect(page.locator(".die.is-tumbling")).to_have_count(4)
    expect(page.locator(".die.is-tumbling")).to_have_count(0)
    kept = page.locator("[data-dice] use").first.get_attribute("href")
    assert kept == before[0]


def test_a_failed_roll_ends_the_tumble(page: Page, watch: Watch) -> None:
    watch.allow("500|htmx:responseError")
    open_table(page)
    roll(page)
    at_rest(page)
    page.route("**/roll/", lambda route: route.fulfill(status=500, body="no"))
    page.locator("#roll").click()
    expect(page.locator(".toast--error")).to_have_count(1)
    expect(page.locator(".is-tumbling")).to_have_count(0)
    faces = page.locator("[data-dice] label.die").evaluate_all("dice => dice.map(die => `#d${die.dataset.n}`)")
    assert page.locator("[data-dice] use").evaluate_all("uses => uses.map(use => use.getAttribute('href'))") == faces


@pytest.mark.parametrize("screen", ["desktop-light", "phone-light"])
def test_every_box_has_a_name_for_a_screen_reader(open_browser: Callable[..., Page], screen: str) -> None:
    page = open_browser(screen)
    open_table(page)
    roll(page)
    tree = page.locator("#score-form").aria_snapshot()
    for title in ("Ones", "Three of a kind", "Small straight", "Large straight", "Chance"):
        assert re.search(rf'button "Write \d+ in {title}"', tree), tree
        assert re.search(rf'link "{title} explained"', tree)
    described = page.locator("#figures-ones").text_content() or ""
    assert page.locator("#box-ones").get_attribute("aria-describedby") == "figures-ones"
    assert "odds" in described
    assert "expected points" in described


def test_a_bots_moves_are_shown_and_can_be_skipped(page: Page) -> None:
    open_table(page, "greedy")
    roll(page)
    write(page, page.locator("#box-chance"))
    stage = page.locator("[data-opponent-stage]")
    expect(stage).to_be_visible()
    expect(stage).to_contain_text("Greedy Gus rolled")
    expect(stage.locator(".die")).to_have_count(5)
    stage.click()
    expect(stage).to_be_hidden()
    expect(page.locator(".roll-tray__recent")).to_contain_text(re.compile(r"Greedy Gus: \d+ in "))


def test_a_failing_refresh_backs_off_and_says_so_once(open_browser: Callable[..., Page], watch: Watch) -> None:
    watch.allow("500|htmx:responseError")
    host, guest = sit_down(open_browser)
    mine, theirs = (host, guest) if on_turn(host, guest) is host else (guest, host)
    asked: list[str] = []
    theirs.on("request", lambda request: asked.append(request.url) if request.url == theirs.url else None)
    theirs.route(theirs.url, lambda route: route.fulfill(status=500, body="no"))
    roll(mine)
    theirs.wait_for_timeout(6_000)
    assert 2 <= len(asked) <= 5, "it is tried again, with growing patience"
    expect(theirs.locator(".toast--error")).to_have_count(1)
    theirs.unroute(theirs.url)
    in_step(mine, theirs)
    expect(theirs.locator(".toast--error")).to_have_count(0)


def test_a_blip_of_the_network_keeps_what_is_held(page: Page, watch: Watch) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket|net::|htmx:sendError")
    open_table(page)
    roll(page)
    for die in (1, 4):
        page.locator(f"#die-{die}").click(force=True)
    page.context.set_offline(True)
    page.wait_for_timeout(500)
    with page.expect_response(page.url):
        page.context.set_offline(False)
    page.wait_for_timeout(500)
    assert page.locator("[name=keep]:checked").evaluate_all("dice => dice.map(die => die.id)") == ["die-1", "die-4"]
    expect(page.locator("[data-free]")).to_have_text("3 dice")


def test_an_opponents_roll_closes_nothing_and_moves_nothing(open_browser: Callable[..., Page]) -> None:
    host, guest = sit_down(open_browser)
    mine, theirs = (host, guest) if on_turn(host, guest) is host else (guest, host)
    cards = theirs.locator(".boards")
    cards.locator("summary").click()
    was_open = cards.evaluate("cards => cards.open")
    theirs.locator(".game-bar .pop summary").click()  # on a phone it covers the cards
    theirs.evaluate("scrollTo(0, 150)")
    place = theirs.evaluate("scrollY")
    roll(mine)
    in_step(mine, theirs)
    expect(theirs.locator(".game-bar .pop")).to_have_attribute("open", "")
    assert cards.evaluate("cards => cards.open") is was_open
    assert theirs.evaluate("scrollY") == place


def test_your_turn_is_called(open_browser: Callable[..., Page]) -> None:
    host, guest = sit_down(open_browser)
    mine, theirs = (host, guest) if on_turn(host, guest) is host else (guest, host)
    expect(mine).to_have_title(re.compile("Your turn"))
    expect(theirs).to_have_title(re.compile("plays"))
    theirs.evaluate(HEARD)
    roll(mine)
    write(mine, mine.locator(".score-row__write").last)
    in_step(mine, theirs)
    expect(theirs).to_have_title(re.compile("Your turn"))
    assert "Your turn." in theirs.evaluate("window.heard")[-1]


def test_waiting_on_a_phone_is_readable(open_browser: Callable[..., Page]) -> None:
    """The dice never lie over the words, and a long name widens nothing."""
    host, guest = sit_down(open_browser)
    if on_turn(host, guest) is guest:
        roll(guest)
        write(guest, guest.locator(".score-row__write").last)
        in_step(guest, host)
    guest.locator(".roll-tray__waiting b").evaluate("name => name.textContent = 'Bartholomew-Maximilian-the-3rd'")
    words, dice = guest.locator(".roll-tray__waiting").bounding_box(), guest.locator("[data-dice]").bounding_box()
    assert words
    assert dice
    assert words["x"] >= dice["x"] + dice["width"] or words["y"] >= dice["y"] + dice["height"]
    assert guest.evaluate("document.documentElement.scrollWidth") <= 375


def test_a_real_finger_swipes_a_die_without_scrolling(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light")
    open_table(page)
    roll(page)
    swipe_for_real(page, page.locator("label.die").nth(0), -70)
    expect(page.locator("#die-1")).to_be_checked()
    swipe_for_real(page, page.locator("label.die").nth(0), 70)
    expect(page.locator("#die-1")).not_to_be_checked()
    assert page.evaluate("scrollY") == 0


def test_aim_and_write_are_two_marks(page: Page) -> None:
    """While rolling on is best the mark says "aim", and only where writing is best it says "write"."""
    open_table(page)
    for _ in range(3):
        roll(page)
        stops = page.locator("#game").get_attribute("data-stops") is not None
        shown = page.locator(".mark:visible").all_inner_texts()
        assert shown == (["write"] if stops else ["aim"])
        if stops:
            break
    assert stops


def test_a_zero_with_rolls_left_is_asked_about_once(page: Page) -> None:
    open_table(page)
    set_look(page, ask_zero=True)
    roll(page)
    page.locator("[data-none]").click()
    zero = page.locator(".score-row[data-now='0'] .score-row__write").first
    before = seq(page)
    zero.click()
    expect(page.locator("#zero")).to_be_visible()
    page.get_by_role("button", name="Go on rolling").click()
    assert seq(page) == before
    zero.click()
    moved(page, lambda: page.get_by_role("button", name="Write 0", exact=True).click())


def test_a_box_explains_itself_with_an_example(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light")
    open_table(page)
    roll(page)
    before = seq(page)
    page.get_by_role("link", name="Full house explained").tap()
    expect(page.locator("#explain-title")).to_have_text("Full House")
    expect(page.locator("#explain")).to_contain_text("Three alike and two alike.")
    expect(page.locator("#explain")).to_contain_text("writes 25")
    width = page.locator("#explain").bounding_box()
    for value in page.locator("#explain dd").all():
        box = value.bounding_box()
        assert box
        assert width
        assert value.inner_text()
        assert box["x"] + box["width"] <= width["x"] + width["width"]
    assert seq(page) == before
    look_at(page)


def test_decide_first_then_see(page: Page) -> None:
    """What a newcomer gets: the numbers are covered, then comes one line of verdict and a count."""
    open_table(page, coached=False)
    set_look(page, tutored=True)
    roll(page)
    cell = page.locator(".score-row[data-box] .heat").first
    expect(cell).to_be_hidden()
    expect(page.locator(".hold-best")).to_be_hidden()
    expect(page.locator(".mark:visible")).to_have_count(0)
    page.keyboard.press("g")
    expect(page.locator("[name=keep]:checked")).to_have_count(0)
    page.locator("#die-1").click(force=True)
    roll(page)
    line = page.locator("[data-decision]")
    expect(line).to_contain_text(re.compile(r"Best choice|−\d+\.\d: (keep|roll|write)"))
    expect(line).to_contain_text(re.compile(r"[01]/1 best"))
    look_at(page)
    page.get_by_role("button", name="Show me the numbers").first.click()
    expect(cell).to_be_visible()


def test_the_keyboard_list_opens_at_the_table(page: Page) -> None:
    open_table(page)
    page.keyboard.press("?")
    expect(page.locator("#keyboard")).to_be_visible()


def test_statistics_off_hides_every_number_of_the_coach(page: Page) -> None:
    open_table(page)
    roll(page)
    page.locator("#look input[value=expert]").check(force=True)
    expect(page.locator("[data-expected-final]")).to_be_visible()
    page.keyboard.press("s")
    expect(page.locator("[data-expected-final]")).to_be_hidden()


def test_the_coach_agrees_with_itself_about_this_turn(page: Page) -> None:
    open_table(page)
    set_look(page)
    page.locator(".game-bar .pop summary").click()
    with page.expect_response("**/look/"):
        page.locator("#look input[value=turn]").check(force=True)
    page.keyboard.press("Escape")
    roll(page)
    page.locator("[data-hold-best]").click()
    expect(page.locator("[data-lost]")).to_have_text("0.00")
    best = page.locator(".hold-cost--best")
    expect(best).to_have_class(re.compile("is-yours"))


@pytest.mark.parametrize(
    "size", [(320, 640), (375, 812), (667, 375), (844, 390), (1024, 768), (1440, 900), (1920, 1080)]
)
def test_the_table_fits_every_size(open_browser: Callable[..., Page], size: tuple[int, int]) -> None:
    width, height = size
    page = open_browser("desktop-light", viewport={"width": width, "height": height})
    open_table(page)
    roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    seen = page.locator(".score-row[data-box]").evaluate_all(
        "(rows, height) => rows.filter(row => row.getBoundingClientRect().bottom <= height).length", height
    )
    assert seen >= 6
    button = page.locator("#roll").bounding_box()
    assert button
    assert button["y"] + button["height"] <= height


def test_six_seats_and_long_names_fit(open_browser: Callable[..., Page]) -> None:
    page = open_browser()
    open_table(page, "greedy")
    roll(page)
    page.locator(".player-list").evaluate_all(
        """lists => lists.forEach(list => {
          list.lastElementChild.firstElementChild.textContent = "Bartholomew-Maximilian-the-3rd";
          for (let n = 0; n < 4; n++) list.append(list.lastElementChild.cloneNode(true));
        })"""
    )
    for width, height in ((1440, 900), (375, 812)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    options = page.locator(".table-options").locator("xpath=..")
    assert options.locator("summary").bounding_box()
    for points in page.locator(".context-bar .player b").all():
        box = points.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 375


def test_without_scripts_a_hint_is_a_page(open_browser: Callable[..., Page]) -> None:
    page = open_browser("desktop-light", java_script_enabled=False)
    open_table(page, coached=False)
    page.locator("#roll").click()
    page.get_by_role("button", name="Give me a hint").click()
    expect(page.locator(".hint__text")).to_be_visible()
    expect(page.locator("#score-form")).to_be_visible()
    expect(page.locator("#roll")).to_contain_text("Roll the rest", use_inner_text=True)
    heads, cells = page.locator(".score-row--head .score-row__chance").first, page.locator(".score-row .heat").first
    head, cell = heads.bounding_box(), cells.bounding_box()
    assert head
    assert cell
    assert abs(head["x"] + head["width"] / 2 - cell["x"] - cell["width"] / 2) < 4


def test_the_rules_explain_every_box(page: Page) -> None:
    page.goto("/dicee/rules/")
    expect(page.locator(".rules-boxes > li")).to_have_count(13)
    look_at(page)


def test_the_profile_switch_passes_under_the_dice(open_browser: Callable[..., Page]) -> None:
    """Scrolled so that the switch would lie on the tray: what is touched there is the tray."""
    page = open_browser("phone-light")
    open_table(page)
    roll(page)
    page.evaluate(
        """() => {
          const tray = document.querySelector("#roll-form").getBoundingClientRect();
          const bar = document.querySelector("#look .segmented").getBoundingClientRect();
          scrollBy(0, bar.top - tray.top - tray.height / 2);
        }"""
    )
    on_top = page.evaluate(
        """() => {
          const {left, top, width, height} = document.querySelector("#look .segmented").getBoundingClientRect();
          return document.elementFromPoint(left + width / 2, top + height / 2).closest("form").id;
        }"""
    )
    assert on_top == "roll-form"


def test_a_guess_is_asked_where_it_is_seen(open_browser: Callable[..., Page]) -> None:
    """On a phone the question is in the first screen and says what counts; while it is open, no key holds the best."""
    page = open_browser("phone-light")
    open_table(page)
    set_look(page, predict=True)
    roll(page)
    question = page.locator("#guess h2")
    expect(question).to_be_in_viewport(ratio=1)
    expect(page.locator("#guess").get_by_role("button", name="Show me")).to_be_in_viewport()
    left = question.bounding_box()
    assert left
    assert left["x"] >= 12
    assert re.fullmatch(
        r"How likely is (three or more (Ones|Twos|Threes|Fours|Fives|Sixes)|[A-Z][a-z ]+)\?", question.inner_text()
    )
    page.keyboard.press("g")
    expect(page.locator("[name=keep]:checked")).to_have_count(0)


def test_a_beginners_mark_covers_nothing(open_browser: Callable[..., Page]) -> None:
    page = open_browser("phone-light")
    open_table(page)
    roll(page)
    page.locator("#look input[value=beginner]").check(force=True)
    best = page.locator(".score-row--best")
    parts = [best.locator(part) for part in (".score-row__title", ".mark:visible", ".chance-word", ".score-row__write")]
    title, mark, word, write_button = (part.bounding_box() for part in parts)
    assert title
    assert mark
    assert word
    assert write_button
    assert mark["y"] >= title["y"] + title["height"] - 6 or mark["x"] >= title["x"] + title["width"]
    assert mark["x"] + mark["width"] <= word["x"]
    assert word["x"] + word["width"] <= write_button["x"]
    short = best.locator(".score-row__short").evaluate("name => name.getClientRects().length")
    assert short == 1, "the name stays in one line"


def test_an_experts_fractions_are_exact_or_one_in_so_many(page: Page) -> None:
    open_table(page)
    page.locator("#look input[value=expert]").check(force=True)
    for _ in range(3):
        roll(page)
        shown = page.locator(".score-row[data-box] [data-fraction]").all_inner_texts()
        assert len(shown) == 13
        assert all(re.fullmatch(r"0|1|[\d,]+/[\d,]+|(all but )?1 in [\d.,]+( \w+)?", text) for text in shown), shown


def test_a_clock_that_has_run_out_alone_goes_on_by_itself(page: Page) -> None:
    """Nobody else is there to tell the page: it asks, and shows what the clock wrote."""
    page.goto("/dicee/")
    call_api(page, "games", mode="solo", settings={"timeLimit": 15})
    page.goto("/dicee/")
    page.locator(".games a").first.click()
    roll(page)
    before = seq(page)
    expect(page.locator("#game")).not_to_have_attribute("data-seq", before, timeout=60_000)
    expect(page.locator(".roll-tray__recent")).to_contain_text("You ran out of time")
    expect(page.locator("#game")).to_have_attribute("data-status", "active")

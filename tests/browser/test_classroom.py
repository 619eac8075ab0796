"""A lesson in real browsers: a teacher and three students, each on a screen of their own, and two who find nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Watch
from tests.browser.test_dicee import roll, write

#: A worker counts after each move, and the board collects news for a moment.
SOON = 30_000
PASSWORD = "a long enough word"


def sign_up(page: Page, name: str) -> None:
    page.goto("/classroom/")
    page.get_by_role("link", name="Sign up to teach").click()
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=again]").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.get_by_role("link", name="I have them: go on").click()
    expect(page.get_by_role("heading", name="New class")).to_be_visible()


def create_class(page: Page, name: str) -> tuple[str, str]:
    """The new class's address and code."""
    page.get_by_label("Name of the class").fill(name)
    page.get_by_role("button", name="Create the class").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.url, page.locator(".class-head__code b").inner_text()


def join(page: Page, code: str, nickname: str) -> None:
    page.goto("/classroom/")
    page.locator("#code").fill(code)
    page.get_by_role("button", name="Join the class").click()
    page.get_by_label("Nickname").fill(nickname)
    page.get_by_role("button", name="Join the class").click()
    expect(page.get_by_role("heading", name=nickname)).to_be_visible()


def tile(board: Page, nickname: str) -> Locator:
    return board.locator(".board-tile").filter(has=board.get_by_text(nickname, exact=True))


def vote(page: Page, dice: str) -> None:
    for die in dice:
        page.locator(f"#round [name=keep][value='{die}']").check(force=True)
    page.get_by_role("button", name="Vote").click()
    expect(page.get_by_text("Your vote is in.")).to_be_visible()


def saved(page: Page, name: str) -> str:
    with page.expect_download() as waiting:
        page.get_by_role("link", name=name).click()
    return Path(waiting.value.path()).read_text()


def test_a_lesson(open_browser: Callable[..., Page], watch: Watch, axe: Callable[[Page], list[str]]) -> None:
    watch.allow("404|422")  # who is late or a stranger is told so
    teacher = open_browser()
    sign_up(teacher, "ms-okafor")
    address, code = create_class(teacher, "Period 3")
    ada, ben, cleo = open_browser("phone-light"), open_browser("desktop-dark"), open_browser("phone-dark")
    for page, nickname in ((ada, "Ada"), (ben, "Ben"), (cleo, "Cleo")):
        join(page, code, nickname)

    # -- the board moves while a student plays, without being loaded again
    teacher.goto(address + "board/")
    expect(teacher.locator(".board-tile")).to_have_count(3)
    teacher.evaluate("window.stillHere = true")
    ada.get_by_role("button", name="Play in class").click()
    roll(ada)
    expect(tile(teacher, "Ada")).to_have_attribute("data-state", "playing", timeout=SOON)
    write(ada, ada.locator(".score-row__write").last)
    turn = tile(teacher, "Ada").locator("dd").first
    expect(turn).to_have_text("2", timeout=SOON)
    expect(tile(teacher, "Ada").locator(".heat")).to_have_text(re.compile(r"%"))
    expect(teacher.locator("[data-count=playing]")).to_have_text("1")
    assert teacher.evaluate("window.stillHere")
    assert axe(teacher) == []

    # -- predict, vote, reveal
    ben.goto(address + "round/")
    expect(ben.get_by_role("heading", name="Waiting for a question")).to_be_visible()
    teacher.get_by_role("link", name="Pick a position").click()
    assert axe(teacher) == []
    typed = teacher.locator("form").filter(has=teacher.locator("#position"))
    typed.locator("#position").fill("55526/1")
    typed.locator("[name=predict]").check(force=True)
    typed.get_by_role("button", name="Ask the class").click()
    expect(ben.get_by_role("heading", name="How likely is")).to_be_visible(timeout=SOON)
    ada.locator("#class-sheet").get_by_role("link", name="Guess").click()  # lies over the game she plays
    expect(cleo.get_by_role("heading", name="How likely is")).to_be_visible(timeout=SOON)  # took over her class page
    cleo.goto(address)  # who walks away on purpose is not dragged back, and not let off
    expect(cleo.locator("#class-sheet")).to_be_visible(timeout=SOON)
    cleo.locator("#open-round").get_by_role("link", name="Answer now").click()  # the class page shows what is open
    for page in (ada, ben, cleo):
        page.locator("#percent").fill("30")
        page.get_by_role("button", name="Guess").click()
        expect(page.get_by_text("Your guess is in.")).to_be_visible()
    expect(teacher.locator(".open-question [data-answered]")).to_have_text("3", timeout=SOON)
    teacher.get_by_role("button", name="Go to the vote").click()
    for page, dice in ((ada, "123"), (ben, "1235"), (cleo, "5")):
        expect(page.get_by_role("heading", name="What would you keep?")).to_be_visible(timeout=SOON)
        vote(page, dice)
    expect(teacher.locator(".open-question [data-answered]")).to_have_text("3", timeout=SOON)
    cleo.locator("#round [name=keep][value='5']").uncheck(force=True)
    for die in "123":
        cleo.locator(f"#round [name=keep][value='{die}']").check(force=True)
    cleo.get_by_role("button", name="Change my vote").click()  # until the reveal, a vote may change
    expect(cleo.get_by_text("Your vote is in.")).to_be_visible()
    for page in (teacher, ada, ben):
        assert "class-choice--best" not in page.content(), "nobody sees the answer before the reveal"
        assert "Talk about" not in page.content()
    late = ben.locator("#round form").get_attribute("action")
    teacher.get_by_role("button", name="Reveal the answer").click()
    for page in (ada, ben, cleo):
        expect(page.get_by_role("heading", name="Two of three chose best")).to_be_visible(timeout=SOON)
    expect(ada.get_by_text("Best choice.")).to_be_visible()
    expect(ben.get_by_text("points against the best choice")).to_be_visible()
    assert axe(ben) == []
    assert axe(ada) == []
    refused = ben.evaluate(
        """async path => (await fetch(path, {method: "POST", body: new URLSearchParams({keep: "1"}),
        headers: JSON.parse(document.body.getAttribute("hx-headers"))})).status""",
        late,
    )
    assert refused == 422, "no vote after the reveal"
    teacher.goto(address + "round/")
    expect(teacher.locator(".class-choice").first).to_be_visible()
    assert "Ada" not in teacher.locator("main").inner_text(), "a projector shows no names"
    assert axe(teacher) == []
    teacher.get_by_role("link", name="Show names").click()
    expect(teacher.locator(".class-choice--best")).to_contain_text("Ada, Cleo")

    # -- an assignment is handed in
    teacher.goto(address)
    teacher.get_by_role("link", name="Set positions").click()
    teacher.locator("[name=title]").fill("Two to think about")
    teacher.locator("[name=count]").fill("0")
    teacher.locator("[name=lines]").fill("55526/1\n12345/1")
    teacher.get_by_role("button", name="Set it").click()
    cleo.goto(address)
    cleo.get_by_role("link", name="Two to think about").click()
    for _ in range(2):
        cleo.locator(".choices .btn").first.click()
    expect(cleo.locator("main").get_by_text("handed in").first).to_be_visible()

    # -- everything as files
    teacher.goto(address + "insight/")
    assert axe(teacher) == []
    votes = saved(teacher, "Votes")
    assert re.search(r",Ben,[^\r\n]*,5 5 5 6,3\.\d+,", votes)
    assert re.search(r",Cleo,[^\r\n]*,5 5 5,0\.0,", votes)
    assert "Ada" in saved(teacher, "Games")
    assert "Two to think about" in saved(teacher, "Assignments")
    assert saved(teacher, "Decisions").startswith("game,student,decision")

    # -- a stranger and another teacher find nothing
    stranger, other = open_browser(), open_browser()
    sign_up(other, "mr-other")
    for outsider in (stranger, other):
        for page in ("", "board/", "round/", "round/new/", "insight/", "insight/print/", "insight/votes.csv"):
            reply = outsider.goto(address + page)
            assert reply is not None
            assert reply.status == 404, page
        closed = outsider.evaluate(
            """path => new Promise(done => { const line = new WebSocket(location.origin.replace("http", "ws") + path);
            line.onclose = e => done(e.code); })""",
            "/ws/v1/class/" + address.partition("/classroom/")[2] + "board/",
        )
        assert closed == 4404


def test_a_hint_reaches_one_student_as_a_toast(open_browser: Callable[..., Page]) -> None:
    teacher, ada, ben = open_browser(), open_browser("phone-light"), open_browser()
    sign_up(teacher, "mx-hint")
    address, code = create_class(teacher, "Hints")
    join(ada, code, "Ada")
    join(ben, code, "Ben")
    for page in (ada, ben):
        page.get_by_role("button", name="Play in class").click()
        roll(page)
    member = teacher_finds(teacher, address, "Ada")
    sent = teacher.evaluate(
        """async path => (await fetch(path, {method: "POST", headers: {"HX-Request": "true",
        ...JSON.parse(document.body.getAttribute("hx-headers"))}})).headers.get("HX-Trigger")""",
        f"{address}board/{member}/hint/",
    )
    assert "Hint sent to Ada." in sent
    expect(ada.locator("#class-sheet [data-part=hint]")).to_be_visible()  # and stays until she closes it
    expect(ben.locator("#class-sheet")).to_be_hidden()


def teacher_finds(teacher: Page, address: str, nickname: str) -> str:
    teacher.goto(address + "board/")
    expect(tile(teacher, nickname)).to_have_attribute("data-state", "playing", timeout=SOON)
    return (tile(teacher, nickname).get_attribute("id") or "").removeprefix("tile-")

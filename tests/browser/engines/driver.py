"""A browser as a person uses it: open, click, fill, read, wait. Two ways to drive one: WebDriver BiDi and WebDriver.

Controls are found by the words on them, as a person finds them, and pressed with a real pointer and real keys; how the
page is built may change without a journey noticing.
"""

from __future__ import annotations

import abc
import json
import time
import urllib.error
import urllib.request
from typing import Any

from websockets.sync.client import ClientConnection

PATIENCE = (
    90  # seconds until something that should happen has not happened: a ceiling for a busy machine, never a pause
)
GLANCE = 0.1
#: Firefox's number for a download that was broken off, such as a font of a page that was left before it came.
LEFT_MEANWHILE = "status=2152398850"

#: The visible control with these words as label, text or `aria-label`; what starts with # or [ is a selector.
FIND = """(words) => {
  const shown = e => e.checkVisibility() && e.getBoundingClientRect().width > 0;
  const plain = text => (text || '').replace(/\\s+/g, ' ').trim();
  const controls = 'a[href], button, input, select, textarea, summary, [role=button]';
  if (/^[#[]/.test(words)) return [...document.querySelectorAll(words)].find(shown);
  const names = e => [e.getAttribute('aria-label'), e.innerText, e.value && e.type === 'submit' ? e.value : '',
                      ...[...(e.labels || [])].map(label => label.innerText)].map(plain);
  const usable = e => !e.disabled && [e, ...(e.labels || [])].some(shown);
  const found = [...document.querySelectorAll(controls)].filter(usable);
  return found.find(e => names(e).includes(words)) || found.find(e => names(e).some(name => name.startsWith(words)));
}"""
#: The middle of the control (or of its label, where the control itself is only drawn by its label), scrolled into view.
PLACE = f"""(words) => {{
  const control = ({FIND})(words);
  if (!control) return null;
  const size = e => e.getBoundingClientRect().width * e.getBoundingClientRect().height;
  const target = size(control) < 20 && control.labels && control.labels[0] || control;
  target.scrollIntoView({{ block: 'center', behavior: 'instant' }});
  const box = target.getClientRects()[0];
  const at = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  const hit = document.elementFromPoint(...at);
  return hit && (target.contains(hit) || hit.contains(target)) ? at : null;  // covered: not yet
}}"""
SELECT_ALL = f"(words) => {{ const field = ({FIND})(words); field.focus(); field.select(); return true; }}"


class Driver(abc.ABC):
    """What both protocols can do. A subclass brings the four things that differ."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.errors: list[str] = []  # of scripts, where the protocol reports them

    @abc.abstractmethod
    def visit(self, url: str) -> None:
        """Go to an address and wait until it has loaded."""

    @abc.abstractmethod
    def evaluate(self, function: str, *arguments: Any) -> Any:
        """What a JavaScript function answers in the page, by way of JSON."""

    @abc.abstractmethod
    def perform(self, device: dict[str, Any]) -> None:
        """Move a real pointer or press real keys."""

    @abc.abstractmethod
    def forget(self) -> None:
        """Delete every cookie: from here on a stranger."""

    def open(self, path: str) -> None:
        self.visit(self.base_url + path)

    def click(self, words: str) -> None:
        """Press what says ``words`` once it is there and nothing covers it."""
        x, y = self.wait(PLACE, words)
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.perform({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def fill(self, words: str, text: str) -> None:
        """Type into the field labelled ``words``, in place of what it held."""
        self.wait(PLACE, words)
        self.wait(SELECT_ALL, words)
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.perform({"type": "key", "id": "keyboard", "actions": keys})

    def text(self, selector: str = "body") -> str:
        """What can be read in a part of the page; nothing where there is no such part."""
        shown = "(s) => { const e = document.querySelector(s); return e ? e.innerText : ''; }"
        return str(self.evaluate(shown, selector))

    def wait(self, function: str, *arguments: Any) -> Any:
        """Until a function answers something that counts as true; that answer."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if answer := self.evaluate(function, *arguments):
                return answer
            time.sleep(GLANCE)
        address, text = self.evaluate("() => [location.href, document.body.innerText.slice(0, 2000)]")
        raise AssertionError(f"waited in vain for {arguments} at {address}:\n{text}")

    def wait_for(self, words: str, selector: str = "body") -> None:
        """Until these words can be read."""
        seen = "(s, words) => { const e = document.querySelector(s); return !!e && e.innerText.includes(words); }"
        self.wait(seen, selector, words)

    def wait_for_change(self, selector: str, before: str) -> str:
        """Until a part of the page reads differently; what it reads then."""
        changed = "(s, b) => { const e = document.querySelector(s); return e && e.innerText !== b && e.innerText; }"
        return str(self.wait(changed, selector, before))


def call(function: str, arguments: tuple[Any, ...]) -> str:
    """The source of a call whose answer is JSON text."""
    return f"JSON.stringify(({function})({', '.join(map(json.dumps, arguments))}) ?? null)"


class BiDi(Driver):
    """WebDriver BiDi over a socket: what Firefox speaks of its own accord."""

    def __init__(self, base_url: str, socket: ClientConnection) -> None:
        super().__init__(base_url)
        self.socket, self.number = socket, 0
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.tab: str = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def _note(self, entry: dict[str, Any]) -> None:
        if entry["level"] == "error" and LEFT_MEANWHILE not in entry["text"]:
            self.errors.append(f"{entry['text']} {entry.get('stackTrace')}")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=PATIENCE))
            if message.get("method") == "log.entryAdded":
                self._note(message["params"])
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise BrowserError(message["error"], message["message"])
                result: dict[str, Any] = message["result"]
                return result

    def visit(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def evaluate(self, function: str, *arguments: Any) -> Any:
        source = call(function, arguments)
        try:
            answer = self.send("script.evaluate", expression=source, target={"context": self.tab}, awaitPromise=False)
        except BrowserError as error:
            if error.kind in ("no such frame", "unknown error"):  # between two pages
                return None
            raise
        if answer["type"] == "exception":
            raise BrowserError("javascript error", answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def perform(self, device: dict[str, Any]) -> None:
        self.send("input.performActions", context=self.tab, actions=[device])

    def forget(self) -> None:
        self.send("storage.deleteCookies")


class Classic(Driver):
    """WebDriver over HTTP: what WebKitWebDriver speaks."""

    def __init__(self, base_url: str, address: str, capabilities: dict[str, Any]) -> None:
        super().__init__(base_url)
        self.address = address
        session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{session['sessionId']}"

    def send(self, verb: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=verb)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as refused:
            with refused:
                value = json.load(refused)["value"]
            raise BrowserError(value["error"], value["message"]) from None

    def visit(self, url: str) -> None:
        self.send("POST", f"{self.session}/url", {"url": url})

    def evaluate(self, function: str, *arguments: Any) -> Any:
        script = {"script": f"return {call(function, arguments)}", "args": []}
        return json.loads(self.send("POST", f"{self.session}/execute/sync", script))

    def perform(self, device: dict[str, Any]) -> None:
        self.send("POST", f"{self.session}/actions", {"actions": [device]})

    def forget(self) -> None:
        self.send("DELETE", f"{self.session}/cookie")

    def close(self) -> None:
        self.send("DELETE", self.session)


class BrowserError(Exception):
    """What a browser says instead of an answer."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind

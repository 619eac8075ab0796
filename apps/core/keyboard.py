"""Every keyboard shortcut, in one table.

The ``?`` dialog and the ``/keyboard/`` page print it; ``static/js/site/keys.js`` reads the dialog's rows and obeys
them. A key presses the element marked ``data-key="<action>"``, so a page adds a shortcut by marking a button it already
has. A ``*`` in an action stands for the digit pressed. A row without an action describes what the browser does by
itself.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shortcut:
    keys: tuple[str, ...]  # ``KeyboardEvent.key``; the blank is "Space", a digit with Shift "Shift+1"
    action: str
    label: str
    caps: tuple[str, ...] = ()  # what is printed on the key caps, where that differs from the keys

    @property
    def shown(self) -> tuple[str, ...]:
        return self.caps or tuple(key.upper() if len(key) == 1 else key for key in self.keys)


@dataclass(frozen=True)
class Scope:
    """A group of shortcuts that hold on the pages that name it in ``data-scopes``."""

    slug: str
    name: str
    shortcuts: tuple[Shortcut, ...]


EVERYWHERE = "everywhere"
SCOPES = (
    Scope(EVERYWHERE, "Everywhere", (
        Shortcut(("?",), "keyboard", "Show this list"),
        Shortcut((",",), "settings", "Settings"),
        Shortcut(("t",), "theme", "Light, dark, system"),
        Shortcut(("/",), "search", "Search"),
        Shortcut(("f",), "first-field", "Go to the first field"),
        Shortcut(("Escape",), "", "Close what is open", ("Esc",)),
    )),
    Scope("calculator", "Calculators", (
        Shortcut(("c",), "copy-link", "Copy the link"),
        Shortcut(("b",), "compare", "Compare with a second situation"),
        Shortcut(("p",), "print", "Print"),
        Shortcut(("x",), "csv", "Download the table"),
        Shortcut(("m",), "method", "How this is computed"),
        Shortcut(("o",), "odds-format", "Percent, fraction, 1 in N"),
        Shortcut(("r",), "random", "Draw random values, where the page offers it"),
        Shortcut(("+", "-"), "", "In a number: one more, one less", ("+", "−")),
    )),
    Scope("dicee", "Dicee", (  # RFC-002 §7.3
        Shortcut(("Space",), "roll", "Roll the dice"),
        Shortcut(tuple("12345"), "die-*", "Hold or release that die", ("1–5",)),
        Shortcut(tuple(f"Shift+{n}" for n in "12345"), "only-*", "Hold only that die", ("⇧", "1–5")),
        Shortcut(("a",), "hold-all", "Hold all dice"),
        Shortcut(("r",), "release-all", "Release all dice"),
        Shortcut(("g",), "hold-best", "Hold what the coach would"),
        Shortcut(("Enter",), "", "Score the box in focus"),
        Shortcut(("s",), "stats", "Statistics on or off"),
        Shortcut(("h",), "hud", "Show or hide the analysis"),
        Shortcut(("e",), "ev-chart", "Compare expected values"),
        Shortcut(("u",), "undo", "Take back"),
    )),
    Scope("review", "Review", (
        Shortcut(("ArrowRight", "j"), "next", "Next decision", ("→", "J")),
        Shortcut(("ArrowLeft", "k"), "previous", "Previous decision", ("←", "K")),
    )),
    Scope("practice", "Practice", (
        Shortcut(tuple("1234"), "choice-*", "Give that answer", ("1–4",)),
        Shortcut(("n", "ArrowRight"), "next", "Next question", ("N", "→")),
    )),
    Scope("battletech", "BattleTech", (
        Shortcut(("[",), "heat-down", "One heat less"),
        Shortcut(("]",), "heat-up", "One heat more"),
        Shortcut(("Space",), "roll", "Roll the phase"),
        Shortcut(("u",), "undo", "Take back"),
        Shortcut(("y",), "redo", "Do again what was taken back"),
    )),
    Scope("lesson", "Lessons", (
        Shortcut(("j",), "next-step", "Next step"),
        Shortcut(("k",), "previous-step", "Previous step"),
    )),
    Scope("classroom", "Classroom", (
        Shortcut(("n",), "next", "Next question"),
        Shortcut(("v",), "reveal", "Show the answer"),
    )),
)  # fmt: skip

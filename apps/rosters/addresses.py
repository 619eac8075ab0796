"""Two lists set against each other, as an address."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

#: The side against each.
OTHER = {"a": "b", "b": "a"}


class Address(NamedTuple):
    """``route`` is the name of the page, ``usual`` the measure shown where the address names none."""

    route: str
    usual: str
    a: str
    b: str
    phase: str = "shoot"
    show: str = ""
    on: tuple[str, ...] = ()

    def query(self, **changes: Any) -> str:
        new = self._replace(**changes)
        pairs: list[tuple[str, str]] = [("a", new.a), ("b", new.b)]
        pairs += [("phase", new.phase)] if new.phase != "shoot" else []
        pairs += [("show", new.show)] if new.show not in ("", new.usual) else []
        return urlencode([*pairs, *(("on", word) for word in new.on)])

    def link(self, **changes: Any) -> str:
        return f"{reverse(self.route)}?{self.query(**changes)}"

    @property
    def swapped(self) -> str:
        """The same with the lists changing sides."""
        on = tuple(OTHER[word[0]] + word[1:] for word in self.on)
        return self.link(a=self.b, b=self.a, on=on)

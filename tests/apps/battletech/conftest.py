"""A reader of the record sheet."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode

import pytest
from django.http import HttpResponse
from django.test import Client

PAGE = "/battletech/"
HTMX = {"HX-Request": "true"}


class Reader:
    """Follows links and reads what is printed."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.link = PAGE

    def open(self, link: str = PAGE, **query: object) -> str:
        """Open an address, follow where a button leads, remember where one ends up."""
        return self._read(self.client.get(link, query or None, follow=True), link, query)

    def roll(self, **query: object) -> str:
        """Roll the phase on the sheet one is on, or on the one these fields say."""
        fields = dict(parse_qsl(self.link.partition("?")[2])) | query
        return self._read(self.client.post(f"{PAGE}roll/", fields, follow=True), PAGE, fields)

    def _read(self, response: HttpResponse, link: str, query: dict[str, object]) -> str:
        assert response.status_code in (200, 422), response.status_code
        self.status = response.status_code
        self.link = (
            response.redirect_chain[-1][0]
            if response.redirect_chain
            else f"{link}?{urlencode(query)}"
            if query
            else link
        )
        self.html = response.content.decode()
        return self.text

    def do(self, action: str, **query: object) -> str:
        """Press a button of the sheet one is on."""
        joint = "&" if "?" in self.link else "?"
        return self.open(f"{self.link}{joint}{urlencode({'do': action, **query})}")

    @property
    def text(self) -> str:
        """The page as read aloud: no tags, single blanks."""
        plain = re.sub(r"<(script|style)[^>]*>.*?</\1>", " ", self.html, flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).replace("\xa0", " ").split())

    def href(self, element: str) -> str:
        """Where the link with this id leads."""
        (tag,) = re.findall(rf'<a [^>]*id="{element}"[^>]*>', self.html)
        return html.unescape(re.search(r'href="([^"]*)"', tag)[1])


@pytest.fixture
def reader(client: Client) -> Reader:
    return Reader(client)


@pytest.fixture
def open_fresh() -> Callable[[], Reader]:
    """Somebody else's browser."""
    return lambda: Reader(Client())

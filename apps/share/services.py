"""Short links: content-addressed, immutable, and only ever to a page of ours."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.urls import Resolver404, resolve

from apps.share.models import Snapshot

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # base58: no 0/O, no I/l
KEY_LENGTH = 10  # 58 bits: a first collision is expected after some half a billion links
PATH_LIMIT = 4000
#: Rooms whose pages belong to one person or to staff: a link to them would mean nothing to anybody else.
PRIVATE_ROOMS = {"accounts", "admin", "jobs", "share"}


class NotShareableError(ValueError):
    """The address is not a page of ours that can be shared."""


def shorten(tool: str, path_with_query: str, title: str = "", description: str = "") -> Snapshot:
    """The snapshot of these inputs; the same one however often it is asked for."""
    content = _content(tool, path_with_query, title, description)
    digest = hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode())
    address = base58(digest.digest())
    for length in range(KEY_LENGTH, len(address) + 1):
        snapshot, _ = Snapshot.objects.get_or_create(
            key=address[:length], defaults={**content, "digest": digest.hexdigest()}
        )
        if snapshot.digest == digest.hexdigest():
            return snapshot
    raise AssertionError("two contents with one SHA-256")


def tool_of(path_with_query: str) -> str:
    """The URL name of the page an address leads to. Anything that is not a shareable page of ours is refused."""
    parts = urlsplit(path_with_query)
    if (
        len(path_with_query) > PATH_LIMIT
        or parts.scheme
        or parts.netloc
        or not path_with_query.startswith("/")
        # Browsers read a backslash as a slash and skip control characters: "/\example.org" would leave the site.
        or any(character < " " or character in "\\\x7f" for character in path_with_query)
    ):
        raise NotShareableError("Only a page of this site can be shared.")
    try:
        match = resolve(parts.path)
    except Resolver404:
        raise NotShareableError("There is no such page.") from None
    if not match.app_names or match.app_names[0] in PRIVATE_ROOMS or parts.path.startswith("/api/"):
        raise NotShareableError("This page is not made for sharing.")
    return match.view_name


def base58(data: bytes) -> str:
    """Big-endian base 58, as Bitcoin spells it.

    >>> base58(b"Hello World!")
    '2NEpo7TZRRrLZSi2U'
    """
    number, text = int.from_bytes(data), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def _content(tool: str, path_with_query: str, title: str, description: str) -> dict[str, Any]:
    """What the key stands for. The words of the preview count too: nobody else can put theirs under your link."""
    tool_of(path_with_query)
    parts = urlsplit(path_with_query)
    # Sorted by name only: the order of repeated fields is part of the input.
    query = sorted(parse_qsl(parts.query, keep_blank_values=True), key=lambda pair: pair[0])
    if any("\0" in name + value for name, value in query):
        raise NotShareableError("The address holds a character that no field takes.")  # nor does PostgreSQL
    version = dict(query).get("v", "")
    return {
        "tool": tool,
        "version": int(version) if version.isdecimal() and len(version) <= 4 else 1,
        "document": {"path": parts.path, "query": [list(pair) for pair in query]},
        "title": _clip(title, 120),
        "description": _clip(description, 300),
    }


def _clip(text: str, length: int) -> str:
    text = " ".join(text.replace("\0", "").split())
    return text if len(text) <= length else text[: length - 1] + "…"

"""Lists as documents that never change: the key of one is a hash of its content, so a link to it always says the same.

A game brings its models (:class:`KeptList`, :class:`SavedList`); changing a list makes another one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import models
from django.http import QueryDict
from django.utils import timezone

from apps.rosters import files

Document = dict[str, Any]
KEY_LETTERS = 16
LONGEST_LINK = 4000
#: What a player keeps: one list, or two set against each other.
ONE, TWO = "army", "duel"


class KeptList(models.Model):
    """A list of a game. It never changes: its key is derived from its content, so it can be linked."""

    key = models.CharField(primary_key=True, max_length=KEY_LETTERS, editable=False)
    document = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True


class SavedList(models.Model):
    """A list or a pair of lists under a player's own name; ``values`` holds the address."""

    KINDS = [(ONE, "Army"), (TWO, "Two armies")]

    kind = models.CharField(max_length=6, choices=KINDS)
    name = models.CharField(max_length=60)
    values = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True
        ordering = ["kind", "name"]

    def __str__(self) -> str:
        return f"{self.name} ({self.kind})"


Kept = TypeVar("Kept", bound=KeptList)


def keep(model: type[Kept], document: Document) -> Kept:
    """The list of this content; the same one however often it is kept."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    key = hashlib.sha256(text.encode()).hexdigest()[:KEY_LETTERS]
    return model._default_manager.get_or_create(key=key, defaults={"document": document})[0]


def find(model: type[Kept], key: str) -> Kept | None:
    return model._default_manager.filter(key=key).first() if key else None


def checked_link(kind: str, values: Mapping[str, Any], exists: Callable[[str], bool], gone: str) -> dict[str, Any]:
    """What a player keeps under a name: an address whose lists exist, or a form error that says they are gone."""
    query = QueryDict(str(values.get("query", ""))[:LONGEST_LINK])
    wanted = [query.get("a", "")] if kind == ONE else [query.get("a", ""), query.get("b", "")]
    if not all(exists(key) for key in wanted):
        raise ValidationError(gone)
    return {"query": query.urlencode()}


def sent(upload: UploadedFile[bytes] | None, text: str) -> bytes | str:
    """What a form sent: the file, if there is one, else the pasted text. Raises ``RosterError`` for a huge file."""
    if upload is None:
        return text
    if (upload.size or 0) > files.MOST_BYTES:
        raise files.too_large(upload.size or 0)
    return bytes(upload.read())

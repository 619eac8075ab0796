"""Bytes into documents, with nothing trusted: sizes, depths and counts are capped before anything is built.

XML is read with Python's own expat and no tree builder: a document type declaration is refused where it begins, so no
entity is ever declared, let alone expanded; elements outside the allow-list are passed over; depth and number of
elements are counted while reading. That leaves nothing for a hardening library to add, and none is needed.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import zipfile
import zlib
from typing import Any
from urllib.parse import unquote
from xml.parsers import expat

from apps.rosters.roster import RosterError

MEGABYTE = 1_000_000
MOST_BYTES = 4 * MEGABYTE
MOST_UNPACKED = 8 * MEGABYTE
MOST_ELEMENTS = 200_000
DEEPEST_XML = 120
NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"

#: Elements that hold a list of others.
LISTS = frozenset(("costs", "forces", "selections", "profiles", "characteristics", "categories", "rules"))
#: Elements that are read; everything else is passed over with all it holds.
KEPT = frozenset(("roster", "cost", "force", "selection", "profile", "characteristic", "category", "rule"))


def too_large(size: int, most: int = MOST_BYTES) -> RosterError:
    return RosterError(
        f"A roster may have {most // MEGABYTE} MB; this file has {size / MEGABYTE:.1f} MB: send one roster only."
    )


def unzipped(data: bytes) -> bytes:
    """The one ``.ros`` in a ``.rosz``, never unpacked further than the limit."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) != 1:
                raise RosterError(
                    f"A .rosz file holds exactly one roster; this one holds {len(members)} files: send the .ros itself."
                )
            if members[0].file_size > MOST_UNPACKED:
                raise too_large(members[0].file_size, MOST_UNPACKED)
            if members[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise NotImplementedError
            with archive.open(members[0]) as member:
                unpacked = member.read(MOST_UNPACKED + 1)
    except RosterError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError, KeyError):
        raise RosterError("This .rosz file is damaged or locked; export it again, or send the .ros itself.") from None
    if len(unpacked) > MOST_UNPACKED:
        raise too_large(len(unpacked), MOST_UNPACKED)
    return unpacked


def unpacked_link(text: str) -> str | None:
    """The JSON in a ListForge share link: base64 of gzip behind the #; None if the text is no such link."""
    link, _, fragment = text.strip().partition("#")
    if not link.startswith(("https://", "http://")) or len(link) > 200 or len(fragment) < 40 or " " in fragment:
        return None
    try:
        code = unquote(fragment).rstrip("=").rpartition("=")[2].replace("-", "+").replace("_", "/")
        packed = base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
        unpacker = zlib.decompressobj(47)
        unpacked = unpacker.decompress(packed, MOST_UNPACKED + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise RosterError("This share link is cut short or damaged; copy it again, or send the JSON file.") from None
    if len(unpacked) > MOST_UNPACKED:
        raise too_large(len(unpacked), MOST_UNPACKED)
    return unpacked.decode("utf-8", errors="replace")


def from_json(text: str) -> dict[str, Any]:
    """A JSON object."""
    try:
        document = json.loads(text)
    except RecursionError:
        raise RosterError("This JSON is nested too deeply for a roster; export it again.") from None
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise RosterError(f"This is not whole JSON{where}; send the file as it was exported.") from None
    if not isinstance(document, dict):
        raise RosterError("A roster in JSON is an object in braces; this file is a list or a value: send the export.")
    return document


def from_xml(data: bytes) -> dict[str, Any]:
    """A BattleScribe roster as the dictionaries New Recruit writes in JSON."""
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = builder.doctype
    parser.EntityDeclHandler = builder.doctype
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    try:
        parser.Parse(data, True)
    except RosterError:
        raise
    except (expat.ExpatError, ValueError, LookupError):
        raise RosterError("This is not whole XML; send the .ros or .rosz file as it was exported.") from None
    if builder.root is None:
        raise RosterError("This XML is no BattleScribe roster; send the .ros or .rosz file, not a catalogue.")
    return builder.root


class _Builder:
    """Keeps the elements of the allow-list, as dictionaries and lists."""

    def __init__(self) -> None:
        self.root: dict[str, Any] | None = None
        self.open: list[dict[str, Any] | list[Any] | None] = []
        self.elements = 0

    def doctype(self, *_: object) -> None:
        raise RosterError("A roster declares no document type or entities; this XML does: export the roster again.")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if len(self.open) >= DEEPEST_XML or self.elements > MOST_ELEMENTS:
            limit = f"{DEEPEST_XML} levels and {MOST_ELEMENTS:,} elements"
            raise RosterError(f"A roster may have {limit}; this XML has more: send one roster only.")
        if not self.open:
            self.begin(tag, attributes)
            return
        parent = self.open[-1]
        if isinstance(parent, dict) and tag in LISTS:
            self.open.append(parent.setdefault(tag, []))
        elif isinstance(parent, list) and tag in KEPT:
            node: dict[str, Any] = dict(attributes)
            parent.append(node)
            self.open.append(node)
        else:
            self.open.append(None)

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "roster" or attributes.get("xmlns") != NAMESPACE:
            raise RosterError("This XML is no BattleScribe roster; send the .ros or .rosz file, not a catalogue.")
        self.root = dict(attributes)
        self.open.append(self.root)

    def end(self, _: str) -> None:
        self.open.pop()

    def text(self, data: str) -> None:
        node = self.open[-1] if self.open else None
        if isinstance(node, dict) and "typeId" in node:
            node["$text"] = (node.get("$text", "") + data)[:400]

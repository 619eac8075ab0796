"""The way in: a pasted text or a file, its form recognised, one roster or one sentence out."""

from __future__ import annotations

from apps.rosters import files
from apps.rosters.ktdash import is_ktdash, read_ktdash
from apps.rosters.roster import Roster, RosterError
from apps.rosters.texts import read_text
from apps.rosters.trees import read_tree

#: What can be read, for people.
FORMS = (
    "text of the official app, ListForge or New Recruit",
    "New Recruit or ListForge JSON",
    "BattleScribe .ros or .rosz",
    "ktdash JSON",
)


def read(source: bytes | str) -> Roster:
    """A roster from a file's bytes or a pasted text.

    >>> text = ["Demo (80 Points)", "Orks", "BATTLELINE", "Boyz (80 Points)", "• 9x Boy", "  ◦ 9x Choppa"]
    >>> read("\\n".join(text)).units[0].models
    9
    """
    data = source.encode("utf-8", errors="replace") if isinstance(source, str) else source
    if len(data) > files.MOST_BYTES:
        raise files.too_large(len(data))
    if data.startswith(b"PK"):
        data = files.unzipped(data)
        return read_tree(files.from_xml(data), "battlescribe-ros")
    text = _decoded(data)
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start == "<":
        return read_tree(files.from_xml(data), "battlescribe-ros")
    if start in ("{", "["):
        return _from_json(text)
    linked = files.unpacked_link(text)
    if linked is not None:
        return _from_json(linked)
    return read_text(text)


def _decoded(data: bytes) -> str:
    if not data.strip():
        raise RosterError(f"There is nothing to read; paste or send {', '.join(FORMS[:-1])} or {FORMS[-1]}.")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = ""
    if not text or "\0" in text:
        raise RosterError(f"This is neither text nor a roster file; send {', '.join(FORMS[:-1])} or {FORMS[-1]}.")
    return text


def _from_json(text: str) -> Roster:
    document = files.from_json(text)
    try:
        if is_ktdash(document):
            return read_ktdash(document)
        roster = document.get("roster")
        if not isinstance(roster, dict):
            raise RosterError("This JSON is no roster; send the JSON export of New Recruit, ListForge or ktdash.")
        maker = str(document.get("generatedBy") or roster.get("generatedBy") or "").casefold()
        form = "listforge-json" if "list forge" in maker or "listforge" in maker else "newrecruit-json"
        envelope = {name: document[name] for name in ("name", "gameSystemId", "gameSystemName") if document.get(name)}
        return read_tree({**envelope, **{name: value for name, value in roster.items() if value}}, form)
    except RecursionError:
        raise RosterError("This JSON is nested too deeply for a roster; export it again.") from None

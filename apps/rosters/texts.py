"""Army lists as text: the publisher's app, its framed form, ListForge, and New Recruit's simple and WTC forms.

Each form is a reader that goes over the numbered lines once and notes what it took every line for. The forms share the
bullets: ``Nx`` with deeper bullets below is models, without is wargear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from apps.catalogues.names import clean, fold
from apps.rosters.factions import BATTLE_SIZES, is_faction, last_part
from apps.rosters.roster import Item, Line, Models, Roster, RosterError, Unit, checked, count, total, whole

MOST_LETTERS = 100_000  # twenty times the longest list seen
MOST_LINES = 2000
LONGEST_LINE = 1500

_POINT_WORD = r"(?:points?|pts?|pkte?|punkte?|puntos?|punti|pontos?|punkt[yóaów]*|очк\w*|ポイント|点数?|分)\.?"
_NUMBER = r"\d[\d.,\s]*"
# Every pattern below is anchored and meets lines whose runs of blanks are single blanks, so none of them can be made
# to try more than (length of the line)² ways.
POINTS = re.compile(rf"^(?P<name>.+?)\s*\(\s*(?P<points>{_NUMBER})\s*{_POINT_WORD}\s*\)\s*$", re.I)
PRICED = re.compile(rf"^(?P<name>.+?)\s*\(\s*\+\s*(?P<points>{_NUMBER})\s*{_POINT_WORD}\s*\)\s*$", re.I)
BRACKETED = re.compile(
    rf"^(?P<name>.+?)\s*\[\s*(?P<points>{_NUMBER})\s*{_POINT_WORD}\s*\]\s*(?::\s*(?P<items>.*))?$", re.I
)
BULLET = re.compile(r"^(?P<indent>\s*)(?P<glyph>[•◦▪▫‣●○∙·*–-])\s+(?P<text>\S.*)$")
COUNTED = re.compile(r"^(?P<count>\d{1,4})\s*[x×]\s+(?P<name>\S.*)$", re.I)
FRAME = re.compile(r"^\+{4,}\s*$")
FIELD = re.compile(r"^\+\s*(?P<name>[A-Z][A-Z ]+?)\s*:\s*(?P<value>.*)$")
ENHANCEMENT = re.compile(r"^(?:enhancements?|e)\s*:\s*(?P<name>\S.*)$", re.I)
WTC_UNIT = re.compile(
    rf"^(?:(?P<who>char\d*)\s*:\s*)?(?P<count>\d{{1,4}})\s*[x×]\s+(?P<name>\S.*?)\s*"
    rf"\(\s*(?P<points>{_NUMBER})\s*{_POINT_WORD}\s*\)\s*(?::\s*(?P<items>.*))?$",
    re.I,
)
WITH = re.compile(r"^(?P<count>\d{1,4})\s+with\s+(?P<items>\S.*)$", re.I)
ATTACHED = re.compile(r"^attached units?(?:\(s\))?\s*(?P<number>\d*)\s*:?$", re.I)
FOOTER = re.compile(r"\bv\d+[.\d]*\b|list ?forge|new ?recruit|exported|created with", re.I)


@dataclass(slots=True)
class Reader:
    """The lines of a text and what has been made of them so far."""

    texts: list[str]
    roster: Roster
    meanings: dict[int, str] = field(default_factory=dict)
    section: str = ""

    def note(self, at: int, meaning: str) -> None:
        self.meanings[at] = meaning

    @property
    def lines(self) -> Iterator[tuple[int, str]]:
        """Lines that hold something, each with its place."""
        return ((at, text) for at, text in enumerate(self.texts) if text.strip())

    def unit(self, at: int, name: str, points: str | None, models: int = 1) -> Unit:
        unit = Unit(_name(name), models, [Models(_name(name), models)], None if points is None else _points(points))
        unit.attached = self.section if self.section.startswith("Attached") else ""
        self.roster.units.append(unit)
        self.note(at, "unit")
        return unit

    def done(self) -> Roster:
        self.roster.lines = [
            Line(at + 1, clean(text), self.meanings.get(at, "")) for at, text in self.lines if clean(text)
        ]
        return checked(self.roster)


def read_text(text: str) -> Roster:
    """A pasted list, whatever its form."""
    if len(text) > MOST_LETTERS:
        limit = f"{MOST_LETTERS:,} letters; this one has {len(text):,}"
        raise RosterError(f"A pasted list may have {limit}: paste one army only, or send its JSON or .rosz file.")
    texts = text.replace("\ufeff", "").splitlines()
    if len(texts) > MOST_LINES:
        raise RosterError(f"A pasted list may have {MOST_LINES} lines; this one has {len(texts)}: paste one army only.")
    texts = [_single_blanks(line[:LONGEST_LINE]) for line in texts]
    form = _form([line for line in texts if line.strip()])
    if form is None:
        raise RosterError(
            "This text is no army list that can be read: paste the whole export of the official app, ListForge or "
            "New Recruit, or send its JSON or .rosz file."
        )
    name, read = form
    reader = Reader(texts, Roster(name, "w40k"))
    read(reader)
    return reader.done()


def _single_blanks(line: str) -> str:
    """The line with its indentation, but single blanks within."""
    body = line.lstrip()
    indent = line[: len(line) - len(body)].expandtabs(4)
    return indent + " ".join(body.split())


def _form(texts: list[str]) -> tuple[str, Callable[[Reader], None]] | None:
    """Which form it is, by the marks only that form has."""
    counted = sum(1 for line in texts if WTC_UNIT.match(line))
    if counted and counted >= sum(1 for line in texts if POINTS.match(line) and not WTC_UNIT.match(line)):
        full = any(WITH.match(line) for line in texts)
        return (f"newrecruit-wtc-{'full' if full else 'compact'}", _read_wtc)
    if any(FIELD.match(line) for line in texts) and any(POINTS.match(line) for line in texts):
        return ("framed-text", _read_framed)
    if any(BRACKETED.match(line) and not _heading(line) for line in texts[1:]):
        return ("newrecruit-simple", _read_simple)
    if not any(POINTS.match(line) for line in texts):
        return None
    first = POINTS.match(texts[0])
    if first and " - " in first["name"] and any(_is_colon_heading(line) for line in texts[1:]):
        return ("listforge-text", _read_listforge)
    return ("gw-app-text", _read_app)


# -- Bullets: the app, the framed form, ListForge -------------------------------------------------------------------


@dataclass(slots=True)
class Bullet:
    at: int
    depth: tuple[int, int]
    text: str
    below: list[Bullet] = field(default_factory=list)


def _bullet(at: int, text: str) -> Bullet | None:
    found = BULLET.match(text)
    if not found:
        return None
    deeper = found["glyph"] in "◦▫○‣"
    return Bullet(at, (int(deeper), len(found["indent"].expandtabs(4))), found["text"].strip())


def _nest(bullets: list[Bullet]) -> list[Bullet]:
    """Bullets below the bullet they stand under; how deep is said by the mark first, then by the indentation."""
    top: list[Bullet] = []
    open_ones: list[Bullet] = []
    for bullet in bullets:
        while open_ones and open_ones[-1].depth >= bullet.depth:
            open_ones.pop()
        (open_ones[-1].below if open_ones else top).append(bullet)
        open_ones.append(bullet)
    return top


def _fill(reader: Reader, unit: Unit, bullets: list[Bullet]) -> None:
    """Give a unit what its bullets list."""
    models: list[Models] = []
    for bullet in _nest(bullets):
        if bullet.below:
            number, name = _counted(bullet.text)
            models.append(Models(name, number))
            reader.note(bullet.at, "models")
            for item in _flat(bullet.below):
                _take(reader, unit, item.at, item.text, name)
        else:
            _take(reader, unit, bullet.at, bullet.text)
    if models:
        unit.kinds, unit.models = models, total(models)


def _flat(bullets: list[Bullet]) -> Iterator[Bullet]:
    for bullet in bullets:
        yield bullet
        yield from _flat(bullet.below)


def _take(reader: Reader, unit: Unit, at: int, text: str, bearer: str = "") -> None:
    """One bullet without bullets below: a mark of honour, an enhancement, or something carried."""
    priced = PRICED.match(text)
    named = ENHANCEMENT.match(text)
    if fold(text) == "warlord":
        unit.warlord = True
        reader.note(at, "warlord")
    elif (named or priced) and not unit.enhancement:
        name = named["name"] if named else priced["name"] if priced else text
        again = PRICED.match(name) or POINTS.match(name)
        unit.enhancement = _name(again["name"] if again else name)
        reader.note(at, "enhancement")
    else:
        number, name = _counted(priced["name"] if priced else text)
        unit.items.append(Item(name, number, bearer=bearer))
        reader.note(at, "wargear")


def _units_with_bullets(reader: Reader, start: int, is_section: Callable[[str], bool]) -> None:
    """Sections, unit lines with their points, bullets below them; from line ``start`` on."""
    unit: Unit | None = None
    bullets: list[Bullet] = []

    def finish() -> None:
        if unit is not None:
            _fill(reader, unit, bullets)
        bullets.clear()

    for at, text in reader.lines:
        if at < start:
            continue
        bullet = _bullet(at, text)
        priced = POINTS.match(text.strip())
        if bullet is not None:
            if unit is not None:
                bullets.append(bullet)
        elif priced:
            finish()
            unit = reader.unit(at, _counted(priced["name"])[1], priced["points"])
        elif is_section(text.strip()):
            finish()
            unit, reader.section = None, _section(text)
            reader.note(at, "section")
        elif FOOTER.search(text):
            reader.note(at, "export note")
    finish()


def _section(text: str) -> str:
    attached = ATTACHED.match(text.strip())
    return f"Attached {attached['number'] or '1'}" if attached else clean(text)


def _read_app(reader: Reader) -> None:
    """The publisher's app: a header of names in any order, then sections in capitals."""
    roster = reader.roster
    start = len(reader.texts)
    names: list[tuple[int, str]] = []
    lines = list(reader.lines)
    for place, (at, text) in enumerate(lines):
        line = text.strip()
        priced = POINTS.match(line)
        following = lines[place + 1][1] if place + 1 < len(lines) else ""
        if priced and place == 0 and not _bullet(at + 1, following):
            roster.name, roster.points = _name(priced["name"]), _points(priced["points"])
            reader.note(at, "name and points")
        elif priced and fold(priced["name"]) in BATTLE_SIZES:
            reader.note(at, "battle size")
        elif priced or _is_capital_heading(line):
            start = at
            break
        else:
            names.append((at, line))
    _header_names(reader, names)
    _units_with_bullets(reader, start, _is_capital_heading)
    if roster.points is None:
        roster.points = sum(unit.points or 0 for unit in roster.units)


def _header_names(reader: Reader, names: list[tuple[int, str]]) -> None:
    """Faction and detachment: known armies first, whatever order they stand in."""
    roster = reader.roster
    armies = [at for at, line in names if is_faction(line)] or [at for at, _ in names[:1]]
    for at, line in names:
        if at in armies:
            roster.faction = roster.faction or clean(last_part(clean(line)))
            reader.note(at, "faction")
        elif not roster.detachment:
            roster.detachment = _name(line)
            reader.note(at, "detachment")


def _is_capital_heading(line: str) -> bool:
    if ATTACHED.match(line):
        return True
    return line.isupper() and not POINTS.match(line) and not FRAME.match(line) and len(line) < 60


def _is_colon_heading(line: str) -> bool:
    stripped = line.strip()
    return stripped.endswith(":") and not BULLET.match(line) and not stripped.startswith("+") and len(stripped) < 60


def _read_listforge(reader: Reader) -> None:
    """ListForge: ``name - faction - detachment (N Points)``, then sections that end with a colon."""
    roster = reader.roster
    at, text = next(reader.lines)
    found = POINTS.match(text.strip())
    if found is None:
        raise RosterError("The first line of a ListForge text must end with its points; paste the whole text.")
    parts = [clean(part) for part in found["name"].split(" - ")]
    known = [place for place, part in enumerate(parts) if is_faction(part)]
    place = known[-1] if known else max(len(parts) - 2, 0)
    roster.faction = parts[place]
    roster.name = " - ".join(parts[:place])
    roster.detachment = " - ".join(parts[place + 1 :])
    roster.points = _points(found["points"])
    reader.note(at, "name, faction, detachment and points")
    _units_with_bullets(reader, at + 1, lambda line: _is_colon_heading(line) or bool(ATTACHED.match(line)))


# -- The frame of plus signs ----------------------------------------------------------------------------------------


def _read_frame(reader: Reader) -> tuple[int, str, list[tuple[str, str]]]:
    """Header fields between the lines of plus signs. Returns where it ends, the warlord and (enhancement, bearer)."""
    roster = reader.roster
    end, warlord = 0, ""
    enhancements: list[tuple[str, str]] = []
    last = ""
    for at, text in reader.lines:
        line = text.strip()
        if not line.startswith(("+", "&")):
            break
        end = at + 1
        reader.note(at, "frame")
        found = FIELD.match(line)
        last = fold(found["name"]) if found else last
        value = clean(found["value"] if found else line.lstrip("+& "))
        if not value:
            continue
        reader.note(at, last or "frame")
        if last == "faction keyword":
            roster.faction = clean(last_part(value))
        elif last.startswith("detachment"):
            roster.detachment = roster.detachment or value
        elif last == "list name":
            roster.name = value
        elif last == "total army points":
            roster.points = _points(re.sub(r"[^\d.,].*$", "", value))
        elif last == "warlord":
            warlord = warlord or _bearer(value)
        elif last.startswith("enhancement"):
            enhancements.extend(_enhancements(value))
    return end, warlord, enhancements


def _enhancements(value: str) -> Iterator[tuple[str, str]]:
    """(enhancement, bearer) of "Demo Blade (on Char1: Lord Exultant) & …"."""
    for part in re.split(r"\s*&\s+(?=[^()]*\(on )", value):
        found = re.match(r"^(?P<name>.+?)\s*\(on (?P<bearer>.+)\)\s*$", part, re.I)
        if found:
            yield clean(found["name"]), _bearer(found["bearer"])


def _bearer(value: str) -> str:
    """The unit behind "Char1: Lord Exultant"; the number stays, to tell two of a name apart."""
    return clean(value)


def _honours(reader: Reader, warlord: str, enhancements: list[tuple[str, str]], numbered: dict[str, Unit]) -> None:
    """Give warlord and enhancements named only in the frame to their bearers."""

    def find(bearer: str) -> Unit | None:
        who, colon, name = bearer.partition(":")
        if colon and fold(who) in numbered:
            return numbered[fold(who)]
        wanted = fold(name if colon else bearer)
        return next((unit for unit in reader.roster.units if fold(unit.name) == wanted), None)

    if warlord and not any(unit.warlord for unit in reader.roster.units) and (unit := find(warlord)):
        unit.warlord = True
    for enhancement, bearer in enhancements:
        if any(fold(unit.enhancement) == fold(enhancement) for unit in reader.roster.units):
            continue
        if bearer_unit := find(bearer):
            bearer_unit.enhancement = bearer_unit.enhancement or enhancement


def _read_framed(reader: Reader) -> None:
    """The framed form: header fields, then the app's units with all bullets alike."""
    start, warlord, enhancements = _read_frame(reader)
    _units_with_bullets(reader, start, _is_capital_heading)
    _honours(reader, warlord, enhancements, {})


def _read_wtc(reader: Reader) -> None:
    """New Recruit's WTC forms. Compact: a unit and its wargear on one line. Full: ``N with …`` below the unit."""
    start, warlord, enhancements = _read_frame(reader)
    numbered: dict[str, Unit] = {}
    unit: Unit | None = None
    bearer = ""
    full = reader.roster.format.endswith("full")
    for at, text in reader.lines:
        if at < start:
            continue
        line = text.strip()
        bullet = _bullet(at, text)
        found = WTC_UNIT.match(line)
        if found:
            bearer = ""
            unit = reader.unit(at, found["name"], found["points"], count(found["count"]))
            if not full:
                unit.kinds = None
            if found["who"]:
                numbered[fold(found["who"])] = unit
            _listed(reader, unit, found["items"] or "")
        elif unit is not None and bullet is not None:
            bearer = _wtc_models(reader, unit, bullet)
        elif unit is not None and (several := WITH.match(line)):
            _listed(reader, unit, several["items"], count(several["count"]), bearer)
            reader.note(at, "wargear")
        elif unit is not None and ENHANCEMENT.match(line):
            _take(reader, unit, at, line)
        elif _is_capital_heading(line) or _is_colon_heading(line):
            unit, reader.section = None, _section(line)
            reader.note(at, "section")
        elif FOOTER.search(line):
            reader.note(at, "export note")
    _honours(reader, warlord, enhancements, numbered)


def _wtc_models(reader: Reader, unit: Unit, bullet: Bullet) -> str:
    """A row ``• Nx Model`` with what it carries behind a colon, or below."""
    name, _, items = bullet.text.partition(":")
    number, name = _counted(name)
    if unit.kinds is None or [kind.name for kind in unit.kinds] == [unit.name]:
        unit.kinds = []
    unit.kinds.append(Models(name, number))
    reader.note(bullet.at, "models")
    _listed(reader, unit, items, number, name)
    return name


def _listed(reader: Reader, unit: Unit, items: str, each: int = 1, bearer: str = "") -> None:
    """Wargear in a row, by commas. Without a number there are as many as bearers; with one it is the total.

    "4 with Bolt pistol, 8x grenade" gives 4 pistols and 8 grenades.
    """
    for part in _by_commas(items):
        several = WITH.match(part)
        priced = BRACKETED.match(part) or PRICED.match(part) or POINTS.match(part)
        if fold(part) == "warlord":
            unit.warlord = True
        elif priced and not unit.enhancement:
            unit.enhancement = _name(priced["name"])
        elif several:
            unit.items.append(Item(_counted(several["items"])[1], count(several["count"]), bearer=bearer))
        else:
            part = priced["name"] if priced else part
            found = COUNTED.match(part)
            number = count(found["count"]) if found else each
            unit.items.append(Item(_name(found["name"] if found else part), number, bearer=bearer))


def _by_commas(text: str) -> Iterator[str]:
    """Parts between commas that stand outside brackets."""
    depth, part = 0, ""
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth <= 0:
            if clean(part):
                yield clean(part)
            part, depth = "", 0
        else:
            part += letter
    if clean(part):
        yield clean(part)


# -- New Recruit, simple --------------------------------------------------------------------------------------------


def _read_simple(reader: Reader) -> None:
    """New Recruit's simple form: headings with # or +, ``Unit [P pts]: …``, ``• Nx Model: …``."""
    roster = reader.roster
    unit: Unit | None = None
    for at, text in reader.lines:
        line = text.strip()
        bullet = _bullet(at, text)
        heading = _heading(line)
        found = BRACKETED.match(line)
        if at == next(reader.lines)[0] and not heading:
            _simple_title(reader, at, line)
        elif heading:
            unit = None
            name, points = heading
            if "roster" in fold(name) and points:
                roster.points = points
            reader.section = name
            reader.note(at, "section")
        elif bullet is not None and unit is not None:
            _wtc_models(reader, unit, bullet)
            unit.models = total(unit.kinds or ())
        elif found and bullet is None:
            number, name = _counted(found["name"])
            unit = reader.unit(at, name, found["points"], number)
            _listed(reader, unit, found["items"] or "", number)
        elif ":" in line and fold(reader.section) in ("configuration", "setup"):
            _setting(reader, at, line)
        elif FOOTER.search(line):
            reader.note(at, "export note")


def _heading(line: str) -> tuple[str, int] | None:
    """Name and points of a heading.

    >>> _heading("# ++ Army Roster ++ [305 pts]"), _heading("## Configuration"), _heading("Infractors [85 pts]")
    (('Army Roster', 305), ('Configuration', 0), None)
    """
    if not line.startswith(("#", "+")):
        return None
    body = line.strip("#+ ")
    name, bracket, points = body.partition("[")
    return clean(name.strip("#+ ")), _points(points.partition(" ")[0].strip("]")) if bracket else 0


def _simple_title(reader: Reader, at: int, line: str) -> None:
    """``faction - name - [limit]``."""
    text = line.partition("[")[0].rstrip(" -")
    parts = [clean(part) for part in text.split(" - ") if clean(part)]
    known = [place for place, part in enumerate(parts) if is_faction(part)]
    place = known[-1] if known else 0
    reader.roster.faction = parts[place] if parts else ""
    reader.roster.name = " - ".join(parts[place + 1 :])
    reader.note(at, "faction and name")


def _setting(reader: Reader, at: int, line: str) -> None:
    name, _, value = line.partition(":")
    if fold(name).startswith("detachment"):
        bracketed = BRACKETED.match(value.strip())
        reader.roster.detachment = _name(bracketed["name"] if bracketed else value)
    reader.note(at, "setting")


# -- Words ----------------------------------------------------------------------------------------------------------


def _counted(text: str) -> tuple[int, str]:
    found = COUNTED.match(text.strip())
    return (count(found["count"]), _name(found["name"])) if found else (1, _name(text))


def _name(text: str) -> str:
    return clean(text).rstrip(":").strip()


def _points(text: str) -> int:
    """Points with any separator of thousands.

    >>> _points("1,995"), _points("2 000"), _points("85")
    (1995, 2000, 85)
    """
    return whole(re.sub(r"[.,\s\u00a0\u202f]", "", text))

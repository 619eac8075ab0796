"""The permalink: everything a record sheet is, in one query string.

``?v=1&mech=atlas-as7-d&heat=23&did=b1.r2-0.h23-4411&at=2`` is a stock 'Mech, what was done to it, and how much of that
still stands (the rest can be redone). A sheet of one's own travels as ``sheet=``: its JSON without defaults, deflated,
in URL-safe base 64. ``rules``, ``case2`` and ``plan`` are left out at their defaults. ``v`` is the version of all this:
should a field change its meaning, it says how to read an older link.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from apps.battletech.services.actions import MOST_ACTIONS, Action, SetRounds, parse
from engine.battletech.mech import PROFILE_ALIASES, Mech, Rules
from engine.battletech.presets import STOCK, preset
from engine.battletech.tables import CaseTwoModel, ProfileName
from engine.wire import EngineError

VERSION = 1
WELCOME = "atlas-as7-d"
HEAT, HOTTEST = 23, 30
TURNS, MOST_TURNS = 3, 12
MOST_CHARACTERS, MOST_BYTES = 8_000, 40_000


@dataclass(frozen=True, slots=True)
class Address:
    """What a link says. ``plan`` empty: stay at this heat for a few turns."""

    start: Mech
    stock: str = ""
    rules: Rules = field(default_factory=Rules)
    heat: int = HEAT
    plan: tuple[int, ...] = ()
    did: tuple[Action, ...] = ()
    at: int = 0

    @property
    def done(self) -> tuple[Action, ...]:
        return self.did[: self.at]

    @property
    def heats(self) -> tuple[int, ...]:
        """The plan, spelled out."""
        return self.plan or (self.heat,) * TURNS

    def then(self, action: Action) -> Address:
        """With one more action; what was undone is forgotten, and a slider still moving leaves one trace, not ten."""
        done = self.done
        last = done[-1] if done else None
        if isinstance(action, SetRounds) and isinstance(last, SetRounds) and last.number == action.number:
            done = done[:-1]
        if len(done) >= MOST_ACTIONS:
            raise EngineError(
                f"A sheet remembers {MOST_ACTIONS} actions. Start afresh from it as it stands to go on.",
                field="did",
                constraint="max length",
                expected=MOST_ACTIONS,
                actual=len(done) + 1,
            )
        return replace(self, did=(*done, action), at=len(done) + 1)

    def fields(self) -> list[tuple[str, str]]:
        """The query string as pairs, in a fixed order."""
        source = ("mech", self.stock) if self.stock else ("sheet", encode(self.start))
        pairs = [
            ("v", str(VERSION)),
            source,
            ("rules", self.rules.profile if self.rules.profile != "standard" else ""),
            ("case2", self.rules.case2 or ""),
            ("heat", str(self.heat)),
            ("plan", ".".join(map(str, self.plan))),
            ("did", ".".join(map(str, self.did))),
            ("at", str(self.at) if self.at != len(self.did) else ""),
        ]
        return [pair for pair in pairs if pair[1]]

    def conditions(self) -> list[tuple[str, str]]:
        """Rules, heat and plan: what stays the same when another 'Mech is put on the sheet."""
        return [pair for pair in self.fields() if pair[0] in ("rules", "case2", "heat", "plan")]

    def link(self, do: str = "") -> str:
        return f"{reverse('battletech:sheet')}?{urlencode([*self.fields(), *([('do', do)] if do else [])])}"


class Problem(NamedTuple):
    """What is wrong with a field, and what was entered there."""

    message: str
    entered: str = ""


class Reading(NamedTuple):
    """An address as far as it could be read, and what was wrong, by field."""

    address: Address
    problems: Mapping[str, Problem]


def read(query: QueryDict) -> Reading:
    """An address from its query string; a field that cannot be read keeps its default and says so."""
    problems: dict[str, Problem] = {}
    start: dict[str, Any] = {}
    try:
        start = _source(query)
    except EngineError as error:
        problems["mech"] = Problem(error.message, query.get("mech", ""))
    heat = _heat(problems, "heat", query.get("heat", ""), HEAT)
    plan = [_heat(problems, "plan", text, HEAT) for text in ".".join(query.getlist("plan")).split(".") if text]
    did = _did(problems, query.get("did", "")) if start else ()
    at = query.get("at", "")
    address = replace(
        welcome(),
        **start,
        rules=_rules(query),
        heat=heat,
        plan=tuple(plan[:MOST_TURNS]) if "plan" not in problems else (),
        did=did,
        at=min(int(at), len(did)) if at.isdecimal() and len(at) < 4 else len(did),
    )
    return Reading(address, problems)


def welcome() -> Address:
    return Address(preset(WELCOME), WELCOME)


def encode(mech: Mech) -> str:
    """A sheet for the address bar."""
    document = mech.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    packed = zlib.compress(json.dumps(document, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(text: str) -> Mech:
    """The inverse of ``encode``. Anything else is refused, and nothing is unpacked beyond a sheet's size."""
    try:
        if len(text) > MOST_CHARACTERS:
            raise ValueError
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_BYTES)
        if not unpacker.eof:
            raise ValueError
        return Mech.model_validate(json.loads(raw), by_alias=True, by_name=False)
    except (ValueError, zlib.error, RecursionError):
        raise EngineError(
            "The sheet in this link cannot be read: it was cut off or changed on its way. Here is an Atlas instead.",
            field="sheet",
        ) from None


def _source(query: QueryDict) -> dict[str, Any]:
    if packed := query.get("sheet", ""):
        return {"start": decode(packed), "stock": ""}
    key = query.get("mech") or WELCOME
    if key not in STOCK:
        raise EngineError(f"There is no stock 'Mech “{key[:40]}”. Here is an Atlas instead.", field="mech")
    return {"start": preset(key), "stock": key}


def _rules(query: QueryDict) -> Rules:
    """Unknown words mean the standard rules: a toggle has no other way to be wrong."""
    profile = PROFILE_ALIASES.get(query.get("rules", ""), query.get("rules", ""))
    case2 = query.get("case2", "")
    return Rules(
        profile=profile if profile in get_args(ProfileName) else "standard",
        case2=case2 if case2 in get_args(CaseTwoModel) else None,
    )


def _heat(problems: dict[str, Problem], name: str, text: str, default: int) -> int:
    text = text.strip()
    if not text:
        return default
    if not (text.isdecimal() and len(text) <= 3 and int(text) <= HOTTEST):
        problems.setdefault(name, Problem(f"Heat must be 0–{HOTTEST}; you entered {text[:20]}.", text))
        return default
    return int(text)


def _did(problems: dict[str, Problem], text: str) -> tuple[Action, ...]:
    """The actions of a link, up to the first that makes no sense."""
    actions: list[Action] = []
    for code in text.split(".")[:MOST_ACTIONS] if text else ():
        try:
            actions.append(parse(code))
        except EngineError as error:
            problems["did"] = Problem(error.message, code)
            break
    return tuple(actions)

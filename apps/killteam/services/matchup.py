"""One operative against another: every weapon, every pairing, one activation of two attacks, and what would help."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.http import QueryDict

from apps.core import charts
from apps.killteam import options as library_of_options
from apps.killteam.notation import Line
from apps.killteam.options import Role, Switch
from apps.killteam.services import profiles
from apps.killteam.services import switches as working
from apps.killteam.services.duel import BUDGET, PERFECT, Combatant, Duel, FightCell
from apps.killteam.services.profiles import Outfit, Place
from apps.killteam.team_fields import INJURED, chosen, team_names, usable
from apps.rosters.addresses import OTHER
from engine.killteam.activation import Volley, fight_then_shoot, hot_damage, shoot_then_fight
from engine.killteam.fight import Budget, Outcome
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Side
from engine.killteam.shoot import shoot

SEVERAL = re.compile(r"(?:Blast|Torrent)\b.*", re.I)
Armed = tuple[Line, Fighter]  # a weapon's line, and its bearer with it in hand
SHOWN_LIFTS = 8
NOTHING = 1e-6  # gains that no table shows


def shot_rows(duel: Duel, attacker: Combatant, target: Combatant) -> list[dict[str, Any]]:
    """Each ranged weapon: its chance, its damage, what it costs its bearer, whether it reaches several."""
    best = _best_weapon(duel, attacker, target)
    rows = []
    for line, shot in duel.shots(attacker, target):
        sides = _shot_sides(attacker, target, line)
        rows.append(
            {
                "name": line.name,
                "line": str(line),
                "kill": shot.p_kill,
                "damage": shot.damage.mean,
                "left": shot.wounds_left,
                "hot": hot_cost(line, sides[0].dice_stat, attacker.entry["wounds"]),
                "several": next((rule for rule in line.rules if SEVERAL.fullmatch(rule)), ""),
                "is_best": line.name == best,
                "href": shot_address(duel, attacker, target, line),
            }
        )
    return rows


def hot_cost(line: Line, hit: int, wounds: int) -> dict[str, float] | None:
    """What Hot does to the bearer, if the weapon is Hot: the average, the chance to be hurt, the chance to die."""
    if not profiles.is_hot(line):
        return None
    damage = hot_damage(hit)
    return {"mean": damage.mean, "p_hurt": damage.at_least(1), "p_die": damage.at_least(wounds)}


def _best_weapon(duel: Duel, attacker: Combatant, target: Combatant) -> str:
    cell = duel.shot_cell(attacker, target)
    return cell.weapon if cell else ""


def _shot_sides(attacker: Combatant, target: Combatant, line: Line) -> tuple[Attacker, Defender]:
    weapon = next(weapon for own, weapon in attacker.attackers if own.name == line.name)
    return working.shot(weapon, target.defender, attackers=attacker.on, defenders=target.on, weapon=line.name)


def fight_rows(duel: Duel, attacker: Combatant, target: Combatant) -> list[dict[str, Any]]:
    """Each pairing of melee weapons, charging and being charged."""
    if not attacker.fighters:
        return []
    cell = started(duel, attacker, target)
    rows = []
    for own in attacker.fighters:
        for foe in target.answers:
            outcomes = []
            for first in (1, 2):
                one, two, how = duel.prepared(own, foe, attacker, target, first)
                outcomes.append(duel.fought(one, two, how))
            one, two, how = duel.prepared(own, foe, attacker, target, 1)
            charges, waits = outcomes
            rows.append(
                {
                    "own": own[0].name,
                    "reply": foe[0].name,
                    "kill": charges.p_kill1,
                    "die": charges.p_kill2,
                    "kill_waiting": waits.p_kill1,
                    "die_waiting": waits.p_kill2,
                    "is_best": cell is not None and (own[0].name, foe[0].name) == (cell.weapon, cell.reply),
                    "href": fight_address(duel, (attacker, target), (own, foe)),
                }
            )
    return rows


def started(duel: Duel, attacker: Combatant, target: Combatant) -> FightCell | None:
    """The fight that the attacker starts, whichever roster it is of."""
    if attacker.side == "a":
        return duel.fight_cells(attacker, target)[0]
    return duel.fight_cells(target, attacker)[1]


# -- One activation ---------------------------------------------------------------------------------------------------


def turn_rows(duel: Duel, attacker: Combatant, target: Combatant) -> list[dict[str, Any]]:
    """What one activation may do: a shot, a charge, or both in either order; best weapons, both playing perfectly."""
    cell, weapon = started(duel, attacker, target), _best_weapon(duel, attacker, target)
    rows: list[dict[str, Any]] = []
    if weapon:
        line = next(line for line, _ in attacker.attackers if line.name == weapon)
        sides = _shot_sides(attacker, target, line)
        shot = next(shot for own, shot in duel.shots(attacker, target) if own.name == weapon)
        rows.append({"title": "Shoot", "weapons": weapon, "actions": 1, "kill": shot.p_kill, "die": 0.0})
    if cell is not None:
        own, foe = _pairing(attacker, target, cell)
        one, two, how = duel.prepared(own, foe, attacker, target, 1)
        rows.append(
            {"title": "Charge and fight", "weapons": cell.weapon, "actions": 2, "kill": cell.kill, "die": cell.die}
        )
        if weapon:
            both = f"{weapon}, {cell.weapon}"
            for title, sequence in (("Shoot, then charge", shoot_then_fight), ("Fight, then shoot", fight_then_shoot)):
                outcome = _in_a_row(sequence, sides, (one, two), how)
                rows.append({"title": title, "weapons": both, "actions": 3, "kill": outcome.p_kill1,
                             "die": outcome.p_kill2})  # fmt: skip
    top = max((row["kill"] - row["die"] for row in rows), default=0.0)
    return [row | {"is_best": row["kill"] - row["die"] >= top - NOTHING} for row in rows]


#: A shot and a fight, in one order or the other.
Attacks = Callable[[Attacker, Defender, tuple[Fighter, Fighter], FightOptions, Budget], Outcome]


@lru_cache(maxsize=256)
def _in_a_row(
    attacks: Attacks, sides: tuple[Attacker, Defender], fighters: tuple[Fighter, Fighter], how: FightOptions
) -> Outcome:
    """Two attacks of one activation, those of lately remembered."""
    return attacks(*sides, fighters, how, BUDGET)


def _pairing(attacker: Combatant, target: Combatant, cell: FightCell) -> tuple[Armed, Armed]:
    own = next(pair for pair in attacker.fighters if pair[0].name == cell.weapon)
    foe = next(pair for pair in target.answers if pair[0].name == cell.reply)
    return own, foe


# -- Several targets --------------------------------------------------------------------------------------------------


def several(duel: Duel, attacker: Combatant, targets: Sequence[Combatant]) -> dict[str, Any] | None:
    """A Blast or Torrent weapon at several targets, each with a roll of its own; None if it has no such weapon."""
    lines = [line for line, _ in attacker.attackers if any(SEVERAL.fullmatch(rule) for rule in line.rules)]
    if not lines or len(targets) < 2:
        return None
    volleys: list[tuple[Line, Volley]] = []
    for line in lines:
        sides = [_shot_sides(attacker, target, line) for target in targets]
        volleys.append((line, Volley(tuple(shoot(weapon, defender) for weapon, defender in sides))))
    line, best = max(volleys, key=lambda pair: pair[1].kills.mean)
    kills = best.kills
    return {
        "weapon": line.name,
        "mean": kills.mean,
        "rows": [(n, kills.exactly(n), kills.at_least(n)) for n in range(len(targets) + 1)],
        "each": [(target.name, shot.p_kill) for target, shot in zip(targets, best.shots, strict=True)],
        "wounds": best.wounds_lost,
        "figure": charts.distribution([("Kills", kills.low, kills.p.tolist())], axis="Targets that fall"),
    }


# -- What would help --------------------------------------------------------------------------------------------------


def lifts(duel: Duel, attacker: Combatant, target: Combatant, phase: str) -> list[dict[str, Any]]:
    """Each option of the attacker's team, and of the table, that is off: what the attack would come to with it."""
    now = _worth(duel, attacker, target, phase)
    if now is None:
        return []
    document = duel.a if attacker.side == "a" else duel.b
    found: list[dict[str, Any]] = []
    for switch in (*library_of_options.SITUATIONS, *library_of_options.of_team(document["team"])):
        if phase not in switch.phase or switch in attacker.on or not _helps_an_attack(switch):
            continue
        word = f"{attacker.side}{attacker.place + 1}.{switch.key}"
        then = replace(duel, on=(*duel.on, word))
        own, foe = (then.sides[one.side][one.place] for one in (attacker, target))
        with_it = _worth(then, own, foe, phase)
        if with_it is not None and with_it[0] - with_it[1] - (now[0] - now[1]) > NOTHING:
            kill, die = with_it
            gain = kill - die - (now[0] - now[1])
            found.append({"title": switch.title, "kind": switch.kind, "note": switch.note, "word": word,
                          "kill": kill, "die": die, "gain": gain})  # fmt: skip
    return sorted(found, key=lambda lift: -lift["gain"])[:SHOWN_LIFTS]


#: Whose profile a switch must change to help an attack: (the enemy's, role).
OF_AN_ATTACK = {(False, "attacker"), (False, "fighter"), (True, "defender"), (True, "fighter")}


def _helps_an_attack(switch: Switch) -> bool:
    return switch.sets_first or bool(OF_AN_ATTACK.intersection(switch.sides))


def _worth(duel: Duel, attacker: Combatant, target: Combatant, phase: str) -> tuple[float, float] | None:
    """The chance to kill and to be killed."""
    if phase == "shoot":
        shot = duel.shot_cell(attacker, target)
        return (shot.kill, 0.0) if shot else None
    cell = started(duel, attacker, target)
    return (cell.kill, cell.die) if cell else None


# -- Into the calculators ---------------------------------------------------------------------------------------------


def _values(side: Side) -> dict[str, Any]:
    """Every figure of a profile: a sheet's own defaults are not the engine's."""
    values: Mapping[str, Any] = side.model_dump(mode="json", by_alias=False)
    return {name: value for name, value in values.items() if value is not None}


def shot_address(duel: Duel, attacker: Combatant, target: Combatant, line: Line) -> str:
    """The shooting page with this shot: the cards' figures, and by name what of the teams' options is on."""
    weapon = next(weapon for own, weapon in attacker.attackers if own.name == line.name)
    stand = working.shot(weapon, target.defender, attackers=_stands(attacker), defenders=_stands(target))
    outfits = _outfit(duel, attacker, "attacker", line.name), _outfit(duel, target, "defender")
    switches = [chosen(list(outfit.options)) for outfit in outfits]
    named = working.shot(*stand, attackers=switches[0], defenders=switches[1], weapon=line.name)
    wanted = _shot_sides(attacker, target, line)
    if named != wanted:
        stand, outfits = wanted, (Outfit(), Outfit())
    places = Place("shoot", "a", "attacker"), Place("shoot", "a", "defender")
    hot = profiles.is_hot(line)
    first = profiles.address(places[0], _values(stand[0]), line.name, hot=hot, outfit=outfits[0])
    return profiles.address(places[1], _values(stand[1]), "", _sheet(first), outfit=outfits[1])


def fight_address(duel: Duel, two: tuple[Combatant, Combatant], armed: tuple[Armed, Armed]) -> str:
    """The fighting page with this fight, the first of the two striking first unless an option says otherwise."""
    outfits = tuple(_outfit(duel, one, "fighter", arm[0].name) for one, arm in zip(two, armed, strict=True))
    stand = armed[0][1], armed[1][1]
    switches = chosen(list(outfits[0].options)), chosen(list(outfits[1].options))
    options = PERFECT.model_copy(update={"first_fighter": 1})
    named = working.fight(stand, switches, options, (armed[0][0].name, armed[1][0].name))
    wanted = duel.prepared(*armed, *two, 1)
    if named != wanted:
        stand, outfits = wanted[:2], (Outfit(), Outfit())
    places = Place("fight", "a", "one"), Place("fight", "a", "two")
    first = profiles.address(places[0], _values(stand[0]), two[0].name, outfit=outfits[0])
    both = profiles.address(places[1], _values(stand[1]), two[1].name, _sheet(first), outfit=outfits[1])
    return both if wanted[2].first_fighter == 1 else f"{both}&first=2"


def _stands(one: Combatant) -> list[Switch]:
    """How an operative stands that a sheet has fields for: they go into the profile."""
    return [switch for switch in one.on if switch.kind == "situation" and switch.key != INJURED]


def _outfit(duel: Duel, one: Combatant, role: Role, weapon: str = "") -> Outfit:
    """An operative's team and weapon, and what is on for it."""
    team = (duel.a if one.side == "a" else duel.b)["team"]
    team = team if team in team_names() else ""
    known = {switch.key for switch in usable(team, role)}
    return Outfit(team, weapon, tuple(switch.key for switch in one.on if switch.key in known))


def _sheet(address: str) -> QueryDict:
    return QueryDict(address.partition("?")[2])


def pair_of(duel: Duel, side: str, at: str, to: str) -> tuple[Combatant, Combatant] | None:
    """The attacker and the target an address names; None where there are no such two."""
    if side not in OTHER or not (at.isdecimal() and to.isdecimal() and len(at) < 4 and len(to) < 4):
        return None
    own, enemies = duel.sides[side], duel.sides[OTHER[side]]
    return (own[int(at)], enemies[int(to)]) if int(at) < len(own) and int(to) < len(enemies) else None

"""What to do about the numbers: the best reroll policy, what would lift the chance to wipe the unit out, and doubts.

A reroll policy is decided on the die alone, so all faces of one outcome are treated alike and the policies of a die
are few: reroll nothing, ones, failures, or everything that is not critical ("fishing"). Every permitted combination
is worked out exactly; with many weapons each is improved in turn until none changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from engine.warhammer40k.attack import Outcome, fire
from engine.warhammer40k.mixed import MixedDefender, MixedInput, MixedOutcome, resolve_mixed
from engine.warhammer40k.profile import EDITIONS, AttackInput, Reroll, Weapon, expression
from engine.warhammer40k.stages import Stages
from engine.wire import EngineError

Request = AttackInput | MixedInput
Objective = Literal["damage", "kills", "wipe"]
#: Exact attacks worked out together; past this, weapons are improved one at a time.
MAX_TOGETHER = 256
MAX_EXTRA_ATTACKS = 400
#: What a permission to reroll lets a player do, from least to most.
PERMITTED: dict[Reroll, tuple[Reroll, ...]] = {
    "none": ("none",),
    "ones": ("none", "ones"),
    "failed": ("none", "ones", "failed"),
    "noncrit": ("none", "ones", "failed", "noncrit"),
    "all": ("none", "ones", "failed", "noncrit"),
}


@dataclass(frozen=True, slots=True)
class Value:
    """What an attack is worth."""

    damage: float
    kills: float
    wipe: float

    def of(self, objective: Objective) -> float:
        return float(getattr(self, objective))


def worth(request: Request) -> Value:
    outcome: Outcome | MixedOutcome
    if isinstance(request, MixedInput):
        outcome = resolve_mixed(request)
    else:
        outcome = fire(request.weapons, request.defender, request.rules)
    return Value(outcome.damage.mean, outcome.destroyed.mean, outcome.p_wiped)


# -- the best reroll policy ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Policy:
    """Which dice of one weapon are rerolled; ``damage_keep_from`` is the lowest damage face kept (1: none rerolled)."""

    hit: Reroll
    wound: Reroll
    damage_keep_from: int


@dataclass(frozen=True, slots=True)
class WeaponAdvice:
    """The best policy of one weapon, and every other one with the rest of the weapons at their best."""

    name: str
    best: Policy
    options: tuple[tuple[Policy, Value], ...]
    #: What rerolling successes for criticals adds to the objective over rerolling failures; None: not permitted.
    fishing_hits: float | None
    fishing_wounds: float | None


def policies(weapon: Weapon) -> list[Policy]:
    """Every policy the weapon's permissions allow.

    >>> len(policies(Weapon(reroll_hits="ones", twin_linked=True, damage="D3")))
    8
    """
    if weapon.type != "attack":
        return [Policy("none", "none", 1)]
    # Twin-linked permits rerolling any wound roll, a success included.
    wounds: Reroll = "all" if weapon.twin_linked else weapon.reroll_wounds
    sides = max(expression(weapon.damage).dice, default=0)
    lowest = {"none": 1, "ones": min(2, sides)}.get(weapon.reroll_damage, sides)
    hits = PERMITTED[weapon.reroll_hits] if not weapon.torrent else ("none",)
    return [Policy(*each) for each in product(hits, PERMITTED[wounds], range(1, max(1, lowest) + 1))]


def with_policy(weapon: Weapon, policy: Policy) -> Weapon:
    """The weapon as it is rolled under a policy."""
    keep = policy.damage_keep_from
    changes: dict[str, Any] = {
        "reroll_hits": policy.hit,
        "reroll_wounds": policy.wound,
        "twin_linked": False,
        "reroll_damage": "all" if keep > 1 else "none",
        "damage_keep_from": keep if keep > 1 else 0,
    }
    return weapon.model_copy(update=changes)


def best_rerolls(request: Request, objective: Objective) -> tuple[Value, tuple[WeaponAdvice, ...]]:
    """The policies that maximise the objective, and what each alternative gives.

    >>> from engine.warhammer40k.profile import Defender
    >>> fist = Weapon(attacks="4", skill=3, strength=5, damage="2", twin_linked=True)
    >>> request = AttackInput(weapons=(fist,), defender=Defender(models=5, toughness=4, wounds=2))
    >>> best_rerolls(request, "damage")[1][0].best.wound
    'failed'
    """
    choices = [policies(weapon) for weapon in request.weapons]
    combinations = 1
    for options in choices:
        combinations *= len(options)
    chosen = _together(request, choices, objective) if combinations <= MAX_TOGETHER else None
    best = chosen or _in_turn(request, choices, objective)
    advice = tuple(_weapon_advice(request, best, at, choices[at], objective) for at in range(len(best)))
    return worth(_under(request, best)), advice


def _under(request: Request, chosen: list[Policy]) -> Request:
    weapons = tuple(with_policy(w, p) for w, p in zip(request.weapons, chosen, strict=True))
    return request.model_copy(update={"weapons": weapons})


def _first_best(candidates: Iterator[list[Policy]], value: Callable[[list[Policy]], float]) -> list[Policy]:
    """The first candidate none beats by more than rounding: of equal policies, the one with the fewest rerolls."""
    best = next(candidates)
    top = value(best)
    for candidate in candidates:
        here = value(candidate)
        if here > top + 1e-12:
            best, top = candidate, here
    return best


def _together(request: Request, choices: list[list[Policy]], objective: Objective) -> list[Policy]:
    every = (list(each) for each in product(*choices))
    return _first_best(every, lambda chosen: worth(_under(request, chosen)).of(objective))


def _in_turn(request: Request, choices: list[list[Policy]], objective: Objective) -> list[Policy]:
    chosen = [options[0] for options in choices]
    while True:
        before = list(chosen)
        for at, options in enumerate(choices):
            swaps = iter([[*chosen[:at], option, *chosen[at + 1 :]] for option in options])
            chosen = _first_best(swaps, lambda each: worth(_under(request, each)).of(objective))
        if chosen == before:
            return chosen


def _weapon_advice(
    request: Request, best: list[Policy], at: int, options: list[Policy], objective: Objective
) -> WeaponAdvice:
    table = {option: worth(_under(request, [*best[:at], option, *best[at + 1 :]])) for option in options}
    mine = best[at]

    def gain(fishing: Policy, plain: Policy) -> float | None:
        return table[fishing].of(objective) - table[plain].of(objective) if fishing in table else None

    keep = mine.damage_keep_from
    return WeaponAdvice(
        request.weapons[at].name,
        mine,
        tuple(table.items()),
        gain(Policy("noncrit", mine.wound, keep), Policy("failed", mine.wound, keep)),
        gain(Policy(mine.hit, "noncrit", keep), Policy(mine.hit, "failed", keep)),
    )


# -- what would lift the chance to wipe the unit out --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lift:
    """One single improvement and the chance to wipe the unit out with it."""

    label: str
    p_wiped: float
    gain: float
    reaches: bool


def _plus_one_damage(weapon: Weapon) -> dict[str, Any]:
    return {"damage": f"{weapon.damage}+1"}


#: Single improvements a player may find: label, does it change anything, the change.
IMPROVEMENTS: tuple[tuple[str, Callable[[Weapon], bool], Callable[[Weapon], dict[str, Any]]], ...] = (
    ("one more attack per weapon", lambda w: True, lambda w: {"attacks": f"{w.attacks}+1"}),
    ("one more weapon", lambda w: w.count < 1000, lambda w: {"count": w.count + 1}),
    ("skill better by 1", lambda w: w.skill > 2 and not w.torrent, lambda w: {"skill": w.skill - 1}),
    ("+1 to hit", lambda w: not w.torrent and w.hit_modifier < 10, lambda w: {"hit_modifier": w.hit_modifier + 1}),
    ("reroll hits of 1", lambda w: not w.torrent and w.reroll_hits == "none", lambda w: {"reroll_hits": "ones"}),
    ("reroll failed hits", lambda w: not w.torrent and w.reroll_hits in ("none", "ones"),
     lambda w: {"reroll_hits": "failed"}),
    ("+1 Strength", lambda w: w.strength < 1000, lambda w: {"strength": w.strength + 1}),
    ("+1 to wound", lambda w: w.wound_modifier < 10, lambda w: {"wound_modifier": w.wound_modifier + 1}),
    ("reroll wounds of 1", lambda w: w.reroll_wounds == "none" and not w.twin_linked,
     lambda w: {"reroll_wounds": "ones"}),
    ("twin-linked", lambda w: w.reroll_wounds in ("none", "ones") and not w.twin_linked,
     lambda w: {"twin_linked": True}),
    ("AP better by 1", lambda w: w.ap < 10, lambda w: {"ap": w.ap + 1}),
    ("+1 Damage", lambda w: True, _plus_one_damage),
    ("Lethal Hits", lambda w: not w.lethal_hits and not w.torrent, lambda w: {"lethal_hits": True}),
    ("one more Sustained Hit", lambda w: not w.torrent, lambda w: {"sustained_hits": f"{w.sustained_hits}+1"}),
    ("Devastating Wounds", lambda w: not w.devastating_wounds, lambda w: {"devastating_wounds": True}),
)  # fmt: skip


def improvements(request: Request, level: float) -> tuple[Lift, ...]:
    """Each single improvement, given to every weapon it fits, most useful first."""
    now = worth(request).wipe
    lifts = []
    for label, fits, change in IMPROVEMENTS:
        suited = [w.type == "attack" and fits(w) for w in request.weapons]
        if any(suited):
            better = tuple(
                w.model_copy(update=change(w)) if ok else w for w, ok in zip(request.weapons, suited, strict=True)
            )
            p = worth(request.model_copy(update={"weapons": better})).wipe
            lifts.append(Lift(label, p, p - now, p >= level))
    return tuple(sorted(lifts, key=lambda lift: -lift.gain))


def attacks_needed(request: Request, level: float, at: int) -> int | None:
    """The fewest further attacks of one weapon that lift the chance past ``level``; None beyond the limit.

    More attacks never hurt, so the number is found by doubling and halving.
    """
    weapon = _nth(request, at)

    def reaches(extra: int) -> bool:
        return worth(_with_attacks(request, weapon, at, extra)).wipe >= level

    if reaches(0):
        return 0
    low, high = 0, 1
    while not reaches(high):
        if high >= MAX_EXTRA_ATTACKS:
            return None
        low, high = high, min(2 * high, MAX_EXTRA_ATTACKS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def _nth(request: Request, at: int) -> Weapon:
    if not 0 <= at < len(request.weapons) or request.weapons[at].type != "attack":
        raise EngineError(
            f"There is no weapon {at + 1} that makes attacks.",
            field="weapon",
            constraint="index",
            expected=f"0–{len(request.weapons) - 1}",
            actual=at,
        )
    return request.weapons[at]


def _with_attacks(request: Request, weapon: Weapon, at: int, extra: int) -> Request:
    bare = {"count": 1, "attacks": str(extra), "blast": 0, "cleave": 0, "rapid_fire": "0"}
    weapons = (*request.weapons[: at + 1], weapon.model_copy(update=bare), *request.weapons[at + 1 :])
    return request.model_copy(update={"weapons": weapons})


def _tables(request: Request) -> Iterator[Stages]:
    """The tables of every weapon; where models differ, against those hit first."""
    unit = request.defender
    facing = unit.facing(unit.bodyguards[0]) if isinstance(unit, MixedDefender) else unit
    return (Stages(weapon, facing, request.rules) for weapon in request.weapons)


# -- doubts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in the input that does nothing, or not what it seems to; beside which field."""

    field: str
    message: str


def _ap_is_wasted(s: Stages) -> bool:
    invulnerable = s.defender.invulnerable
    return bool(s.weapon.ap and invulnerable and max(2, invulnerable) <= s.defender.save)


def _lethal_hurts(s: Stages) -> bool:
    critical = s.weapon.lethal_hits and s.devastating and not s.weapon.torrent
    return critical and s.value_of_hit > s.value_of_wound and s.lethal


def _fishing_hurts(s: Stages) -> bool:
    """Rerolling a plain wound for a critical one loses when a fresh hit is worth less than the wound in hand."""
    return s.wound_reroll in ("noncrit", "all") and s.value_of_wound > s.value_of_hit


#: Field, does it apply, what to say. Only weapons that roll are asked.
DOUBTS: tuple[tuple[str, Callable[[Stages], bool], str], ...] = (
    ("criticalHit", lambda s: not 2 <= s.weapon.critical_hit <= 6,
     "Critical hits must be on 2+ to 6+; {weapon.critical_hit} is ignored and 6 counts."),
    ("criticalWound", lambda s: not 2 <= s.weapon.critical_wound <= 6,
     "Critical wounds must be on 2+ to 6+; {weapon.critical_wound} is ignored and 6 counts."),
    ("anti", lambda s: bool(s.weapon.anti) and not 2 <= s.weapon.anti <= 6,
     "Anti must be 2+ to 6+; {weapon.anti} is ignored."),
    ("ap", _ap_is_wasted,
     "AP changes nothing: the {defender.invulnerable}+ invulnerable save is used whatever the armour."),
    ("lethalHits", _lethal_hurts,
     "Lethal Hits costs damage here: a critical hit that wounds by itself can never be a devastating wound."),
    ("rerollWounds", lambda s: s.weapon.lethal_hits and s.devastating and s.wound_reroll != "none" and s.lethal,
     "Lethal Hits skips the wound roll, so those hits use neither the wound rerolls nor Devastating Wounds."),
    ("rerollWounds", _fishing_hurts,
     "Rerolling plain wounds to fish for criticals costs damage here; reroll failures only."),
    ("blast", lambda s: bool(s.weapon.blast) and 0 < s.defender.models < 5,
     "Blast adds nothing against fewer than five models."),
    ("melta", lambda s: bool(s.weapon.melta) and not s.weapon.half_range, "Melta only counts within half range."),
    ("rapidFire", lambda s: s.weapon.rapid_fire != "0" and not s.weapon.half_range,
     "Rapid Fire only counts within half range."),
    ("heavy", lambda s: s.weapon.heavy and not s.heavy_applies, "Heavy only counts when the unit did not move."),
    ("lance", lambda s: s.weapon.lance and not s.weapon.charged, "Lance only counts after a charge."),
    ("skill", lambda s: not s.weapon.skill and not s.weapon.torrent, "Without a skill this weapon cannot hit."),
    ("torrent", lambda s: s.weapon.torrent and (s.weapon.lethal_hits or s.weapon.sustained_hits != "0"),
     "Torrent makes no hit roll, so Lethal and Sustained Hits never happen."),
    ("hitModifier", lambda s: abs(sum(value for _, value in s.hit_modifiers)) > 1,
     "Hit modifiers add up to more than one; only one counts."),
    ("woundModifier", lambda s: abs(sum(value for _, value in s.wound_modifiers)) > 1,
     "Wound modifiers add up to more than one; only one counts."),
    ("cleave", lambda s: bool(s.weapon.cleave) and not (s.edition.cleave and s.weapon.melee),
     "Cleave counts for melee weapons in the 11th edition only."),
    ("rerollHits", lambda s: s.hit_reroll != s.weapon.reroll_hits,
     "These attacks may not reroll to hit in the {edition.title}."),
    ("devastatingAgainst", lambda s: s.weapon.devastating_wounds and not s.devastating,
     "Devastating Wounds is limited to Monsters and Vehicles, and the target is neither."),
)  # fmt: skip


def doubts(request: Request, tables: Iterable[Stages] | None = None) -> Iterator[Doubt]:
    """Everything worth a second look, weapon by weapon; ``tables`` when they are at hand already.

    >>> request = AttackInput(weapons=(Weapon(attacks="1", skill=3, critical_hit=1),))
    >>> [doubt.field for doubt in doubts(request)]
    ['weapons.0.criticalHit']
    """
    edition = EDITIONS[request.rules.edition]
    for at, stages in enumerate(tables if tables is not None else _tables(request)):
        for field, applies, message in DOUBTS:
            if stages.weapon.type == "attack" and applies(stages):
                text = message.format(weapon=stages.weapon, defender=stages.defender, edition=edition)
                yield Doubt(f"weapons.{at}.{field}", text)
    if request.rules.devastating == "spill" and request.rules.edition != "tenth":
        yield Doubt("rules.devastating", f"Devastating damage never spills in the {edition.title}.")

"""Warhammer 40K: the live answer of the builder page, the hardest exact attack, advice, and a million sequences.

The other libraries get the same scenario in their own idiom: one attack as a die, repeated sums for the stages, and a
walk over the unit's wounds for allocation. A test holds their answers against ours.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import dyce
import icepool

from benchmarks.harness import Benchmark
from engine.contracts import call
from engine.warhammer40k.advice import best_rerolls
from engine.warhammer40k.attack import resolve
from engine.warhammer40k.profile import AttackInput
from engine.warhammer40k.simulate import simulate

#: 20 attacks, 3+ rerolling ones, S4 into T4, 3+ save at AP-1, damage 2, ten models of 2 wounds, Feel No Pain 5+.
SQUAD: dict[str, Any] = {
    "weapons": [{"attacks": 20, "skill": 3, "rerollHits": "ones", "strength": 4, "ap": 1, "damage": 2}],
    "defender": {"models": 10, "toughness": 4, "save": 3, "wounds": 2, "feelNoPain": 5},
}
EVERYTHING: dict[str, Any] = {
    "weapons": [
        {
            "attacks": 100,
            "skill": 3,
            "strength": 5,
            "ap": 1,
            "damage": "D3",
            "lethalHits": True,
            "sustainedHits": 1,
            "devastatingWounds": True,
            "rerollHits": "ones",
            "rerollWounds": "ones",
            "twinLinked": True,
            "anti": 4,
        }
    ],
    "defender": {"models": 20, "toughness": 5, "save": 3, "invulnerable": 5, "wounds": 3, "feelNoPain": 6},
}
#: Sustained D3, Lethal, Devastating and ordinary wounds together: strikes and pending wounds in one joint distribution.
TOGETHER: dict[str, Any] = {
    "weapons": [
        {
            "attacks": 100,
            "skill": 3,
            "strength": 5,
            "ap": 1,
            "damage": "D3",
            "lethalHits": True,
            "sustainedHits": "D3",
            "devastatingWounds": True,
        }
    ],
    "defender": EVERYTHING["defender"],
}
#: A squad of ten with its sergeant and a leader, in the best of two orders.
LED_SQUAD: dict[str, Any] = {
    "weapons": [SQUAD["weapons"][0] | {"devastatingWounds": True}],
    "defender": {
        "groups": [
            {"models": 9, "toughness": 4, "save": 3, "wounds": 2, "points": 18},
            {"models": 1, "toughness": 4, "save": 3, "invulnerable": 5, "wounds": 3, "points": 18},
            {"models": 1, "toughness": 4, "save": 3, "invulnerable": 4, "wounds": 5, "points": 80, "leader": True},
        ]
    },
}
VARIED: dict[str, Any] = {
    "weapons": [
        {"count": 6, "attacks": "D6", "skill": 4, "strength": 8, "ap": 2, "damage": "D6+1", "blast": True},
        {"count": 3, "attacks": "D3", "skill": 3, "strength": 9, "ap": 4, "damage": "D6", "devastatingWounds": True},
        {"count": 2, "attacks": "D6+3", "skill": 3, "strength": 6, "ap": 1, "damage": 2, "devastatingWounds": True},
        {"type": "mortal", "mortalWounds": "D3"},
    ],
    "defender": {"models": 6, "toughness": 6, "save": 3, "wounds": 4, "feelNoPain": 5, "damageReduction": 1},
}
FISHING: dict[str, Any] = {
    "weapons": [SQUAD["weapons"][0] | {"rerollHits": "all", "twinLinked": True, "devastatingWounds": True}],
    "defender": SQUAD["defender"],
}

# Per attack of SQUAD in exact odds: 28/36 hit, 1/2 wound, 1/2 unsaved; each point of damage kept with 2/3.
HIT, WOUNDED, UNSAVED = (28, 36), (14, 36), (7, 36)
MODEL_WOUNDS, UNIT_WOUNDS, ATTACKS = 2, 20, 20


def landed(lost: int, points: int) -> int:
    """Wounds lost once one strike has landed on the model in front."""
    room = MODEL_WOUNDS - lost % MODEL_WOUNDS if lost < UNIT_WOUNDS else 0
    return lost + min(points, room)


def with_icepool() -> tuple[Any, ...]:
    stages = [ATTACKS @ icepool.coin(good, of) for good, of in (HIT, WOUNDED, UNSAVED)]
    kept = 2 @ icepool.coin(2, 3)
    strike = icepool.coin(*UNSAVED).map({True: kept, False: 0})
    damage = icepool.Die([0]).map(landed, strike, repeat=ATTACKS)
    return (*stages, damage, damage.map(lambda lost: lost // MODEL_WOUNDS))


def with_dyce() -> tuple[Any, ...]:
    stages = [ATTACKS @ dyce.H({0: of - good, 1: good}) for good, of in (HIT, WOUNDED, UNSAVED)]
    # 29/36 nothing; 7/36 of (1/9, 4/9, 4/9) for 0, 1, 2 points kept.
    strike = dyce.H({0: 29 * 9 + 7, 1: 7 * 4, 2: 7 * 4})
    damage = dyce.H({0: 1})
    for _ in range(ATTACKS):
        after: Counter[int] = Counter()
        for (lost, ways), (points, chances) in product(damage.items(), strike.items()):
            after[landed(lost, points)] += ways * chances
        damage = dyce.H(after)
    removed: Counter[int] = Counter()
    for lost, ways in damage.items():
        removed[lost // MODEL_WOUNDS] += ways
    return (*stages, damage, dyce.H(removed))


def request(document: dict[str, Any]) -> AttackInput:
    return AttackInput.model_validate(document)


def front_door(document: dict[str, Any]) -> Any:
    return call("warhammer40k.attack", document)


SQUAD_INPUT = request(SQUAD)


def five_distributions() -> tuple[Any, ...]:
    """What the other libraries are asked for."""
    outcome = resolve(SQUAD_INPUT)
    return outcome.hits, outcome.wounds, outcome.unsaved, outcome.damage, outcome.destroyed


BENCHMARKS = [
    Benchmark("20 attacks into ten 2-wound models, whole document", lambda: front_door(SQUAD), with_icepool,
              "icepool", budget=0.002, at_least=1, repeats=100, baseline_repeats=20),
    Benchmark("the same against dyce", lambda: front_door(SQUAD), with_dyce,
              "dyce", budget=0.002, at_least=1, repeats=100, baseline_repeats=20),
    Benchmark("its five distributions, no documents", five_distributions, with_dyce,
              "dyce", budget=0.002, at_least=1, repeats=100, baseline_repeats=20),
    Benchmark("wounds lost alone", lambda: resolve(SQUAD_INPUT).damage, with_icepool,
              "icepool", budget=0.002, repeats=100),
    Benchmark("100 attacks with everything on", lambda: front_door(EVERYTHING), budget=0.050),
    Benchmark("100 attacks, Sustained D3, Lethal and Devastating together", lambda: front_door(TOGETHER), budget=0.015),
    Benchmark("20 devastating attacks into a led squad, two orders", lambda: call("warhammer40k.mixed", LED_SQUAD),
              budget=0.015),
    Benchmark("four variable weapons, two kinds of devastating", lambda: front_door(VARIED), budget=0.100),
    Benchmark("best reroll policy of 16", lambda: best_rerolls(request(FISHING), "wipe"), budget=0.500, repeats=10),
    Benchmark("a million simulated sequences", lambda: simulate(SQUAD_INPUT, 1_000_000, 1), budget=3.0, repeats=3),
]  # fmt: skip

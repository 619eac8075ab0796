"""Kill Team: shots, fights and matrices, dice worked out anew each time (what is remembered is forgotten first)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.harness import Benchmark
from engine.killteam.fight import fight
from engine.killteam.fight.line import best_line
from engine.killteam.fight.matrix import matrix as fight_matrix
from engine.killteam.pool import distribution
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Strategy
from engine.killteam.shoot import by_save, kill_grid, matrix, shoot

RIFLE = Attacker.model_validate({"numDice": 6, "diceStat": 3, "normDmg": 3, "critDmg": 4, "reroll": "balanced"})
TARGET = Defender.model_validate({"numDice": 4, "diceStat": 4, "wounds": 12, "reroll": "balanced"})
CANNON = Attacker.model_validate(
    {"numDice": 10, "diceStat": 4, "normDmg": 4, "critDmg": 6, "mwx": 2, "px": 1, "reroll": "most_common_fail"}
)
WALL = Defender.model_validate({"numDice": 8, "diceStat": 3, "wounds": 20, "reroll": "most_common_fail", "fnp": 5})
KNIFE = Fighter.model_validate({"numDice": 5, "diceStat": 3, "normDmg": 4, "critDmg": 5, "wounds": 14})
BLADE = Fighter.model_validate({"numDice": 10, "diceStat": 3, "normDmg": 3, "critDmg": 5, "wounds": 20})
CLUB = Fighter.model_validate({"numDice": 10, "diceStat": 4, "normDmg": 4, "critDmg": 6, "wounds": 20})
BRUTE = BLADE.changed(num_dice=12, wounds=40)
GIANT = BLADE.changed(num_dice=20, wounds=99)

ATTACKERS = [
    RIFLE.changed(num_dice=4 + i % 3, dice_stat=2 + i % 4, crit_dmg=4 + i % 5, apx=i % 3, mwx=i % 4) for i in range(50)
]
DEFENDERS = [TARGET.changed(num_dice=3 + i % 2, dice_stat=2 + i % 5, wounds=6 + i % 15) for i in range(50)]
#: Twenty usual operatives a side: three to five dice, seven to fifteen wounds, a rule for every other one.
BRAWLERS = [
    KNIFE.changed(num_dice=3 + i % 3, dice_stat=3 + i % 3, norm_dmg=3 + i % 3, crit_dmg=4 + i % 4, wounds=7 + i % 9)
    for i in range(20)
]
OPPONENTS = [
    KNIFE.changed(
        num_dice=3 + i % 3,
        dice_stat=2 + i % 4,
        norm_dmg=3 + i % 2,
        crit_dmg=4 + i % 3,
        wounds=8 + i % 8,
        abilities=[["rending"], [], ["storm_shield"], []][i % 4],
    )
    for i in range(20)
]


def anew(question: Callable[[], object]) -> Callable[[], object]:
    def ask() -> object:
        distribution.cache_clear()
        return question()

    return ask


def both(plan: Strategy, rounds: int = 1) -> FightOptions:
    return FightOptions(strategy1=plan, strategy2=plan, num_rounds=rounds)


MAX, BEST = Strategy.MAX_DMG_TO_ENEMY, Strategy.OPTIMAL

BENCHMARKS = [
    Benchmark("shoot 6 v 4, balanced", anew(lambda: shoot(RIFLE, TARGET)), budget=1e-3, repeats=200),
    Benchmark("shoot 10 v 8, ceaseless", anew(lambda: shoot(CANNON, WALL)), budget=3e-3, repeats=200),
    Benchmark(
        "shoot by save 2+…6+ with kill grid 1…24",
        anew(lambda: kill_grid(by_save(RIFLE, TARGET), range(1, 25))),
        budget=5e-3,
        repeats=100,
    ),
    Benchmark("shoot matrix 50 × 50", anew(lambda: matrix(ATTACKERS, DEFENDERS)), budget=0.1, repeats=5),
    Benchmark(
        "fight matrix 20 × 20, perfect play, either striking first",
        anew(lambda: list(fight_matrix(BRAWLERS, OPPONENTS, both(BEST)))),
        budget=2.0,
        repeats=3,
    ),
    Benchmark("fight 5 v 5, strike", anew(lambda: fight(KNIFE, KNIFE, both(Strategy.STRIKE))), budget=5e-3),
    Benchmark("fight 5 v 5, max damage", anew(lambda: fight(KNIFE, KNIFE, both(MAX))), budget=5e-3),
    Benchmark("fight 5 v 5, optimal", anew(lambda: fight(KNIFE, KNIFE, both(BEST))), budget=5e-3),
    Benchmark(
        "fight 10 v 10, 20 wounds, 5 rounds, max damage", anew(lambda: fight(BLADE, CLUB, both(MAX, 5))), budget=50e-3
    ),
    Benchmark(
        "fight 10 v 10, 20 wounds, 5 rounds, optimal", anew(lambda: fight(BLADE, CLUB, both(BEST, 5))), budget=50e-3
    ),
    Benchmark(
        "fight 5 v 5, Feel No Pain, optimal", anew(lambda: fight(KNIFE, KNIFE.changed(fnp=5), both(BEST))), repeats=10
    ),
    Benchmark(
        "fight 12 v 12, 40 wounds, 3 rounds, max damage", anew(lambda: fight(BRUTE, BRUTE, both(MAX, 3))), repeats=5
    ),
    Benchmark(
        "fight 12 v 12, 40 wounds, 3 rounds, optimal", anew(lambda: fight(BRUTE, BRUTE, both(BEST, 3))), repeats=5
    ),
    *(
        Benchmark(f"fight 20 v 20, 99 wounds, {plan}", anew(partial(fight, GIANT, GIANT, both(plan))), repeats=3)
        for plan in (Strategy.STRIKE, MAX, BEST)
    ),
    Benchmark(
        "fight 20 v 20, 99 wounds, 2 rounds, optimal", anew(partial(fight, GIANT, GIANT, both(BEST, 2))), repeats=1
    ),
    Benchmark(
        "fight 12 v 12, 40 wounds, Feel No Pain, optimal",
        anew(lambda: fight(BRUTE, BRUTE.changed(fnp=5), both(BEST))),
        repeats=3,
    ),
    Benchmark("best line, 5 v 5 dice", lambda: best_line(KNIFE, KNIFE, (2, 3), (2, 3), both(BEST)), repeats=10),
]

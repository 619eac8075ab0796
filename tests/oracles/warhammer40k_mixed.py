"""Units of different models the slow, obvious way: every model by itself, every face of every die, exact fractions.

Faces, saves and damage come from the plain enumerator beside this file; who takes a wound is decided here, looking at
the models on the table and nothing else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from tests.oracles.warhammer40k import D6, DEFENDER, WEAPON, Dist, Sequence, expr, then

GROUP = {"models": 1, "save": 7, "invulnerable": 0, "wounds": 1, "feel_no_pain": 0, "feel_no_pain_mortal": 0,
         "damage_reduction": 0, "halve_damage": False, "wounds_already_lost": 0, "points": 0,
         "leader": False}  # fmt: skip
#: The state of a fight: wounds left on every model.
Table = tuple[int, ...]


class Unit:
    """A unit on the table."""

    def __init__(self, unit: dict[str, Any]) -> None:
        self.unit = unit
        self.groups = [GROUP | group for group in unit["groups"]]
        self.group_of = [at for at, group in enumerate(self.groups) for _ in range(group["models"])]
        self.full = [self.groups[at]["wounds"] for at in self.group_of]
        guards = [at for at, group in enumerate(self.groups) if not group["leader"]]
        self.guards = guards or list(range(len(self.groups)))
        self.leaders = [at for at in range(len(self.groups)) if at not in self.guards]

    def start(self) -> Table:
        left, hurt = list(self.full), set()
        for at, group in enumerate(self.group_of):
            if group not in hurt:
                left[at] -= self.groups[group]["wounds_already_lost"]
                hurt.add(group)
        return tuple(left)

    def toughness(self) -> int:
        of = [self.groups[at]["toughness"] for at in self.group_of if at in self.guards]
        if self.unit.get("toughness", "highest") == "highest":
            return max(of)
        counted = Counter(of)
        return max(t for t in counted if counted[t] == max(counted.values()))

    def facing(self, group: int) -> dict[str, Any]:
        shared = {name: value for name, value in self.unit.items() if name in DEFENDER and name != "toughness"}
        own = {name: self.groups[group][name] for name in GROUP if name in DEFENDER}
        return {**shared, **own, "models": len(self.full), "toughness": self.toughness(), "wounds_already_lost": 0}

    def taker(self, table: Table, order: list[int], *, precision: bool) -> int | None:
        """The model the next wound goes to."""
        ranks = [self.leaders, order] if precision else [order, self.leaders]
        for rank in ranks:
            living = [at for at, left in enumerate(table) if left > 0 and self.group_of[at] in rank]
            if living:
                hurt = [at for at in living if table[at] < self.full[at]]
                return min(hurt or living, key=lambda at: (rank.index(self.group_of[at]), at))
        return None


def _hurt(table: Table, model: int, points: int) -> Table:
    return (*table[:model], max(0, table[model] - points), *table[model + 1 :])


def _attack(seq: Sequence) -> Dist[tuple[bool, ...]]:
    """The wounds one attack die makes: is each critical?"""

    def wounds(number: int) -> Dist[tuple[bool, ...]]:
        made: Dist[tuple[bool, ...]] = {(): Fraction(1)}
        for _ in range(number):
            made = then(
                made,
                lambda so_far: then(
                    seq.wound_roll(),
                    lambda r, so_far=so_far: {so_far if r == "fail" else (*so_far, r == "crit"): Fraction(1)},
                ),
            )
        return made

    def hit(result: str) -> Dist[tuple[bool, ...]]:
        if result == "fail":
            return {(): Fraction(1)}
        if result != "crit":
            return wounds(1)
        if not seq.takes_lethal():
            return then(expr(seq.w["sustained_hits"]), lambda extra: wounds(1 + extra))
        return then(
            expr(seq.w["sustained_hits"]),
            lambda extra: then(wounds(extra), lambda more: {(False, *more): Fraction(1)}),
        )

    return then(seq.hit_roll(), hit)


def _volley(seq: Sequence) -> Dist[tuple[bool, ...]]:
    per_five = int(seq.w["blast"]) * (seq.d["models"] // 5)
    one = _attack(seq)

    def dice(number: int) -> Dist[tuple[bool, ...]]:
        made: Dist[tuple[bool, ...]] = {(): Fraction(1)}
        for _ in range(number):
            made = then(made, lambda a: then(one, lambda b, a=a: {tuple(sorted(a + b)): Fraction(1)}))
        return made

    total: Dist[int] = {0: Fraction(1)}
    for _ in range(seq.w["count"]):
        total = then(total, lambda a: then(expr(seq.w["attacks"]), lambda b, a=a: {a + b + per_five: Fraction(1)}))
    return then(total, dice)


def fight(weapons: list[dict[str, Any]], unit: dict[str, Any], rules: dict[str, Any], order: list[int]) -> Dist[Table]:
    """The tables there can be when all weapons have fired at the unit, its bodyguards in this order."""
    here = Unit(unit)
    eleventh = rules.get("edition") == "eleventh"
    #: (table, devastating wounds waiting as weapon numbers, mortal wounds waiting)
    situations: Dist[Any] = {(here.start(), (), 0): Fraction(1)}
    for number, weapon in enumerate(weapons):
        filled = WEAPON | weapon
        facing = [Sequence(filled, here.facing(at), rules) for at in range(len(here.groups))]
        if filled["type"] == "mortal":
            for _ in range(filled["count"]):
                situations = then(
                    situations,
                    lambda s, w=filled: then(
                        expr(w["mortal_wounds"]), lambda n, s=s: {(s[0], s[1], s[2] + n): Fraction(1)}
                    ),
                )
            continue
        first = facing[here.guards[0]]
        volley = _volley(first)
        situations = then(
            situations,
            lambda s, volley=volley, w=filled, facing=facing, number=number: then(
                volley,
                lambda wounds, s=s: _resolve(here, s, wounds, w, facing, order, number, eleventh=eleventh),
            ),
        )
    done: Dist[Table] = defaultdict(Fraction)
    for (table, waiting, mortals), p in situations.items():
        for after, q in _settle(here, table, waiting, mortals, weapons, rules, order).items():
            done[after] += p * q
    return dict(done)


def _resolve(
    here: Unit, situation: Any, wounds: tuple[bool, ...], w: dict[str, Any], facing: list[Sequence],
    order: list[int], number: int, *, eleventh: bool,
) -> Dist[Any]:  # fmt: skip
    table, waiting, mortals = situation
    devastating = facing[0].devastating
    criticals = sum(wounds)
    waits = (*waiting, *([number] * criticals if devastating else ()))
    to_save = len(wounds) - (criticals if devastating else 0)
    extra: Dist[int] = {mortals: Fraction(1)}
    for _ in range(criticals):
        extra = then(extra, lambda m: {m + n: p for n, p in expr(w["extra_mortals_on_crit_wound"]).items()})
    precision = bool(w.get("precision"))

    def landed(model: int | None, table: Table, failed: bool) -> Dist[Table]:
        if model is None or not failed:
            return {table: Fraction(1)}
        struck = facing[here.group_of[model]].damage_roll(mortal=False)
        return then(struck, lambda points: {_hurt(table, model, points): Fraction(1)})

    def one_by_one(left: int, table: Table) -> Dist[Table]:
        if not left:
            return {table: Fraction(1)}
        model = here.taker(table, order, precision=precision)
        if model is None:
            return {table: Fraction(1)}
        rolled = facing[here.group_of[model]].save_roll()
        return then(
            then(rolled, lambda r: landed(model, table, r == "fail")), lambda after: one_by_one(left - 1, after)
        )

    def lowest_first(left: int) -> Dist[Table]:
        outcomes: Dist[Table] = defaultdict(Fraction)
        for faces in product(D6, repeat=left):
            tables: Dist[Table] = {table: Fraction(1)}
            for face in sorted(faces):

                def applied(now: Table, face: int = face) -> Dist[Table]:
                    model = here.taker(now, order, precision=precision)
                    failed = model is not None and facing[here.group_of[model]].save_face(face) == "fail"
                    return landed(model, now, failed)

                tables = then(tables, applied)
            for after, p in tables.items():
                outcomes[after] += p / 6**left
        return dict(outcomes)

    tables = lowest_first(to_save) if eleventh else one_by_one(to_save, table)
    return then(tables, lambda after: then(extra, lambda m: {(after, waits, m): Fraction(1)}))


def _settle(
    here: Unit, table: Table, waiting: tuple[int, ...], mortals: int, weapons: list[dict[str, Any]],
    rules: dict[str, Any], order: list[int],
) -> Dist[Table]:  # fmt: skip
    tables: Dist[Table] = {table: Fraction(1)}
    for number in waiting:
        weapon = WEAPON | weapons[number]

        def struck(now: Table, weapon: dict[str, Any] = weapon) -> Dist[Table]:
            model = here.taker(now, order, precision=bool(weapon.get("precision")))
            if model is None:
                return {now: Fraction(1)}
            seq = Sequence(weapon, here.facing(here.group_of[model]), rules)
            return then(seq.damage_roll(mortal=True), lambda points: {_hurt(now, model, points): Fraction(1)})

        tables = then(tables, struck)
    for _ in range(mortals):

        def felt(now: Table) -> Dist[Table]:
            model = here.taker(now, order, precision=False)
            if model is None:
                return {now: Fraction(1)}
            seq = Sequence(WEAPON, here.facing(here.group_of[model]), rules)
            return then(seq.felt(1, mortal=True), lambda points: {_hurt(now, model, points): Fraction(1)})

        tables = then(tables, felt)
    return tables


def loss(unit: dict[str, Any], tables: Dist[Table]) -> Fraction:
    """Expected points of the models removed; models where there are no points."""
    here = Unit(unit)
    points = [Fraction(group["points"]) for group in here.groups]
    worth = points if any(points) else [Fraction(1)] * len(points)
    return sum(
        (p * worth[here.group_of[at]] for table, p in tables.items() for at, left in enumerate(table) if not left),
        Fraction(0),
    )


def best(weapons: list[dict[str, Any]], unit: dict[str, Any], rules: dict[str, Any]) -> tuple[list[int], Dist[Table]]:
    """The order of bodyguards that loses least, and what comes of it."""
    orders = [list(order) for order in permutations(Unit(unit).guards)]
    tried = [(order, fight(weapons, unit, rules, order)) for order in orders]
    return min(tried, key=lambda one: loss(unit, one[1]))


def counted(unit: dict[str, Any], tables: Dist[Table]) -> dict[str, Dist[int]]:
    """Wounds lost and models removed."""
    here = Unit(unit)
    damage: Dist[int] = defaultdict(Fraction)
    destroyed: Dist[int] = defaultdict(Fraction)
    for table, p in tables.items():
        damage[sum(here.start()) - sum(table)] += p
        destroyed[sum(not left for left in table)] += p
    return {"damage": dict(damage), "destroyed": dict(destroyed)}

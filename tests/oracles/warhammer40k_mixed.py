"""Units of different models the slow, obvious way: every model by itself, every face of every die, exact fractions.

Faces, saves and damage come from the plain enumerator beside this file; who takes a wound is decided here, looking at
the models on the table and nothing else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from tests.oracles.warhammer40k import D6, DEFENDER, WEAPON, Dist, Sequence, added, expr, then

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

    def one_more(made: tuple[bool, ...]) -> Dist[tuple[bool, ...]]:
        return then(seq.wound_roll(), lambda r: {made if r == "fail" else (*made, r == "crit"): Fraction(1)})

    def wounds(number: int, first: tuple[bool, ...] = ()) -> Dist[tuple[bool, ...]]:
        made: Dist[tuple[bool, ...]] = {first: Fraction(1)}
        for _ in range(number):
            made = then(made, one_more)
        return made

    def hit(result: str) -> Dist[tuple[bool, ...]]:
        if result == "fail":
            return {(): Fraction(1)}
        if result != "crit":
            return wounds(1)
        lethal = seq.takes_lethal()
        sustained = expr(seq.w["sustained_hits"])
        return then(sustained, lambda extra: wounds(extra, (False,)) if lethal else wounds(1 + extra))

    return then(seq.hit_roll(), hit)


def _volley(seq: Sequence) -> Dist[tuple[bool, ...]]:
    weapon: dict[str, Any] = seq.w
    unit: dict[str, Any] = seq.d
    per_five = int(weapon["blast"]) * (unit["models"] // 5)
    one = _attack(seq)

    def one_more(made: tuple[bool, ...]) -> Dist[tuple[bool, ...]]:
        return then(one, lambda more: {tuple(sorted(made + more)): Fraction(1)})

    def dice(number: int) -> Dist[tuple[bool, ...]]:
        made: Dist[tuple[bool, ...]] = {(): Fraction(1)}
        for _ in range(number):
            made = then(made, one_more)
        return made

    def one_more_weapon(attacks: int) -> Dist[int]:
        return {attacks + more + per_five: p for more, p in expr(weapon["attacks"]).items()}

    total: Dist[int] = {0: Fraction(1)}
    for _ in range(weapon["count"]):
        total = then(total, one_more_weapon)
    return then(total, dice)


def fight(weapons: list[dict[str, Any]], unit: dict[str, Any], rules: dict[str, Any], order: list[int]) -> Dist[Table]:
    """The tables there can be when all weapons have fired at the unit, its bodyguards in this order."""
    here = Unit(unit)
    #: (table, devastating wounds waiting as weapon numbers, mortal wounds waiting)
    situations: Dist[Any] = {(here.start(), (), 0): Fraction(1)}
    for number, weapon in enumerate(weapons):
        situations = then(situations, _fired(here, number, WEAPON | weapon, rules, order))
    done: Dist[Table] = defaultdict(Fraction)
    for (table, waiting, mortals), p in situations.items():
        for after, q in _settle(here, table, waiting, mortals, weapons, rules, order).items():
            done[after] += p * q
    return dict(done)


def _fired(
    here: Unit, number: int, weapon: dict[str, Any], rules: dict[str, Any], order: list[int]
) -> Callable[[Any], Dist[Any]]:
    """What a weapon makes of a situation."""
    if weapon["type"] == "mortal":

        def bombed(situation: Any) -> Dist[Any]:
            table, waiting, mortals = situation
            total: Dist[int] = {mortals: Fraction(1)}
            for _ in range(weapon["count"]):
                total = added(total, expr(weapon["mortal_wounds"]))
            return {(table, waiting, n): p for n, p in total.items()}

        return bombed
    facing = [Sequence(weapon, here.facing(at), rules) for at in range(len(here.groups))]
    volley = _volley(facing[here.guards[0]])
    eleventh = rules.get("edition") == "eleventh"

    def shot(situation: Any) -> Dist[Any]:
        return then(
            volley,
            lambda wounds: _resolve(here, situation, wounds, weapon, facing, order, number, eleventh=eleventh),
        )

    return shot


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
        extra = added(extra, expr(w["extra_mortals_on_crit_wound"]))
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


def least_loss(weapons: list[dict[str, Any]], unit: dict[str, Any]) -> Fraction:
    """The least expected loss of a defender of the tenth edition who decides wound by wound: every choice is tried.

    A model that is wounded, or that has had a wound allocated to it, takes the next one; otherwise any model of the
    rank may. Known are the table, the wounds of this weapon still to come and the devastating ones that wait.
    """
    here = Unit(unit)
    rules = {"edition": "tenth"}
    facing = [[Sequence(WEAPON | w, here.facing(g), rules) for g in range(len(here.groups))] for w in weapons]
    free = [Sequence(WEAPON, here.facing(g), rules) for g in range(len(here.groups))]
    points = [Fraction(group["points"]) for group in here.groups]
    worth = points if any(points) else [Fraction(1)] * len(points)

    def candidates(table: Table, bound: int | None, *, precision: bool) -> list[int]:
        if precision:
            model = here.taker(table, here.guards, precision=True)
            return [] if model is None else [model]
        for rank in (here.guards, here.leaders):
            living = [at for at, left in enumerate(table) if left > 0 and here.group_of[at] in rank]
            if living:
                hurt = [at for at in living if table[at] < here.full[at]]
                return hurt or ([bound] if bound in living else living)
        return []

    def least(
        table: Table, bound: int | None, hit: Callable[[int], Dist[int]], after: Callable[..., Fraction], *,
        precision: bool = False,
    ) -> Fraction:  # fmt: skip
        """One wound on the model that makes the rest cheapest."""
        models = candidates(table, bound, precision=precision)

        def price(model: int) -> Fraction:
            total = Fraction(0)
            for lost, p in hit(model).items():
                now = _hurt(table, model, lost)
                total += p * after(now, bound if precision else model if now[model] > 0 else None)
            return total

        return min(map(price, models)) if models else after(table, bound)

    def struck(number: int, model: int) -> Dist[int]:
        """Damage of a wound of this weapon, its save included."""
        seq = facing[number][here.group_of[model]]
        return then(seq.save_roll(), lambda r: seq.damage_roll(mortal=False) if r == "fail" else {0: Fraction(1)})

    @cache
    def mortal(left: int, table: Table, bound: int | None) -> Fraction:
        if not left:
            return sum((worth[here.group_of[at]] for at, wounds in enumerate(table) if not wounds), Fraction(0))
        return least(
            table,
            bound,
            lambda model: free[here.group_of[model]].felt(1, mortal=True),
            lambda now, next_bound: mortal(left - 1, now, next_bound),
        )

    def mortals_rolled(triggers: tuple[int, ...], table: Table, bound: int | None) -> Fraction:
        total: Dist[int] = {0: Fraction(1)}
        for number, weapon in enumerate(WEAPON | w for w in weapons):
            if weapon["type"] == "mortal":
                for _ in range(weapon["count"]):
                    total = added(total, expr(weapon["mortal_wounds"]))
            for _ in range(triggers[number]):
                total = added(total, expr(weapon["extra_mortals_on_crit_wound"]))
        return sum((p * mortal(n, table, bound) for n, p in total.items()), Fraction(0))

    @cache
    def devastated(number: int, left: int, triggers: tuple[int, ...], table: Table, bound: int | None) -> Fraction:
        if number == len(weapons):
            return mortals_rolled(triggers, table, bound)
        if not left:
            following = number + 1
            more = following < len(weapons) and facing[following][0].devastating
            return devastated(following, triggers[following] if more else 0, triggers, table, bound)
        return least(
            table,
            bound,
            lambda model: facing[number][here.group_of[model]].damage_roll(mortal=True),
            lambda now, next_bound: devastated(number, left - 1, triggers, now, next_bound),
            precision=bool(weapons[number].get("precision")),
        )

    @cache
    def saved(number: int, left: int, triggers: tuple[int, ...], table: Table, bound: int | None) -> Fraction:
        if not left:
            return fired(number + 1, triggers, table, bound)
        return least(
            table,
            bound,
            lambda model: struck(number, model),
            lambda now, next_bound: saved(number, left - 1, triggers, now, next_bound),
            precision=bool(weapons[number].get("precision")),
        )

    @cache
    def fired(number: int, triggers: tuple[int, ...], table: Table, bound: int | None) -> Fraction:
        if number == len(weapons):
            return devastated(-1, 0, triggers, table, bound)
        if (WEAPON | weapons[number])["type"] == "mortal":
            return fired(number + 1, (*triggers, 0), table, bound)
        seq = facing[number][here.guards[0]]
        total = Fraction(0)
        for wounds, p in _volley(seq).items():
            waits = sum(wounds)
            to_save = len(wounds) - (waits if seq.devastating else 0)
            total += p * saved(number, to_save, (*triggers, waits), table, bound)
        return total

    return fired(0, (), here.start(), None)


def counted(unit: dict[str, Any], tables: Dist[Table]) -> dict[str, Dist[int]]:
    """Wounds lost and models removed."""
    here = Unit(unit)
    damage: Dist[int] = defaultdict(Fraction)
    destroyed: Dist[int] = defaultdict(Fraction)
    for table, p in tables.items():
        damage[sum(here.start()) - sum(table)] += p
        destroyed[sum(not left for left in table)] += p
    return {"damage": dict(damage), "destroyed": dict(destroyed)}

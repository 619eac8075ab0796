"""Which dice to roll again: against every set of dice a rule lets one pick up, every face listed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.killteam.fight import fight
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Reroll, ShootOptions, Strategy
from engine.killteam.rerolls import FightRerolls, fight_reroll_choices, hand_of, reroll_choices
from engine.killteam.shoot import shoot
from engine.wire import EngineError
from tests.oracles import killteam as oracle


def subsets(places: Iterable[int]) -> Iterator[tuple[int, ...]]:
    places = list(places)
    return chain.from_iterable(combinations(places, size) for size in range(len(places) + 1))


def may_pick(rule: str, faces: list[int], places: tuple[int, ...]) -> bool:
    """A rule's own sentence, about dice by their place."""
    picked = [faces[at] for at in places]
    singles = {"balanced": 1, "double_balanced": 2, "ones_plus_balanced": 1, "ceaseless_plus_balanced": 1}.get(rule, 0)
    if rule in ("relentless", "crit_fish_relentless"):
        return True
    for spared in combinations(range(len(picked)), min(singles, len(picked))):
        rest = [face for at, face in enumerate(picked) if at not in spared]
        if not rest:
            return True
        if rule in ("reroll_ones", "ones_plus_balanced") and set(rest) == {1}:
            return True
        if rule in ("most_common_fail", "ceaseless_plus_balanced") and len(set(rest)) == 1:
            return True
    return False


def listed(attacker: Attacker, defender: Defender, faces: list[int], places: tuple[int, ...]) -> dict[int, Fraction]:
    """Damage after rolling these dice again, by listing all faces they may show."""
    attack: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for new in product(oracle.FACES, repeat=len(places)):
        final = list(faces)
        for at, face in zip(places, new, strict=True):
            final[at] = face
        kinds = Counter(oracle.kind(face, attacker.dice_stat, attacker.crit_on) for face in final)
        hits = oracle.change_dice(kinds["c"], kinds["n"], kinds["f"], attacker.abilities)
        attack[hits] += Fraction(1, 6 ** len(places))
    plain = oracle.dice(defender.num_dice - attacker.apx, defender.dice_stat)
    return oracle.shoot(attack, plain, plain, attacker.norm_dmg, attacker.crit_dmg, attacker.mwx)


ROLLS = [[1, 1, 2, 6], [2, 2, 3, 5], [1, 2, 3, 4], [6, 6, 1, 1], [3, 3, 4, 4]]


@pytest.mark.parametrize("rule", [kind.value for kind in Reroll])
@pytest.mark.parametrize("faces", ROLLS, ids=str)
def test_every_choice_is_weighed_and_none_is_invented(rule: str, faces: list[int]) -> None:
    attacker = Attacker(num_dice=4, dice_stat=4, norm_dmg=3, crit_dmg=5, mwx=1, reroll=rule, abilities=("rending",))
    defender = Defender(num_dice=2, dice_stat=4, wounds=7)
    choices = reroll_choices(attacker, defender, faces)
    expected = {}
    for places in subsets(range(4)):
        if may_pick(rule, faces, places):
            kinds = tuple(sorted(oracle.kind(faces[at], 4, 6) for at in places))
            damage = listed(attacker, defender, faces, places)
            kill = float(sum(p for d, p in damage.items() if d >= 7))
            expected[kinds] = (kill, float(sum(min(d, 7) * p for d, p in damage.items())))
    found = {tuple(sorted(oracle.kind(face, 4, 6) for face in one.faces)): (one.p_kill, one.damage) for one in choices}
    assert found.keys() == expected.keys()
    for kinds, (kill, mean) in expected.items():
        assert found[kinds] == pytest.approx((kill, mean), abs=1e-12)
    assert choices[0].p_kill == pytest.approx(max(kill for kill, _ in expected.values()))
    assert [one.p_kill for one in choices] == sorted((one.p_kill for one in choices), reverse=True)


def test_dice_kept_as_they_are_are_worth_what_the_shot_is() -> None:
    """Averaged over all rolls, no re-roll at all is the plain shot."""
    attacker = Attacker(num_dice=2, dice_stat=3, norm_dmg=3, crit_dmg=4)
    defender = Defender(num_dice=1, dice_stat=4, wounds=6)
    total = sum(reroll_choices(attacker, defender, list(faces))[0].p_kill for faces in product(oracle.FACES, repeat=2))
    assert total / 36 == pytest.approx(shoot(attacker, defender).p_kill, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=4, max_size=4), st.integers(1, 12))
def test_a_freer_rule_never_does_worse(faces: list[int], wounds: int) -> None:
    defender = Defender(num_dice=3, dice_stat=4, wounds=wounds)
    best = {
        rule: reroll_choices(Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=5, reroll=rule), defender, faces)[
            0
        ].p_kill
        for rule in ("none", "balanced", "most_common_fail", "ceaseless_plus_balanced", "relentless")
    }
    assert best["none"] <= best["balanced"] + 1e-12
    assert best["balanced"] <= best["ceaseless_plus_balanced"] + 1e-12
    assert best["most_common_fail"] <= best["ceaseless_plus_balanced"] + 1e-12
    assert best["ceaseless_plus_balanced"] <= best["relentless"] + 1e-12


def test_a_normal_hit_is_given_up_where_only_a_critical_kills() -> None:
    attacker = Attacker(num_dice=1, dice_stat=3, norm_dmg=3, crit_dmg=9, reroll="balanced")
    best = reroll_choices(attacker, Defender(wounds=9), [4])[0]
    assert best.faces == (4,)
    assert best.p_kill == pytest.approx(1 / 6)


@pytest.mark.parametrize("rolled", [[1, 2], [1, 2, 3, 7], []])
def test_dice_that_cannot_have_been_rolled_are_refused(rolled: list[int]) -> None:
    attacker = Attacker(num_dice=4, dice_stat=3)
    with pytest.raises(EngineError, match="Enter the 4 dice rolled"):
        reroll_choices(attacker, Defender(wounds=5), rolled, ShootOptions())


# -- fights -----------------------------------------------------------------------------------------------------------

PERFECT = FightOptions(strategy1=Strategy.OPTIMAL, strategy2=Strategy.OPTIMAL)
KNIFE = Fighter(num_dice=3, dice_stat=4, norm_dmg=3, crit_dmg=5, wounds=8)
AXE = Fighter(num_dice=2, dice_stat=3, norm_dmg=4, crit_dmg=5, wounds=7, abilities=("brutal",))


def man(side: Fighter, hand: tuple[int, int]) -> oracle.Man:
    return oracle.Man(side.norm_dmg, side.crit_dmg, frozenset(side.abilities), *hand, side.wounds, side.wounds)


def walked(own: Fighter, foe: Fighter, hands: tuple[tuple[int, int], tuple[int, int]], own_first: bool) -> Fraction:
    """P(kill) − P(be killed) for ``own`` from hands on the table, by walking the whole game."""
    men = [man(own, hands[0]), man(foe, hands[1])]
    value = {
        (a, b): (Fraction((b == 0) - (a == 0)), Fraction(a - b))
        for a in range(own.wounds + 1)
        for b in range(foe.wounds + 1)
    }
    if own_first:
        return oracle.game_value(tuple(men), 0, ("optimal", "optimal"), value)[0]
    turned = {(b, a): (-win, -margin) for (a, b), (win, margin) in value.items()}
    return -oracle.game_value(tuple(men[::-1]), 0, ("optimal", "optimal"), turned)[0]


def listed_fight(
    own: Fighter, foe: Fighter, faces: list[int], places: tuple[int, ...], foe_hand: tuple[int, int], own_first: bool
) -> float:
    total = Fraction(0)
    for new in product(oracle.FACES, repeat=len(places)):
        final = list(faces)
        for at, face in zip(places, new, strict=True):
            final[at] = face
        kinds = Counter(oracle.kind(face, own.dice_stat, own.crit_on) for face in final)
        hand = oracle.change_dice(kinds["c"], kinds["n"], kinds["f"], own.abilities)
        total += walked(own, foe, (hand, foe_hand), own_first)
    return float(total / 6 ** len(places))


@pytest.mark.parametrize("rule", ["balanced", "most_common_fail", "relentless", "ones_plus_balanced"])
@pytest.mark.parametrize("faces", [[1, 1, 6], [2, 4, 5], [1, 2, 3]], ids=str)
@pytest.mark.parametrize(("who", "first"), [(1, 1), (1, 2), (2, 1)])
def test_rerolls_of_a_fight_are_those_of_walking_every_fight(rule: str, faces: list[int], who: int, first: int) -> None:
    own = KNIFE.changed(reroll=rule, abilities=("rending",))
    fighters = (own, AXE) if who == 1 else (AXE, own)
    options = PERFECT.model_copy(update={"first_fighter": first})
    choices = fight_reroll_choices(fighters, faces, who=who, foe=(1, 1), options=options)
    expected = {}
    for places in subsets(range(3)):
        if may_pick(rule, faces, places):
            kinds = tuple(sorted(oracle.kind(faces[at], 4, 6) for at in places))
            expected[kinds] = listed_fight(own, AXE, faces, places, (1, 1), who == first)
    found = {tuple(sorted(oracle.kind(face, 4, 6) for face in one.faces)): one.win for one in choices}
    assert found == pytest.approx(expected, abs=1e-12)
    assert choices[0].win == pytest.approx(max(expected.values()))


def test_an_enemy_still_to_roll_is_averaged_over() -> None:
    """Over all rolls of one's own, no re-roll at all is the plain fight."""
    own, options = KNIFE.changed(num_dice=2), PERFECT.model_copy(update={"num_rounds": 2})
    rolls = list(product(oracle.FACES, repeat=2))
    worth = [fight_reroll_choices((own, AXE), list(faces), options=options)[0] for faces in rolls]
    plain = fight(own, AXE, options)
    assert sum(one.win for one in worth) / 36 == pytest.approx(plain.p_kill1 - plain.p_kill2, abs=1e-12)
    margin = plain.wounds1.mean - plain.wounds2.mean
    assert sum(one.margin for one in worth) / 36 == pytest.approx(margin, abs=1e-12)


def test_feel_no_pain_and_the_dead_are_reckoned_with() -> None:
    tough = AXE.changed(fnp=4)
    best = fight_reroll_choices((KNIFE.changed(reroll="balanced"), tough), [1, 4, 4], foe=(1, 0), options=PERFECT)[0]
    assert best.faces == (1,)
    dead = AXE.changed(wounds=0)
    assert {one.win for one in fight_reroll_choices((KNIFE, dead), [1, 4, 4], options=PERFECT)} == {1.0}


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=3, max_size=3), st.integers(0, 2), st.integers(0, 1))
def test_a_freer_rule_never_does_worse_in_a_fight(faces: list[int], crits: int, norms: int) -> None:
    rules = ("none", "balanced", "ceaseless_plus_balanced", "relentless")
    found = [
        fight_reroll_choices((KNIFE.changed(reroll=rule), AXE), faces, foe=(crits, norms), options=PERFECT)[0].win
        for rule in rules
    ]
    assert found == sorted(found) or found == pytest.approx(sorted(found), abs=1e-12)


def test_a_hand_is_what_the_rules_make_of_the_faces() -> None:
    for faces in product(oracle.FACES, repeat=3):
        kinds = Counter(oracle.kind(face, 4, 6) for face in faces)
        expected = oracle.change_dice(kinds["c"], kinds["n"], kinds["f"], ("severe",))
        assert hand_of(KNIFE.changed(abilities=("severe",)), list(faces)) == expected
    with pytest.raises(EngineError, match="Enter the 3 dice rolled"):
        hand_of(KNIFE, [1, 2])
    assert FightRerolls((KNIFE, AXE), [1, 2, 3]).seconds < 1

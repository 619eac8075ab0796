"""Which dice to roll again: against every set of dice a rule lets one pick up, every face listed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.killteam.profile import Attacker, Defender, Reroll, ShootOptions
from engine.killteam.rerolls import reroll_choices
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

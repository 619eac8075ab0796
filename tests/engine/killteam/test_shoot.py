"""Shooting: against every allocation tried, closed forms, a seeded property and the rules sentence by sentence."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.pmf import Pmf
from engine.killteam.profile import Ability, Attacker, Defender, FnpMode, Reroll, ShootOptions
from engine.killteam.shoot import Shot, by_save, kill_grid, least_damage, shoot
from engine.wire import EngineError
from tests.oracles import killteam as oracle

DEFENCES = [Ability.JUST_A_SCRATCH, Ability.JUST_A_SCRATCH_NORMS, Ability.DURABLE]
DAMAGES = [(3, 4), (1, 7), (2, 4), (2, 5), (5, 3), (4, 4), (0, 4), (3, 0)]


def assert_same(damage: Pmf, expected):
    for value in range(max([damage.high, *expected]) + 1):
        assert damage.exactly(value) == pytest.approx(float(expected.get(value, 0)), abs=1e-12)


@pytest.mark.parametrize(("norm_dmg", "crit_dmg"), DAMAGES)
@pytest.mark.parametrize("abilities", [set(c) for size in range(4) for c in combinations(DEFENCES, size)])
def test_the_defender_never_could_have_saved_better(norm_dmg, crit_dmg, abilities):
    attacker, defender = Attacker(norm_dmg=norm_dmg, crit_dmg=crit_dmg, mwx=1), Defender(abilities=tuple(abilities))
    for crits, norms, s, t in product(range(4), range(4), range(4), range(6)):
        best = min(
            sum(oracle.hit_damages(c, n, norm_dmg, crit_dmg, abilities))
            for c, n in oracle.survivors(crits, norms, s, t, abilities, fire_team=False)
        )
        assert least_damage(attacker, defender, crits, norms, s, t) == best + crits


@pytest.mark.parametrize("fnp_mode", list(FnpMode))
@pytest.mark.parametrize("fire_team", [False, True])
@pytest.mark.parametrize("mwx", [0, 2])
@pytest.mark.parametrize("abilities", [(), ("durable", "just_a_scratch"), ("just_a_scratch_norms",)])
def test_whole_shots_agree_with_trying_everything(fnp_mode, fire_team, mwx, abilities):
    attacker = Attacker(num_dice=3, dice_stat=3, norm_dmg=3, crit_dmg=5, mwx=mwx, apx=0, px=1)
    defender = Defender(num_dice=3, dice_stat=4, fnp=5, abilities=abilities)
    options = ShootOptions(fire_team_rules=fire_team, fnp_mode=fnp_mode, num_rounds=2)
    expected = oracle.shoot(
        oracle.dice(3, 3),
        oracle.dice(3, 4),
        oracle.dice(2, 4),
        3,
        5,
        mwx,
        abilities,
        fire_team,
        fnp=5,
        per_hit=fnp_mode == FnpMode.PER_HIT,
        rounds=2,
    )
    assert_same(shoot(attacker, defender, options).damage, expected)


sides = {
    "num_dice": st.integers(0, 4),
    "dice_stat": st.integers(1, 7),
    "reroll": st.sampled_from(["none", "balanced"]),
    "auto_norms": st.integers(0, 2),
    "auto_crits": st.integers(0, 1),
}


@given(
    st.fixed_dictionaries(sides),
    st.fixed_dictionaries(sides),
    st.sampled_from(DAMAGES),
    st.integers(0, 2),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from([0, 2, 5]),
    st.sampled_from(list(FnpMode)),
    st.sets(st.sampled_from(DEFENCES)),
    st.booleans(),
)
def test_any_small_shot_agrees_with_trying_everything(
    attack, defence, damages, mwx, apx, px, fnp, mode, abilities, fire_team
):
    attacker = Attacker(**attack, norm_dmg=damages[0], crit_dmg=damages[1], mwx=mwx, apx=apx, px=px)
    defender = Defender(**defence, fnp=fnp, abilities=tuple(abilities))

    def saves(removed):
        dice = max(0, defence["num_dice"] - removed)
        return oracle.dice(**{**_oracle(defence), "num_dice": dice})

    expected = oracle.shoot(
        oracle.dice(**_oracle(attack)),
        saves(apx),
        saves(max(apx, px)),
        *damages,
        mwx,
        abilities,
        fire_team,
        fnp,
        mode == FnpMode.PER_HIT,
    )
    assert_same(shoot(attacker, defender, ShootOptions(fire_team_rules=fire_team, fnp_mode=mode)).damage, expected)


def _oracle(side):
    return {("stat" if key == "dice_stat" else key): value for key, value in side.items()}


@given(
    attack=st.fixed_dictionaries(
        {
            "num_dice": st.integers(0, 20),
            "dice_stat": st.integers(1, 7),
            "reroll": st.sampled_from(list(Reroll)),
            "norm_dmg": st.integers(0, 30),
            "crit_dmg": st.integers(0, 30),
            "mwx": st.integers(0, 30),
            "lethal": st.integers(0, 7),
            "apx": st.integers(0, 20),
            "px": st.integers(0, 20),
            "abilities": st.lists(st.sampled_from(list(Ability))),
        }
    ),
    defence=st.fixed_dictionaries(
        {
            "num_dice": st.integers(0, 20),
            "dice_stat": st.integers(1, 7),
            "reroll": st.sampled_from(list(Reroll)),
            "wounds": st.integers(0, 99),
            "fnp": st.integers(0, 6),
            "invuln_save": st.integers(0, 6),
            "hardyx": st.integers(0, 7),
            "auto_norms": st.integers(0, 20),
            "saintly_relics": st.integers(0, 2),
            "abilities": st.lists(st.sampled_from(list(Ability))),
        }
    ),
    options=st.fixed_dictionaries(
        {
            "num_rounds": st.integers(1, 9),
            "fire_team_rules": st.booleans(),
            "fnp_mode": st.sampled_from(list(FnpMode)),
        }
    ),
)
def test_damage_sums_to_one_for_every_legal_shot(attack, defence, options):
    shot = shoot(Attacker(**attack), Defender(**defence), ShootOptions(**options))
    assert shot.damage.p.sum() == pytest.approx(1.0, abs=1e-9)
    assert shot.damage.low >= 0
    most = attack["num_dice"] * (max(attack["norm_dmg"], attack["crit_dmg"]) + attack["mwx"]) * options["num_rounds"]
    assert shot.damage.high <= most
    assert 0.0 <= shot.p_kill <= 1.0


def test_a_shot_without_saves_has_the_binomial_closed_form():
    shot = shoot(Attacker(num_dice=6, dice_stat=3, norm_dmg=1, crit_dmg=1), Defender(wounds=3))
    assert shot.damage.close_to(Pmf.binomial(6, 4 / 6))
    assert shot.p_kill == pytest.approx(Pmf.binomial(6, 4 / 6).at_least(3))


SHOT = Attacker(num_dice=4, dice_stat=3, norm_dmg=3, crit_dmg=4)
TARGET = Defender(num_dice=3, dice_stat=3, wounds=8)


def test_an_invulnerable_save_is_not_pierced():
    target = TARGET.changed(invuln_save=4)
    assert shoot(SHOT.changed(apx=2, px=3), target) == shoot(SHOT, TARGET.changed(dice_stat=4))


def test_piercing_crits_replaces_piercing_and_does_not_add_to_it():
    assert shoot(SHOT.changed(apx=2, px=1), TARGET) == shoot(SHOT.changed(apx=2), TARGET)


def test_piercing_crits_leaves_the_defender_its_abilities():
    attacker = SHOT.changed(auto_crits=4, px=1)  # certainly a critical: always the pierced dice
    target = TARGET.changed(abilities=("norm_to_crit_if_two_norms",), fails_to_norms=1)
    assert shoot(attacker, target).damage.close_to(shoot(attacker.changed(px=0), target.changed(num_dice=2)).damage)


def test_piercing_reaches_cover_but_saturate_removes_it_all():
    covered = TARGET.changed(num_dice=1, auto_norms=1)
    assert shoot(SHOT.changed(apx=1), covered) == shoot(SHOT, TARGET.changed(num_dice=0))
    assert shoot(SHOT.changed(abilities=("saturate",)), covered) == shoot(SHOT, TARGET.changed(num_dice=1))


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_an_obscured_target_may_be_named_on_either_side(side):
    obscured = (Ability.OBSCURED_TARGET,)
    attacker = SHOT.changed(mwx=5, abilities=obscured if side == "attacker" else ())
    defender = Defender(abilities=obscured if side == "defender" else ())
    assert shoot(attacker, defender).damage.high == 9  # four hits less one, all normal, no mortal wounds


def test_feel_no_pain_of_the_target_overrides_the_option():
    target = TARGET.changed(fnp=5, fnp_mode="perHit")
    assert shoot(SHOT, target) == shoot(SHOT, TARGET.changed(fnp=5), ShootOptions(fnp_mode="per_hit"))


def test_feel_no_pain_on_one_or_more_stops_everything():
    assert shoot(SHOT, TARGET.changed(fnp=1)).damage.close_to(Pmf.point(0))


def test_relics_ignore_one_hit_a_round_and_two_in_all():
    attacker = Attacker(num_dice=2, dice_stat=1, auto_norms=2, norm_dmg=3, crit_dmg=3)
    chance = 1 - (5 / 6) ** 2  # of ignoring one given hit with two dice
    per_round = 1 - (1 - chance) ** 2
    one = shoot(attacker, Defender(saintly_relics=2)).damage
    assert one.exactly(3) == pytest.approx(per_round)
    three = shoot(attacker, Defender(saintly_relics=2), ShootOptions(num_rounds=3)).damage
    assert three.low == 12  # 18 less two hits, never three
    assert three.exactly(18) == pytest.approx((1 - per_round) ** 3)
    assert three.exactly(12) == pytest.approx(per_round**2 * (1 + 2 * (1 - per_round)))


def test_relics_take_the_biggest_hit_first():
    big_norm = Attacker(num_dice=2, auto_crits=1, auto_norms=1, norm_dmg=5, crit_dmg=2)
    damage = shoot(big_norm, Defender(saintly_relics=1)).damage
    assert damage.exactly(2) == pytest.approx(1 / 6)
    assert damage.exactly(5) == pytest.approx(5 / 36)


def test_by_save_and_kill_grid_match_single_shots():
    shots = by_save(SHOT, TARGET, ShootOptions(num_rounds=2))
    grid = kill_grid(shots, wounds=range(1, 13))
    for save in (2, 3, 4, 5, 6):
        for wounds in (1, 8, 12):
            single = shoot(SHOT, TARGET.changed(dice_stat=save, wounds=wounds), ShootOptions(num_rounds=2))
            assert grid[save][wounds - 1] == pytest.approx(single.p_kill, abs=1e-15)


def test_a_better_save_never_hurts():
    means = [shot.damage.mean for shot in by_save(SHOT, TARGET).values()]
    assert means == sorted(means)


def test_a_target_without_wounds_is_dead_already():
    assert Shot(Pmf.point(0), wounds=0).p_kill == 1.0


def test_strict_refuses_abilities_that_exclude_each_other():
    with pytest.raises(EngineError, match="rending or severe") as refused:
        shoot(SHOT.changed(abilities=("rending", "severe")), TARGET, ShootOptions(strict=True))
    assert refused.value.details["field"] == "attacker.abilities"

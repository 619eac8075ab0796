"""Dice and shooting against the figures of the public calculator, where it follows the rules we follow."""

from __future__ import annotations

import pytest

from engine.killteam.pool import distribution, outcomes, roll_of
from engine.killteam.profile import Attacker, Defender, Profile, ShootOptions
from engine.killteam.shoot import least_damage, shoot
from tests.reference import rows

TOLERANCE = 1e-9
DICE = rows("killteam/dice.sample")
SHOTS = rows("killteam/shoot.sample")
DAMAGE = rows("killteam/damage.sample")["rows"]

# Rulings K2, K3: these change the dice themselves, so neither of the peer's two figures applies.
DICE_QUIRKS = {"px_branch_drops_defender_mods", "lethal_below_stat", "hardy_below_save"}


def lethal_below_stat(row):
    return 0 < row["lethal"] < row["dice_stat"]


@pytest.mark.parametrize("row", [r for r in DICE if not lethal_below_stat(r)], ids=lambda r: f"dice-{r['id']}")
def test_dice_match(row):
    fields = {key: value for key, value in row.items() if key not in ("id", "crit_norm_probs")}
    side = Profile(**fields, severe_triggers_crit_rules=True)  # the peer's reading, ruling K4
    got = {f"{c},{n}": p for c, n, p in outcomes(distribution(roll_of(side)))}
    assert got == pytest.approx(row["crit_norm_probs"], abs=TOLERANCE)


def shot_of(row, **options):
    return shoot(Attacker(**row["attacker"]), Defender(**row["defender"]), ShootOptions(**row["options"], **options))


def assert_damage(shot, expected):
    for damage in range(shot.damage.high + 1):
        assert shot.damage.exactly(damage) == pytest.approx(expected.get(str(damage), 0.0), abs=TOLERANCE)
    assert sum(expected.values()) == pytest.approx(1.0, abs=TOLERANCE)


@pytest.mark.parametrize("row", [r for r in SHOTS if not r["peer_quirks"]], ids=lambda r: f"{r['tag']}-{r['id']}")
def test_shots_match(row):
    assert_damage(shot_of(row), row["damage_probs"])


OPTIMAL = [r for r in SHOTS if "damage_probs_optimal_saves" in r and not DICE_QUIRKS & set(r["peer_quirks"])]


@pytest.mark.parametrize("row", OPTIMAL, ids=lambda r: f"{r['tag']}-{r['id']}")
def test_shots_with_the_best_saves_match(row):
    assert_damage(shot_of(row), row["damage_probs_optimal_saves"])


SEVERE = [r for r in SHOTS if r["peer_quirks"] == ["severe_enables_rending_or_punishing"]]


@pytest.mark.parametrize("row", SEVERE, ids=lambda r: f"{r['tag']}-{r['id']}")
def test_the_older_reading_of_severe_matches_when_asked_for(row):
    assert_damage(shot_of(row, severe_triggers_crit_rules=True), row["damage_probs"])


@pytest.mark.parametrize("row", DAMAGE, ids=lambda r: "-".join(map(str, r[:6])))
def test_one_set_of_dice_matches(row):
    norm_dmg, crit_dmg, crits, norms, crit_saves, norm_saves, _, fire_team, best = row
    attacker = Attacker(
        norm_dmg=norm_dmg, crit_dmg=crit_dmg, num_dice=crits + norms, auto_crits=crits, auto_norms=norms
    )
    saves = crit_saves + norm_saves
    defender = Defender(num_dice=saves, auto_crits=crit_saves, auto_norms=norm_saves)
    assert least_damage(attacker, defender, crits, norms, crit_saves, norm_saves) == best
    assert least_damage(attacker, defender, crits, norms, crit_saves, norm_saves, fire_team=True) == fire_team
    assert shoot(attacker, defender).damage.exactly(best) == 1.0

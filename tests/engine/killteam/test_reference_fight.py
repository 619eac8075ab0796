"""Fights against the figures of the public calculator, where it follows the rules we follow."""

from __future__ import annotations

import pytest

from engine.killteam.fight import fight
from engine.killteam.profile import Fighter, FightOptions
from tests.oracles import killteam as oracle
from tests.reference import rows

FIGHTS = rows("killteam/fight.sample")
HANDS = rows("killteam/resolve.sample")


def options_of(row):
    return FightOptions(strategy1=row["strategy1"], strategy2=row["strategy2"], num_rounds=row.get("num_rounds", 1))


@pytest.mark.parametrize("row", [r for r in FIGHTS if not r["peer_quirks"]], ids=lambda r: f"{r['tag']}-{r['id']}")
def test_fights_match(row):
    outcome = fight(Fighter(**row["fighter1"]), Fighter(**row["fighter2"]), options_of(row))
    for w1 in range(outcome.joint.shape[0]):
        for w2 in range(outcome.joint.shape[1]):
            assert outcome.joint[w1, w2] == pytest.approx(row["joint_probs"].get(f"{w1},{w2}", 0.0), abs=1e-9)
    for wounds, key in ((outcome.wounds1, "wounds1_probs"), (outcome.wounds2, "wounds2_probs")):
        assert dict(wounds.items()) == pytest.approx({int(w): p for w, p in row[key].items()}, abs=1e-9)


def men_of(row):
    return [
        oracle.Man(
            side["norm_dmg"],
            side["crit_dmg"],
            frozenset(side["abilities"]),
            side["crits"],
            side["norms"],
            side["wounds"],
            side["wounds"],
        )
        for side in (row["fighter1"], row["fighter2"])
    ]


def fighter_of(side):
    crits, norms = side["crits"], side["norms"]
    rest = {key: side[key] for key in ("norm_dmg", "crit_dmg", "wounds", "abilities")}
    return Fighter(num_dice=crits + norms, auto_crits=crits, auto_norms=norms, **rest)


@pytest.mark.parametrize("row", HANDS, ids=lambda r: f"resolve-{r['id']}")
def test_given_dice_are_played_as_the_peer_would_without_its_slips(row):
    plans = row["strategy1"], row["strategy2"]
    end = (row["wounds1"], row["wounds2"])
    # First that our reading of the peer is right, slips included; then that we play the same game without them.
    assert oracle.ends(*men_of(row), *plans, peer=True, opening=True) == {end: 1}
    mended = oracle.ends(*men_of(row), *plans, opening=True)
    outcome = fight(fighter_of(row["fighter1"]), fighter_of(row["fighter2"]), options_of(row))
    assert {key: outcome.joint[key] for key in mended} == pytest.approx(dict.fromkeys(mended, 1.0))

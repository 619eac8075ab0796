"""Record sheets for tests: random ones for Hypothesis and a plain one to build scenarios on."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.battletech.mech import Mech

LOCATIONS = ["HD", "CT", "LT", "RT", "LA", "RA", "LL", "RL"]
HUNDRED_TONS = {"HD": 3, "CT": 31, "LT": 21, "RT": 21, "LA": 17, "RA": 17, "LL": 21, "RL": 21}


def plain(*bins: tuple[str, int, int], **changes: Any) -> dict[str, Any]:
    """A fresh 100-ton sheet with bins (location, rounds, damage per round) called a, b, c …"""
    armor = {"HD": 9, "CT": 46, "LT": 31, "RT": 31, "LA": 34, "RA": 34, "LL": 42, "RL": 42}
    return {
        "armor": armor,
        "maxArmor": armor,
        "rearArmor": {"CT": 15, "LT": 10, "RT": 10},
        "structure": dict(HUNDRED_TONS),
        "bins": [
            {"binId": "abcdefghijkl"[n], "location": where, "rounds": rounds, "damagePerRound": damage}
            for n, (where, rounds, damage) in enumerate(bins)
        ],
        **changes,
    }


def mech(document: dict[str, Any]) -> Mech:
    return Mech.model_validate(document, by_alias=True, by_name=False)


@st.composite
def documents(draw: st.DrawFn, max_bins: int = 5) -> dict[str, Any]:
    """Any sheet: damaged, half armoured, Clan or not, with bins from a squib to a magazine."""
    armor = {name: draw(st.integers(0, 20)) for name in LOCATIONS}
    structure = {name: draw(st.integers(0 if name not in ("CT", "HD") else 1, 20)) for name in LOCATIONS}
    bins = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "location": st.sampled_from(LOCATIONS),
                    "rounds": st.integers(0, 6),
                    "damagePerRound": st.sampled_from([0, 1, 2, 5, 12, 20]),
                    "destroyed": st.sampled_from([False, False, False, True]),
                }
            ),
            max_size=max_bins,
        )
    )
    return {
        "techBase": draw(st.sampled_from(["Inner Sphere", "Clan"])),
        "omni": draw(st.booleans()),
        "sideTorsoEngineSlots": draw(st.sampled_from([0, 2, 3])),
        "armor": armor,
        "maxArmor": {name: points + draw(st.integers(0, 5)) for name, points in armor.items()},
        "rearArmor": {name: draw(st.integers(0, 8)) for name in ("CT", "LT", "RT")},
        "structure": structure,
        "case": draw(
            st.dictionaries(st.sampled_from(LOCATIONS), st.sampled_from(["none", "case", "case_ii"]), max_size=4)
        ),
        "bins": [{"binId": f"b{n}", **b} for n, b in enumerate(bins)],
        "pilotHits": draw(st.integers(0, 5)),
    }


rules = st.fixed_dictionaries(
    {
        "profile": st.sampled_from(["standard", "standard", "total_warfare"]),
        "case2": st.sampled_from([None, "contain", "full", "official"]),
    }
)
heats = st.sampled_from([10, 19, 23, 28, 30])

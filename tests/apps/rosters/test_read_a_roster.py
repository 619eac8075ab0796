"""Every form of roster reads to what its sample says, and lists of the same forms that are no samples read as well."""

from __future__ import annotations

import gzip
import json
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from apps.rosters.reading import read
from apps.rosters.roster import Roster, document, resolve
from apps.warhammer40k.matching import KnownNames

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "facts" / "rosters"
FILES = sorted(path.name for path in SAMPLES.glob("*") if not path.name.endswith(".expected.json"))
NOT_STATED = "w40k (edition not stated)"


def resolved(source: bytes | str) -> Roster:
    found = read(source)
    return resolve(found, KnownNames()) if found.game == "warhammer40k" else found


def comparable(value: Any) -> Any:
    """Without the order of weapons (the app sorts them by name) and without saves that are not there."""
    if isinstance(value, dict):
        kept = {name: comparable(inner) for name, inner in value.items() if not (name == "inv" and inner is None)}
        return kept | ({"weapons": sorted(kept["weapons"])} if "weapons" in kept else {})
    return [comparable(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", FILES)
def test_every_sample_reads_as_expected(name: str) -> None:
    expected = json.loads((SAMPLES / f"{name.rpartition('.')[0]}.expected.json").read_text(encoding="utf-8"))
    expected["system"] = "w40k" if expected["system"] == NOT_STATED else expected["system"]
    found = resolved((SAMPLES / name).read_bytes())
    assert comparable(json.loads(json.dumps(document(found)))) == comparable(expected)
    assert found.unread == []
    assert len(found.lines) > len(found.units)


def test_a_share_link_of_listforge_reads_like_its_file() -> None:
    if not FILES:
        pytest.skip("the samples are not here")
    data = (SAMPLES / "listforge-40k11.json").read_bytes()
    link = "https://listforge.example/share#/listforge-json?data=" + urlsafe_b64encode(gzip.compress(data)).decode()
    assert document(read(link)) == document(read(data))


APP = """Waaagh at noon (1,995 points)

Strike Force (2,000 points)
Orks
War Horde

Attached Unit(s) 1

Warboss (85 points)
  • Warlord
  • 1x Attack squig
  • 1x Kombi-weapon
  • 1x Power klaw
  • 1x Twin slugga
  • Enhancements: Follow Me Ladz

Boyz (170 points)
  • 1x Boss Nob
     ◦ 1x Power klaw
     ◦ 1x Slugga
  • 19x Boy
     ◦ 19x Choppa
     ◦ 19x Slugga

OTHER DATASHEETS

Deff Dread (120 points)
  • 1x Dread klaw
  • 2x Kustom mega-blasta
  • 1x Stompy feet

Some words of the player.

Exported with App Version: v1.2.3 (4), Data Version: v913
"""


def test_the_app_in_another_order_with_attached_units_and_a_stray_line() -> None:
    found = resolved(APP)
    assert (found.name, found.faction, found.detachment, found.points) == ("Waaagh at noon", "Orks", "War Horde", 1995)
    boss, boyz, dread = found.units
    assert (boss.warlord, boss.enhancement, boss.points, boss.attached) == (True, "Follow Me Ladz", 85, "Attached 1")
    assert [(kind.name, kind.count) for kind in boyz.kinds or ()] == [("Boss Nob", 1), ("Boy", 19)]
    assert dict(boyz.weapons) == {"Power klaw": 1, "Slugga": 20, "Choppa": 19}
    assert boyz.attached == "Attached 1"
    assert dict(dread.weapons)["Kustom mega-blasta"] == 2
    assert [line.text for line in found.unread] == ["Some words of the player."]
    assert found.lines[-1].meaning == "export note"


def test_the_app_in_another_language() -> None:
    found = resolved(APP.replace("points)", "Punkte)").replace("1,995", "1.995"))
    assert (found.points, [unit.points for unit in found.units]) == (1995, [85, 170, 120])


def test_pasted_without_indentation_the_marks_still_tell_the_levels() -> None:
    found = resolved("\n".join(line.strip() for line in APP.splitlines()))
    assert found.units[1].models == 20


FRAMED = """++++++++++++++++++++++++++++++
+ FACTION KEYWORD: Imperium - Adeptus Astartes - Space Marines
+ DETACHMENT: Gladius Task Force (Battle Company)
+ TOTAL ARMY POINTS: 1,240pts
+
+ WARLORD: Char1: Captain
+ ENHANCEMENT: Artificer Armour (on Char1: Captain)
& Adept of the Codex (on Char2: Lieutenant)
+ NUMBER OF UNITS: 3
++++++++++++++++++++++++++++++

CHARACTERS

Captain (90 pts)
• 1x Bolt pistol

Lieutenant (65 pts)
• 1x Bolt pistol

BATTLELINE

Intercessor Squad (80 pts)
• 1x Intercessor Sergeant
    • 1x Bolt pistol
    • 1x Bolt rifle
• 4x Intercessor
    • 4x Bolt pistol
    • 4x Bolt rifle
"""


def test_the_frame_gives_warlord_and_enhancements_to_their_bearers() -> None:
    found = resolved(FRAMED)
    assert (found.faction, found.detachment, found.points) == (
        "Space Marines",
        "Gladius Task Force (Battle Company)",
        1240,
    )
    captain, lieutenant, squad = found.units
    assert (captain.warlord, captain.enhancement) == (True, "Artificer Armour")
    assert (lieutenant.warlord, lieutenant.enhancement) == (False, "Adept of the Codex")
    assert dict(squad.weapons) == {"Bolt pistol": 5, "Bolt rifle": 5}


def test_listforge_with_dashes_in_its_name() -> None:
    text = (
        "Red - and blue - Orks - War Horde (170 Points)\n\nBattleline:\nBoyz (170 pts)\n"
        "  • Boss Nob\n    • Power klaw\n"
        "  • 19x Boy\n    • 19x Choppa\n"
    )
    found = resolved(text)
    assert (found.name, found.faction, found.detachment) == ("Red - and blue", "Orks", "War Horde")
    assert found.units[0].models == 20


def test_the_simple_form_counts_totals_and_each() -> None:
    text = (
        "Imperium - Space Marines - Blue - [2000 pts]\n\n# ++ Army Roster ++ [1,160 pts]\n## Configuration\n"
        "Detachment: Gladius Task Force\n\n## Battleline [160 pts]\nIntercessor Squad [160 pts]\n"
        "• 1x Intercessor Sergeant: Bolt pistol, Power fist, Plasma pistol (a, b)\n"
        "• 9x Intercessor: Bolt pistol, 2x Astartes grenade launcher\n"
    )
    found = resolved(text)
    assert (found.faction, found.name) == ("Space Marines", "Blue")
    assert (found.points, found.detachment) == (1160, "Gladius Task Force")
    squad = found.units[0]
    assert squad.models == 10
    carried = {item.name: item.count for item in squad.items if item.bearer == "Intercessor"}
    assert carried == {"Bolt pistol": 9, "Astartes grenade launcher": 2}


def test_wtc_with_models_on_one_line_and_two_characters() -> None:
    text = FRAMED.split("CHARACTERS", maxsplit=1)[0] + (
        "Char1: 1x Captain (90 pts): Bolt pistol, Warlord\nChar2: 1x Lieutenant (65 pts): Bolt pistol\n"
        "10x Intercessor Squad (160 pts)\n• 1x Intercessor Sergeant: Power fist\n"
        "• 9x Intercessor: 8 with Bolt rifle, 1 with Astartes grenade launcher\n"
    )
    found = resolved(text)
    assert found.format == "newrecruit-wtc-compact"
    captain, lieutenant, squad = found.units
    assert (captain.warlord, captain.enhancement, lieutenant.enhancement) == (
        True,
        "Artificer Armour",
        "Adept of the Codex",
    )
    assert dict(squad.weapons) == {"Power fist": 1, "Bolt rifle": 8, "Astartes grenade launcher": 1}
    assert squad.models == 10


def a_model(name: str, number: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "model", "number": number, **more}


def test_a_tree_with_two_forces_priced_wargear_and_profiles_on_the_unit() -> None:
    gun = {"name": "Gun", "typeName": "Ranged Weapons", "characteristics": [{"name": "A", "$text": "2"}]}
    profiles = [
        {
            "name": name,
            "typeName": "Unit",
            "characteristics": [{"name": "T", "$text": "5"}, {"name": "W", "$text": wounds}],
        }
        for name, wounds in (("Boss Nob", "2"), ("Boy", "1"))
    ]
    boyz = {
        "name": "Boyz", "type": "unit", "number": 1, "profiles": profiles,
        "costs": [{"name": "pts", "value": 80.0}],
        "selections": [
            a_model("Boss Nob", 1, selections=[{"name": "Big gun", "type": "upgrade", "number": 1, "profiles": [gun],
                                                "costs": [{"name": "pts", "value": 5}]}]),
            a_model("Boy", 9, selections=[{"name": "Gun", "type": "upgrade", "number": 9, "profiles": [gun]}]),
        ],
    }  # fmt: skip
    knight = a_model("Knight", 1, costs=[{"name": "pts", "value": 400}])
    document = {
        "generatedBy": "https://newrecruit.eu",
        "roster": {
            "name": "Two",
            "gameSystemName": "Warhammer 40,000 11th Edition",
            "costs": [{"name": "pts", "value": 485}],
            "forces": [{"catalogueName": "Xenos - Orks", "selections": [boyz], "forces": [{"selections": [knight]}]}],
        },
    }
    found = read(json.dumps(document))
    assert (found.system, found.faction, found.points) == ("w40k11", "Orks", 485)
    mob, ally = found.units
    assert (mob.points, ally.points) == (85, 400)
    assert {kind.name: (kind.figures or {})["w"] for kind in mob.kinds or ()} == {"Boss Nob": 2, "Boy": 1}
    assert mob.mixed
    assert mob.weapons == [("Big gun", 1), ("Gun", 9)]


def test_several_operatives_of_a_kind_and_team_equipment() -> None:
    weapon = {
        "name": "⚔ Fists", "typeName": "Weapons",
        "characteristics": [{"name": n, "$text": v} for n, v in (("ATK", "4"), ("HIT", "3+"), ("DMG", "3/4"))],
    }  # fmt: skip
    warrior = a_model("Intercessor Warrior", 2, selections=[{"name": "Fists", "number": 2, "profiles": [weapon]}])
    kit = {"name": "Purity Seal", "type": "upgrade", "categories": [{"name": "Equipment"}]}
    force = {"catalogueName": "Angels of Death", "selections": [warrior, kit]}
    found = read(json.dumps({"roster": {"gameSystemId": "c521-ad27-44df-f959", "forces": [force]}}))
    assert found.units[0].models == 2
    assert found.units[0].items[0].profiles[0].type == "melee"
    assert found.equipment == ["Purity Seal"]
    assert found.points is None


def test_ktdash_with_modes_codes_and_a_card() -> None:
    profiles = [
        {"profileName": "Standard", "ATK": "4", "HIT": "3+", "DMG": "3/5", "WR": "Rng 8, Prc1"},
        {
            "profileName": "Supercharge",
            "ATK": "4",
            "HIT": "3+",
            "DMG": "4/5",
            "WR": "Rng 8, Hot, Lethal 5+, Prc1, *Custom",
        },
    ]
    card = {
        "opTypeName": "Assault Intercessor Sergeant", "APL": 3, "MOVE": '6"', "SAVE": "3+", "WOUNDS": 15,
        "weapons": [
            {"wepId": "a", "wepName": "Plasma Pistol", "wepType": "R", "profiles": profiles},
            {"wepId": "b", "wepName": "Chainsword", "wepType": "M", "profiles": profiles[:1]},
        ],
    }  # fmt: skip
    ops = [{"opName": "", "opTypeId": "IMP-AOD-AISGT", "wepIds": "a", "opType": card}]
    found = read(json.dumps({"killteamId": "IMP-AOD", "rosterName": "x", "eqIds": "", "ops": ops}))
    (sergeant,) = found.units
    assert sergeant.name == sergeant.type_name == "Assault Intercessor Sergeant"
    assert sergeant.weapons == [("Plasma Pistol (Standard)", 1), ("Plasma Pistol (Supercharge)", 1)]
    assert sergeant.items[1].profiles[0].rules == ['Range 8"', "Hot", "Lethal 5+", "Piercing 1", "Custom"]
    assert "weapon not carried" in {line.meaning for line in found.lines}

"""The library: every profile on the shelf reads, opens in a form and computes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.catalogues import tables
from apps.catalogues.names import clean
from apps.killteam import check, importing, library, notation, options
from apps.killteam.calculators import shoot
from apps.killteam.forms import MATRIX_ATTACKERS
from apps.killteam.library import find
from apps.killteam.models import Role
from apps.killteam.services.profiles import Place, address, operative_values, weapon_values

FACTS = Path(__file__).resolve().parents[4] / "shared" / "facts"


@pytest.fixture(scope="module")
def shelf() -> library.Library:
    return library.library()


def test_the_whole_edition_is_on_the_shelf(shelf: library.Library) -> None:
    assert len(shelf.teams) == 50
    assert len(shelf.operatives) == 515
    assert len(shelf.weapons) == 1527
    assert {"Exodite Dragon Masters", "Inquisitorial Agents", "Spectre Squad"} <= set(shelf.teams)


@pytest.mark.skipif(not FACTS.exists(), reason="the tables the library was made from are not here")
def test_every_card_of_the_tables_is_there(shelf: library.Library) -> None:
    """Each operative and each weapon with its figures; cards of one name are one operative."""
    held = {(w.team, w.operative.name, w.name, w.kind, *w.line.figures.values(), w.line.rules) for w in shelf.weapons}
    known = {
        (o.team, o.name, o.apl, o.move, o.line.figures["dice_stat"], o.line.figures["wounds"]) for o in shelf.operatives
    }
    for name in ("killteam", "killteam-additions"):
        for team in tables.read(FACTS / f"{name}.json")["teams"]:
            for o in team["operatives"]:
                card = clean(o["name"])
                assert (team["team"], card, o["apl"], o["move"], o["save"], o["wounds"]) in known
                for w in o["weapons"]:
                    figures = (w["atk"], w["hit"], w["dmg_norm"] or 0, w["dmg_crit"] or 0)
                    assert (team["team"], card, clean(w["name"]), w["type"], *figures, tuple(w["rules"])) in held


def test_keys_are_unique(shelf: library.Library) -> None:
    keys = Counter([weapon.key for weapon in shelf.weapons] + [operative.key for operative in shelf.operatives])
    assert keys.most_common(1)[0][1] == 1


def test_figures_are_plausible(shelf: library.Library) -> None:
    for operative in shelf.operatives:
        assert 2 <= operative.line.figures["dice_stat"] <= 6
        assert 2 <= operative.line.figures["wounds"] <= 25  # beacons and mites have 2
    for weapon in shelf.weapons:
        figures = weapon.line.figures
        assert 2 <= figures["dice_stat"] <= 6, weapon
        critical = figures["crit_dmg"] + notation.read_weapon(weapon.line, "shoot").values.get("mwx", 0)
        assert critical >= figures["norm_dmg"] >= 0, weapon  # a melta's critical is small, but no save stops it all


def test_searching_finds_by_words_in_any_place() -> None:
    _, weapons = find("plasma supercharge", team="Kasrkin")
    assert {weapon.name for weapon in weapons} == {"Plasma pistol (supercharge)", "Plasma gun (supercharge)"}
    operatives, none = find("intercessor", kind="operative")
    assert {o.team for o in operatives} == {"Angels of Death"}
    assert none == []
    assert find("no such thing") == ([], [])
    assert all(
        "Brutal" in weapon.line.rules for weapon in find("brutal", kind="melee")[1] if "rutal" not in weapon.name
    )


def test_known_cards_read_as_printed() -> None:
    (bolt_rifle,) = [
        w
        for w in find("bolt rifle", team="Angels of Death")[1]
        if w.operative.name == "Intercessor Warrior" and w.name == "Bolt rifle"
    ]
    assert notation.read_weapon(bolt_rifle.line, "shoot").values == {
        "num_dice": 4,
        "dice_stat": 3,
        "norm_dmg": 3,
        "crit_dmg": 4,
        "px": 1,
    }
    assert bolt_rifle.operative.line.figures == {"num_dice": 3, "dice_stat": 3, "wounds": 14}


# -- Abilities, presets, what does not map --------------------------------------------------------------------------


def test_operatives_bring_their_own_resilience(shelf: library.Library) -> None:
    marines = [o for o in shelf.operatives if o.team == "Plague Marines"]
    assert len(marines) == 7
    for marine in marines:
        values = notation.read_target(marine.line).values
        assert (values["fnp"], values["fnp_mode"]) == (4, "per_hit")
    castigators = [o for o in shelf.operatives if o.name == "Arbites Castigator"]
    assert [notation.read_target(o.line).values["fnp"] for o in castigators] == [5, 5]


def test_a_resilient_fighter_keeps_it_in_a_fight_and_in_the_sheet(shelf: library.Library) -> None:
    weapon = next(w for w in shelf.weapons if w.team == "Plague Marines" and w.kind == "melee")
    values = weapon_values(weapon, Role.FIGHTER)
    assert (values["fnp"], values["fnp_mode"], values["wounds"]) == (
        4,
        "per_hit",
        weapon.operative.line.figures["wounds"],
    )
    url = address(Place("shoot", "b", "defender"), operative_values(weapon.operative), "x")
    assert "b-fnp_mode=per_hit" in url
    assert "b-fnp=4" in url


def test_presets_agree_with_the_library(shelf: library.Library) -> None:
    """The worked examples of the sheets are figures printed on cards."""
    plasma = {
        (w.line.figures["norm_dmg"], w.line.figures["crit_dmg"])
        for w in shelf.weapons
        if w.name == "Plasma gun (supercharge)"
    }
    (preset,) = [p for p in shoot.presets if p.label == "Supercharged plasma at a Marine"]
    assert {(preset.values["normal"], preset.values["critical"])} == plasma
    printed = {
        (*w.line.figures.values(), frozenset(notation.read_weapon(w.line, "shoot").values.items()))
        for w in shelf.weapons
        if w.kind == "ranged" and not notation.read_weapon(w.line, "shoot").values.get("abilities")
    }
    for line in (notation.weapon(text) for _, text in notation.lines(MATRIX_ATTACKERS)):
        read = notation.read_weapon(line, "shoot").values
        assert (*line.figures.values(), frozenset(read.items())) in printed, line


def test_what_does_not_map_is_listed_with_a_reason() -> None:
    facts = list(check.unmapped())
    assert 100 < len(facts) < 215
    assert not [fact for fact in facts if fact.why == check.UNKNOWN]
    assert {fact.what for fact in facts if fact.where == "Wrecka Krew: Tankbusta Rokkiteer: Pulsa rokkit"} >= {"damage"}


def test_rules_left_to_the_player_are_on_the_weapon(shelf: library.Library) -> None:
    plasma = next(w for w in shelf.weapons if w.name == "Plasma pistol (supercharge)")
    assert plasma.to_set == ("Hot: may hurt its own bearer; the target does not care",)


def test_equipment_gives_weapons_to_anyone_of_the_team(shelf: library.Library) -> None:
    assert {w.line.name for w in shelf.equipment_of("Kommandos")} == {
        "Frag grenade", "Krak grenade", "Choppa", "Harpoon", "Dynamite",
    }  # fmt: skip
    assert {w.line.name for w in shelf.equipment_of("Warpcoven")} == {"Frag grenade", "Krak grenade"}
    boy = next(o for o in shelf.operatives if o.team == "Kommandos")
    assert shelf.equipment_of("Kommandos")[0].in_hands_of(boy).operative is boy


def test_keys_of_switches_are_unique() -> None:
    keys = Counter(switch.key for switch in options.switches())
    assert keys.most_common(1)[0][1] == 1
    assert all(options.by_key(key) is not None for key in keys)


# -- Importing ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not FACTS.exists(), reason="the tables the library was made from are not here")
def test_importing_the_same_tables_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(FACTS / f"{name}.json") for name in ("killteam", "killteam-additions", "killteam-options")]
    call_command("import_killteam", *files[:2], "--options", files[2], "--dry-run")
    assert "0 differences, nothing written" in capsys.readouterr().out


def test_importing_prints_what_changes_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(library, "DATA", tmp_path)
    gun = {"name": "Gun", "type": "ranged", "atk": 4, "hit": 4, "dmg_norm": 2, "dmg_crit": 3, "rules": []}
    man = {"name": "Man", "apl": 2, "move": '6"', "save": 5, "wounds": 7, "weapons": [gun]}
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"teams": [{"team": "Men", "operatives": [man]}]}), encoding="utf-8")
    call_command("import_killteam", str(table))
    assert "Men: Man: added" in capsys.readouterr().out
    gun["hit"] = 3
    table.write_text(json.dumps({"teams": [{"team": "Men", "operatives": [{**man, "wounds": 8}]}]}))
    call_command("import_killteam", str(table))
    printed = capsys.readouterr().out
    assert "Men: Man: wounds 7 → 8" in printed
    assert "Men: Man: weapons Gun" in printed
    assert importing.current()["Men", "Man"]["wounds"] == 8
    table.write_text("{}")
    with pytest.raises(CommandError, match="No table"):
        call_command("import_killteam", str(table))

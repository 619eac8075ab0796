"""Cards of both editions: mixed models keep their figures, wargear is counted by composition, tables are imported."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.catalogues import tables
from apps.warhammer40k import check, datasheets, importing, library, weapon_rules
from apps.warhammer40k.datasheets import EDITIONS, Edition, Unit

FACTS = Path(__file__).resolve().parents[4] / "shared" / "facts"


def unit(name: str, faction: str, edition: Edition = "tenth") -> Unit:
    return datasheets.unit_names(edition, faction)[name]


def wounds(name: str, faction: str, edition: Edition = "tenth", size: int | None = None) -> list[tuple[int, int]]:
    return [(group.number, group.figures.wounds) for group in unit(name, faction, edition).groups(size)]


@pytest.mark.parametrize(
    ("name", "faction", "size", "expected"),
    [
        ("Outrider Squad", "Space Marines", 3, [(3, 4)]),
        ("Outrider Squad", "Space Marines", 4, [(3, 4), (1, 8)]),
        ("Outrider Squad", "Space Marines", 7, [(6, 4), (1, 8)]),
        ("Ghazghkull Thraka", "Orks", None, [(1, 10), (1, 1)]),
        ("Boyz", "Orks", 20, [(19, 1), (1, 2)]),
        ("Dire Avengers", "Aeldari", None, [(4, 1), (1, 2)]),
        ("Guardian Defenders", "Aeldari", None, [(10, 1), (1, 2)]),
        ("Rubric Marines", "Thousand Sons", 10, [(9, 2), (1, 3)]),
        ("Aquila Kill Team", "Agents of the Imperium", 10, [(8, 2), (2, 3)]),
        ("Krieg Heavy Weapons Squad", "Astra Militarum", None, [(3, 2), (1, 1)]),
        ("Intercessor Squad", "Space Marines", 10, [(10, 2)]),
    ],
)
def test_mixed_units_keep_their_groups(
    name: str, faction: str, size: int | None, expected: list[tuple[int, int]]
) -> None:
    assert wounds(name, faction, size=size) == expected


def test_a_model_has_its_own_invulnerable_save() -> None:
    ghazghkull, makari = unit("Ghazghkull Thraka", "Orks").groups()
    assert (ghazghkull.figures.invulnerable, makari.figures.invulnerable) == (4, 2)


def test_a_mixed_unit_is_a_target_of_groups() -> None:
    profile = library.by_title("unit", "Ghazghkull Thraka")
    assert profile is not None
    assert (profile.values["models"], profile.values["wounds"]) == (1, 10)
    assert profile.to_set == ()
    (makari,) = profile.further_groups
    assert makari == {
        "name": "Makari", "models": 1, "toughness": 6, "save": 7, "wounds": 1, "invulnerable": 2, "fnp": 0,
    }  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_size_adds_up(edition: Edition) -> None:
    odd = {
        (card.name, size)
        for card in datasheets.units(edition)
        for size, _ in card.sizes
        if sum(group.number for group in card.groups(size)) != size
    }
    assert {name for name, _ in odd} <= {"Paladin Squad", "Tidewall Shieldline"}, odd


@pytest.mark.parametrize(
    ("name", "faction", "size", "expected"),
    [
        ("Intercessor Squad", "Space Marines", 10, {"Bolt pistol": 10, "Bolt rifle": 10, "Close combat weapon": 10}),
        ("Boyz", "Orks", 20, {"Slugga": 20, "Big choppa": 1, "Choppa": 19}),
        ("Havocs", "Chaos Space Marines", 5, {"Flamer": 1, "Havoc autocannon": 2, "Havoc lascannon": 2}),
        ("Outrider Squad", "Space Marines", 4, {"Twin bolt rifle": 4, "Heavy bolt pistol": 3, "Bolt pistol": 1}),
        ("Aquila Kill Team", "Agents of the Imperium", 10, {}),
    ],
)
def test_wargear_is_counted_by_composition(name: str, faction: str, size: int, expected: dict[str, int]) -> None:
    arms = unit(name, faction).arms(size)
    assert {weapon: arms[weapon] for weapon in expected} == expected
    assert all(0 < count <= 4 * size for count in arms.values()), arms


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_usual_weapon_is_on_the_card(edition: Edition) -> None:
    for card in datasheets.units(edition):
        for weapon in card.arms():
            assert card.modes(weapon), (card.name, weapon)


def test_figures_of_autumn_are_in_and_doubtful_ones_are_not() -> None:
    assert unit("Intercessor Squad", "Space Marines", "eleventh").figures.toughness == 5
    assert {kind.figures.toughness for kind in unit("Rubric Marines", "Thousand Sons", "eleventh").models} == {5}
    boyz = unit("Boyz", "Orks", "eleventh")
    assert boyz.figures.wounds == 1
    assert "wounds 1 → 3" in boyz.note


@pytest.mark.parametrize(("edition", "most"), [("tenth", 95), ("eleventh", 165)])
def test_what_does_not_map_is_listed_with_a_reason(edition: Edition, most: int) -> None:
    facts = list(check.unmapped(edition))
    assert 0 < len(facts) <= most
    assert all(fact.where and fact.what and fact.why for fact in facts)
    assert not [fact for fact in facts if fact.why == "a rule this library does not know"]
    reasons = Counter(fact.why for fact in facts)
    assert reasons["no such model in the composition"] == 3  # Horrors that split appear during the battle
    assert reasons["no such weapon on the card"] == 0


def test_rules_that_have_no_field_are_left_to_the_player() -> None:
    zzap = library.by_title("weapon", "Zzap gun (Battlewagon)")
    assert zzap is not None
    assert (zzap.values["strength"], zzap.values["strength_dice"]) == (6, "D6")
    assert "S D6+6" in zzap.line
    assert not any("Strength" in text for text in zzap.to_set)
    assert weapon_rules.read(("Anti-monster 4+", "Anti-vehicle 4+")).values["against"] == "monster_vehicle"
    assert weapon_rules.read(("Anti-infantry 4+", "Anti-fly 2+")).to_set == (
        "Anti-infantry 4+: the sheet takes one Anti",
    )


# -- Importing ------------------------------------------------------------------------------------------------------

TABLE = {
    "units": [
        {
            "faction": "Orks", "name": "Boyz", "models": 10, "toughness": 6, "save": 5, "invulnerable": None,
            "wounds": 1, "feel_no_pain": None, "oc": 2, "points": 70, "keywords": ["Infantry"],
            "sizes": [[10, 70], [20, 150]], "composition": [["Boss Nob", 1, 1], ["Boyz", 9, 19]],
            "other_profiles": [{"name": "Boss Nob", "t": 6, "sv": 5, "w": 2, "oc": 2}],
            "loadout": [["*", [[1, "Choppa"]]]],
        },
        {
            "faction": "Orks", "name": "Newboyz", "models": 5, "toughness": 5, "save": 6, "invulnerable": None,
            "wounds": 1, "feel_no_pain": None, "oc": 1, "points": 40, "keywords": [],
        },
    ],
    "weapons": [
        {
            "faction": "Orks", "unit": "Boyz", "name": "Choppa", "type": "melee", "range": "Melee", "attacks": "4",
            "skill": 3, "strength": 4, "ap": 1, "damage": "1", "abilities": [],
        },
    ],
}  # fmt: skip


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small library of its own, holding the Orks as they are shipped."""
    (tmp_path / "data" / "eleventh").mkdir(parents=True)
    shipped = datasheets.path_of("eleventh", "Orks").read_text(encoding="utf-8")
    monkeypatch.setattr(datasheets, "DATA", tmp_path / "data")
    datasheets.path_of("eleventh", "Orks").write_text(shipped, encoding="utf-8")
    return tmp_path


def test_importing_prints_the_differences_and_writes(own_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = own_data / "table.json"
    table.write_text(json.dumps(TABLE), encoding="utf-8")
    call_command("import_warhammer40k", str(table), "--dry-run")
    printed = capsys.readouterr().out
    assert "Orks: Boyz: figures T 5 → 6" in printed
    assert "Orks: Boyz: weapons Choppa" in printed
    assert "Orks: Newboyz: added" in printed
    assert "Orks: Meganobz: removed" in printed
    assert "nothing written" in printed
    assert ("Orks", "Meganobz") in importing.current("eleventh")
    call_command("import_warhammer40k", str(table))
    capsys.readouterr()
    call_command("import_warhammer40k", str(table))
    assert "2 units, 0 differences, written." in capsys.readouterr().out
    assert set(importing.current("eleventh")) == {("Orks", "Boyz"), ("Orks", "Newboyz")}


def test_a_file_that_is_no_table_is_refused(own_data: Path) -> None:
    table = own_data / "table.json"
    table.write_text("[]", encoding="utf-8")
    with pytest.raises(CommandError, match="no table"):
        call_command("import_warhammer40k", str(table))


@pytest.mark.skipif(not FACTS.exists(), reason="the tables the library was made from are not here")
def test_the_library_is_what_its_tables_say() -> None:
    """Importing the tables again changes nothing."""

    def read(name: str) -> dict[str, object]:
        return tables.read(FACTS / f"{name}.json")

    eleventh = importing.rows(
        read("warhammer40k-11e"),
        "eleventh",
        groups=read("warhammer40k-11e-groups"),
        updates=read("warhammer40k-11e-updates"),
    )
    assert list(tables.differences(importing.current("eleventh"), eleventh)) == []
    tenth = importing.rows(read("warhammer40k"), "tenth")
    assert list(tables.differences(importing.current("tenth"), tenth)) == []

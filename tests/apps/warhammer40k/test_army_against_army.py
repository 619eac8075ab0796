"""Army against army: every cell is the engine's own answer, counted once, and the questions about several units."""

from __future__ import annotations

from itertools import product

import pytest
from django.core.cache import cache
from django.test import Client

from apps.warhammer40k import armies, datasheets
from apps.warhammer40k.army_views import INLINE
from apps.warhammer40k.services import counting
from apps.warhammer40k.services import duel as duels
from apps.warhammer40k.services.duel import Duel, Pair
from engine.warhammer40k.attack import resolve
from engine.warhammer40k.profile import AttackInput


def army(*names: str, faction: str = "Space Marines", edition: datasheets.Edition = "tenth") -> armies.Document:
    units = datasheets.unit_names(edition, faction)
    made = [armies.from_card(units[name]) for name in names]
    return {"name": faction, "edition": edition, "faction": faction, "units": made, "lines": []}


MARINES = army("Intercessor Squad", "Hellblaster Squad", "Captain")
ORKS = army("Boyz", "Meganobz", faction="Orks")


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    cache.clear()


def test_a_cell_is_the_attack_of_the_builder() -> None:
    """Five bolt rifles into a unit of models alike, written out by hand."""
    found = Duel(MARINES, army("Terminator Squad"))
    ((_, cell),) = list(found.count([Pair("a", 0, 0)]))
    rifle = next(w for w in MARINES["units"][0]["weapons"] if w["name"] == "Bolt rifle")["modes"][0]["values"]
    target = found.fighters["b"][0].unit.groups
    assert len(target) == 1
    document = {
        "weapons": [{"count": 5, "attacks": rifle["attacks"], "skill": rifle["skill"], "strength": rifle["strength"],
                     "ap": rifle["ap"], "damage": rifle["damage"]}],
        "defender": {"models": 5, "toughness": 5, "save": 2, "invulnerable": 4, "wounds": 3},
    }  # fmt: skip
    expected = resolve(AttackInput.model_validate(document))
    assert cell.models == pytest.approx(expected.destroyed.mean)
    assert cell.wounds == pytest.approx(expected.damage.mean)
    assert cell.wiped == pytest.approx(expected.p_wiped)


def test_pistols_stay_idle_and_everybody_fights_with_one_weapon() -> None:
    found = Duel(MARINES, ORKS, "shoot")
    squad, boyz = found.fighters["a"][0], found.fighters["b"][0]
    assert {weapon.name for weapon in squad.weapons(boyz, "shoot", "tenth")} == {"Bolt rifle"}
    for fighter in found.fighters["a"] + found.fighters["b"]:
        target = found.fighters["b"][0]
        extra = {mode["name"] for part in fighter.parts for w in part["weapons"] for mode in w["modes"]
                 if "Extra Attacks" in mode["also"]}  # fmt: skip
        used = [weapon for weapon in fighter.weapons(target, "fight", "tenth") if weapon.name not in extra]
        assert sum(weapon.count for weapon in used) <= sum(armies.models(part) for part in fighter.parts)
        assert all(weapon.melee for weapon in used)


def test_a_leader_joins_both_the_attack_and_the_target() -> None:
    led = army("Captain", "Intercessor Squad")
    led["units"][0]["leads"] = 1
    found = Duel(led, ORKS)
    (fighter,) = found.fighters["a"]
    assert fighter.name == "Intercessor Squad + Captain"
    assert fighter.points == sum(unit["points"] for unit in led["units"])
    assert [group.leader for group in fighter.unit.groups] == [False, True]


def test_switches_of_an_army_and_of_a_unit() -> None:
    plain = Duel(MARINES, ORKS)
    with_oath = Duel(MARINES, ORKS, on=("a2.oath", "b.cover"))
    pairs = [Pair("a", 0, 0), Pair("a", 1, 0)]
    before, after = (dict(one.count(pairs)) for one in (plain, with_oath))
    assert after[pairs[0]].models <= before[pairs[0]].models  # cover
    covered = dict(Duel(MARINES, ORKS, on=("b.cover",)).count(pairs))
    assert after[pairs[0]] == covered[pairs[0]]
    assert after[pairs[1]].models > covered[pairs[1]].models  # the second unit rerolls


def test_changing_one_unit_recounts_its_row_and_column_only() -> None:
    found = Duel(MARINES, ORKS)
    list(found.count(found.pairs()))
    assert len(found.counted()) == len(found.pairs()) == 12
    changed = {**MARINES, "units": [*MARINES["units"][:2], {**MARINES["units"][2], "points": 500}]}
    other = Duel(changed, ORKS)
    missing = [pair for pair in other.pairs() if pair not in other.counted()]
    assert missing == [Pair("a", 2, 0), Pair("a", 2, 1), Pair("b", 0, 2), Pair("b", 1, 2)]


def test_several_units_in_order() -> None:
    found = Duel(MARINES, ORKS)
    target = found.fighters["b"][0]
    steps = duels.in_order(found, found.fighters["a"], target)
    assert [step.name for step in steps] == [fighter.name for fighter in found.fighters["a"]]
    assert [step.cell.models for step in steps] == sorted(step.cell.models for step in steps)
    ((_, alone),) = list(found.count([Pair("a", 0, 0)]))
    assert steps[0].cell == alone


def test_how_many_it_takes() -> None:
    found = Duel(MARINES, ORKS)
    attacker, target = found.fighters["a"][1], found.fighters["b"][0]
    copies = duels.copies_needed(found, attacker, target, 0.8)
    assert copies is not None
    chances = [
        outcome.p_wiped
        for n in (copies - 1, copies)
        if n and (outcome := duels.resolved([attacker], target, "shoot", "tenth", n))
    ]
    assert chances[-1] >= 0.8
    assert all(chance < 0.8 for chance in chances[:-1])


def test_the_plan_is_the_best_of_all_plans() -> None:
    """Small enough to try every plan there is."""
    found = Duel(MARINES, ORKS)
    plan = duels.best_plan(found, "a")

    def points(targets: tuple[int, ...]) -> float:
        total = 0.0
        for at, target in enumerate(found.fighters["b"]):
            group = [one for one, to in zip(found.fighters["a"], targets, strict=True) if to == at]
            outcome = duels.resolved(group, target, "shoot", "tenth") if group else None
            total += outcome.points_lost if outcome else 0.0
        return total

    every = {targets: points(targets) for targets in product(range(2), repeat=3)}
    assert plan.points == pytest.approx(max(every.values()))
    assert every[plan.targets] == pytest.approx(plan.points)


# -- Pages ----------------------------------------------------------------------------------------------------------


def address(a: armies.Document = MARINES, b: armies.Document = ORKS, more: str = "") -> str:
    return f"a={armies.keep(a).key}&b={armies.keep(b).key}{more}"


def test_the_heat_map_shows_both_directions(client: Client, db: None) -> None:
    page = client.get(f"/warhammer40k/duel/?{address()}")
    assert [table["title"] for table in page.context["tables"]] == [
        "Space Marines into Orks",
        "Orks into Space Marines",
    ]
    cells = [len(row["cells"]) for table in page.context["tables"] for row in table["rows"]]
    assert cells == [2, 2, 2, 3, 3]
    assert "Wounds taken per 100 points" in page.content.decode()


@pytest.mark.parametrize("show", ["points", "wiped", "models", "wounds", "nonsense"])
@pytest.mark.parametrize("phase", ["shoot", "fight"])
def test_every_measure_in_both_phases(client: Client, db: None, show: str, phase: str) -> None:
    page = client.get(f"/warhammer40k/duel/?{address(more=f'&show={show}&phase={phase}&unit=a1&on=a1.oath')}")
    assert page.status_code == 200
    assert "Intercessor Squad alone" in page.content.decode()


def test_swapping_sides_takes_the_switches_along(client: Client, db: None) -> None:
    page = client.get(f"/warhammer40k/duel/?{address(more='&on=a1.oath&on=b.cover')}")
    swapped = client.get(page.context["address"].swapped)
    assert swapped.context["address"].on == ("b1.oath", "a.cover")
    one, other = page.context["tables"], swapped.context["tables"]
    texts = [[[cell["text"] for cell in row["cells"]] for row in table["rows"]] for table in (*one, *other)]
    assert texts[:2] == texts[3:1:-1]


def test_a_cell_opens_in_full(client: Client, db: None) -> None:
    page = client.get(f"/warhammer40k/duel/?{address()}")
    href = page.context["tables"][0]["rows"][1]["cells"][0]["href"]
    answer = client.get(f"{href}&with=0&with=2")
    assert [step.name for step in answer.context["steps"]] == ["Hellblaster Squad", "Intercessor Squad", "Captain"]
    assert "Who falls" in answer.content.decode()


@pytest.mark.parametrize("query", ["", "&side=a&from=9&to=0", "&side=c&from=0&to=0", "&side=a&from=x&to=0"])
def test_a_cell_that_is_not_there(client: Client, db: None, query: str) -> None:
    assert client.get(f"/warhammer40k/duel/cell/?{address()}{query}").status_code == 404


def test_csv_has_every_cell(client: Client, db: None) -> None:
    lines = client.get(f"/warhammer40k/duel/csv/?{address()}").content.decode().strip().splitlines()
    assert len(lines) == 1 + 12
    assert lines[0].startswith("Attacker,")


@pytest.mark.parametrize("side", ["a", "b"])
def test_the_plan_page(client: Client, db: None, side: str) -> None:
    assert "points on average" in client.get(f"/warhammer40k/duel/plan/?{address()}&side={side}").content.decode()


def test_one_army_asks_for_the_other(client: Client, db: None) -> None:
    key = armies.keep(MARINES).key
    answer = client.get(f"/warhammer40k/duel/?a={key}")
    assert answer["Location"] == f"/warhammer40k/armies/?side=b&other={key}"
    assert client.get("/warhammer40k/duel/")["Location"] == "/warhammer40k/armies/"


def test_two_sample_armies(client: Client, db: None) -> None:
    answer = client.post("/warhammer40k/armies/samples/", follow=True)
    assert answer.status_code == 200
    assert answer.context["size"] == 72
    assert answer.context["missing"] == 72 > INLINE


def test_a_pair_is_saved_by_name(client: Client, db: None) -> None:
    query = address(more="&on=a.oath")
    client.post("/warhammer40k/armies/save/", {"kind": "duel", "query": query, "name": "Round one"})
    page = client.get("/warhammer40k/armies/").content.decode()
    assert "Round one" in page
    assert "on=a.oath" in page


def large() -> tuple[armies.Document, armies.Document]:
    units = [unit.name for unit in datasheets.army("tenth", "Space Marines") if unit.weapons and unit.wargear][:6]
    return army(*units), army("Boyz", "Meganobz", "Nobz", "Deff Dread", faction="Orks")


def test_many_cells_are_a_job(client: Client, db: None) -> None:
    query = address(*large())
    page = client.get(f"/warhammer40k/duel/?{query}")
    assert (page.context["missing"], page.context["tables"]) == (48, [])
    answer = client.post("/warhammer40k/duel/count/", {"query": query})
    assert "&job=" in answer["Location"]
    assert client.get(answer["Location"]).status_code == 200


def test_the_job_counts_what_is_missing_and_shares_its_work(db: None) -> None:
    a, b = large()
    document = {"a": armies.keep(a).key, "b": armies.keep(b).key, "phase": "shoot", "on": ["a.oath"]}
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int, note: str = "") -> None:
        told.append((done, total))

    result = counting.count(document, progress)
    assert (result["cells"], result["counted"]) == (48, 48)
    assert told[-1] == (48, 48)
    found = duels.duel_of(document)
    assert found is not None
    assert len(found.counted()) == 48
    assert counting.count(document, progress)["counted"] == 0


def test_a_batch_counts_its_own_cells_and_keeps_them(db: None) -> None:
    a, b = large()
    wanted = {"a": armies.keep(a).key, "b": armies.keep(b).key, "phase": "shoot", "on": []}
    found = duels.duel_of(wanted)
    assert found is not None
    pairs = found.pairs()
    assert counting.count_batch({"duel": wanted, "pairs": [list(pair) for pair in pairs]}, 1) == counting.BATCH
    assert set(found.counted()) == set(pairs[counting.BATCH : 2 * counting.BATCH])


def test_an_army_that_is_gone_is_said_in_a_sentence(db: None) -> None:
    def progress(done: int, total: int, note: str = "") -> None: ...

    with pytest.raises(ValueError, match="not there any more"):
        counting.count({"a": "x", "b": "y"}, progress)


@pytest.mark.parametrize("edition", datasheets.EDITIONS)
def test_every_unit_of_the_library_can_fight_and_be_fought(edition: datasheets.Edition) -> None:
    """Both ways and in both phases against one unit of ten."""
    every = [unit for unit in datasheets.units(edition) if unit.weapons][::9]
    document = {
        "name": "All",
        "edition": edition,
        "faction": "",
        "units": [armies.from_card(u) for u in every],
        "lines": [],
    }
    for phase in ("shoot", "fight"):
        found = Duel(document, army("Boyz", faction="Orks", edition=edition), phase)
        for pair in found.pairs():
            target = found.target(pair)
            cell = duels.cell_of(duels.resolved([found.attacker(pair)], target, found.phase, edition), target)
            assert 0 <= cell.wiped <= 1 + 1e-12
            assert 0 <= cell.models <= cell.of_models + 1e-9

"""Roster against roster: every cell is the answer of the calculators, with switches, best targets, CSV and a sheet."""

from __future__ import annotations

import csv
import io
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client

from apps.jobs.models import Job
from apps.killteam import notation, rosters
from apps.killteam.options import SITUATIONS, by_key, of_team
from apps.killteam.services import duel as duels
from apps.killteam.services import matchup
from apps.killteam.services.duel import Duel, FightCell, ShotCell
from apps.killteam.tasks import count_duel
from engine.killteam.activation import fight_then_shoot, shoot_then_fight
from engine.killteam.fight import fight
from engine.killteam.profile import Attacker, Defender, Fighter, FightOptions, Strategy
from engine.killteam.shoot import shoot

ANGELS = """Angels of Death
Intercessor Sergeant: Bolt rifle, Power fist, Chainsword
Heavy Intercessor Gunner: Heavy bolter
Eliminator Sniper: Bolt sniper rifle (mortis), Fists"""
LEGION = """Legionaries
Legionary Butcher
Legionary Gunner: Plasma gun, Fists"""
PERFECT = FightOptions(strategy1=Strategy.OPTIMAL, strategy2=Strategy.OPTIMAL)


def quiet(done: int, total: int, note: str = "") -> None:
    """A progress that nobody watches."""


@pytest.fixture
def keys(db: None) -> tuple[str, str]:
    cache.clear()
    return rosters.keep(rosters.read_list(ANGELS)).key, rosters.keep(rosters.read_list(LEGION)).key


def duel(*on: str) -> Duel:
    return Duel(rosters.read_list(ANGELS), rosters.read_list(LEGION), on)


def test_every_shot_is_the_calculators_and_the_best_weapon_is_taken() -> None:
    found = duel()
    grids = found.grids("shoot")
    assert grids is not None
    for side, other in (("a", "b"), ("b", "a")):
        for one, row in zip(found.sides[side], grids[side], strict=True):
            for target, cell in zip(found.sides[other], row, strict=True):
                assert (cell is None) == (not one.attackers)
                if not isinstance(cell, ShotCell):
                    continue
                defender = Defender(**notation.read_target(target.line).values)
                shots = {
                    weapon["name"]: shoot(
                        Attacker(**notation.read_weapon(rosters.line_of(weapon), "shoot").values), defender
                    )
                    for weapon in rosters.armed(one.entry, "ranged")
                }
                assert cell.kill == pytest.approx(max(shot.p_kill for shot in shots.values()))
                assert cell.damage == pytest.approx(shots[cell.weapon].damage.mean)


def test_every_fight_is_the_calculators_and_each_answers_with_its_best() -> None:
    found = duel()
    grids = found.grids("fight", wait=True)
    assert grids is not None
    sergeant, butcher = found.sides["a"][0], found.sides["b"][0]
    cell, back = grids["a"][0][0], grids["b"][0][0]
    assert isinstance(cell, FightCell)
    assert isinstance(back, FightCell)
    own = {line.name: fighter for line, fighter in sergeant.fighters}
    foe = {line.name: fighter for line, fighter in butcher.fighters}

    def win(one: Fighter, two: Fighter) -> float:
        outcome = fight(one, two, PERFECT)
        return outcome.p_kill1 - outcome.p_kill2

    started = max(min(win(one, two) for two in foe.values()) for one in own.values())
    waited = max(min(win(two, one) for one in own.values()) for two in foe.values())
    assert cell.kill - cell.die == pytest.approx(started)
    assert back.kill - back.die == pytest.approx(waited)
    assert cell.charge == pytest.approx(100 * (started + waited))
    outcome = fight(own[cell.weapon], foe[cell.reply], PERFECT)
    lost, taken = 15 - outcome.wounds1.mean, butcher.entry["wounds"] - outcome.wounds2.mean
    assert cell.traded == pytest.approx(taken - lost)
    assert cell.live == pytest.approx(1 - cell.kill - cell.die)


def test_who_has_no_blade_is_fought_and_does_not_fight() -> None:
    grids = duel().grids("fight", wait=True)
    assert grids is not None
    assert grids["a"][1] == [None, None]  # the gunner was given a heavy bolter and nothing else
    assert all(isinstance(row[1], FightCell) and row[1].die == 0 for row in grids["b"])


@pytest.mark.parametrize("switch", [*SITUATIONS, *of_team("Legionaries")], ids=lambda switch: switch.key)
def test_a_switch_of_a_roster_or_of_one_changes_just_that(switch: Any) -> None:
    plain = duel().grids("shoot")
    alone = duel(f"b1.{switch.key}").grids("shoot")
    both = duel(f"b.{switch.key}").grids("shoot")
    assert plain is not None
    assert alone is not None
    assert both is not None
    assert [row[1] for row in alone["a"]] == [row[1] for row in plain["a"]]
    assert [row[0] for row in alone["a"]] == [row[0] for row in both["a"]]
    assert alone["b"][1] == plain["b"][1]
    assert alone["b"][0] == both["b"][0]


def test_cover_helps_the_target_and_the_page_says_what_is_on(client: Client, keys: tuple[str, str]) -> None:
    query = {"a": keys[0], "b": keys[1]}
    plain = client.get("/killteam/duel/", query)
    covered = client.get("/killteam/duel/", {**query, "on": ["b.in-cover", "b.nonsense", "c.in-cover"]})
    assert covered.context["address"].on == ("b.in-cover",)
    before, after = (page.context["headline"] for page in (plain, covered))
    assert float(after["shown"]) < float(before["shown"])
    assert "1 on" in covered.content.decode()


def test_best_targets_and_best_operatives(client: Client, keys: tuple[str, str]) -> None:
    context = client.get("/killteam/duel/", {"a": keys[0], "b": keys[1], "show": "damage"}).context
    grids = duel().grids("shoot")
    assert grids is not None
    table = context["tables"][0]
    names = {"a": [one.name for one in duel().sides["a"]], "b": [one.name for one in duel().sides["b"]]}
    for best, row in zip(table["targets"], grids["a"], strict=True):
        damages = [cell.damage for cell in row if isinstance(cell, ShotCell)]
        assert best.other == names["b"][damages.index(max(damages))]
    for at, best in enumerate(table["operatives"]):
        cells = [row[at] for row in grids["a"]]
        column = [cell.damage if isinstance(cell, ShotCell) else -1 for cell in cells]
        assert best.other == names["a"][column.index(max(column))]


def test_csv_has_both_directions_with_every_digit(client: Client, keys: tuple[str, str]) -> None:
    answer = client.get("/killteam/duel/csv/", {"a": keys[0], "b": keys[1], "phase": "fight"})
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0][:4] == ["Roster", "Attacker", "Target", "Chance to kill"]
    assert len(rows) == 1 + 2 * 2 + 2 * 3  # two who fight against two, and back
    grids = duel().grids("fight", wait=True)
    assert grids is not None
    assert isinstance(grids["a"][0][0], FightCell)
    assert float(rows[1][3]) == grids["a"][0][0].kill


def test_the_sheet_has_every_operative_against_every_enemy(client: Client, keys: tuple[str, str]) -> None:
    page = client.get("/killteam/duel/sheet/", {"a": keys[0], "b": keys[1], "on": "a.injured"})
    cards = page.context["cards"]
    assert [card["name"] for card in cards] == [one.name for one in duel().sides["a"]]
    assert all([row["name"] for row in card["rows"]] == ["Legionary Butcher", "Legionary Gunner"] for card in cards)
    assert sum(row.get("best_shot", False) for row in cards[0]["rows"]) == 1
    assert "A: Injured" in page.content.decode()


def test_one_match_up_in_full(client: Client, keys: tuple[str, str]) -> None:
    page = client.get("/killteam/duel/cell/", {"a": keys[0], "b": keys[1], "side": "b", "from": "1", "to": "0"})
    shots = {row["name"]: row for row in page.context["shots"]}
    hot = shots["Plasma gun (supercharge)"]["hot"]
    assert (hot["mean"], hot["p_hurt"]) == (pytest.approx(1.0), pytest.approx(2 / 6))
    assert shots["Plasma gun (standard)"]["hot"] is None
    opened = client.get(shots["Plasma gun (supercharge)"]["href"])
    assert opened.status_code == 200
    assert opened.context["answers"][0].facts["p_kill"] == pytest.approx(shots["Plasma gun (supercharge)"]["kill"])
    for row in page.context["fights"]:
        opened = client.get(row["href"])
        assert opened.context["answers"][0].number == pytest.approx(100 * row["kill"])
    assert client.get("/killteam/duel/cell/", {"a": keys[0], "b": keys[1], "side": "a", "from": "9", "to": "0"}
                      ).status_code == 404  # fmt: skip


def test_one_activation_in_either_order() -> None:
    found = duel()
    sergeant, butcher = found.sides["a"][0], found.sides["b"][0]
    rows = {row["title"]: row for row in matchup.turn_rows(found, sergeant, butcher)}
    assert list(rows) == ["Shoot", "Charge and fight", "Shoot, then charge", "Fight, then shoot"]
    cell = matchup.started(found, sergeant, butcher)
    assert cell is not None
    own = next(fighter for line, fighter in sergeant.fighters if line.name == cell.weapon)
    foe = next(fighter for line, fighter in butcher.fighters if line.name == cell.reply)
    gun = sergeant.attackers[0][1]
    for title, sequence in (("Shoot, then charge", shoot_then_fight), ("Fight, then shoot", fight_then_shoot)):
        expected = sequence(gun, butcher.defender, (own, foe), PERFECT)
        assert rows[title]["kill"] == pytest.approx(expected.p_kill1)
        assert rows[title]["die"] == pytest.approx(expected.p_kill2)
    assert rows["Shoot, then charge"]["kill"] > rows["Charge and fight"]["kill"]


def test_advice_names_the_option_that_helps_most(client: Client, keys: tuple[str, str]) -> None:
    query = {"a": keys[0], "b": keys[1], "side": "a", "from": "0", "to": "0"}
    page = client.get("/killteam/duel/advice/", query)
    (_, shooting), (_, fighting) = page.context["advice"]
    assert shooting
    assert fighting
    assert [lift["gain"] for lift in shooting] == sorted((lift["gain"] for lift in shooting), reverse=True)
    best = shooting[0]
    then = duel(best["word"])
    cell = then.shot_cell(then.sides["a"][0], then.sides["b"][0])
    assert cell is not None
    assert cell.kill == pytest.approx(best["kill"])
    assert by_key(best["word"].partition(".")[2]) is not None


def test_blast_and_torrent_reach_several(client: Client, db: None) -> None:
    flamer = rosters.keep(rosters.read_list("Angels of Death\nAssault Intercessor Grenadier: Frag grenade")).key
    other = rosters.keep(rosters.read_list(LEGION)).key
    query = urlencode({"a": flamer, "b": other, "side": "a", "from": 0, "to": 0, "with": 1})
    several = client.get(f"/killteam/duel/cell/?{query}").context["several"]
    chances = dict(several["each"])
    (one, p), (two, q) = chances.items()
    assert (one, two) == ("Legionary Butcher", "Legionary Gunner")
    assert several["rows"][2][1] == pytest.approx(p * q)
    assert several["rows"][0][1] == pytest.approx((1 - p) * (1 - q))
    assert several["mean"] == pytest.approx(p + q)


def test_many_fights_are_a_job_shared_by_workers(
    client: Client, keys: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duels, "AT_ONCE", 0.0)
    query = urlencode({"a": keys[0], "b": keys[1], "phase": "fight"})
    page = client.get(f"/killteam/duel/?{query}")
    assert page.context["missing"]
    started = client.post("/killteam/duel/count/", {"query": query})
    job = Job.objects.get()
    assert started["Location"].endswith(f"&job={job.pk}")
    assert client.get(started["Location"]).status_code == 200
    assert count_duel(job.document, quiet) == {"fights": 12}
    page = client.get(f"/killteam/duel/?{query}")
    assert not page.context["missing"]
    assert duel().grids("fight", wait=True) == duels.duel_of(job.document).grids("fight")


def test_swapping_sides_keeps_what_is_on(client: Client, keys: tuple[str, str]) -> None:
    page = client.get("/killteam/duel/", {"a": keys[0], "b": keys[1], "on": ["a1.injured", "b.in-cover"]})
    swapped = client.get(page.context["address"].swapped)
    assert swapped.context["address"].on == ("b1.injured", "a.in-cover")
    assert swapped.context["duel"].a == page.context["duel"].b


def test_a_missing_roster_leads_to_where_one_is_chosen(client: Client, keys: tuple[str, str]) -> None:
    answer = client.get("/killteam/duel/", {"a": keys[0]})
    assert answer["Location"] == f"/killteam/rosters/?side=b&other={keys[0]}"
    assert client.get("/killteam/duel/csv/", {"a": keys[0], "b": "x"}).status_code == 404
    assert client.get("/killteam/duel/").status_code == 302


def test_the_samples_open_at_once(client: Client, db: None) -> None:
    page = client.post("/killteam/rosters/samples/", follow=True)
    assert page.context["headline"]["claim"].startswith("to kill: ")
    one = client.get(f"{page.context['link']}&operative=a1")
    assert one.context["operative"]["name"] == "Space Marine Captain"
    assert "alone" in one.content.decode()


def test_the_job_says_when_a_roster_is_gone(db: None) -> None:
    with pytest.raises(ValueError, match="not there any more"):
        duels.count({"a": "x", "b": "y"}, quiet)

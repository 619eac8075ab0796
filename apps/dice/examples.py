"""Worked examples by game: each a program one click away."""

from __future__ import annotations

from apps.core.calculator import Preset


def _example(game: str, what: str, program: str, target: str = "") -> Preset:
    return Preset(f"{what[:1].upper()}{what[1:]}", {"roll": program, "target": target}, note=game)


EXAMPLES = (
    _example("D&D 5e", "ability score", "4D6kh3", "15"),
    _example(
        "D&D 5e",
        "attack with critical hits",
        "roll = D20\nif roll = 20 then 4D6+3\nelse if roll + 5 >= 15 then 2D6+3 else 0",
    ),
    _example("D&D 5e", "advantage and disadvantage", "advantage(D20)\nD20\ndisadvantage(D20)"),
    _example("D&D 5e", "great weapon fighting", "2D6ro<3\n2D6"),
    _example("World of Darkness", "pool with ten again", "for n in 2..8: nD10! count >=8"),
    _example("World of Darkness", "classic pool with botches", "6D10 count >=7 cancel 1 botch 1"),
    _example("Year Zero", "sixes, pushed once", "for n in 2..6: nD6 count 6\nfor n in 2..6: nD6ro{2..5} count 6"),
    _example(
        "Blades in the Dark",
        "action roll",
        'pool = 3D6\nif pool count 6 >= 2 then "critical"\nelse if highest 1 of pool = 6 then "full success"\n'
        'else if highest 1 of pool >= 4 then "partial success" else "bad outcome"',
    ),
    _example("Savage Worlds", "trait die and wild die", "max(D8!!, D6!!)", "4"),
    _example("Shadowrun", "hits of ten dice, opposed", "10D6 count >=5 vs 7D6 count >=5"),
    _example("Genesys-like", "net successes of custom faces", "2D{0,1,1,2,0,0,1,0} - 2D{0,1,2,0,0,0,0,1}", "1"),
    _example("RISK", "three armies against two", "pair_off(3D6, 2D6)"),
    _example("Catan", "the robber", "2D6 = 7"),
    _example("Dicee", "largest set of five dice", "largest_set(5D6)\nlongest_run(5D6)"),
    _example("Call of Cthulhu", "degrees of success", 'bands(D100, 1: "critical", 10: "extreme", 25: "hard", '
             '50: "regular", 95: "failure", "fumble")'),
    _example("Any game", "two rolls against each other", "3D6 vs 2D10"),
    _example("Any game", "best of more and more dice", "for n in 1..6: nD6kh1"),
    _example("Any game", "what is left when you know", "a = D6\nb = D6\na + b given a > b"),
)  # fmt: skip

"""What a player can set. Names of fields are names in the address: they stay."""

from __future__ import annotations

from apps.core.forms import CalculatorForm, Choice, Group, Several, Toggle, Whole
from apps.killteam.services import rules as book

MOST_DICE, MOST_WOUNDS, MOST_DAMAGE = 20, 99, 30
ROUNDS, FIGHT_ROUNDS = 9, 5

OFF = ("0", "Off")
#: 7 = never a critical; below 2 everything would be one.
CRITICAL_ON = [OFF, *((str(n), f"{n}+") for n in range(2, 7)), ("7", "Never")]
SAVES_ON = [OFF, *((str(n), f"{n}+") for n in range(2, 7))]
FNP_ON = [OFF, *((str(n), f"{n}+") for n in range(1, 7))]
FNP_MODES = [("per_point", "Each point"), ("per_hit", "Each hit")]


def _several(label: str, keys: tuple[str, ...]) -> Several:
    return Several(label, book.chips(keys), notes=book.notes(keys))


class ShootForm(CalculatorForm):
    dice = Whole("Attack dice", 0, MOST_DICE, 4)
    hit = Whole("Hits on", 1, 7, 3, suffix="+")
    normal = Whole("Normal damage", 0, MOST_DAMAGE, 3)
    critical = Whole("Critical damage", 0, MOST_DAMAGE, 4)
    reroll = Choice("Re-roll", book.rerolls())
    piercing = Whole("Piercing", 0, MOST_DICE, 0, hint="defence dice removed")
    lethal = Choice("Lethal", CRITICAL_ON, hint="criticals on this or more")
    rules = _several("Attacker's rules", book.ATTACK_CHIPS)
    piercing_crits = Whole("Piercing Crits", 0, MOST_DICE, 0, hint="if a critical is kept")
    devastating = Whole("Devastating", 0, MOST_DAMAGE, 0, hint="damage of a critical no save stops")
    accurate = Whole("Accurate", 0, MOST_DICE, 0, hint="dice kept as normal hits, unrolled")
    auto_crits = Whole("Automatic criticals", 0, MOST_DICE, 0, hint="dice kept as criticals, unrolled")
    fails_to_norms = Whole("Fails to normals", 0, MOST_DICE, 0)
    norms_to_crits = Whole("Normals to criticals", 0, MOST_DICE, 0)
    more_rules = _several("More of the attacker's rules", book.ATTACK_MORE)

    defence = Whole("Defence dice", 0, MOST_DICE, 3)
    save = Whole("Save", 1, 7, 4, suffix="+")
    wounds = Whole("Wounds", 0, MOST_WOUNDS, 8)
    cover = Whole("Cover saves", 0, MOST_DICE, 0, hint="kept without rolling")
    fnp = Choice("Feel No Pain", FNP_ON)
    save_rules = _several("Defender's rules", book.DEFENCE_CHIPS)
    invulnerable = Choice("Invulnerable save", SAVES_ON, hint="takes the place of the save; ignores Piercing")
    fnp_mode = Choice("Feel No Pain rolls for", FNP_MODES, as_segments=True)
    hardy = Choice("Hardy", CRITICAL_ON, hint="critical saves on this or more")
    save_reroll = Choice("Save re-roll", book.rerolls())
    cover_crits = Whole("Critical cover saves", 0, MOST_DICE, 0, hint="kept without rolling")
    save_fails_to_norms = Whole("Failed saves to normals", 0, MOST_DICE, 0)
    save_norms_to_crits = Whole("Normal saves to criticals", 0, MOST_DICE, 0)
    relics = Whole("Saintly relics", 0, 2, 0, hint="6+ to ignore one hit a round, two in all")
    more_save_rules = _several("More of the defender's rules", book.DEFENCE_MORE)

    rounds = Whole("Times shot", 1, ROUNDS, 1)
    fire_team = Toggle("Fire Team saves", hint="Any save stops any hit, normal hits first.")
    severe_chain = Toggle("Severe sets off Rending", hint="The 2021 reading: Severe's critical counts for other rules.")
    check = Toggle("Check by rolling", hint="Also roll the dice 20,000 times and show how close that comes.")

    groups = (
        Group("Attacker", ("dice", "hit", "normal", "critical", "reroll", "piercing", "lethal", "rules"),
              ("piercing_crits", "devastating", "accurate", "auto_crits", "fails_to_norms", "norms_to_crits",
               "more_rules"), "More for the attacker", "attacker"),
        Group("Defender", ("defence", "save", "wounds", "cover", "fnp", "save_rules"),
              ("invulnerable", "fnp_mode", "hardy", "save_reroll", "cover_crits", "save_fails_to_norms",
               "save_norms_to_crits", "relics", "more_save_rules"), "More for the defender", "defender"),
        Group("The shot", ("rounds",), ("fire_team", "severe_chain", "check"), "House rules and checks", "options"),
    )  # fmt: skip

"""What a player can set. Names of fields are names in the address: they stay."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

from django.forms import Field
from django.http import QueryDict

from apps.core.forms import CalculatorForm, Choice, Group, Lines, Several, Toggle, Whole, Words
from apps.killteam.services import rules as book
from apps.killteam.services.exclusive import conflict
from apps.killteam.services.matrix import MOST as MATRIX_MOST
from apps.killteam.services.matrix import ORDERS
from apps.killteam.services.measures import FIGHTS, SHOTS
from apps.killteam.team_fields import (
    TeamPart,
    every_options_field,
    keep_own_options,
    team_choices,
    team_field,
    weapon_field,
)

MOST_DICE, MOST_WOUNDS, MOST_DAMAGE = 20, 99, 30
ROUNDS, FIGHT_ROUNDS, MOST_TARGETS = 9, 5, 9
MOST_NAME = 40
PERFECT, MOST_DAMAGE_PLAN = "optimal", "max_dmg_to_enemy"

OFF = ("0", "Off")
#: 7 = never a critical; below 2 everything would be one.
CRITICAL_ON = [OFF, *((str(n), f"{n}+") for n in range(2, 7)), ("7", "Never")]
SAVES_ON = [OFF, *((str(n), f"{n}+") for n in range(2, 7))]
FNP_ON = [OFF, *((str(n), f"{n}+") for n in range(1, 7))]
FNP_MODES = [("per_point", "Each point"), ("per_hit", "Each hit")]


def _several(label: str, keys: tuple[str, ...]) -> Several:
    return Several(label, book.chips(keys), notes=book.notes(keys))


def _one_of(label: str, keys: tuple[str, ...]) -> Choice:
    return Choice(label, book.one_of(keys), hint="a model has one of these at most")


class RulesForm(CalculatorForm):
    """A sheet whose rules may exclude each other. Those that do are a list to choose one from.

    ``models`` are the rules of one model each: the toggles in sight, the other toggles, and what its lists begin with.
    An address may name an ability among the toggles that has a list of its own now: it is read into that list.
    ``teams`` are the sides that may have a team, whose options are switches of the sheet.
    """

    models: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    teams: ClassVar[tuple[TeamPart, ...]] = ()

    def __init__(self, data: QueryDict, prefix: str = "") -> None:
        self.clashes: dict[str, str] = {}
        moved = copy(data)
        start = f"{prefix}-" if prefix else ""
        for toggles in self.models:
            self._choose(moved, start, *toggles)
        own_options = {part.options: keep_own_options(moved, start, part) for part in self.teams}
        super().__init__(moved, prefix)
        self.fields.update(own_options)

    def _choose(self, data: QueryDict, prefix: str, rules: str, more: str, start: str) -> None:
        named = [key for field in (rules, more) for key in data.getlist(prefix + field)]
        if message := conflict(named):
            self.clashes[rules] = message
        for field in (rules, more):
            if (prefix + field) in data:
                kept = [key for key in data.getlist(prefix + field) if key not in book.ONE_OF]
                data.setlist(prefix + field, kept)
        for key in named:
            if key in book.ONE_OF:
                data.setdefault(f"{prefix}{start}{book.ONE_OF[key]}", key)

    def set_in_team(self, part: TeamPart) -> int:
        """How many of a side's team, weapon and options hold anything."""
        return sum(map(self._is_set, part.fields))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for rules, message in self.clashes.items():
            self.add_error(rules, message)
        return values


class ShootForm(RulesForm):
    models = (("rules", "more_rules", ""), ("save_rules", "more_save_rules", "save_"))
    teams = (
        TeamPart("attacker", "attacker", "team", "options", "weapon"),
        TeamPart("defender", "defender", "save_team", "save_options"),
    )

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
    style = _one_of("Style", book.DICE_STYLES)
    elite = _one_of("Elite", book.ELITES)
    more_rules = _several("More of the attacker's rules", book.ATTACK_MORE)
    team = team_field()
    weapon = weapon_field()
    options = every_options_field("attacker")
    hot = Toggle("Hot", hint="Also show what it costs its bearer: a die below the hit stat hurts for twice its face.")

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
    save_style = _one_of("Style of saving", book.DICE_STYLES)
    save_elite = _one_of("Elite when saving", book.ELITES)
    more_save_rules = _several("More of the defender's rules", book.DEFENCE_MORE)
    save_team = team_field()
    save_options = every_options_field("defender")

    rounds = Whole("Times shot", 1, ROUNDS, 1)
    targets = Whole("Targets", 1, MOST_TARGETS, 1, hint="Blast, Torrent: each is shot at on its own")
    rolled = Words("Dice rolled", most=MOST_NAME, required=False, hint="their faces: 6 4 2 1")
    fire_team = Toggle("Fire Team saves", hint="Any save stops any hit, normal hits first.")
    severe_chain = Toggle("Severe sets off Rending", hint="The 2021 reading: Severe's critical counts for other rules.")
    check = Toggle("Check by rolling", hint="Also roll the dice 20,000 times and show how close that comes.")

    groups = (
        Group(
            "Attacker",
            ("dice", "hit", "normal", "critical", "reroll", "piercing", "lethal", "rules"),
            (
                "piercing_crits",
                "devastating",
                "accurate",
                "auto_crits",
                "fails_to_norms",
                "norms_to_crits",
                "hot",
                "style",
                "elite",
                "more_rules",
            ),
            "More for the attacker",
            "attacker",
        ),
        Group(
            "Defender",
            ("defence", "save", "wounds", "cover", "fnp", "save_rules"),
            (
                "invulnerable",
                "fnp_mode",
                "hardy",
                "save_reroll",
                "cover_crits",
                "save_fails_to_norms",
                "save_norms_to_crits",
                "relics",
                "save_style",
                "save_elite",
                "more_save_rules",
            ),
            "More for the defender",
            "defender",
        ),
        Group(
            "The shot",
            ("rounds", "targets"),
            ("fire_team", "severe_chain", "check"),
            "House rules and checks",
            "options",
        ),
        Group("Dice on the table", (), ("rolled",), "Best re-roll for a roll", "table"),
    )


#: The two of a match-up: their key in the address, their title, and an example each to start from.
FIGHTERS = (
    ("one", "Fighter one", {"dice": 5, "hit": 3, "normal": 4, "critical": 5, "wounds": 14}),
    ("two", "Fighter two", {"dice": 4, "hit": 3, "normal": 4, "critical": 6, "wounds": 12}),
)
FIRST = [("1", "One"), ("2", "Two")]
FACES_HINT = "their faces before any re-roll: 6 4 2 1"


def _fighter(who: str, title: str, start: dict[str, int]) -> dict[str, Field]:
    fields: dict[str, Field] = {
        "name": Words("Name", title, most=MOST_NAME),
        "dice": Whole("Attack dice", 0, MOST_DICE, start["dice"]),
        "hit": Whole("Hits on", 1, 7, start["hit"], suffix="+"),
        "normal": Whole("Normal damage", 0, MOST_DAMAGE, start["normal"]),
        "critical": Whole("Critical damage", 0, MOST_DAMAGE, start["critical"]),
        "wounds": Whole("Wounds", 0, MOST_WOUNDS, start["wounds"]),
        "strategy": Choice("Plays for", book.strategies(), PERFECT),
        "reroll": Choice("Re-roll", book.rerolls()),
        "lethal": Choice("Lethal", CRITICAL_ON, hint="criticals on this or more"),
        "style": _one_of("Fighting style", book.FIGHT_STYLES),
        "rules": _several(f"Rules of {title.lower()}", book.FIGHT_CHIPS),
        "fnp": Choice("Feel No Pain", FNP_ON),
        "accurate": Whole("Accurate", 0, MOST_DICE, 0, hint="dice kept as normal successes, unrolled"),
        "auto_crits": Whole("Automatic criticals", 0, MOST_DICE, 0, hint="dice kept as criticals, unrolled"),
        "fails_to_norms": Whole("Fails to normals", 0, MOST_DICE, 0),
        "norms_to_crits": Whole("Normals to criticals", 0, MOST_DICE, 0),
        "elite": _one_of("Elite", book.ELITES),
        "more_rules": _several(f"More rules of {title.lower()}", book.FIGHT_MORE),
        "team": team_field(),
        "weapon": weapon_field(),
        "options": every_options_field("fighter"),
    }
    return {f"{who}_{name}": field for name, field in fields.items()}


def _fighter_group(who: str, title: str) -> Group:
    shown = ("name", "dice", "hit", "normal", "critical", "wounds", "strategy", "reroll", "lethal", "style", "rules")
    more = ("fnp", "accurate", "auto_crits", "fails_to_norms", "norms_to_crits", "elite", "more_rules")
    own_shown, own_more = (tuple(f"{who}_{name}" for name in names) for names in (shown, more))
    return Group(title, own_shown, own_more, f"More for {title.lower()}", who)


def _fight_fields() -> dict[str, Field]:
    fields: dict[str, Field] = {}
    for who, title, start in FIGHTERS:
        fields |= _fighter(who, title, start)
    return fields | {
        "first": Choice("Strikes first", FIRST, as_segments=True),
        "rounds": Whole("Rounds", 1, FIGHT_ROUNDS, 1),
        "injury": Toggle("Injury", hint="Below half its wounds, a fighter hits one worse from the next round."),
        "fnp_mode": Choice("Feel No Pain rolls for", FNP_MODES, as_segments=True),
        "severe_chain": Toggle("Severe sets off Rending", hint="The 2021 reading."),
        "check": Toggle("Check by rolling", hint="Also fight it out 20,000 times and show how close that comes."),
        "explore": Toggle("Rolled already", hint="Enter the dice on the table and read the best line of play."),
        "one_crits": Whole("Fighter one's criticals", 0, MOST_DICE, 1),
        "one_norms": Whole("Fighter one's normals", 0, MOST_DICE, 2),
        "two_crits": Whole("Fighter two's criticals", 0, MOST_DICE, 1),
        "two_norms": Whole("Fighter two's normals", 0, MOST_DICE, 1),
        "one_rolled": Words("Fighter one's dice", most=MOST_NAME, required=False, hint=FACES_HINT),
        "two_rolled": Words("Fighter two's dice", most=MOST_NAME, required=False, hint=FACES_HINT),
        "sideways": Words("Other moves", most=MOST_NAME, required=False, hint="step.move; a line's links set it"),
    }


def most_damage_by_default(data: QueryDict) -> None:
    """An address of the first version means “most damage” where it names no plan; it is perfect play since."""
    for prefix in ("", "b-"):
        for who, _, _ in FIGHTERS:
            data.setdefault(f"{prefix}{who}_strategy", MOST_DAMAGE_PLAN)


class _FightSheet(RulesForm):
    models = tuple((f"{who}_rules", f"{who}_more_rules", f"{who}_") for who, _, _ in FIGHTERS)
    teams = tuple(TeamPart(who, "fighter", f"{who}_team", f"{who}_options", f"{who}_weapon") for who, _, _ in FIGHTERS)
    groups = (
        *(_fighter_group(who, title) for who, title, _ in FIGHTERS),
        Group(
            "The fight",
            ("first", "rounds"),
            ("injury", "fnp_mode", "severe_chain", "check"),
            "House rules and checks",
            "fight",
        ),
        Group(
            "Dice on the table",
            (),
            ("one_rolled", "two_rolled", "explore", "one_crits", "one_norms", "two_crits", "two_norms", "sideways"),
            "Best re-roll and best line for a roll",
            "table",
        ),
    )


# Both fighters have the same controls under two keys, so the class is made from a table rather than written twice.
FightForm: type[RulesForm] = type("FightForm", (_FightSheet,), _fight_fields())


MATRIX_ATTACKERS = """Bolt rifle: 4 3+ 3/4, Piercing Crits 1
Plasma gun: 4 3+ 4/6, Piercing 1
Plasma gun (supercharge): 4 3+ 5/6, Hot, Lethal 5+, Piercing 1
Meltagun: 4 3+ 6/3, Devastating 4, Piercing 2
Heavy bolter: 5 3+ 4/5, Piercing Crits 1
Lasgun: 4 4+ 2/3"""
MATRIX_DEFENDERS = """Guardsman: 5+ 7W
Aeldari: 4+ 8W
Ork: 5+ 10W
Marine: 3+ 14W
Marine in cover: 3+ 14W, Cover 1
Heavy Marine: 3+ 18W"""


class MatrixForm(CalculatorForm):
    attackers = Lines("Attackers", MATRIX_ATTACKERS, hint="one a line: dice, hits on, normal/critical damage, rules")
    attack_team = Choice("Add a team's ranged weapons", team_choices())
    defenders = Lines("Defenders", MATRIX_DEFENDERS, hint="one a line: save, wounds, rules")
    defend_team = Choice("Add a team's operatives", team_choices())
    show = Choice("Show", [(m.key, m.title) for m in SHOTS.values()])
    order = Choice("Attackers in order", ORDERS)
    rounds = Whole("Times shot", 1, ROUNDS, 1)
    cover = Whole("Cover saves", 0, MOST_DICE, 0, hint="for everyone")
    column = Whole("Sort by defender number", 0, MATRIX_MOST, 0, hint="or press a column's name; 0 = none")
    row = Whole("Sort by attacker number", 0, MATRIX_MOST, 0, hint="or press a row's name; 0 = none")

    groups = (
        Group("Attackers", ("attackers", "attack_team"), key="attackers"),
        Group("Defenders", ("defenders", "defend_team"), key="defenders"),
        Group("Reading", ("show", "order"), ("rounds", "cover", "column", "row"), "More", "reading"),
    )


FIGHT_ATTACKERS = """Intercessor: 4 3+ 3/4 14W
Assault Intercessor: 5 3+ 4/5 14W
Ork Boy: 3 3+ 4/5 10W
Guardsman: 3 4+ 2/3 7W"""
FIGHT_DEFENDERS = """Legionary: 5 3+ 4/5 14W
Kommando: 4 3+ 4/5 10W, Brutal
Aeldari: 4 3+ 3/4 8W
Pathfinder: 3 5+ 2/3 7W"""
STRIKES_FIRST = [("attacker", "Attacker"), ("defender", "Defender")]


class FightMatrixForm(CalculatorForm):
    attackers = Lines(
        "Attackers", FIGHT_ATTACKERS, hint="one a line: dice, hits on, normal/critical damage, wounds, rules"
    )
    attack_team = Choice("Add a team's fighters", team_choices())
    defenders = Lines("Defenders", FIGHT_DEFENDERS, hint="one a line, as the attackers")
    defend_team = Choice("Add a team's fighters", team_choices())
    show = Choice("Show", [(m.key, m.title) for m in FIGHTS.values()])
    order = Choice("Attackers in order", ORDERS)
    first = Choice("Strikes first", STRIKES_FIRST, as_segments=True)
    attacker_plan = Choice("Attackers play for", book.strategies(), PERFECT)
    defender_plan = Choice("Defenders play for", book.strategies(), PERFECT)
    least = Whole("At least this many wounds", 1, MOST_WOUNDS, 5, hint="for “At least so many wounds”")
    rounds = Whole("Rounds", 1, FIGHT_ROUNDS, 1)
    column = Whole("Sort by defender number", 0, MATRIX_MOST, 0, hint="or press a column's name; 0 = none")
    row = Whole("Sort by attacker number", 0, MATRIX_MOST, 0, hint="or press a row's name; 0 = none")

    groups = (
        Group("Attackers", ("attackers", "attack_team"), key="attackers"),
        Group("Defenders", ("defenders", "defend_team"), key="defenders"),
        Group(
            "Reading",
            ("show", "order", "first"),
            ("attacker_plan", "defender_plan", "least", "rounds", "column", "row"),
            "Plans, rounds and sorting",
            "reading",
        ),
    )

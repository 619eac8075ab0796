"""Names of armies: how a header line is known to be one, and the team behind an id of ktdash."""

from __future__ import annotations

from apps.catalogues.names import fold

FACTIONS = (
    "Adepta Sororitas", "Adeptus Astartes", "Adeptus Custodes", "Adeptus Mechanicus", "Adeptus Titanicus", "Aeldari",
    "Agents of the Imperium", "Astra Militarum", "Asuryani", "Black Templars", "Blood Angels", "Chaos Daemons",
    "Chaos Knights", "Chaos Space Marines", "Craftworlds", "Dark Angels", "Death Guard", "Deathwatch", "Drukhari",
    "Emperor's Children", "Genestealer Cults", "Grey Knights", "Harlequins", "Heretic Astartes", "Imperial Agents",
    "Imperial Fists", "Imperial Knights", "Iron Hands", "Legiones Daemonica", "Leagues of Votann", "Necrons", "Orks",
    "Raven Guard", "Salamanders", "Space Marines", "Space Wolves", "T'au Empire", "Thousand Sons", "Tyranids",
    "Ultramarines", "White Scars", "World Eaters", "Ynnari",
)  # fmt: skip
_FOLDED = frozenset(fold(name) for name in FACTIONS)
BATTLE_SIZES = frozenset(("combat patrol", "incursion", "strike force", "onslaught", "apocalypse"))

#: Team ids of ktdash; an operative's id begins with its team's.
TEAMS = {
    "AEL-BOK": "Blades of Khaine", "AEL-COR": "Corsair Voidscarred", "AEL-EDM": "Exodite Dragon Masters",
    "AEL-EXO": "Exodite Dragon Masters", "AEL-HOTA": "Hand of the Archon", "AEL-MND": "Mandrakes",
    "AEL-VDT": "Void-Dancer Troupe", "CHAOS-BLD": "Blooded", "CHAOS-CULT": "Chaos Cult",
    "CHAOS-FELL": "Fellgor Ravagers", "CHAOS-GORE": "Goremongers", "CHAOS-GPI": "Gellerpox Infected",
    "CHAOS-LEG": "Legionaries", "CHAOS-MW": "Murderwing", "CHAOS-NC": "Nemesis Claw", "CHAOS-PM": "Plague Marines",
    "CHAOS-WC": "Warpcoven", "IMP-AES": "Exaction Squad", "IMP-AOD": "Angels of Death", "IMP-BC": "Battleclade",
    "IMP-CI": "Celestian Insidiants", "IMP-DKK": "Death Korps", "IMP-DW": "Deathwatch",
    "IMP-ESS": "Elucidian Starstriders", "IMP-HC": "Hunter Clade", "IMP-INB": "Imperial Navy Breachers",
    "IMP-INQ": "Inquisitorial Agents", "IMP-KAS": "Kasrkin", "IMP-NOV": "Novitiates", "IMP-PHO": "Phobos Strike Team",
    "IMP-RAT": "Ratlings", "IMP-SANC": "Sanctifiers", "IMP-SCT": "Scout Squad", "IMP-SPEC": "Spectre Squad",
    "IMP-SPECT": "Spectre Squad", "IMP-TEMPAQ": "Tempestus Aquilons", "IMP-WS": "Wolf Scouts",
    "NEC-CAN": "Canoptek Circle", "NEC-HIER": "Hierotek Circle", "ORK-KOM": "Kommandos", "ORK-WK": "Wrecka Krew",
    "SPEC-NPO": "Non-player Operatives", "SPEC-TITUS": "Strike Force Variel", "TAU-FSKB": "Farstalker Kinband",
    "TAU-PF": "Pathfinders", "TAU-SB": "XV26 Stealth Battlesuits", "TAU-VESP": "Vespid Stingwings",
    "TYR-BBRO": "Brood Brothers", "TYR-RAV": "Raveners", "TYR-WB": "Wyrmblade", "VOT-HKS": "Hearthkyn Salvagers",
    "VOT-HKY": "Hernkyn Yaegirs",
}  # fmt: skip


def is_faction(name: str) -> bool:
    """Whether a line names an army.

    >>> is_faction("Emperor’s Children"), is_faction("Gladius Task Force")
    (True, False)
    """
    return fold(name.rpartition(" - ")[2]) in _FOLDED


def last_part(name: str) -> str:
    """The army of "Imperium - Space Marines".

    >>> last_part("Chaos - Emperor's Children")
    "Emperor's Children"
    """
    return name.rpartition(" - ")[2].strip() or name.strip()

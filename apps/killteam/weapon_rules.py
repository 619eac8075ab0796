"""Weapon rules that ``notation`` does not turn into a property: those without dice, and those left to the player."""

from __future__ import annotations

import re

#: Rules about range, movement, targets, tokens or later turns: the dice of the attack stay as they are.
NO_DICE: tuple[str, ...] = (
    r'Range \d+"', r"Heavy(?: \(.+\))?", r'Torrent \d+"', r'Blast \d+"', r"Silent", r"Stun", r"Limited \d+", r"Psychic",
    r"Seek(?: Light)?", r"Concealed Position", r"Poison", r"Blaze", r"Magnify", r"Salvo", r"Siphon Life", r"Terrorchem",
    r"Neutron Fragment", r"Humbling Cruelty", r"Blood Offering", r"Phase Sweep", r"Swipe", r"Ritual", r"Drag", r"Prey",
    r"Stinger", r"Flay", r"Beam", r"Whirling Onslaught", r"Twin Torrent", r"Neutron Bombardment", r"Mindburn", r"Smash",
    r"Headtaker", r"Explosive", r"Aimed",
)  # fmt: skip
#: Rules that do change them, when and how the table says.
YOURS_TO_SET: dict[str, str] = {
    r"Hot": "may hurt its own bearer; the target does not care",
    r"Anti-PSYKER": "Lethal 5+ against a Psyker",
    r"Soulstrike": "the target saves on its APL or less",
    r"Bipod": "Ceaseless if the bearer has not moved",
    r"Dimensional Banishment": "afterwards 2D6 above the wounds left kills",
    r"Toxic": "1 more damage against a poisoned target",
    r"Stalk": "Lethal 5+ near terrain",
    r"Tactual Hunter": "an extra strike after the first critical one, against the expended",
    r"Vicious Blows": "Ceaseless when fighting, not when retaliating",
    r"Zealous Rage": "Ceaseless when fighting, not when retaliating",
    r"Engineered": "two improvements chosen before the battle",
    r"Custom": "two improvements chosen before the battle",
    r"Feast": "one more die and Lethal 5+ against the wounded",
    r"Force Impact": "Brutal after a charge",
    r"Riposte": "a critical block strikes as well",
    r"Crush": "extra damage by a roll-off",
    r"Wreathed": "text not found",
    r"Pulsa": "successes are points, not damage",
    r"Hypersense": "the target is never obscured",
    r"Repress": "also resolves first when retaliating",
    r"(?:\d+\" )?Devastating \d+": "in a fight, damage at once for each critical",
    r"Saturate|Detonate": "cover does not matter in a fight",
    r"Shock": "for fights only",
    r"Accurate \d+": "dice kept unrolled",
}


def why_left_out(rule: str) -> str | None:
    """Why a rule sets nothing: "" if it never touches dice, a reason if the player must set it, None if unknown.

    >>> why_left_out('Range 8"'), why_left_out("Bipod"), why_left_out("Blorp")
    ('', 'Ceaseless if the bearer has not moved', None)
    """
    if any(re.fullmatch(pattern, rule, re.I) for pattern in NO_DICE):
        return ""
    return next((why for pattern, why in YOURS_TO_SET.items() if re.fullmatch(pattern, rule, re.I)), None)

"""What people write in plain words, and how the language says it."""

from __future__ import annotations

#: Data table: a word that is no notation, and the fix.
HINTS = {
    "hk": "To keep the highest, write 4D6kh3.",
    "lk": "To keep the lowest, write 2D20kl1.",
    "hd": "To drop the highest, write 4D6dh1.",
    "ld": "To drop the lowest, write 4D6dl1.",
    "v": "To set one roll against another, write vs: 3D6 vs 2D8.",
    "against": "To set one roll against another, write vs: 3D6 vs 2D8.",
    "w": "Write dice with D: 3D6.",
    "double": "To count a face twice, write it like 7D10 count >=8 twice 10.",
    "doubles": "To count a face twice, write it like 7D10 count >=8 twice 10.",
    "=>": "At least is written >=.",
    "=<": "At most is written <=.",
    "with": "Write advantage(D20), or D20 adv.",
    "successes": "To count dice, write it like 7D10 count >=8.",
    "success": "To count dice, write it like 7D10 count >=8.",
    "difficulty": "To count dice, write it like 7D10 count >=6.",
    "hits": "To count dice, write it like 7D6 count >=5.",
    "best": "Write it like: highest 3 of 4D6.",
    "worst": "Write it like: lowest 1 of 2D20.",
    "lower": "Write it like min(D6, D8), or 2D20kl1.",
    "higher": "Write it like max(D6, D8), or 2D20kh1.",
    "roll": "Leave the word out and write the dice: 2D6.",
    "p": "Leave it out and write the comparison: 2D6 > 7.",
    "chance": "Leave it out and write the comparison: 2D6 > 7.",
    "probability": "Leave it out and write the comparison: 2D6 > 7.",
    "at": "Write a comparison: 2D6 >= 7, or 6D10 count >=8.",
    "avg": "Leave it out: every answer has the average.",
    "average": "Leave it out: every answer has the average.",
    "mean": "Leave it out: every answer has the average.",
    "half": "Divide: 8D6/2 is rounded down, ceil(8D6/2) up.",
    "f": "To take failures away, write it like 8D10 count >=7 minus 1.",
    ",": "Dice side by side stand in braces: {D6, D8}; faces, too: count {5,6}.",
    "*": "To square a roll, name it: a = D6; a * a.",
    "^": "To square a roll, name it: a = D6; a * a.",
    "?": "Leave the question mark out.",
}


def hint(text: str, otherwise: str) -> str:
    """The fix for a word or mark that means nothing where it stands."""
    return HINTS.get(text.lower(), otherwise)

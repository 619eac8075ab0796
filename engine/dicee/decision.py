"""A choice in a position as text and back again.

The text of a choice is a box's name, or the faces kept in rising order, or ``-`` for none: ``four_of_kind``, ``555``,
``-``. It is what answers, votes and forms store, so it never changes.
"""

from __future__ import annotations

from engine.dicee.analysis import Analysis, Option
from engine.dicee.boxes import BOX_NUMBER

NO_DICE = "-"


def write_choice(option: Option) -> str:
    """An option as text.

    >>> write_choice(Option(0.0, 0.0, 1, keep=(5, 5, 5))), write_choice(Option(0.0, 0.0, 1, keep=()))
    ('555', '-')
    """
    return option.box or "".join(map(str, sorted(option.keep or ()))) or NO_DICE


def read_choice(found: Analysis, text: str) -> Option:
    """The option of a position that a text names.

    >>> from engine.dicee import notation
    >>> from engine.dicee.analysis import analyze
    >>> here = analyze(notation.read("standard/-.-.-.-.-.-.-.-.-.-.-.-.-/55526/1"))
    >>> read_choice(here, "555").keep, read_choice(here, "chance").box
    ((5, 5, 5), 'chance')
    """
    if text in BOX_NUMBER:
        return found.option(box=text)
    return found.option(keep=[int(face) for face in text if face.isdecimal()])

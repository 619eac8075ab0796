"""The commonly used part of AnyDice programs, read into the same tree.

Read are ``output … named``, variables, sequences, ``d{…}``, ``NdDIE``, ``N@DICE``, ``#``, arithmetic, comparisons,
``&`` and ``|``, ``if``/``else``, ``loop``, functions with ``:n``, ``:s`` and ``:d`` parameters, and the functions that
AnyDice brings along as far as ``built_in`` lists them. A variable is its text: each mention rolls anew. A parameter
``:n`` is one roll.

``program`` reads statements, ``functions`` calls what a program defines, ``expressions`` reads values; all of them go
through the text with one ``cursor``.
"""

from engine.dice.language.anydice.program import parse

__all__ = ["parse"]

"""The native notation, read with one ``cursor`` over ``tokens``: ``parser`` reads statements, ``expressions`` what
they ask for, ``modifiers`` what follows a roll and ``functions`` what has a name.
"""

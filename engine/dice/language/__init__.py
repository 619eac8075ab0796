"""The dice language: a text becomes a tree (``native``, ``roll20``, ``anydice``), a plan with its predicted cost
(``plan``), and an exact answer (``exact`` over ``pools``); or it is rolled (``rolling``). ``program`` is the way in.
"""

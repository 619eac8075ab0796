"""Kill Team: exact odds of shooting and fighting, 2021 and 2024 rules.

A side's dice become a distribution over (criticals, normals) in :mod:`engine.killteam.pool`; :mod:`~.shoot` spends the
defender's saves on it in the best way there is, :mod:`~.fight` plays out strikes and parries. Nothing is sampled except
in :mod:`~.simulate`, which exists to check the rest and to show how sampling converges.
"""

"""BattleTech ammunition explosions: what a critical hit or a heat phase does to a 'Mech, and how likely it is.

``tables`` holds the facts and the two rule profiles, ``mech`` the record sheet, ``blast`` moves the damage of one
explosion through the hull, ``explosion`` resolves a trigger with dice and ``log`` says what happened; ``bursts``,
``regions`` and ``odds`` count every outcome.
Hull figures are tuples in the order of ``tables.LOCATIONS``; a location with no structure left is gone.
"""

"""Warhammer 40,000 attacks: exact odds (``attack``), advice (``advice``), simulation, and dice one can audit.

``profile`` holds the documents and the editions as data, ``stages`` turns them into face tables (which faces of a die
miss, hit, are critical, are rerolled), and everything else (the exact engine, the simulator, the arithmetic shown to
a reader) works from those same tables. ``builder`` is the Dice-Engine: one combat, rolled die by die, with proofs.
"""

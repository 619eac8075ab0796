"""Warhammer 40K pages: the attack builder, real dice, and a library of profiles."""

"""The web product, one app a room. Games have the same names here as in the engine."""

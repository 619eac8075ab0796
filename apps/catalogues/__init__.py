"""Tables of a game's figures: one entry a line in JSON files, looked up by forgiving names, compared and imported."""

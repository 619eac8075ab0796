"""What is kept beside the game: proof of the dice, telemetry, analyses, flags; and what happens when it expires."""

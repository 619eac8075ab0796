"""The pages of Dicee: lobby, table, coach, and what comes after a game."""

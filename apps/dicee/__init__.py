"""Dicee: play, coaching, the event store, and what one learns after the game."""

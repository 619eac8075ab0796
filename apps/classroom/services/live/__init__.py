"""The lesson as it happens: who is here, how each running game goes, and the question to the whole class."""

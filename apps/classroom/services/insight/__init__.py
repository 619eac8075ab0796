"""What a class's games, votes and work say over time: ideas, weeks, positions, students, files."""

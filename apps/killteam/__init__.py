"""Kill Team: shooting, fighting, many against many, and a library of profiles."""

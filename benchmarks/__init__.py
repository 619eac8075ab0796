"""Speed budgets, measured as ratios against a baseline in the same run. See ``harness``."""

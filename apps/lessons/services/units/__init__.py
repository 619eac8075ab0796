"""What each unit counts and draws; its words are in ``apps/lessons/units``."""

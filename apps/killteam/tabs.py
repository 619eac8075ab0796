"""The tools of this game, above each of its pages."""

TABS = (
    ("Shoot", "killteam:shoot"),
    ("Fight", "killteam:fight"),
    ("Rosters", "killteam:rosters"),
    ("Matrix", "killteam:matrix"),
    ("Profiles", "killteam:profiles"),
)

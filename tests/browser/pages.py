"""Every page a person can open, by name. The axe test and the screenshots go through this list; another test fails
when a page of the URL table is missing from it."""

PAGES: dict[str, str] = {
    "home": "/",
    "styleguide": "/styleguide/",
    "dice": "/dice/",
    "dice-answer": "/dice/?v=1&roll=3D6%2B2&target=12",
    "dice-compare": "/dice/?v=1&roll=3D6%2B2&target=12&b-roll=2D10&b-target=12&compare=1",
    "dice-error": "/dice/?v=1&roll=3X6",
    "killteam-shoot": "/killteam/shoot/",
    "killteam-shoot-one": "/killteam/shoot/?v=1&dice=6&hit=2&lethal=5&rules=rending&devastating=2&rounds=2",
    "killteam-shoot-error": "/killteam/shoot/?v=1&dice=21",
    "account": "/account/",
    "sign-in": "/account/sign-in/",
    "sign-up": "/account/sign-up/",
    "jobs": "/jobs/",
}

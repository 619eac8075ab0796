"""Forms of Dicee: a new table, the fields that come with every move, a token for a program."""

from __future__ import annotations

from typing import Any

from django import forms

from apps.dicee.services import Refused

#: Who may sit down with a player: value, words, what it is like. Bots are those of ``engine.dicee.simulate.Bot``.
OPPONENTS = (
    ("random", "Random Rita", "Any dice, any box."),
    ("greedy", "Greedy Gus", "Collects the commonest face."),
    ("turn_optimal", "Turn-wise Tess", "Most points this turn, blind to the rest."),
    ("perfect", "Perfect Pat", "Never makes a mistake."),
    ("friends", "Friends", "A live table with a code, up to six seats."),
)
ALONE = "solo"
VARIANTS = (
    ("standard", "Standard"),
    ("joker_rules", "Joker rules, free choice"),
    ("forced_dicee", "Forced joker"),
)
LONGEST_NAME = 30  # characters of a player's name, as the model keeps it
LONGEST = 100  # characters of a value repeated in a refusal
CLOCKS = (("", "No clock"), ("30", "30 s a move"), ("60", "1 minute a move"), ("180", "3 minutes a move"))
LAPSES = (("best_box", "The best box is written"), ("leave", "The player is out"))


class NewTable(forms.Form):
    """A table as it is made: everything here is fixed for the game."""

    against = forms.MultipleChoiceField(
        choices=[(ALONE, "Nobody"), *((value, label) for value, label, _ in OPPONENTS)], required=False
    )
    variant = forms.ChoiceField(choices=VARIANTS, required=False, label="Rules")
    clock = forms.ChoiceField(choices=CLOCKS, required=False, label="Clock")
    lapse = forms.ChoiceField(choices=LAPSES, required=False, label="When time is up")
    rated = forms.BooleanField(required=False, label="Rated: no coach, nothing taken back")
    undo = forms.BooleanField(required=False, initial=True, label="A score may be taken back")
    statistics = forms.BooleanField(required=False, initial=True, label="Statistics may be shown")
    hints = forms.BooleanField(required=False, initial=True, label="Hints may be asked for")
    spectators = forms.BooleanField(required=False, initial=True, label="Anyone with the link may watch")

    #: The fields that are on or off.
    switches = ("rated", "undo", "statistics", "hints", "spectators")

    def party(self) -> tuple[str, list[str]]:
        """Mode and bots; nobody chosen is a game alone."""
        against = self.cleaned_data["against"]
        bots = [name for name in against if name not in (ALONE, "friends")]
        mode = "multiplayer" if "friends" in against else "bots" if bots else "solo"
        return mode, bots

    def table_settings(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        if chosen["rated"]:
            chosen = chosen | {"undo": False, "statistics": False, "hints": False}
        settings = {
            "rated": chosen["rated"],
            "rulesVariant": chosen["variant"] or "standard",
            "allowUndo": chosen["undo"],
            "statistics": chosen["statistics"],
            "hints": chosen["hints"],
            "spectators": chosen["spectators"],
            "lapse": chosen["lapse"] or "best_box",
        }
        return settings | ({"timeLimit": int(chosen["clock"])} if chosen["clock"] else {})


class Move(forms.Form):
    """What comes with every move: the request's own key, and the event the player was looking at."""

    key = forms.UUIDField(required=False)
    seen = forms.IntegerField(required=False, min_value=0)

    def values(self) -> dict[str, Any]:
        """The fields that were sent; a page without them still plays, one with a garbled one is refused."""
        if not self.is_valid():
            name, errors = next(iter(self.errors.items()))
            raise Refused(
                "This move came from a page that cannot be read. Look at the table as it is now and move again.",
                field=str(name),
                constraint="; ".join(map(str, errors)),
                actual=str(self.data.get(name))[:LONGEST],
            )
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


class NewToken(forms.Form):
    """A token for a program, by the name its player will know it by."""

    name = forms.CharField(
        max_length=60,
        label="Name",
        help_text="By which you will know it again.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "My bot"}),
        error_messages={
            "required": "A token needs a name of 1–60 characters.",
            "max_length": "A name has 1–60 characters; you entered %(show_value)s.",
        },
    )

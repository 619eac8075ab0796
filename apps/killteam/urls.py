"""``/killteam/``: shoot, fight, matrix, profiles."""

from django.urls import path
from django.views.generic import RedirectView

from apps.core.calculator import Calculator, Preset
from apps.killteam.forms import ShootForm
from apps.killteam.services import shoot as shooting

app_name = "killteam"

TABS = (("Shoot", "killteam:shoot"),)

#: A bare address opens on a worked comparison: what a bit of cover is worth.
EXAMPLE = "dice=5&normal=4&critical=5&reroll=balanced&piercing=1&wounds=10"
WELCOME = f"name=In+the+open&{EXAMPLE}&b-name=In+cover&" + "&".join(f"b-{pair}" for pair in EXAMPLE.split("&"))
WELCOME += "&b-cover=1&compare=1"

shoot = Calculator(
    name="shoot",
    title="Kill Team: shoot",
    lead="Every ability, exact; two situations side by side.",
    form=ShootForm,
    answer=shooting.answer,
    extras=shooting.extras,
    inputs="killteam/inputs.html",
    results="killteam/shoot_results.html",
    page_template="killteam/calculator.html",
    tabs=TABS,
    styles=("css/pages/killteam.css",),
    welcome=WELCOME,
    presets=(
        Preset("Bolt rifle at a Marine", {}, "4 dice, 3+, 3/4"),
    ),
)  # fmt: skip
urlpatterns = [path("", RedirectView.as_view(pattern_name="killteam:shoot"), name="home"), *shoot.urls("shoot/")]

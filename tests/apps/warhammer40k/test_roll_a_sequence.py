"""One sequence by the Dice-Engine, the promise before the dice, rerolls counted, and what Hazardous costs."""

from __future__ import annotations

import hashlib

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from apps.core.services import commitments, dice_log
from apps.warhammer40k.services import answers, sequences
from engine.dice.pmf import Pmf
from engine.warhammer40k.hazard import hazard_of
from engine.warhammer40k.profile import Weapon
from tests.apps.warhammer40k.conftest import PLASMA_AND_BOLTERS, settings_of

FORM = {name: str(field.initial) for name, field in sequences.SequenceForm.base_fields.items()}


def settings(**changes: str) -> dict[str, object]:
    from django.http import QueryDict

    data = QueryDict(mutable=True)
    data.update(FORM | changes)
    form = sequences.SequenceForm(data)
    assert form.is_valid(), form.errors
    return form.settings()


def test_the_form_starts_with_the_sheets_first_weapon() -> None:
    form = sequences.form_from(settings_of(PLASMA_AND_BOLTERS))
    assert form.is_valid()
    values = form.settings()
    assert (values["attacks"], values["hitting"], values["wounding"], values["saving"]) == (10, 3, 2, 6)
    assert (values["damage"], values["reroll_hits"]) == (2, "ones")


def test_exploding_hits_recurse_by_the_dice_engine_only() -> None:
    """Ruling W2: with every hit exploding, the Dice-Engine goes on; Sustained Hits add one each and stop."""
    wild, _ = sequences.roll(settings(attacks="20", hitting="2", explode_on="2"), seed=1)
    tame, _ = sequences.roll(settings(attacks="20", hitting="2", explode_on="2", ruleset="tenth"), seed=1)
    assert len(wild.hit_rolls) > 20
    assert any(die.exploded_from is not None and wild.hit_rolls[die.exploded_from].exploded_from is not None
               for die in wild.hit_rolls)  # fmt: skip
    assert len(tame.hit_rolls) == 20


def test_a_six_hits_by_itself_in_the_tenth_edition_only() -> None:
    """Ruling W1."""
    for ruleset, hits in (("dice_engine", False), ("tenth", True)):
        result, _ = sequences.roll(settings(attacks="60", hitting="7", ruleset=ruleset), seed=3)
        assert bool(result.hits) == hits


def test_the_page_rolls_a_sequence_and_counts_the_rerolls(client: Client, db: None) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.post("/warhammer40k/roll/sequence/", FORM | {"reroll_hits": "all"}, headers=headers)
        assert answer.status_code == 200
        combat = answer.context["combat"]
        assert combat.hit_rerolls == 10
        text = answer.content.decode()
        assert "Rolled again" in text
        assert f"damage from {combat.attacks} attacks" in text
        assert dice_log.verify(answer.context["log"])["good"] == len(combat.dice)


def test_a_sequence_that_makes_no_sense_is_refused(client: Client, db: None) -> None:
    answer = client.post("/warhammer40k/roll/sequence/", FORM | {"attacks": "x"})
    assert answer.status_code == 422
    with pytest.raises(ValidationError):
        sequences.roll(settings() | {"hitting": 9})


# -- The promise ------------------------------------------------------------------------------------------------------


def test_the_dice_were_fixed_before_the_roll(client: Client, db: None) -> None:
    page = client.get(f"/warhammer40k/roll/?{PLASMA_AND_BOLTERS}")
    promise = page.context["commitment"]
    assert promise in page.content.decode()
    data = {"sheet": PLASMA_AND_BOLTERS, "commitment": promise}
    log = client.post("/warhammer40k/roll/", data).context["log"]
    secret = bytes.fromhex(log.splitlines()[0].split()[3])
    assert hashlib.sha256(secret).hexdigest() == promise
    verified = dice_log.verify(log)
    assert verified["kept"]
    assert verified["good"] == verified["dice"]
    again = client.post("/warhammer40k/roll/", data).context["log"]
    assert not again.startswith("commitment")  # a promise is kept once


def test_dice_that_do_not_follow_from_the_secret_are_found(client: Client, db: None) -> None:
    data = {"sheet": PLASMA_AND_BOLTERS, "commitment": commitments.commit()}
    lines = client.post("/warhammer40k/roll/", data).context["log"].splitlines()
    swapped = [lines[0], lines[2], lines[1], *lines[3:]]
    assert dice_log.verify("\n".join(swapped))["good"] == len(lines) - 3
    other = f"commitment {'0' * 64} secret {lines[0].split()[3]}"
    assert not dice_log.verify("\n".join([other, *lines[1:]]))["kept"]


@pytest.mark.parametrize("text", ["", "x" * 64, "0" * 64, "../" * 20])
def test_a_promise_nobody_made(text: str) -> None:
    assert commitments.take(text) is None


def test_rerolls_of_the_sheet_are_counted(client: Client, db: None) -> None:
    answer = client.post("/warhammer40k/roll/", {"sheet": "v=1&w1-count=30&w1-attacks=2&w1-reroll_hits=all"})
    assert answer.context["rolled"].rerolls["hit"] == 60
    assert "Rolled again" in answer.content.decode()


# -- Hazardous --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "large", "wounds", "chance", "each"),
    [("tenth", False, 2, 1 / 6, None), ("tenth", True, 12, 1 / 6, 3), ("eleventh", False, 2, 1 / 3, 1),
     ("eleventh", True, 10, 1 / 3, 3)],
)  # fmt: skip
def test_hazard_by_hand(edition: str, large: bool, wounds: int, chance: float, each: int | None) -> None:
    """Failures are binomial; each costs the bearer, or mortal wounds that fall on one bearer after another."""
    hazard = hazard_of(Weapon(count=5, hazardous=True, bearer_monster_vehicle=large), edition)  # type: ignore[arg-type]
    assert hazard is not None
    failures = Pmf.binomial(5, chance)
    lost = sum(p * (n if each is None else min(5, n * each // wounds)) for n, p in failures.items())
    assert hazard.failures.mean == pytest.approx(5 * chance)
    assert hazard.models_lost(wounds).mean == pytest.approx(lost)
    assert hazard.mortal_wounds.mean == pytest.approx(5 * chance * (each or 0))


def test_the_answer_shows_what_hazardous_costs(client: Client, db: None) -> None:
    query = "v=1&w1-name=Plasma&w1-count=5&w1-abilities=hazardous&w1-bearer_wounds=2&edition=eleventh"
    (row,) = answers.run(settings_of(query), "eleventh")["hazards"]
    assert (row["rolls"], row["failures"]) == (5, pytest.approx(5 / 3))
    assert row["models"] == pytest.approx(sum(p * (n // 2) for n, p in Pmf.binomial(5, 1 / 3).items()))
    assert "what it costs the attacker" in client.get(f"/warhammer40k/?{query}").content.decode()

"""Every acceptance criterion, edge case and failure of the Dice-Engine v1.1 specification, by its number."""

from __future__ import annotations

import logging

import pytest

from engine.dice.roller import ScriptedRoller, SeededRoller, SystemRoller
from engine.dice.rolls import DiceRoll, DiceTray, ExplodingRoll
from engine.warhammer40k.builder import (
    CombatResult,
    CombatSequenceBuilder,
    DiceEngine,
    Modifiers,
    RerollPolicy,
    Ruleset,
    effective_roll,
)

NONE, ONES, FAILED, ALL = RerollPolicy


def script(*faces: int, ruleset: Ruleset = Ruleset.DICE_ENGINE) -> CombatSequenceBuilder:
    """A builder whose dice will show these faces, in this order."""
    return CombatSequenceBuilder(ScriptedRoller(faces), ruleset=ruleset)


def faces_of(result: CombatResult) -> list[int]:
    return [die.value for die in result.dice]


class TestExplodingDice:
    """US-1."""

    def test_us_1_1_a_trigger_rolls_another_die(self) -> None:
        roll = DiceTray(ScriptedRoller([6, 2])).roll(6, explode_on=6)
        assert isinstance(roll, ExplodingRoll)
        assert (roll.base_roll.value, [r.value for r in roll.explosions]) == (6, [2])

    def test_us_1_1_the_trigger_is_a_threshold(self) -> None:
        """Cycle 1: a roll at or above explode_on explodes."""
        assert DiceTray(ScriptedRoller([5, 3])).roll(6, explode_on=5).count == 2

    def test_us_1_1_without_a_trigger_one_die_is_one_roll(self) -> None:
        assert DiceTray(ScriptedRoller([6])).roll(6) == DiceRoll(6)

    def test_us_1_2_explosions_explode(self) -> None:
        assert [r.value for r in DiceTray(ScriptedRoller([6, 6, 6, 1])).roll(6, explode_on=6).rolls] == [6, 6, 6, 1]

    def test_us_1_3_every_exploded_die_has_its_own_proof(self) -> None:
        roll = DiceTray(seed=11).roll(6, explode_on=2)
        assert roll.count > 2
        assert all(die.verify() and len(die.proof) == 16 for die in roll.rolls)
        assert len({die.entropy for die in roll.rolls}) == roll.count

    def test_us_1_4_depth_is_ten_by_default_and_configurable(self, caplog: pytest.LogCaptureFixture) -> None:
        """Failure mode: an endless explosion is capped and a warning is logged."""
        with caplog.at_level(logging.WARNING):
            assert DiceTray(ScriptedRoller([6] * 30)).roll(6, explode_on=6).count == 11
        assert "limit of 10" in caplog.text
        short = DiceTray(ScriptedRoller([6] * 30)).roll(6, explode_on=6, max_explosions=3)
        assert (short.count, short.capped) == (4, True)

    def test_us_1_5_the_total_adds_all_explosions(self) -> None:
        assert DiceTray(ScriptedRoller([6, 6, 4])).roll(6, explode_on=6).total == 16

    def test_edge_no_explosions_allowed_is_a_single_roll(self) -> None:
        roll = DiceTray(ScriptedRoller([6, 6])).roll(6, explode_on=6, max_explosions=0)
        assert (roll.count, roll.total) == (1, 6)

    @pytest.mark.parametrize(("on", "most"), [(0, 10), (7, 10), (6, -1), (6, 1001)])
    def test_nonsense_triggers_are_refused(self, on: int, most: int) -> None:
        with pytest.raises(ValueError, match="must be"):
            DiceTray(seed=1).roll(6, explode_on=on, max_explosions=most)


class TestMortalWounds:
    """US-2."""

    def plan(self, *faces: int, ruleset: Ruleset = Ruleset.DICE_ENGINE) -> CombatSequenceBuilder:
        return script(*faces, ruleset=ruleset).attacks(2).hitting(3).wounding(4).saving(4).damage(3)

    def test_us_2_1_mortal_wounds_are_counted_apart(self) -> None:
        result = self.plan(4, 4, 6, 5, 1, 6).with_mortal_wounds(on=6).execute()
        assert (result.wounds, result.mortal_wounds) == (2, 1)

    def test_us_2_2_they_bypass_saves(self) -> None:
        """Both wounds are saved; the mortal wound still hurts."""
        result = self.plan(4, 4, 6, 5, 6, 6).with_mortal_wounds(on=6).execute()
        assert (result.unsaved, result.damage) == (0, 1)

    def test_us_2_3_the_trigger_is_configurable(self) -> None:
        assert self.plan(4, 4, 6, 5, 6, 6).with_mortal_wounds(on=5).execute().mortal_wounds == 2

    def test_us_2_3_the_trigger_looks_at_the_unmodified_roll(self) -> None:
        plan = self.plan(4, 4, 5, 5, 6, 6).with_mortal_wounds(on=6).with_modifiers(wound=+1)
        assert plan.execute().mortal_wounds == 0

    @pytest.mark.parametrize("count", [1, 6])
    def test_us_2_4_so_many_per_trigger(self, count: int) -> None:
        assert self.plan(4, 4, 6, 1, 6).with_mortal_wounds(on=6, count=count).execute().mortal_wounds == count

    @pytest.mark.parametrize(("on", "count"), [(6, 0), (6, 7), (1, 1), (7, 1)])
    def test_us_2_4_other_counts_and_triggers_are_refused(self, on: int, count: int) -> None:
        with pytest.raises(ValueError, match="must be"):
            CombatSequenceBuilder().with_mortal_wounds(on=on, count=count)

    def test_us_2_5_they_are_added_to_the_damage(self) -> None:
        result = self.plan(4, 4, 6, 5, 1, 6).with_mortal_wounds(on=6, count=2).execute()
        assert result.damage == 1 * 3 + 2

    def test_edge_on_6_with_wounding_6_both_trigger(self) -> None:
        result = script(4, 6, 1).attacks(1).hitting(3).wounding(6).saving(4).with_mortal_wounds(on=6).execute()
        assert (result.wounds, result.mortal_wounds, result.damage) == (1, 1, 2)

    def test_tenth_edition_replaces_the_wound(self) -> None:
        """Ruling W1: under TENTH a devastating wound takes no save and deals the weapon's damage, once."""
        result = self.plan(4, 4, 6, 5, 6, ruleset=Ruleset.TENTH).with_mortal_wounds(on=6).execute()
        assert (result.wounds, len(result.save_rolls), result.mortal_wounds, result.damage) == (2, 1, 3, 3)

    def test_tenth_edition_has_no_count(self) -> None:
        plan = self.plan(ruleset=Ruleset.TENTH).with_mortal_wounds(on=6, count=2)
        assert "count must be 1" in plan.validate()[0]
        with pytest.raises(ValueError, match="count must be 1"):
            plan.execute()


class TestRerolls:
    """US-3."""

    def plan(self, *faces: int) -> CombatSequenceBuilder:
        return script(*faces).attacks(2).hitting(3).wounding(4).saving(5)

    def test_us_3_1_the_policies(self) -> None:
        assert [policy.value for policy in RerollPolicy] == ["none", "ones", "failed", "all"]

    @pytest.mark.parametrize(
        ("policy", "faces", "rerolled"),
        [(NONE, (1, 2), 0), (ONES, (1, 2, 2), 1), (FAILED, (1, 1, 2, 2), 2), (ALL, (6, 1, 6, 2), 2)],
    )
    def test_us_3_1_each_policy_rerolls_its_dice(
        self, policy: RerollPolicy, faces: tuple[int, ...], rerolled: int
    ) -> None:
        result = self.plan(*faces).with_rerolls(hit=policy).execute()
        assert (result.hit_rerolls, result.hits) == (rerolled, 0)

    def test_us_3_2_each_phase_has_its_own_policy(self) -> None:
        result = self.plan(1, 4, 4, 2, 5, 5, 1, 3, 1, 6).with_rerolls(hit=ONES, wound=FAILED, save=ONES).execute()
        assert result.reroll_counts == {"hit": 1, "wound": 1, "save": 2}

    def test_us_3_3_original_and_reroll_are_both_kept(self) -> None:
        first = self.plan(1, 4, 2, 1).with_rerolls(hit=ONES).execute().hit_rolls[0]
        assert (first.original.value, first.reroll and first.reroll.value, first.final.value) == (1, 4, 4)
        assert first.reroll is not None
        assert first.reroll.is_reroll

    def test_us_3_4_a_reroll_is_not_rerolled(self) -> None:
        assert faces_of(self.plan(1, 1, 2).with_rerolls(hit=ONES).execute()) == [1, 1, 2]
        tray = DiceTray(seed=3)
        with pytest.raises(ValueError, match="never rerolled twice"):
            tray.reroll(tray.reroll(tray.roll(6)))

    def test_us_3_5_original_and_reroll_have_proofs(self) -> None:
        plan = CombatSequenceBuilder(seed=5).attacks(30).hitting(4).wounding(4).saving(4)
        result = plan.with_rerolls(FAILED, FAILED, FAILED).execute()
        assert min(result.reroll_counts.values()) > 0
        assert result.verify()
        assert len({die.proof for die in result.dice}) == len(result.dice)

    def test_failure_an_invalid_policy_is_refused(self) -> None:
        with pytest.raises(ValueError, match="sometimes"):
            CombatSequenceBuilder().with_rerolls(hit="sometimes")  # type: ignore[arg-type]


class TestModifiers:
    """US-4."""

    def test_us_4_1_three_fields(self) -> None:
        assert Modifiers() == Modifiers(hit=0, wound=0, save=0)

    def test_us_4_2_applied_after_the_roll_before_the_comparison(self) -> None:
        result = script(3, 1).attacks(1).hitting(4).wounding(4).with_modifiers(Modifiers(hit=1)).execute()
        assert (result.hits, result.hit_rolls[0].effective) == (1, 4)

    def test_us_4_3_the_modified_roll_stays_on_the_die(self) -> None:
        """Edge cases: overflow and underflow."""
        assert effective_roll(2, 2) == 4
        assert effective_roll(1, 10) == 6
        assert effective_roll(6, -10) == 1

    def test_us_4_4_an_unmodified_1_always_fails(self) -> None:
        """Edge case: roll 1, +5, hitting on 3 is a miss."""
        result = script(1).attacks(1).hitting(3).wounding(4).with_modifiers(hit=5).execute()
        assert result.hits == 0

    def test_us_4_5_an_unmodified_6_always_wounds_and_saves(self) -> None:
        """Edge case: roll 6, -5, wounding on 4 is a wound."""
        plan = script(6, 6, 6).attacks(1).hitting(3).wounding(4).saving(4)
        result = plan.with_modifiers(wound=-5, save=-5).execute()
        assert (result.wounds, result.saves) == (1, 1)

    def test_us_4_5_but_does_not_always_hit(self) -> None:
        """Cycle 1 and ruling W1: no automatic hit in DICE_ENGINE, an automatic hit in TENTH."""
        for ruleset, hits in ((Ruleset.DICE_ENGINE, 0), (Ruleset.TENTH, 1)):
            plan = script(6, 1, ruleset=ruleset).attacks(1).hitting(7).wounding(4).with_modifiers(hit=-3)
            assert plan.execute().hits == hits

    def test_tenth_edition_caps_modifiers_and_has_no_automatic_save(self) -> None:
        plan = script(3, 3, 6, ruleset=Ruleset.TENTH).attacks(1).hitting(5).wounding(4).saving(7)
        assert plan.with_modifiers(hit=3).execute().hits == 0
        plan = script(4, 3, 6, ruleset=Ruleset.TENTH).attacks(1).hitting(5).wounding(4).saving(7)
        assert plan.with_modifiers(hit=3, wound=3).execute().unsaved == 1

    @pytest.mark.parametrize("bad", [1.5, "1", None, True])
    def test_failure_a_modifier_of_the_wrong_type(self, bad: object) -> None:
        with pytest.raises(TypeError, match="whole number"):
            Modifiers(hit=bad)  # type: ignore[arg-type]


class TestBuilder:
    """US-5."""

    def test_us_5_1_every_step_returns_the_builder(self) -> None:
        plan = CombatSequenceBuilder(seed=1)
        assert plan.attacks(1).hitting(3).with_rerolls().with_modifiers().with_exploding_hits() is plan

    def test_us_5_2_the_chain(self) -> None:
        plan = script(*[4] * 10, *[4] * 10, *[4] * 10).attacks(10).hitting(3).wounding(4).saving(5).damage(2)
        result = plan.execute()
        assert (result.hits, result.wounds, result.saves, result.unsaved, result.damage) == (10, 10, 0, 10, 20)

    def test_us_5_3_rerolls_and_modifiers(self) -> None:
        result = (
            script(1, 2, 1).attacks(1).hitting(3).wounding(4).with_rerolls(hit=ONES).with_modifiers(hit=+1).execute()
        )
        assert (result.hits, result.hit_rerolls) == (1, 1)

    def test_us_5_4_exploding_hits_and_mortal_wounds(self) -> None:
        plan = script(6, 6, 3, 6, 5, 2).attacks(1).hitting(3).wounding(4).with_exploding_hits(on=6)
        result = plan.with_mortal_wounds(on=6, count=1).execute()
        assert (result.hits, result.wounds, result.mortal_wounds) == (3, 2, 1)
        assert [die.exploded_from for die in result.hit_rolls] == [None, 0, 1]

    def test_us_5_4_exploding_hits_are_capped(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.WARNING):
            result = script(*[6] * 11, *[1] * 11).attacks(1).hitting(3).wounding(4).with_exploding_hits().execute()
        assert (len(result.hit_rolls), result.explosions_capped) == (11, True)
        assert "limit of 10" in caplog.text

    def test_us_5_4_no_explosions_allowed(self) -> None:
        plan = CombatSequenceBuilder(ScriptedRoller([6, 1]), max_explosions=0).attacks(1).hitting(3).wounding(4)
        assert plan.with_exploding_hits(extra=2).execute().hits == 1

    def test_us_5_4_sustained_hits_never_cascade(self) -> None:
        """Ruling W2: under TENTH the extra hits are hits, not dice."""
        plan = script(6, 1, 1, 1, ruleset=Ruleset.TENTH).attacks(1).hitting(3).wounding(4)
        result = plan.with_exploding_hits(on=6, extra=2).execute()
        assert (len(result.hit_rolls), result.hits, len(result.wound_rolls)) == (1, 3, 3)

    def test_us_5_5_execute_returns_the_whole_audit_trail(self) -> None:
        result = script(1, 4, 5, 2).attacks(1).hitting(3).wounding(4).saving(5).with_rerolls(hit=ONES).execute()
        assert faces_of(result) == [1, 4, 5, 2]
        assert isinstance(result, CombatResult)

    def test_us_5_6_inputs_are_validated_before_execution(self) -> None:
        assert len(CombatSequenceBuilder().validate()) == 3
        assert CombatSequenceBuilder().attacks(1).hitting(3).wounding(3).validate() == []

    def test_edge_zero_attacks(self) -> None:
        assert CombatSequenceBuilder().attacks(0).execute() == CombatResult()

    def test_edge_negative_damage_raises_immediately(self) -> None:
        with pytest.raises(ValueError, match="damage must be 0–100; you entered -1"):
            CombatSequenceBuilder().damage(-1)

    @pytest.mark.parametrize("call", ["attacks", "hitting", "wounding", "saving"])
    @pytest.mark.parametrize("value", [-1, 1001, 2.5, True])
    def test_edge_other_nonsense_raises_immediately(self, call: str, value: object) -> None:
        with pytest.raises(ValueError, match="must be"):
            getattr(CombatSequenceBuilder(), call)(value)

    def test_edge_missing_fields_raise_on_execute(self) -> None:
        with pytest.raises(ValueError, match=r"hitting.*wounding"):
            CombatSequenceBuilder().attacks(5).execute()
        with pytest.raises(ValueError, match="how many attacks"):
            CombatSequenceBuilder().hitting(3).wounding(3).execute()

    def test_edge_all_rolls_fail(self) -> None:
        result = script(*[2] * 10).attacks(10).hitting(3).wounding(4).saving(5).execute()
        assert (result.attacks, result.hits, result.damage, len(result.hit_rolls)) == (10, 0, 0, 10)

    def test_edge_an_empty_batch_averages_zero(self) -> None:
        assert DiceEngine(seed=1).roll_batch(0).average == 0.0


class TestCompatibility:
    """Version 1.0's calls still work, and the source of dice is injected."""

    def test_combat_roll_is_the_plain_builder(self) -> None:
        faces = [6, 2, 5, 4, 3, 6, 1]
        old = DiceEngine(ScriptedRoller(faces)).combat_roll(3, hit_on=3, wound_on=4, save_on=5, damage=2)
        new = script(*faces).attacks(3).hitting(3).wounding(4).saving(5).damage(2).execute()
        assert old == new
        assert (old.hits, old.wounds, old.damage) == (2, 1, 0)

    def test_a_batch_keeps_its_dice(self) -> None:
        batch = DiceEngine(ScriptedRoller([2, 4, 6])).roll_batch(3)
        assert (batch.values, batch.total, batch.average) == ((2, 4, 6), 12, 4.0)

    @pytest.mark.parametrize("count", [-1, 1_000_001])
    def test_a_batch_has_a_limit(self, count: int) -> None:
        with pytest.raises(ValueError, match="number of dice must be"):
            DiceEngine(seed=1).roll_batch(count)

    def test_failure_without_a_seed_the_system_rolls(self) -> None:
        assert isinstance(DiceEngine().source, SystemRoller)
        assert DiceEngine().roll(6).verify()

    def test_the_same_seed_gives_the_same_combat(self) -> None:
        def fight() -> CombatResult:
            return DiceEngine(SeededRoller(9)).combat_roll(20, 3, 4, 5)

        assert fight() == fight()

    def test_a_changed_die_is_found_out(self) -> None:
        die = DiceEngine(seed=8).roll(6)
        assert not DiceRoll(die.value % 6 + 1, 6, die.proof, die.entropy).verify()
        assert not DiceRoll(4).verify()

"""Playing: what may be done, what happens, and streams that cannot have happened."""

from __future__ import annotations

import json
from functools import reduce
from random import Random
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice.roller import ScriptedRoller, SeededRoller
from engine.dicee.analysis import Horizon
from engine.dicee.boxes import Variant
from engine.dicee.game import events
from engine.dicee.game.commands import (
    Abandon,
    Create,
    Join,
    Roll,
    Score,
    Stamp,
    Start,
    TimeOut,
    Undo,
    decide,
)
from engine.dicee.game.events import BY_TYPE, GameMode, GameSettings, read_event, schemas
from engine.dicee.game.state import GameStatus, Phase, apply, replay
from engine.dicee.lattice import kept_mask
from engine.dicee.simulate import Bot, bot_move
from engine.wire import EngineError

ALICE, BOB, CAROL, GAME, TRACE = (UUID(int=n, version=4) for n in range(1, 6))


class Table:
    """A game under test: commands go in, the stream grows."""

    def __init__(self, roller=None, **create):
        self.roller = roller or SeededRoller(1)
        self.stream, self.state, self.at = [], None, 1_000
        self._ids = Random(5)
        self.do(Create(GAME, ALICE, **create))

    def do(self, command, table=None, after_ms=500):
        self.at += after_ms
        stamp = Stamp(self.at, TRACE, lambda: UUID(int=self._ids.getrandbits(128), version=4))
        happened = decide(self.state, command, stamp, self.roller, table)
        self.state = replay(happened) if self.state is None else reduce(apply, happened, self.state)
        self.stream += happened
        return happened

    def refused(self, command, **kwargs):
        before = self.state
        with pytest.raises(EngineError) as caught:
            self.do(command, **kwargs)
        assert self.state is before
        return caught.value.code


def started(faces=None, **create):
    table = Table(ScriptedRoller(faces) if faces else None, **create)
    table.do(Start(ALICE))
    return table


def play_out(table, bot=Bot.TURN_OPTIMAL):
    roller = SeededRoller(2)
    while table.state.status is GameStatus.ACTIVE:
        player = table.state.seat.player_id
        if not table.state.dice:
            table.do(Roll(player))
            continue
        move = bot_move(bot, table.state.position, roller)
        if move.box:
            table.do(Score(player, move.box))
        else:
            table.do(Roll(player, kept_mask(table.state.dice, move.keep)))
    return table


def test_a_turn_is_rolled_kept_and_scored():
    table = started([3, 3, 5, 5, 6, 3, 4, 5, 1])
    assert (table.state.phase, table.state.turn_number) == (Phase.INITIAL_ROLL, 1)
    (first,) = table.do(Roll(ALICE))
    assert (first.roll_type, first.dice_result, first.roll_number) == ("initial", (3, 3, 5, 5, 6), 1)
    assert table.state.phase is Phase.MID_TURN
    (second,) = table.do(Roll(ALICE, (True, True, False, False, False)))
    assert (second.roll_type, second.dice_result) == ("reroll", (3, 3, 3, 4, 5))
    assert second.pre_roll_dice == (3, 3, 5, 5, 6)
    assert second.time_from_previous_action == 500
    table.do(Roll(ALICE, (True, True, True, True, False)))
    assert (table.state.phase, table.state.rolls_left) == (Phase.SCORING, 0)
    (score,) = table.do(Score(ALICE, "three_of_kind", considered=("threes",), backtracks=1))
    assert (score.points_earned, score.turn_number, score.roll_number) == (14, 1, 3)
    assert (score.decision_quality, score.ev_difference, score.horizon) == ("optimal", 0.0, Horizon.TURN)
    assert table.state.seat.card.grand_total == 14
    assert (table.state.turn_number, table.state.dice) == (2, ())


def test_a_score_is_judged_by_the_game_when_the_table_is_at_hand(table_of):
    table = started([1, 1, 2, 4, 6])
    table.do(Roll(ALICE))
    (score,) = table.do(Score(ALICE, "chance"), table=table_of(Variant.STANDARD))
    assert score.horizon is Horizon.GAME
    assert score.ev_difference > 0
    assert score.decision_quality != "optimal"
    assert score.optimal_ev - score.expected_value == pytest.approx(score.ev_difference)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_solo_game_ends_after_thirteen_turns(variant):
    table = play_out(started(settings=GameSettings(rules_variant=variant)))
    end = table.stream[-1]
    assert isinstance(end, events.GameCompleted)
    assert (table.state.status, end.reason, end.total_turns) == (GameStatus.COMPLETED, "normal", 13)
    assert end.final_scores == {ALICE: table.state.seats[0].card.grand_total}
    assert end.winner_ids == (ALICE,)
    assert end.average_decision_time_ms > 0
    assert end.game_duration_ms > 0
    assert table.refused(Roll(ALICE)) == "ERR_GAME_COMPLETED"


@given(st.integers(0, 10**6), st.sampled_from([Bot.RANDOM, Bot.GREEDY]), st.sampled_from(Variant))
@settings(max_examples=8)
def test_replay_rebuilds_the_same_game_every_time(seed, bot, variant):
    table = Table(
        SeededRoller(seed),
        mode=GameMode.MULTIPLAYER,
        players=(ALICE, BOB),
        settings=GameSettings(rules_variant=variant),
    )
    table.do(Start(ALICE))
    play_out(table, bot)
    wire = json.loads(json.dumps([event.to_wire() for event in table.stream]))
    stream = [read_event(event) for event in wire]
    assert stream == table.stream
    assert replay(stream) == replay(stream) == table.state
    assert [event.sequence_number for event in stream] == list(range(1, len(stream) + 1))
    assert {seat.card.turns_completed for seat in table.state.seats} == {13}
    best = max(seat.card.grand_total for seat in table.state.seats)
    assert {s.player_id for s in table.state.seats if s.card.grand_total == best} == set(table.state.winners)


def test_seats_take_turns_and_only_the_current_one_may_act():
    table = Table(mode=GameMode.MULTIPLAYER)
    table.do(Join(BOB))
    table.do(Join(CAROL))
    table.do(Start(ALICE))
    assert {seat.player_id for seat in table.state.seats} == {ALICE, BOB, CAROL}
    order = [seat.player_id for seat in table.state.seats]
    for player in (*order, order[0]):
        others = [other for other in order if other != player]
        assert table.refused(Roll(others[0])) == "ERR_NOT_YOUR_TURN"
        table.do(Roll(player))
        table.do(Score(player, next(iter(table.state.seat.card.legal_scores(table.state.dice, Variant.STANDARD)))))
    assert table.state.seat.player_id == order[1]
    assert table.refused(Roll(uuid4())) == "ERR_FORBIDDEN"


def test_the_shuffle_gives_every_order():
    orders = set()
    for seed in range(40):
        table = Table(SeededRoller(seed), mode=GameMode.MULTIPLAYER, players=(ALICE, BOB, CAROL))
        (start,) = table.do(Start(ALICE))
        orders.add(start.turn_order)
    assert len(orders) == 6


def test_a_leaver_is_skipped_and_cannot_win():
    table = Table(mode=GameMode.MULTIPLAYER, players=(ALICE, BOB))
    table.do(Start(ALICE))
    leaver = table.state.seat.player_id
    stayer = ({ALICE, BOB} - {leaver}).pop()
    (left,) = table.do(Abandon(leaver))
    assert (left.event_type, left.reason) == ("game_abandoned", "left")
    assert table.state.seat.player_id == stayer
    assert table.refused(Abandon(leaver)) == "ERR_FORBIDDEN"
    play_out(table)
    assert table.state.status is GameStatus.COMPLETED
    assert table.state.winners == (stayer,)


def test_a_solo_game_that_is_left_is_over():
    table = started()
    left, end = table.do(Abandon(ALICE))
    assert (left.reason, end.reason) == ("left", "abandoned")
    assert end.winner_ids == ()
    assert table.state.status is GameStatus.ABANDONED


def test_a_game_left_before_it_began():
    table = Table()
    _, end = table.do(Abandon(ALICE))
    assert (end.reason, end.game_duration_ms) == ("abandoned", 0)


def test_the_clock_takes_the_seat_of_whoever_lets_it_run_out():
    table = started(settings=GameSettings(time_limit=30))
    table.do(Roll(ALICE), after_ms=20_000)
    assert table.refused(TimeOut(), after_ms=9_000) == "ERR_INVALID_TURN"
    left, end = table.do(TimeOut(), after_ms=1_000)
    assert (left.reason, left.event_source.value, end.reason) == ("timeout", "system", "timeout")
    assert table.state.status is GameStatus.ABANDONED
    assert started().refused(TimeOut()) == "ERR_INVALID_TURN"


def test_a_score_can_be_taken_back_before_the_next_roll():
    table = started([1, 2, 3, 4, 6, 1, 1, 1, 1, 1], settings=GameSettings(allow_undo=True))
    assert table.refused(Undo(ALICE)) == "ERR_INVALID_TURN"
    table.do(Roll(ALICE))
    before = table.state
    table.do(Score(ALICE, "chance"))
    (undone,) = table.do(Undo(ALICE))
    assert (undone.category, undone.turn_number, undone.roll_number) == ("chance", 1, 1)
    assert (table.state.dice, table.state.roll_number) == (before.dice, before.roll_number)
    assert table.state.seat.card == before.seat.card
    table.do(Score(ALICE, "small_straight"))
    table.do(Roll(ALICE))
    assert table.refused(Undo(ALICE)) == "ERR_INVALID_TURN"
    assert replay(table.stream) == table.state


def test_no_undo_unless_the_game_allows_it_and_not_for_others():
    table = started([1, 2, 3, 4, 6])
    table.do(Roll(ALICE))
    table.do(Score(ALICE, "chance"))
    assert table.refused(Undo(ALICE)) == "ERR_INVALID_TURN"
    shared = Table(mode=GameMode.MULTIPLAYER, players=(ALICE, BOB), settings=GameSettings(allow_undo=True))
    shared.do(Start(ALICE))
    first = shared.state.seat.player_id
    shared.do(Roll(first))
    shared.do(Score(first, "chance"))
    assert shared.refused(Undo(shared.state.seat.player_id)) == "ERR_NOT_YOUR_TURN"
    shared.do(Undo(first))
    assert shared.state.seat.player_id == first


def test_a_tutorial_plays_scripted_dice():
    table = started([6, 6, 6, 1, 2, 6, 6], mode=GameMode.TUTORIAL, settings=GameSettings(allow_undo=True))
    table.do(Roll(ALICE))
    table.do(Roll(ALICE, (True, True, True, False, False)))
    assert table.state.dice == (6, 6, 6, 6, 6)


def test_what_may_not_be_done_is_refused_by_name():
    waiting = Table(mode=GameMode.MULTIPLAYER, players=(ALICE, BOB))
    assert waiting.refused(Roll(ALICE)) == "ERR_GAME_NOT_STARTED"
    assert waiting.refused(Start(BOB)) == "ERR_FORBIDDEN"
    assert waiting.refused(Join(BOB)) == "ERR_FORBIDDEN"
    waiting.do(Start(ALICE))
    assert waiting.refused(Start(ALICE)) == "ERR_INVALID_TURN"
    assert waiting.refused(Join(CAROL)) == "ERR_FORBIDDEN"
    table = started([1, 2, 3, 4, 6] * 4)
    assert table.refused(Score(ALICE, "chance")) == "ERR_INVALID_TURN"
    assert table.refused(Roll(ALICE, (True, False, False, False, False))) == "ERR_INVALID_DICE"
    table.do(Roll(ALICE))
    assert table.refused(Roll(ALICE, (True,) * 5)) == "ERR_INVALID_DICE"
    assert table.refused(Roll(ALICE, (True,))) == "ERR_INVALID_DICE"
    assert table.refused(Score(ALICE, "sevens")) == "ERR_INVALID_CATEGORY"
    table.do(Roll(ALICE))
    table.do(Roll(ALICE))
    assert table.refused(Roll(ALICE)) == "ERR_INVALID_TURN"
    table.do(Score(ALICE, "chance"))
    table.do(Roll(ALICE))
    assert table.refused(Score(ALICE, "chance")) == "ERR_CATEGORY_SCORED"


def test_a_game_needs_the_right_players():
    for bad in (
        Create(GAME, ALICE, (ALICE, BOB)),
        Create(GAME, ALICE, (BOB,), GameMode.MULTIPLAYER),
        Create(GAME, ALICE, (ALICE, ALICE), GameMode.MULTIPLAYER),
        Create(GAME, ALICE, (ALICE, *(uuid4() for _ in range(8))), GameMode.MULTIPLAYER),
    ):
        with pytest.raises(EngineError, match="different players"):
            decide(None, bad, Stamp(1, TRACE), SeededRoller(1))
    with pytest.raises(EngineError) as caught:
        decide(None, Roll(ALICE), Stamp(1, TRACE), SeededRoller(1))
    assert caught.value.code == "ERR_GAME_NOT_FOUND"
    with pytest.raises(EngineError, match="does not exist"):
        replay([])


def test_a_stored_refusal_changes_nothing():
    table = started()
    stored = events.ErrorRecorded(
        id=uuid4(),
        sequence_number=table.state.sequence + 1,
        trace_id=TRACE,
        causal_chain=(),
        timestamp=table.state.timestamp,
        game_id=table.state.game_id,
        player_id=ALICE,
        turn_number=0,
        roll_number=0,
        error_code="ERR_INVALID_TURN",
        error_message="Roll before you score.",
        failed_action="score",
        event_source=events.Source.SYSTEM,
    )
    after = apply(table.state, stored)
    assert (after.sequence, after.seats, after.dice) == (table.state.sequence + 1, table.state.seats, ())


@pytest.fixture(scope="module")
def turn():
    table = started([3, 3, 5, 5, 6, 3, 4, 5], settings=GameSettings(allow_undo=True))
    table.do(Roll(ALICE))
    table.do(Roll(ALICE, (True, True, False, False, False)))
    table.do(Score(ALICE, "three_of_kind"))
    table.do(Undo(ALICE))
    return table.stream


CREATED, STARTED, ROLLED, REROLLED, SCORED, UNDONE = range(6)


@pytest.mark.parametrize(
    ("number", "change", "rule"),
    [
        (CREATED, {"sequence_number": 2}, "without gaps"),
        (ROLLED, {"sequence_number": 7}, "without gaps"),
        (ROLLED, {"timestamp": 1}, "run back"),
        (ROLLED, {"game_id": BOB}, "one game"),
        (ROLLED, {"causal_chain": (CAROL,)}, "causes come before"),
        (ROLLED, {"stream_type": "telemetry"}, "domain"),
        (ROLLED, {"player_id": BOB}, "players take turns"),
        (ROLLED, {"turn_number": 2}, "follow each other"),
        (ROLLED, {"roll_number": 2}, "follow each other"),
        (ROLLED, {"roll_type": "reroll"}, "dice on the table"),
        (ROLLED, {"kept_mask": (True, False, False, False, False)}, "keeps nothing"),
        (REROLLED, {"pre_roll_dice": (1, 1, 1, 1, 1)}, "dice on the table"),
        (REROLLED, {"dice_result": (4, 3, 3, 4, 5)}, "kept dice do not change"),
        (REROLLED, {"kept_mask": (True,) * 5}, "up to four"),
        (SCORED, {"points_earned": 19}, "points are those"),
        (SCORED, {"updated_scorecard": {"chance": 18}}, "before and after"),
        (SCORED, {"previous_scorecard": {"chance": 18}}, "before and after"),
        (SCORED, {"chosen_category": "threes"}, "points are those"),
        (UNDONE, {"undone_event_id": BOB}, "only the last score"),
        (UNDONE, {"restored_scorecard": {"chance": 18}}, "back to what it was"),
        (STARTED, {"turn_order": (ALICE, BOB)}, "everyone present"),
    ],
)
def test_a_stream_that_breaks_a_rule_is_not_replayed(turn, number, change, rule):
    forged = [*turn]
    fields = {name: getattr(turn[number], name) for name in type(turn[number]).model_fields} | change
    forged[number] = type(turn[number])(**fields)
    with pytest.raises(EngineError, match=rule):
        replay(forged)


def test_events_cannot_be_left_out_repeated_or_put_after_the_end(turn):
    with pytest.raises(EngineError, match="begins with game_created"):
        replay(turn[1:])
    with pytest.raises(EngineError, match="without gaps"):
        replay([*turn, turn[-1]])
    again = _next(turn, turn[CREATED])
    with pytest.raises(EngineError, match="created once"):
        replay([*turn, again])
    with pytest.raises(EngineError, match="ids are unique"):
        replay([*turn, turn[ROLLED].model_copy(update={"sequence_number": 7, "timestamp": 10**6})])
    finished = play_out(started())
    with pytest.raises(EngineError, match="after the end"):
        replay([*finished.stream, _next(finished.stream, turn[ROLLED])])
    early = finished.stream[-1].model_copy(update={"sequence_number": 3, "causal_chain": (), "timestamp": 10**7})
    with pytest.raises(EngineError, match="nobody has a turn left"):
        replay([*finished.stream[:2], early])
    before_roll = _next(turn[:2], turn[SCORED], roll_number=0)
    with pytest.raises(EngineError, match="before they are scored"):
        replay([*turn[:2], before_roll])


def test_a_cause_may_lie_in_another_stream(turn):
    hint = uuid4()
    rolled = _next(turn[:2], turn[ROLLED], causal_chain=(turn[STARTED].id, hint))
    with pytest.raises(EngineError, match="causes come before"):
        replay([*turn[:2], rolled])
    assert replay([*turn[:2], rolled], elsewhere=[hint]).dice == turn[ROLLED].dice_result


def test_a_fourth_roll_cannot_have_happened():
    table = started([1, 2, 3, 4, 6] * 4)
    for _ in range(3):
        table.do(Roll(ALICE))
    fourth = _next(table.stream, table.stream[-1], roll_number=3, pre_roll_dice=(1, 2, 3, 4, 6))
    with pytest.raises(EngineError, match="at most three rolls"):
        replay([*table.stream, fourth])


def _next(stream, event, **changes):
    return event.model_copy(
        update={"id": uuid4(), "sequence_number": len(stream) + 1, "timestamp": 10**7, "causal_chain": ()} | changes
    )


def test_version_1_rerolls_are_still_read(turn):
    new = turn[REROLLED].to_wire()
    old = {key: value for key, value in new.items() if key not in ("rollType", "diceResult", "preRollDice")} | {
        "eventType": "reroll",
        "eventVersion": "1.0.0",
        "previousDice": new["preRollDice"],
        "newDice": new["diceResult"],
        "wasOptimal": True,
        "optimalKeptMask": new["keptMask"],
        "evDifference": 0,
        "timeToDecision": new["timeFromPreviousAction"],
        "hintViewed": False,
    }
    old.pop("timeFromPreviousAction")
    assert read_event(old) == turn[REROLLED]
    first = turn[ROLLED].to_wire() | {"eventVersion": "1.1.0", "probabilities": {}, "recommendations": []}
    first.pop("rollType")
    assert read_event(first) == turn[ROLLED]


def test_newer_minor_versions_are_read_and_other_majors_refused(turn):
    newer = turn[ROLLED].to_wire() | {"eventVersion": "2.9.0", "mood": "hopeful"}
    assert read_event(newer).dice_result == turn[ROLLED].dice_result
    with pytest.raises(ValueError, match="version 1 of the event"):
        read_event(turn[SCORED].to_wire() | {"eventVersion": "3.0.0"})
    with pytest.raises(EngineError, match="no event type"):
        read_event({"eventType": "sneezed"})
    with pytest.raises(ValueError, match="mood"):
        read_event(turn[ROLLED].to_wire() | {"mood": "hopeful"})


def test_the_wire_form_is_the_rfcs(turn):
    wire = turn[SCORED].to_wire()
    assert {"optimalEV", "evDifference", "previousScorecard", "sequenceNumber", "causalChain"} <= set(wire)
    assert wire["updatedScorecard"]["threeOfKind"] == 18
    assert (wire["eventType"], wire["eventVersion"], wire["streamType"]) == ("score", "1.2.0", "domain")
    assert turn[ROLLED].to_wire()["eventSource"] == "server"
    assert turn[CREATED].to_wire()["turnNumber"] == 0


def test_every_event_has_a_schema():
    assert set(schemas()) == set(BY_TYPE)
    for kind, schema in schemas().items():
        assert schema["properties"]["eventType"]["const"] == kind
        assert schema["additionalProperties"] is False
    assert "dice_result" not in json.dumps(schemas())


def _envelope(**more):
    return {
        "id": uuid4(),
        "sequence_number": 1,
        "trace_id": TRACE,
        "timestamp": 1,
        "game_id": GAME,
        "player_id": ALICE,
        "turn_number": 1,
        "roll_number": 1,
    } | more


def test_an_analysis_goes_over_the_wire_and_never_into_a_game():
    advised = events.DecisionRecommendation(
        action="reroll",
        kept_mask=(True, False, True, False, True),
        expected_value=24.5,
        reasoning="Keep the fives.",
        pedagogy_level=events.Skill.BEGINNER,
    )
    odds = events.CategoryStatistics(probability=11 / 36, expected_value=9.0, current_score=0)
    vector = events.ProbabilityVector(
        categories={"four_of_kind": odds}, optimal_category="four_of_kind", optimal_ev=9.0, rolls_remaining=1
    )
    event = events.AnalysisComputed(
        **_envelope(), analysis_id=uuid4(), source_event_id=uuid4(), probabilities=vector, recommendations=(advised,)
    )
    assert event.to_wire()["streamType"] == "analysis"
    assert read_event(event.to_wire()) == event
    with pytest.raises(ValueError, match="confidence of at least"):
        events.AnalysisComputed(
            **{name: getattr(event, name) for name in type(event).model_fields} | {"confidence": 0.5}
        )
    with pytest.raises(EngineError, match="rebuilt from domain events"):
        apply(started().state, event.model_copy(update={"game_id": GAME, "sequence_number": 3}))


def test_an_event_of_another_stream_cannot_pose_as_a_domain_event():
    hover = events.Hovered(
        **_envelope(sequence_number=3, timestamp=10**6, stream_type="domain"),
        category_hovered="ones",
        hover_duration=10,
        would_score=1,
        current_ev=1.0,
        is_optimal=False,
        hover_sequence=1,
    )
    assert hover.to_wire()["currentEV"] == 1.0
    with pytest.raises(EngineError, match="no event of the domain stream"):
        apply(started().state, hover)

"""From a finished game to a player's profile. Runs in a worker, after the game: play never waits for it.

What the model needs of a game is worked out once and kept with the seat; a profile is folded from those rows, so it
can be made again at any time and comes out the same. A profile changes when a game ends, never inside one (RFC-001
§3.4). Should anything go wrong here, the last profile stays, and the hourly catch-up tries again.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.models import Player
from apps.dicee import decisions as dicee
from apps.dicee.decisions import WORTH_ASKING, Decision, Story, story
from apps.dicee.models import Game, GameEvent, Seat, Status, Stream
from apps.dicee.services.review.profile import Learnt, RatedStanding
from apps.practice.models import Answer, Drill, PlayedGame, SkillProfile, Source
from apps.practice.services.questions import text_of
from apps.practice.services.run import MOST_DRILLS
from engine.dicee import learning
from engine.dicee.analysis import Horizon
from engine.dicee.boxes import Variant
from engine.dicee.learning import Concept, GameDigest, Guess, Observation, PracticeAnswer, Profile
from engine.dicee.learning.profiles import VERSION as DIGEST_VERSION
from engine.wire import Document

log = logging.getLogger(__name__)

MOST_GAMES = 300  # a profile looks back on; a rating on fewer still
MOST_ANSWERS = 2000
DRILLS_PER_GAME = 3  # the costliest mistakes become practice


class Slip(Document):
    """A decision worth looking at again: where to find it, what it cost, what it shows."""

    at: int  # the number of the decision: ``?at=`` of the replay
    turn: int
    lost: float
    concepts: tuple[Concept, ...]
    patterns: tuple[str, ...]
    position: str
    chosen: str
    best: str


def wire(document: Document) -> dict[str, Any]:
    """A document as a JSON column keeps it."""
    return document.model_dump(mode="json", by_alias=True)


def after_game(game: Game) -> None:
    """The hook of a finished game. Learning may fail; what else follows a game goes on."""
    try:
        take(game)
    except Exception:
        log.exception("nothing was learnt from game %s", game.pk)


def take(game: Game) -> int:
    """Take in a finished game, once per seat. Answers how many seats were new."""
    if dicee.solved(Variant(game.settings.get("rulesVariant", Variant.STANDARD))) is None:
        return 0  # judged by this turn alone it would count as something it is not; the catch-up comes back to it
    fresh = take_in(game)
    for player in {seat.player for seat in fresh if seat.player}:
        refresh(player)
    return len(fresh)


def take_in(game: Game) -> list[Seat]:
    """Keep what a profile needs of a game, for every seat that is new."""
    fresh = list(_untaken().filter(game=game).select_related("player"))
    for seat in fresh:
        with transaction.atomic():
            _take_seat(game, seat)
    return fresh


def catch_up(most: int = 100) -> int:
    """Take in games whose turn was missed: solved tables came later, or a worker was away."""
    games = Game.objects.filter(pk__in=_untaken().values("game")).order_by("finished_at")[:most]
    return sum(take(game) for game in games)


def _untaken() -> QuerySet[Seat]:
    """Seats of people in completed games that nothing was learnt from, or that an older model digested."""
    over = Seat.objects.filter(game__status=Status.COMPLETED)
    stale = Q(learning__isnull=True) | ~Q(learning__digest__version=DIGEST_VERSION)
    return over.filter(stale, bot="", player__isnull=False, final_score__isnull=False)


def _take_seat(game: Game, seat: Seat) -> None:
    told = story(game, seat.player_ref)
    assert told.horizon is Horizon.GAME
    seen = observations(told)
    PlayedGame.objects.update_or_create(
        seat=seat,
        defaults={
            "digest": wire(learning.digest(seen, seat.final_score)),
            "slips": [wire(slip) for slip in _slips(told.decisions, seen)],
            "guesses": _guesses(game, seat),
            "finished_at": game.finished_at or timezone.now(),
        },
    )
    _make_drills(game, seat, told.decisions, seen)


def observations(told: Story) -> list[Observation]:
    """A player's decisions as the learning model sees them."""
    seen: list[Observation] = []
    held: tuple[int, ...] = ()
    for d in told.decisions:
        found = learning.observe(d.position, d.chosen, d.found, d.time_to_decision, assisted=d.assisted, held=held)
        seen.append(found)
        held = d.chosen.keep or ()
    return seen


def _slips(decisions: Sequence[Decision], seen: Sequence[Observation]) -> list[Slip]:
    slips = []
    for decision, observed in zip(decisions, seen, strict=True):
        fell = tuple(signal.pattern for signal in observed.signals if signal.fell)
        if fell or decision.lost >= WORTH_ASKING:
            slips.append(
                Slip(
                    at=decision.number,
                    turn=decision.turn,
                    lost=round(decision.lost, 4),
                    concepts=observed.concepts,
                    patterns=fell,
                    position=text_of(decision.position),
                    chosen=decision.chosen_words,
                    best=decision.best_words,
                )
            )
    return slips


def _guesses(game: Game, seat: Seat) -> list[list[float]]:
    rows = GameEvent.objects.filter(game=game, stream=Stream.TELEMETRY, type="prediction").order_by("seq")
    return [
        [row["predictedProbability"], row["actualProbability"]]
        for row in rows.values_list("payload", flat=True)
        if row["playerId"] == str(seat.player_ref)
    ]


def _make_drills(game: Game, seat: Seat, decisions: Sequence[Decision], seen: Sequence[Observation]) -> None:
    """The costliest mistakes of a game, due at once. A position that is in practice already stays as it is."""
    assert seat.player is not None
    pairs = [(d, o) for d, o in zip(decisions, seen, strict=True) if d.lost >= WORTH_ASKING]
    pairs.sort(key=lambda pair: -pair[0].lost)
    room = max(0, MOST_DRILLS - Drill.objects.filter(player=seat.player).count())
    now = timezone.now()
    Drill.objects.bulk_create(
        [
            Drill(
                player=seat.player,
                position=text_of(d.position),
                concept=o.concepts[0].value,
                source=Source.OWN,
                origin=f"{game.pk}:{d.number}",
                due_at=now,
            )
            for d, o in pairs[: min(DRILLS_PER_GAME, room)]
        ],
        ignore_conflicts=True,
    )


# -- A player's profile -------------------------------------------------------------------------------------------


def refresh(player: Player) -> SkillProfile | None:
    """Fold a player's profile anew. Done twice, it is the same; without a game there is none."""
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)  # one at a time: the later one sees all games
        played = PlayedGame.objects.filter(seat__player=player)
        found = fold(played, Answer.objects.filter(player=player))
        if not found.games:
            SkillProfile.objects.filter(player=player).delete()
            return None
        values = {"profile": wire(found), "games": found.games, "updated_at": timezone.now()}
        return SkillProfile.objects.update_or_create(player=player, defaults=values)[0]


def rating_of(player: Player) -> float | None:
    """The rating of the last profile made of a player's games."""
    kept = SkillProfile.objects.filter(player=player).first()
    return Profile.model_validate(kept.profile).rating if kept else None


def rated_profile(player: Player) -> Profile | None:
    """The profile of a player's rated games alone; None before the first."""
    played = PlayedGame.objects.filter(seat__player=player, seat__game__settings__rated=True)
    found = fold(played, Answer.objects.none())
    return found if found.games else None


def learnt_of(player: Player) -> Learnt:
    """What is told of a player elsewhere: the rating of rated games, and habits by name."""
    rated, kept = rated_profile(player), SkillProfile.objects.filter(player=player).first()
    habits = Profile.model_validate(kept.profile).patterns if kept else ()
    return Learnt(
        RatedStanding(rated.rating, rated.low, rated.high, rated.lost_per_game, rated.games, rated.settled)
        if rated
        else None,
        tuple(found.key for found in habits),
    )


def refresh_between_games(player_id: uuid.UUID) -> None:
    """Let new practice show in a profile, unless a game is going on."""
    player = Player.objects.filter(pk=player_id).first()
    if player is not None and not Seat.objects.filter(player=player, game__status=Status.ACTIVE).exists():
        refresh(player)


def ask_for_refresh(player: Player) -> None:
    """Have a worker do that. A queue that is away costs nothing: the next game's end makes up for it."""
    try:
        current_app.send_task("practice.refresh", [str(player.pk)])
    except Exception:
        log.warning("practice.refresh was not queued", exc_info=True)


def fold(played: QuerySet[PlayedGame], answers: QuerySet[Answer]) -> Profile:
    """The profile that some games and answers make, whoever's they are; two reads."""
    newest = list(played.order_by("-finished_at", "-pk").values_list("digest", "guesses")[:MOST_GAMES])[::-1]
    said = list(
        answers.order_by("-created_at", "-pk").values_list("concept", "lost", "predicted", "truth")[:MOST_ANSWERS]
    )[::-1]
    digests = [GameDigest.model_validate(digest) for digest, _ in newest if learning.is_current(digest)]
    return learning.profile(digests, _all_guesses([guesses for _, guesses in newest], said), _practice(said))


Said = tuple[str, float | None, float | None, float | None]


def _all_guesses(at_tables: Iterable[list[list[float]]], said: Iterable[Said]) -> list[Guess]:
    in_games = [Guess(predicted=predicted, truth=truth) for game in at_tables for predicted, truth in game]
    return in_games + [
        Guess(predicted=predicted, truth=truth)
        for _, _, predicted, truth in said
        if predicted is not None and truth is not None
    ]


def _practice(said: Iterable[Said]) -> list[PracticeAnswer]:
    known = {concept.value for concept in Concept}
    return [
        PracticeAnswer(concept=Concept(concept), lost=lost)
        for concept, lost, *_ in said
        if lost is not None and concept in known
    ]

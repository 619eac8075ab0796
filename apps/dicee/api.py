"""Dicee for programs: statistics, games, tokens (RFC-003 §6 under ``/api/v1``).

A player comes with a session (and then the CSRF token, guests included) or with a Bearer token. ``Idempotency-Key``
makes any move safe to send again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from typing import TypeVar

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.http import page_request
from apps.accounts.models import Player
from apps.accounts.services import player_for
from apps.core.errors import error_body
from apps.dicee import services, tokens
from apps.dicee.models import Door, Game
from apps.dicee.services import review
from apps.dicee.services.api import documents as docs
from apps.dicee.services.api import statistics
from apps.dicee.services.record import fairness, telemetry
from apps.dicee.services.review import profile

D = TypeVar("D", bound=docs.Document)

#: HTTP status by error code; what is not listed is an input that breaks a rule: 422.
STATUS = {
    "ERR_UNAUTHORIZED": 401, "ERR_FORBIDDEN": 403, "ERR_GAME_NOT_FOUND": 404, "ERR_NOT_FOUND": 404,
    "ERR_NOT_YOUR_TURN": 409, "ERR_INVALID_TURN": 409, "ERR_GAME_NOT_STARTED": 409, "ERR_GAME_COMPLETED": 409,
    "ERR_CATEGORY_SCORED": 409, "ERR_CONFLICT": 409,
}  # fmt: skip
#: Where the house and RFC-003 §11.2 call the same thing by two names.
RFC_CODES = {"ERR_RATE_LIMITED": "ERR_RATE_LIMIT", "ERR_UNAUTHENTICATED": "ERR_UNAUTHORIZED"}
ACTIONS = {
    "ERR_NOT_YOUR_TURN": "Wait for your turn.",
    "ERR_CONFLICT": "Read the game again, then decide.",
    "ERR_INVALID_TURN": "Read the game again, then decide.",
    "ERR_UNAUTHORIZED": "Send a Bearer token.",
}
PROBLEMS = {
    403: OpenApiResponse(docs.ErrorResponse, "Not yours to see or do"),
    404: OpenApiResponse(docs.ErrorResponse, "No such game"),
    409: OpenApiResponse(docs.ErrorResponse, "The game is not where you think it is; says which rule or which race"),
    422: OpenApiResponse(docs.ErrorResponse, "The document breaks a rule; says which"),
    429: OpenApiResponse(docs.ErrorResponse, "Too many requests; Retry-After says how long to wait"),
}
KEY = OpenApiParameter(
    "Idempotency-Key", uuid.UUID, OpenApiParameter.HEADER, description="The same key again gets the same answer"
)


class DiceeView(APIView):
    """Who is asking, what they sent, and RFC-003's error object (§11) around every refusal."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (tokens.BearerAuthentication, SessionAuthentication)
    limit = "play"

    def handle_exception(self, exc: Exception) -> Response:
        request_id = getattr(self.request, "id", "-")
        if isinstance(exc, services.Refused):
            body = error_body(exc.code, exc.message, request_id, **exc.details)
            response = Response(body, status=STATUS.get(exc.code, 422))
            response.exception = True
        else:
            response = super().handle_exception(exc)
        error = response.data["error"]
        error["code"] = RFC_CODES.get(error["code"], error["code"])
        response.data["success"] = False
        error |= {
            "severity": "error" if response.status_code == 422 else "warning",
            "timestamp": int(time.time() * 1000),
            "recoverable": response.status_code != 403,
        }
        if action := ACTIONS.get(error["code"]):
            error["suggestedAction"] = action
        return response

    def read(self, request: Request, kind: type[D]) -> D:
        with services.named_fields():
            return kind.model_validate(request.data, by_alias=True, by_name=False)

    def viewer(self, request: Request) -> Player | None:
        if isinstance(request.auth, Player):
            return request.auth
        return page_request(request).player

    def actor(self, request: Request, *, may_be_new: bool = False) -> Player:
        """Who is doing something. A browser must show that its own page sent this; guests have a cookie too."""
        if isinstance(request.auth, Player):
            return request.auth
        SessionAuthentication().enforce_csrf(request)
        player = player_for(page_request(request)) if may_be_new else self.viewer(request)
        if player is None:
            raise services.Refused("Nobody is playing in this session.", code="ERR_UNAUTHORIZED", field="Authorization")
        return player

    def game(self, request: Request, game_id: uuid.UUID) -> Game:
        return services.find(game_id, self.viewer(request))

    def key(self, request: Request) -> uuid.UUID | None:
        raw = request.headers.get("Idempotency-Key")
        try:
            return None if raw is None else uuid.UUID(raw)
        except ValueError as error:
            message = "An Idempotency-Key is a UUID."
            raise services.Refused(message, field="Idempotency-Key", constraint="uuid", actual=raw) from error

    def moved(self, outcome: services.MoveOutcome) -> Response:
        return answer(
            docs.MoveResponse(
                game_id=outcome.game.pk,
                sequence_number=outcome.state.sequence,
                status=outcome.state.status.value,
                events=tuple(event.to_wire() for event in outcome.events),
            )
        )


def answer(document: docs.Document, status: int = 200) -> Response:
    return Response(document.model_dump(mode="json", by_alias=True), status=status)


# -- Statistics --------------------------------------------------------------------------------------------------


class StatisticsView(DiceeView):
    authentication_classes = ()
    limit = "statistics"


class ProbabilitiesView(StatisticsView):
    @extend_schema(
        operation_id="probabilities",
        summary="The odds of every open box",
        tags=["dicee"],
        request=docs.ProbabilityRequest,
        responses={200: docs.ProbabilityResponse, 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        return answer(statistics.probabilities(self.read(request, docs.ProbabilityRequest), _id(request)))


class RecommendationView(StatisticsView):
    @extend_schema(
        operation_id="recommendation",
        summary="The best action, why, and what else",
        tags=["dicee"],
        request=docs.RecommendationRequest,
        responses={200: docs.RecommendationResponse, 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        return answer(statistics.recommendation(self.read(request, docs.RecommendationRequest), _id(request)))


class EvaluateView(StatisticsView):
    @extend_schema(
        operation_id="evaluate",
        summary="A score judged against the best one",
        tags=["dicee"],
        request=docs.EvaluationRequest,
        responses={200: docs.EvaluationResponse, 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        return answer(statistics.evaluate(self.read(request, docs.EvaluationRequest), _id(request)))


class SimulateView(StatisticsView):
    limit = "simulate"

    @extend_schema(
        operation_id="simulate",
        summary="Play a position to the end many times; five seconds at most",
        tags=["dicee"],
        request=statistics.SimulateInput,
        responses={200: statistics.SimulateResult, 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        return answer(statistics.run_simulation(self.read(request, statistics.SimulateInput)))


def _id(request: Request) -> str:
    return str(getattr(request, "id", "-"))


# -- Games -------------------------------------------------------------------------------------------------------


class GamesView(DiceeView):
    @extend_schema(
        operation_id="createGame",
        summary="Open a table",
        tags=["dicee"],
        request=docs.CreateRequest,
        parameters=[KEY],
        responses={201: docs.GameStateResponse, 403: PROBLEMS[403], 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request, docs.CreateRequest)
        host = self.actor(request, may_be_new=True)
        chosen = asked.settings.model_dump(mode="json", by_alias=True)
        game = services.create(host, asked.mode, chosen, asked.bots, key=self.key(request))
        return Response(services.state_document(game), status=201)


class JoinView(DiceeView):
    @extend_schema(
        operation_id="joinGame",
        summary="Take a seat by a table's code",
        tags=["dicee"],
        request=docs.JoinRequest,
        responses={200: docs.GameStateResponse, **PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request, docs.JoinRequest)
        return Response(services.state_document(services.join(asked.code, self.actor(request, may_be_new=True))))


class GameView(DiceeView):
    @extend_schema(
        operation_id="game",
        summary="How a game stands, with its events",
        tags=["dicee"],
        responses={200: docs.GameStateResponse, 403: PROBLEMS[403], 404: PROBLEMS[404]},
    )
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        return Response(services.state_document(self.game(request, game_id)))


class EventsView(DiceeView):
    @extend_schema(
        operation_id="gameEvents",
        summary="Domain events after a number",
        tags=["dicee"],
        parameters=[OpenApiParameter("after", int, description="a sequence number; 0 for all")],
        responses={200: docs.EventsResponse, 403: PROBLEMS[403], 404: PROBLEMS[404]},
    )
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        raw = request.query_params.get("after", "0")
        if not raw.isdigit():
            raise services.Refused("after is a whole number.", field="after", constraint="integer", actual=raw)
        found = services.stream(self.game(request, game_id), int(raw))
        return answer(docs.EventsResponse(events=tuple(event.to_wire() for event in found)))


class RollView(DiceeView):
    @extend_schema(
        operation_id="roll",
        summary="Roll the dice that are not kept",
        tags=["dicee"],
        request=docs.RollRequest,
        parameters=[KEY],
        responses={200: docs.MoveResponse, **PROBLEMS},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        asked, player = self.read(request, docs.RollRequest), self.actor(request)
        game = self.game(request, game_id)
        outcome = services.roll(
            game,
            player,
            asked.kept_mask,
            key=self.key(request),
            seen=asked.seen,
            screen=_screen(asked),
            intent=asked.intent_signal,
        )
        return self.moved(outcome)


class ScoreView(DiceeView):
    @extend_schema(
        operation_id="score",
        summary="Write the dice into a box",
        tags=["dicee"],
        request=docs.ScoreRequest,
        parameters=[KEY],
        responses={200: docs.MoveResponse, **PROBLEMS},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        asked, player = self.read(request, docs.ScoreRequest), self.actor(request)
        outcome = services.score(
            self.game(request, game_id),
            player,
            asked.category,
            key=self.key(request),
            seen=asked.seen,
            considered=asked.categories_considered,
            backtracks=asked.backtrack_count,
            screen=_screen(asked),
        )
        return self.moved(outcome)


def _screen(asked: docs.RollRequest | docs.ScoreRequest) -> services.Screen:
    return services.Screen(values=asked.answers_in_sight, hint=asked.hint_requested, door=Door.API)


class UndoView(DiceeView):
    @extend_schema(
        operation_id="undo",
        summary="Take your last score back",
        tags=["dicee"],
        request=docs.MoveRequest,
        parameters=[KEY],
        responses={200: docs.MoveResponse, **PROBLEMS},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        asked, player = self.read(request, docs.MoveRequest), self.actor(request)
        return self.moved(services.undo(self.game(request, game_id), player, key=self.key(request), seen=asked.seen))


class StartView(DiceeView):
    @extend_schema(
        operation_id="startGame",
        summary="Begin; the order of play is drawn",
        tags=["dicee"],
        request=None,
        parameters=[KEY],
        responses={200: docs.MoveResponse, **PROBLEMS},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        player = self.actor(request)
        return self.moved(services.start(self.game(request, game_id), player, key=self.key(request)))


class AbandonView(DiceeView):
    @extend_schema(
        operation_id="abandonGame",
        summary="Leave a game for good",
        tags=["dicee"],
        request=None,
        parameters=[KEY],
        responses={200: docs.MoveResponse, **PROBLEMS},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        player = self.actor(request)
        return self.moved(services.abandon(self.game(request, game_id), player, key=self.key(request)))


class ReportView(DiceeView):
    @extend_schema(
        operation_id="gameReport",
        summary="How good, how lucky, where points were lost",
        tags=["dicee"],
        parameters=[OpenApiParameter("player", uuid.UUID, description="whose; yours if not given")],
        responses={200: docs.ReportResponse, **PROBLEMS},
    )
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        raw = request.query_params.get("player")
        try:
            whose = uuid.UUID(raw) if raw else None
        except ValueError as error:
            raise services.Refused("player is a UUID.", field="player", constraint="uuid", actual=raw) from error
        found = review.report(self.game(request, game_id), self.viewer(request), whose)
        return Response(review.document(found))


class VerificationView(DiceeView):
    @extend_schema(
        operation_id="gameVerification",
        summary="Commitment, rolls, proofs; the seed once the game is over",
        tags=["dicee"],
        responses={200: docs.VerificationResponse, 403: PROBLEMS[403], 404: PROBLEMS[404]},
    )
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        return Response(fairness.verification(self.game(request, game_id)))


class TelemetryView(DiceeView):
    @extend_schema(
        operation_id="telemetry",
        summary="What the player looked at, in batches",
        tags=["dicee"],
        request=docs.TelemetryRequest,
        responses={202: docs.TelemetryAnswer, 403: PROBLEMS[403], 422: PROBLEMS[422]},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        asked, player = self.read(request, docs.TelemetryRequest), self.actor(request)
        taken = telemetry.queue_notes(self.game(request, game_id), player, asked.events)
        return answer(docs.TelemetryAnswer(accepted=taken), status=202)


# -- Players -----------------------------------------------------------------------------------------------------


class ProfileView(DiceeView):
    @extend_schema(
        operation_id="playerProfile",
        summary="Your skill, from your finished games",
        tags=["dicee"],
        responses={200: docs.ProfileResponse, 403: PROBLEMS[403]},
    )
    def get(self, request: Request, player_id: uuid.UUID) -> Response:
        player = self.viewer(request)
        if player is None or player.pk != player_id:  # RFC-001 §3.4: nobody's data is shared across accounts
            raise services.Refused("A profile is seen by its player alone.", code="ERR_FORBIDDEN", field="playerId")
        return Response(profile.document(player))


class TokensView(DiceeView):
    @extend_schema(
        operation_id="tokens",
        summary="Your tokens, without their secrets",
        tags=["dicee"],
        responses={200: docs.TokensResponse, 401: PROBLEMS[403]},
    )
    def get(self, request: Request) -> Response:
        player = self.viewer(request)
        held = tokens.of(player) if player else []
        shown = tuple(docs.TokenResponse(id=t.pk, name=t.name, hint=t.hint) for t in held)
        return answer(docs.TokensResponse(tokens=shown))

    @extend_schema(
        operation_id="createToken",
        summary="A token for a program of yours; its secret is shown once",
        tags=["dicee"],
        request=docs.TokenRequest,
        responses={201: docs.TokenResponse, 403: PROBLEMS[403]},
    )
    def post(self, request: Request) -> Response:
        asked = self.read(request, docs.TokenRequest)
        try:
            token, secret = tokens.issue(self.actor(request, may_be_new=True), asked.name)
        except tokens.TooManyTokensError as error:
            raise services.Refused(str(error), code="ERR_FORBIDDEN", field="name") from error
        return answer(docs.TokenResponse(id=token.pk, name=token.name, hint=token.hint, token=secret), status=201)


class TokenView(DiceeView):
    @extend_schema(
        operation_id="revokeToken",
        summary="Revoke a token",
        tags=["dicee"],
        responses={204: None, 404: PROBLEMS[404]},
    )
    def delete(self, request: Request, token_id: int) -> Response:
        if not tokens.revoke(self.actor(request), token_id):
            raise services.Refused("You have no such token.", code="ERR_NOT_FOUND", field="id")
        return Response(status=204)

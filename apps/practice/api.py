"""A player's games, decisions and starred positions for programs, under ``/api/v1``."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.core.paginator import Paginator
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Player
from apps.dicee.api import PROBLEMS, DiceeView, answer
from apps.dicee.services import Refused
from apps.dicee.services.api.documents import Document
from apps.dicee.services.record import text as game_text
from apps.practice.services import NotReadyError, games, stars

PER_PAGE = 50
FILTERS = [
    OpenApiParameter("variant", str, enum=[value for value, _ in games.VARIANTS[1:]]),
    OpenApiParameter("opponent", str, enum=[value for value, _ in games.OPPONENTS[1:]]),
    OpenApiParameter("result", str, enum=[value for value, _ in games.RESULTS[1:]]),
    OpenApiParameter("concept", str, enum=[value for value, _ in games.IDEAS[1:]]),
    OpenApiParameter("lost", float, description="at least so many points lost"),
    OpenApiParameter("page", int, description=f"of {PER_PAGE} each, from 1"),
]


class Opponent(Document):
    display_name: str
    score: int


class ListedGame(Document):
    game_id: uuid.UUID
    completed_at: datetime.datetime | None
    score: int
    opponents: tuple[Opponent, ...]
    won: bool | None = Field(description="null where there was nobody to beat")
    points_lost: float | None
    luck: float | None
    luck_adjusted_score: float | None
    accuracy: float | None


class GamesResponse(Document):
    success: bool = True
    total: int
    page: int
    pages: int
    games: tuple[ListedGame, ...]


class ListedDecision(Document):
    game_id: uuid.UUID
    number: int
    turn_number: int
    position: str
    chosen: str
    best: str
    points_lost: float
    concepts: tuple[str, ...]


class DecisionsResponse(Document):
    success: bool = True
    total: int
    page: int
    pages: int
    decisions: tuple[ListedDecision, ...]


class PositionRequest(Document):
    position: str


class StarredResponse(Document):
    success: bool = True
    positions: tuple[str, ...]


class TextRequest(Document):
    text: str = Field(description="docs/dicee-game-text.md")


class TextResponse(Document):
    success: bool = True
    text: str


class ReadDecisionDocument(Document):
    position: str
    chosen: str
    best: str
    points_lost: float


class ReadPlayerDocument(Document):
    display_name: str
    score: int
    points_lost: float
    board: str = Field(description="where the game can be walked through")
    decisions: tuple[ReadDecisionDocument, ...]


class ReadResponse(Document):
    success: bool = True
    players: tuple[ReadPlayerDocument, ...]


class OwnView(DiceeView):
    """What only its player may see."""

    def me(self, request: Request) -> Player:
        player = self.viewer(request)
        if player is None:
            raise Refused("Nobody is playing in this session.", code="ERR_UNAUTHORIZED", field="Authorization")
        return player

    def paged(self, request: Request, rows: list[Any]) -> dict[str, Any]:
        page = Paginator(rows, PER_PAGE).get_page(request.query_params.get("page"))
        return {"total": len(rows), "page": page.number, "pages": page.paginator.num_pages, "rows": page.object_list}


class MyGamesView(OwnView):
    @extend_schema(
        operation_id="myGames",
        summary="Your finished games, newest first",
        tags=["dicee"],
        parameters=FILTERS,
        responses={200: GamesResponse, 401: PROBLEMS[403], 422: PROBLEMS[422]},
    )
    def get(self, request: Request) -> Response:
        wanted = games.read_filter(request.query_params.dict())
        found = self.paged(request, games.games(self.me(request), wanted))
        listed = tuple(_game(row) for row in found.pop("rows"))
        return answer(GamesResponse(games=listed, **found))


def _game(row: games.GameRow) -> ListedGame:
    return ListedGame(
        game_id=row.game_id,
        completed_at=row.finished_at,
        score=row.score,
        opponents=tuple(Opponent(display_name=name, score=score) for name, score in row.others),
        won=row.won,
        points_lost=row.lost,
        luck=row.luck,
        luck_adjusted_score=row.adjusted,
        accuracy=row.accuracy,
    )


class MyDecisionsView(OwnView):
    @extend_schema(
        operation_id="myDecisions",
        summary="Your decisions that cost a point or more, the costliest first",
        tags=["dicee"],
        parameters=FILTERS,
        responses={200: DecisionsResponse, 401: PROBLEMS[403], 422: PROBLEMS[422]},
    )
    def get(self, request: Request) -> Response:
        wanted = games.read_filter(request.query_params.dict())
        found = self.paged(request, games.decisions(self.me(request), wanted))
        listed = tuple(_decision(row) for row in found.pop("rows"))
        return answer(DecisionsResponse(decisions=listed, **found))


def _decision(row: games.DecisionRow) -> ListedDecision:
    slip = row.slip
    return ListedDecision(
        game_id=row.game_id,
        number=slip.at,
        turn_number=slip.turn,
        position=slip.position,
        chosen=slip.chosen,
        best=slip.best,
        points_lost=slip.lost,
        concepts=tuple(concept.value for concept in slip.concepts),
    )


class StarredView(OwnView):
    @extend_schema(
        operation_id="starredPositions",
        summary="The positions you have starred",
        tags=["dicee"],
        responses={200: StarredResponse, 401: PROBLEMS[403]},
    )
    def get(self, request: Request) -> Response:
        return _starred(self.me(request))

    @extend_schema(
        operation_id="starPosition",
        summary="Star a position: practice will ask about it",
        tags=["dicee"],
        request=PositionRequest,
        responses={200: StarredResponse, 401: PROBLEMS[403], 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        asked, player = self.read(request, PositionRequest), self.actor(request)
        try:
            stars.star(player, asked.position)
        except NotReadyError as error:
            raise Refused("The solved game is still being computed.", code="ERR_CONFLICT", field="position") from error
        return _starred(player)

    @extend_schema(
        operation_id="unstarPosition",
        summary="Take a star away",
        tags=["dicee"],
        parameters=[OpenApiParameter("position", str, required=True)],
        responses={200: StarredResponse, 401: PROBLEMS[403], 422: PROBLEMS[422]},
    )
    def delete(self, request: Request) -> Response:
        player = self.actor(request)
        stars.unstar(player, request.query_params.get("position", ""))
        return _starred(player)


def _starred(player: Player) -> Response:
    return answer(StarredResponse(positions=tuple(drill.position for drill in stars.starred(player))))


class GameTextView(DiceeView):
    @extend_schema(
        operation_id="gameText",
        summary="A finished game as text, one line a turn",
        tags=["dicee"],
        responses={200: TextResponse, 403: PROBLEMS[403], 404: PROBLEMS[404], 409: PROBLEMS[409]},
    )
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        game = self.game(request, game_id)
        if not game.is_over:
            raise Refused("The text comes when the game is over.", code="ERR_INVALID_TURN", field="status")
        return answer(TextResponse(text=game_text.text_of(game)))


class ReadGameView(DiceeView):
    authentication_classes = ()
    limit = "statistics"

    @extend_schema(
        operation_id="readGame",
        summary="A game from its text, every decision judged",
        tags=["dicee"],
        request=TextRequest,
        responses={200: ReadResponse, 422: PROBLEMS[422]},
    )
    def post(self, request: Request) -> Response:
        players = game_text.read(self.read(request, TextRequest).text)
        return answer(ReadResponse(players=tuple(_player(player) for player in players)))


def _player(player: game_text.ReadPlayer) -> ReadPlayerDocument:
    decisions = tuple(
        ReadDecisionDocument(position=d.position, chosen=d.chosen, best=d.best, points_lost=d.lost)
        for d in player.decisions
    )
    return ReadPlayerDocument(
        display_name=player.name,
        score=player.score,
        points_lost=player.lost,
        board=player.link,
        decisions=decisions,
    )

"""``POST /api/v1/compute/{op}``: one small view per engine operation, so that each has its own place in the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.core.errors import error_body
from apps.core.schema import ErrorBody
from apps.core.services import answer, operations


class ComputeView(APIView):
    """Answers with the operation's result document, or 422 and the one error shape."""

    authentication_classes = ()
    limit = "compute"
    op = ""

    def post(self, request: Request) -> Response:
        reply = answer(self.op, request.data)
        if reply["ok"]:
            return Response(reply["result"])
        error = reply["error"]
        body = error_body(error["code"], error["message"], getattr(request, "id", "-"), **error["details"])
        return Response(body, status=422)


def compute_views() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, summary, input_model, output_model in operations():
        described = extend_schema(
            operation_id=name.replace(".", "_"),
            summary=summary,
            tags=[name.partition(".")[0]],
            request=input_model,
            responses={
                200: output_model,
                422: OpenApiResponse(ErrorBody, "The document breaks a rule; says which"),
                429: OpenApiResponse(ErrorBody, "Too many requests; Retry-After says how long to wait"),
            },
        )
        view: type[ComputeView] = type(f"Compute_{name}", (ComputeView,), {"op": name, "limit": _limit(name)})
        yield name, extend_schema_view(post=described)(view).as_view()


def _limit(op: str) -> str:
    """Sampling costs more than counting."""
    return "simulate" if op.endswith(".simulate") else "compute"

"""Jobs for programs: look at one, cancel one."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.http import page_request
from apps.core.schema import ErrorBody
from apps.jobs import services
from apps.jobs.models import Job, State


class JobErrorSerializer(serializers.Serializer[dict[str, str]]):
    code = serializers.CharField()
    message = serializers.CharField()


class JobSerializer(serializers.Serializer[Job]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=State.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    note = serializers.CharField()
    seq = serializers.IntegerField(help_text="Grows with every change.")
    result = serializers.JSONField(allow_null=True)
    error = JobErrorSerializer(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")  # noqa: N815
    startedAt = serializers.DateTimeField(source="started_at", allow_null=True)  # noqa: N815
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)  # noqa: N815


ANSWERS = {
    200: JobSerializer,
    403: OpenApiResponse(ErrorBody, "The job belongs to another player"),
    404: OpenApiResponse(ErrorBody, "There is no such job, or it has expired"),
}


class JobView(APIView):
    limit = "compute"

    @extend_schema(operation_id="job", summary="A job of yours: state, progress, result", responses=ANSWERS)
    def get(self, request: Request, job_id: uuid.UUID) -> Response:
        return Response(JobSerializer(self._find(request, job_id)).data)

    @extend_schema(
        operation_id="cancelJob", summary="Cancel a job of yours; one that has ended stays", responses=ANSWERS
    )
    def delete(self, request: Request, job_id: uuid.UUID) -> Response:
        SessionAuthentication().enforce_csrf(
            request
        )  # the framework asks members only; guests have a cookie to abuse too
        job = services.cancel(self._find(request, job_id), by=page_request(request).player)
        return Response(JobSerializer(job).data)

    def _find(self, request: Request, job_id: uuid.UUID) -> Job:
        return services.find(job_id, page_request(request).player)

"""Prometheus figures. Several web workers share theirs through files when PROMETHEUS_MULTIPROC_DIR is set."""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

REQUESTS = Counter("oddsmith_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "oddsmith_request_seconds",
    "Server time per request",
    ["route"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
LIMITED = Counter("oddsmith_rate_limited_total", "Requests turned away by a rate limit", ["scope"])
JOBS = Counter("oddsmith_jobs_total", "Background jobs by how they ended", ["kind", "state"])


def observe(method: str, route: str, status: int, seconds: float) -> None:
    REQUESTS.labels(method, route, status).inc()
    SECONDS.labels(route).observe(seconds)


def exposition() -> tuple[bytes, str]:
    """What a Prometheus server reads: the text and its content type."""
    registry: CollectorRegistry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST

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
from prometheus_client.registry import Collector

REQUESTS = Counter("oddsmith_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "oddsmith_request_seconds",
    "Server time per request",
    ["route"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
LIMITED = Counter("oddsmith_rate_limited_total", "Requests turned away by a rate limit", ["scope"])
JOBS = Counter("oddsmith_jobs_total", "Background jobs by how they ended", ["kind", "state"])
OPERATIONS = Histogram(
    "oddsmith_operation_seconds",
    "Time an engine operation or an analysis takes",
    ["operation"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10, 60),
)
INVARIANT_VIOLATIONS = Counter("oddsmith_invariant_violations_total", "Rules found broken (RFC-003 §10)", ["rule"])

_collectors: list[Collector] = []


def register(collector: Collector) -> None:
    """Add figures that are read off something when they are asked for, by whichever process is asked."""
    _collectors.append(collector)


def observe(method: str, route: str, status: int, seconds: float) -> None:
    REQUESTS.labels(method, route, status).inc()
    SECONDS.labels(route).observe(seconds)


def exposition() -> tuple[bytes, str]:
    """What a Prometheus server reads: the text and its content type."""
    registry: CollectorRegistry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    asked = CollectorRegistry()
    for collector in _collectors:
        asked.register(collector)
    return generate_latest(registry) + generate_latest(asked), CONTENT_TYPE_LATEST

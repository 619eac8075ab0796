"""Figures of RFC-001 appendix E that are read off the database and the queue when Prometheus asks."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator
from typing import Any

from celery import current_app
from django.core.cache import cache
from django.db.models import Count
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from apps.core.cache import client
from apps.dicee.models import Game, Seat, Status
from apps.dicee.services.review.profile import level, rate_of
from apps.jobs.models import Job
from apps.operate.services import invariants

KEY, EVERY = "operate:gauges", 15  # seconds: several scrapers cost no more than one
DAY = datetime.timedelta(days=1)


class Caches(Collector):
    """What the process that is asked remembers of what it worked out: every ``lru_cache`` of ours, by name."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        hits = GaugeMetricFamily("oddsmith_cache_hits", "Found in a process's memory", labels=["cache"])
        misses = GaugeMetricFamily("oddsmith_cache_misses", "Worked out anew", labels=["cache"])
        entries = GaugeMetricFamily("oddsmith_cache_entries", "Kept in a process's memory", labels=["cache"])
        for name, info in caches():
            hits.add_metric([name], info.hits)
            misses.add_metric([name], info.misses)
            entries.add_metric([name], info.currsize)
        yield from (hits, misses, entries)

    def describe(self) -> list[GaugeMetricFamily]:
        return []


def caches() -> Iterator[tuple[str, Any]]:
    """Our caches and how they do."""
    seen = set()
    for name, module in sorted(sys.modules.items()):
        if name.startswith(("apps.", "engine.")):
            for attribute, value in sorted(vars(module).items()):
                if hasattr(value, "cache_info") and id(value) not in seen:
                    seen.add(id(value))
                    yield f"{name}.{attribute}", value.cache_info()


class Gauges(Collector):
    """Asked at every scrape; a part that is away is left out."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        figures = cache.get(KEY)
        if figures is None:
            figures = measure()
            cache.set(KEY, figures, EVERY)
        for name, help_text, label, values in figures:
            family = GaugeMetricFamily(name, help_text, labels=[label] if label else [])
            for key, value in values:
                family.add_metric([key] if label else [], value)
            yield family

    def describe(self) -> list[GaugeMetricFamily]:
        return []  # or registering would ask the database


Figure = tuple[str, str, str, list[tuple[str, float]]]


def measure() -> list[Figure]:
    """Name, meaning, label and values of every figure that can be had now."""
    figures: list[Figure] = []
    for part in (_games, _quality, _jobs, _queue, _invariants):
        try:
            figures += part()
        except Exception:  # a database or a queue that is away is told by /health/ready
            continue
    return figures


def _games() -> list[Figure]:
    by_status = dict(Game.objects.values_list("status").annotate(Count("pk")))
    hour = timezone.now() - datetime.timedelta(hours=1)
    finished = Game.objects.filter(status=Status.COMPLETED, finished_at__gte=hour).count()
    states = [(status.value, float(by_status.get(status.value, 0))) for status in Status]
    return [
        ("oddsmith_games", "Games by status", "status", states),
        ("oddsmith_games_completed_last_hour", "Games finished within an hour", "", [("", float(finished))]),
    ]


def _quality() -> list[Figure]:
    """The share of best choices in the games of a day, by what the player's level is."""
    seats = Seat.objects.filter(
        bot="", summary__isnull=False, game__status=Status.COMPLETED, game__finished_at__gte=timezone.now() - DAY
    )
    by_player: dict[object, list[dict[str, float]]] = {}
    for ref, summary in seats.order_by("-game__finished_at").values_list("player_ref", "summary")[:2000]:
        if summary:
            by_player.setdefault(ref, []).append(summary)
    by_level: dict[str, list[float]] = {}
    for summaries in by_player.values():
        by_level.setdefault(level(summaries)[1].value, []).append(rate_of(summaries))
    values = [(name, sum(rates) / len(rates)) for name, rates in sorted(by_level.items())]
    return [("oddsmith_decision_quality", "Share of best choices of a day's players, by level", "level", values)]


def _jobs() -> list[Figure]:
    by_state = sorted(Job.objects.values_list("state").annotate(Count("pk")))
    return [("oddsmith_jobs", "Jobs by state", "state", [(state, float(number)) for state, number in by_state])]


def _queue() -> list[Figure]:
    waiting = client().llen(current_app.conf.task_default_queue)
    return [("oddsmith_queue_length", "Tasks that wait for a worker", "", [("", float(waiting))])]


def _invariants() -> list[Figure]:
    last = invariants.last_check()
    if last is None:
        return []
    age = timezone.now() - datetime.datetime.fromisoformat(last.at)
    return [
        ("oddsmith_invariants_broken", "Violations in the last check", "", [("", float(len(last.violations)))]),
        ("oddsmith_invariants_checked_games", "Games in the last check", "", [("", float(last.games))]),
        ("oddsmith_invariants_age_seconds", "Since the last check", "", [("", age.total_seconds())]),
    ]

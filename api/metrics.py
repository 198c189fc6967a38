"""Counters for Prometheus: requests, matches by verdict and entry, times and sizes. No text of a paste.

Labels have few values: routes as they are declared, ids of entries, verdicts. With several workers each one
counts in a file of its own, in the folder that PROMETHEUS_MULTIPROC_DIR names, and whichever is asked adds
them up.
"""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from kb.diagnose.diagnosis import Diagnosis

SHARED = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
BYTES = (256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 5_242_880)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})

Kind = tuple[str, str, int]  # route, method, status
Counters = tuple[Counter, Histogram, Histogram, Counter]


class Metrics:
    """What one server has counted so far."""

    def __init__(self) -> None:
        self._own = registry = CollectorRegistry()
        self._of_kind: dict[Kind, Counters] = {}
        self._of_answer: dict[tuple[str, str], Counter] = {}
        self._requests = Counter(
            "faultbook_requests", "Requests answered", ("route", "method", "status"), registry=registry
        )
        self._seconds = Histogram(
            "faultbook_request_seconds",
            "Time from a request's head to the end of its answer",
            ("route",),
            buckets=SECONDS,
            registry=registry,
        )
        self._bytes_in = Histogram(
            "faultbook_request_bytes",
            "Sizes of request bodies, where there is one",
            ("route",),
            buckets=BYTES,
            registry=registry,
        )
        self._bytes_out = Counter("faultbook_response_bytes", "Bytes answered", ("route",), registry=registry)
        self._matches = Counter(
            "faultbook_matches", "Pastes diagnosed", ("verdict", "entry"), registry=registry
        )
        self._match_seconds = Histogram(
            "faultbook_match_seconds", "Time of the matcher alone", buckets=SECONDS, registry=registry
        )
        self._reloads = Counter(
            "faultbook_reloads", "New builds read, or refused", ("outcome",), registry=registry
        )
        self._entries = Gauge(
            "faultbook_entries", "Entries served", registry=registry, multiprocess_mode="mostrecent"
        )
        self._loaded = Gauge(
            "faultbook_build_loaded_timestamp_seconds",
            "When the build was read",
            registry=registry,
            multiprocess_mode="min",
        )

    def request(self, route: str, method: str, status: int, seconds: float, sizes: tuple[int, int]) -> None:
        """Count a request that is over; `sizes` are its body's and its answer's."""
        kind = (route, method if method in METHODS else "other", status)
        requests, times, bytes_in, bytes_out = self._of_kind.get(kind) or self._new_kind(kind)
        received, sent = sizes
        requests.inc()
        times.observe(seconds)
        if received:
            bytes_in.observe(received)
        bytes_out.inc(sent)

    def _new_kind(self, kind: Kind) -> Counters:
        """The counters for a kind of request, found by its labels once."""
        route = kind[0]
        self._of_kind[kind] = found = (
            self._requests.labels(*kind),
            self._seconds.labels(route),
            self._bytes_in.labels(route),
            self._bytes_out.labels(route),
        )
        return found

    def match(self, diagnosis: Diagnosis, seconds: float) -> None:
        """Count a diagnosis, by its verdict and its best entry."""
        answer = (diagnosis.verdict, diagnosis.best.entry if diagnosis.best else "")
        matches = self._of_answer.get(answer)
        if matches is None:
            self._of_answer[answer] = matches = self._matches.labels(*answer)
        matches.inc()
        self._match_seconds.observe(seconds)

    def build(self, entries: int | None) -> None:
        """Count a build that was read with so many entries; None: it could not be read."""
        self._reloads.labels("failed" if entries is None else "read").inc()
        if entries is not None:
            self._entries.set(entries)
            self._loaded.set_to_current_time()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        registry = self._own
        if SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)

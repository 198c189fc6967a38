"""GET /healthz, /readyz and /metrics: for load balancers, Kubernetes probes and Prometheus."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from api.metrics import MEDIA_TYPE
from api.models import Health
from api.problems import Refused, responses
from api.service import Service

METRICS: dict[int | str, dict[str, Any]] = {
    200: {"description": "In the form that Prometheus reads", "content": {"text/plain": {}}}
}


def health_routes(service: Service) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", summary="Is the server up")
    async def health() -> Health:
        """Always at once, also while large pastes are being matched."""
        index = service.book.index
        return Health(entries=len(index), digest=index.digest)

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", summary="Should the server get requests", responses=responses(503))
    async def ready() -> Health:
        """503 from the moment when the server was told to stop, so that load balancers leave it in time."""
        if service.stopping:
            raise Refused(503, "The server stops. Ask another one.", headers={"Retry-After": "5"})
        index = service.book.index
        return Health(status="ready", entries=len(index), digest=index.digest)

    if service.settings.metrics:

        @router.head("/metrics", include_in_schema=False)
        @router.get("/metrics", summary="Counters", responses=METRICS, response_class=Response)
        def metrics() -> Response:
            """Requests, matches by verdict and entry, times and sizes; nothing of a paste."""
            return Response(service.metrics.text(), media_type=MEDIA_TYPE)

    return router

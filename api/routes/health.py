"""GET /healthz: for load balancers and Kubernetes probes."""

from __future__ import annotations

from fastapi import APIRouter

from api.models import Health
from api.service import Service


def health_routes(service: Service) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", summary="Is the server up")
    async def health() -> Health:
        """Always at once, also while large pastes are being matched."""
        index = service.book.index
        return Health(entries=len(index), digest=index.digest)

    return router

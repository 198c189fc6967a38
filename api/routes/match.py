"""POST /api/match: a paste in, its diagnosis out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from api.body import media_type, read_body
from api.examples import ANSWER, REQUEST
from api.problems import responses
from api.service import Service
from api.wire_model import DiagnosisModel

BODY: dict[str, Any] = {
    "required": True,
    "content": {
        "text/plain": {"schema": {"type": "string"}, "example": REQUEST["text"]},
        "application/json": {"schema": {"$ref": "#/components/schemas/MatchRequest"}, "example": REQUEST},
    },
}


def match_routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["match"])

    @router.post(
        "/match",
        summary="Diagnose a traceback or log",
        openapi_extra={"requestBody": BODY},
        responses={
            200: {
                "model": DiagnosisModel,
                "description": "The diagnosis; `no_match` is an answer too",
                "content": {"application/json": {"example": ANSWER}},
            },
            **responses(400, 408, 413, 415, 422, 503),
        },
    )
    async def match(request: Request) -> Response:
        """The paste as text/plain, or as JSON together with what is known beside it.

        Nothing of a paste is kept or logged.
        """
        settings = service.settings
        media = media_type(request)
        body = await read_body(request, settings.max_body, settings.body_seconds)
        answer = await service.match(body, media)
        return Response(answer, media_type="application/json", headers={"Cache-Control": "no-store"})

    return router

"""POST /api/match: a paste in, its diagnosis out."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request, Response

from api.body import read_paste
from api.examples import ANSWER, REQUEST
from api.formats import FORMS, choose_form
from api.problems import ALWAYS, responses
from api.service import Service

BODY: dict[str, Any] = {
    "required": True,
    "content": {
        "text/plain": {"schema": {"type": "string"}, "example": REQUEST["text"]},
        "application/json": {"schema": {"$ref": "#/components/schemas/MatchRequest"}, "example": REQUEST},
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {
                    "file": {"type": "string", "format": "binary", "description": "the log"},
                    "given": {"type": "string", "description": "what is known beside it, as JSON"},
                },
                "required": ["file"],
            },
            "example": {"file": REQUEST["text"], "given": json.dumps(REQUEST["given"])},
        },
    },
}
TEXT: dict[str, Any] = {"schema": {"type": "string"}}
ANSWERS: dict[str, Any] = {
    "application/json": {
        "schema": {
            "anyOf": [
                {"$ref": "#/components/schemas/DiagnosisModel"},
                {"type": "object", "title": "Slack's form", "required": ["blocks"]},
                {"type": "object", "title": "Discord's form", "required": ["embeds"]},
            ]
        },
        "example": ANSWER,
    },
    **{form.media.partition(";")[0]: TEXT for form in FORMS.values() if form.media.startswith("text/")},
}
FORMAT: dict[str, Any] = {
    "name": "format",
    "in": "query",
    "description": "the form of the answer; without it the Accept header decides, else it is JSON",
    "schema": {"type": "string", "enum": list(FORMS)},
}


def match_routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["match"], responses=responses(*ALWAYS))

    @router.post(
        "/match",
        summary="Diagnose a traceback or log",
        openapi_extra={"requestBody": BODY, "parameters": [FORMAT]},
        responses={
            200: {"description": "The diagnosis; `no_match` is an answer too", "content": ANSWERS},
            **responses(400, 406, 408, 413, 415, 422),
        },
    )
    async def match(request: Request) -> Response:
        """The paste as text/plain, as JSON together with what is known beside it, or as the file of a form;
        each may be packed with gzip.

        Nothing of a paste is kept or logged.
        """
        settings = service.settings
        form = choose_form(request)
        body, media = await read_paste(request, settings.max_body, settings.body_seconds)
        answer = await service.match(body, media, form)
        return Response(
            answer, media_type=form.media, headers={"Cache-Control": "no-store", "Vary": "Accept"}
        )

    return router

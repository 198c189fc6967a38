"""GET /api/checks/{id}, /api/signatures, /api/index and /api/schema: the parts of the knowledge base."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from api.models import SignatureAnswer, SignatureHit
from api.problems import ALWAYS, Refused, responses
from api.ready import send
from api.routes.entries import KNOWN, Answers
from api.service import Service
from kb.catalog.entry import Check
from kb.diagnose.recall import search_text

LONGEST_LINE = 5000  # of any characters still fits into an address
OBJECT: Answers = {
    200: {"description": "As a file", "content": {"application/json": {"schema": {"type": "object"}}}},
    **KNOWN,
}
CheckId = Annotated[str, Path(alias="id", examples=["which-xid-came-first"])]
Line = Annotated[
    str,
    Query(
        min_length=1,
        max_length=LONGEST_LINE,
        description="one message or line of a log; a whole log goes to /api/match",
        examples=["LoRA rank 64 is greater than max_lora_rank 16."],
    ),
]


def lookup_routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["entries"], responses=responses(*ALWAYS))

    @router.head("/checks/{id}", include_in_schema=False)
    @router.get(
        "/checks/{id}",
        summary="Get a check",
        responses={200: {"model": Check}, **KNOWN, **responses(404, 422)},
    )
    async def one_check(request: Request, check_id: CheckId) -> Response:
        """What separates look-alikes: what to look at or run, and what each outcome speaks for."""
        checks = service.book.checks
        if check_id not in checks:
            near = get_close_matches(check_id[:100], checks, n=1)
            hint = f"Is it {near[0]}?" if near else "Entries name their checks."
            raise Refused(404, f"No check has the id {check_id[:100]!r}. {hint}")
        return send(request, checks[check_id])

    @router.head("/signatures", include_in_schema=False)
    @router.get("/signatures", summary="Which templates fit one line", responses=responses(422))
    async def signatures(text: Line) -> SignatureAnswer:
        """The messages of all entries that stand in a line, with what their placeholders took. No ranking: a
        diagnosis also weighs class, frames, versions and what stands around it."""
        index = service.book.index
        found = [
            SignatureHit(
                entry=index.entry(entry).id,
                signature=signature.id,
                template=signature.template,
                quality=hit.quality,
                start=hit.start,
                end=hit.end,
                captures=hit.captures,
            )
            for entry, signature, hit, _ in search_text(text, index)
        ]
        return SignatureAnswer(text=text, signatures=found)

    @router.head("/index", include_in_schema=False)
    @router.get("/index", summary="Get the compiled index", responses=OBJECT, response_class=Response)
    async def index_file(request: Request) -> Response:
        """All that the matcher needs, for use without a network. Its form is that of `kb build`; `digest`
        changes when any entry changes."""
        return send(request, service.book.index_page)

    @router.head("/schema", include_in_schema=False)
    @router.get(
        "/schema", summary="Get the JSON Schema of an entry", responses=OBJECT, response_class=Response
    )
    async def schema(request: Request) -> Response:
        """For editors and for whoever writes entries."""
        return send(request, service.book.schema)

    return router

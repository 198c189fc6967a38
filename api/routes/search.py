"""GET /api/search: the entries for words that a person types."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query

from api.models import SearchAnswer, SearchResult
from api.problems import ALWAYS, responses
from api.service import Service
from kb.search.find import LONGEST_QUERY

Words = Annotated[
    str,
    Query(
        max_length=LONGEST_QUERY,
        description="words, flags, exception classes, numbers; a traceback goes to /api/match",
        examples=["max_lora_rank"],
    ),
]
Limit = Annotated[int, Query(ge=1, le=50, description="at most so many entries")]


def search_routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["search"], responses=responses(*ALWAYS))

    @router.head("/search", include_in_schema=False)
    @router.get("/search", summary="Search the entries for words", responses=responses(422))
    async def search(q: Words, limit: Limit = 10) -> SearchAnswer:
        """Identifiers are found whole and by their parts, words by their beginning and with small slips."""
        found = service.book.search.search(q, limit)
        return SearchAnswer(query=q, results=[SearchResult.model_validate(asdict(each)) for each in found])

    return router

"""GET /api/entries, /api/entries/{id} and /api/errors/{id}: the entries as JSON."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from api.book import Book
from api.filters import Wanted
from api.models import EntryDocument, EntryList, EntryQuery
from api.problems import ALWAYS, Refused, responses
from api.ready import Page, page, send
from api.service import Service

Answers = dict[int | str, dict[str, Any]]
KNOWN: Answers = {304: {"description": "The client has it already: If-None-Match names its ETag"}}
FORMER: Answers = {301: {"description": "The id is a former one; Location has today's"}}
EntryId = Annotated[str, Path(alias="id", examples=["vllm-lora-rank-exceeds-max"])]


def entry_routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["entries"], responses=responses(*ALWAYS))

    @router.head("/entries", include_in_schema=False)
    @router.get(
        "/entries",
        summary="List the entries",
        responses={200: {"model": EntryList}, **KNOWN, **responses(422)},
    )
    async def list_entries(request: Request, query: Annotated[EntryQuery, Query()]) -> Response:
        """The entries by id, with what a list shows of them: all, or those that fit every filter."""
        book = service.book
        if not request.query_params:
            return send(request, book.listing)
        return send(request, list_page(book, query))

    async def one_entry(request: Request, entry_id: EntryId) -> Response:
        """An entry with all its fields, and the checks it names. A former id leads to today's."""
        book = service.book
        if entry_id in book.withdrawn:
            raise Refused(410, book.withdrawn[entry_id])
        if entry_id in book.entries:
            return send(request, book.entries[entry_id])
        if entry_id in book.former:
            here = request.url.path.rpartition("/")[0]
            return Response(status_code=301, headers={"Location": f"{here}/{book.former[entry_id]}"})
        near = get_close_matches(entry_id[:100], book.entries, n=1)
        hint = f"Is it {near[0]}?" if near else "All ids are listed in /api/entries."
        raise Refused(404, f"No entry has the id {entry_id[:100]!r}. {hint}")

    for path, summary in (
        ("/entries/{id}", "Get an entry"),
        ("/errors/{id}", "Get an entry, by the path of its page"),
    ):
        answers = {200: {"model": EntryDocument}, **FORMER, **KNOWN, **responses(404, 410, 422)}
        router.get(path, summary=summary, responses=answers)(one_entry)
        router.head(path, include_in_schema=False)(one_entry)

    return router


def list_page(book: Book, query: EntryQuery) -> Page:
    """One page of the entries that fit."""
    wanted = Wanted(**query.model_dump(exclude={"limit", "after"}))
    wanted.check()
    fitting = [row.summary for row in book.listed if wanted.fits(row)]
    rest = [each for each in fitting if query.after is None or each.id > query.after]
    shown = rest[: query.limit]
    following = shown[-1].id if len(rest) > len(shown) else None
    listing = EntryList(entries=shown, total=len(fitting), next=following, digest=book.index.digest)
    return page(listing.model_dump_json().encode())

"""Every refusal as problem details (RFC 9457): what is wrong, in a sentence that says what to do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

MEDIA_TYPE = "application/problem+json"


class FieldProblem(BaseModel):
    """One field of the request that cannot be used."""

    field: str = Field(description="the way to it, such as `given.versions`", examples=["given.versions"])
    problem: str = Field(examples=["Input should be a valid string"])


class ProblemDetails(BaseModel):
    """The body of every answer that is an error."""

    type: str = Field(default="about:blank", description="always `about:blank`: the status says what it is")
    title: str = Field(examples=["Content Too Large"])
    status: int = Field(examples=[413])
    detail: str = Field(
        description="what is wrong and what to do",
        examples=["The paste is larger than 5,242,880 bytes. Send the part around the first error."],
    )
    errors: list[FieldProblem] = Field(default=[], description="for 422: each field that is wrong")


class Refused(Exception):
    """A request that cannot be answered, with the sentence that helps."""

    def __init__(
        self,
        status: int,
        detail: str,
        errors: tuple[FieldProblem, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.errors, self.headers = status, detail, errors, dict(headers or {})


MOST_FIELDS = 20  # wrong fields told of one request
TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}  # the names that Python 3.11 has are older


def problem_body(status: int, detail: str, errors: tuple[FieldProblem, ...] = ()) -> bytes:
    """Problem details as JSON. ASCII, so that any text can stand in it."""
    title = TITLES.get(status) or HTTPStatus(status).phrase
    return json.dumps(
        ProblemDetails(title=title, status=status, detail=detail, errors=list(errors)).model_dump()
    ).encode()


def problem(refused: Refused) -> Response:
    """The answer to a request that was refused."""
    body = problem_body(refused.status, refused.detail, refused.errors)
    return Response(body, refused.status, refused.headers, MEDIA_TYPE)


ALWAYS = (429, 503)  # of every path under /api: asked too often, too much at a time


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route, for its description."""
    return {
        status: {
            "description": TITLES.get(status) or HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
        }
        for status in statuses
    }


def invalid(errors: Any) -> Refused:
    """422 from the errors that pydantic or FastAPI found. What was sent is not repeated."""
    found = tuple(
        FieldProblem(field=".".join(str(part)[:80] for part in error["loc"]) or "body", problem=error["msg"])
        for error in errors[:MOST_FIELDS]
    )
    first = found[0]
    more = f" ({len(errors) - 1} more below)" if len(errors) > 1 else ""
    return Refused(422, f"`{first.field}`: {first.problem}{more}.", found)


def install(app: FastAPI) -> None:
    """Make problem details of everything that a route or the framework refuses."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return problem(error)

    @app.exception_handler(RequestValidationError)
    async def invalid_request(_: Request, error: RequestValidationError) -> Response:
        located = [{**each, "loc": each["loc"][1:]} for each in error.errors()]  # without "query", "path"
        return problem(invalid(located))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        detail = error.detail
        if error.status_code == 404:
            detail = "Nothing is here. The API's paths are listed in /api/openapi.json."
        elif error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "GET")
            allowed = "GET, HEAD" if allowed == "GET" else allowed  # HEAD is a route of its own
            detail = f"{request.method} is not possible here; this path answers {allowed}."
            return problem(Refused(405, detail, headers={"Allow": allowed}))
        return problem(Refused(error.status_code, detail, headers=error.headers))

"""Requests made from the API's own description, those that it forbids among them.

Every answer is one that the description has, in the form that it gives, and never a bug.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from tests.api.server_process import Running, serve

NDJSON = "application/x-ndjson"
# What a schema cannot say is refused all the same: a version without its package, a blank paste.
UNSAID = [positive_data_acceptance]
PATHS = [
    "/api/match",
    "/api/match/batch",
    "/api/entries",
    "/api/entries/{id}",
    "/api/errors/{id}",
    "/api/checks/{id}",
    "/api/signatures",
    "/api/index",
    "/api/schema",
    "/api/search",
    "/healthz",
    "/readyz",
    "/metrics",
]
# Of the others a description forbids nothing: they take no parameter, or any text as an id.
FORBIDDING = ["/api/match", "/api/match/batch", "/api/entries", "/api/signatures", "/api/search"]
ASKED = [
    *((path, GenerationMode.POSITIVE) for path in PATHS),
    *((path, GenerationMode.NEGATIVE) for path in FORBIDDING),
]


@schemathesis.serializer(NDJSON)
def as_lines(_: object, value: object) -> bytes:
    """A batch is described as text; whatever is made of it is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@pytest.fixture(scope="module")
def asked(site_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serve(site_build, tmp_path_factory.mktemp("log") / "server.log") as server:
        yield server


@pytest.fixture(scope="module")
def schema(asked: Running) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{asked.url}/api/openapi.json")


def test_no_path_of_the_description_is_left_out(schema: schemathesis.BaseSchema) -> None:
    assert set(schema) == set(PATHS)


@pytest.mark.parametrize(("path", "mode"), ASKED)
def test_every_answer_is_one_that_the_description_has(
    schema: schemathesis.BaseSchema, path: str, mode: GenerationMode
) -> None:
    # A line of a batch that is none is told of in its place; the batch itself goes on.
    unsaid = [*UNSAID, negative_data_rejection] if path == "/api/match/batch" else [*UNSAID]
    for operation in schema[path].values():

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
        def every_answer(case: Case) -> None:
            case.call_and_validate(excluded_checks=[*unsaid], timeout=60)

        every_answer()


def test_the_longest_line_fits_into_an_address_whatever_it_is_made_of(asked: Running) -> None:
    longest = quote("\U0001f525" * 5000)
    assert httpx.get(f"{asked.url}/api/signatures?text={longest}").status_code == 200


def test_none_of_it_met_a_bug(asked: Running) -> None:
    assert "bug:" not in asked.logged()
    assert " 500 " not in asked.logged()

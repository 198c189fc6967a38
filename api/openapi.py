"""The API's description with the models that FastAPI does not see, because routes read and write bytes."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from api.models import MatchRequest
from api.problems import ProblemDetails
from api.wire_model import DiagnosisModel

REF = "#/components/schemas/{model}"


def describe(app: FastAPI) -> None:
    """Give an app the complete description, made when it is first asked for."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, summary=app.summary, description=app.description,
                license_info=app.license_info, routes=app.routes, tags=app.openapi_tags,
            )  # fmt: skip
            _, more = models_json_schema(
                [
                    (MatchRequest, "validation"),
                    (DiagnosisModel, "serialization"),
                    (ProblemDetails, "serialization"),
                ],
                ref_template=REF,
            )
            known = schema.setdefault("components", {}).setdefault("schemas", {})
            for name, model in more["$defs"].items():
                known.setdefault(name, model)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]

"""The app: routes, pages and what stands around them."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from api import problems
from api.assistants.endpoint import mcp_route
from api.gate import Gate
from api.lifecycle import running
from api.log import RequestLog
from api.openapi import describe
from api.routes.batch import batch_routes
from api.routes.bots import bot_routes
from api.routes.docs import docs_routes
from api.routes.entries import entry_routes
from api.routes.health import health_routes
from api.routes.lookup import lookup_routes
from api.routes.match import match_routes
from api.routes.search import search_routes
from api.security import SecurityHeaders
from api.service import Service
from api.settings import Settings
from api.site import rest_of_paths

# FastAPI would report requests, and with them pastes, to whatever telemetry the environment names.
NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_app(settings: Settings) -> FastAPI:
    """The app over a build folder. Raises BrokenBuild when the folder cannot be served.

    `app.state.service.reload()` serves what was built anew.
    """
    service = Service(settings)
    app = FastAPI(
        title="Faultbook",
        summary="A traceback or log in, the failure, its rivals and the fix out.",
        version=version("faultbook"),
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        openapi_url="/api/openapi.json",
        docs_url=None,  # both would load their scripts from another origin; ours is api.routes.docs
        redoc_url=None,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
        middleware=around(service),
        lifespan=lambda _: running(service),
    )
    app.state.service = service
    problems.install(app)
    describe(app)
    for routes in (match_routes, batch_routes, entry_routes, lookup_routes, search_routes, health_routes):
        app.include_router(routes(service))
    app.include_router(docs_routes(service))
    app.include_router(bot_routes(service))
    app.router.routes.append(mcp_route(service))
    app.router.default = rest_of_paths(service)
    return app


def around(service: Service) -> list[Middleware]:
    """What stands around the routes, the outermost first."""
    settings = service.settings
    layers = [
        Middleware(SecurityHeaders, service=service),
        Middleware(RequestLog, metrics=service.metrics, log_format=settings.log_format),
        Middleware(Gate, settings=settings),
    ]
    if settings.cors_origins:
        readable = ["ETag", "Location", "Retry-After", "X-Request-ID"]
        cors = Middleware(
            CORSMiddleware, allow_origins=settings.cors_origins, allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["Content-Type", "Content-Encoding", "X-Request-ID"], expose_headers=readable,
        )  # fmt: skip
        layers.insert(2, cors)  # a refusal is readable, too
    return layers

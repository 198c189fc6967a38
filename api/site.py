"""The built pages, at every path that no route answers. Paths of the API never fall through to a page."""

from __future__ import annotations

import re
from pathlib import PurePath
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from api.problems import Refused
from api.service import Service

# Names that change with their content: main.57a0d79d.min.css, matcher-91039c3ede21.zip, pyodide-314.0.7/.
# All else is asked for anew each time, and answered 304 where it has not changed.
FINGERPRINT = re.compile(r"[.-][0-9a-f]{8,}\.|/pyodide-\d[\d.]*/")
FOR_EVER = "public, max-age=31536000, immutable"


class Pages(StaticFiles):
    """The site's files. A folder's address gets its slash by a relative redirect: no host is guessed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if isinstance(response, RedirectResponse):
            return Response(status_code=308, headers={"Location": f"{quote(PurePath(path).name)}/"})
        kept = response.status_code in {200, 206, 304} and FINGERPRINT.search(path)
        response.headers["Cache-Control"] = FOR_EVER if kept else "no-cache"
        return response


def rest_of_paths(service: Service) -> ASGIApp:
    """The app for every path that no route has: a page of the site, or the site's own 404 page."""
    pages = Pages(directory=service.settings.build_dir / "site", html=True, check_dir=False)

    async def rest(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if is_api(path):
            raise Refused(404, f"The API has no path {path[:100]!r}; /api/openapi.json lists what it has.")
        if not service.book.has_pages:
            raise Refused(404, "No pages were built; run `kb build`. The API is under /api.")
        await pages(scope, receive, send)

    return rest


def is_api(path: str) -> bool:
    """Whether a path is the API's, also where no route has it."""
    return path in {"/api", "/healthz"} or path.startswith("/api/")

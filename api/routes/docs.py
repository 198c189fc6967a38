"""GET /api/docs: the description as a page on which requests can be tried; all of it from this server."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.policy import DOCS_PATH
from api.problems import Refused
from api.service import Service

SCRIPT = "assets/swagger-ui/swagger-ui-bundle.js"  # `kb build` puts it there
PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API - Faultbook</title>
<link rel="icon" href="../assets/favicon.svg">
<link rel="stylesheet" href="../assets/swagger-ui/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The description is <a href="openapi.json">openapi.json</a>.</noscript>
<script src="../{SCRIPT}"></script>
<script src="../assets/js/api-docs.js"></script>
</body>
</html>
"""


def docs_routes(service: Service) -> APIRouter:
    router = APIRouter()

    @router.head(DOCS_PATH, include_in_schema=False)
    @router.get(DOCS_PATH, include_in_schema=False)
    def docs() -> Response:
        """The page, where the site was built with Swagger UI in it."""
        if not (service.settings.build_dir / "site" / SCRIPT).is_file():
            raise Refused(
                404,
                "The site was built without the page for trying requests: `npm ci`, then `kb build`. The "
                "description itself is /api/openapi.json.",
            )
        return Response(PAGE, media_type="text/html", headers={"Cache-Control": "no-cache"})

    return router

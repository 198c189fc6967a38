"""GET /api/docs: the description as a page on which requests can be tried; all of it from this server."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.policy import DOCS_PATH
from api.problems import Refused
from api.service import Service

SCRIPT = "assets/js/api/page.js"  # `kb build` puts it there
PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API - Faultbook</title>
<link rel="icon" href="../assets/favicon.svg">
<link rel="stylesheet" href="../assets/css/fonts.css">
<link rel="stylesheet" href="../assets/css/palette.css">
<link rel="stylesheet" href="../assets/css/api.css">
<script src="../assets/js/api/scheme.js"></script>
<script type="module" src="../{SCRIPT}"></script>
</head>
<body>
<header>
<a href="../"><img src="../assets/logo.svg" alt="" width="28" height="28">Faultbook</a>
<a href="../http-api/">How to use the API</a>
<a href="openapi.json">openapi.json</a>
</header>
<main id="api">
<noscript>This page needs JavaScript. The description is <a href="openapi.json">openapi.json</a>.</noscript>
</main>
</body>
</html>
"""


def docs_routes(service: Service) -> APIRouter:
    router = APIRouter()

    @router.head(DOCS_PATH, include_in_schema=False)
    @router.get(DOCS_PATH, include_in_schema=False)
    def docs() -> Response:
        """The page, where the site was built."""
        if not (service.settings.build_dir / "site" / SCRIPT).is_file():
            raise Refused(
                404,
                "The page for trying requests comes with the site, which was not built: run `kb build`. The "
                "description itself is /api/openapi.json.",
            )
        return Response(PAGE, media_type="text/html", headers={"Cache-Control": "no-cache"})

    return router

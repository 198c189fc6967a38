"""Swagger UI for the API's interactive page, from its npm package. The page itself is the API's own."""

from __future__ import annotations

import shutil
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "node_modules" / "swagger-ui-dist"
FILES = ("swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE")


def add_swagger(site: Path, package: Path = PACKAGE) -> bool:
    """Copy what a browser needs of it into `assets/swagger-ui`; False where the package is not there."""
    if not all((package / name).is_file() for name in FILES):
        return False
    folder = site / "assets" / "swagger-ui"
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(package / name, folder / name)
    return True

"""The page of the API is there where the site was built, and says so where not."""

import re
import shutil
from pathlib import Path

import httpx

from api.routes.docs import SCRIPT
from tests.api.server_process import Running, serve


def test_without_its_script_the_page_says_what_to_do(running: Running) -> None:
    answer = httpx.get(f"{running.url}/api/docs")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert "kb build" in answer.json()["detail"]


def test_the_page_loads_files_of_the_site_alone(site_build: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    shutil.copytree(site_build, build)
    shutil.copytree("docs/assets", build / "site" / "assets", dirs_exist_ok=True)
    with serve(build, tmp_path / "log") as running, httpx.Client(base_url=running.url) as client:
        page = client.get("/api/docs")
        assert page.status_code == client.head("/api/docs").status_code == 200
        assert "unsafe-inline" not in page.headers["content-security-policy"]
        loaded = re.findall(r'(?:src|href)="(\.\./assets/[^"]+)"', page.text)
        assert f"../{SCRIPT}" in loaded
        for path in loaded:
            assert client.get(f"/api/{path}").status_code == 200, path
        assert "<script>" not in page.text

"""What the action asks of GitHub: the logs of failed jobs, and one comment. Standard library only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

FAILED = ("failure", "timed_out")
MOST_PAGES = 20
LONGEST_LOG = 64_000_000  # bytes
ACTIONS = "github-actions[bot]"


class Unreached(Exception):
    """GitHub did not do what was asked; the text says what."""


class _Stay(HTTPRedirectHandler):
    """Logs lie elsewhere: the token must not follow there."""

    def redirect_request(self, *_: Any) -> None:
        return None


OPENER = build_opener(_Stay)


@dataclass(frozen=True)
class Job:
    id: int
    name: str


class GitHub:
    """One repository, as a token sees it."""

    def __init__(self, api: str, repository: str, token: str) -> None:
        self._api, self._token = api.rstrip("/"), token
        self._repository = f"{self._api}/repos/{quote(repository)}"

    def failed_jobs(self, run: str, attempt: str) -> list[Job]:
        """The jobs of a run that have failed, in order."""
        path = f"{self._repository}/actions/runs/{int(run)}/attempts/{int(attempt)}/jobs"
        rows = [row for page in self._pages(path) for row in page.get("jobs", [])]
        return [Job(int(row["id"]), str(row["name"])) for row in rows if row.get("conclusion") in FAILED]

    def log(self, job: Job) -> bytes:
        """The log of a job that is over."""
        status, headers, body = self._open("GET", f"{self._repository}/actions/jobs/{job.id}/logs")
        if status in (301, 302, 303, 307, 308):
            _, _, body = self._open("GET", headers.get("location", ""), token=False)
        return body

    def pull_request(self, event: dict[str, Any], sha: str) -> int | None:
        """The number of the pull request that the run is for."""
        run = event.get("workflow_run") or {}
        named = [event.get("pull_request"), *(run.get("pull_requests") or [])]
        for each in named:
            if isinstance(each, dict) and "number" in each:
                return int(each["number"])
        commit = str(run.get("head_sha") or sha)
        found = self._json("GET", f"{self._repository}/commits/{quote(commit)}/pulls")
        return next((int(each["number"]) for each in found if each.get("state") == "open"), None)

    def comment(self, number: int, marker: str, text: str) -> None:
        """Write the comment, or update the one of before: the first of ours that begins with the marker."""
        path = f"{self._repository}/issues/{number}/comments"
        us = self._login()
        for page in self._pages(path):
            for each in page:
                ours = (each.get("user") or {}).get("login") == us
                if ours and str(each.get("body", "")).startswith(marker):
                    self._json(
                        "PATCH", f"{self._repository}/issues/comments/{int(each['id'])}", {"body": text}
                    )
                    return
        self._json("POST", path, {"body": text})

    def _login(self) -> str:
        """Who we are: a person's token says so, a workflow's may not ask."""
        try:
            return str(self._json("GET", f"{self._api}/user")["login"])
        except Unreached:
            return ACTIONS

    def _pages(self, path: str) -> Any:
        for number in range(1, MOST_PAGES + 1):
            page = self._json("GET", f"{path}?per_page=100&page={number}")
            yield page
            if len(page if isinstance(page, list) else page.get("jobs", [])) < 100:
                return

    def _json(self, method: str, url: str, value: Any = None) -> Any:
        _, _, body = self._open(method, url, None if value is None else json.dumps(value).encode())
        try:
            return json.loads(body)
        except ValueError:
            raise Unreached(f"{url} answered no JSON") from None

    def _open(
        self, method: str, url: str, body: bytes | None = None, *, token: bool = True
    ) -> tuple[int, dict[str, str], bytes]:
        headers = {"Accept": "application/vnd.github+json", "User-Agent": "Faultbook"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            request = Request(url, body, headers, method=method)  # noqa: S310 - the API's, or where it leads
            with OPENER.open(request, timeout=60) as response:
                return response.status, lowered(response.headers), response.read(LONGEST_LOG)
        except HTTPError as error:
            with error:
                if 300 <= error.code < 400:
                    return error.code, lowered(error.headers), b""
            raise Unreached(f"{method} {url.partition('?')[0]} answered {error.code}") from None
        except (URLError, OSError, ValueError) as error:
            raise Unreached(f"{method} {url.partition('?')[0]}: {error}") from None


def lowered(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}

"""The audit of the pinned packages: what is known is told, and what cannot be known is never called clean."""

import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from bench import audit

NOWHERE = "http://127.0.0.1:9/"


@contextmanager
def service(known: dict[str, list[str]]) -> Iterator[tuple[str, list[int]]]:
    """A service that answers as OSV does; its address, and how many packages each request asked for."""
    asked: list[int] = []

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            assert all(
                each["version"] and each["package"]["ecosystem"] in {"PyPI", "npm"} for each in queries
            )
            asked.append(len(queries))
            results = [
                {"vulns": [{"id": each} for each in known[query["package"]["name"]]]}
                if query["package"]["name"] in known
                else {}
                for query in queries
            ]
            body = json.dumps({"results": results}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def without_export(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAULTBOOK_ADVISORIES", raising=False)


def run(url: str, kept: Path) -> int:
    return audit.main(["--quiet", "--service", url, "--kept", str(kept)])


def test_all_pinned_packages_are_asked_for_at_once_and_again_the_next_day_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.json"
    with service({}) as (url, asked):
        assert [run(url, kept), run(url, kept)] == [0, 0]
        assert len(asked) == 1
        assert asked[0] > 100
        kept.write_text(json.dumps(json.loads(kept.read_text()) | {"at": 0}))
        assert run(url, kept) == 0
        assert len(asked) == 2
    assert capsys.readouterr() == ("", "")


def test_a_known_vulnerability_fails_also_when_nobody_answers_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.json"
    with service({"starlette": ["GHSA-xxxx", "PYSEC-1"]}) as (url, _):
        assert run(url, kept) == 1
    told = capsys.readouterr().err
    assert "audit: starlette " in told
    assert "GHSA-xxxx, PYSEC-1" in told
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"at": 0}))
    assert run(NOWHERE, kept) == 1
    assert "OSV on 1970-01-01" in capsys.readouterr().err


def test_what_could_not_be_asked_is_said_and_not_called_clean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(NOWHERE, tmp_path / "kept.json") == 0
    assert "were not audited" in capsys.readouterr().err
    assert not (tmp_path / "kept.json").exists()


def export(folder: Path, *advisories: dict[str, Any]) -> Path:
    for ecosystem in ("PyPI", "npm"):
        (folder / ecosystem).mkdir()
        with zipfile.ZipFile(folder / ecosystem / "all.zip", "w") as packed:
            for each in advisories:
                packed.writestr(f"{each['id']}.json", json.dumps(each))
    return folder


def about(name: str, *events: dict[str, str], **more: Any) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": [*events]}]
    return {"id": f"ADV-{name}", "affected": [{"package": {"name": name}, "ranges": ranges}], **more}


def test_an_export_is_enough_without_any_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = export(
        tmp_path,
        about("Typing_Extensions", {"introduced": "0"}, {"fixed": "999"}),
        about("fastapi", {"introduced": "0"}, {"fixed": "0.100"}),
        about("anyio", {"introduced": "0"}, withdrawn="2026-01-01T00:00:00Z"),
    )
    monkeypatch.setenv("FAULTBOOK_ADVISORIES", str(folder))
    assert run(NOWHERE, tmp_path / "kept.json") == 1
    told = capsys.readouterr().err
    assert "typing-extensions" in told
    assert "fastapi" not in told
    assert "anyio" not in told
    monkeypatch.setenv("FAULTBOOK_ADVISORIES", str(tmp_path / "nowhere"))
    assert run(NOWHERE, tmp_path / "kept.json") == 0
    assert "were not audited" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "events", "inside"),
    [
        ("1.5", [{"introduced": "0"}], True),
        ("1.5", [{"introduced": "2"}], False),
        ("1.5", [{"introduced": "0"}, {"fixed": "1.5"}], False),
        ("1.5rc1", [{"introduced": "0"}, {"fixed": "1.5"}], True),
        ("1.5", [{"introduced": "0"}, {"last_affected": "1.5"}], True),
        ("1.6", [{"introduced": "0"}, {"last_affected": "1.5"}], False),
        ("2.1", [{"introduced": "2"}, {"fixed": "1.5"}, {"introduced": "0"}, {"fixed": "2.2"}], True),
        ("1.7", [{"introduced": "2"}, {"fixed": "1.5"}, {"introduced": "0"}, {"fixed": "2.2"}], False),
        ("not-a-version", [{"introduced": "0"}], True),
    ],
)
def test_a_release_is_affected_between_introduced_and_fixed(
    version: str, events: list[dict[str, str]], inside: bool
) -> None:
    assert audit.hit(version, {"ranges": [{"type": "ECOSYSTEM", "events": events}]}) is inside

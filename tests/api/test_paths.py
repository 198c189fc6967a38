"""Every path: pages beside the API, methods, headers, the log."""

import base64
import hashlib
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.server_process import Running, serve

ID = "vllm-lora-rank-exceeds-max"


@pytest.mark.parametrize(
    ("path", "title"),
    [("/", "Home"), ("/index.html", "Home"), ("/errors/some-error/", "Some error"), ("/?q=a", "Home")],
)
def test_pages_are_served_beside_the_api(client: httpx.Client, path: str, title: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert f"<title>{title}</title>" in answer.text
    assert client.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_scripts_have_their_type(client: httpx.Client) -> None:
    assert client.get("/app.js").headers["content-type"].startswith("text/javascript")


def test_files_whose_name_changes_with_their_content_are_kept_others_are_asked_for(
    client: httpx.Client,
) -> None:
    assert "immutable" in client.get("/app.57a0d79d.min.js").headers["cache-control"]
    assert "immutable" not in client.get("/nowhere.57a0d79d.min.js").headers["cache-control"]
    for path in ("/", "/app.js", "/errors/some-error/"):
        assert client.get(path).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("path", "takes", "coding", "content"),
    [
        ("/packed.js", "gzip, deflate, br", "br", b"by brotli"),
        ("/packed.js", "gzip, deflate", "gzip", b"by gzip"),
        ("/packed.js", "br;q=0, gzip;q=0.5", "gzip", b"by gzip"),
        ("/packed.js", "BR ; q=0.0 , identity", None, b"plain"),
        ("/packed.js", "", None, b"plain"),
        ("/zipped.css", "br, gzip", "gzip", b"by gzip"),
        ("/zipped.css", "br", None, b"plain"),
        ("/app.js", "br, gzip", None, b"export const answer = 42\n"),
    ],
)
def test_a_file_goes_out_compressed_as_the_client_takes_it(
    client: httpx.Client, path: str, takes: str, coding: str | None, content: bytes
) -> None:
    answer = client.get(path, headers={"Accept-Encoding": takes})
    assert (answer.status_code, answer.headers.get("content-encoding"), answer.content) == (
        200,
        coding,
        content,
    )
    assert answer.headers["content-type"] == client.head(path).headers["content-type"]
    assert answer.headers.get("vary") == (None if path == "/app.js" else "Accept-Encoding")


def test_each_coding_of_a_file_has_a_tag_of_its_own(client: httpx.Client) -> None:
    answers = [client.get("/packed.js", headers={"Accept-Encoding": takes}) for takes in ("br", "gzip", "")]
    tags = [answer.headers["etag"] for answer in answers]
    assert len(set(tags)) == 3
    for takes, tag in zip(("br", "gzip", ""), tags, strict=True):
        asked = {"Accept-Encoding": takes, "If-None-Match": tag}
        again = client.get("/packed.js", headers=asked)
        assert (again.status_code, again.content, again.headers["vary"]) == (304, b"", "Accept-Encoding")
        assert "content-encoding" not in again.headers
        assert client.get("/packed.js", headers=asked | {"If-None-Match": '"another"'}).status_code == 200


def test_a_folder_without_slash_is_redirected_within_the_site_whatever_host_is_claimed(
    client: httpx.Client,
) -> None:
    answer = client.get("/errors/some-error", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer.headers["location"]) == (308, "some-error/")


@pytest.mark.parametrize("path", ["/nowhere", "/nowhere/", "/errors/nowhere/", "/apiary", "/healthz2"])
def test_a_page_that_is_not_there_is_the_sites_own_404(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<title>No such page</title>" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/",
        "/api/nowhere",
        "/api/entries/a/b",
        "/api//entries",
        "/api/index.html",
        "/api/entries/",
    ],
)
def test_a_path_of_the_api_is_never_a_page(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert "/api/openapi.json" in answer.json()["detail"] or "/api/entries" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/errors/../../secret.txt",
        "/errors/%2e%2e/%2e%2e/secret.txt",
        "//secret.txt",
        "/%2fsecret.txt",
        "/..%5csecret.txt",
        "/%00",
        "/" + "x" * 5000,
    ],
)
def test_nothing_outside_the_site_is_served(running: Running, path: str) -> None:
    answer = raw_get(running, path)
    assert "not for the public" not in answer
    assert answer.startswith("HTTP/1.1 404")


def test_without_pages_the_api_still_answers_and_the_root_says_what_to_do(
    build_dir: Path, tmp_path: Path
) -> None:
    with serve(build_dir, tmp_path / "log") as running:
        assert httpx.get(f"{running.url}/api/entries").status_code == 200
        answer = httpx.get(running.url)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert "run `kb build`" in answer.json()["detail"]


def raw_get(running: Running, path: str) -> str:
    """GET a path exactly as written; a client library would tidy it."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts).decode()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/healthz",
        "/readyz",
        "/api/entries",
        f"/api/entries/{ID}",
        f"/api/errors/{ID}",
        "/api/search?q=lora",
        "/api/signatures?text=lora",
        "/api/checks/which-xid-came-first",
        "/api/index",
        "/api/schema",
        "/api/openapi.json",
    ],
)
def test_head_gives_the_headers_of_get(client: httpx.Client, path: str) -> None:
    get, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    own = {"date", "x-request-id"}
    assert {key: value for key, value in head.headers.items() if key not in own} == {
        key: value for key, value in get.headers.items() if key not in own
    }


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/match", {"POST"}),
        ("DELETE", f"/api/entries/{ID}", {"GET", "HEAD"}),
        ("POST", "/api/search", {"GET", "HEAD"}),
        ("PUT", "/healthz", {"GET", "HEAD"}),
        ("POST", "/", {"GET", "HEAD"}),
    ],
)
def test_another_method_is_405_and_the_right_ones_are_named(
    client: httpx.Client, method: str, path: str, allowed: set[str]
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert set(answer.headers["allow"].split(", ")) == allowed
    assert answer.json()["detail"].startswith(f"{method} is not possible here")


ANYWHERE = ["/", "/nowhere", "/api/entries", "/api/nowhere", "/healthz", "/app.js"]


@pytest.mark.parametrize("path", ANYWHERE)
def test_every_answer_has_the_headers_that_keep_it_from_harm(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def policy(answer: httpx.Response) -> dict[str, list[str]]:
    parts = (part.split() for part in answer.headers["content-security-policy"].split(";"))
    return {name: values for name, *values in parts}


def test_pages_run_only_scripts_that_were_built(client: httpx.Client) -> None:
    page = client.get("/")
    allowed = policy(page)["script-src"]
    (script,) = re.findall("<script>(.*?)</script>", page.text)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert set(allowed) == {"'self'", "'wasm-unsafe-eval'", f"'sha256-{digest}'"}


def test_answers_of_the_api_are_no_pages(client: httpx.Client) -> None:
    assert policy(client.get("/api/entries"))["default-src"] == ["'none'"]


def test_no_foreign_origin_may_read_answers(client: httpx.Client) -> None:
    answer = client.get("/api/entries", headers={"Origin": "https://elsewhere.example"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_log_has_a_line_for_each_request_and_nothing_of_pastes_and_queries(
    client: httpx.Client, running: Running
) -> None:
    secret = "hunter2-of-the-paste"
    client.post("/api/match", content=f"ValueError: {secret}", headers={"Content-Type": "text/plain"})
    client.post("/api/match", json={"text": 5, "given": {"versions": secret}})
    client.post("/api/match", content=f'{{"text": "{secret}', headers={"Content-Type": "application/json"})
    client.get("/api/search", params={"q": secret})
    client.get("/line%0abreak")
    running.wait_for_log(r"INFO POST /api/match 200 in=32 out=\d+ ms=\d+\.\d")
    running.wait_for_log(r"INFO POST /api/match 422 in=\d+ ")
    running.wait_for_log(r"INFO POST /api/match 400 ")
    running.wait_for_log(r"INFO GET /api/search 200 in=0 ")
    running.wait_for_log(r"GET /line%0abreak 404")
    assert secret not in running.logged()


def test_there_are_no_docs_that_load_scripts_from_elsewhere(client: httpx.Client) -> None:
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404


def description(client: httpx.Client) -> dict[str, Any]:
    described: dict[str, Any] = client.get("/api/openapi.json").json()
    return described


def test_the_description_has_every_route_once(client: httpx.Client) -> None:
    routes = {(path, method) for path, methods in description(client)["paths"].items() for method in methods}
    assert routes == {
        ("/api/checks/{id}", "get"),
        ("/api/signatures", "get"),
        ("/api/index", "get"),
        ("/api/schema", "get"),
        ("/api/match/batch", "post"),
        ("/api/match", "post"),
        ("/api/entries", "get"),
        ("/api/entries/{id}", "get"),
        ("/api/errors/{id}", "get"),
        ("/api/search", "get"),
        ("/healthz", "get"),
        ("/readyz", "get"),
        ("/metrics", "get"),
    }


def test_every_reference_of_the_description_leads_somewhere(client: httpx.Client) -> None:
    described = description(client)

    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
            return own.union(*(references(part) for part in value.values()))
        return set().union(*(references(part) for part in value)) if isinstance(value, list) else set()

    named = references(described)
    assert "#/components/schemas/DiagnosisModel" in named
    assert named == {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}


def test_the_description_of_matching_is_complete(client: httpx.Client) -> None:
    match = description(client)["paths"]["/api/match"]["post"]
    assert set(match["requestBody"]["content"]) == {"text/plain", "application/json", "multipart/form-data"}
    assert set(match["responses"]) == {"200", "400", "406", "408", "413", "415", "422", "429", "503"}
    for body in match["requestBody"]["content"].values():
        assert body["example"]
    assert match["responses"]["200"]["content"]["application/json"]["example"]["verdict"] == "match"


def test_the_examples_of_the_description_work(client: httpx.Client) -> None:
    content = description(client)["paths"]["/api/match"]["post"]["requestBody"]["content"]
    plain = client.post(
        "/api/match", content=content["text/plain"]["example"], headers={"Content-Type": "text/plain"}
    )
    both = [plain, client.post("/api/match", json=content["application/json"]["example"])]
    assert [answer.json()["best"]["entry"] for answer in both] == [ID, ID]

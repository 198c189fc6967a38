"""What Prometheus reads, and what programs that collect logs read: counts and times, nothing of a paste."""

import json
import re
from collections.abc import Callable

import httpx

from tests.api.server_process import Running

SECRET = "hunter2-of-the-paste"
RANK = f"ValueError: LoRA rank 64 is greater than max_lora_rank 16. {SECRET}"
PLAIN = {"Content-Type": "text/plain"}


def values(url: str) -> dict[str, float]:
    """The samples by their name and labels."""
    answer = httpx.get(f"{url}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert SECRET not in answer.text
    lines = (line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def test_requests_matches_times_and_sizes_are_counted(start: Callable[..., Running]) -> None:
    running = start(inline_body=500)
    with httpx.Client(base_url=running.url, timeout=60) as client:
        for body in (RANK, RANK + "\nINFO all is well" * 100):  # in the loop, and in a thread
            client.post("/api/match", content=body, headers=PLAIN)
        lines = "".join(json.dumps({"id": n, "text": RANK}) + "\n" for n in range(3))
        client.post("/api/match/batch", content=lines, headers={"Content-Type": "application/x-ndjson"})
        client.post("/api/match", json={"text": f"INFO {SECRET} all is well"})
        client.post("/api/match", content=b"", headers=PLAIN)
        client.get(f"/api/entries/{SECRET}")
        client.get("/api/search", params={"q": SECRET})
        client.get("/")
        client.request("PROPFIND", "/api/match")
    found = values(running.url)
    assert found['faultbook_matches_total{entry="vllm-lora-rank-exceeds-max",verdict="match"}'] == 5
    assert found['faultbook_matches_total{entry="",verdict="no_match"}'] == 1
    assert found["faultbook_match_seconds_count"] == 6

    def requests(route: str, method: str, status: int) -> float:
        return found[f'faultbook_requests_total{{method="{method}",route="{route}",status="{status}"}}']

    assert requests("/api/match", "POST", 200) == 3
    assert requests("/api/match", "POST", 400) == 1
    assert requests("/api/match", "other", 405) == 1
    assert requests("/api/entries/{id}", "GET", 404) == 1
    assert requests("page", "GET", 200) == 1
    assert found['faultbook_request_seconds_count{route="/api/match"}'] == 5
    assert found['faultbook_request_bytes_sum{route="/api/match/batch"}'] == len(lines)
    assert found['faultbook_response_bytes_total{route="/api/match"}'] > 1000
    assert found["faultbook_entries"] > 100
    assert found['faultbook_reloads_total{outcome="read"}'] == 1


def test_metrics_can_be_turned_off(start: Callable[..., Running]) -> None:
    assert httpx.get(f"{start(metrics='false').url}/metrics").status_code == 404


def test_a_request_keeps_the_id_it_came_with_where_that_is_a_plain_one(client: httpx.Client) -> None:
    def given(name: str) -> str:
        return client.get("/healthz", headers={"X-Request-ID": name}).headers["x-request-id"]

    assert given("run-17.a:4") == "run-17.a:4"
    made = [given(odd) for odd in ("", "a b", "x" * 65, "a\tb", "<b>")]
    assert all(re.fullmatch(r"[0-9a-f]{10}-[0-9a-f]+", name) for name in made)
    assert len(set(made)) == len(made)
    refused = client.post("/api/match", content=b"", headers={**PLAIN, "X-Request-ID": "bad-one"})
    assert (refused.status_code, refused.headers["x-request-id"]) == (400, "bad-one")


def test_the_log_can_be_an_object_for_each_line(start: Callable[..., Running]) -> None:
    running = start(log_format="json")
    httpx.post(
        f"{running.url}/api/match?x={SECRET}", content=RANK, headers={**PLAIN, "X-Request-ID": "run-17"}
    )
    running.wait_for_log('"id": "run-17"')
    lines = [json.loads(line) for line in running.logged().splitlines()]
    (line,) = (each for each in lines if each.get("id") == "run-17")
    assert line.pop("ms") > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line.pop("out") > 500
    assert line == {
        "level": "INFO",
        "logger": "faultbook.requests",
        "method": "POST",
        "path": "/api/match",
        "status": 200,
        "in": len(RANK),
        "id": "run-17",
    }
    assert SECRET not in running.logged()

"""Assistants ask over HTTP and over stdio with the official client, in both eras of the protocol."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client

from kb.catalog.loader import load_catalog
from tests.api.chat_platform import LORA, SECRET
from tests.api.server_process import Running
from tests.conftest import ENTRIES

PASTE = ENTRIES / "cuda-out-of-memory"
ERAS = ("legacy", "auto")


def ask(url: str, mode: str, questions: Callable[[Client], Coroutine[Any, Any, Any]]) -> Any:
    async def once() -> Any:
        async with asyncio.timeout(60), Client(f"{url}/mcp", mode=mode) as client:
            return await questions(client)

    return asyncio.run(once())


def call(url: str, tool: str, mode: str = "auto", **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool, which its text holds too."""
    result = ask(url, mode, lambda client: client.call_tool(tool, arguments))
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return dict(result.structured_content)


def refused(url: str, tool: str, **arguments: Any) -> str:
    result = ask(url, "auto", lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    return str(result.content[0].text)


@asynccontextmanager
async def over_stdio(build: Path, mode: str) -> AsyncIterator[Client]:
    environment = {**os.environ, "FAULTBOOK_BUILD_DIR": str(build), "FAULTBOOK_ENTRIES": str(build / "none")}
    server = StdioServerParameters(
        command=sys.executable, args=["-W", "error", "-m", "kb", "mcp"], env=environment
    )
    async with asyncio.timeout(60), Client(stdio_client(server), mode=mode) as client:
        yield client


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_say_when_to_use_them_and_their_answers_hold_to_their_schemas(
    running: Running, mode: str
) -> None:
    async def questions(client: Client) -> dict[str, Any]:
        return {tool.name: tool for tool in (await client.list_tools()).tools}

    tools = ask(running.url, mode, questions)
    assert list(tools) == ["diagnose", "next_check", "get_entry", "search"]
    assert all(tool.description.startswith("Use ") for tool in tools.values())
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    answer = call(running.url, "diagnose", mode, text=LORA)
    jsonschema.validate(answer, tools["diagnose"].output_schema)


def test_a_log_is_answered_in_short(running: Running) -> None:
    answer = call(running.url, "diagnose", text=LORA, versions={"vllm": "0.11.0"})
    assert answer["verdict"] == "match"
    assert answer["candidates"][0]["entry"] == "vllm-lora-rank-exceeds-max"
    assert answer["started"] == {"line": 1, "text": LORA, "process": "EngineCore_DP0, pid 4711"}
    assert "--max-lora-rank 64" in answer["fix"]["command"]
    assert len(json.dumps(answer)) < 4000
    assert all(answer.values())  # what says nothing is left out, a page while no address of the site is set
    assert "page" not in answer


def test_links_need_the_address_of_the_pages(start: Callable[..., Running]) -> None:
    server = start(site_url="https://faults.example/kb/")
    answer = call(server.url, "diagnose", text=LORA)
    assert answer["page"] == "https://faults.example/kb/errors/vllm-lora-rank-exceeds-max/"


def test_checks_lead_on_without_the_log(running: Running) -> None:
    """Each outcome moves the hypotheses as it says; asked with the paste, the same cause comes first."""
    paste = min(PASTE.glob("match-*.txt")).read_text()
    first = call(running.url, "diagnose", text=paste)
    check = first["next_check"]
    assert check is not None
    moved = set()
    for outcome in check["outcomes"]:
        outcomes = {check["id"]: outcome["id"]}
        then = call(running.url, "next_check", candidates=first["candidates"], outcomes=outcomes)
        assert then.get("next_check", {}).get("id") != check["id"]
        moved.add(then["candidates"][0]["cause"])
        if then["verdict"] == "match":
            whole = call(running.url, "diagnose", text=paste, outcomes=outcomes)
            assert whole["candidates"][0]["cause"] == then["candidates"][0]["cause"]
    assert len(moved) > 1


def test_what_cannot_be_used_is_said(running: Running) -> None:
    candidates = [{"entry": "no-such", "confidence": 0.5}]
    answer = call(running.url, "next_check", candidates=candidates, outcomes={"nor-this": "x"})
    assert answer["verdict"] == "no_match"
    assert answer["problems"] == ["there is no entry or cause `no-such`", "there is no check `nor-this`"]


def test_an_entry_is_given_in_short_and_a_cause_in_full(running: Running) -> None:
    entry = call(running.url, "get_entry", id="vllm-lora-rank-exceeds-max")
    assert all("explanation" not in cause for cause in entry["causes"])
    assert len(json.dumps(entry)) < 4000
    cause = entry["causes"][0]["id"]
    full = call(running.url, "get_entry", id="vllm-lora-rank-exceeds-max", cause=cause)
    assert [each["id"] for each in full["causes"]] == [cause]
    assert full["causes"][0]["forms"]["cli"].startswith("vllm serve")
    assert cause in refused(running.url, "get_entry", id="vllm-lora-rank-exceeds-max", cause="x")


def test_every_cause_of_every_entry_can_be_read(build_dir: Path) -> None:
    from api.assistants.questions import EntryQuestion
    from api.assistants.tools import get_entry
    from api.service import Service
    from api.settings import Settings

    service = Service(Settings(build_dir=build_dir))

    async def all_of_them() -> int:
        read = 0
        for file in load_catalog(ENTRIES).entries:
            entry = await get_entry(service, EntryQuestion(id=file.entry.id))
            for cause in entry.causes:
                await get_entry(service, EntryQuestion(id=entry.id, cause=cause.id))
                read += 1
        return read

    assert asyncio.run(all_of_them()) > 100


def test_words_are_searched(running: Running) -> None:
    found = call(running.url, "search", words="max_lora_rank", limit=3)["results"]
    assert len(found) == 3
    assert "vllm-lora-rank-exceeds-max" in [each["id"] for each in found]


def test_entries_are_resources(running: Running) -> None:
    async def questions(client: Client) -> tuple[list[str], Any, Any]:
        uris: list[str] = []
        cursor = None
        while True:
            page = await client.list_resources(cursor=cursor)
            uris += [str(each.uri) for each in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                break
        templates = await client.list_resource_templates()
        return uris, templates.resource_templates, await client.read_resource(uris[0])

    uris, templates, first = ask(running.url, "auto", questions)
    assert len(uris) == len(set(uris)) > 100
    assert [each.uri_template for each in templates] == ["faultbook://entries/{id}"]
    assert json.loads(first.contents[0].text)["id"] == uris[0].rpartition("/")[2]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("diagnose", {}, "`text`"),
        ("diagnose", {"text": "  \n"}, "empty"),
        ("diagnose", {"text": LORA, "path": "/etc/passwd"}, "`path`"),
        ("diagnose", {"text": LORA, "outcomes": {"a": 1}}, "`outcomes.a`"),
        ("get_entry", {"id": "../../secret"}, "No entry has the id"),
        ("get_entry", {"id": "vllm-lora-rank-exceed-max"}, "Is it vllm-lora-rank-exceeds-max?"),
        ("search", {"words": "x", "limit": 1000}, "`limit`"),
        ("no_such_tool", {}, "There is no tool"),
    ],
)
def test_what_cannot_be_answered_is_told_to_the_model(
    running: Running, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in refused(running.url, tool, **arguments)


def test_an_unknown_resource_is_an_error_of_the_protocol(running: Running) -> None:
    async def question(client: Client) -> str:
        with pytest.raises(MCPError) as error:
            await client.read_resource("faultbook://entries/nothing")
        return str(error.value)

    assert "No entry has the id" in ask(running.url, "auto", question)


def test_secrets_of_a_paste_never_come_back_nor_into_the_log(running: Running) -> None:
    paste = f"Authorization: Bearer {SECRET}\nRuntimeError: NCCL error, token {SECRET}, {LORA}\n"
    for outputs in ({}, {"did-a-rank-die-or-is-it-late": f"password={SECRET}"}):
        assert SECRET not in json.dumps(call(running.url, "diagnose", text=paste, outputs=outputs))
    assert SECRET not in running.logged()


INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def test_the_limits_are_those_of_the_api(start: Callable[..., Running]) -> None:
    server = start(max_body=2048, inline_body=0)
    with httpx.Client(base_url=server.url, timeout=30, headers=ACCEPT) as client:
        answer = client.post("/mcp", json={**INITIALIZE, "more": "x" * 3000})
        assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
        assert client.get("/mcp").status_code == 405
        assert client.delete("/mcp").status_code == 405
        assert (
            client.post("/mcp", content=b"no json", headers={"Content-Type": "application/json"}).status_code
            == 400
        )
        for media in ("text/plain", ""):
            other = client.post("/mcp", content=b"{}", headers={"Content-Type": media})
            assert (other.status_code, other.headers["content-type"]) == (415, "application/problem+json")
        odd = {"Mcp-Session-Id": "../../a;b=c", "Last-Event-ID": "7"}  # there are no sessions to be found
        assert client.post("/mcp", json=INITIALIZE, headers=odd).status_code == 200
        assert client.post("/mcp", json=INITIALIZE).status_code == 200
        policy = client.post("/mcp", json=INITIALIZE).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://kb.example"}, 200),
        ({"Host": "rebound.example"}, 403),
        ({"Host": "["}, 403),
        ({"Host": "kb.example"}, 200),
        ({"Host": "localhost:9"}, 200),
        ({"Host": "[::1]:9"}, 200),
    ],
)
def test_pages_of_other_sites_cannot_ask(
    start: Callable[..., Running], headers: dict[str, str], status: int
) -> None:
    server = start(site_url="https://kb.example/")
    answer = httpx.post(f"{server.url}/mcp", json=INITIALIZE, headers={**ACCEPT, **headers}, timeout=30)
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("mode", ERAS)
def test_the_same_over_stdio(build_dir: Path, mode: str) -> None:
    async def questions() -> tuple[list[str], Any, Any]:
        async with over_stdio(build_dir, mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            answer = await client.call_tool("diagnose", {"text": f"{LORA} {SECRET}"})
            entry = await client.read_resource("faultbook://entries/vllm-lora-rank-exceeds-max")
            return tools, answer.structured_content, entry

    tools, answer, entry = asyncio.run(questions())
    assert tools == ["diagnose", "next_check", "get_entry", "search"]
    assert answer["verdict"] == "match"
    assert SECRET not in json.dumps(answer)
    assert json.loads(entry.contents[0].text)["id"] == "vllm-lora-rank-exceeds-max"


def test_a_server_that_nobody_asks_does_not_load_the_sdks() -> None:
    script = "import api.app, sys; print({'mcp', 'slack_bolt', 'slack_sdk', 'nacl'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

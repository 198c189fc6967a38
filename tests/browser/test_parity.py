"""One paste, one answer: command line, API, and the browser build under Node and in chromium say the same."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from tests.browser.asking import ENTRIES

Answers = dict[str, Any]
NODE = Path(__file__).with_name("node_match.mjs")
MESSAGE = "LoRA rank 64 is greater than max_lora_rank 16."
ODD = {
    "line ends of all kinds": f"a\r\nValueError: {MESSAGE}\rb\nc\u2028d\x0be\n",
    "two units": f"🔥 𝔸 ValueError: {MESSAGE} 🔥\n",
    "escapes and nulls": f"\x1b[31mValueError:\x00 {MESSAGE}\x1b[0m\x7f\n",
    "digits of other scripts": "ValueError: LoRA rank ６４ is greater than max_lora_rank ٣.\n",
    "many lines": "INFO all is well\n" * 3000 + "torch.OutOfMemoryError: CUDA out of memory.\n",
}


@pytest.fixture(scope="module")
def pastes() -> dict[str, str]:
    """Every example of every entry, and some odd texts."""
    examples = {
        path.relative_to(ENTRIES).as_posix(): path.read_bytes().decode() for path in ENTRIES.glob("*/*.txt")
    }
    assert len(examples) >= 10
    return examples | ODD


@pytest.fixture(scope="module")
def lines(pastes: dict[str, str]) -> str:
    return "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in pastes.items())


def run(command: list[str], lines: str, **environment: str) -> Answers:
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stderr
    answers = (json.loads(line) for line in done.stdout.splitlines())
    return {answer["id"]: answer["diagnosis"] for answer in answers}


@pytest.fixture(scope="module")
def command_line(built: Path, lines: str) -> Answers:
    command = [sys.executable, "-m", "kb", "match", "--jsonl", "-"]
    return run(command, lines, FAULTBOOK_INDEX=str(built / "index.json"))


def differing(one: Answers, other: Answers) -> list[str]:
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


def test_the_answers_are_no_empty_ones(command_line: Answers) -> None:
    verdicts = [answer["verdict"] for answer in command_line.values()]
    assert verdicts.count("match") >= len(verdicts) / 4


def test_the_api_says_what_the_command_line_says(
    command_line: Answers, pastes: dict[str, str], served_site: str
) -> None:
    with httpx.Client(base_url=served_site, timeout=60) as client:
        answers = {name: client.post("api/match", json={"text": text}) for name, text in pastes.items()}
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 200} == {}
    assert differing(command_line, {name: answer.json() for name, answer in answers.items()}) == []


@pytest.mark.node
def test_the_browser_build_under_node_says_the_same(command_line: Answers, built: Path, lines: str) -> None:
    node = shutil.which("node")
    assert node, "Node.js is not on PATH; `make test` says what to install"
    answers = run([node, str(NODE), str(built / "site" / "assets")], lines)
    assert differing(command_line, answers) == []


def test_the_browser_build_in_chromium_says_the_same(
    command_line: Answers, pastes: dict[str, str], page: Page, static_site: str
) -> None:
    page.goto(static_site)
    answers = page.evaluate(
        """async (pastes) => {
            const { PageMatcher } = await import("./assets/js/matchers.js");
            const matcher = new PageMatcher(() => {});
            const answers = {};
            for (const [name, text] of Object.entries(pastes)) answers[name] = await matcher.match(text, {});
            return answers;
        }""",
        pastes,
    )
    assert differing(command_line, answers) == []


def test_what_the_person_knows_counts_the_same_everywhere(
    built: Path, pastes: dict[str, str], served_site: str, page: Page, static_site: str
) -> None:
    text = pastes["vllm-lora-rank-exceeds-max/match-start-up-lora-modules.txt"]
    given = {"versions": {"vllm": "0.11.0"}, "components": ["vllm"], "outcomes": {}, "outputs": {}}
    with httpx.Client(base_url=served_site, timeout=60) as client:
        from_api = client.post("api/match", json={"text": text, "given": given}).json()
    page.goto(static_site)
    from_page = page.evaluate(
        """async ([text, given]) => {
            const { PageMatcher } = await import("./assets/js/matchers.js");
            return new PageMatcher(() => {}).match(text, given);
        }""",
        [text, given],
    )
    assert from_page["given"] == given
    assert from_page == from_api

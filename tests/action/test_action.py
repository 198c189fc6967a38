"""The action's script against a server that answers as GitHub's API does."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from action.diagnose import MARKER
from action.prepare import COMPILE, NEEDED, locked
from tests.api.chat_platform import JSON, Asked, Platform, platform
from tests.api.server_process import serve
from tests.conftest import ENTRIES

ROOT = ENTRIES.parent
TOKEN = "ghs-of-the-test"
SECRET = "hf_" + "Abcd1234" * 4
LORA = "(EngineCore_DP0 pid=4711) ValueError: LoRA rank 64 is greater than max_lora_rank 16."
LOG = f"""\
2026-11-30T10:00:00.0000000Z ##[group]Run python serve.py
2026-11-30T10:00:01.0000000Z env: HF_TOKEN={SECRET}
2026-11-30T10:00:02.0000000Z ::set-output name=verdict::evil
2026-11-30T10:00:03.0000000Z {LORA} @everyone
2026-11-30T10:00:04.0000000Z ##[error]Process completed with exit code 1.
"""
RUN = "/repos/org/repo/actions/runs/77/attempts/2/jobs?per_page=100&page="
COMMENTS = "/repos/org/repo/issues/5/comments"


@pytest.fixture
def github() -> Iterator[Platform]:
    """GitHub with a run of three jobs, one of which failed."""
    with platform() as made:
        jobs = [(1, "lint", "success"), (2, "train", "failure"), (3, "rest", "skipped")]
        rows = [{"id": number, "name": name, "conclusion": how} for number, name, how in jobs]
        made.answers[f"{RUN}1"] = (200, JSON, json.dumps({"jobs": rows}).encode())
        made.answers["/repos/org/repo/actions/jobs/2/logs"] = (302, {"Location": f"{made.url}/blob/2"}, b"")
        made.answers["/blob/2"] = lambda asked: (
            (400, {}, b"") if "authorization" in asked.headers else (200, {}, b"\xef\xbb\xbf" + LOG.encode())
        )
        made.answers["/user"] = (403, JSON, b"{}")
        made.answers[f"{COMMENTS}?per_page=100&page=1"] = (200, JSON, b"[]")
        yield made


def act(github: Platform, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script as the action does, in a workspace that holds packages of the same names."""
    for name in ("kb", "action"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "__init__.py").write_text("raise SystemExit('of the workspace')")
    event = folder / "event.json"
    if not event.exists():
        event.write_text(json.dumps({"pull_request": {"number": 5}}))
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": "org/repo",
        "GITHUB_RUN_ID": "77",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_SHA": "abc",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "GITHUB_OUTPUT": str(folder / "output"),
        "INPUT_TOKEN": TOKEN,
        "INPUT_COMMENT": "false",
    }
    return subprocess.run(
        ["bash", str(ROOT / "action" / "run.sh")],
        cwd=folder,
        env={**environment, **more},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def index(build_dir: Path) -> str:
    return str(build_dir / "index.json")


def test_the_log_of_the_failed_job_is_in_the_summary(github: Platform, tmp_path: Path, index: str) -> None:
    done = act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_SITE_URL="https://kb.example/")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Faultbook: match vllm-lora-rank-exceeds-max\n"
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("### train\n")
    assert "https://kb.example/errors/vllm-lora-rank-exceeds-max/" in summary
    assert "--max-lora-rank 64" in summary
    assert SECRET not in summary
    assert (tmp_path / "output").read_text() == "verdict=match\nentry=vllm-lora-rank-exceeds-max\n"
    assert [asked.path for asked in github.asked] == [
        f"{RUN}1",
        "/repos/org/repo/actions/jobs/2/logs",
        "/blob/2",
    ]
    assert github.asked[0].headers["authorization"] == f"Bearer {TOKEN}"


def test_the_comment_is_written_once_and_then_updated(github: Platform, tmp_path: Path, index: str) -> None:
    written: list[dict[str, Any]] = [
        {"id": 8, "user": {"login": "somebody"}, "body": f"{MARKER}\nnot ours"},
        {"id": 9, "user": {"login": "github-actions[bot]"}, "body": "of another action"},
    ]

    def listed(_: Asked) -> tuple[int, dict[str, str], bytes]:
        return 200, JSON, json.dumps(written).encode()

    def posted(asked: Asked) -> tuple[int, dict[str, str], bytes]:
        written.append({"id": 10, "user": {"login": "github-actions[bot]"}, **asked.value})
        return 201, JSON, b"{}"

    github.answers[f"{COMMENTS}?per_page=100&page=1"] = listed
    github.answers[COMMENTS] = posted
    for _ in range(2):
        act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_COMMENT="true")
    changes = [(asked.method, asked.path) for asked in github.asked if asked.method != "GET"]
    assert changes == [("POST", COMMENTS), ("PATCH", "/repos/org/repo/issues/comments/10")]
    body = written[-1]["body"]
    assert body.startswith(MARKER)
    assert "--max-lora-rank 64" in body
    assert SECRET not in body


def test_the_pull_request_is_found_by_its_commit(github: Platform, tmp_path: Path, index: str) -> None:
    (tmp_path / "event.json").write_text("{}")
    pulls = [{"number": 4, "state": "closed"}, {"number": 5, "state": "open"}]
    github.answers["/repos/org/repo/commits/abc/pulls"] = (200, JSON, json.dumps(pulls).encode())
    act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_COMMENT="true")
    assert github.asked[-1].path == COMMENTS


def test_a_workflow_that_follows_another_reads_that_one(github: Platform, tmp_path: Path, index: str) -> None:
    run = {"id": 88, "run_attempt": 1, "head_sha": "def", "pull_requests": [{"number": 5}]}
    (tmp_path / "event.json").write_text(json.dumps({"workflow_run": run}))
    other = RUN.replace("runs/77/attempts/2", "runs/88/attempts/1")
    github.answers[f"{other}1"] = github.answers[f"{RUN}1"]
    act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_COMMENT="true")
    assert (github.asked[0].path, github.asked[-1].path) == (f"{other}1", COMMENTS)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (f"{RUN}1", "attempts/2/jobs answered 403"),
        ("/blob/2", "/blob/2 answered 403"),
        (COMMENTS, "no comment was written: POST"),
    ],
)
def test_what_is_not_allowed_is_a_warning_and_fails_nothing(
    github: Platform, tmp_path: Path, index: str, path: str, said: str
) -> None:
    github.answers[path] = (403, JSON, b"{}")
    done = act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_COMMENT="true")
    assert done.returncode == 0
    assert re.search(rf"^::warning title=Faultbook::.*{re.escape(said)}", done.stdout, re.MULTILINE)


def test_only_the_jobs_that_are_named_are_read(github: Platform, tmp_path: Path, index: str) -> None:
    done = act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_JOBS="lint, other")
    assert "no failed job has a log" in done.stdout


def test_a_log_file_of_the_job_is_read_without_asking_github(
    github: Platform, tmp_path: Path, index: str
) -> None:
    (tmp_path / "serve.log").write_text(LOG)
    done = act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_LOG="serve.log")
    assert "match vllm-lora" in done.stdout
    assert (tmp_path / "summary.md").read_text().startswith("### serve.log")
    assert github.asked == []
    assert "::set-output" not in done.stdout


def test_a_missing_log_file_is_a_warning(github: Platform, tmp_path: Path, index: str) -> None:
    done = act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_LOG="none.log")
    assert done.returncode == 0
    assert "::warning title=Faultbook::" in done.stdout
    assert "none.log" in done.stdout


def test_a_server_answers_the_same_and_gets_no_secret(
    github: Platform, tmp_path: Path, index: str, build_dir: Path
) -> None:
    act(github, tmp_path, FAULTBOOK_INDEX=index)
    here = (tmp_path / "summary.md").read_text()
    (tmp_path / "summary.md").unlink()
    with serve(build_dir, tmp_path / "server.log") as server:
        done = act(github, tmp_path, INPUT_SERVER=server.url)
    assert done.stdout == "Faultbook: match vllm-lora-rank-exceeds-max\n"
    assert (tmp_path / "summary.md").read_text() == here


def test_what_is_sent_to_a_server_holds_no_secret(github: Platform, tmp_path: Path) -> None:
    github.answers["/api/match?format=json"] = (200, JSON, b'{"verdict": "no_match", "best": null}')
    act(github, tmp_path, INPUT_SERVER=github.url)
    sent = [asked for asked in github.asked if asked.path.startswith("/api/match")]
    assert len(sent) == 2
    assert all(SECRET.encode() not in asked.body and b"LoRA rank" in asked.body for asked in sent)
    assert all("authorization" not in asked.headers for asked in sent)


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"verdict": "match"}', b'{"verdict": "match\\nentry=x", "best": null}']
)
def test_a_server_of_another_kind_is_a_warning(github: Platform, tmp_path: Path, body: bytes) -> None:
    github.answers["/api/match?format=json"] = (200, JSON, body)
    done = act(github, tmp_path, INPUT_SERVER=github.url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "::warning title=Faultbook::the server does not answer as Faultbook does\n"
    assert not (tmp_path / "output").exists()


def test_the_end_of_a_huge_log_is_read(github: Platform, tmp_path: Path, index: str) -> None:
    with (tmp_path / "serve.log").open("w") as file:
        file.writelines(f"step {n:07} of many, loss 0.1\n" for n in range(400_000))
        file.write(LOG)
    done = act(github, tmp_path, FAULTBOOK_INDEX=index, INPUT_LOG="serve.log")
    assert done.stdout == "Faultbook: match vllm-lora-rank-exceeds-max\n"


def test_packages_that_cannot_be_had_are_a_warning(github: Platform, tmp_path: Path) -> None:
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "RUNNER_TEMP": str(tmp_path / "temp")}
    done = act(github, tmp_path, **nowhere)
    assert done.returncode == 0
    assert done.stdout.startswith("::warning title=Faultbook::the entries could not be compiled")
    assert "No matching distribution" in done.stderr


def test_an_old_python_is_a_warning(github: Platform, tmp_path: Path) -> None:
    old = tmp_path / "bin" / "python3"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = act(github, tmp_path, PATH=f"{old.parent}:{os.environ['PATH']}")
    assert done.returncode == 0
    assert "Python 3.11 or later" in done.stdout


def test_the_lock_has_what_compiling_needs_and_nothing_else_is_imported(tmp_path: Path) -> None:
    lock = locked((ROOT / "requirements.lock").read_text())
    names = re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE)
    assert sorted(names) == sorted(NEEDED)
    assert lock.count("--hash=sha256:") >= len(NEEDED)
    allowed = {name.replace("-", "_").replace("pyyaml", "yaml") for name in NEEDED} | {"kb", "_yaml"}
    refuse = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in {allowed!r} and not top.startswith("_sysconfig"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-c", refuse + COMPILE, str(ENTRIES), str(tmp_path / "build")]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert (tmp_path / "build" / "index.json").stat().st_size > 100_000


def test_the_action_hands_over_every_input() -> None:
    action = yaml.safe_load((ROOT / "action" / "action.yml").read_text())
    step = action["runs"]["steps"][0]
    handed = set(re.findall(r"inputs\.([a-z-]+)", json.dumps(step["env"])))
    assert handed == set(action["inputs"])
    assert "inputs." not in step["run"]  # text of a workflow never becomes a part of a script
    source = "".join((ROOT / "action" / name).read_text() for name in ("run.sh", "diagnose.py"))
    assert all(name in source for name in step["env"])
    assert all(each["description"] for each in (*action["inputs"].values(), *action["outputs"].values()))

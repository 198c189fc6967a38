"""The image: what it is made of is there, and what it runs runs as it would there.

No image is built here. Its last stage is played instead: the wheel of the project, on read-only ground, as
the image's user, with the image's settings; and the image's own health check asks that server.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from api.settings import PREFIX, Settings, read_settings
from tests.deploy.dockerfile import DEPLOY, ROOT, environment, health_check, image, is_sent, stages


def locked(path: Path) -> dict[str, str]:
    """name==version -> its markers and hashes."""
    text = path.read_text("utf-8").replace("\\\n", " ")
    return {line.split(" ", 1)[0]: " ".join(line.split(" ", 1)[1].split()) for line in text.splitlines()}


def test_what_serves_is_a_part_of_what_everything_was_tested_with() -> None:
    everything, serving = locked(ROOT / "requirements.lock"), locked(DEPLOY / "requirements.lock")
    assert {name.partition("==")[0] for name in serving} < {name.partition("==")[0] for name in everything}
    for name, hashes in serving.items():
        assert set(re.findall(r"sha256:\w+", hashes)) == set(re.findall(r"sha256:\w+", everything[name]))
    assert not {"mkdocs", "pytest", "playwright"} & {name.partition("==")[0] for name in serving}


ALL_OF_IT = """
import sys, json
from importlib.metadata import packages_distributions
from api.bots import discord, slack, slash
from api.assistants import protocol, questions, tools
from api.app import create_app
import api.server, mcp.server
found = packages_distributions()
tops = {name.partition(".")[0] for name in sys.modules}
print(json.dumps(sorted({each for top in tops for each in found.get(top, [])})))
"""


def test_the_server_imports_nothing_that_the_image_lacks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALL_OF_IT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    used = {name.lower().replace("_", "-") for name in json.loads(done.stdout)} - {"faultbook"}
    serving = {name.partition("==")[0] for name in locked(DEPLOY / "requirements.lock")}
    assert {"fastapi", "uvicorn", "mcp", "slack-bolt"} <= used
    assert used - {"pip", "setuptools", "wheel"} <= serving


def test_the_image_is_small_unprivileged_and_says_how_it_is() -> None:
    *_, last = stages()
    assert all("slim" in stage[0].text for stage in stages())
    (user,) = image("USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user.text)
    assert last.index(user) > max(last.index(each) for each in (*image("COPY"), *image("RUN")))
    assert health_check()
    assert [each.words() for each in image("CMD")] == [["python", "-m", "api"]]
    assert not any(word in name for name in environment() for word in ("SECRET", "TOKEN", "KEY"))


def test_the_settings_of_the_image_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {name: value for name, value in environment().items() if name.startswith(PREFIX)}
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    for name, value in ours.items():
        assert name.removeprefix(PREFIX).lower() in Settings.model_fields
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert settings.host == "0.0.0.0"
    assert [each.text for each in image("EXPOSE")] == [str(settings.port)]


def test_what_is_copied_is_there_and_is_sent_and_nothing_else_is() -> None:
    copied = [
        source
        for stage in stages()
        for each in stage
        if each.name == "COPY" and not each.option("from")
        for source in each.words()[:-1]
    ]
    assert "." in copied
    for source in (source for source in copied if source != "."):
        assert (ROOT / source).is_file()
        assert is_sent(source)
    for needed in (
        "kb/site/build.py",
        "api/app.py",
        "entries/_checks",
        "docs/index.md",
        "LICENSE",
        "README.md",
    ):
        assert (ROOT / needed).exists()
        assert is_sent(needed), needed
    for secret in (".git/config", ".env", "deploy/faultbook.env", "build/site/index.html", ".venv/bin/python",
                   "tests/conftest.py", "kb/__pycache__/x.pyc", "node_modules/pyodide/x.js"):  # fmt: skip
        assert not is_sent(secret), secret


@dataclass(frozen=True)
class Container:
    """A server as in the image."""

    port: int
    process: subprocess.Popen[bytes]
    environment: dict[str, str]

    def check(self) -> int:
        """The exit status of the image's own health check."""
        python, *rest = health_check()
        assert python == "python"
        return subprocess.run(
            [sys.executable, *rest], env=self.environment, capture_output=True, check=False
        ).returncode


# Read-only ground, 16 MB to write to, the image's user without any right but to read this machine's Python.
RIGHTS = "-all,+dac_read_search"
CONFINED = r"""
mount --make-rprivate / && mount -t tmpfs -o size=16m,mode=1777 tmp /mnt && mount -o remount,bind,ro / &&
exec setpriv --reuid {user} --regid {group} --clear-groups --no-new-privs \
    --bounding-set={rights} --inh-caps={rights} --ambient-caps={rights} "$@"
"""


def confined() -> list[str]:
    """What to put before a command, where this machine lets us."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("setpriv"):
        return []
    user, group = image("USER")[0].text.split(":")
    return [
        "unshare",
        "--mount",
        "sh",
        "-c",
        CONFINED.format(user=user, group=group, rights=RIGHTS),
        "confined",
    ]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as the image has it: its wheel, not this checkout."""
    folder = tmp_path_factory.mktemp("image")
    source = folder / "source"
    shutil.copytree(ROOT, source, ignore=lambda at, names: {n for n in names if not wanted(Path(at), n)})
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    alone = ["--no-deps", "--no-index"]
    subprocess.run(
        [*pip, "wheel", *alone, "--no-build-isolation", "--wheel-dir", folder / "wheel", source], check=True
    )
    (wheel,) = (folder / "wheel").glob("*.whl")
    subprocess.run([*pip, "install", *alone, "--target", folder / "packages", wheel], check=True)
    shutil.rmtree(source)
    return folder / "packages"


def wanted(folder: Path, name: str) -> bool:
    """Whether a file or a folder that holds some is sent to where the image is built."""
    relative = (folder / name).relative_to(ROOT).as_posix()
    return is_sent(relative) or relative == "deploy"


@pytest.fixture
def container(installed: Path, build_dir: Path, tmp_path: Path) -> Iterator[Container]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    set_here = {
        "PATH": os.environ["PATH"],
        "FAULTBOOK_PORT": str(port),
        "FAULTBOOK_BUILD_DIR": str(build_dir),
    }
    environ = {
        **environment(), **set_here, "FAULTBOOK_HOST": "127.0.0.1", "FAULTBOOK_WORKERS": "2",
        "PYTHONPATH": str(installed), "TMPDIR": "/mnt" if confined() else str(tmp_path),
    }  # fmt: skip
    (command,) = image("CMD")
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*confined(), sys.executable, *command.words()[1:]],
            cwd="/", env=environ, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        wait_for_it(port, process, tmp_path / "log")
        yield Container(port, process, environ)
    finally:
        process.terminate()
        assert process.wait(30) in {0, -15}


def wait_for_it(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz")
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(log.read_text("utf-8"))


def test_it_serves_from_read_only_ground_as_nobody_and_its_health_check_says_so(
    container: Container, installed: Path
) -> None:
    assert container.check() == 0
    url = f"http://127.0.0.1:{container.port}"
    paste = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
    for _ in range(4):
        answer = httpx.post(f"{url}/api/match", json={"text": paste})
        assert answer.json()["best"]["entry"] == "vllm-lora-rank-exceeds-max"
    assert 'verdict="match"} 4.0' in httpx.get(f"{url}/metrics").text
    assert httpx.get(f"{url}/api/search", params={"q": "max_lora_rank"}).json()["results"]
    status = Path(f"/proc/{container.process.pid}/status")
    if confined():
        ids = re.search(r"^Uid:\s+(\d+)\s+(\d+)", status.read_text("utf-8"), re.MULTILINE)
        assert ids
        assert set(ids.groups()) == {image("USER")[0].text.partition(":")[0]}
    maps = {path.name for path in installed.iterdir()}
    assert {"kb", "api"} <= maps


def test_the_health_check_fails_when_nobody_answers(container: Container) -> None:
    os.kill(container.process.pid, 15)
    container.process.wait(30)
    assert container.check() != 0

"""Settings come from the environment, in one place, and a wrong one is told in one line."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from api.settings import Settings, WrongSettings, read_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("FAULTBOOK_"):
            monkeypatch.delenv(name)


def test_the_environment_is_read_and_what_is_given_goes_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTBOOK_PORT", "9000")
    monkeypatch.setenv("FAULTBOOK_BUILD_DIR", "/srv/build")
    assert read_settings().port == 9000
    settings = read_settings(port=9001)
    assert (settings.port, settings.build_dir) == (9001, Path("/srv/build"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "many"),
        ("PORT", "70000"),
        ("MAX_BODY", "5MB"),
        ("CONCURRENCY", "0"),
        ("BODY_SECONDS", "-1"),
        ("LOG_FORMAT", "xml"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, proxy.example"),
        ("RATE_EXEMPT", "10.0.0.0/99"),
        ("CORS_ORIGINS", "wiki.example"),
        ("CORS_ORIGINS", "https://wiki.example/page"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"FAULTBOOK_{name}", value)
    with pytest.raises(WrongSettings, match=f"FAULTBOOK_{name}: (Input should be|Value error, )"):
        read_settings()


def test_what_stands_between_commas_is_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTBOOK_TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8,")
    monkeypatch.setenv("FAULTBOOK_RATE_EXEMPT", "")
    settings = read_settings()
    assert (settings.trusted_proxies, settings.rate_exempt) == (("10.0.0.0/8", "fd00::/8"), ())


def test_kb_serve_shows_every_setting_as_the_environment_would_have_it_and_no_secret() -> None:
    secret = "hunter2-of-the-bot"
    given = {
        f"FAULTBOOK_{name.upper()}": secret
        for name, field in Settings.model_fields.items()
        if "SecretStr" in str(field.annotation)
    }
    assert given  # there are some to hide
    done = subprocess.run(
        [sys.executable, "-m", "kb", "serve", "--show-settings", "--port", "9001"],
        env={**os.environ, **given, "FAULTBOOK_TRUSTED_PROXIES": "10.0.0.0/8,fd00::/8"},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert set(lines) == {f"FAULTBOOK_{name.upper()}" for name in Settings.model_fields}
    assert lines["FAULTBOOK_PORT"].startswith("9001  # ")
    assert lines["FAULTBOOK_TRUSTED_PROXIES"].startswith("10.0.0.0/8,fd00::/8  # ")
    assert secret not in done.stdout
    assert "None" not in "".join(line.partition("  # ")[2] for line in lines.values())  # all say what for


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "api"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_server_tells_all_wrong_settings_in_one_line() -> None:
    done = run(FAULTBOOK_PORT="many", FAULTBOOK_QUEUE="-3")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "FAULTBOOK_PORT" in done.stderr
    assert "FAULTBOOK_QUEUE" in done.stderr


def test_the_server_does_not_start_without_a_build(tmp_path: Path) -> None:
    done = run(FAULTBOOK_BUILD_DIR=str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "run `kb build`" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_an_error(build_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run(FAULTBOOK_BUILD_DIR=str(build_dir), FAULTBOOK_PORT=str(taken.getsockname()[1]))
    assert done.returncode == 3
    assert "address already in use" in done.stderr

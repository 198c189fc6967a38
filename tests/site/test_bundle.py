"""The browser build: the matcher as it stands, and nothing that asks another host."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kb.site.bundle import PACKAGE, PYODIDE_FILES, bundle, can_bundle, matcher_archive


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder that looks like the npm package."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in PYODIDE_FILES:
        (folder / name).write_text(name)
    (folder / "package.json").write_text('{"version": "314.0.9"}')
    (folder / "pyodide-lock.json").write_text('{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}')
    return folder


def test_the_archive_is_the_matcher_and_the_same_each_time() -> None:
    archive = matcher_archive()
    assert archive == matcher_archive()
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        names = set(files.namelist())
        sources = {
            f"kb/{path.relative_to(PACKAGE).as_posix()}" for path in (PACKAGE / "diagnose").rglob("*.py")
        }
        assert names == sources | {"kb/__init__.py"}
        assert files.read("kb/diagnose/wire.py") == (PACKAGE / "diagnose" / "wire.py").read_bytes()


def test_the_archive_answers_with_nothing_but_the_standard_library(build_dir: Path, tmp_path: Path) -> None:
    archive = tmp_path / "matcher.zip"
    archive.write_bytes(matcher_archive())
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from kb.diagnose import browser\n"
        "browser.load(open(sys.argv[2], encoding='utf-8').read())\n"
        "print(browser.match('LoRA rank 64 is greater than max_lora_rank 16.', '{}'))"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(archive), str(build_dir / "index.json")]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert answer["best"]["entry"] == "vllm-lora-rank-exceeds-max"


def test_the_manifest_names_files_by_their_contents(pyodide: Path, tmp_path: Path) -> None:
    report = bundle(b'{"schema": "1.0"}', tmp_path / "matcher", pyodide)
    names = json.loads((tmp_path / "matcher" / "manifest.json").read_text())
    assert names["pyodide"] == "pyodide-314.0.9/"
    assert report.sizes[names["index"]] == len(b'{"schema": "1.0"}')
    bundle(b'{"schema": "1.1"}', tmp_path / "second", pyodide)
    again = json.loads((tmp_path / "second" / "manifest.json").read_text())
    assert again["matcher"] == names["matcher"]
    assert again["index"] != names["index"]


def test_no_package_can_be_fetched_from_elsewhere(pyodide: Path, tmp_path: Path) -> None:
    bundle(b"{}", tmp_path / "matcher", pyodide)
    lock = json.loads((tmp_path / "matcher" / "pyodide-314.0.9" / "pyodide-lock.json").read_text())
    assert lock == {"info": {"python": "3.14.2"}, "packages": {}}


def test_without_the_npm_package_there_is_no_browser_build(pyodide: Path) -> None:
    assert can_bundle(pyodide)
    (pyodide / PYODIDE_FILES[0]).unlink()
    assert not can_bundle(pyodide)

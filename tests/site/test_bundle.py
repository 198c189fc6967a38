"""The browser build: the matcher as it stands, and nothing that asks another host."""

import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kb.site.bundle import PACKAGE, PYODIDE, PYODIDE_FILES, bundle, can_bundle, matcher_sources
from kb.site.byte_code import LIBRARY
from kb.site.generate import SiteFailed

MODULES = {
    f"kb/{path.relative_to(PACKAGE).as_posix()}"
    for folder in ("diagnose", "redact")
    for path in (PACKAGE / folder).rglob("*.py")
}


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder that looks like the npm package."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in (*PYODIDE_FILES, LIBRARY):
        (folder / name).write_text(name)
    (folder / "package.json").write_text('{"version": "314.0.9"}')
    (folder / "pyodide-lock.json").write_text('{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}')
    return folder


@pytest.fixture
def no_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Node.js."""
    monkeypatch.setenv("PATH", "")


def test_the_sources_are_matcher_and_redaction_and_the_same_each_time() -> None:
    archive = matcher_sources()
    assert archive == matcher_sources()
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert set(files.namelist()) == MODULES | {"kb/__init__.py"}
        assert files.read("kb/diagnose/wire.py") == (PACKAGE / "diagnose" / "wire.py").read_bytes()


def test_the_sources_answer_with_nothing_but_the_standard_library(build_dir: Path, tmp_path: Path) -> None:
    archive = tmp_path / "matcher.zip"
    archive.write_bytes(matcher_sources())
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from kb.diagnose import browser\n"
        "browser.load(open(sys.argv[2], encoding='utf-8').read())\n"
        "print(browser.match('LoRA rank 64 is greater than max_lora_rank 16.', '{}'))\n"
        "from kb.redact.browser import redacted; print(redacted('mail to somebody@firm.org'))"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(archive), str(build_dir / "index.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer, hidden = done.stdout.splitlines()
    assert json.loads(answer)["best"]["entry"] == "vllm-lora-rank-exceeds-max"
    assert hidden == "mail to person1@example.com"


@pytest.mark.node
def test_the_browser_gets_byte_code_of_its_own_python_and_no_more_than_the_matcher_uses(
    tmp_path: Path,
) -> None:
    bundle(b"{}", tmp_path)
    names = json.loads((tmp_path / "manifest.json").read_text())
    with zipfile.ZipFile(tmp_path / names["matcher"]) as matcher:
        assert set(matcher.namelist()) == {f"{name}c" for name in MODULES | {"kb/__init__.py"}}
    with zipfile.ZipFile(tmp_path / names["library"]) as library, zipfile.ZipFile(PYODIDE / LIBRARY) as whole:
        modules, all_modules = set(library.namelist()), {f"{name}c" for name in whole.namelist()}
        headers = {library.read(name)[:16] for name in modules}
    assert {"json/decoder.pyc", "traceback.pyc"} <= modules < all_modules
    assert len(headers) == 1
    assert len(modules) < len(all_modules) / 3


@pytest.mark.node
def test_what_node_cannot_compile_stops_the_build_with_its_words(pyodide: Path, tmp_path: Path) -> None:
    assert shutil.which("node")
    with pytest.raises(SiteFailed, match=r"Node\.js could not compile the matcher"):
        bundle(b"{}", tmp_path / "matcher", pyodide)


@pytest.mark.usefixtures("no_node")
def test_without_node_the_sources_go_out(pyodide: Path, tmp_path: Path) -> None:
    bundle(b"{}", tmp_path / "matcher", pyodide)
    names = json.loads((tmp_path / "matcher" / "manifest.json").read_text())
    assert (tmp_path / "matcher" / names["matcher"]).read_bytes() == matcher_sources()
    assert (tmp_path / "matcher" / names["library"]).read_text() == LIBRARY


@pytest.mark.usefixtures("no_node")
def test_the_manifest_names_files_by_their_contents(pyodide: Path, tmp_path: Path) -> None:
    report = bundle(b'{"schema": "1.0"}', tmp_path / "matcher", pyodide)
    names = json.loads((tmp_path / "matcher" / "manifest.json").read_text())
    assert names["pyodide"] == "pyodide-314.0.9/"
    with zipfile.ZipFile(tmp_path / "matcher" / names["nothing"]) as nothing:
        assert nothing.namelist() == []
    assert report.sizes[names["index"]] == len(b'{"schema": "1.0"}')
    bundle(b'{"schema": "1.1"}', tmp_path / "second", pyodide)
    again = json.loads((tmp_path / "second" / "manifest.json").read_text())
    assert again["matcher"] == names["matcher"]
    assert again["index"] != names["index"]


@pytest.mark.usefixtures("no_node")
def test_no_package_can_be_fetched_from_elsewhere(pyodide: Path, tmp_path: Path) -> None:
    bundle(b"{}", tmp_path / "matcher", pyodide)
    manifest = json.loads((tmp_path / "matcher" / "manifest.json").read_text())
    assert manifest["lock"] == {"info": {"python": "3.14.2"}, "packages": {}}


def test_without_the_npm_package_there_is_no_browser_build(pyodide: Path) -> None:
    assert can_bundle(pyodide)
    (pyodide / PYODIDE_FILES[0]).unlink()
    assert not can_bundle(pyodide)

"""Files of a site and their compressed siblings."""

import gzip
import subprocess
from pathlib import Path

import pytest

from kb.site.compress import LARGE, SMALLEST, compress

PAGE = b"<p>a page of words</p>\n" * 100
BIG = b"\0asm of many words " * (LARGE // 10)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, content in {
        "index.html": PAGE,
        "errors/one/entry.json": PAGE,
        "assets/python.wasm": BIG,
        "short.js": b"x" * (SMALLEST - 1),
        "font.woff2": PAGE,
        "archive.zip": PAGE,
        "picture.png": PAGE,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path


SQUEEZED = {"index.html": PAGE, "errors/one/entry.json": PAGE, "assets/python.wasm": BIG, "archive.zip": PAGE}


def siblings(site: Path, suffix: str) -> set[str]:
    return {
        path.relative_to(site).as_posix().removesuffix(suffix)
        for path in site.rglob("*")
        if path.suffix == suffix
    }


@pytest.mark.node
def test_files_that_shrink_get_siblings_that_open_to_the_same(site: Path) -> None:
    compress(site)
    assert siblings(site, ".gz") == siblings(site, ".br") == set(SQUEEZED)
    for name, content in SQUEEZED.items():
        assert gzip.decompress((site / f"{name}.gz").read_bytes()) == content
        packed = (site / f"{name}.br").read_bytes()
        program = "process.stdin.pipe(require('zlib').createBrotliDecompress()).pipe(process.stdout)"
        opened = subprocess.run(["node", "-e", program], input=packed, capture_output=True, check=True)
        assert opened.stdout == content
        assert len(packed) < len(content) / 10


def test_without_node_there_is_gzip_alone(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    compress(site)
    assert siblings(site, ".br") == set()
    assert siblings(site, ".gz") == set(SQUEEZED)

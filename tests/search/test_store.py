"""The search index on disk: only what was built is opened."""

import json
import pickle
from pathlib import Path

import pytest

from kb.search import BrokenSearch, build_search, open_search
from kb.search.build import TABLE
from kb.search.store import MANIFEST


@pytest.fixture
def built(tmp_path: Path) -> Path:
    entries = tmp_path / "entries"
    entries.mkdir()
    entry = {"id": "a", "title": "A rank is missing", "summary": "It never came.", "status": "reviewed"}
    (entries / "a.json").write_text(json.dumps(entry))
    build_search(entries, tmp_path / "search")
    return tmp_path / "search"


def index_files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name not in {MANIFEST, TABLE}]


def test_what_was_built_is_opened(built: Path) -> None:
    assert [found.id for found in open_search(built).search("rank")] == ["a"]


def test_building_again_replaces_the_index_and_leaves_nothing_else(built: Path) -> None:
    (built / "stray").write_text("of an older build")
    build_search(built.parent / "entries", built)
    assert {path.name for path in built.parent.iterdir()} == {"entries", "search"}
    assert not (built / "stray").exists()
    assert len(open_search(built)) == 1


def test_a_missing_folder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BrokenSearch, match=r"manifest\.json.*run `kb build`"):
        open_search(tmp_path / "nowhere")


def test_every_file_of_the_index_is_checked(built: Path) -> None:
    for path in index_files(built):
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(BrokenSearch, match="is not the file that was built"):
            open_search(built)
        path.write_bytes(whole)
    assert index_files(built)
    open_search(built)


class Bomb:
    """Unpickling it writes a file."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return (open, (str(self.target), "w"))


def test_a_foreign_file_is_never_unpickled(built: Path, tmp_path: Path) -> None:
    exploded = tmp_path / "exploded"
    for path in index_files(built):
        path.write_bytes(pickle.dumps(Bomb(exploded)))
    (built / "_MAIN_999.toc").write_bytes(pickle.dumps(Bomb(exploded)))
    with pytest.raises(BrokenSearch):
        open_search(built)
    assert not exploded.exists()


def test_files_that_the_manifest_does_not_name_are_not_read(built: Path) -> None:
    (built / "_MAIN_999.toc").write_bytes(b"a later generation, if Whoosh saw it")
    assert len(open_search(built)) == 1


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[]",
        '{"form": "1.0"}',
        '{"form": "0.9", "files": {}}',
        '{"form": "1.0", "files": {"../../etc/passwd": "00"}}',
        '{"form": "1.0", "files": 3}',
    ],
)
def test_a_manifest_that_is_none_is_refused(built: Path, manifest: str) -> None:
    (built / MANIFEST).write_text(manifest)
    with pytest.raises(BrokenSearch, match="run `kb build`"):
        open_search(built)


def test_a_missing_file_of_the_index_is_named(built: Path) -> None:
    lost = index_files(built)[0]
    lost.unlink()
    with pytest.raises(BrokenSearch, match=lost.name):
        open_search(built)


@pytest.mark.parametrize("text", ["", "[]", "3", '{"id": "a"}'])
def test_a_file_that_is_no_entry_is_named(tmp_path: Path, text: str) -> None:
    entries = tmp_path / "entries"
    entries.mkdir()
    (entries / "odd.json").write_text(text)
    with pytest.raises(BrokenSearch, match=r"odd\.json"):
        build_search(entries, tmp_path / "search")

"""An answer never comes from entries as they were before: what has changed is compiled first."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from kb.catalog.build import write_catalog
from kb.catalog.loader import load_catalog
from kb.cli.inputs import BUILT_FROM, compiled_from, inputs, site_is_current

Run = Callable[..., CompletedProcess[bytes]]

GOOD = Path(__file__).parent.parent / "catalog" / "good" / "entries"
FULL = b"RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted\n"
CHANGED = "kb: the entries have changed; compiling the entries into "


class Checkout:
    """A copy of the made-up catalogue and a build folder of its own."""

    def __init__(self, folder: Path, kb: Run) -> None:
        self.entries, self.out, self.kb = folder / "entries", folder / "build", kb
        shutil.copytree(GOOD, self.entries)

    def run(self, *arguments: str, stdin: bytes = b"", **env: str) -> CompletedProcess[bytes]:
        places = {"FAULTBOOK_ENTRIES": str(self.entries), "FAULTBOOK_BUILD_DIR": str(self.out)}
        return self.kb(*arguments, stdin=stdin, env={**places, **env})

    def retitle(self, title: str) -> None:
        path = self.entries / "engine-slots-full" / "entry.yaml"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        changed = [f"title: {title}\n" if line.startswith("title:") else line for line in lines]
        path.write_text("".join(changed), encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, kb: Run) -> Checkout:
    made = Checkout(tmp_path, kb)
    assert made.run("build", "--index-only").returncode == 0
    return made


def test_a_changed_entry_answers_as_it_is_now(checkout: Checkout) -> None:
    checkout.retitle("Every slot is taken by now")
    done = checkout.run("match", stdin=FULL)
    assert b"Every slot is taken by now" in done.stdout
    assert done.stderr.decode() == f"{CHANGED}{checkout.out}\n"


def test_an_environment_that_cannot_compile_answers_from_before(checkout: Checkout, tmp_path: Path) -> None:
    checkout.retitle("Every slot is taken by now")
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "yaml.py").write_text("raise ModuleNotFoundError(name='yaml')")
    done = checkout.run("match", stdin=FULL, PYTHONPATH=str(tmp_path / "without"))
    assert b"Match, " in done.stdout
    assert b"yaml is not installed; answering from the index before\n" in done.stderr
    (checkout.out / "index.json").unlink()
    done = checkout.run("match", stdin=FULL, PYTHONPATH=str(tmp_path / "without"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"run `kb build --index-only` in Faultbook's own environment\n" in done.stderr


def test_what_has_not_changed_is_not_compiled_again(checkout: Checkout) -> None:
    before = (checkout.out / "index.json").stat()
    done = checkout.run("match", stdin=FULL)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (checkout.out / "index.json").stat().st_mtime_ns == before.st_mtime_ns


def test_an_entry_that_is_gone_or_new_is_a_change(checkout: Checkout) -> None:
    shutil.move(checkout.entries / "engine-slots-full", checkout.entries.parent / "aside")
    done = checkout.run("match", stdin=FULL)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(CHANGED)
    shutil.move(checkout.entries.parent / "aside", checkout.entries / "engine-slots-full")
    done = checkout.run("match", stdin=FULL)
    assert done.returncode == 0
    assert done.stderr.decode().startswith(CHANGED)


def test_a_changed_check_is_a_change_and_a_changed_paste_is_none(checkout: Checkout) -> None:
    with (checkout.entries / "engine-slots-full" / "match-batch.txt").open("a", encoding="utf-8") as paste:
        paste.write("more\n")
    assert checkout.run("match", stdin=FULL).stderr == b""
    with (checkout.entries / "_checks" / "who-holds-the-slots.yaml").open("a", encoding="utf-8") as check:
        check.write("# more\n")
    assert checkout.run("match", stdin=FULL).stderr.decode().startswith(CHANGED)


def test_an_entry_that_was_broken_is_left_out_with_a_note(checkout: Checkout) -> None:
    (checkout.entries / "engine-slots-full" / "entry.yaml").write_text("id: [", encoding="utf-8")
    done = checkout.run("match", stdin=FULL)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[1:] == [
        "kb: left out until `kb check` finds no problem: engine-slots-full"
    ]
    assert checkout.run("match", stdin=FULL).stderr == b""


def test_search_finds_the_words_of_now(checkout: Checkout) -> None:
    assert checkout.run("search", "zebra").returncode == 1
    time.sleep(0.02)  # a file system keeps times no finer than that
    checkout.retitle("Engine met a zebra")
    done = checkout.run("search", "zebra")
    assert done.stdout.startswith(b"engine-slots-full\n")
    assert done.stderr.decode().startswith(CHANGED)


def test_an_entry_is_explained_as_it_is_now(checkout: Checkout) -> None:
    checkout.retitle("Every slot is taken by now")
    assert checkout.run("explain", "engine-slots-full").stdout.startswith(b"Every slot is taken by now")


@pytest.mark.parametrize("how", ["option", "environment"])
def test_an_index_that_is_named_is_taken_as_it_is(checkout: Checkout, how: str) -> None:
    checkout.retitle("Every slot is taken by now")
    index = str(checkout.out / "index.json")
    if how == "option":
        done = checkout.run("match", "--index", index, stdin=FULL)
    else:
        done = checkout.run("match", stdin=FULL, FAULTBOOK_INDEX=index)
    assert b"Engine refuses an adapter because all slots are taken" in done.stdout
    assert done.stderr == b""


def test_a_folder_built_from_other_entries_stays_what_it_is(checkout: Checkout, kb: Run) -> None:
    done = kb(
        "match", stdin=FULL, env={"FAULTBOOK_BUILD_DIR": str(checkout.out)}
    )  # the checkout's own entries
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Engine refuses an adapter" in done.stdout


def test_where_nothing_can_be_written_the_index_before_answers(checkout: Checkout) -> None:
    checkout.retitle("Every slot is taken by now")
    index = checkout.out / "index.json"
    kept = index.read_bytes()
    shutil.rmtree(checkout.out / "checks")
    (checkout.out / "checks").write_text("in the way", encoding="utf-8")
    done = checkout.run("match", stdin=FULL)
    assert done.returncode == 0
    assert "; answering from the index before\n" in done.stderr.decode()
    assert index.read_bytes() == kept
    index.unlink()
    done = checkout.run("match", stdin=FULL)
    assert done.returncode == 2
    assert "name a folder with FAULTBOOK_BUILD_DIR" in done.stderr.decode()


def test_a_site_is_current_until_something_that_it_is_made_of_changes(tmp_path: Path) -> None:
    entries, out = tmp_path / "entries", tmp_path / "build"
    shutil.copytree(GOOD, entries)
    (out / "site").mkdir(parents=True)
    now = inputs(entries)
    (out / BUILT_FROM).write_text(now, encoding="utf-8")
    assert not site_is_current(out, now)
    (out / "site" / "index.html").write_text("x", encoding="utf-8")
    assert site_is_current(out, now)
    os.utime(entries / "engine-slots-full" / "match-batch.txt", ns=(1, 1))  # pages show the pastes
    assert not site_is_current(out, inputs(entries))


def test_what_an_index_was_compiled_from_does_not_depend_on_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalog(load_catalog(GOOD), tmp_path)
    monkeypatch.chdir(GOOD.parent)
    assert compiled_from(Path("entries")) == compiled_from(GOOD)

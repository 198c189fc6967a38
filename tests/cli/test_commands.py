"""The other commands: explain, search, check, new, build, schema, and what is said when they are misused."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from kb.catalog.unwritten import MARK

Run = Callable[..., subprocess.CompletedProcess[bytes]]

COMMANDS = ("match", "run", "watch", "explain", "search", "check", "stats", "new", "build", "serve", "schema")
GOOD = Path(__file__).parent.parent / "catalog" / "good" / "entries"
ENTRIES = Path(__file__).parent.parent.parent / "entries"


def test_help_names_every_command(kb: Run) -> None:
    shown = kb("--help").stdout.decode()
    assert [command for command in COMMANDS if command not in shown] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_says_what_it_does(kb: Run, command: str) -> None:
    done = kb(command, "--help")
    assert done.returncode == 0
    assert done.stdout.decode().startswith(f"usage: kb {command}")


def test_the_release_is_told(kb: Run) -> None:
    done = kb("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"kb {version('faultbook')}\n")


@pytest.mark.parametrize("arguments", [("match", "--foo"), ("match", "a", "b"), ("explain", "--json")])
def test_a_misused_command_shows_its_own_usage(kb: Run, arguments: tuple[str, ...]) -> None:
    done = kb(*arguments)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"usage: kb {arguments[0]} ")
    assert f"kb {arguments[0]}: error: " in done.stderr.decode()


def test_the_examples_of_the_help_name_checks_that_exist(kb: Run) -> None:
    shown = kb("match", "--help").stdout.decode()
    named = re.findall(r"--outcome ([a-z-]+)=([a-z-]+)", shown)
    assert named
    for check, outcome in named:
        text = (ENTRIES / "_checks" / f"{check}.yaml").read_text(encoding="utf-8")
        assert f"  - id: {outcome}\n" in text


def test_a_command_that_is_none_is_a_usage_error(kb: Run) -> None:
    assert kb("diagnose").returncode == 2
    assert kb().returncode == 2


def test_check_prints_each_problem_on_its_line_and_their_number(kb: Run, tmp_path: Path) -> None:
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    (root / "engine-slots-full" / "notes.txt").write_text("x", encoding="utf-8")
    (root / "engine-worker-lost" / "entry.yaml").write_text("id: [", encoding="utf-8")
    done = kb("check", str(root))
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1
    assert lines[0] == (
        f"{root}/engine-slots-full/notes.txt:1:1 KB602 notes.txt is not listed "
        "(list it under `examples`, or remove it)"
    )
    assert " KB002 " in lines[1]
    assert lines[-1] == "2 problems in 3 entries"


def test_check_of_one_entry_shows_its_problems_alone(kb: Run, tmp_path: Path) -> None:
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    (root / "engine-slots-full" / "notes.txt").write_text("x", encoding="utf-8")
    one = kb("check", str(root / "engine-slots-pinned"))
    assert (one.returncode, one.stdout) == (0, b"no problem in 1 entry\n")
    assert kb("check", str(root / "engine-slots-full" / "entry.yaml")).returncode == 1
    assert kb("check", str(root / "engine-slots-full")).returncode == 1
    assert kb("check", str(root / "_checks")).returncode == 0


def test_check_as_json_has_the_same_problems(kb: Run, tmp_path: Path) -> None:
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    (root / "engine-slots-full" / "notes.txt").write_text("x", encoding="utf-8")
    done = kb("check", "--json", str(root))
    problems = json.loads(done.stdout)
    assert done.returncode == 1
    assert [(p["code"], p["line"], p["column"]) for p in problems] == [("KB602", 1, 1)]
    assert json.loads(kb("check", "--json", str(GOOD)).stdout) == []


def test_a_new_entry_can_begin_with_a_paste(kb: Run, tmp_path: Path) -> None:
    root, paste = tmp_path / "entries", tmp_path / "paste.txt"
    shutil.copytree(GOOD, root)
    said = "[rank3]: frob.PoolError: pool 'warm' holds 17 blocks, wanted 19\n"
    paste.write_text(f"password=hunter2-x9\n{said}", encoding="utf-8")
    done = kb("new", "--from", str(paste), "--id", "frob-pool-too-small", "--entries", str(root))
    assert done.returncode == 0, done.stderr.decode()
    assert b"replace what else names a person" in done.stdout
    folder = root / "frob-pool-too-small"
    assert "pool '{word:word}' holds {int:int} blocks" in (folder / "entry.yaml").read_text("utf-8")
    example = (folder / "match-message.txt").read_text("utf-8")
    assert "frob.PoolError: pool 'warm'" in example
    assert "hunter2" not in example
    problems = json.loads(kb("check", "--json", str(folder)).stdout)
    assert {problem["code"] for problem in problems} == {"KB508"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--id", "some-entry"), "needs a title and --id, or --from"),
        (("--from", "{healthy}"), "says that something failed"),
        (("--from", "/nowhere.txt"), "cannot read /nowhere.txt"),
    ],
)
def test_a_new_entry_out_of_nothing_is_refused(
    kb: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    root, healthy = tmp_path / "entries", tmp_path / "healthy.txt"
    shutil.copytree(GOOD, root)
    healthy.write_text("INFO all is well\n", encoding="utf-8")
    given = [argument.format(healthy=healthy) for argument in arguments]
    done = kb("new", *given, "--entries", str(root))
    assert done.returncode == 2
    assert said in done.stderr.decode()


def test_check_of_nothing_is_a_usage_error(kb: Run) -> None:
    done = kb("check", "/nowhere")
    assert done.returncode == 2
    assert b"there is no /nowhere" in done.stderr


def made_draft(kb: Run, tmp_path: Path, title: str = "Engine says no to an adapter") -> Path:
    """Entries with a new one among them; the path of its entry.yaml."""
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    made = kb("new", title, "--id", "engine-says-no", "--entries", str(root))
    assert made.returncode == 0, made.stderr.decode()
    return root / "engine-says-no" / "entry.yaml"


def test_a_new_entry_is_complete_but_for_what_says_todo(kb: Run, tmp_path: Path) -> None:
    title = 'Engine says "no": colons, quotes and # in a title'
    path = made_draft(kb, tmp_path, title)
    problems = json.loads(kb("check", "--json", str(path.parent)).stdout)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert {problem["code"] for problem in problems} == {"KB508"}
    assert len(problems) == sum(MARK in line for line in lines)
    written = path.read_text(encoding="utf-8").replace(MARK, "Written")
    path.write_text(written, encoding="utf-8")
    paste = path.with_name("match-message.txt")
    paste.write_text(paste.read_text(encoding="utf-8").replace(MARK, "Written"), encoding="utf-8")
    done = kb("check", str(path.parent.parent))
    assert (done.stdout, done.returncode) == (b"no problem in 4 entries\n", 0)
    out = tmp_path / "out"
    assert kb("build", "--index-only", "--entries", str(path.parents[1]), "--out", str(out)).returncode == 0
    entry = json.loads((out / "entries" / "engine-says-no.json").read_text(encoding="utf-8"))
    assert entry["title"] == title


def test_a_new_entry_names_no_path_of_this_machine(kb: Run, tmp_path: Path) -> None:
    path = made_draft(kb, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert "kb check entries/engine-says-no\n" in text
    assert str(tmp_path) not in text


def test_an_unwritten_entry_answers_nobody(kb: Run, tmp_path: Path) -> None:
    path = made_draft(kb, tmp_path)
    out = tmp_path / "out"
    built = kb("build", "--index-only", "--entries", str(path.parents[1]), "--out", str(out))
    assert built.returncode == 1
    assert built.stderr.splitlines()[-1] == b"kb: left out until these problems are mended: engine-says-no"
    paste = path.with_name("match-message.txt").read_bytes()
    assert kb("match", stdin=paste, env={"FAULTBOOK_BUILD_DIR": str(out)}).returncode == 1


@pytest.mark.parametrize(
    ("title", "entry_id", "say"),
    [
        ("A title that is long enough", "Engine_Says_No", "--id is lower-case words"),
        ("Short", "engine-says-no", "a title has 10 to 100 characters"),
        ("A title that is long enough", "engine-slots-full", "engine-slots-full is there already"),
        (
            "A title that is long enough",
            "engine-no-slot",
            "engine-no-slot is a former id of engine-slots-full",
        ),
        ("A title that is long enough", "who-holds-the-slots", "who-holds-the-slots is there already"),
    ],
)
def test_an_id_is_never_given_twice(kb: Run, tmp_path: Path, title: str, entry_id: str, say: str) -> None:
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    done = kb("new", title, "--id", entry_id, "--entries", str(root))
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"kb: {say}")


def test_build_leaves_out_what_cannot_be_compiled_and_says_so(kb: Run, tmp_path: Path) -> None:
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    (root / "engine-worker-lost" / "entry.yaml").write_text("id: [", encoding="utf-8")
    done = kb("build", "--index-only", "--entries", str(root), "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert b"engine-worker-lost/entry.yaml" in done.stderr
    index = json.loads((tmp_path / "out" / "index.json").read_text(encoding="utf-8"))
    assert [entry["id"] for entry in index["entries"]] == ["engine-slots-full", "engine-slots-pinned"]


def test_pages_are_written_as_plain_markdown_for_any_generator(kb: Run, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    build = ("build", "--entries", str(GOOD), "--out", str(tmp_path / "out"), "--pages", str(pages))
    done = kb(*build)
    written = {path.relative_to(pages).as_posix() for path in pages.rglob("*.md")}
    assert (done.returncode, done.stdout.decode()) == (0, f"{len(written)} pages in {pages}\n")
    entries = {path.parent.name for path in GOOD.glob("*/entry.yaml")}
    assert {f"errors/{name}/index.md" for name in entries} | {"index.md", "errors/index.md"} < written
    for name in entries:
        assert json.loads((pages / "errors" / name / "entry.json").read_bytes())["id"] == name
    assert not (tmp_path / "out" / "site").exists()


def test_a_folder_with_files_in_it_takes_no_pages(kb: Run, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "own.md").write_text("mine", encoding="utf-8")
    build = ("build", "--entries", str(GOOD), "--out", str(tmp_path / "out"))
    done = kb(*build, "--pages", str(tmp_path / "pages"))
    assert done.returncode == 2
    assert "not an empty folder" in done.stderr.decode()
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["own.md"]
    assert kb(*build, "--pages", "x", "--index-only").returncode == 2


def test_schemas_are_written_beside_the_entries(kb: Run, tmp_path: Path) -> None:
    done = kb("schema", "--write", "--entries", str(tmp_path))
    assert (done.returncode, done.stdout.decode()) == (0, f"{tmp_path}/_schema\n")
    written = json.loads((tmp_path / "_schema" / "entry.json").read_text(encoding="utf-8"))
    assert written == json.loads(kb("schema").stdout)
    assert kb("schema", "--write", "--entries", "/nowhere").returncode == 2


def test_schema_is_json_with_the_keys_of_an_entry(kb: Run) -> None:
    schema = json.loads(kb("schema").stdout)
    assert {"signatures", "causes", "examples"} <= set(schema["properties"])


def test_an_entry_is_explained_for_people_and_for_programs(kb: Run) -> None:
    entry_id = min(path.parent.name for path in ENTRIES.glob("*/entry.yaml"))
    document = json.loads(kb("explain", "--json", entry_id).stdout)
    assert document["id"] == entry_id
    done = kb("explain", entry_id)
    assert done.returncode == 0
    assert done.stdout.decode().startswith(document["title"][:40])


def test_an_unknown_entry_is_answered_with_the_nearest(kb: Run) -> None:
    known = min(path.parent.name for path in ENTRIES.glob("*/entry.yaml"))
    done = kb("explain", known[:-2])
    assert done.returncode == 2
    assert known in done.stderr.decode()


def test_search_finds_an_entry_by_a_word_of_it(kb: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert kb("build", "--index-only", "--entries", str(GOOD), "--out", str(out)).returncode == 0
    here = {"FAULTBOOK_BUILD_DIR": str(out)}
    done = kb("search", "pinned", env=here)
    assert done.returncode == 0
    assert done.stdout.startswith(b"engine-slots-pinned\n")
    found = json.loads(kb("search", "--json", "adapter", "slots", env=here).stdout)
    assert {each["id"] for each in found} == {"engine-slots-full", "engine-slots-pinned"}
    assert kb("search", "zebra", env=here).returncode == 1

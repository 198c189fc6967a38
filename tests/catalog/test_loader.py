"""A folder of entries as models, with every problem that stands in the way."""

import json
import shutil
from pathlib import Path

import pytest

from kb.catalog.loader import load_catalog
from kb.catalog.problems import Problem, as_json, in_order
from kb.catalog.rules import all_problems

GOOD = Path(__file__).parent / "good" / "entries"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(GOOD, tmp_path / "entries")
    return tmp_path / "entries"


def test_all_problems_of_a_file_are_told_at_once(root: Path) -> None:
    path = root / "engine-worker-lost" / "entry.yaml"
    text = path.read_text(encoding="utf-8")
    text = text.replace("status: draft", "status: done").replace("role: secondary", "roll: secondary")
    path.write_text(text.replace("published: 2026-11-01\n", ""), encoding="utf-8")
    problems = load_catalog(root).problems
    assert [problem.code for problem in problems] == ["KB101", "KB103", "KB102"]
    assert problems[0].line == 1  # what is missing stands nowhere: the place of its nearest parent
    assert text.splitlines()[problems[1].line - 1] == "status: done"
    assert "did you mean `role`?" in problems[2].hint


def test_an_entry_that_cannot_be_read_is_still_known_to_others(root: Path) -> None:
    (root / "engine-slots-pinned" / "entry.yaml").write_text("id: [", encoding="utf-8")
    problems = all_problems(load_catalog(root))
    assert [problem.code for problem in problems] == ["KB002"], [str(problem) for problem in problems]


def test_a_file_that_is_not_utf_8_is_a_problem(root: Path) -> None:
    path = root / "engine-worker-lost" / "entry.yaml"
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))
    assert [problem.code for problem in load_catalog(root).problems] == ["KB001"]


def test_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    assert [problem.code for problem in load_catalog(tmp_path / "nowhere").problems] == ["KB001"]


def test_one_entry_can_be_read_alone(root: Path) -> None:
    catalog = load_catalog(root, only="engine-worker-lost")
    assert [file.entry.id for file in catalog.entries] == ["engine-worker-lost"]
    assert "engine-slots-full" in catalog.entry_ids


def test_values_are_typed_by_the_model_and_not_by_yaml(root: Path) -> None:
    entry = load_catalog(root).by_id["engine-slots-full"].entry
    assert entry.affected[0].fixed_in == "2.0"
    assert entry.signatures[0].source.line == 31
    assert entry.signatures[2].source.confirmed is False
    assert entry.flags[0].allowed[0].values == [4, 8, 16]


def test_a_problem_is_one_line_that_says_where_what_and_what_to_do() -> None:
    problem = Problem("entries/x/entry.yaml", 17, 5, "KB203", "link is not a permalink", "pin it to a commit")
    assert str(problem) == "entries/x/entry.yaml:17:5 KB203 link is not a permalink (pin it to a commit)"


def test_problems_are_sorted_by_number_of_line_and_told_once() -> None:
    def at(line: int, path: str = "a") -> Problem:
        return Problem(path, line, 1, "KB101", "m", "h")

    assert in_order([at(10), at(9), at(1, "b"), at(9)]) == (at(9), at(10), at(1, "b"))
    assert json.loads(json.dumps(as_json([at(2)]))) == [
        {"path": "a", "line": 2, "column": 1, "code": "KB101", "message": "m", "hint": "h"}
    ]

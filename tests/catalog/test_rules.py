"""Every rule has a known-bad entry that trips it, and it alone, at the right place.

`good/entries` is a made-up catalogue without a problem. Each file under `bad/` changes it in one way and says
`good/entries` is a made-up catalogue without a problem. Each file under `bad/` changes it once and says
shows in another file or the text stands more than once, `within` is another text of the reported line.
"""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.catalog.loader import load_catalog
from kb.catalog.problems import READING, Problem
from kb.catalog.rules import CODES, RULES, all_problems

HERE = Path(__file__).parent
GOOD = HERE / "good" / "entries"
BAD = sorted((HERE / "bad").glob("*.yaml"))


def apply(case: dict[str, Any], root: Path) -> None:
    for change in case.get("change", ()):
        path = root / case["file"]
        before = path.read_text(encoding="utf-8")
        assert before.count(change["from"]) == 1, f"{change['from']!r} must stand once in {case['file']}"
        path.write_text(before.replace(change["from"], change["to"]), encoding="utf-8")
    for name, text in case.get("write", {}).items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    for name in case.get("remove", ()):
        (root / name).unlink()


def rest_of_line(problem: Problem) -> tuple[str, str]:
    """The line a problem points to, and what stands there from its column on."""
    path = Path(problem.path)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else [""]
    line = lines[problem.line - 1]
    return line, line[problem.column - 1 :]


def test_good_catalogue_has_no_problem() -> None:
    assert [str(problem) for problem in all_problems(load_catalog(GOOD))] == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_entry_trips_its_rule_alone(path: Path, tmp_path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    root = tmp_path / "entries"
    shutil.copytree(GOOD, root)
    apply(case, root)
    problems = all_problems(load_catalog(root))
    assert [problem.code for problem in problems] == [path.stem[:5]], [str(problem) for problem in problems]
    line, rest = rest_of_line(problems[0])
    assert rest.startswith(case["at"]), f"{problems[0]} points to {rest!r}"
    assert case.get("within", "") in line
    if "within" not in case:
        assert problems[0].path == str(root / case["file"])


def test_every_code_has_a_bad_entry() -> None:
    assert {path.stem[:5] for path in BAD} == set(CODES)


def test_codes_are_unique_and_give_a_reason() -> None:
    codes = [*READING, *(rule.code for rule in RULES)]
    assert len(codes) == len(set(codes))
    assert not [code for code, why in CODES.items() if len(why) < 20]


def test_a_rule_looks_at_entries_or_at_checks() -> None:
    assert not [rule.code for rule in RULES if bool(rule.on_entry) == bool(rule.on_check)]

"""Imports go one way, and the matcher needs nothing but Python."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MATCHER = sorted((ROOT / "kb" / "diagnose").rglob("*.py"))


def test_import_directions_hold() -> None:
    """The contracts of pyproject.toml: layers, forbidden packages, no cycles."""
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [lint, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_a_matcher_to_look_at() -> None:
    assert len(MATCHER) > 5


@pytest.mark.parametrize("path", MATCHER, ids=[str(path.relative_to(ROOT)) for path in MATCHER])
def test_the_matcher_imports_only_the_standard_library(path: Path) -> None:
    """It goes to the browser as it stands, where nothing else is installed."""
    foreign = {
        name
        for name in imported_names(ast.parse(path.read_text("utf-8")))
        if name.partition(".")[0] not in sys.stdlib_module_names and not f"{name}.".startswith("kb.diagnose.")
    }
    assert not foreign


def imported_names(tree: ast.Module) -> set[str]:
    """The full names of all modules that a file imports, at its head or inside a function."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def test_the_matcher_runs_where_nothing_is_installed() -> None:
    """An isolated interpreter without site-packages loads what the browser loads."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import kb.diagnose.browser"
    subprocess.run([sys.executable, "-I", "-S", "-W", "error", "-c", code], check=True)


def test_serving_loads_neither_yaml_nor_mkdocs_nor_the_loader() -> None:
    """import-linter sees direct imports of foreign packages only; this sees what is really loaded."""
    code = (
        "import sys, api.app\n"
        "print(*sorted({'yaml', 'mkdocs', 'kb.catalog.loader', 'kb.site'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []

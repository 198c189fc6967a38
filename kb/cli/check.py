"""`kb check`: every problem of the entries, each on its line."""

from __future__ import annotations

import argparse
from pathlib import Path

from kb.catalog.loader import CHECKS, load_catalog
from kb.catalog.problems import Problem, as_json, in_order
from kb.catalog.rules import CODES, all_problems
from kb.cli.output import print_json
from kb.cli.places import entries_folder
from kb.cli.stop import StopError


def run(arguments: argparse.Namespace) -> int:
    """Print the problems; 1 when there are any."""
    if arguments.codes:
        print("\n".join(f"{code}  {why}" for code, why in sorted(CODES.items())))
        return 0
    problems, entries = _problems([Path(path) for path in arguments.path])
    if arguments.json:
        print_json(as_json(problems))
    else:
        print("".join(f"{problem}\n" for problem in problems) + _sum(len(problems), entries))
    return 1 if problems else 0


def _problems(paths: list[Path]) -> tuple[tuple[Problem, ...], int]:
    wanted: dict[Path, list[Path]] = {}
    for path in paths or [entries_folder()]:
        root, part = _root(path)
        wanted.setdefault(root, []).append(part)
    found: list[Problem] = []
    count = 0
    for root, parts in wanted.items():
        catalog = load_catalog(root)
        found += [problem for problem in all_problems(catalog) if _inside(problem, parts)]
        count += sum(_is_part(root.resolve() / name, parts) for name in catalog.entry_ids)
    return in_order(found), count


def _root(path: Path) -> tuple[Path, Path]:
    """The folder of entries that a path lies in, and the part of it that was asked for."""
    if not path.exists():
        raise StopError(f"there is no {path}; name an entry, such as entries/<id>, or a folder of entries")
    part = path.resolve()
    folder = path if path.is_dir() else path.parent
    is_entry = (folder / "entry.yaml").exists() or folder.name == CHECKS or path.is_file()
    return (folder.parent if is_entry else folder), (part.parent if part.name == "entry.yaml" else part)


def _inside(problem: Problem, parts: list[Path]) -> bool:
    return _is_part(Path(problem.path).resolve(), parts)


def _is_part(path: Path, parts: list[Path]) -> bool:
    return any(path == part or part in path.parents for part in parts)


def _sum(problems: int, entries: int) -> str:
    def count(number: int, one: str, many: str) -> str:
        return f"{number} {one if number == 1 else many}"

    read = count(entries, "entry", "entries")
    return f"{count(problems, 'problem', 'problems')} in {read}" if problems else f"no problem in {read}"

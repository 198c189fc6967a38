"""Odd forms, each as a file: what comes out is read in review. `--update` writes it anew."""

from pathlib import Path

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.text import Line
from tests.diagnose.clean.promises import check

ODD = Path(__file__).parent / "odd"
PASTES = sorted(ODD.glob("*.txt"))


def shown(line: Line) -> str:
    """A clean line for people: its place in the paste, its text, and what is known of it."""
    number, column = line.locate(0)
    return f"{number}:{column} |{line.text}\n" + "".join(f"      {word}\n" for word in known(line))


def known(line: Line) -> list[str]:
    process = line.process._asdict()
    about = {"level": line.level, "time": line.time, "place": line.place, "logger": line.logger}
    words = [f"{name}={value}" for name, value in (process | about).items() if value is not None]
    return [" ".join(words)] if words else []


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_odd_paste_is_cleaned_as_reviewed(path: Path, update: bool) -> None:
    text = path.read_text(encoding="utf-8")
    cleaned = clean(text)
    check(text, cleaned)
    found = "".join(map(shown, cleaned.lines))
    golden = path.with_suffix(".clean")
    if update:
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")

"""Nothing is answered where nothing is known: healthy logs, prose, and failures of other fields.

`healthy-*` and `prose-*` hold no failure at all; `foreign-*` hold one that is no entry's.
"""

from pathlib import Path

import pytest

from tests.proof.examples import Ask

FILES = sorted((Path(__file__).parent / "quiet").glob("*.txt"))
SILENT = [file for file in FILES if file.name.startswith(("healthy-", "prose-"))]
FOREIGN = [file for file in FILES if file.name.startswith("foreign-")]


@pytest.mark.parametrize("file", SILENT, ids=lambda file: file.stem)
def test_no_failure_is_seen_where_there_is_none(file: Path, ask: Ask) -> None:
    diagnosis = ask(file.read_text())
    assert [failure.initiating.text for failure in diagnosis.failures] == []
    assert (diagnosis.verdict, diagnosis.best) == ("no_match", None)


@pytest.mark.parametrize("file", FOREIGN, ids=lambda file: file.stem)
def test_a_failure_of_another_field_is_no_match(file: Path, ask: Ask) -> None:
    diagnosis = ask(file.read_text())
    assert (diagnosis.verdict, diagnosis.best) == ("no_match", None)


def test_every_file_is_one_of_the_three_kinds() -> None:
    assert sorted(SILENT + FOREIGN) == FILES
    assert SILENT
    assert FOREIGN

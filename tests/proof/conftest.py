"""The real entries, compiled once, and a diagnosis for any text."""

from pathlib import Path

import pytest

from kb.diagnose import diagnose
from kb.diagnose.index import Index, load_index
from tests.proof.examples import Ask


@pytest.fixture(scope="session")
def index(build_dir: Path) -> Index:
    return load_index(build_dir / "index.json")


@pytest.fixture(scope="session")
def ask(index: Index) -> Ask:
    """Diagnose a text with the real entries."""
    return lambda text: diagnose(text, index)

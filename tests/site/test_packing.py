"""Byte code in a zip, made and read by the Python that runs the tests."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kb.site.browser_build.packing import pack

PROGRAM = '''"""Words about the module."""

def half(number):
    """Words about the function."""
    assert number, "not zero"
    return 1 / number
'''


@pytest.fixture
def sources(tmp_path: Path) -> str:
    path = tmp_path / "sources.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("toy/__init__.py", "")
        archive.writestr("toy/halves.py", PROGRAM)
        archive.writestr("toy/unused.py", "this is no Python")
        archive.writestr("toy/README.txt", "read me")
    return str(path)


WANTED = {"toy/__init__.py", "toy/halves.py"}


def test_the_wanted_modules_alone_are_packed_and_the_same_each_time(sources: str) -> None:
    packed = pack(sources, WANTED)
    assert packed == pack(sources, WANTED)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["toy/__init__.pyc", "toy/halves.pyc"]


def test_packed_modules_run_without_sources_and_errors_name_their_place(sources: str, tmp_path: Path) -> None:
    packed = tmp_path / "packed.zip"
    packed.write_bytes(pack(sources, WANTED))
    Path(sources).unlink()
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from toy.halves import half; print(half(2)); half(0)"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(packed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "0.5\n"
    assert f'File "{sources}/toy/halves.py", line 6, in half' in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_words_for_readers_are_left_out(sources: str) -> None:
    with zipfile.ZipFile(io.BytesIO(pack(sources, WANTED))) as archive:
        assert b"Words about" not in archive.read("toy/halves.pyc")


def test_what_is_no_python_is_not_passed_over(sources: str) -> None:
    with pytest.raises(SyntaxError):
        pack(sources)

"""Pinned lines are judged by the words that stand around them, and archives are unpacked safely."""

import io
import tarfile
import zipfile

import pytest

from bench.pins.__main__ import Pin, judge, told
from bench.pins.releases import members
from kb.catalog.entry import Source

WORDS = ("rank", "is", "greater", "than", "max_lora_rank")
MESSAGE = [
    "def check(self):",
    "    raise ValueError(",
    '        f"rank {r} is greater "',
    '        f"than max_lora_rank")',
]


def pin(line: int, words: tuple[str, ...] = WORDS) -> Pin:
    source = Source(type="source", repository="o/r", release="1.0", path="a.py", line=line)
    return Pin("entry", "signature", words, source)


@pytest.mark.parametrize(
    ("line", "words", "result"),
    [
        (3, WORDS, "stands"),
        (300, WORDS, "moved"),
        (3, ("quantum", "entanglement"), "not seen"),
        (3, (), "passes on"),
        (900, WORDS, "missing"),
    ],
)
def test_a_pinned_line_is_judged_by_the_words_around_it(
    line: int, words: tuple[str, ...], result: str
) -> None:
    assert judge(pin(line, words), MESSAGE + ["pass"] * 400).result == result


def test_the_flag_of_an_option_is_its_name_with_either_dash() -> None:
    assert told(("max_lora_rank",), ['add("--max-lora-rank")']) == 1.0
    assert told(("max_lora_rank",), ['add("--max-loras")']) == 0.0


def test_members_outside_the_folder_are_left_out() -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name in ("p-1/ok.py", "p-1/../../evil.py", "p-1/binary.so"):
            info = tarfile.TarInfo(name)
            info.size = 2
            tar.addfile(info, io.BytesIO(b"x\n"))
    assert [str(path) for path, _ in members(archive.getvalue(), "p-1.tar.gz")] == ["ok.py"]
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("p/ok.py", "x\n")
        packed.writestr("/evil.py", "x\n")
    assert [str(path) for path, _ in members(wheel.getvalue(), "p-1-py3-none-any.whl")] == ["p/ok.py"]

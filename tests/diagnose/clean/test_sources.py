"""Prefixes of several writers are known by the tracebacks behind each of them."""

import pytest

from kb.diagnose.clean import clean

API = (
    "Traceback (most recent call last):",
    '  File "/srv/api.py", line 10, in handle',
    "    return table[key]",
    "KeyError: 'tenant'",
)
TRAIN = (
    "Traceback (most recent call last):",
    '  File "/srv/train.py", line 99, in main',
    "    open(path)",
    "FileNotFoundError: [Errno 2] No such file or directory: 'shard-1.tar'",
)


def interleaved(one: str, other: str) -> str:
    return "\n".join(
        line for pair in zip(API, TRAIN, strict=True) for line in (one + pair[0], other + pair[1])
    )


@pytest.mark.parametrize(
    ("one", "other", "hosts"),
    [
        ("[pod/api-1] ", "[pod/train-7] ", {"pod/api-1", "pod/train-7"}),
        ("(api-1) ", "(train-7) ", {"api-1", "train-7"}),
        ("[api] 10:00:00 ", "[train] 10:00:01 ", {"api", "train"}),
        ("10:00:00 api: ", "10:00:01 train: ", {"api", "train"}),
        ("gpu-1> ", "gpu-2> ", {"gpu-1", "gpu-2"}),
        ("worker 1> ", "worker 2> ", {"worker 1", "worker 2"}),
        ("/var/log/a.log:", "/var/log/b.log:", {"var/log/a.log", "var/log/b.log"}),
    ],
)
def test_each_writer_is_a_host_of_its_own(one: str, other: str, hosts: set[str]) -> None:
    lines = clean(interleaved(one, other)).lines
    assert [line.text for line in lines[::2]] == list(API)
    assert [line.text for line in lines[1::2]] == list(TRAIN)
    assert {line.process.host for line in lines} == hosts
    assert len({line.process for line in lines[::2]}) == 1


def test_numbers_of_lines_name_nobody() -> None:
    """grep writes the number of each line, and a colon for a dash where it found something."""
    text = "\n".join(
        f"{name}.log{':' if number == 11 else '-'}{number}{':' if number == 11 else '-'}{line}"
        for name, lines in (("a", API), ("b", TRAIN))
        for number, line in enumerate(lines, 11)
    )
    lines = clean(text).lines
    assert [line.text for line in lines] == [*API, *TRAIN]
    assert [line.process.host for line in lines] == ["a.log"] * 4 + ["b.log"] * 4


@pytest.mark.parametrize("words", ["It printed this: ", "  | "])
def test_what_stands_before_the_head_alone_is_no_prefix(words: str) -> None:
    text = "\n".join(["starting", words + API[0], *API[1:], "goodbye"])
    assert "\n".join(line.text for line in clean(text).lines).endswith("\n".join([*API[1:], "goodbye"]))
    assert {line.process.host for line in clean(text).lines} == {None}

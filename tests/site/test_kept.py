"""Results that are kept from one build to the next."""

import os
import time
from pathlib import Path

import pytest

from kb.site.kept import UNUSED, kept


def test_a_result_is_made_once_for_the_same_inputs(tmp_path: Path) -> None:
    made = []

    def make() -> bytes:
        made.append(1)
        return b"result %d" % len(made)

    assert [kept(make, b"a", b"b", folder=tmp_path) for _ in range(2)] == [b"result 1"] * 2
    assert kept(make, b"ab", folder=tmp_path) == b"result 2"
    assert kept(make, b"ab", b"", folder=tmp_path) == b"result 3"
    assert len(made) == 3


def test_where_nothing_can_be_kept_the_result_is_made_each_time(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("where a folder should be")
    results = iter((b"first", b"second"))
    assert [kept(lambda: next(results), b"a", folder=blocked) for _ in range(2)] == [b"first", b"second"]


def test_what_nobody_asked_for_goes(tmp_path: Path) -> None:
    for name in (b"old", b"used", b"young"):
        kept(lambda: b"result", name, folder=tmp_path)
    long_ago = time.time() - UNUSED - 60
    for path in tmp_path.iterdir():
        os.utime(path, (long_ago, long_ago))
    kept(lambda: b"another", b"used", folder=tmp_path)
    kept(lambda: b"result", b"new", folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert kept(lambda: b"another", b"used", folder=tmp_path) == b"result"


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    def fail() -> bytes:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        kept(fail, b"a", folder=tmp_path)
    assert kept(lambda: b"result", b"a", folder=tmp_path) == b"result"

"""A few of the soak's requests with every run of the tests; `make soak` sends ten thousand."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from bench.soak import judge, soak
from bench.soak_requests import EVIL, KINDS, Sent, requests


def test_hostile_requests_are_answered_or_refused_and_leave_nothing_behind(
    build_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = tmp_path / "build"
    shutil.copytree(build_dir, build)
    assert soak(build, 300, seed=7) == 0
    told = capsys.readouterr()
    assert "300 hostile requests" in told.out
    assert told.err == ""


def test_all_kinds_are_sent_and_the_same_ones_for_the_same_seed() -> None:
    once, again = list(requests(400, 5)), list(requests(400, 5))
    assert [each.data for each in once] == [each.data for each in again]
    assert set(Counter(each.kind for each in once)) == set(KINDS)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>fine", ""),
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n" + EVIL.encode(), "markup"),
        (b"HTTP/1.1 500 Oh\r\n\r\n", "status 500"),
        (b"HTTP/1.1 503 No\r\n\r\n", "status 503"),
        (b"HTTP/1.1 302 Found\r\nLocation: //x\r\n\r\n", "status 302"),
        (b"HTTP/1.1 200 OK\r\nSet-Cookie: x=1\r\n\r\n", "smuggled"),
        (b"HTTP/1.1 404 No\r\ncontent-type: application/problem+json\r\n\r\n{}", "without a sentence"),
        (b"", "no answer"),
    ],
)
def test_what_must_not_be_is_seen(answer: bytes, wrong: str) -> None:
    status = int(answer.split()[1]) if answer else 0
    found = judge(Sent("paste", b"GET / HTTP/1.1\r\n"), status, answer)
    assert wrong in found
    assert bool(found) is bool(wrong)

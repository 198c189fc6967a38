"""`kb match`: a paste in, the answer out, and an exit status that a script can read."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[bytes]]

FULL = b"RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted\n"
HEALTHY = b"INFO toyengine is ready\n"


def test_a_match_is_said_in_words_with_the_persons_numbers(kb: Run) -> None:
    done = kb("match", stdin=FULL)
    answer = done.stdout.decode()
    assert done.returncode == 0
    assert answer.startswith("Match, ")
    assert "Engine refuses an adapter because all slots are taken" in answer
    assert "> 1 | RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted" in answer
    assert "\ntoyengine serve --adapter-slots 8\n" in answer  # the smallest allowed value at or above 4 + 2
    assert done.stderr == b""


def test_no_match_is_an_answer_with_status_1(kb: Run) -> None:
    done = kb("match", "-", stdin=HEALTHY)
    assert done.returncode == 1
    assert done.stdout.startswith(b"No match\n")


def test_a_file_gives_the_same_answer_as_a_pipe(kb: Run, tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(FULL)
    assert kb("match", str(path)).stdout == kb("match", stdin=FULL).stdout


def test_json_is_the_wire_form(kb: Run) -> None:
    answer = json.loads(kb("match", "--json", stdin=FULL).stdout)
    assert answer["verdict"] == "match"
    assert answer["best"]["entry"] == "engine-slots-full"
    assert answer["given"]["versions"] == {}


def test_what_is_known_beside_the_paste_is_handed_on(kb: Run, tmp_path: Path) -> None:
    output = tmp_path / "slots.txt"
    output.write_text("slot 1 is pinned\n", encoding="utf-8")
    known = ("--package", "toyengine==1.4.0", "--component", "toyengine")
    done = kb("match", "--json", *known, "--output", f"who-holds-the-slots={output}", stdin=FULL)
    given = json.loads(done.stdout)["given"]
    assert given["versions"] == {"toyengine": "1.4.0"}
    assert given["components"] == ["toyengine"]
    assert given["outcomes"] == {"who-holds-the-slots": "pinned"}  # recognised in the output
    assert given["outputs"] == {"who-holds-the-slots": "slot 1 is pinned\n"}


def test_an_outcome_is_handed_on(kb: Run) -> None:
    done = kb("match", "--json", "--outcome", "who-holds-the-slots=in-use", stdin=FULL)
    assert json.loads(done.stdout)["given"]["outcomes"] == {"who-holds-the-slots": "in-use"}


def test_output_that_shows_no_outcome_is_answered_with_a_note(kb: Run, tmp_path: Path) -> None:
    output = tmp_path / "slots.txt"
    output.write_text("slot 1 is somewhere\n", encoding="utf-8")
    done = kb("match", "--json", "--output", f"who-holds-the-slots={output}", stdin=FULL)
    assert done.returncode == 0
    assert done.stderr.decode() == (
        "kb: the output for who-holds-the-slots shows none of its outcomes; name one: pinned, in-use\n"
    )


def test_many_pastes_are_answered_in_order_and_a_bad_line_stops_nothing(kb: Run) -> None:
    lines = [
        json.dumps({"id": "one", "text": FULL.decode()}),
        "{not json",
        json.dumps({"id": 3, "text": ""}),
        "",
        json.dumps(["no", "object"]),
        json.dumps({"id": "six", "text": HEALTHY.decode()}),
    ]
    done = kb("match", "--jsonl", "-", stdin="\n".join(lines).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [answer["id"] for answer in answers] == ["one", None, 3, None, "six"]
    assert [answer.get("diagnosis", {}).get("verdict") for answer in answers] == [
        "match",
        None,
        None,
        None,
        "no_match",
    ]
    assert "line 2 is not JSON" in answers[1]["error"]
    assert "line 3 has no text" in answers[2]["error"]


def test_an_answer_of_many_is_one_line_for_every_reader_of_lines(kb: Run) -> None:
    line = json.dumps({"id": "a\u2028b\x85c", "text": "RuntimeError: \u2029 \x0b\x1c"}).encode()
    done = kb("match", "--jsonl", stdin=line)
    assert len(done.stdout.decode().splitlines()) == 1
    assert json.loads(done.stdout)["id"] == "a\u2028b\x85c"


@pytest.mark.parametrize("text", ["\\ud800 alone", "\\u0000\\u001b[2J", "é 日本"])
def test_text_that_no_encoding_carries_is_answered_all_the_same(kb: Run, text: str) -> None:
    line = f'{{"id": "{text}", "text": "RuntimeError: {text}"}}'
    for env in ({}, {"PYTHONIOENCODING": "ascii"}):
        done = kb("match", "--jsonl", stdin=line.encode(), env=env)
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout)["id"] == json.loads(f'"{text}"')


def test_json_nested_without_end_is_a_bad_line(kb: Run) -> None:
    done = kb("match", "--jsonl", stdin=b"[" * 100_000)
    assert done.returncode == 0
    assert "line 1 is not JSON" in json.loads(done.stdout)["error"]


def test_a_terminal_that_cannot_show_a_letter_shows_its_number(kb: Run) -> None:
    done = kb("match", stdin="RuntimeError: Größe\n".encode(), env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert b"Gr\\xf6\\xdfe" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "say"),
    [
        (("match", "/nowhere/engine.log"), b"", "cannot read /nowhere/engine.log: no such file or directory"),
        (("match", "/"), b"", "/ is a folder; name the log file in it"),
        (("match",), b"", "standard input is empty"),
        (("match",), b" \n\t\n", "standard input is empty"),
        (("match",), bytes(range(32)) * 40, "standard input is no text"),
        (("match", "--package", "toyengine"), FULL, "`toyengine` is not of the form --package NAME=VERSION"),
        (("match", "--package", "toyengine=abc"), FULL, "`abc` is no version; write it like --package toy"),
        (
            ("match", "--outcome", "who-has-slots=pinned"),
            FULL,
            "there is no check `who-has-slots` for --outcome; there are who-holds-the-slots\n",
        ),
        (
            ("match", "--jsonl", "--outcome", "who-holds-the-slots=pin"),
            FULL,
            "who-holds-the-slots has no outcome `pin`; it has pinned, in-use\n",
        ),
        (("match", "--output", "x=y"), FULL, "there is no check `x` for --output; there are who-holds"),
        (("match", "--index", "/nowhere/index.json"), FULL, "no index at /nowhere/index.json"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    kb: Run, arguments: tuple[str, ...], stdin: bytes, say: str
) -> None:
    done = kb(*arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"kb: {say}")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8-sig", ""),
        ("utf-16", "kb: standard input was read as UTF-16\n"),
        ("utf-32", "kb: standard input was read as UTF-32\n"),
        ("latin-1", "kb: standard input is not UTF-8 (line 1); it was read as Latin-1\n"),
    ],
)
def test_other_encodings_are_read_and_named(kb: Run, encoding: str, note: str) -> None:
    done = kb("match", stdin=("Größe\n" + FULL.decode()).encode(encoding))
    assert done.returncode == 0
    assert "> 2 | RuntimeError" in done.stdout.decode()
    assert done.stderr.decode() == note


def test_an_index_that_is_none_says_what_to_do(kb: Run, tmp_path: Path) -> None:
    broken = tmp_path / "index.json"
    broken.write_text("{", encoding="utf-8")
    done = kb("match", stdin=FULL, env={"FAULTBOOK_INDEX": str(broken)})
    assert done.returncode == 2
    assert b"run `kb build`" in done.stderr


def test_a_missing_index_of_the_checkout_is_made_with_a_note(kb: Run, tmp_path: Path) -> None:
    done = kb("match", stdin=HEALTHY, env={"FAULTBOOK_BUILD_DIR": str(tmp_path / "new")})
    assert done.returncode == 1
    assert b"no index yet" in done.stderr
    assert (tmp_path / "new" / "index.json").is_file()


def test_the_matcher_starts_without_what_it_does_not_need(good_build: Path) -> None:
    probe = (
        "import sys; from kb.cli import main; main(['match', '-']); "
        "print(sorted(m for m in ('pydantic', 'yaml', 'fastapi', 'whoosh', 'mkdocs', 'asyncio', 'packaging')"
        " if m in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        input=FULL,
        capture_output=True,
        env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build)},
        check=True,
    )
    assert done.stderr.decode() == "[]\n"


@pytest.mark.parametrize(
    ("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_is_for_terminals_that_did_not_decline_it(
    good_build: Path, env: dict[str, str], coloured: bool
) -> None:
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    master, slave = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "kb", "match", "-"],
            stdin=subprocess.PIPE,
            stdout=slave,
            stderr=subprocess.DEVNULL,
            env={**clean, "TERM": "xterm", "FAULTBOOK_BUILD_DIR": str(good_build), **env},
        )
        os.close(slave)
        process.communicate(FULL, timeout=60)
        shown = os.read(master, 100_000).decode()
    finally:
        os.close(master)
    assert "Match" in shown
    assert ("\x1b[" in shown) == coloured


def test_a_reader_that_has_gone_is_no_error(good_build: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kb", "match", "--jsonl", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build)},
    )
    assert process.stdout
    process.stdout.close()
    line = json.dumps({"id": 1, "text": FULL.decode()}).encode() + b"\n"
    _, said = process.communicate(line * 50, timeout=60)
    assert b"Traceback" not in said

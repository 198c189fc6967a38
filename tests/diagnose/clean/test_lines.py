"""Lines, limits, labels and wraps: what is cut, and above all what is not."""

import sys
import textwrap

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.split import LONGEST_LINE, own_lines, split_paste
from kb.diagnose.clean.text import Process
from tests.diagnose.clean.forms import BASE


def texts(paste: str) -> list[str]:
    return [line.text for line in clean(paste).lines]


@pytest.mark.parametrize(
    ("paste", "lines"),
    [
        ("", ()),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\r\nb\rc\nd", ("a", "b", "c", "d")),
        ("a\n\r\n\rb", ("a", "", "", "b")),
        ("a\x0bb\x0cc\x85d\u2028e", ("a\x0bb\x0cc\x85d\u2028e",)),
    ],
)
def test_line_ends_and_nothing_else_end_lines(paste: str, lines: tuple[str, ...]) -> None:
    assert clean(paste).paste == lines


def test_of_a_paste_that_is_too_long_head_and_tail_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[split_paste.__module__], "MOST_CHARACTERS", 100)
    paste = "".join(f"line {number:03}\n" for number in range(1, 101))
    cleaned = clean(paste)
    assert cleaned.truncated
    assert [line.number for line in cleaned.lines] == [1, 2, 3, 4, 5, 96, 97, 98, 99, 100]
    assert all(line.text == cleaned.paste[line.number - 1] for line in cleaned.lines)
    assert len(cleaned.paste) == 100


def test_of_a_long_line_the_end_is_kept_with_its_columns() -> None:
    paste = "data: " + "A" * 100_000 + " ValueError: rank 64 above 16"
    (line,) = clean(paste).lines
    assert len(line.text) == LONGEST_LINE
    at = line.text.index("ValueError")
    assert line.locate(at) == (1, paste.index("ValueError"))


@pytest.mark.parametrize(
    "paste",
    [
        # The same exception many times has a common start that is no prefix.
        "RuntimeError: CUDA error: a\nRuntimeError: CUDA error: b\nRuntimeError: CUDA error: c\n",
        "RuntimeError: ValueError: a\nRuntimeError: ValueError: b\n",
        "Worker failed with error: ValueError: a\n" * 2,
        "kernel.cu:1146: select: block: [58,0,0], thread: [21,0,0] Assertion `i < n` failed.\n" * 3,
        "frame #0: c10::Error::Error + 0x57\nframe #1: f + 0x2\nframe #2: g + 0x3\n",
        "lora key not loaded: a.alpha\nlora key not loaded: b.alpha\nlora key not loaded: c.alpha\n",
        # Frames whose head and message are cut off keep their indentation.
        '  File "/srv/a.py", line 1, in f\n    g()\n  File "/srv/a.py", line 2, in g\n    h()\n',
        # Python's prompt is no quote.
        ">>> import torch\n>>> import flash_attn\n",
    ],
)
def test_what_lines_have_in_common_is_no_prefix_by_itself(paste: str) -> None:
    assert "\n".join(texts(paste)) + "\n" == paste


def test_labels_of_hosts_and_tasks_are_told() -> None:
    first, second = clean("node1: Traceback (most recent call last):\nnode2: ValueError: x\n").lines
    assert (first.text, first.process) == ("Traceback (most recent call last):", Process(host="node1"))
    assert (second.text, second.process) == ("ValueError: x", Process(host="node2"))
    assert clean("11: ValueError: x\n12: ValueError: x\n").lines[1].process == Process(rank="12")


def test_lines_of_one_kind_that_are_equally_long_are_not_joined() -> None:
    paste = "\n".join(
        f"Rank {n}: completed the barrier for key store_barrier_key:1 with 2 nodes and left ok"
        for n in range(4)
    )
    assert "\n".join(texts(paste)) == paste


def test_text_broken_between_words_is_not_joined() -> None:
    words = " ".join(["the loader of shard", "nine went away"] * 30)
    lines = [line for start in range(12) for line in textwrap.wrap(words[start * 20 :], 80)]
    assert max(map(len, lines)) == 80
    assert texts("\n".join(lines)) == lines


@pytest.mark.parametrize(
    ("lines", "frame"),
    [
        (
            ['  File "/srv/app/lib/eng', 'ine.py", line 12, in run', "    go()"],
            '  File "/srv/app/lib/engine.py", line 12, in run',
        ),
        (
            ['  File "/srv/app/engine.py", line 12, in', "run", "    go()"],
            '  File "/srv/app/engine.py", line 12, in run',
        ),
        (
            ["  File", '"/srv/app/engine.py", line 12, in run', "    go()"],
            '  File "/srv/app/engine.py", line 12, in run',
        ),
    ],
)
def test_frames_broken_anywhere_are_put_together(lines: list[str], frame: str) -> None:
    assert texts("\n".join(lines)) == [frame, "    go()"]


def test_a_frame_that_is_cut_off_takes_no_source_line() -> None:
    paste = '  File "/srv/app/lib/eng\n    go()\nValueError: x'
    assert "\n".join(texts(paste)) == paste


def test_a_header_behind_a_sentence_keeps_what_the_prefix_says() -> None:
    first, second = clean(
        "[2026-04-20 03:12:44 TP2] Scheduler hit an exception: Traceback (most recent call last):"
    ).lines
    assert (first.text, second.text) == ("Scheduler hit an exception:", "Traceback (most recent call last):")
    assert (
        (first.process, first.time)
        == (second.process, second.time)
        == (Process(rank="2", role="TP2"), "2026-04-20 03:12:44")
    )


def test_a_header_that_prose_quotes_stays_in_its_line() -> None:
    paste = (
        "Look for the line `Traceback (most recent call last):` or for 'Traceback (most recent call last):"
    )
    assert texts(paste) == [paste]


def test_notes_name_the_steps_that_changed_something() -> None:
    assert clean("all is well\n").notes == ()
    assert clean("\x1b[31m[rank0]: x\x1b[0m\n").notes == ("escapes", "prefixes")


@pytest.mark.parametrize(
    "prefix", ["xyz: ", "> ", "app-7f | ", "prod/llm[7] ", "    ", "12: ", "09.03.26 10:00:01.5 srv "]
)
@pytest.mark.parametrize(
    "lines",
    [
        BASE,
        (
            "Failures:",
            "[0]:",
            "  time      : 2026-03-14_10:20:41",
            "  host      : ws17",
            "  rank      : 1 (local_rank: 1)",
        ),
        ("[rank0]:[E1129 12:20:41.204055508 ProcessGroupNCCL.cpp:616] [Rank 0] lost", "Killed"),
        ('{"log": "up\\n", "stream": "stderr"}', '{"log": "ValueError: x\\n", "stream": "stderr"}'),
    ],
    ids=["traceback", "launcher's table", "prefixed", "records"],
)
def test_a_prefix_before_every_line_changes_nothing(lines: tuple[str, ...], prefix: str) -> None:
    assert texts("\n".join(prefix + line for line in lines)) == texts("\n".join(lines))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", ["", "first" + "\n" * 300 + "second"])
def test_a_void_is_passed_over_and_lines_keep_their_numbers(end: str, head: str) -> None:
    text = f"{head}\n".replace("\n", end) + end * 5_000 + f"ValueError: x{end}" + end * 5_000 + "last"
    cleaned = clean(text)
    assert len(cleaned.lines) < 1_000
    assert [line.text for line in cleaned.lines if line.text] == [line for line in own_lines(text) if line]
    for line in cleaned.lines:
        assert cleaned.paste[line.number - 1] == line.text


def test_a_run_of_empty_lines_shorter_than_any_look_back_is_kept() -> None:
    assert len(clean("a" + "\n" * 250 + "b").lines) == 251


def test_a_line_that_fills_the_width_is_whole_when_the_next_was_written_minutes_later() -> None:
    first = "3: 2025-06-30 15:44:02.510 kserve args --model_name=llama --backend=vllm --model_dir=/mnt/llama"
    lines = [first.ljust(120, "a"), "3: 2025-06-30 15:47:18.120 1 request failed", "3: bye"]
    assert [line.number for line in clean("\n".join(lines)).lines] == [1, 2, 3]


def test_a_frame_glued_to_a_word_stays_in_its_line() -> None:
    text = 'loaded.File "/srv/a.py", line 3, in load  w = pack(File "/srv/b.py", line 4, in pack  w.view(1)'
    assert [line.text for line in clean(text).lines] == [text]

"""Records of JSON over several lines are opened like those on one."""

import json

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.json_records import MOST_LINES, MOST_TRIES, Records
from kb.diagnose.clean.text import Line, Piece

MESSAGE = "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 47.54 GiB total capacity)"
RECORDS = [
    {"time": "2026-03-03T10:00:00Z", "level": "ERROR", "rank": 3, "message": "Traceback {\n" + MESSAGE},
    {"log": MESSAGE + "\n", "stream": "stderr", "time": "2026-03-03T10:00:01.123456789Z"},
]


def known(text: str) -> list[tuple[object, ...]]:
    """The clean lines without their places."""
    return [(line.text, *line[2:]) for line in clean(text).lines]


@pytest.mark.parametrize("width", [60, 72, 80, 99, 120, 132, 160])
def test_records_broken_at_the_width_of_a_terminal(width: int) -> None:
    written = [json.dumps(record) for record in RECORDS]
    broken = [text[at : at + width] for text in written for at in range(0, len(text), width)]
    assert known("\n".join(broken)) == known("\n".join(written))


@pytest.mark.parametrize("indent", [1, 2, 4])
def test_records_printed_with_indentation(indent: int) -> None:
    printed = "\n".join(json.dumps(record, indent=indent) for record in RECORDS)
    assert known(printed) == known("\n".join(map(json.dumps, RECORDS)))


def test_places_lead_back_to_the_lines_of_the_record() -> None:
    printed = json.dumps(RECORDS[1], indent=2)
    (line,) = clean(printed).lines
    number, column = line.locate(0)
    assert printed.split("\n")[number - 1][column:].startswith(MESSAGE)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"error": {"message": MESSAGE, "code": 500}}, indent=2),  # the answer of a server
        json.dumps({"model": "a", "layers": {"count": 3}}, indent=2),
        'def f():\n    return {\n        "log": 1,\n    }',
        '{"level": "ERROR", "time": "2026-03-03T10:00:00Z",\nand prose below',
    ],
)
def test_what_is_no_record_keeps_its_lines(text: str) -> None:
    assert [line.number for line in clean(text).lines] == list(range(1, text.count("\n") + 2))


def test_records_without_an_end_are_tried_a_few_times_only() -> None:
    lines = [Line('{"a":', (Piece(0, number, 0),)) for number in range(1, 10 * MOST_LINES)]
    records = Records(lines)
    assert [records.joined(at) for at in range(len(lines))] == [None] * len(lines)
    assert records._tries == MOST_TRIES

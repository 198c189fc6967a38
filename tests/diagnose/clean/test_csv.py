"""Tables that log viewers export: the message's column is read, the others say time, level and host."""

from kb.diagnose.clean import clean
from tests.diagnose.clean.promises import check


def test_a_quoted_message_may_go_on_over_lines() -> None:
    paste = (
        "@timestamp,@message,host,level\n"
        '2026-01-15 10:00:00.000,"Traceback (most recent call last):\n'
        '  File ""/srv/app.py"", line 3, in load\n'
        'ValueError: LoRA rank 64, ""too large""",n4,error\n'
        "2026-01-15 10:00:01.000,step 1,n5,info\n"
    )
    cleaned = clean(paste)
    check(paste, cleaned)
    assert [(line.text, line.time) for line in cleaned.lines] == [
        ("Traceback (most recent call last):", "2026-01-15 10:00:00.000"),
        ('  File "/srv/app.py", line 3, in load', "2026-01-15 10:00:00.000"),
        ('ValueError: LoRA rank 64, "too large"', "2026-01-15 10:00:00.000"),
        ("step 1", "2026-01-15 10:00:01.000"),
    ]
    assert (cleaned.lines[3].process.host, cleaned.lines[3].level) == ("n5", "info")


def test_a_sentence_with_commas_is_no_heading() -> None:
    paste = "time,energy and line\n10 s,3 J\nValueError: x, y\n"
    assert [line.text for line in clean(paste).lines] == paste.splitlines()

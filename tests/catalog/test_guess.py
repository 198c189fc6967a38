"""What `kb new --from` guesses of a failure."""

import pytest

from kb.catalog.guess import as_template, guess
from kb.catalog.index_form import index_json, index_text
from kb.diagnose import template
from kb.diagnose.index import Index

NOTHING_KNOWN = Index.from_json(index_text(index_json([], [])))
PASTE = """\
2026-03-02 10:11:12 INFO starting
(Worker pid=812) Traceback (most recent call last):
(Worker pid=812)   File "/opt/venv/lib/python3.11/site-packages/frobnicator/core/pool.py", line 70, in reserve
(Worker pid=812)     raise PoolError(text)
(Worker pid=812) frobnicator.errors.PoolError: pool 'warm' holds 17 blocks of 20.00 MiB, wanted 19
"""


def test_message_class_frame_and_component_are_guessed() -> None:
    guessed = guess(PASTE, NOTHING_KNOWN)
    assert guessed is not None
    assert guessed.template == "pool '{word:word}' holds {int:int} blocks of {size:size}, wanted {int_2:int}"
    assert (guessed.exception, guessed.where) == ("PoolError", "frobnicator/core/pool.py")
    assert (guessed.function, guessed.component) == ("reserve", "frobnicator")
    assert guessed.id == "frobnicator-pool-holds-blocks-wanted"
    assert guessed.title == "pool 'warm' holds 17 blocks of 20.00 MiB, wanted 19"
    assert "(Worker pid=812)" not in guessed.paste


def test_nothing_is_guessed_where_nothing_failed() -> None:
    assert guess("INFO starting\nINFO done\n", NOTHING_KNOWN) is None


@pytest.mark.parametrize(
    "message",
    [
        "cannot open {braces} [brackets] and \\backslashes\\ in C:\\data\\new",
        "Expected shape [3, 4] but got {'a': 1}",
        "/srv/a/b /srv/a/c 0x7f3a",
        "''",
        "5",
        "model.layers.0.self_attn.q_proj.weight is not known",
    ],
)
def test_a_guessed_template_finds_its_own_message(message: str) -> None:
    made = as_template(message)
    try:
        parsed = template.parse(made)
    except template.TemplateError:
        return  # nothing but values: `kb check` says so
    assert template.find(parsed, template.prepare(message)) is not None

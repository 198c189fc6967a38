"""In whatever form a traceback is pasted, its own lines come out, each knowing its place."""

import pytest

from kb.diagnose.clean import clean
from tests.diagnose.clean.forms import BASE, INSIDE, STACKABLE, WHOLE, text_of
from tests.diagnose.clean.promises import check


def texts(paste: str) -> list[str]:
    cleaned = clean(paste)
    check(paste, cleaned)
    return [line.text for line in cleaned.lines if line.text.strip()]


@pytest.mark.parametrize("form", [*STACKABLE, *WHOLE])
def test_traceback_comes_out_of_the_form_as_it_was(form: str) -> None:
    found = texts(text_of((STACKABLE | WHOLE)[form](BASE)))
    headers = ("Content-Transfer", "Map: ")
    assert [text for text in found if not text.startswith(headers)] == list(BASE)


@pytest.mark.parametrize("form", INSIDE)
def test_traceback_comes_out_of_other_text_on_lines_of_its_own(form: str) -> None:
    found = texts(text_of(INSIDE[form](BASE)))
    start = found.index(BASE[0])
    assert tuple(found[start : start + len(BASE)]) == BASE


# vLLM's own prefix stands nearest to the message: nothing but a tag in brackets is looked for behind it.
@pytest.mark.parametrize("outer", [name for name in STACKABLE if name != "vllm"])
@pytest.mark.parametrize("inner", STACKABLE)
def test_two_stacked_forms_come_off(inner: str, outer: str) -> None:
    assert texts(text_of(STACKABLE[outer](STACKABLE[inner](BASE)))) == list(BASE)

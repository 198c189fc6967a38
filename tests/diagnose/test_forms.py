"""Which form of a fix comes first."""

from collections.abc import Callable

import pytest

from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.forms import in_order

Ask = Callable[..., Diagnosis]

FORMS = {
    "deepspeed": "d",
    "kubernetes": "k",
    "lightning": "l",
    "python": "p",
    "trainer": "t",
    "yaml": "y",
    "cli": "c",
}
SCRIPT = (
    'Traceback (most recent call last):\n  File "/srv/serve.py", line 3, in <module>\n    go()\nKeyError: 1\n'
)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("KeyError: 1", "cli"),  # nothing says what is run: a form for everybody
        (SCRIPT, "python"),
        (SCRIPT.replace("/srv", "/usr/local/lib/python3.12/dist-packages/vllm"), "cli"),  # Debian's packages
        (SCRIPT.replace("/srv/serve.py", "/usr/lib/python3.12/multiprocessing/process.py"), "cli"),
        ("$ vllm serve m --enable-lora\nKeyError: 1", "cli"),
        ("      Reason:       OOMKilled\n", "kubernetes"),
        ('  File "/opt/deepspeed/engine.py", line 3, in step\n    go()\nKeyError: 1', "deepspeed"),
        ('  File "/opt/transformers/trainer.py", line 3, in step\n    go()\nKeyError: 1', "trainer"),
    ],
)
def test_the_form_that_the_paste_shows_in_use_comes_first(ask: Ask, text: str, first: str) -> None:
    ordered = in_order(FORMS, ask(text).report)
    assert next(iter(ordered)) == first
    assert ordered == FORMS  # the order alone has changed


def test_the_answer_has_its_forms_in_that_order(ask: Ask) -> None:
    fix = ask("ValueError: LoRA rank 64 is greater than max_lora_rank 16.").failures[0].hypotheses[0].fix
    assert fix is not None
    assert list(fix.forms) == ["cli"]

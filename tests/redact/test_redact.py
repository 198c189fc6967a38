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
        "hugging face, oauth": (f"token is hf_oauth_{key}.{key}", key),
        "openai, project": (f"OPENAI=sk-proj-a_b-c_{key[:20]}-{key[:20]}", key[:20]),
        "openai, service": (f"used sk-svcacct-{key[:9]}_{key[:30]}", key[:30]),
        "anthropic, oauth": (f"with sk-ant-oat01-{key}_{key}-AA", key),
        "github app": (f"x-access-token:ghs_{key[:20]}.{key[:30]}-{key[:10]}@github.com", key[:30]),
        "github, by name": ("GITHUB_TOKEN=" + "0a1b2c3d4e" * 4, "0a1b2c3d4e" * 4),
        "gitlab, routable": (f"GITLAB=glpat-{key}.01.{key[:8]}", key),
        "gitlab ci": (f"job token glcbt-64_{key[:20]}", key[:20]),
        "wandb, new": (f"WANDB=wandb_v1_{SOME[:60]}", SOME[:60]),
        "wandb, local": ("key local-" + "0a1b2c3d4e" * 4, "0a1b2c3d4e" * 4),
        "ngc, docker": (f"docker login nvcr.io -u '$oauthtoken' -p {SOME[:84]}", SOME[:84]),
        "azure client": (f"AZURE_CLIENT=abc8Q~{key[:34]}", key[:34]),
        "azure openai": (f"header api-key {SOME[:52]}JQQJ9{'9BACAL' * 4}ABC", SOME[:52]),
        "azure bus": (f"SharedAccessKeyName=Root;SharedAccessKey={key}=", key),
        "google refresh": (f"refresh 1//0{key}", key),
        "google signature": (f"GET /b/o?X-Goog-Algorithm=G&X-Goog-Signature={key}", key),
        "aws, bedrock": (f"AWS_BEARER=ABSK{SOME[:100]}=", SOME[:100]),
        "aws signature": (f"https://b.s3.amazonaws.com/k?a=1&X-Amz-Signature={'0a1b' * 16}", "0a1b" * 16),
        "aws signature in json": (rf'"https://b.s3.amazonaws.com/k?a=1\u0026x-amz-signature={key}"', key),
        "aws signature in html": (f"https://b.s3.amazonaws.com/k?a=1&amp;X-Amz-Signature={key}", key),
        "aws header": (f"Signature={'0a1b' * 16}, region", "0a1b" * 16),
        "cloudfront": (f"https://cas.example.com/x?Expires=1&Policy={key}&Key-Pair-Id=K1", key),
        "slack, browser": (f"xoxc-1234567890-{key[:24]} xoxd-{key[:24]}%2B{key[:9]}", key[:24]),
        "slack, rotated": (f"xoxe.xoxp-1-{key}", key),
        "encrypted web token": (f"jwe eyJhbGciOiJk.{key[:9]}.{key[:10]}.{key[:11]}.{key}", key),
        "authorization without scheme": (f"Authorization: {key}", key),
        "authorization, odd scheme": (f'"authorization": "Hawk {key}"', key),
        "authorization in two strings": (f"'Authorization: ' 'Bearer ' '{key}'", key),
        "docker auth": ('{"auths": {"nvcr.io": {"auth": "am9lOmh1bnRlcjIteDk="}}}', "am9lOmh1bnRlcjIteDk="),
        "docker identity": (f'"identitytoken": "{key}"', key),
        "npmrc": ("//registry.example.com/:_auth=am9lOmh1bnRlcjIteDk=", "am9lOmh1bnRlcjIteDk="),
        "kaggle": ('{"username":"jdoe","key":"0a1b2c3d4e5f60718293a4b5c6d7e8f9"}', "0a1b2c3d4e5f6071"),
        "password with signs": ('"password": "hunter2;x9 &c(d)"', "x9 &c"),
        "password in escaped json": (r'{\"password\": \"hunter2-x9\"}', "hunter2-x9"),
        "curl user": ("curl -sS -u jdoe:hunter2-x9 https://h/", "hunter2-x9"),
        "sentry": (f"dsn https://{'0a1b' * 8}@o1.ingest.example.com/2", "0a1b" * 8),
        "sshpass": ("sshpass -p hunter2-x9 ssh jdoe@gpu-07", "hunter2-x9"),
        "e-mail in brackets": ("Author: Jo <jo.doe@somewhere.edu>", "jo.doe"),
        "e-mail in a link": ("https://h/login?as=jo.doe%40somewhere.edu", "jo.doe"),
        "address in a name": ("lost ip-10-23-45-67.ec2.internal", "10-23-45-67"),
        "user at a prompt": ("jdoe@gpu-07:~/runs$ torchrun train.py", "jdoe"),
        "user at a prompt, env": ("(venv) jdoe@gpu-07:", "jdoe"),
        "user at a prompt, brackets": ("[jdoe@gpu-07 runs]$ torchrun train.py", "jdoe"),
        "user at a prompt, mac": ("jdoe@Janes-MacBook runs % python x.py", "jdoe"),
        "user in the environment": ("declare -x USER='jdoe'", "jdoe"),
        "user in the environment, LOGNAME": ("LOGNAME=jdoe", "jdoe"),
        "user in the environment, HOME": ("HOME=/home/jdoe", "jdoe"),
        "user in the environment, USERNAME": ("USERNAME=jdoe", "jdoe"),
        "user in the environment, sudo": ("SUDO_USER=jdoe", "jdoe"),
        "user in the environment, json": ("{'USER': 'jdoe', 'LANG': 'C'}", "jdoe"),
        "user in scratch": ("/scratch/users/jdoe/train.py", "jdoe"),
        "user on a share": (r"open \\nas01\scratch\jdoe\train.py failed", "jdoe"),
        "user on a share, in a string": (r"FileNotFoundError: '\\\\nas01\\scratch\\jdoe\\train.py'", "jdoe"),
        "user on windows, in a string": (r"'C:\\Users\\jdoe\\train.py'", "jdoe"),
        "user in wsl": ("/mnt/c/Users/jdoe/train.py", "jdoe"),
        "user by letter": ("/nfs/home/j/jdoe/train.py", "jdoe"),
        "user's folder": ("cd ~jdoe/runs", "jdoe"),
        "user of ssh": ("ssh -p 2222 jdoe@gpu-07 nvidia-smi", "jdoe"),
        "user of ssh, flag": ("ssh gpu-07 -l jdoe", "jdoe"),
        "user of scp": ("scp out.log jdoe@login.example.com:/data", "jdoe"),
        "user refused": ("jdoe@gpu-07: Permission denied (publickey).", "jdoe"),
        "user flag": ("enroot start --user jdoe image", "jdoe"),
        "user flag, equals": ("squeue --user=jdoe", "jdoe"),
        "user of slurm": ("JobId=71 JobName=x UserId=jdoe(1001)", "jdoe"),
        "user of slurm, short": ("slurmstepd: user=jdoe exceeded", "jdoe"),
        "user of netrc": ("machine h.example.com login jdoe password hunter2-x9", "jdoe"),
        "user logged in": ("wandb: Currently logged in as: jdoe", "jdoe"),
        "user by ssh address": ("git clone ssh://jdoe@gpu-07/x", "jdoe"),
        "user at a machine": ("started by jdoe@gpu07 > ok", "jdoe"),
        "user by id": ("uid=1000(jdoe) gid=1000(lab)", "jdoe"),
        "user in a journal": ("sshd[71]: Accepted publickey for jdoe from gpu-07 port 1", "jdoe"),
        "user in a journal, session": ("pam_unix: session opened for user jdoe by (uid=0)", "jdoe"),
        "user, alone": ("User:  jdoe", "jdoe"),
        "user of a public key": ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 jdoe@corp", "jdoe"),
        "name on windows": (r'File "C:\Users\Jane Doe\train.py", line 3', "Doe"),
        "name before an address": ("Author: Jane Doe <jane@somewhere.edu>", "Jane Doe"),
        "name in git": ('git config user.name "Jane Doe"', "Jane Doe"),
        "address, v6, of a link": ("peer fe80::a2b1:c3ff:fe04:77d0%ib1<40117>", "fe80::a2b1"),
        "jupyter": ("http://gpu-07:8888/lab?token=abc123", "abc123"),
        "mysql": ("MYSQL_PWD=hunter2-x9", "hunter2-x9"),
        "vault, old": ("VAULT_TOKEN=s.abcdefghijklmnop", "s.abcdefghijklmnop"),
        "google key id": (f'"private_key_id": "{"0a1b2c3d4e" * 4}"', "0a1b2c3d4e" * 4),
        "alibaba": ("https://b/x?OSSAccessKeyId=LTAI5tQ2w3E4r5T6y7U8", "LTAI5tQ2w3E4r5T6y7U8"),
        "cookies in python": ("cookies={'session': 'abcdef123'}", "abcdef123"),
        "json in base64": (f"NEPTUNE eyJ{key}{key}==", key),
        "user of a cluster": ('pods is forbidden: User "jdoe" cannot list resource "pods"', "jdoe"),
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


def test_a_netrc_of_many_lines_keeps_its_lines() -> None:
    hidden = redact("machine h.example.com\n  login jdoe\n  password hunter2-x9\nValueError: no\n").text
    assert hidden == "machine h.example.com\n  login user1\n  password redacted\nValueError: no\n"


@pytest.mark.parametrize("gap", [" ", "\n    ", "\r\n\t", " \\\n  ", "'\n  '"])
def test_a_header_over_lines_keeps_its_lines_and_loses_its_secret(gap: str) -> None:
    for scheme in ("Bearer", "Basic", "token"):
        for text in (
            f"Authorization:{gap}{scheme} {SOME[:30]}\nb",
            f"Authorization: {scheme}{gap}{SOME[:30]}\nb",
        ):
            hidden = redact(text).text
            assert SOME[:30] not in hidden
            assert hidden == text.replace(SOME[:30], "redacted")


def test_a_name_that_is_known_leaves_other_paths_too() -> None:
    hidden = redact("jo@gpu-07:~$ python /data/jo/train.py --out /mnt/fs1/jo/x /opt/jo_tools/x").text
    assert hidden == "user1@gpu-07:~$ python /data/user1/train.py --out /mnt/fs1/user1/x /opt/jo_tools/x"


def test_an_address_in_a_name_stays_the_same_machine() -> None:
    hidden = redact("10.1.1.1 is ip-10-1-1-1.ec2.internal, not ip-10-1-1-2").text
    assert hidden == "192.0.2.1 is ip-192-0-2-1.ec2.internal, not ip-192-0-2-2"


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
        "root@gpu-07:~# ls; ubuntu@gpu-07:~$ id",
        "USER=root HOME=/root LOGNAME=ubuntu user=None",
        "pip install --user torch==2.9.0 && python -m pip install --user vllm",
        "systemctl --user restart vllm",
        "/scratch/qwen3-4b roles must alternate user/assistant/user/assistant",
        "x = q@k; y: int = a@b; undefined symbol: memcpy@GLIBC_2.14, version GLIBC_2.14",
        "from huggingface_hub import hf_hub_download_with_retries_and_more",
        r"lines\\nof\\nan\\nescaped\\ntraceback",
        "time_per_output_token=0.01234567890123456 eos_token_id=151645, num_token: 12345678901234567",
        '{"messages": [{"role": "user", "content": "hello"}]}',
        "the ssh-agent of the node; password authentication failed",
        "sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "image nvcr.io/nvidia/pytorch@sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071",
        "/home/ubuntu/train.py and /Users/Shared/train.py",
        "api_key=None password=*** secret=${SECRET} token=<token>",
        "std::vector<c10::Error>::at, hook #1:: failed, addr=[::ffff:127.0.0.1]:40122, std::begin(a)",
        "celery@caption-1 ready, model@v0.11, torch@cu121 image@sha256:0a1b",
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
    "unit",
    [
        "a",
        "1.",
        "a@",
        "token=",
        "-----BEGIN PRIVATE KEY-----\n",
        "://a:",
        "/home/",
        "a:",
        "\\\\ab\\c",
        "A_",
        "a@b ",
        "curl ",
        "ssh ",
        "eyJaaaaaaaa-",
        "login a ",
        "Authorization: ",
        "/a",
        "&sig=",
        "--user ",
        "Bearer\n",
    ],
)
def test_hostile_repetition_is_read_in_one_pass(unit: str) -> None:
    def seconds(times: int) -> float:
        start = process_time()
        redact(unit * times)
        return process_time() - start

    small, large = min(seconds(20_000) for _ in range(3)), seconds(160_000)
    assert large < 30 * max(small, 0.002)

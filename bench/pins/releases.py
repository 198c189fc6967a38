"""Releases of upstream projects, unpacked into a cache from the package index that pip is set up for.

A source archive is taken where there is one, else a wheel. Of both only text is kept.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

TEXT = (".py", ".cu", ".cuh", ".cpp", ".cc", ".c", ".h", ".hpp", ".rs", ".md", ".rst", ".txt", ".toml")
LARGEST = 4_000_000  # bytes of a file that is kept
TIMEOUT = 120  # seconds


@dataclass(frozen=True)
class Package:
    """Where a repository's releases are, and what of its paths the archives lack."""

    name: str
    prefix: str = ""


# Repositories whose releases are on the package index. Others (NCCL, the kernel, C++ of PyTorch) are not
# looked up by this script; the report names them.
PACKAGES = {
    "vllm-project/vllm": Package("vllm"),
    "sgl-project/sglang": Package("sglang", "python/"),
    "huggingface/peft": Package("peft"),
    "huggingface/transformers": Package("transformers"),
    "huggingface/accelerate": Package("accelerate"),
    "huggingface/safetensors": Package("safetensors"),
    "huggingface/huggingface_hub": Package("huggingface-hub"),
    "huggingface/datasets": Package("datasets"),
    "deepspeedai/DeepSpeed": Package("deepspeed"),
    "bitsandbytes-foundation/bitsandbytes": Package("bitsandbytes"),
    "numpy/numpy": Package("numpy"),
    "Dao-AILab/flash-attention": Package("flash-attn"),
    "flashinfer-ai/flashinfer": Package("flashinfer-python"),
    "InternLM/lmdeploy": Package("lmdeploy"),
    "horovod/horovod": Package("horovod"),
}


class NotThere(LookupError):
    """The index has no archive of a release."""


def release_folder(package: Package, release: str, cache: Path) -> Path:
    """The folder with a release's text, downloaded if it is not in the cache. Raises NotThere."""
    folder = cache / f"{package.name}-{release}"
    if not folder.is_dir():
        data, name = download(package.name, release)
        fresh = folder.with_name(f".{folder.name}")
        for path, content in members(data, name):
            target = fresh / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        fresh.rename(folder)
    return folder


def download(package: str, release: str) -> tuple[bytes, str]:
    """An archive of a release, and its file name."""
    page = f"{index_address()}/{package}/"
    request = urllib.request.Request(page, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        files = json.load(answer)["files"]
    named = {file["filename"]: urllib.parse.urljoin(page, file["url"]) for file in files}
    stem = f"{package}-{release}".replace("-", "_").lower()
    fitting = [name for name in named if name.replace("-", "_").lower().startswith(stem)]
    sources = [name for name in fitting if name.replace("-", "_").lower() == f"{stem}.tar.gz"]
    wheels = [
        name
        for name in fitting
        if name.replace("-", "_").lower().startswith(f"{stem}_py") and name.endswith(".whl")
    ]
    if not (sources or wheels):
        raise NotThere(f"the package index has no archive of {package} {release}")
    name = (sources or wheels)[0]
    with urllib.request.urlopen(named[name], timeout=TIMEOUT) as answer:
        return answer.read(), name


def index_address() -> str:
    """The index that pip uses here: of its settings, the environment or, without either, its own."""
    asked = (
        "from pip._internal.commands import create_command;"
        "print(create_command('download').parse_args(['x'])[0].index_url)"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    return told.stdout.strip().rstrip("/")


def members(data: bytes, name: str) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The text files of an archive, by their path in it (of a source archive without its top folder)."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            for info in wheel.infolist():
                if info.filename.endswith(TEXT) and info.file_size <= LARGEST and is_inside(info.filename):
                    yield PurePosixPath(info.filename), wheel.read(info)
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            path = member.name.partition("/")[2]
            if member.isfile() and path.endswith(TEXT) and member.size <= LARGEST and is_inside(path):
                content = archive.extractfile(member)
                if content is not None:
                    yield PurePosixPath(path), content.read()


def is_inside(path: str) -> bool:
    """Whether a member stays in the folder it is unpacked into."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts

"""What people type, over the real entries: the entry they mean stands among the first three."""

import json
from pathlib import Path

import pytest

from kb.search import WordSearch, open_search

RANK = "vllm-lora-rank-exceeds-max"
NO_CONFIG = "peft-adapter-config-not-found"
PINNED = "sglang-lora-pinned-slots-exhausted"
UNREGISTERED = "vllm-lora-adapter-not-registered"
TIMEOUT = "nccl-collective-timeout"
PEER = "peer-rank-died-secondary-error"
CUDA_OOM = "cuda-out-of-memory"
BATCH = "sglang-lora-batch-exceeds-max-loras-per-batch"
ENGINE = "vllm-engine-core-init-failed"
OOM_KILLED = "k8s-oomkilled"
XID = "gpu-xid-error"

# Words that several entries are about, each of which is right.
DIST_ERRORS = (TIMEOUT, "nccl-error-without-reason", PEER)
ENGINE_CORES = (ENGINE, "vllm-engine-core-dead")
WATCHDOGS = (TIMEOUT, "sglang-watchdog-timeout")
LOAD_CALLS = (PINNED, "vllm-runtime-lora-updating-disabled", "vllm-lora-load-request-refused")
KILLS = (OOM_KILLED, "host-oom-killed")
NOT_FOUND = (UNREGISTERED, "vllm-lora-adapter-path-not-found")
ON_KUBERNETES = (OOM_KILLED, "vllm-port-env-k8s-service-collision", "k8s-insufficient-gpu")

QUERIES: dict[str, str | tuple[str, ...]] = {
    # identifiers, whole
    "max_lora_rank": RANK,
    "--max-lora-rank": RANK,
    "max_loras_per_batch": BATCH,
    "--max-loras-per-batch": BATCH,
    "adapter_config.json": NO_CONFIG,
    "c10::DistBackendError": DIST_ERRORS,
    "torch.OutOfMemoryError": CUDA_OOM,
    "torch.cuda.OutOfMemoryError": CUDA_OOM,
    "PYTORCH_CUDA_ALLOC_CONF": CUDA_OOM,
    "expandable_segments": CUDA_OOM,
    "load_lora_adapter": LOAD_CALLS,
    "OOMKilled": OOM_KILLED,
    "SIGKILL": KILLS,
    "Xid 79": XID,
    "NVRM": XID,
    "exit code 137": OOM_KILLED,
    "ProcessGroupNCCL": TIMEOUT,
    # identifiers, by their parts
    "DistBackendError": DIST_ERRORS,
    "lora rank": RANK,
    "max-lora": RANK,
    "rank_pattern": RANK,
    "alloc conf": CUDA_OOM,
    "out of memory error": CUDA_OOM,
    "EngineCore": ENGINE_CORES,
    # words
    "adapter rank too high": RANK,
    "pinned adapters": PINNED,
    "unpin adapter": PINNED,
    "model does not exist 404": UNREGISTERED,
    "adapter not found vllm": NOT_FOUND,
    "watchdog timeout": WATCHDOGS,
    "allreduce hangs": TIMEOUT,
    "straggler": TIMEOUT,
    "uneven data": TIMEOUT,
    "another rank died": PEER,
    "connection reset by peer": PEER,
    "cuda oom": CUDA_OOM,
    "fragmentation": CUDA_OOM,
    "gpu memory held by another process": CUDA_OOM,
    "engine core initialization failed": ENGINE,
    "see root cause above": ENGINE,
    "pod killed memory limit": OOM_KILLED,
    "container killed kubernetes": OOM_KILLED,
    "gpu fallen off the bus": XID,
    "ecc error": XID,
    "sglang assertion lora batch": BATCH,
    # beginnings, endings and slips
    "fragmentat": CUDA_OOM,
    "oomkil": OOM_KILLED,
    "watchd": WATCHDOGS,
    "max_lroa_rank": RANK,
    "out of memroy": CUDA_OOM,
    "kuberentes": ON_KUBERNETES,
    "colective timeout": TIMEOUT,
    "hanging collectives": TIMEOUT,
}


def right(meant: str | tuple[str, ...]) -> set[str]:
    """The entries of which one must be found."""
    return {meant} if isinstance(meant, str) else set(meant)


@pytest.fixture(scope="module")
def search(build_dir: Path) -> WordSearch:
    return open_search(build_dir / "search")


@pytest.mark.parametrize(("query", "meant"), QUERIES.items(), ids=QUERIES)
def test_the_entry_that_is_meant_stands_among_the_first_three(
    search: WordSearch, query: str, meant: str | tuple[str, ...]
) -> None:
    found = [each.id for each in search.search(query, 3)]
    assert set(found) & right(meant)


def test_most_stand_first(search: WordSearch) -> None:
    first = [query for query, meant in QUERIES.items() if search.search(query, 1)[0].id in right(meant)]
    assert len(first) >= 0.9 * len(QUERIES), f"not first: {sorted(set(QUERIES) - set(first))}"


def test_every_entry_is_found_by_its_id_title_and_aliases(search: WordSearch, build_dir: Path) -> None:
    for path in sorted((build_dir / "entries").iterdir()):
        entry = json.loads(path.read_bytes())
        for text in (entry["id"], entry["title"], *entry["aliases"]):
            assert search.search(text, 1)[0].id == entry["id"], text


def test_every_flag_and_exception_class_of_an_entry_leads_to_it(search: WordSearch, build_dir: Path) -> None:
    for path in sorted((build_dir / "entries").iterdir()):
        entry = json.loads(path.read_bytes())
        names = {flag["name"] for flag in entry["flags"]} | {
            each["exception"] for each in entry["signatures"]
        }
        for name in names - {None}:
            assert entry["id"] in [found.id for found in search.search(name, len(search))], name

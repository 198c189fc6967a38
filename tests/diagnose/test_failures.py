"""Which event started a failure, and which are consequences."""

from collections.abc import Callable

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.index import Index

Ask = Callable[..., Diagnosis]

RANK_ERROR = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
WATCHDOG = (
    "[rank{rank}]:[E ProcessGroupNCCL.cpp:563] [Rank {rank}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum={seq}, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600041 "
    "milliseconds before timing out."
)
MEMORY_ERROR = (
    "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 2 has a total "
    "capacity of 79.15 GiB of which 1.00 GiB is free."
)


def test_a_wrapper_never_wins_over_the_error_that_it_wraps(ask: Ask) -> None:
    text = (
        f"(EngineCore_DP0 pid=7) {RANK_ERROR}\n(APIServer pid=1) RuntimeError: Engine core initialization "
        "failed. See root cause above. Failed core proc(s): {}\n"
    )
    answer = ask(text)
    assert answer.best is not None
    assert (answer.best.entry, answer.failures[0].initiating.line) == ("rank-too-high", 1)
    assert [(s.line, s.because) for s in answer.failures[0].secondary] == [(2, "wrapper")]


def test_the_order_of_lines_does_not_matter_for_a_wrapper(ask: Ask) -> None:
    text = f"RuntimeError: Engine core initialization failed. See root cause above.\n{RANK_ERROR}\n"
    answer = ask(text)
    assert answer.best is not None
    assert (answer.best.entry, answer.failures[0].initiating.line) == ("rank-too-high", 2)


def test_what_only_announces_a_known_exception_is_no_failure_beside_it(ask: Ask) -> None:
    prefix = "ERROR 10-14 09:02:51 engine.py:157] "
    memory = MEMORY_ERROR.partition("OutOfMemoryError: ")[2]
    traceback = [
        "Traceback (most recent call last):",
        '  File "/srv/vllm/lora/peft_helper.py", line 9, in check',
        RANK_ERROR,
    ]
    text = "\n".join(prefix + line for line in (f"RuntimeError('Load failed: {memory}')", *traceback))
    answer = ask(text)
    assert answer.best is not None
    assert (answer.best.entry, answer.failures[0].initiating.line) == ("rank-too-high", 4)
    assert len(answer.failures) == 1
    elsewhere = "\n".join((f"{prefix}RuntimeError('Load failed: {memory}')", "", *text.split("\n")[1:]))
    assert {h.entry for f in ask(elsewhere).failures for h in f.hypotheses} == {"rank-too-high", "memory"}


def test_a_wrapper_alone_says_where_to_look(ask: Ask) -> None:
    answer = ask(
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"
    )
    assert answer.verdict == "match"
    assert answer.best is not None
    assert (answer.best.entry, answer.best.cause) == ("engine-start", None)
    assert answer.failures[0].need is not None
    assert answer.failures[0].need.run == "grep -n EngineCore LOG"


def test_an_unknown_wrapper_alone_says_how_to_find_the_first_error(ask: Ask) -> None:
    answer = ask("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \ntrain.py FAILED")
    assert answer.verdict == "no_match"
    assert answer.failures[0].need is not None


def test_ranks_that_waited_are_peers_of_the_rank_that_failed(ask: Ask) -> None:
    text = "\n".join([WATCHDOG.format(rank=0, seq=5), WATCHDOG.format(rank=1, seq=5), MEMORY_ERROR])
    answer = ask(text)
    assert answer.best is not None
    assert answer.best.entry == "memory"
    failure = answer.failures[0]
    assert (failure.initiating.line, failure.initiating.process.rank) == (3, "2")
    assert {s.because for s in failure.secondary} == {"peer"}
    assert [(row.rank, row.part) for row in failure.ranks] == [
        ("0", "secondary"),
        ("1", "secondary"),
        ("2", "initiating"),
    ]


def test_an_unknown_error_of_another_rank_beats_the_ranks_that_waited(ask: Ask) -> None:
    text = "\n".join([
        "[rank3]: Traceback (most recent call last):",
        '[rank3]:   File "/srv/train.py", line 12, in <module>',
        "[rank3]:     batch['input_ids']",
        "[rank3]: KeyError: 'input_ids'",
        WATCHDOG.format(rank=0, seq=5),
    ])  # fmt: skip
    answer = ask(text)
    assert answer.verdict == "no_match"
    assert answer.failures[0].initiating.line == 4
    assert answer.failures[0].initiating.process.rank == "3"
    assert answer.failures[0].initiating.kind == "defect"


def test_an_exception_that_follows_the_timeout_of_its_own_rank_is_an_echo(ask: Ask) -> None:
    text = "\n".join([
        WATCHDOG.format(rank=0, seq=5),
        "[rank0]: RuntimeError: the trainer could not finish its step.",
    ])  # fmt: skip
    answer = ask(text)
    assert answer.best is not None
    assert answer.best.entry == "timeout"
    assert [s.because for s in answer.failures[0].secondary] == ["echo"]


def test_captures_that_differ_between_ranks_decide_the_cause(ask: Ask) -> None:
    same = ask("\n".join(WATCHDOG.format(rank=rank, seq=5) for rank in range(4)))
    different = ask("\n".join(WATCHDOG.format(rank=rank, seq=5 + rank % 2) for rank in range(4)))
    assert same.best is not None
    assert different.best is not None
    assert same.best.cause == "straggler"
    assert different.best.cause == "order"


def test_two_unrelated_failures_are_two_failures_first_in_time_first(ask: Ask) -> None:
    one = f"2026-01-02 10:00:00 ERROR [a.py:1] {RANK_ERROR}"
    two = "2026-01-02 10:05:00 ERROR [b.py:1] " + MEMORY_ERROR.removeprefix("[rank2]: ")
    forward, backward = ask(f"{one}\n{two}\n"), ask(f"{two}\n{one}\n")
    assert [f.hypotheses[0].entry for f in forward.failures] == ["rank-too-high", "memory"]
    assert [f.hypotheses[0].entry for f in backward.failures] == ["rank-too-high", "memory"]
    assert forward.best is not None
    assert forward.best.entry == "rank-too-high"


def test_unknown_exceptions_of_two_machines_are_two_failures(ask: Ask) -> None:
    frames = (
        "[pod/{host}/app] Traceback (most recent call last):\n"
        '[pod/{host}/app]   File "/srv/{host}.py", line 3, in <module>\n'
        "[pod/{host}/app]     main()\n"
        "[pod/{host}/app] {error}\n"
    )
    text = frames.format(host="api-1", error="KeyError: 'user'")
    text += frames.format(
        host="train-7", error="FileNotFoundError: [Errno 2] No such file or directory: 'a.bin'"
    )
    assert [f.initiating.line for f in ask(text).failures] == [4, 8]


def test_unknown_exceptions_of_one_process_far_apart_in_time_are_two_failures(ask: Ask) -> None:
    frames = (
        "2026-01-02 {time} ERROR [a.py:1] Traceback (most recent call last):\n"
        '2026-01-02 {time} ERROR [a.py:1]   File "/srv/a.py", line 3, in <module>\n'
        "2026-01-02 {time} ERROR [a.py:1]     main()\n"
        "2026-01-02 {time} ERROR [a.py:1] {error}\n"
    )
    near = frames.format(time="10:00:00", error="KeyError: 'user'") + frames.format(
        time="10:00:01", error="TypeError: no user"
    )
    far = near.replace("10:00:01", "10:20:00")
    assert [f.initiating.line for f in ask(near).failures] == [4]
    assert [s.because for s in ask(near).failures[0].secondary] == ["echo"]
    assert [f.initiating.line for f in ask(far).failures] == [4, 8]


def test_the_same_error_five_hundred_times_is_one_failure(ask: Ask) -> None:
    answer = ask((RANK_ERROR + "\n") * 500)
    assert len(answer.failures) == 1
    assert answer.failures[0].initiating.line == 1


def test_the_first_exception_of_a_chain_started_it(ask: Ask) -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "/srv/vllm/lora/worker_manager.py", line 90, in _load_adapter\n'
        "    open(path)\n"
        "FileNotFoundError: [Errno 2] No such file or directory: 'a/adapter_config.json'\n"
        "\nThe above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n"
        '  File "/srv/serve.py", line 3, in <module>\n'
        "    load()\n"
        "LookupError: no adapter\n"
    )
    answer = ask(text)
    assert answer.failures[0].initiating.line == 4
    assert len(answer.failures) == 1


def test_an_exception_raised_while_another_was_handled_is_the_one_that_counts(ask: Ask) -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "/srv/cache.py", line 9, in get\n'
        "    return table[key]\n"
        "KeyError: 'a'\n"
        "\nDuring handling of the above exception, another exception occurred:\n\n"
        "Traceback (most recent call last):\n"
        '  File "/srv/cache.py", line 11, in get\n'
        "    raise RepoError(key)\n"
        "RepoError: no repository 'a'\n"
    )
    answer = ask(text)
    assert answer.failures[0].initiating.text == "RepoError: no repository 'a'"
    assert [s.because for s in answer.failures[0].secondary] == ["chained"]


def test_warnings_that_no_entry_knows_are_no_failure(ask: Ask) -> None:
    answer = ask(
        "WARNING 01-02 03:04:05 [config.py:12] Casting torch.bfloat16 to torch.float16.\nINFO: ready\n"
    )
    assert (answer.verdict, answer.failures) == ("no_match", ())


def test_an_error_that_the_program_dealt_with_is_listed_as_handled(ask: Ask) -> None:
    text = (
        "WARNING 01-02 03:04:05 [hub.py:12] ConnectionError: no route to host. Retrying in 2s [Retry 1/5].\n"
        "INFO 01-02 03:04:08 [hub.py:20] Downloaded 3 files\n"
        "INFO 01-02 03:04:09 [serve.py:20] Ready\n"
    )
    answer = ask(text)
    assert answer.verdict == "no_match"
    assert [(f.handled, f.initiating.line) for f in answer.failures] == [(True, 1)]


def test_words_that_an_entry_knows_do_not_say_that_its_failure_was_dealt_with(
    make_one: Callable[..., Index],
) -> None:
    index = make_one("the tower takes no toy adapters, {layer:word} will be ignored", level="warning")
    warning = "WARNING 01-02 03:04:05 [models.py:12] the tower takes no toy adapters, {n} will be ignored\n"
    going_on = "INFO 01-02 03:04:09 [serve.py:20] Ready\n" * 3
    answer = diagnose("".join(warning.format(n=n) for n in range(3)) + going_on, index)
    assert answer.best is not None
    assert answer.failures[0].initiating.line == 1
    retried = diagnose(f"{warning.format(n=1).rstrip()}. Retrying in 5s\n{going_on}", index)
    assert retried.verdict == "no_match"


def test_a_fact_without_an_exception_is_found(ask: Ask) -> None:
    answer = ask("    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n")
    assert answer.best is not None
    assert (answer.best.entry, answer.failures[0].initiating.line) == ("killed", 2)
    assert answer.report.facts.exit_code == 137


def test_exit_code_137_alone_is_no_out_of_memory_kill(ask: Ask) -> None:
    answer = ask("    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    137\n")
    assert answer.verdict == "no_match"


def test_advice_that_nobody_followed_handles_nothing(ask: Ask) -> None:
    advice = "WARNING 02-28 23:02:45 tokenizer.py:64] Consider using a fast tokenizer instead.\n"
    trace = 'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in go\n    load()\n'
    answer = ask(f"{advice}{trace}{RANK_ERROR}\n\nthe next line\n")
    assert [(failure.handled, failure.initiating.line) for failure in answer.failures] == [(False, 5)]


def first_lines(answer: Diagnosis) -> list[int]:
    return [failure.initiating.line for failure in answer.failures]


def test_a_warning_that_an_entry_knows_comes_behind_the_error_that_ended_the_run(ask: Ask) -> None:
    warning = "WARNING 11-24 03:41:10 core.py:7] CUDA error: nothing here, only CUDA out of memory. Tried to "
    text = f"{warning}allocate 2.00 GiB. GPU 2 has a total capacity of 79.15 GiB\n{RANK_ERROR}\n"
    assert first_lines(ask(text)) == [2, 1]


def test_an_exception_that_points_on_comes_behind_the_known_one_that_says_why(ask: Ask) -> None:
    heading = "kernel.CompilationError: at 1:0:\ndef kernel(x):\n^\n"
    assert first_lines(ask(heading + RANK_ERROR))[0] == 4
    assert first_lines(ask(f"module.LoadError: \n{RANK_ERROR}"))[0] == 2


def test_an_unknown_exception_that_says_what_failed_stays_first(ask: Ask) -> None:
    assert first_lines(ask(f"KeyError: 'lost'\n{RANK_ERROR}"))[0] == 1
    other = f"(Worker pid=1) kernel.CompilationError: at 1:0:\n(Worker pid=2) {RANK_ERROR}"
    assert first_lines(ask(other))[0] == 1

"""What `kb run` keeps of an output: all of a short one, beginning and end of a long one, lines whole."""

from hypothesis import given
from hypothesis import strategies as st

from kb.cli.kept import LONGEST_LINE, Kept


def kept(*printed: tuple[int, bytes], first: int = 1_000, last: int = 1_000) -> str:
    keeper = Kept(first, last)
    for stream, data in printed:
        keeper.add(stream, data)
    keeper.finish()
    return keeper.text()


def test_streams_never_mix_within_a_line() -> None:
    assert (
        kept((1, b"loading "), (2, b"Error: "), (1, b"done\n"), (2, b"full\n"))
        == "loading done\nError: full\n"
    )


def test_an_unfinished_line_is_kept_at_the_end() -> None:
    assert kept((1, b"a\nKilled")) == "a\nKilled\n"


def test_of_much_output_beginning_and_end_are_kept_in_whole_lines() -> None:
    lines = [f"line {number:04}\n" for number in range(1_000)]
    text = kept(*((1, line.encode()) for line in lines), first=105, last=204)
    shown = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(shown) if line.startswith("[kb left out "))
    assert shown[:at] == lines[:10]
    assert len(shown[at + 1 :]) >= 20
    assert shown[at + 1 :] == lines[-len(shown[at + 1 :]) :]
    left_out = sum(map(len, lines)) - sum(len(line) for line in shown if line != shown[at])
    assert shown[at] == f"[kb left out {left_out} bytes here]\n"


def test_a_line_that_never_ends_does_not_wait_for_ever() -> None:
    bar = b"\r 10%" * LONGEST_LINE
    keeper = Kept()
    keeper.add(1, bar)
    assert keeper.text() == bar.decode()


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=40)), max_size=60))
def test_what_is_kept_is_bounded_and_nothing_of_a_short_output_is_lost(
    printed: list[tuple[int, bytes]],
) -> None:
    whole = sum(len(data) for _, data in printed)
    text = kept(*printed, first=4_000)
    assert sorted(text.replace("\n", "")) == sorted(
        "".join(kept(*((s, d) for s, d in printed if s == stream), first=4_000) for stream in (1, 2)).replace(
            "\n", ""
        )
    )
    assert len(kept(*printed, first=100, last=100)) <= min(whole + 2, 100 + 100 + 80 + 60)

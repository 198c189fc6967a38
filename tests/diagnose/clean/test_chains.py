"""A chain reads what its rows, one after the other, would read, or nothing."""

from itertools import product

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.prefix_chains import MOST_CHAINS, OFTEN, Chains, make_chain
from kb.diagnose.clean.prefix_readers import Step, read_prefixes
from kb.diagnose.clean.prefix_row import Row
from kb.diagnose.clean.prefix_rows import ROWS
from kb.diagnose.clean.prefixes import FEW

MESSAGES = ("Traceback (most recent call last):", '  File "/srv/app.py", line 12, in main', "[3] 12 x", "")
STACKED = [row.example + other.example for row, other in product(ROWS, repeat=2)]


def steps_of(text: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    read_prefixes(text, timed=False, steps=steps)
    return tuple(steps)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_chain_reads_as_its_rows_do(row: Row) -> None:
    stacks = [row.example + other.example for other in ROWS[:: max(len(ROWS) // 20, 1)]]
    made = 0
    for stack in stacks:
        chain = make_chain(steps_of(stack + MESSAGES[0]))
        if chain is None:
            continue
        made += 1
        for text in (each + message for each in (stack, *stacks) for message in MESSAGES):
            assert chain.read(text) in (None, read_prefixes(text, timed=False))
        assert chain.read(stack + MESSAGES[0]) is not None
    assert made


def test_long_log_is_read_as_its_lines_are() -> None:
    """Chains are learned in a long paste only, so every line alone is read row by row."""
    lines = [
        f"(Worker_TP{n % 4} pid={n % 4}) INFO 06-14 08:00:{n % 60:02} [core.py:{n}] step"
        if n % 3
        else f"2026-06-14T08:00:{n % 60:02}Z stderr F [rank{n % 4}]: WARNING:root:late"
        for n in range(3 * FEW)
    ]
    known = [line[2:] for line in clean("\n".join(lines)).lines]
    assert known == [clean(line).lines[0][2:] for line in lines]


def test_hostile_paste_makes_few_chains() -> None:
    chains = Chains()
    for stack in STACKED[: 20 * MOST_CHAINS]:
        for _ in range(OFTEN):
            chains.read(stack + "x")
    assert len(chains._made) == MOST_CHAINS

"""How often the answer is right, on files of cases and on the entries' own examples.

    python -m bench.accuracy cases.jsonl more-cases.jsonl

Prints a table for the files (their form: bench/accuracy/cases.py), every miss, and what happens when one
entry or one wording is left out. A case made from the same report as an example of its entry does not
count; such cases have a table of their own. How reliable the confidences are:
`python -m bench.accuracy.fit`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.accuracy.cases import Knowledge, example_cases, read_cases
from bench.accuracy.leave_out import print_left_out
from bench.accuracy.score import print_confusion, print_misses, print_table, try_case


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, help="JSON Lines files of cases")
    parser.add_argument("--table-only", action="store_true", help="no misses, nothing left out")
    options = parser.parse_args(argv)
    knowledge = Knowledge.load()
    cases = [case for file in options.files for case in read_cases(file)]
    index, known = knowledge.index(), knowledge.known()
    if cases:
        outcomes = [try_case(case, index, known) for case in cases]
        counted = [o for o in outcomes if not knowledge.is_example(o.case)]
        print(f"{len(counted)} cases, {len(cases) - len(counted)} left out, {len(knowledge.entries)} entries")
        print_table(counted)
        print("\nleft out, for an example of their entry was made from the same report:")
        print_table([o for o in outcomes if knowledge.is_example(o.case)])
        if not options.table_only:
            print_misses(outcomes)
    if not options.table_only:
        examples = example_cases(knowledge)
        print(f"\nthe entries' own examples: {len(examples)}")
        print_confusion([try_case(case, index, known) for case in examples])
        print_left_out(knowledge, examples + cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())

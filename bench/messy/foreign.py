"""Whether a foreign text that was mangled stays unanswered: the quiet corpus in the forms of this folder.

    python bench/messy/foreign.py            each paste in four forms, drawn with a seed

Damage makes texts alike; an entry that is found in a damaged text must not be found in any damaged text. The
form that adds a watchdog's end is left out: that is a failure an entry describes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.messy.measure import mangled  # noqa: E402
from bench.messy.tables import ALL  # noqa: E402
from bench.messy.texts import DoesNotApply, Paste, Undecided, untagged, words  # noqa: E402
from bench.quiet.measure import Quiet, answer_to, figure, recorded, unknown  # noqa: E402
from kb.diagnose.index import load_index  # noqa: E402

FORMS = sorted(set(ALL) - {"two-causes-root-first"})
FORMS_EACH = 4


def as_paste(quiet: Quiet) -> Paste:
    """What a program printed, its last line taken for the message."""
    lines = quiet.text.removesuffix("\n").split("\n")
    at = max(number for number, line in enumerate(lines) if line.strip())
    said = untagged(lines[at])
    return Paste(quiet.id, quiet.text, frozenset(), at, said, said, telling=(tuple(words(said)) or ("-",),))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", type=Path, default=ROOT / "build" / "index.json", help="compiled index")
    options = parser.parse_args(argv)
    index = load_index(options.index)
    count, answers = 0, []
    for quiet in unknown(recorded(), index):
        for form in Random(f"{options.seed} {quiet.id}").sample(FORMS, FORMS_EACH):
            try:
                text = mangled(as_paste(quiet), form, options.seed)
            except (DoesNotApply, Undecided):
                continue
            count += 1
            if answer := answer_to(text, index):
                answers.append(f"{form} {quiet.id}: {answer}")
    print(figure("mangled", count, answers))
    for line in answers:
        print(f"ANSWERED {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How often the answer stays right when a paste is mangled, form by form, and every miss.

    python bench/messy/measure.py                        100 examples of the entries, drawn with a seed
    python bench/messy/measure.py cases.jsonl            files of cases instead
    python bench/messy/measure.py --form json-lines --show    what a form makes of the first text

A text that is not answered right as it is does not count. A form that does not apply to a text (no
traceback to draw) and one that leaves too little to decide are skipped, and both are counted. Where a form
cuts off what tells an entry's causes apart, the entry is enough.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.messy.tables import ALL, CUTTING, OF_CASES  # noqa: E402
from bench.messy.texts import (  # noqa: E402
    DoesNotApply,
    Paste,
    Undecided,
    answered,
    example_cases,
    file_cases,
    locate,
)
from kb.diagnose import diagnose  # noqa: E402
from kb.diagnose.index import Index, load_index  # noqa: E402


@dataclass
class Tally:
    """What became of the texts in one form."""

    tried: int = 0
    right: int = 0
    wrong: int = 0  # another entry, said with `match`
    inapplicable: int = 0
    undecided: int = 0
    misses: list[str] = field(default_factory=list)


def mangled(paste: Paste, form: str, seed: int) -> str:
    """A text in a form; the same for the same seed."""
    return ALL[form](paste, Random(f"{seed} {form} {paste.id}"))


def measure_form(form: str, pastes: Iterable[Paste], index: Index, seed: int) -> Tally:
    """One form applied to all texts."""
    tally = Tally()
    for paste in pastes:
        try:
            text = mangled(paste, form, seed)
        except DoesNotApply:
            tally.inapplicable += 1
            continue
        except Undecided:
            tally.undecided += 1
            continue
        diagnosis = diagnose(text, index)
        tally.tried += 1
        if answered(diagnosis, paste.wanted | ({paste.entry} if form in CUTTING else set())):
            tally.right += 1
            continue
        tally.wrong += diagnosis.verdict == "match"
        best = diagnosis.best
        got = f"{best.entry}/{best.cause} {best.confidence}" if best else "-"
        tally.misses.append(
            f"MISS {form} {paste.id} want {'|'.join(sorted(paste.wanted))} got {diagnosis.verdict} {got}"
        )
    return tally


def row(name: str, tallies: Sequence[Tally]) -> str:
    tried, right = sum(t.tried for t in tallies), sum(t.right for t in tallies)
    share = f"{right / tried:7.1%}" if tried else "       "
    wrong, other = sum(t.wrong for t in tallies), sum(t.inapplicable for t in tallies)
    undecided = sum(t.undecided for t in tallies)
    return f"{name:<26}{right:>6}/{tried:<6}{share}{wrong:>13}{other:>14}{undecided:>11}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, help="JSON Lines files of cases (else the examples)")
    parser.add_argument("--form", choices=sorted(ALL), help="only this form")
    parser.add_argument("--count", type=int, default=100, help="how many examples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", type=Path, default=ROOT / "build" / "index.json", help="compiled index")
    parser.add_argument("--show", metavar="ID", nargs="?", const="", help="print the text that a form makes")
    options = parser.parse_args(argv)
    index = load_index(options.index)
    cases = [case for file in options.files for case in file_cases(file)]
    if not options.files:
        cases = example_cases(ROOT / "entries", options.count, options.seed)
    pastes = [paste for case in cases if (paste := locate(case, index))]
    if options.show is not None:
        chosen = next(p for p in pastes if options.show in p.id)
        print(mangled(chosen, options.form, options.seed))
        return 0
    forms = [options.form] if options.form else list(ALL)
    tallies = {form: measure_form(form, pastes, index, options.seed) for form in forms}
    print(f"{len(cases)} texts, {len(cases) - len(pastes)} of them not right as they are and left out")
    print(f"{'form':<26}{'right':>13}{'':>7}{'wrong match':>13}{'inapplicable':>14}{'undecided':>11}")
    for form, tally in tallies.items():
        print(row(form, [tally]))
    print(row("the forms of the cases", [tallies[form] for form in forms if form in OF_CASES]))
    print(row("further forms", [tallies[form] for form in forms if form not in OF_CASES]))
    for tally in tallies.values():
        print("\n".join(tally.misses), end="\n" if tally.misses else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())

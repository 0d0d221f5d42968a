"""Which weights read leaves of pads best? On flat ones that nobody has learnt from.

    PYTHONPATH=. python -m training.pad_cases FOLDER --leaves 1400 --usual --shares 1 0 0
    PYTHONPATH=. python -m training.compare FOLDER WEIGHTS…

This takes minutes, and tells weights apart that `bench/unknown.py` with its photos does not. What
is asked beside what the network says, such as where nothing could be seen, is left out.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from sheets.scanning.kinds import EMPTY, KINDS, TAKEN_BACK
from sheets.scanning.network import judge
from sheets.scanning.patches import Look
from sheets.scanning.reading import SURE, SheetReading, among
from sheets.scanning.unknown.filled import AGAIN
from training.cases import Case, read_files, unpacked

SHARES: Final = ("right", "sure and wrong", "unsure")


def read_case(case: Case, weights: Path) -> SheetReading:
    """What a leaf is read as with some weights; fields are named by their numbers."""
    patches = unpacked(case.patches)
    names = tuple(map(str, range(len(patches))))
    found = judge(Look(names, patches[..., :3], patches[..., 3:]), weights, again=AGAIN)
    possible = [np.array(KINDS)[some].tolist() for some in case.possible]
    told = map(among, found, possible)
    return SheetReading(None, 0, answers=dict(zip(names, told, strict=True)))


def count_answers(cases: Sequence[Case], weights: Path) -> Counter[str]:
    """How many ``fields`` there are, how many of each of `SHARES`, and what was taken for what."""
    counts: Counter[str] = Counter()
    for case in cases:
        best = read_case(case, weights).best().values()
        for true, (kind, sure) in zip(np.array(KINDS)[case.kinds].tolist(), best, strict=True):
            is_right = kind == (EMPTY if true == TAKEN_BACK else true)
            counts["fields"] += 1
            counts["right"] += is_right
            counts["sure and wrong"] += sure >= SURE and not is_right
            counts["unsure"] += sure < SURE
            counts[f"{true} as {kind}"] += not is_right
    return counts


def main() -> None:
    """Print a line for each file of weights."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    options = parser.parse_args()
    cases = read_files(options.folder)
    for weights in options.weights:
        counts = count_answers(cases, weights)
        shares = [f"{name} {100 * counts[name] / counts['fields']:.3f} %" for name in SHARES]
        wrong = [f"{name}: {count}" for name, count in counts.most_common() if " as " in name]
        print(f"{weights}: {counts['fields']} fields,", ", ".join(shares + wrong[:8]), flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""Comparison of weights of the mark classifier on examples that were not used for training.

    PYTHONPATH=. python -m training.pad_cases FOLDER --sheets 1400 --validation --filled games
    PYTHONPATH=. python -m training.compare_weights FOLDER WEIGHTS…

It takes minutes and shows smaller differences than the photos of `bench/pad_photos.py`. Questions
for other reasons than the network's confidence, such as glare, are left out.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from sheets.vision.mark_classifier import classify_marks
from sheets.vision.mark_kinds import EMPTY, MARK_KINDS, TAKEN_BACK
from sheets.vision.pads.filled_sheet_reading import AUGMENT_BELOW
from sheets.vision.patches import SheetPatches
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading, restrict_to_possible
from training.cases import Case, read_files, unpack_patches

SHARES: Final = ("right", "sure and wrong", "unsure")
"""Outcomes that are reported as percentages."""


def read_case(case: Case, weights: Path) -> SheetReading:
    """Classify an example with some weights; fields are named by their numbers."""
    patches = unpack_patches(case.patches)
    names = tuple(map(str, range(len(patches))))
    found = classify_marks(
        SheetPatches(names, patches[..., :3], patches[..., 3:]),
        weights,
        augment_below=AUGMENT_BELOW,
    )
    possible = [np.array(MARK_KINDS)[some].tolist() for some in case.possible]
    answers = map(restrict_to_possible, found, possible)
    return SheetReading(None, 0, answers=dict(zip(names, answers, strict=True)))


def count_answers(cases: Sequence[Case], weights: Path) -> Counter[str]:
    """Count ``fields``, the outcomes of `SHARES`, and each confusion."""
    counts: Counter[str] = Counter()
    for case in cases:
        best = read_case(case, weights).best().values()
        for true, (kind, confidence) in zip(
            np.array(MARK_KINDS)[case.kinds].tolist(), best, strict=True
        ):
            is_right = kind == (EMPTY if true == TAKEN_BACK else true)
            counts["fields"] += 1
            counts["right"] += is_right
            counts["sure and wrong"] += confidence >= MIN_CONFIDENCE and not is_right
            counts["unsure"] += confidence < MIN_CONFIDENCE
            counts[f"{true} as {kind}"] += not is_right
    return counts


def main() -> None:
    """Print a line per file of weights."""
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

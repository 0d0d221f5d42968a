"""Evaluation of readings against ground truth: accuracy, calibration and time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from sheets.rules.level import SHAPES
from sheets.vision.mark_kinds import EMPTY
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading

BINS: Final = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Upper bounds of the confidence bins of the reliability table."""


class TrueMarks(NamedTuple):
    """Ground truth of a sheet: the kinds of marked fields, and the circled number of each track."""

    fields: Mapping[str, str]
    numbers: Mapping[str, int]


class RelativeTimes:
    """Times of photos relative to the minimum work, see `sheets.vision.timing`."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def add(self, times: float | None) -> None:
        """Add the time of a photo; None for one that was not timed."""
        if times is not None:
            self._times.append(times)

    def __len__(self) -> int:
        """Return the number of timed photos."""
        return len(self._times)

    def quantile(self, share: float) -> float | None:
        """Return a quantile, or None without any photo."""
        return float(np.quantile(self._times, share)) if self._times else None


class Evaluation:
    """Counts of right and wrong answers over all sheets that are added."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._calibration: Counter[tuple[float, bool]] = Counter()
        self.times = RelativeTimes()

    def refuse(self) -> None:
        """Count a sheet that was not read."""
        self._counts["sheets", "all"] += 1
        self._counts["sheets", "refused"] += 1

    def add(self, sheet: SheetReading, truth: TrueMarks) -> None:
        """Compare a reading with the ground truth of its sheet."""
        self._counts["sheets", "all"] += 1
        for name, (kind, confidence) in sheet.best().items():
            if len(sheet.answers[name]) == 1:  # printed: there is nothing to read
                continue
            true = truth.fields.get(name, EMPTY)
            self._count("fields", kind == true, confidence)
            if kind in SHAPES or true in SHAPES:
                self._count("tracks", kind == true, confidence)
        for track, (points, confidence) in sheet.best_numbers().items():
            true_number = truth.numbers.get(track)
            if points is not None or true_number is not None:
                self._count("numbers", points == true_number, confidence)

    def _count(self, what: str, is_right: bool, confidence: float) -> None:
        self._counts[what, "all"] += 1
        self._counts[what, "right"] += is_right
        self._counts[what, "unsure"] += confidence < MIN_CONFIDENCE
        self._counts[what, "bad"] += confidence >= MIN_CONFIDENCE and not is_right
        if what == "fields":
            self._calibration[next(end for end in BINS if confidence <= end), is_right] += 1

    def share(self, what: str, how: str) -> float | None:
        """Return a percentage of fields, tracks, numbers or sheets; None without any."""
        total = self._counts[what, "all"]
        return 100 * self._counts[what, how] / total if total else None

    def count(self, what: str) -> int:
        """Return the number of ``fields``, ``tracks``, ``numbers`` or ``sheets``."""
        return self._counts[what, "all"]

    def reliability(self) -> list[tuple[float, int, float]]:
        """Return the reliability table: upper bound, count and percentage right of each bin."""
        rows = []
        for end in BINS:
            right, wrong = self._calibration[end, True], self._calibration[end, False]
            if right + wrong:
                rows.append((end, right + wrong, 100 * right / (right + wrong)))
        return rows


ROWS: Final = (
    ("fields right", "fields", "right"),
    ("sure and wrong", "fields", "bad"),
    ("unsure", "fields", "unsure"),
    ("sheets refused", "sheets", "refused"),
    ("tracks right", "tracks", "right"),
    ("sure and wrong", "tracks", "bad"),
    ("numbers right", "numbers", "right"),
    ("sure and wrong", "numbers", "bad"),
)
"""Rows of the table: label, what is counted, and outcome."""


def format_evaluations(checks: Mapping[str, Evaluation]) -> str:
    """Format a table with a column per evaluation."""
    lines = [f"{'':16}" + "".join(f"{name:>12}" for name in checks)]
    for label, what, how in ROWS:
        shares = [evaluation.share(what, how) for evaluation in checks.values()]
        cells = ["-" if share is None else f"{share:.2f} %" for share in shares]
        lines.append(f"{label:16}" + "".join(f"{cell:>12}" for cell in cells))
    for label, cells in format_times([evaluation.times for evaluation in checks.values()]):
        lines.append(f"{label:16}" + "".join(f"{cell:>12}" for cell in cells))
    for what in ("fields", "tracks", "numbers", "sheets"):
        counts = "".join(f"{evaluation.count(what):>12}" for evaluation in checks.values())
        lines.append(f"{what:16}{counts}")
    return "\n".join(lines)


def format_times(times: Sequence[RelativeTimes]) -> list[tuple[str, list[str]]]:
    """Return the rows of a table about times: their 95 % quantile, median and number."""
    rows = []
    for label, share in (("time / floor", 0.95), ("its median", 0.5)):
        found = [one.quantile(share) for one in times]
        rows.append((label, ["-" if one is None else f"{one:.1f}" for one in found]))
    return [*rows, ("photos timed", [str(len(one)) for one in times])]

"""Evaluation of readings against ground truth: accuracy, calibration and time.

The fields of a sheet have the same light, pen and camera, so intervals come from resampling sheets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from sheets.rules.level import SHAPES
from sheets.vision.mark_kinds import EMPTY
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading

BINS: Final = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Upper bounds of the confidence bins of the reliability table."""

RESAMPLES: Final = 2000
"""Number of resamplings for an interval."""

LABEL, CELL = 26, 24
"""Widths of a table's labels and cells, in characters."""


class TrueMarks(NamedTuple):
    """Ground truth of a sheet: the kinds of marked fields, and the circled number of each track."""

    fields: Mapping[str, str]
    numbers: Mapping[str, int]


class SheetCounts:
    """Counts of each sheet, and percentages over all sheets."""

    def __init__(self) -> None:
        self._sheets: list[Counter[Hashable]] = []

    def add_sheet(self) -> Counter[Hashable]:
        """Return the counts of one more sheet, to be filled."""
        self._sheets.append(Counter())
        return self._sheets[-1]

    def total(self, what: Hashable) -> int:
        """Return a count over all sheets."""
        return sum(one[what] for one in self._sheets)

    def share(self, part: Hashable, whole: Hashable) -> float | None:
        """Return a count as a percentage of another; None if that is 0."""
        total = self.total(whole)
        return 100 * self.total(part) / total if total else None

    def mean_share(self, part: Hashable, whole: Hashable) -> float | None:
        """Return the mean of the percentages of the single sheets; None without any.

        Sheets whose count ``whole`` is 0 are left out.
        """
        shares = [one[part] / one[whole] for one in self._sheets if one[whole]]
        return 100 * float(np.mean(shares)) if shares else None

    def interval(self, part: Hashable, whole: Hashable) -> tuple[float, float] | None:
        """Return the 95 % confidence interval of `share`, by resampling sheets (bootstrap).

        It is too narrow for few sheets, and 0 to 0 if no sheet has a count ``part``.
        """
        counts = np.array([[one[part], one[whole]] for one in self._sheets if one[whole]])
        if not len(counts):
            return None
        chosen = np.random.default_rng(0).integers(len(counts), size=(RESAMPLES, len(counts)))
        parts, wholes = counts[chosen].sum(1).T
        low, high = np.quantile(100 * parts / wholes, (0.025, 0.975))
        return float(low), float(high)

    def format_share(self, part: Hashable, whole: Hashable) -> str:
        """Format `share` with its interval."""
        share, interval = self.share(part, whole), self.interval(part, whole)
        if share is None or interval is None:
            return "-"
        return f"{share:.2f} % ({interval[0]:.2f}-{interval[1]:.2f})"


class Evaluation:
    """Counts of right and wrong answers over all sheets that are added."""

    def __init__(self) -> None:
        self.counts = SheetCounts()
        self._calibration: Counter[tuple[float, bool]] = Counter()
        self.times: list[float | None] = []

    def refuse(self) -> None:
        """Count a sheet that was not read."""
        counts = self.counts.add_sheet()
        counts["sheets", "all"] += 1
        counts["sheets", "refused"] += 1

    def add(self, sheet: SheetReading, truth: TrueMarks) -> None:
        """Compare a reading with the ground truth of its sheet."""
        counts = self.counts.add_sheet()
        counts["sheets", "all"] += 1
        for name, (kind, confidence) in sheet.best().items():
            if len(sheet.answers[name]) == 1:  # printed: there is nothing to read
                continue
            true = truth.fields.get(name, EMPTY)
            _count(counts, "fields", kind == true, confidence)
            self._calibration[next(end for end in BINS if confidence <= end), kind == true] += 1
            if kind in SHAPES or true in SHAPES:
                _count(counts, "tracks", kind == true, confidence)
        for track, (points, confidence) in sheet.best_numbers().items():
            true_number = truth.numbers.get(track)
            if points is not None or true_number is not None:
                _count(counts, "numbers", points == true_number, confidence)

    def share(self, what: str, how: str) -> float | None:
        """Return a percentage of fields, tracks, numbers or sheets; None without any."""
        return self.counts.share((what, how), (what, "all"))

    def reliability(self) -> list[tuple[float, int, float]]:
        """Return the reliability table: upper bound, count and percentage right of each bin."""
        rows = []
        for end in BINS:
            right, wrong = self._calibration[end, True], self._calibration[end, False]
            if right + wrong:
                rows.append((end, right + wrong, 100 * right / (right + wrong)))
        return rows


def _count(counts: Counter[Hashable], what: str, is_right: bool, confidence: float) -> None:
    """Count an answer."""
    counts[what, "all"] += 1
    counts[what, "right"] += is_right
    counts[what, "unsure"] += confidence < MIN_CONFIDENCE
    counts[what, "bad"] += confidence >= MIN_CONFIDENCE and not is_right


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
    """Format a table with a column per evaluation, with 95 % confidence intervals."""
    rows = [("", list(checks))]
    for label, what, how in ROWS:
        cells = [one.counts.format_share((what, how), (what, "all")) for one in checks.values()]
        rows.append((label, cells))
    rows += format_times([evaluation.times for evaluation in checks.values()])
    for what in ("fields", "tracks", "numbers", "sheets"):
        rows.append((what, [str(one.counts.total((what, "all"))) for one in checks.values()]))
    return format_table(rows)


def format_table(rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Format rows, each a label and its cells, in columns."""
    return "\n".join(
        f"{label:{LABEL}}" + "".join(f"{cell:>{CELL}}" for cell in cells) for label, cells in rows
    )


def format_times(times: Iterable[Sequence[float | None]]) -> list[tuple[str, list[str]]]:
    """Return the rows of a table about times: their 95 % quantile, median and number.

    Args:
        times: results of `sheets.vision.timing.measure_relative_time` for each column.
    """
    timed = [[time for time in column if time is not None] for column in times]
    rows = [
        (label, [f"{np.quantile(column, share):.1f}" if column else "-" for column in timed])
        for label, share in (("time / floor", 0.95), ("its median", 0.5))
    ]
    return [*rows, ("photos timed", [str(len(column)) for column in timed])]

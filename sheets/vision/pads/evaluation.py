"""Evaluation of readings of empty sheets against their ground truth: fields, digits and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from sheets.vision.evaluation import RelativeTimes, format_times
from sheets.vision.pads.empty_sheet_reading import FieldReading
from sheets.vision.reading import MIN_CONFIDENCE

ROWS: Final = (
    ("sheets refused", "refused", "sheets"),
    ("fields found", "found", "fields"),
    ("digits right", "right", "digits"),
    ("sure and wrong", "sure wrong", "digits"),
    ("digits to ask about", "asked", "digits"),
    ("like symbols together", "together", "like"),
    ("unlike symbols together", "mixed", "unlike"),
)
"""Rows of the table: label, count, and the count that it is a share of."""

MEANS: Final = (
    ("like, mean per sheet", "together", "like"),
    ("unlike, mean per sheet", "mixed", "unlike"),
)
"""Rows of the means per sheet. A sheet with many pairs counts as much as one with few."""

COUNTED: Final = (
    *("sheets", "fields", "phantoms asked about", "phantoms not asked about", "groups", "symbols"),
)
"""Counts to print. A phantom is a reading of a field that does not exist."""


class TrueField(NamedTuple):
    """Ground truth of a field: its digit and its symbol, each None if it has none.

    Symbols are equal if and only if they look alike.
    """

    digit: int | None
    symbol: Hashable | None


FieldPair = tuple[TrueField, FieldReading]
"""Ground truth and reading of the same field."""


class EmptySheetEvaluation:
    """Counts of fields, digits and pairs of symbols over all empty sheets that are added."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._sheets: list[Counter[str]] = []
        self.times = RelativeTimes()

    def refuse(self, fields: Collection[TrueField]) -> None:
        """Count a sheet that was not read."""
        self._counts["refused"] += 1
        self._add_fields(fields)

    def add(
        self,
        fields: Collection[TrueField],
        pairs: Sequence[FieldPair],
        phantoms: Collection[FieldReading],
    ) -> None:
        """Count a reading.

        Args:
            fields: all fields of the sheet.
            pairs: the fields that were found, with their readings.
            phantoms: readings of fields that do not exist.
        """
        self._add_fields(fields)
        for one in phantoms:
            is_sure = one.digit is not None and one.confidence >= MIN_CONFIDENCE
            self._counts["phantoms not asked about" if is_sure else "phantoms asked about"] += 1
        self._counts["found"] += len(pairs)
        for true, seen in pairs:
            is_sure = seen.confidence >= MIN_CONFIDENCE
            if true.digit is not None:
                self._counts["right"] += seen.digit == true.digit
                self._counts["asked"] += not is_sure
            self._counts["sure wrong"] += is_sure and seen.digit != true.digit
        self._counts["groups"] += len({seen.group for _true, seen in pairs})
        self._counts["symbols"] += len({true.symbol for true, _seen in pairs})
        self._sheets.append(count_symbol_pairs(pairs))
        self._counts += self._sheets[-1]

    def _add_fields(self, fields: Collection[TrueField]) -> None:
        self._counts["sheets"] += 1
        self._counts["fields"] += len(fields)
        self._counts["digits"] += sum(one.digit is not None for one in fields)

    def count(self, what: str) -> int:
        """Return a count."""
        return self._counts[what]

    def share(self, part: str, whole: str) -> float | None:
        """Return a count as a percentage of another; None if that is 0."""
        total = self._counts[whole]
        return 100 * self._counts[part] / total if total else None

    def mean_share(self, part: str, whole: str) -> float | None:
        """Return the mean of the percentages of the single sheets; None without any.

        Sheets without such pairs are left out.
        """
        shares = [one[part] / one[whole] for one in self._sheets if one[whole]]
        return 100 * float(np.mean(shares)) if shares else None


def count_symbol_pairs(pairs: Sequence[FieldPair]) -> Counter[str]:
    """Count pairs of fields, by whether their symbols are equal and whether the groups are.

    ``like`` and ``unlike`` count pairs of fields with equal and with different symbols,
    ``together`` and ``mixed`` those of them with the same group. Pairs without any symbol are left
    out.
    """
    counts: Counter[str] = Counter()
    for (true, seen), (other, other_seen) in combinations(pairs, 2):
        if true.symbol is None and other.symbol is None:
            continue
        is_like = true.symbol == other.symbol
        counts["like" if is_like else "unlike"] += 1
        counts["together" if is_like else "mixed"] += seen.group == other_seen.group
    return counts


def format_empty_evaluations(checks: Mapping[str, EmptySheetEvaluation]) -> str:
    """Format a table with a column per evaluation."""
    rows: list[tuple[str, list[str]]] = [("empty sheets", list(checks))]
    for label, part, whole in ROWS:
        rows.append((label, [_percent(one.share(part, whole)) for one in checks.values()]))
    for label, part, whole in MEANS:
        rows.append((label, [_percent(one.mean_share(part, whole)) for one in checks.values()]))
    for label in COUNTED:
        rows.append((label, [str(one.count(label)) for one in checks.values()]))
    rows += format_times([one.times for one in checks.values()])
    return "\n".join(
        f"{label:26}" + "".join(f"{cell:>12}" for cell in cells) for label, cells in rows
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f} %"
